"""The 86 commands: what they are (table), when they are allowed (look, sites, settings), what they do."""
