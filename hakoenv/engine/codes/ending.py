"""How a season ends; 0 while it runs."""

RUNNING = 0
LONE_CONQUEST = 1
FACTION_CONQUEST = 2
TURN_LIMIT = 3
SOLE_SURVIVOR = 4
EXTINCTION = 5
TRUNCATED = 6

NAMES = (
    "running",
    "lone_conquest",
    "faction_conquest",
    "turn_limit",
    "sole_survivor",
    "extinction",
    "truncated",
)
