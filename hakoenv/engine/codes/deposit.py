"""Deposit kinds (MAP-017, MAP-018); 0 is none. The mines table tells what each becomes."""

NONE = 0
IRON = 1
STONE = 2
COAL = 3
OPEN_PIT = 4
URANIUM = 5
OIL = 6

COUNT = 7
NAMES = ("none", "iron", "stone", "coal", "open_pit", "uranium", "oil")
