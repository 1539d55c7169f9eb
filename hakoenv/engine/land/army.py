"""Land units move, fight and occupy (phase 26; TURN-027, TURN-053, TURN-068)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import corps_order
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import combat, monuments, movement, occupation, resistance, retreat, roster
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# What a unit does under each order of its corps, in this order (ARMY-063); retreat is a course of its own.
FIGHTS_FIRST = np.zeros(corps_order.COUNT, np.bool_)
FIGHTS_FIRST[[corps_order.HOLD, corps_order.DEFEND, corps_order.ATTACK]] = True
STEPS = np.zeros(corps_order.COUNT, np.bool_)
STEPS[[corps_order.ATTACK, corps_order.ADVANCE, corps_order.MOVE]] = True
FIGHTS_LAST = np.zeros(corps_order.COUNT, np.bool_)  # unless it has fought
FIGHTS_LAST[[corps_order.ATTACK, corps_order.ADVANCE]] = True


@kernel
def move_and_fight(world: World, rules: Rules) -> None:
    """All units act one by one; then all occupy in the same order, and the land recovers (ARMY-064)."""
    count = roster.muster(world)
    for k in range(count):
        if world.units[world.roster[k]].owner >= 0:  # not lost before its turn
            act(world, rules, int(world.roster[k]))
    for k in range(count):
        if world.units[world.roster[k]].owner >= 0:
            occupation.occupy(world, rules, int(world.roster[k]))
    kinds = monuments.kinds(world)
    resistance.recover(world, rules, (kinds >> monuments.PEACE) & 1 == 1)
    if (kinds >> monuments.WAR) & 1:
        monuments.train(world, rules, count)


@kernel
def act(world: World, rules: Rules, unit: int) -> None:
    """The steps and the one attack of a unit, by the order of its corps (ARMY-063)."""
    record = world.units[unit]
    corps = world.corps[record.owner, record.corps]
    luck = int(record.cell)  # no two units stood on one cell when the phase began
    if corps.order == corps_order.RETREAT:
        retreat.withdraw(world, rules, unit)
        return
    fought = FIGHTS_FIRST[corps.order] and combat.attack(world, rules, unit, luck)
    if record.owner < 0:  # fell to the answer
        return
    moved = STEPS[corps.order] and movement.march(world, rules, unit, int(corps.direction))
    if FIGHTS_LAST[corps.order] and not fought:
        if not moved or rules.scalars[0].army_unit_moves_then_attacks:
            combat.attack(world, rules, unit, luck)
