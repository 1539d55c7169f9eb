"""Ships move and fire, one after another, in two stages (phases 21 and 24; NAVY-058, NAVY-096)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import nation_order
from hakoenv.engine.codes import ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, gunnery, pirates, sailing
from hakoenv.engine.shipping import fishing, merchants, passage
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import FLEETS, World
from hakoenv.ruleset.compiled import Rules

_GROUPS = FLEETS + 2  # of a nation's ships: its fleets, warships without one, private ships
_PLACES = 1 << 31  # serial numbers are below it


@kernel
def move_fast(world: World, rules: Rules) -> None:
    """Ships that move early move and fire (TURN-022)."""
    _run_stage(world, rules, 1)


@kernel
def move_ordinary(world: World, rules: Rules) -> None:
    """All other ships move and fire, boats fish; then salvo orders are over (TURN-025, BOMB-033)."""
    _run_stage(world, rules, 0)
    fishing.catch(world, rules)
    for n in range(world.nations.shape[0]):
        for fleet in range(FLEETS):
            world.fleets[n, fleet].salvo = fleets.NONE


@kernel(allocates=True)
def _run_stage(world: World, rules: Rules, early: int) -> None:
    """Each ship of a stage moves, then fires, then the next; who sank before its turn does nothing."""
    order = np.empty(world.ships.shape[0], np.int64)
    count = _line_up(world, rules, early, order)
    for k in range(count):
        ship = int(order[k])
        record = world.ships[ship]
        if record.kind == 0:
            continue
        if record.owner >= 0 and is_warship(int(record.kind)):
            sailing.sail(world, rules, ship)
            if record.kind > 0:  # not lost on a mine
                gunnery.fire(world, rules, ship)
        elif record.kind == ship_class.PIRATE:
            pirates.sail(world, rules, ship)
        elif passage.sails(world, ship):
            merchants.sail(world, rules, ship)


@kernel(allocates=True)
def _line_up(world: World, rules: Rules, early: int, order: Any) -> int:
    """Write the ships of a stage in the order in which they act; return how many they are (NAVY-096).

    Nations in the order of the turn, then ownerless ships; fleet by fleet, the flagship first, then by age;
    private ships last.
    """
    ranks = np.full(world.nations.shape[0], world.nations.shape[0], np.int64)
    for k in range(nation_order.count(world)):
        ranks[world.order[k]] = k
    keys = np.empty(world.ships.shape[0], np.int64)
    count = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.kind == 0 or rules.ship_classes[record.kind].early_move != early:
            continue
        rank = int(ranks[record.owner]) if record.owner >= 0 else world.nations.shape[0] + 1
        fleet, follows = FLEETS + int(not is_warship(int(record.kind))), 1
        if record.owner >= 0 and record.fleet >= 0:
            fleet = int(record.fleet)
            follows = int(world.fleets[record.owner, fleet].flagship != ship)
        key = ((rank * _GROUPS + fleet) * 2 + follows) * _PLACES + int(record.serial)
        place = count
        while place > 0 and keys[place - 1] > key:  # few ships: put each where it belongs
            keys[place], order[place] = keys[place - 1], order[place - 1]
            place -= 1
        keys[place], order[place] = key, ship
        count += 1
    return count
