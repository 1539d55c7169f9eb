"""Goods that are in no stock: why they travel, and where they are."""

# kinds
OWN = 0  # the ship owner's private sector's; fish, or goods on their way back
TRADE = 1  # sold by a private sector to another, money held (MER-073)
CONTRACT = 2  # a shipment of a supply contract, paid on arrival (SUP-009)
AID = 3  # the four of nations, each a part of a transport (MER-017)
EXCHANGE = 4
REGULAR = 5
AUCTION = 6
BOND = 7  # private goods bound for bonded storage
NAMES = ("own", "trade", "contract", "aid", "exchange", "regular", "auction", "bond")

FIRST_OF_NATIONS = AID
LAST_OF_NATIONS = AUCTION

# where they are
FREE = 0  # no parcel: a free place in the list
ASHORE = 1  # at the port where their ship loads
ABOARD = 2
BONDED = 3  # in the bonded storage of a port
