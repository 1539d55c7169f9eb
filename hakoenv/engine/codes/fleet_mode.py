"""What a ship does of its own (NAVY-060)."""

NORMAL = 0
HUNT = 1
CRUISE = 2
STOP = 3
COUNT = 4

NAMES = ("normal", "hunt", "cruise", "stop")
