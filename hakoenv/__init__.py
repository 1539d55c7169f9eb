"""hakoenv: a Japanese shared-map nation game, whole, as an environment for AI research."""

__version__ = "0.1.0"
