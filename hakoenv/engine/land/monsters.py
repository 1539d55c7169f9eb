"""Monsters: how they appear (phase 7), roam (phase 23), are hurt and killed (DIS-018).

A monster is its cell: terrain `MONSTER`, level = kind x 10 + hit points. One on land stands on wasteland,
a whale on deep sea (`below`). No unit shares its cell (ARMY-070).
"""

from __future__ import annotations

from hakoenv.engine import chance, ground, happenings, hexgrid, stock, territory
from hakoenv.engine.codes import cause, event, item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import blast, items
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import HARDENING, MONSTER_DOMAINS
from hakoenv.ruleset.compiled import Rules

_LAND = MONSTER_DOMAINS.index("land")
_SEA = MONSTER_DOMAINS.index("sea")
_ODD = HARDENING.index("odd_turns")
_EVEN = HARDENING.index("even_turns")
_DIGITS = 10  # of a level, for the hit points
_NOBODY = -1
_NOWHERE = -1
_NEIGHBOURS = 6
_WHETHER, _WHERE = 0, 1  # draws of an appearance; of the kind that appears: which, how strong
_WHICH, _HOW_STRONG = 0, 1


# ---------------------------------------------------------------- appearing


@kernel
def appear(world: World, rules: Rules) -> None:
    """Each nation may be haunted in one of its towns; then a whale may appear while there are few (TURN-057).

    A nation is drawn for by the place of its capital, a town must be without unit and is no capital.
    """
    s = rules.scalars[0]
    percent = s.disasters_monster_spawn_percent_per_turn * s.disasters_monster_spawn_default_on
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        if record.alive and record.capital >= 0:
            subject = int(record.capital)
            if chance.happens(world, chance.MONSTER_SPAWN, subject, _WHETHER, percent):
                _rise(world, rules, chance.MONSTER_SPAWN, subject, n, int(record.population))
    percent = s.disasters_whale_spawn_percent_per_turn * s.disasters_whale_spawn_default_on
    if chance.happens(world, chance.WHALE_SPAWN, 0, _WHETHER, percent):
        if _whales(world, rules) < s.disasters_whale_spawn_effect_whales_max:
            _rise(world, rules, chance.WHALE_SPAWN, 0, _NOBODY, 0)


@kernel
def _rise(world: World, rules: Rules, purpose: int, subject: int, nation: int, people: int) -> None:
    """Put a monster of a drawn kind where ``nation``, or nobody's sea, has room for one, if it has."""
    domain = _LAND if nation >= 0 else _SEA
    kinds = places = 0
    for kind in range(rules.monsters.shape[0]):
        kinds += _is_in_band(rules, kind, domain, people)
    for cell in range(world.cells.size):
        places += _has_room(world, rules, cell, nation)
    if kinds == 0 or places == 0:
        return
    left = chance.roll(world, purpose, subject, _WHERE, places) + 1
    cell = _NOWHERE
    while left > 0:
        cell += 1
        left -= _has_room(world, rules, cell, nation)
    left = chance.roll(world, chance.MONSTER_KIND, cell, _WHICH, kinds) + 1
    kind = -1
    while left > 0:
        kind += 1
        left -= _is_in_band(rules, kind, domain, people)
    row = rules.monsters[kind]
    points = row.hp_min + chance.roll(world, chance.MONSTER_KIND, cell, _HOW_STRONG, row.hp_random + 1)
    _stand(world, rules, cell, kind * _DIGITS + min(points, _DIGITS - 1))
    happenings.record(world, event.MONSTER_APPEARED, int(world.cells.flat[cell].owner), cell, kind)


@kernel
def _is_in_band(rules: Rules, kind: int, domain: int, people: int) -> bool:
    """Whether a nation of so many people may meet this kind: its own band and all lower ones."""
    row = rules.monsters[kind]
    return bool(row.spawns == 1 and row.domain == domain and row.min_population_units <= people)


@kernel
def _has_room(world: World, rules: Rules, cell: int, nation: int) -> bool:
    """A town of the nation on land, not the capital; for nobody's monster open deep sea."""
    place = world.cells.flat[cell]
    if place.unit >= 0 or place.ship >= 0:
        return False
    if nation < 0:
        return bool(place.terrain == terrain.SEA)
    if place.owner != nation or not rules.terrains[place.terrain].is_town:
        return False
    return bool(world.nations[nation].capital != cell and territory.is_land(world, rules, cell))


@kernel
def _whales(world: World, rules: Rules) -> int:
    count = 0
    for cell in range(world.cells.size):
        place = world.cells.flat[cell]
        if place.terrain == terrain.MONSTER:
            count += rules.monsters[kind_of(rules, int(place.level))].domain == _SEA
    return count


# ---------------------------------------------------------------- roaming


@kernel
def roam(world: World, rules: Rules, start: int) -> int:
    """A monster makes up to its number of steps, each to a drawn neighbour; return where it is, -1 dead.

    On a defense facility it blows up with it, and nobody gets the bounty.
    """
    level = int(world.cells.flat[start].level)
    kind = kind_of(rules, level)
    cell = start
    for step in range(rules.monsters[kind].moves):
        target = _next_cell(world, rules, start, step, cell, rules.monsters[kind].domain)
        if target < 0:
            break
        mined = world.cells.flat[target].terrain == terrain.DEFENSE_FACILITY
        _leave(world, rules, cell, kind)
        if mined:
            owner = int(world.cells.flat[target].owner)
            happenings.record_between(world, event.MONSTER_KILLED, _NOBODY, owner, target, kind)
            blast.blow_up(world, rules, target)
            return _NOWHERE
        _trample(world, rules, target, kind)
        _stand(world, rules, target, level)
        cell = target
    return cell


@kernel
def _next_cell(world: World, rules: Rules, start: int, step: int, cell: int, domain: int) -> int:
    """One of the neighbours that the monster can enter, each equally likely; -1 if there is none."""
    height, width = world.cells.shape
    open_to_it = 0
    for direction in range(1, _NEIGHBOURS + 1):
        open_to_it += _can_enter(world, rules, hexgrid.neighbour(width, height, cell, direction), domain)
    if open_to_it == 0:
        return _NOWHERE
    left = chance.roll(world, chance.MONSTER_STEP, start, step, open_to_it) + 1
    target = _NOWHERE
    direction = 0
    while left > 0:
        direction += 1
        target = hexgrid.neighbour(width, height, cell, direction)
        left -= _can_enter(world, rules, target, domain)
    return target


@kernel
def _can_enter(world: World, rules: Rules, cell: int, domain: int) -> bool:
    """Land but no mountain, monument or capital; deep sea for a whale; no unit, ship or other monster."""
    if cell < 0:
        return False
    place = world.cells.flat[cell]
    kind = place.terrain
    if place.unit >= 0 or place.ship >= 0 or kind == terrain.MONSTER:
        return False
    if domain == _SEA:
        return bool(kind == terrain.SEA)
    if kind == terrain.MOUNTAIN or kind == terrain.MONUMENT or not territory.is_land(world, rules, cell):
        return False
    return bool(place.owner < 0 or world.nations[place.owner].capital != cell)


@kernel
def _trample(world: World, rules: Rules, cell: int, kind: int) -> None:
    """Tell the owner of what stood there."""
    place = world.cells.flat[cell]
    if place.owner >= 0 and rules.monsters[kind].domain == _LAND and place.terrain != terrain.WASTELAND:
        happenings.record(world, event.MONSTER_TRAMPLED, int(place.owner), cell, kind)


@kernel
def _stand(world: World, rules: Rules, cell: int, level: int) -> None:
    """The monster is here; what stood here is gone, the owner and the oil in the ground stay."""
    at_sea = rules.monsters[kind_of(rules, level)].domain == _SEA
    ground.put(world, rules, cell, terrain.MONSTER, int(world.cells.flat[cell].owner), level)
    world.cells.flat[cell].below = terrain.SEA if at_sea else terrain.WASTELAND


@kernel
def _leave(world: World, rules: Rules, cell: int, kind: int) -> None:
    """What is left where a monster stood: wasteland of the same owner, sea under a whale."""
    left = terrain.SEA if rules.monsters[kind].domain == _SEA else terrain.WASTELAND
    ground.put(world, rules, cell, left, int(world.cells.flat[cell].owner), 0)


# ---------------------------------------------------------------- being hurt


@kernel
def kind_of(rules: Rules, level: int) -> int:
    """The row of `rules.monsters` for the level of a monster's cell."""
    return int(min(level // _DIGITS, rules.monsters.shape[0] - 1))


@kernel
def hit_points(rules: Rules, level: int) -> int:
    """Hit points of a monster by the level of its cell."""
    return int(level - kind_of(rules, level) * _DIGITS)


@kernel
def is_hardened(world: World, rules: Rules, cell: int, turn: int) -> bool:
    """Whether a hit has no effect on the monster in a turn."""
    hardening = rules.monsters[kind_of(rules, int(world.cells.flat[cell].level))].hardening
    odd = turn % 2 == 1
    return bool(hardening == _ODD if odd else hardening == _EVEN)


@kernel
def hurt(world: World, rules: Rules, cell: int, damage: int, killer: int) -> bool:
    """Take hit points from the monster on a cell unless it is hardened; return whether that killed it.

    Its value goes to the treasury of the nation ``killer`` (-1 nobody), and each item may drop (ARMY-055).
    """
    if damage <= 0 or is_hardened(world, rules, cell, int(world.clock[0].turn)):
        return False
    place = world.cells.flat[cell]
    kind = kind_of(rules, int(place.level))
    if hit_points(rules, int(place.level)) > damage:
        place.level -= damage
        return False
    happenings.record_between(world, event.MONSTER_KILLED, killer, int(place.owner), cell, kind)
    _leave(world, rules, cell, kind)
    if killer >= 0:
        stock.gain(world, rules, killer, item.FUNDS, rules.monsters[kind].value, cause.MONSTER_BOUNTY)
        items.drop(world, rules, killer, cell)
    return True
