"""Unit types: rows of unit_types.csv (ARMY-004)."""

INFANTRY = 0
ARTILLERY = 1
ARMOR = 2
MARINES = 3
AIRBORNE = 4
MOUNTAIN_TROOPS = 5
BATTERY = 6

COUNT = 7
NAMES = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")
