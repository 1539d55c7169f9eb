"""The numbers by which the World names its kinds: terrains, items, commands, reasons, causes, ...

Each module is one list of names. They are identities, not settings: what a terrain costs or a
command does is in the ruleset and in the phases.
"""
