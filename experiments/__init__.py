"""Experiments: what is run with the game rather than in it."""
