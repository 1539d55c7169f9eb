"""The pieces about what binds nations: factions, trade leagues, the containment, and the own part in them."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import relation
from hakoenv.engine.diplomacy import containment, hegemon, records
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs.arrays import Arrays, Scratch, fit, place_of
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_INT32 = 2**31 - 1
_POINTS, _BREACHES, _MEMBERS, _AFLOAT = range(4)  # columns of `Scratch.bonds`
_NOBODY = -1
_NEVER = -1
_HALF = 2


@kernel
def find_bonds(world: World, rules: Rules, scratch: Scratch) -> int:
    """Note points, breaches, members of leagues, reserves aboard of all; the hegemon, -1 none."""
    noted = scratch.bonds
    noted[:] = 0
    turn = int(world.clock[0].turn) + 1
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.alive:
            noted[n, _POINTS] = hegemon.points48_in(world, rules, n, turn)
            noted[n, _BREACHES] = records.breaches_within(world, rules, n, turn)
            if nation.league >= 0:
                noted[nation.league, _MEMBERS] += 1
    for s in range(world.clock[0].ships):
        if world.ships[s].kind > 0 and world.ships[s].aid > 0:
            noted[world.ships[s].owner, _AFLOAT] += int(world.ships[s].aid)
    return int(hegemon.find(world, rules))


@kernel
def fill_bonds(world: World, rules: Rules, n: int, strongest: int, out: Arrays, scratch: Scratch) -> None:
    """What nation ``n`` knows of bonds, ``strongest`` being the hegemon; `find_bonds` comes first."""
    for place in range(world.nations.shape[0]):
        other = (n + place) % world.nations.shape[0]
        if world.nations[other].alive:
            _fill_bond(world, rules, n, other, out.bonds[n, place], scratch)
    _fill_own(world, rules, n, int(scratch.bonds[n, _AFLOAT]), out)
    for k in range(world.leagues.shape[0]):
        _fill_league(world, n, k, int(scratch.bonds[k, _MEMBERS]), out)
    _fill_containment(world, rules, n, strongest, out)


@kernel
def _fill_bond(world: World, rules: Rules, n: int, other: int, row: Any, scratch: Scratch) -> None:
    """What binds a nation that lives, and binds it to the observer."""
    own, nation = world.nations[n], world.nations[other]
    turn = int(world.clock[0].turn)
    row.land = fit(int(nation.land), _INT32)
    row.points = fit(int(scratch.bonds[other, _POINTS]), _INT32)
    row.breaches = scratch.bonds[other, _BREACHES]
    row.contained = nation.contained
    if nation.league >= 0:
        row.league = nation.league + 1
        row.league_age = fit(turn - int(nation.league_joined), _INT32)
        row.representative = int(world.leagues[nation.league].representative == other)
    if nation.faction >= 0:
        row.faction_age = fit(turn - int(nation.faction_joined), _INT32)
    if own.faction >= 0 and own.alive:
        _fill_mate(world, rules, n, other, row)
    between = world.relations[n, other]
    if between.state == relation.PENDING or between.state == relation.WAR:
        row.origin = between.origin


@kernel
def _fill_mate(world: World, rules: Rules, n: int, other: int, row: Any) -> None:
    """What a member knows of a mate, or as leader of an applicant."""
    s = rules.scalars[0]
    turn = int(world.clock[0].turn)
    own, nation = world.nations[n], world.nations[other]
    faction = world.factions[own.faction]
    if nation.faction == own.faction:
        row.mate = int(other != n)
        row.demands = nation.demands
        if (n == faction.leader and other == faction.heir) or (other == faction.leader and n == faction.heir):
            row.leadership = _left(int(faction.offered), s.faction_handover_turns, turn)
    elif nation.applied_to == own.faction and faction.leader == n:
        row.applies = _left(int(nation.applied), s.faction_application_turns, turn)


@kernel
def _left(since: int, turns: int, turn: int) -> int:
    """Turns after ``turn`` in which something that holds for some turns from ``since`` on still holds."""
    return fit(since + turns - turn, _INT32)


@kernel
def _wait(since: int, turns: int, turn: int) -> int:
    """Turns after the coming one that must pass until some have since then; 0 never (``since`` 0)."""
    return fit(since + turns - (turn + 1), _INT32) if since > 0 else 0


@kernel
def _fill_own(world: World, rules: Rules, n: int, afloat: int, out: Arrays) -> None:
    """Own applications, offers, waits and notices; the faction view is counted elsewhere."""
    s = rules.scalars[0]
    turn = int(world.clock[0].turn)
    nation = world.nations[n]
    row = out.diplomacy[n]
    row.applied_to = _NOBODY
    row.application_left = row.may_apply_in = row.leadership_left = row.may_rename_in = 0
    row.demands = row.demands_needed = row.applications = 0
    row.may_join_league_in = row.invited = row.power = row.reserves_afloat = 0
    row.notice_age = _NEVER
    if not nation.alive:
        return
    left = _left(int(nation.applied), s.faction_application_turns, turn) if nation.applied_to >= 0 else 0
    if left > 0:
        row.applied_to, row.application_left = nation.applied_to, left
    if nation.faction < 0:
        row.may_apply_in = _wait(int(nation.faction_left), s.faction_rejoin_wait, turn)
    else:
        _fill_faction(world, rules, n, row)
    if nation.league < 0:
        row.may_join_league_in = _wait(int(nation.league_left), s.league_rejoin_wait, turn)
    row.reserves_afloat = fit(afloat, _INT32)
    row.power = fit(containment.power(world, rules, n), _INT32)
    row.invited = int(containment.is_invited(world, rules, n))
    told = int(world.containment[0].announced)
    if nation.contained and told > 0 and not containment.is_ai(world, n):
        row.notice_age = fit(turn - told, _INT16)


@kernel
def _fill_faction(world: World, rules: Rules, n: int, row: Any) -> None:
    """What a full member knows of the affairs of its faction."""
    turn = int(world.clock[0].turn)
    own = int(world.nations[n].faction)
    faction = world.factions[own]
    members = 0
    for k in range(world.nations.shape[0]):
        other = world.nations[k]
        if not other.alive:
            continue
        if other.faction == own:
            members += 1
            row.demands += int(other.demands)
        elif other.applied_to == own and faction.leader == n:
            turns = rules.scalars[0].faction_application_turns
            row.applications += int(_left(int(other.applied), turns, turn) > 0)
    row.demands_needed = (members - 1) // _HALF + 1  # more than half of the others: FAC-011
    if faction.leader == n:
        row.may_rename_in = _wait(int(faction.renamed), rules.scalars[0].faction_rename_wait, turn)
    elif faction.heir == n:
        row.leadership_left = _left(int(faction.offered), rules.scalars[0].faction_handover_turns, turn)


@kernel
def _fill_league(world: World, n: int, k: int, members: int, out: Arrays) -> None:
    """A trade league by its place; those that don't exist stay 0."""
    league = world.leagues[k]
    row = out.leagues[n, k]
    if league.active:
        row.active = 1
        row.representative = place_of(int(league.representative), n, world.nations.shape[0])
        row.members = members
        row.age = fit(int(world.clock[0].turn) - int(league.founded), _INT32)
        row.name = league.name


@kernel
def _fill_containment(world: World, rules: Rules, n: int, strongest: int, out: Arrays) -> None:
    """Hegemon and containment, as everybody knows of them."""
    seats = world.nations.shape[0]
    turn = int(world.clock[0].turn)
    against = world.containment[0]
    row = out.containment[n]
    row.hegemon = place_of(strongest, n, seats)
    row.target = place_of(int(against.target), n, seats)
    row.threshold = fit(rules.scalars[0].containment_threshold * rules.scalars[0].containment_window, _INT32)
    row.age = row.members = 0
    row.joint_age = _NEVER
    if against.target >= 0:
        row.age = fit(turn - int(against.formed), _INT32)
        if against.declared > 0:
            row.joint_age = fit(turn - int(against.declared), _INT16)
        for k in range(seats):
            if world.nations[k].alive and world.nations[k].contained:
                row.members += 1
