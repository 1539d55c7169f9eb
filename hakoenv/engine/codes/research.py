"""Research branches."""

PRODUCTION = 0
MILITARY = 1
SHIPPING = 2

NONE = -1
COUNT = 3
