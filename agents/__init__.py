"""Who can drive a nation: the rule AI, and what is added to the controllers' registry."""
