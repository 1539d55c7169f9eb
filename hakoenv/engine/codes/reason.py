"""What became of a command: done, or why it was dropped. One sentence each, shown everywhere."""

DONE = 0
WAITING = 1
# the command itself
NOT_BUILT_YET = 10
UNKNOWN_COMMAND = 11
LOCKED = 12
PRIVATE_ONLY = 13
BAD_AMOUNT = 14
BAD_TARGET = 15
OUTSIDE_MAP = 16
PLAN_TOO_LONG = 17
# means
NO_FUNDS = 30
NO_MATERIALS = 31
NO_STRENGTH = 32
STOCK_FULL = 33
# the cell
WRONG_TERRAIN = 50
NOT_OWN_CELL = 51
FOREIGN_CELL = 52
NOT_ADJACENT = 53
UNIT_IN_THE_WAY = 54
SHIP_IN_THE_WAY = 55
NO_DEPOSIT = 56
DEPOSIT_IN_THE_WAY = 57
AT_TOP_LEVEL = 58
IS_CAPITAL = 59
NO_WATER = 60
TOO_FEW_MOUNTAINS = 61
NOT_ENOUGH_POPULATION = 62
LEVEL_TOO_LOW = 63
NO_PORT_ROOM = 64
# the nation
NOT_UNLOCKED = 70
RESEARCH_RUNNING = 71
RESEARCH_TOO_LOW = 72
ALREADY_SO = 73
TOO_YOUNG = 74
ONCE_A_TURN = 75
NOT_CONFIRMED = 76
# others
PARTNER_TOO_YOUNG = 100
AT_WAR = 101
NOT_AT_WAR = 102
AMITY_IN_FORCE = 103
SAME_FACTION = 104
TRUCE_IN_FORCE = 105
TOO_MANY_WARS = 106
NO_OFFER = 107
NO_BORDER = 108
NOT_A_MATE = 109
NO_LAND_BORDER = 110
LAND_BORDER = 111
# the army
NO_UNIT = 120
NO_ITEM = 121
NO_ROOM = 122
ENEMY_NEAR = 123
OUT_OF_RANGE = 124
NOT_A_TARGET = 125
FRIEND_IN_RANGE = 126
AT_FULL_STRENGTH = 127
# the navy
NO_SHIP = 140
NO_PORT = 141
TOO_MANY_SHIPS = 142
FLEET_FULL = 143
NO_FLEET = 144
NO_TARGET = 145
TOO_MANY_WAYPOINTS = 146
AT_FULL_HP = 147
SHIP_FULL = 148
TOO_STRONG = 149
NOTHING_ABOARD = 150
CARRIES = 151
CLOSED_LAND = 152
NO_WRECK = 153
TOO_MANY_MINES = 154
NO_MINE = 155
AID_ABOARD = 156
NO_SEA_WAY = 157
# deals between nations
NO_DEALS = 160
NO_WAY = 161
TOO_MANY_LOTS = 162
NO_LOT = 163
OWN_LOT = 164
OWN_BID = 165
BID_TOO_LOW = 166
BAD_ITEM = 167
BAD_PRICE = 168
NO_SUCH_OFFER = 169
NOT_A_PORT = 170
PORT_FULL = 171
PEOPLE_ONLY = 172
LISTS_FULL = 173
TOO_MANY_TRANSPORTS = 174
TOO_MANY_OFFERS = 175
# factions
IN_FACTION = 180
NOT_IN_FACTION = 181
NOT_LEADER = 182
IS_LEADER = 183
TOO_MANY_FACTIONS = 184
LEADS_NOTHING = 185
LEFT_TOO_RECENTLY = 186
RENAMED_TOO_RECENTLY = 187
NO_APPLICATION = 188
NOT_A_MEMBER = 189
NO_NOTICE = 190
FIGHTS_A_MEMBER = 191
UNRELIABLE = 192
FELL = 193
# trade leagues and the containment
IN_LEAGUE = 200
NOT_IN_LEAGUE = 201
NO_LEAGUE = 202
LEFT_LEAGUE_RECENTLY = 203
NO_CONTAINMENT = 204
JOINS_BY_ITSELF = 205
TIED_TO_HEGEMON = 206
NOT_CONTAINING = 207
# something unseen
BLOCKED = 90

SENTENCES = {
    DONE: "carried out",
    WAITING: "waits for a later turn",
    NOT_BUILT_YET: "this command is not part of the game yet",
    UNKNOWN_COMMAND: "there is no command of that number",
    LOCKED: "this command can't be used in this ruleset",
    PRIVATE_ONLY: "the private sector does this itself",
    BAD_AMOUNT: "the amount is none of those the command knows",
    BAD_TARGET: "the target is no nation that the command can name",
    OUTSIDE_MAP: "the cell lies outside the map",
    PLAN_TOO_LONG: "the plan was full",
    NO_FUNDS: "not enough funds",
    NO_MATERIALS: "not enough materials",
    NO_STRENGTH: "not enough reserves",
    STOCK_FULL: "the treasury has no room for it",
    WRONG_TERRAIN: "the terrain doesn't allow it",
    NOT_OWN_CELL: "the cell is not the nation's own",
    FOREIGN_CELL: "the cell belongs to another nation",
    NOT_ADJACENT: "the cell doesn't touch the nation's land or ports",
    UNIT_IN_THE_WAY: "a unit stands there",
    SHIP_IN_THE_WAY: "a ship lies there",
    NO_DEPOSIT: "there is no deposit",
    DEPOSIT_IN_THE_WAY: "a deposit lies there",
    AT_TOP_LEVEL: "its level can't rise further",
    IS_CAPITAL: "it is the capital",
    NO_WATER: "the cell touches neither sea nor shallows",
    TOO_FEW_MOUNTAINS: "too few of the cells around it are mountains without a tunnel",
    NOT_ENOUGH_POPULATION: "too few people live there",
    LEVEL_TOO_LOW: "its level is too low",
    NO_PORT_ROOM: "the map has as many ports as it can have",
    NOT_UNLOCKED: "not unlocked yet",
    RESEARCH_RUNNING: "a research is running",
    RESEARCH_TOO_LOW: "it needs a higher research level",
    ALREADY_SO: "it is so already",
    TOO_YOUNG: "the nation was founded too recently",
    ONCE_A_TURN: "it can't be done again in this turn",
    NOT_CONFIRMED: "the confirmation is missing",
    PARTNER_TOO_YOUNG: "the other nation was founded too recently",
    AT_WAR: "the two nations are at war, or a war is declared",
    NOT_AT_WAR: "the two nations are not at war",
    AMITY_IN_FORCE: "a treaty of amity is in force",
    SAME_FACTION: "both belong to the same faction",
    TRUCE_IN_FORCE: "a truce is in force",
    TOO_MANY_WARS: "too many nations have declared war on it",
    NO_OFFER: "there is no offer to withdraw",
    NO_BORDER: "the cell doesn't touch land of the other nation",
    NOT_A_MATE: "reserves can be sent to members of one's own faction only",
    NO_LAND_BORDER: "no land of the two nations touches; reserves go by warship",
    LAND_BORDER: "land of the two nations touches; reserves go by land",
    NO_UNIT: "no own unit stands there",
    NO_ITEM: "the national store has no such item, or the unit none",
    NO_ROOM: "there is no room for another unit",
    ENEMY_NEAR: "an enemy unit stands beside it",
    OUT_OF_RANGE: "no own base reaches it",
    NOT_A_TARGET: "only cells of nations at war with one's own and ownerless ones can be aimed at",
    FRIEND_IN_RANGE: "it could come down on a friend's cell",
    AT_FULL_STRENGTH: "the unit has its full strength",
    NO_SHIP: "no own warship lies there, or none where it is needed",
    NO_PORT: "no own naval port lies beside it",
    TOO_MANY_SHIPS: "the nation has as many warships as it may have, for its naval ports or at all",
    FLEET_FULL: "the fleet has as many ships as it may have",
    NO_FLEET: "the fleet has no ship",
    NO_TARGET: "the fleet has no target",
    TOO_MANY_WAYPOINTS: "the fleet has as many waypoints as it may have",
    AT_FULL_HP: "the ship has all its hit points",
    SHIP_FULL: "the ship carries a unit already, or can't carry any",
    TOO_STRONG: "the unit is too strong for the ship",
    NOTHING_ABOARD: "no unit is aboard",
    CARRIES: "a unit is aboard",
    CLOSED_LAND: "the owner of the land doesn't let the nation's units in",
    NO_WRECK: "no wreck lies there",
    TOO_MANY_MINES: "the nation has as many naval mines as it may have",
    NO_MINE: "no own naval mine lies there",
    AID_ABOARD: "reserves for another nation are aboard",
    NO_SEA_WAY: "no free warship at an own naval port knows a way to a port of the other nation",
    NO_DEALS: "an embargo or a closed gate or port stands between the two nations",
    NO_WAY: "neither an open land route nor ports of both lead to the other nation",
    TOO_MANY_LOTS: "as many auctions are open as may be, of the nation or in the world",
    NO_LOT: "there is no open auction of that number",
    OWN_LOT: "it is the nation's own auction",
    OWN_BID: "the highest bid is the nation's own",
    BID_TOO_LOW: "the bid is below the lowest that can be made",
    BAD_ITEM: "there is no such item, or it can't be dealt in this way",
    BAD_PRICE: "the price must be at least 1, or is above what may be asked",
    NO_SUCH_OFFER: "there is no such offer to accept or withdraw, or its terms have changed",
    NOT_A_PORT: "the cell is no port of the other nation, or no way to it is known",
    PORT_FULL: "the port takes part in as many regular shipments as it may",
    PEOPLE_ONLY: "AI nations never accept regular shipments",
    LISTS_FULL: "no more deals can be kept in the lists of the world",
    TOO_MANY_TRANSPORTS: "as much of a nation's aid and exchanges is on its way as may be",
    TOO_MANY_OFFERS: "the nation has as many open offers of regular shipments as it may have",
    IN_FACTION: "the nation belongs to a faction, or founds one in this turn",
    NOT_IN_FACTION: "the nation belongs to no faction, or leaves it in this turn",
    NOT_LEADER: "only the leader of a faction can do this",
    IS_LEADER: "the leader of a faction, or who becomes it in this turn, can't do this",
    TOO_MANY_FACTIONS: "there are as many factions as may be",
    LEADS_NOTHING: "the other nation leads no faction",
    LEFT_TOO_RECENTLY: "the nation left its last faction too recently",
    RENAMED_TOO_RECENTLY: "the faction was renamed too recently",
    NO_APPLICATION: "there is no such application that still stands",
    NOT_A_MEMBER: "the other nation is no other member of the faction, or no more in this turn",
    NO_NOTICE: "no notice of dissolution is running",
    FIGHTS_A_MEMBER: "the other nation is at war with a member, or a war is declared",
    UNRELIABLE: "the other nation left factions or ended treaties too often for an AI leader",
    FELL: "the nation fell before it came into force",
    IN_LEAGUE: "the nation is in a trade league already",
    NOT_IN_LEAGUE: "the nation is in no trade league",
    NO_LEAGUE: "there is no trade league of that number",
    LEFT_LEAGUE_RECENTLY: "the nation left its last trade league too recently",
    NO_CONTAINMENT: "no containment stands against anybody",
    JOINS_BY_ITSELF: "AI nations join the containment by themselves, and stay",
    TIED_TO_HEGEMON: "the hegemon, its faction mates and nations with amity with it can't join",
    NOT_CONTAINING: "the nation is no member of the containment",
    BLOCKED: "something stood in the way that the nation could not see",
}


def name(code: int) -> str:
    """The lower-case name of a reason code, e.g. ``"no_funds"``."""
    return _NAMES[int(code)]


_NAMES = {
    value: key.lower() for key, value in list(globals().items()) if key.isupper() and isinstance(value, int)
}
