"""National aid: goods and funds given to another nation (CMD-032, AID-007, LIMIT-012), reserves over land.

Reserves over the sea are `relief.py`.
"""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import event, item, parcel, reason
from hakoenv.engine.diplomacy import relief, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

RESERVES = relief.RESERVES


@kernel
def most(world: World, rules: Rules, nation: int, what: int, turn: int) -> int:
    """What a nation can still give of goods or funds in one command in ``turn``, to whomever."""
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


@kernel
def times_sent(world: World, nation: int, turn: int) -> int:
    """How often a nation has sent reserves over land in ``turn``, to whomever (AID-002)."""
    if turn != world.clock[0].turn:
        return 0
    count = 0
    for k in range(int(world.nations[nation].plan_length)):
        order = world.plans[nation, k]
        sent = order.command == number.AID_RESERVES and order.turn == turn and order.reason == reason.DONE
        count += int(sent)
    return max(count, int(world.nations[nation].aid_sent[RESERVES] > 0))


@kernel
def send_reserves(world: World, rules: Rules, nation: int, receiver: int, amount: int) -> None:
    """Reserves go from pool to pool at once; more than the cap is cut to it (AID-001, AID-002)."""
    strength = min(amount, int(rules.scalars[0].aid_reserves_max))
    world.nations[nation].reserves -= strength
    world.nations[receiver].reserves += strength
    world.nations[nation].aid_sent[RESERVES] += strength
    happenings.record_between(world, event.RESERVES_SENT, nation, receiver, -1, strength)
