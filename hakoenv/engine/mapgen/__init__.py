"""A new world: land and coasts, ground, deposits, fishing grounds, and the homes of nations (MAP-051)."""

from hakoenv.engine.mapgen.generate import ScenarioError, check_map, generate

__all__ = ["ScenarioError", "check_map", "generate"]
