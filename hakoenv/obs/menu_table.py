"""What a menu knows before any world: its verbs as arrays, where each may be of use, and the prices.

Which ground can be of use to which verb, which prices there are and which work disturbs its neighbours
is not written down here: it is found once by asking ``sites.work`` about every kind of cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import deposit, item, reason, research, terrain
from hakoenv.engine.commands import prices, settings, sites, table, validate
from hakoenv.engine.commands.look import Site
from hakoenv.engine.kernel import as_kernel_array, kernel, zeros
from hakoenv.engine.world import new_world
from hakoenv.ruleset.compiled import Rules

FACTORS = 4  # factors of a verb at most
VALUES = table.MAX_CHOICES
X, Y, AMOUNT, TARGET = range(4)  # fields of a command, as `table.FIELDS`
# Uses in one action: what can be done only so often. The last group is all that follows giving up.
RESEARCH, POLICY, LEVEL_LAND, ANYTHING = range(4)
GROUPS = 4
NONE = -1
NOBODY, FOREIGN, OWN = range(3)  # whose cell
LEVEL, PEOPLE = range(2)

_GROUP_OF_COMMAND = {
    number.RESEARCH: RESEARCH,
    number.INDUSTRIAL_POLICY: POLICY,
    number.LEVEL_LAND: LEVEL_LAND,
    number.ABANDON_NATION: ANYTHING,
}
_NEVER = (reason.UNKNOWN_COMMAND, reason.LOCKED, reason.PRIVATE_ONLY, reason.NOT_BUILT_YET)
_DEPOSITS = deposit.COUNT
_LEVELS = 4  # levels asked about: 0, 1, all but the top one, the top one
_PRICE_ROWS = number.LIMIT
_MANY = 1000  # people: enough for any condition
_ALL_AROUND = 6
_LATE = 1 << 30  # a turn in which no early price holds

verb_dtype = np.dtype(
    [
        ("command", np.int64),
        ("cell_row", np.int64),  # row of `cells`, -1: the verb needs no cell
        ("nation", np.int64),  # 1: the verb needs a nation
        ("possible", np.int64),  # 0: refused in this ruleset whatever the world is like
        ("group", np.int64),  # whose uses it takes, -1 none
        ("disturbs", np.int64),  # 1: takes land, water or a mountain from the cells beside
        ("factors", np.int64),
        ("joint", np.int64),  # table of which values of its two factors go together, -1 all do
        ("fixed", np.int64, (4,)),  # x, y, amount, target before the factors add to them
        ("field", np.int64, (FACTORS,)),
        ("times", np.int64, (FACTORS,)),
        ("count", np.int64, (FACTORS,)),  # values offered
        ("value", np.int64, (FACTORS, VALUES)),
    ],
    align=True,
)
price_dtype = np.dtype([(name, np.int64) for name in ("command", "kind", "row", "level")], align=True)


class MenuTable(NamedTuple):
    """The arrays; kernels take them together. V verbs, R of them with a cell, P prices."""

    verbs: Any  # (V,) verb_dtype
    row_verb: Any  # (R,) int64: verb of a row of `cells`
    flat: Any  # (F,) int64: verbs without a cell that are possible
    useful: Any  # (terrains, 3, 2, R + 1) int16: how many rows may be of use on such a cell, and which
    costs: Any  # (R, P + 1) int16: how many prices a row may have, and which
    minds: Any  # (terrains, 2) int8: whether what is possible there depends on level, on people
    prices: Any  # (P,) price_dtype; row 0 is "free"
    price_at: Any  # (kinds, rows) int16: the price of (kind, row), -1 none
    price_levels: Any  # (kinds, rows) int16: 0, or highest level if each level has a price of its own
    joint: Any  # (J, 32, 32) int8
    uses: Any  # (4,) int8: uses of each group in one action


def build(rules: Rules, verbs: Sequence[table.Verb]) -> MenuTable:
    """The table of a ruleset and a choice of verbs.

    Raises:
        RuntimeError: two commands share a row of prices but not the price.
    """
    records, joint = _records(rules, verbs)
    row_verb = np.flatnonzero(records["cell_row"] >= 0)
    of_use = np.zeros((terrain.COUNT, 3, 2, len(row_verb)), np.int8)
    found = np.full((prices.KINDS, _PRICE_ROWS), NONE, np.int64)
    top = np.zeros((prices.KINDS, _PRICE_ROWS), np.int64)
    minds = np.zeros((terrain.COUNT, 2), np.int8)
    paid = np.zeros((len(row_verb), prices.KINDS, _PRICE_ROWS), np.int8)
    clash = ask(rules, records, row_verb, of_use, paid, minds, found, top)
    if clash >= 0:
        raise RuntimeError(f"{verbs[clash].name} shares a price row with another command")
    flat = np.flatnonzero((records["cell_row"] < 0) & (records["possible"] == 1))
    flat = flat[validate.HANDLED[records["command"][flat]] == validate.OF_NATION]
    for command in records["command"][flat]:
        found[prices.COMMAND, command] = command
    catalogue, price_at, price_levels = _prices(rules, found, top)
    uses = np.ones(GROUPS, np.int8)
    uses[LEVEL_LAND] = min(int(rules.scalars["commands_level_land_per_turn"][0]), np.iinfo(np.int8).max)
    costs = np.zeros((len(row_verb), len(catalogue)), np.int8)
    for p, price in enumerate(catalogue.tolist()):
        costs[:, p] = paid[:, price[1], price[2]]
    return MenuTable(
        records, row_verb, flat, _lists(of_use), _lists(costs), minds, catalogue, price_at, price_levels,
        joint, uses,
    )  # fmt: skip


def _records(rules: Rules, verbs: Sequence[table.Verb]) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """The verbs as records, and which values of their factors go together."""
    records = zeros(len(verbs), verb_dtype)
    world = new_world(3, 3, 2, 0)  # to ask general questions about
    world.nations["alive"] = 1
    joint: list[NDArray[np.int8]] = []
    row = 0
    for record, verb in zip(records, verbs, strict=True):
        fixed = [verb.fixed.get(field, 0) for field in table.FIELDS]
        why = validate.check(world, rules, 0, 0, 1, verb.command, *fixed)
        record["command"] = verb.command
        record["cell_row"] = row if verb.needs_cell else NONE
        record["nation"] = verb.needs_nation
        record["possible"] = why not in _NEVER
        record["group"] = _GROUP_OF_COMMAND.get(verb.command, NONE)
        record["factors"] = len(verb.factors)
        record["fixed"] = fixed
        for k, factor in enumerate(verb.factors):
            record["field"][k] = table.FIELDS.index(factor.field)
            record["times"][k] = factor.times
            record["count"][k] = len(factor.numbers)
            record["value"][k, : len(factor.numbers)] = factor.numbers
        record["joint"] = NONE
        if validate.HANDLED[verb.command] == validate.OF_NATION and len(verb.factors) == 2:
            record["joint"] = len(joint)
            joint.append(_going_together(rules, world, record))
        row += verb.needs_cell
    return records, np.array(joint, np.int8).reshape(-1, VALUES, VALUES)


def _lists(marks: NDArray[np.int8]) -> NDArray[np.int16]:
    """Along the last axis the places that are 1, as a list: how many, then which."""
    lists = np.zeros((*marks.shape[:-1], marks.shape[-1] + 1), np.int16)
    for where in np.ndindex(marks.shape[:-1]):
        places = np.flatnonzero(marks[where])
        lists[where][0] = len(places)
        lists[where][1 : len(places) + 1] = places
    return lists


def _going_together(rules: Rules, world: Any, verb: Any) -> NDArray[np.int8]:
    """Which pairs of values a verb with two factors allows (only if that depends on nothing else)."""
    pairs = np.zeros((VALUES, VALUES), np.int8)
    for a in range(int(verb["count"][0])):
        for b in range(int(verb["count"][1])):
            amount = int(field(verb, AMOUNT, a, b, 0, 0))
            why = settings.allowed(world, rules, 0, 1, int(verb["command"]), amount, 1)
            pairs[a, b] = why == reason.DONE
    return pairs


def _prices(rules: Rules, found: NDArray[np.int64], top: NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Number the prices: one each, or one for each level where a price depends on it."""
    rows = [(0, NONE, 0, 0)]  # free
    price_at = np.full(found.shape, NONE, np.int16)
    price_levels = np.zeros(found.shape, np.int16)
    for kind, row in np.argwhere(found >= 0).tolist():
        command = int(found[kind, row])
        price_at[kind, row] = len(rows)
        if kind == prices.COMMAND and command == number.RESEARCH:
            continue  # its prices stand in the research table
        if varies(rules, command, kind, row):
            price_levels[kind, row] = top[kind, row]
        rows += [(command, kind, row, level) for level in range(int(price_levels[kind, row]) + 1)]
    if found[prices.COMMAND, number.RESEARCH] >= 0:
        levels = rules.research.shape[1] - 1
        for branch in range(research.COUNT):
            price_at[prices.RESEARCH, branch] = len(rows)
            price_levels[prices.RESEARCH, branch] = levels
            rows += [(number.RESEARCH, prices.RESEARCH, branch, level) for level in range(levels + 1)]
    catalogue = np.array(rows, price_dtype)
    return as_kernel_array(catalogue), price_at, price_levels


@kernel
def ask(
    rules: Rules, verbs: Any, row_verb: Any, of_use: Any, paid: Any, minds: Any, found: Any, top: Any
) -> int:
    """Note on which kinds of cell each verb can be done, at which prices, and whether it disturbs others.

    Everything that could stand against it is left out. Returns a verb whose price row belongs to another
    command, too, or -1.
    """
    for k in range(terrain.COUNT * 3 * 2 * _DEPOSITS * row_verb.shape[0]):
        row = k % row_verb.shape[0]
        rest = k // row_verb.shape[0]
        near, whose, lying, ground = rest % 2, rest // 2 % 3, rest // 6 % _DEPOSITS, rest // 6 // _DEPOSITS
        verb = verbs[row_verb[row]]
        command = int(verb.command)
        if not verb.possible or validate.HANDLED[command] != validate.OF_CELL:
            continue
        mine = rules.terrains[ground].mine
        most = int(rules.mines[mine].level_max if mine >= 0 else rules.terrains[ground].level_max)
        usual = NONE
        for step in range(_LEVELS + 1):  # the last one: level 0 again, but no people
            level = step if step < 2 else max(0, most + step - _LEVELS + 1)
            site = _kind_of_cell(ground, whose, near, lying, 0 if step == _LEVELS else level, step < _LEVELS)
            why, result, kind, price = sites.work(rules, site, command, verb.fixed[AMOUNT])
            answer = (why * prices.KINDS + kind) * _PRICE_ROWS + price
            usual = answer if step == 0 else usual
            if answer != usual:
                minds[ground, PEOPLE if step == _LEVELS else LEVEL] = 1
            if why != reason.DONE:
                continue
            if kind == prices.STEP:
                minds[ground, LEVEL] = 1
            if found[kind, price] >= 0 and found[kind, price] != command:
                return int(row_verb[row])
            of_use[ground, whose, near, row] = 1
            paid[row, kind, price] = 1
            found[kind, price] = command
            top[kind, price] = max(top[kind, price], site.level)
            if command == number.TUNNEL or _takes(rules, ground, result):
                verb.disturbs = 1
    return NONE


@kernel
def _kind_of_cell(ground: int, whose: int, near: int, lying: int, level: int, people: bool) -> Site:
    own, foreign, many = int(whose == OWN), int(whose == FOREIGN), _MANY if people else 0
    return Site(ground, own, foreign, level, many, lying, 0, 0, 0, 0, 0, 0, near, near, 1, _ALL_AROUND)


@kernel
def _takes(rules: Rules, before: int, after: int) -> bool:
    """Whether the cells beside lose land, water or a mountain that they may have needed."""
    water = before == terrain.SEA or before == terrain.SHALLOWS or before == terrain.NAVAL_MINE
    if water and after != terrain.SEA and after != terrain.SHALLOWS:
        return True
    if before == terrain.MOUNTAIN and after != terrain.MOUNTAIN:
        return True
    land = rules.terrains[before].counts_as_land == 1 or before == terrain.PORT
    return land and not (rules.terrains[after].counts_as_land == 1 or after == terrain.PORT)


@kernel
def varies(rules: Rules, command: int, kind: int, row: int) -> bool:
    """Whether a price depends on the level of the cell."""
    for what in range(item.COUNT):
        for turn in (1, _LATE):
            low = prices.price(rules, turn, command, kind, row, 1, what)
            if prices.price(rules, turn, command, kind, row, 2, what) != low:
                return True
    return False


@kernel
def field(verb: Any, which: int, a: int, b: int, c: int, d: int) -> int:
    """A field of the command of a verb whose factors have their a-th, b-th, ... values."""
    total = int(verb.fixed[which])
    for k in range(FACTORS):
        if k < verb.factors and verb.field[k] == which:
            place = a if k == 0 else b if k == 1 else c if k == 2 else d
            total += verb.times[k] * verb.value[k, place]
    return total
