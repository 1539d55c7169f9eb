"""The course of a missile command: bases fire, missiles are paid, land, may be shot down (MSL-023)."""

from __future__ import annotations

from hakoenv.engine import chance, happenings, hexgrid, stock
from hakoenv.engine.codes import cause, event, item, reason, terrain
from hakoenv.engine.commands import prices
from hakoenv.engine.kernel import kernel
from hakoenv.engine.missiles import aim, bases, impact
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NOBODY = -1


@kernel
def lacking(world: World, rules: Rules, nation: int, turn: int, command: int, kind: int) -> int:
    """What one more missile can't be paid with: a reason code, DONE if it can be paid (MSL-010)."""
    treasury = world.nations[nation].treasury
    return int(prices.lacking(treasury, rules, turn, command, prices.MISSILE, kind, 0))


@kernel
def launch(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """Fire up to ``amount`` missiles at a cell, 0 for as many as the bases allow (MSL-003, MSL-023).

    The bases that reach it fire in cell order, each the shots it has at first while it stands; the first
    missile that can't be paid ends the command. Draws belong to a base and its shot: it fires once a turn.
    """
    kind = bases.missile_of(rules, command)
    turn = int(world.clock[0].turn)
    radius = aim.scatter(world, rules, kind, turn, cell)
    fired = 0
    for base in range(world.cells.size):
        for shot in range(bases.shots_at(world, rules, nation, base, cell, kind)):
            if amount > 0 and fired >= amount:
                return
            if lacking(world, rules, nation, turn, command, kind) != reason.DONE:
                return
            if bases.shots_at(world, rules, nation, base, cell, kind) == 0:  # a stray has hit it
                break
            for what in range(item.COUNT):
                price = prices.price(rules, turn, command, prices.MISSILE, kind, 0, what)
                stock.take(world, nation, what, price, cause.COMMAND_COST)
            _fly(world, rules, nation, kind, base, shot, cell, radius)
            fired += 1


@kernel
def _fly(
    world: World, rules: Rules, nation: int, kind: int, base: int, shot: int, aimed: int, radius: int
) -> None:
    """One missile: it lands, is shot down or hits; one that leaves the map is lost (MSL-011)."""
    cell = _land(world, rules, kind, base, shot, aimed, radius)
    owner = int(world.cells.flat[cell].owner) if cell >= 0 else _NOBODY
    down = cell >= 0 and _is_shot_down(world, rules, nation, kind, base, shot, cell)
    seen_as = -1 - kind if down else kind
    happenings.record_between(world, event.MISSILE, nation, owner, cell, seen_as)
    if cell >= 0 and not down:
        bases.learn(world, rules, base, impact.hit(world, rules, nation, kind, base, shot, cell))


@kernel
def _land(world: World, rules: Rules, kind: int, base: int, shot: int, aimed: int, radius: int) -> int:
    """Draw the cell, -1 outside the map, among all within the radius (MSL-011, MSL-012).

    The centre of a precise missile is entered more than once (MSL-013).
    """
    height, width = world.cells.shape
    more = rules.missiles[kind].centre_weight - 1
    drawn = chance.roll(world, chance.MISSILE_LANDING, base, shot, hexgrid.disc_size(radius) + more)
    return int(hexgrid.nth(width, height, aimed, max(0, drawn - more)))


@kernel
def _is_shot_down(
    world: World, rules: Rules, nation: int, kind: int, base: int, shot: int, cell: int
) -> bool:
    """One draw for a missile that comes down near others' defense facilities, however many (MSL-024).

    One that lands on a facility itself is never shot down; some pierce the defense.
    """
    if world.cells.flat[cell].terrain == terrain.DEFENSE_FACILITY:
        return False
    if not _is_defended(world, rules, nation, cell):
        return False
    pierces = float(rules.missiles[kind].pierces_defense_percent)
    if chance.happens(world, chance.MISSILE_PIERCE, base, shot, pierces):
        return False
    percent = float(rules.scalars[0].defense_intercept_percent)
    return bool(chance.happens(world, chance.MISSILE_INTERCEPT, base, shot, percent))


@kernel
def _is_defended(world: World, rules: Rules, nation: int, cell: int) -> bool:
    """Whether a defense facility of a nation other than the launcher's is near enough."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(rules.scalars[0].defense_intercept_radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and world.cells.flat[near].terrain == terrain.DEFENSE_FACILITY:
            owner = world.cells.flat[near].owner
            if owner >= 0 and owner != nation:
                return True
    return False
