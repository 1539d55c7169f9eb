"""Land battle: a unit's attack of the turn and the answer to it, floor by floor (ARMY-034 .. ARMY-057)."""

from __future__ import annotations

from hakoenv.engine import chance, happenings, hexgrid, stock, view
from hakoenv.engine.codes import cause, corps_order, event, item, research, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import items, movement, targets, troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ALL = 100  # percent
_PLENTY = 1 << 30  # more strength than any unit has: what a ruleset's factors make of it still fits
_NEVER_ANSWERED = 2  # artillery attribute
_IN_ATTACK, _IN_ANSWER = 0, 1  # draws of an item


@kernel
def attack(world: World, rules: Rules, unit: int, luck: int) -> bool:
    """Let a unit attack the first enemy that it finds; return whether it found one (ARMY-049, ARMY-051).

    ``luck`` is the cell where it stood when the phase began, the subject of all draws of its fight.
    Experience is gained after the whole exchange (ARMY-054).
    """
    target, supporters = targets.find(world, rules, unit, luck)
    if target < 0:
        return False
    nation, other = int(world.units[unit].owner), int(world.units[target].owner)
    cell = int(world.units[target].cell)
    answered = _is_answered(world, rules, unit, cell)
    lost = _blow(world, rules, unit, target, supporters, luck)
    happenings.record_between(world, event.BATTLE, nation, other, cell, lost)
    _strike(world, rules, unit, target, lost, luck, _IN_ATTACK)
    if world.units[target].owner < 0:
        _learn(world, rules, unit, lost, True)
    elif not answered:
        _learn(world, rules, unit, lost, False)
    else:
        answer = _counter_blow(world, rules, target, unit, luck)
        happenings.record_between(world, event.COUNTERED, nation, other, cell, answer)
        _strike(world, rules, target, unit, answer, luck, _IN_ANSWER)
        fell = world.units[unit].owner < 0
        _learn(world, rules, target, answer, fell)
        if not fell:
            _learn(world, rules, unit, lost, False)
    return True


@kernel
def _is_answered(world: World, rules: Rules, unit: int, cell: int) -> bool:
    """Whether a target that survives a unit's attack answers it (ARMY-012, ARMY-013, ARMY-051)."""
    record = world.units[unit]
    artillery = rules.unit_types[record.type].artillery
    if artillery == 0:
        return True
    far = hexgrid.distance(world.cells.shape[1], int(record.cell), cell) > rules.scalars[0].army_reach
    return bool(artillery != _NEVER_ANSWERED and not far)


@kernel
def _blow(world: World, rules: Rules, unit: int, target: int, supporters: int, luck: int) -> int:
    """The damage of an attack, which takes ammunition if there is enough (ARMY-034)."""
    s = rules.scalars[0]
    record = world.units[unit]
    kind = rules.unit_types[record.type]
    each = s.army_support_percent_artillery if kind.artillery else s.army_support_percent
    defence = s.army_defend_bonus if _order(world, target) == corps_order.DEFEND else 0
    power = int(record.strength) + _roll(world, chance.ATTACK_ROLL, luck, int(record.experience))
    support = _ALL + supporters * each
    amount = damage(world, rules, unit, target, power // s.army_attack_divisor, support, defence)
    if not is_short(world, rules, unit):  # a short side takes none: ARMY-039
        stock.take(world, int(record.owner), item.AMMO, kind.ammo_per_attack, cause.BATTLE)
    return int(amount)


@kernel
def _counter_blow(world: World, rules: Rules, unit: int, attacker: int, luck: int) -> int:
    """The damage of a counter, which takes no ammunition (ARMY-050)."""
    s = rules.scalars[0]
    record = world.units[unit]
    if _order(world, unit) == corps_order.RETREAT:  # ARMY-052
        return int(min(s.army_retreat_counter, int(world.units[attacker].strength)))
    power = int(record.strength) + _roll(world, chance.COUNTER_ROLL, luck, int(record.experience))
    return int(damage(world, rules, unit, attacker, power // s.army_counter_divisor, _ALL, 0))


@kernel
def damage(
    world: World, rules: Rules, dealer: int, receiver: int, power: int, support: int, defence: int
) -> int:
    """What a unit does to another, cut after every factor (ARMY-034, ARMY-036, ARMY-050).

    Args:
        world: the world.
        rules: the ruleset.
        dealer: index of the unit that deals the damage.
        receiver: index of the unit that takes it.
        power: strength and experience roll, divided and cut.
        support: percent (ARMY-046, ARMY-047).
        defence: what comes off the terrain effect (ARMY-042).
    """
    s = rules.scalars[0]
    giver, taker = world.units[dealer], world.units[receiver]
    match = int(rules.unit_matchup[giver.type, taker.type])
    if taker.carries == unit_item.WEAK_SHIELD:
        match = min(match, int(rules.items[unit_item.WEAK_SHIELD].value))
    match += s.army_level_bonus * troops.level(rules, int(giver.experience))
    ground = movement.ground_of(world, rules, view.TRUTH, int(taker.cell))
    cover = max(0, int(rules.unit_terrain[taker.type, ground]) - defence)
    zone = int(world.cells.flat[giver.cell].climate)
    sky = rules.weather[world.clock[0].weather[zone]]  # over the dealer: ARMY-038
    climate = rules.climates[world.cells.flat[taker.cell].climate]  # of the receiver: ARMY-037
    level = world.nations[giver.owner].research[research.MILITARY]
    amount = power * match // s.army_table_standard
    amount = amount * support // _ALL
    amount = min(amount * cover // s.army_table_standard, _PLENTY)
    amount = amount * climate.unit_damage_percent // _ALL
    amount = amount * sky.attack_percent // _ALL
    if is_short(world, rules, dealer):
        amount //= s.army_ammo_short_divisor
    amount = amount * rules.research[research.MILITARY, level].effect_percent // _ALL
    if giver.carries == unit_item.SWORD_OF_WAR_GOD:
        amount = min(amount * _percent(rules, unit_item.SWORD_OF_WAR_GOD) // _ALL, _PLENTY)
    if taker.carries == unit_item.SHIELD_OF_IRON_WALL:
        amount = amount * _percent(rules, unit_item.SHIELD_OF_IRON_WALL) // _ALL
    return int(min(max(amount, s.army_min_damage), int(taker.strength)))


@kernel
def is_short(world: World, rules: Rules, unit: int) -> bool:
    """Whether a unit's nation holds less ammunition than one attack of it takes (ARMY-039, ARMY-056)."""
    record = world.units[unit]
    held = world.nations[record.owner].treasury[item.AMMO]
    return bool(held < rules.unit_types[record.type].ammo_per_attack)


@kernel
def _strike(world: World, rules: Rules, unit: int, other: int, amount: int, luck: int, index: int) -> None:
    """Take strength from a unit; one that is annihilated may leave its item (ARMY-055)."""
    carried = int(world.units[other].carries)
    troops.lose(world, rules, other, amount, 1)
    if world.units[other].owner < 0 and carried != unit_item.NONE:
        percent = float(rules.scalars[0].unit_item_taken_percent)
        if chance.happens(world, chance.ITEM_TAKEN, luck, index, percent):
            items.win(world, int(world.units[unit].owner), carried)


@kernel
def _learn(world: World, rules: Rules, unit: int, lost: int, annihilated: bool) -> None:
    """Experience of a unit for the strength that it took from another (ARMY-054)."""
    s = rules.scalars[0]
    gain = s.army_experience_gain_per_hit if lost > 0 else 0
    troops.learn(world, rules, unit, gain + (s.army_experience_gain_per_kill if annihilated else 0))


@kernel
def _order(world: World, unit: int) -> int:
    """The order of a unit's corps: nobody changes it within the phase (ARMY-064)."""
    record = world.units[unit]
    return int(world.corps[record.owner, record.corps].order)


@kernel
def _roll(world: World, purpose: int, luck: int, experience: int) -> int:
    """The experience roll: 0 .. experience - 1 (ARMY-035)."""
    return int(chance.roll(world, purpose, luck, 0, experience)) if experience > 1 else 0


@kernel
def _percent(rules: Rules, which: int) -> int:
    """The factor of an item in whole percent (ARMY-044, ARMY-045)."""
    return int(rules.items[which].value * _ALL + 0.5)
