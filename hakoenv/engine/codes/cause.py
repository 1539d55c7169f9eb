"""Causes under which changes of a stock are booked (TURN-004, TURN-038)."""

OPENING = 0  # not a change: the stock at the start of the turn
TAX = 1
MINING = 2
LOGGING = 3
MOUNTAIN_WOOD = 4
FARMING = 5
INDUSTRY_OUTPUT = 6
INDUSTRY_INPUT = 7
FUEL_USE = 8
RATIONS = 9
UPKEEP = 10
ROT = 11
COMMAND_COST = 12
FUNDRAISE = 13
RESEARCH = 14
CUP = 15
LOST_OVER_CAP = 16
EXTINCTION = 17
COLLAPSE = 18
REFUND = 19
FOUNDING = 20
FUEL_GRANT = 21
HOUSEHOLD_SALE = 22
SALES_TAX = 23
DOMESTIC_SALE = 24  # treasury to its private sector
BUYBACK = 25  # private sector to its treasury
WORLD_PURCHASE = 26
DEPOSIT = 27
WITHDRAWAL = 28
LOAN = 29
REPAYMENT = 30
INTEREST = 31
DIVIDEND = 32
REPAID_IN_KIND = 33
DISASTER = 34
WORLD_SALE = 35
BATTLE = 36  # ammunition of land battles
MONSTER_BOUNTY = 37
NAVY_UPKEEP = 38
SHIP_FIRE = 39  # shells and ammunition of warships
SALVAGE = 40
COUNT = 48  # room for the causes of trade, aid and war

NAMES = {value: key.lower() for key, value in list(globals().items()) if key.isupper() and key != "COUNT"}
