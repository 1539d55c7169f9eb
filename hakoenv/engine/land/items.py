"""How items come into a nation's store: dropped by monsters, won with the turn cup (ARMY-055)."""

from __future__ import annotations

from hakoenv.engine import chance, happenings
from hakoenv.engine.codes import event, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def win(world: World, nation: int, what: int) -> None:
    """One more of an item is in the national store."""
    world.nations[nation].items[what] += 1
    happenings.record(world, event.ITEM_WON, nation, -1, what)


@kernel
def drop(world: World, rules: Rules, nation: int, cell: int) -> None:
    """A monster killed on a cell may leave each of the items, each with a draw of its own."""
    for what in range(1, unit_item.COUNT):
        percent = float(rules.items[what].drop_percent_monster)
        if chance.happens(world, chance.MONSTER_DROP, cell, what, percent):
            win(world, nation, what)


@kernel
def draw_for_cup(world: World, rules: Rules) -> int:
    """The item of this turn's cup, each of those that it may be equally likely (LIMIT-011); 0 none."""
    count = 0
    for what in range(1, unit_item.COUNT):
        count += rules.items[what].cup_item
    if count == 0:
        return int(unit_item.NONE)
    left = chance.roll(world, chance.CUP_ITEM, 0, 0, count) + 1
    what = 0
    while left > 0:
        what += 1
        left -= rules.items[what].cup_item
    return what
