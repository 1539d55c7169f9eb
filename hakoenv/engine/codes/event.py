"""Kinds of public events of a turn, counted and listed in ``World.events``."""

FOUNDED = 1
FELL = 2
CELL_CLAIMED = 3
NEW_TOWN = 4
METROPOLIS = 5
METROPOLIS_LOST = 6
FACILITY_BUILT = 7
FACILITY_RAISED = 8
FAMINE = 9
RESEARCH_DONE = 10
WAR_OPENED = 11
TUNNELS_UNLOCKED = 12
TURN_CUP = 13
DEPOSIT_FOUND = 14
SEASON_ENDED = 15
LAND_ABANDONED = 16
FIRE = 17  # amount: people lost, 0 for a building
MINE_COLLAPSED = 18  # amount: the level left
EARTHQUAKE = 19  # this and the next: amount = places damaged
TSUNAMI = 20
ERUPTION = 21
METEOR = 22
HUGE_METEOR = 23
TYPHOON = 24
COUNT = 64

NAMES = {value: key.lower() for key, value in list(globals().items()) if key.isupper() and key != "COUNT"}
