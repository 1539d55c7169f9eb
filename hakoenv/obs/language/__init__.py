"""The language of plans: commands as lines of text and as JSON, parsed to the records that the engine takes.

`vocabulary` says which words there are, `forms` writes a command, `lines` and `documents` read one, `answers`
turns a whole answer into legal commands and reasons, `schema` and `hints` tell a model what it may say.
"""
