"""Phases of the sea."""
