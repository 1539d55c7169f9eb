"""Missiles: `bases` what can fire, `aim` at what, `flight` the course of a command, `impact` what it does."""
