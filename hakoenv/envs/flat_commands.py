"""One nation's commands as plain numbers: a choice among so many legal candidates, one at a time.

For libraries that know a single discrete choice with a mask, such as sb3-contrib's MaskablePPO.
"""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hakoenv.engine.kernel import kernel
from hakoenv.envs.options import at_least
from hakoenv.envs.parallel import Info, Observation
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import menu_draft
from hakoenv.obs.menu import NATIONS, Buffers, as_pieces
from hakoenv.obs.menu_deals import AID
from hakoenv.obs.menu_draft import ANY, CELL, FACTOR, HEADS, NATION, VERB, Draft
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.obs.menu_table import FACTORS, VALUES, MenuTable

_MOST = 1 << 20  # candidates; beyond lie slips of the keyboard, which would take all memory
NOTHING = -1  # in a candidate: a head that its verb does not need, or all of an empty place


class FlatCommands(
    gymnasium.Wrapper[Observation, int, Observation, NDArray[np.int64]], gymnasium.utils.RecordConstructorArgs
):
    """A `NationEnv` whose action is the number of a candidate: its legal commands, listed anew each step.

    `FlatCommands(NationEnv("duel", one_at_a_time=True))`. Candidate 0 is "no more command", which ends the
    nation's turn; so does a command that uses the turn. The others are in order of verb, nation, cell and
    factors, the last factor running fastest. Where there are more than ``count``, each verb gets as many
    places as it has commands up to a level that is the same for all verbs (a place more for the first ones
    until all are used), so at least one; a verb with more commands than places shows its first, its last and
    evenly those between. Equal menus give equal lists.

    Observations are those of the environment, but `action_mask` is int8 (count,), 1 for the candidates that
    there are, and one more piece says what they are: `candidates` int32 (count, 7), the heads `verb`,
    `nation`, `cell`, `factor 1`.. of `PlanSpace`, -1 for a head that the verb does not need, and all -1 in an
    empty place. Row c of `cells` is the cell of head ``c``. Infos have the same `action_mask`, and
    `candidates_left_out`, how many legal commands found no place. `hakoenv.envs.flat` makes vectors of it,
    `gymnasium.wrappers.FilterObservation` leaves pieces out.

    A number that names no candidate counts as 0: no command, the nation's turn ends, and `info["warnings"]`
    says so. Nothing raises.

    Args:
        env: a `NationEnv` with ``one_at_a_time=True``, itself or in wrappers that keep its observations.
        count: candidates at most; at least one for each verb and one for "no more", and
            no more than 1048576.

    Attributes:
        plan_space: the actions of the environment.
        menu: the nation's whole menu, from which the candidates were listed; see docs/actions.md.

    Raises:
        TypeError: it is no such environment.
        ValueError: ``count`` is none, too small for the verbs, or too large.
    """

    def __init__(self, env: gymnasium.Env[Observation, NDArray[np.int64]], count: int = 256) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, count=count)  # so that `spec` can make it anew
        gymnasium.Wrapper.__init__(self, env)  # type: ignore[misc]  # whose actions are other ones
        space, seen = env.action_space, env.observation_space
        if not isinstance(space, PlanSpace) or not space.one_at_a_time:
            raise TypeError(f"FlatCommands takes a NationEnv made with one_at_a_time=True, not {env}")
        if not isinstance(seen, spaces.Dict) or "action_mask" not in seen.spaces:
            raise TypeError("FlatCommands needs the whole observation: put other wrappers around it")
        self.count = at_least(len(space.menu.verbs) + 1, "count", count, _MOST)
        self.plan_space: PlanSpace = space
        highs = np.array([*space.nvec[1:] - 1], np.int32)
        self.observation_space = spaces.Dict(
            {
                **seen.spaces,
                "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
                "candidates": spaces.Box(
                    np.full((self.count, HEADS), NOTHING, np.int32),
                    np.tile(highs, (self.count, 1)),
                    dtype=np.int32,
                ),
            }
        )
        self.action_space: Any = spaces.Discrete(self.count)
        self.menu: Buffers = {}
        self._rows = np.zeros((0, HEADS), np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a season; see `NationEnv.reset`."""
        return self._told(*self.env.reset(seed=seed, options=options))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Give one command; see `NationEnv.step`. `info["played"]` tells whether it has played a turn."""
        number = self._number(action)
        row = self._row(0 if number is None else number)
        inner: Any = self.env
        observation, reward, terminated, truncated, info = inner.step(row)
        if number is None:
            sentence = f"ignored {str(action)[:40]!r}, which is no candidate of 0..{len(self._rows) - 1}"
            info = {**info, "warnings": [*info["warnings"], sentence]}
        observation, info = self._told(observation, info)
        return observation, float(reward), terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which candidates there are, (count,), as sb3-contrib asks for it.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        self._running()
        return np.arange(self.count) < len(self._rows)

    def command(self, number: int) -> NDArray[np.int64]:
        """A candidate as an action of `plan_space`, int64 (8,); ``number`` as `step` takes it.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
            IndexError: there is no such candidate.
        """
        found = self._number(number)
        if found is None:
            raise IndexError(f"candidate {repr(number)[:40]} is none of 0..{len(self._rows) - 1}")
        return self._row(found)

    def __repr__(self) -> str:
        return f"<FlatCommands of {self.env!r}: {self.count} candidates>"

    def _running(self) -> None:
        if not len(self._rows):
            raise gymnasium.error.ResetNeeded("call reset() first")

    def _row(self, number: int) -> NDArray[np.int64]:
        return np.array([0, *np.maximum(self._rows[number], 0)], np.int64)

    def _number(self, action: Any) -> int | None:
        """The candidate that an action names; None if there is none."""
        self._running()
        try:
            number = operator.index(np.asarray(action).item())
        except Exception:  # whatever an object does when it is asked for its number
            return None
        return number if 0 <= number < len(self._rows) else None

    def _told(self, observation: Observation, info: Info) -> tuple[Observation, Info]:
        """An observation and info with the candidates that follow from the menu."""
        self.menu = observation["action_mask"]
        rows, left_out = candidates(self.plan_space, self.menu, self.count)
        self._rows = rows
        shown = np.full((self.count, HEADS), NOTHING, np.int32)
        shown[: len(rows)] = rows
        mask = np.zeros(self.count, np.int8)
        mask[: len(rows)] = 1
        observation = {**observation, "action_mask": mask, "candidates": shown}
        return observation, {**info, "action_mask": mask.copy(), "candidates_left_out": left_out}


def candidates(space: PlanSpace, mask: Any, count: int) -> tuple[NDArray[np.int64], int]:
    """Legal first commands of a menu, in order; see `FlatCommands` for the choice if they are too many.

    Args:
        space: the actions.
        mask: one nation's menu.
        count: at most so many, "no more command" among them.

    Returns:
        int64 (n, 7) the heads of each, -1 where the verb needs none, and how many were left out.

    Raises:
        ValueError: the mask is no menu of this space's.
    """
    buffers = space.menu.alone(mask)
    verbs = len(space.menu.verbs)
    rows = np.full((count + 1, HEADS), NOTHING, np.int64)
    rows[0, VERB] = 0
    found, shares = np.zeros(verbs, np.int64), np.zeros(verbs, np.int64)
    draft = menu_draft.new_draft(verbs, space.menu.cells)
    listed = int(list_commands(space.menu.table, as_pieces(buffers), rows, found, shares, draft))
    return rows[:listed], int(found.sum()) + 1 - listed


@kernel
def list_commands(table: MenuTable, pieces: Pieces, rows: Any, found: Any, shares: Any, draft: Draft) -> int:
    """Write the first seat's candidates into ``rows`` from row 1 on; how many rows are used.

    The last row is scratch. ``found`` and ``shares`` (V,) become how many commands of each verb there are,
    and are listed.
    """
    menu_draft.begin(table, pieces, 0, draft)
    room = rows.shape[0] - 2
    for v in range(table.verbs.shape[0]):
        found[v] = _walk(table, pieces, 0, v, 0, 0, rows, 0, draft)
    _share(found, shares, room)
    listed = 1
    for v in range(table.verbs.shape[0]):
        if shares[v] > 0:
            _walk(table, pieces, 0, v, found[v], shares[v], rows, listed, draft)
            listed += shares[v]
    return listed


@kernel
def _share(found: Any, shares: Any, room: int) -> None:
    """Share out the room: all up to the highest level that fits, then one more to the first ones."""
    low, high = 0, room
    while low < high:
        level = (low + high + 1) // 2
        used = 0
        for v in range(found.shape[0]):
            used += min(found[v], level)
        if used <= room:
            low = level
        else:
            high = level - 1
    left = room
    for v in range(found.shape[0]):
        shares[v] = min(found[v], low)
        left -= shares[v]
    for v in range(found.shape[0]):
        if left > 0 and found[v] > shares[v]:
            shares[v] += 1
            left -= 1


@kernel
def _walk(
    table: MenuTable, pieces: Pieces, n: int, v: int, found: int, share: int, rows: Any, first: int,
    draft: Draft,
) -> int:  # fmt: skip
    """Go through all ways to give a verb; how many there are.

    The first, the last and evenly those between of the ``found`` are written into ``share`` rows from
    ``first`` on; a share of 0 only counts.
    """
    if menu_draft.is_open(table, pieces, n, v, draft) == 0:
        return 0
    verb = table.verbs[v]
    heads = rows[rows.shape[0] - 1]
    heads[VERB] = v + 1
    nations = menu_draft.find_nations(table, pieces, n, v, draft) if verb.nation else 1
    ways = -1  # values of the factors for one nation and cell; the same for all unless these matter
    passed = listed = 0
    for nation in range(NATIONS if verb.nation else 1):
        if not (nations >> nation) & 1:
            continue
        spots = 1
        if verb.cell_row >= 0:
            spots = menu_draft.find_spots(table, pieces, n, v, nation if verb.nation else ANY, draft)
        for k in range(spots):
            heads[NATION] = nation if verb.nation else NOTHING
            heads[CELL] = draft.spots[k] if verb.cell_row >= 0 else NOTHING
            by_cell = verb.cell_row >= 0 and (verb.scales >= 0 or verb.options >= 0)
            if ways < 0 or by_cell or verb.deal == AID:
                ways = _count_values(table, pieces, n, v, heads, draft)
            while share > 0:
                rank = listed * (found - 1) // max(1, share - 1)
                if rank >= passed + ways:
                    break
                _set_values(table, pieces, n, v, rank - passed, heads, draft)
                for head in range(HEADS):
                    rows[first + listed, head] = heads[head]
                listed += 1
                if listed == share:
                    return found
            passed += ways
    return passed


@kernel
def _count_values(table: MenuTable, pieces: Pieces, n: int, v: int, heads: Any, draft: Draft) -> int:
    """In how many ways a verb's factors can be filled, given the heads before them."""
    if table.verbs[v].split == 0:
        return _count_rest(table, pieces, n, v, heads, draft)
    ways = 0
    going = _step(table, pieces, n, v, True, heads, draft)
    while going:
        ways += _count_rest(table, pieces, n, v, heads, draft)
        going = _step(table, pieces, n, v, False, heads, draft)
    return ways


@kernel
def _set_values(
    table: MenuTable, pieces: Pieces, n: int, v: int, rank: int, heads: Any, draft: Draft
) -> None:
    """Fill a verb's factors in the ``rank``-th way."""
    verb = table.verbs[v]
    for f in range(FACTORS):
        heads[FACTOR + f] = NOTHING
    going = verb.split > 0 and _step(table, pieces, n, v, True, heads, draft)
    while going:
        ways = _count_rest(table, pieces, n, v, heads, draft)
        if rank < ways:
            break
        rank -= ways
        going = _step(table, pieces, n, v, False, heads, draft)
    for f in range(verb.factors - 1, verb.split - 1, -1):
        ways = max(1, _count_fits(table, pieces, n, v, f, heads, draft))
        heads[FACTOR + f] = _nth_fit(table, pieces, n, v, f, rank % ways, heads, draft)
        rank //= ways


@kernel
def _count_rest(table: MenuTable, pieces: Pieces, n: int, v: int, heads: Any, draft: Draft) -> int:
    """In how many ways the factors from the split on can be filled, given those before them."""
    ways = 1
    for f in range(table.verbs[v].split, table.verbs[v].factors):
        ways *= _count_fits(table, pieces, n, v, f, heads, draft)
    return ways


@kernel
def _step(table: MenuTable, pieces: Pieces, n: int, v: int, first: bool, heads: Any, draft: Draft) -> bool:
    """Go to the first way to fill the factors before the split, or the next one; False: there is none."""
    split = int(table.verbs[v].split)
    f = 0 if first else split - 1
    value = 0 if first else int(heads[FACTOR + f]) + 1
    while f >= 0:
        while value < VALUES and not menu_draft.value_fits(table, pieces, n, v, f, value, heads, draft):
            value += 1
        if value == VALUES:
            f -= 1
            value = int(heads[FACTOR + f]) + 1 if f >= 0 else 0
            continue
        heads[FACTOR + f] = value
        if f == split - 1:
            return True
        f += 1
        value = 0
    return False


@kernel
def _count_fits(table: MenuTable, pieces: Pieces, n: int, v: int, f: int, heads: Any, draft: Draft) -> int:
    """How many values a factor may have."""
    fits = 0
    for value in range(VALUES):
        fits += menu_draft.value_fits(table, pieces, n, v, f, value, heads, draft)
    return fits


@kernel
def _nth_fit(
    table: MenuTable, pieces: Pieces, n: int, v: int, f: int, place: int, heads: Any, draft: Draft
) -> int:
    """The value of a factor that is the ``place``-th of those it may have."""
    for value in range(VALUES):
        if menu_draft.value_fits(table, pieces, n, v, f, value, heads, draft):
            if place == 0:
                return value
            place -= 1
    return 0
