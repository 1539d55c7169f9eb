"""Kinds of events of a turn, listed in ``World.events``; obs/events.py says who learns of each."""

FOUNDED = 1
FELL = 2
CELL_CLAIMED = 3  # by `nation`, from `other`
NEW_TOWN = 4
METROPOLIS = 5
METROPOLIS_LOST = 6
FACILITY_BUILT = 7
FACILITY_RAISED = 8
FAMINE = 9
RESEARCH_DONE = 10
WAR_OPENED = 11  # with `other`
TUNNELS_UNLOCKED = 12
TURN_CUP = 13
DEPOSIT_FOUND = 14
SEASON_ENDED = 15
LAND_ABANDONED = 16
FIRE = 17  # amount: people lost, 0 for a building
MINE_COLLAPSED = 18  # amount: the level left
EARTHQUAKE = 19  # this and the next: amount = places damaged
TSUNAMI = 20
ERUPTION = 21
METEOR = 22
HUGE_METEOR = 23
TYPHOON = 24
WAR_DECLARED = 25  # this and the next three: `other` the partner
PEACE = 26
AMITY = 27
AMITY_ENDED = 28
CELL_CAPTURED = 29  # by `nation`, from `other`; amount: its terrain
CELL_CEDED = 30  # by `nation`, to `other`
CAPITAL_MOVED = 31  # the capital fell; cell: the new one
BATTLE = 32  # a unit of `nation` attacked one of `other` there; amount: strength lost by the target
COUNTERED = 33  # the same fight: amount = strength that the attacker lost
UNIT_LOST = 34  # a unit of `nation`; amount: its strength before
MISSILE = 35  # fired by `nation`, came down there; amount: kind, -1 - kind if it was shot down
MONSTER_APPEARED = 36  # amount: kind
MONSTER_TRAMPLED = 37  # a monster laid waste a cell of `nation`
MONSTER_KILLED = 38  # by `nation`; amount: kind
SELF_DESTRUCTED = 39  # a defense facility of `nation`; amount: cells changed
CEASEFIRE_OFFERED = 40  # by `nation`, to `other`
AMITY_OFFERED = 41
ITEM_WON = 42  # amount: unit item
HELD_BY_ZONE = 43  # an enemy's zone of control kept a unit of `nation` from stepping there
SEA_BATTLE = 44  # a warship of `nation` hit a ship of `other` there; amount: hit points lost
SHIP_SUNK = 45  # a ship of `nation`, by `other` (-1 nobody); amount: ship class
BOMBARDED = 46  # a shell of `nation` hit a place or unit of `other` there; amount: terrain that was hit
MINE_STRUCK = 47  # a ship of `nation` ran on a mine of `other`; amount: hit points lost
LANDED = 48  # a unit of `nation` went ashore on land of `other` (-1 ownerless); amount: strength
SHIP_MET = 49  # a ship of `nation` was stopped there by something unseen
WHALE_HIT = 50  # a warship of `nation` hit a sea monster; amount: hit points lost
PIRATE_APPEARED = 51
SUPPLY_BREACH = 52  # `nation` broke a supply contract with `other`; amount: item
LOT_LISTED = 53  # goods of `nation` are up for auction; amount: lot number
LOT_SOLD = 54  # a lot of `nation`, to `other`; amount: price
LOT_RETURNED = 55  # a lot of `nation` found no buyer, or `other` may not have it; amount: lot number
OUTBID = 56  # `nation`, by `other`; amount: lot number
DEAL_OFFERED = 57  # by `nation`, to `other`; amount: offer number of a regular shipment, 0 an exchange
DEAL_AGREED = 58  # `nation` accepted what `other` had offered; amount as above
DELIVERED = 59  # a transport from `nation` to `other` is over; amount: units or funds that arrived
FACTION_FOUNDED = 60  # by `nation`; here and below, where nothing else is said: amount = place of the faction
FACTION_APPLIED = 61  # `nation`, to the leader `other`
FACTION_REFUSED = 62  # the application of `nation`, by the leader `other`
FACTION_JOINED = 63  # `nation`, under the leader `other`
FACTION_LEFT = 64  # `nation`, likewise
FACTION_EXPELLED = 65  # `nation`, by `other`
FACTION_OFFERED = 66  # leadership, by `nation`, to `other`
FACTION_LED = 67  # `nation` leads now, after `other` (-1: a nation that fell)
FACTION_RENAMED = 68  # by its leader `nation`; amount: number of the name
FACTION_NOTICE = 69  # of dissolution, by its leader `nation`; amount: turn that ends it
FACTION_KEPT = 70  # the notice was cancelled by the leader `nation`
FACTION_DEMANDED = 71  # another leader than `other`, by `nation`
FACTION_ENDED = 72  # led last by `nation` (-1: a nation that fell)
LEAGUE_FOUNDED = 73  # by `nation`; here and below, amount: number of the trade league
LEAGUE_JOINED = 74  # by `nation`
LEAGUE_LEFT = 75  # by `nation`
LEAGUE_ENDED = 76  # nobody is left in it
CONTAINMENT_FORMED = 77  # against the hegemon `nation`
CONTAINMENT_ENDED = 78  # likewise
CONTAINMENT_JOINED = 79  # by `nation`, against `other`
CONTAINMENT_LEFT = 80  # likewise
JOINT_DECLARATION = 81  # of war, by `nation` with other members of the containment, on the hegemon `other`
PACT_ENTERED = 82  # `nation` is in pending war with the hegemon `other`, who declared war on a fellow member
RESERVES_SENT = 83  # by `nation`, to `other`, over land or aboard the warship at the cell; amount: strength
RESERVES_ARRIVED = 84  # those of `nation`, at `other`'s port there; amount likewise
RESERVES_RETURNED = 85  # those of `nation`, at its own port there: none of `other` is to be had; likewise
RESERVES_LOST = (
    86  # those of `nation` for `other`, with the ship that sank there; amount: strength that is lost
)
RAIDED = 87  # a private ship of `nation`, by pirates there; amount: units of goods, or funds, that they took
COUNT = 96  # room for more kinds

NAMES = {value: key.lower() for key, value in list(globals().items()) if key.isupper() and key != "COUNT"}
