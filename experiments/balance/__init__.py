"""Balance: what the ruleset's numbers do over many seasons of rule AIs, as figures and a picture."""
