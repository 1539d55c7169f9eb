"""National aid: goods and funds given to another nation (CMD-032, AID-007, LIMIT-012)."""

from __future__ import annotations

from hakoenv.engine.codes import item, parcel
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

RESERVES = item.COUNT  # item number of the command: reserves, by warship


@kernel
def most(world: World, rules: Rules, nation: int, what: int, turn: int) -> int:
    """What a nation can still give of an item in one command in ``turn``, to whomever: no more is sent."""
    s = rules.scalars[0]
    if what == item.FUNDS:
        once, in_turn = s.aid_caps_funds_max_per_send, s.aid_caps_funds_max_per_turn
    elif what == item.FOOD:
        once, in_turn = s.aid_caps_food_max_per_send, s.aid_caps_food_max_per_turn
    else:
        once, in_turn = s.aid_caps_resources_max_per_send, s.aid_caps_resources_max_per_turn
    given = int(world.nations[nation].aid_sent[what]) if turn == world.clock[0].turn else 0
    return int(max(0, min(once, in_turn - given)))


@kernel
def send(world: World, nation: int, receiver: int, what: int, quantity: int) -> None:
    """Goods that have left the treasury wait for a carrier (AID-021) and count toward the cap of the turn."""
    world.nations[nation].aid_sent[what] += quantity
    transports.open(world, int(parcel.AID), what, quantity, nation, receiver)
