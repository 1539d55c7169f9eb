"""Industrial policies (IND-001)."""

LIGHT = 0
HEAVY = 1
ADVANCED = 2
