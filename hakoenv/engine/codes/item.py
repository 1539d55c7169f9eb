"""Items (RES-002): resources 0..7, food 8, funds 9."""

WOOD = 0
STONE = 1
ORE = 2
OIL = 3
FUEL = 4
GOODS = 5
AMMO = 6
STEEL = 7
FOOD = 8
FUNDS = 9

COUNT = 10
