"""Phases of the land war."""
