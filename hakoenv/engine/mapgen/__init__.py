"""A new world: land and coasts, ground, deposits, and the homes that nations will find (MAP-051)."""

from hakoenv.engine.mapgen.generate import ScenarioError, check_map, generate

__all__ = ["ScenarioError", "check_map", "generate"]
