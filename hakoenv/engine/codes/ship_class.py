"""Ship classes (NAVY-002): rows of the class table, then those of private ships that it does not list.

0, the naval port, is no ship.
"""

NAVAL_PORT = 0
DESTROYER = 1
CRUISER = 2
BATTLESHIP = 3
CARRIER = 4
SUBMARINE = 5
MERCHANT = 6
PIRATE = 7
CRUISE_SHIP = 8
LARGE_MERCHANT = 9
FISHING_BOAT = 10
COUNT = 11

FIRST_WARSHIP = DESTROYER
LAST_WARSHIP = SUBMARINE
