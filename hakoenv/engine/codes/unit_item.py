"""Items that a unit may carry (ARMY-055): numbers of items.csv; 0 is no item."""

NONE = 0
SWORD_OF_WAR_GOD = 1
SHIELD_OF_IRON_WALL = 2
WEAK_SHIELD = 3
CLOAK_OF_ZOC_IGNORING = 4
SHOES_OF_WATER_MOVEMENT = 5

COUNT = 6
