"""Damage to ships, their recovery and their loss, whatever deals it."""

from __future__ import annotations

from typing import Any

from hakoenv.engine import happenings
from hakoenv.engine.codes import event
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.navy import fleets, vessels, wrecks
from hakoenv.engine.shipping import cargo
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_PERCENT = 100


@kernel
def most_hp(rules: Rules, kind: int, experience: int) -> int:
    """Hit points of a ship of a class at most; a warship gains by its rank, up to a cap (NAVY-013)."""
    base = int(rules.ship_classes[kind].hp_base)
    if not is_warship(kind):
        return base
    ranks = 0
    for k in range(rules.scalars[0].ship_experience_steps.shape[0]):
        ranks += experience >= rules.scalars[0].ship_experience_steps[k]
    return int(min(base + ranks, rules.scalars[0].ship_max_hp_cap))


@kernel
def heal(world: World, rules: Rules, ship: int, points: int) -> None:
    """Give hit points back, up to the most that the ship can have (NAVY-014)."""
    record = world.ships[ship]
    most = most_hp(rules, int(record.kind), int(record.experience))
    record.hp = max(int(record.hp), min(most, int(record.hp) + points))


@kernel
def learn(world: World, rules: Rules, ship: int, experience: int) -> None:
    """Add experience up to the cap; rank heals nothing (NAVY-012, NAVY-014)."""
    record = world.ships[ship]
    if is_warship(int(record.kind)):
        record.experience = min(int(record.experience) + experience, rules.scalars[0].ship_experience_cap)


@kernel
def hurt(world: World, rules: Rules, ship: int, damage: int, killer: int) -> bool:
    """Take hit points from a ship; at none left it sinks (NAVY-067). Return whether it sank.

    ``killer`` is the nation that did it, -1 nobody.
    """
    record = world.ships[ship]
    record.hp = max(0, int(record.hp) - max(0, damage))
    if record.hp > 0:
        return False
    sink(world, rules, ship, killer)
    return True


@kernel
def sink(world: World, rules: Rules, ship: int, killer: int) -> None:
    """A ship is lost with all aboard; a warship leaves a wreck (NAVY-042, NAVY-070, EMBARK-010).

    A share of aid reserves gets back to the reserves that they are from (AID-016).
    """
    record = world.ships[ship]
    happenings.record_between(
        world, event.SHIP_SUNK, int(record.owner), killer, int(record.cell), int(record.kind)
    )
    if is_warship(int(record.kind)):
        wrecks.leave(world, int(record.cell), int(record.kind))
        _lose_reserves(world, rules, record)
    else:
        cargo.sink(world, rules, ship)  # no wreck: MER-036
    strike_off(world, ship)


@kernel
def _lose_reserves(world: World, rules: Rules, record: Any) -> None:
    """Of the aid reserves aboard a ship (its record) a share is saved, rounded down (AID-016)."""
    aboard = int(record.aid)
    if aboard == 0:
        return
    saved = int(aboard * rules.scalars[0].aid_sunk_return_percent // _PERCENT)
    world.nations[record.owner].reserves += saved
    nation, mate, cell = int(record.owner), int(record.aid_to), int(record.cell)
    happenings.record_between(world, event.RESERVES_LOST, nation, mate, cell, aboard - saved)


@kernel
def strike_off(world: World, ship: int) -> None:
    """A ship is gone with the unit aboard; the water under it is what it was (NAVY-070, NAVY-104)."""
    record = world.ships[ship]
    for u in range(world.clock[0].units):
        unit = world.units[u]
        if unit.owner >= 0 and unit.aboard == ship:
            happenings.record(world, event.UNIT_LOST, int(unit.owner), int(record.cell), int(unit.strength))
            troops.remove(world, u)
    fleets.leave(world, ship)
    if record.cell >= 0:
        world.cells.flat[record.cell].ship = -1
    record.owner = record.cell = -1
    record.kind = record.mode = record.escort = 0
    record.hp = record.experience = 0
    record.serial = record.moved = record.repaired = 0
    record.met = record.aid = 0
    record.aid_to = -1
    vessels.reset_job(world, ship)
