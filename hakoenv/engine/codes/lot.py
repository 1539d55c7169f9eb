"""Where an auction stands."""

FREE = 0  # no lot: a free place in the list
OPEN = 1
SOLD = 2  # settled, its goods on the way

NAMES = ("free", "open", "sold")
