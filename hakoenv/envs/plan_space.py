"""The action space: a mode for the queue, then up to so many commands, each by its heads.

An action is ``[mode] + commands * [verb, nation, cell, factor 1, factor 2, factor 3, factor 4]``. Mode 0
keeps the queue as it is, 1 puts the commands in front of it, 2 replaces it. Verb 0 is "no more command".
What each head may be depends on those before it: `PlanSpace.next_mask`; `PlanSpace.sample` with a menu
draws only legal plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import MultiDiscrete
from numpy.typing import NDArray

from hakoenv.engine import chance
from hakoenv.engine.kernel import kernel
from hakoenv.obs import menu_draft
from hakoenv.obs.menu import NATIONS, Buffers, Menu, as_pieces
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, KEEP, MODE, NATION, VERB, Draft
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.obs.menu_table import ANYTHING, FACTORS, VALUES, MenuTable

MODES = ("keep", "front", "replace")
_ANY_MODE = -1
_HEADS = {NATION: "the nation", CELL: "the cell"}
_SHOWN = 12  # possible values that an error lists


class PlanSpace(MultiDiscrete):
    """The actions of one nation.

    Attributes:
        menu: the menu that actions refer to.
        commands_per_turn: commands in an action.
        one_at_a_time: the mode head has one value: every action is one command for the end of the queue.
    """

    def __init__(
        self,
        menu: Menu,
        commands_per_turn: int = 8,
        one_at_a_time: bool = False,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        """Make the space.

        Raises:
            ValueError: an impossible number of commands.
        """
        if commands_per_turn < 1:
            raise ValueError(f"commands_per_turn={commands_per_turn} must be at least 1")
        self.menu = menu
        self.one_at_a_time = one_at_a_time
        self.commands_per_turn = 1 if one_at_a_time else int(commands_per_turn)
        modes = 1 if one_at_a_time else len(MODES)
        command = [len(menu.verbs) + 1, NATIONS, menu.cells, *[VALUES] * FACTORS]
        super().__init__(np.array([modes, *command * self.commands_per_turn], np.int64), np.int64, seed)

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """A random action.

        Args:
            mask: a nation's menu or observation (then the plan is legal), or a tuple of masks as
                `MultiDiscrete` takes it, or None (any numbers, most of them meaningless).
            probability: as `MultiDiscrete` takes it.

        Raises:
            ValueError: the mask is neither.
        """
        if isinstance(mask, Mapping):
            return self.sample_legal(mask)
        return super().sample(mask, probability)

    def sample_legal(self, mask: Mapping[str, Any], mode: int | None = None) -> NDArray[np.int64]:
        """A random legal action: each head uniformly among its legal values given those before.

        Args:
            mask: a nation's menu, or its whole observation.
            mode: the mode, if it shall not be drawn, too.

        Raises:
            ValueError: the mask is no menu of this space's; there is no such mode.
        """
        seeds = self.np_random.integers(0, 2**63, 1, np.uint64)
        return self.sample_plans(self.menu.alone(_menu_of(mask)), np.zeros(1, np.int64), seeds, mode)[0]

    def sample_plans(
        self,
        buffers: Buffers,
        seats: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        mode: int | None = None,
    ) -> NDArray[np.int64]:
        """Random legal actions of many nations in one compiled call.

        Args:
            buffers: the menus of all seats.
            seats: int64 (n,) whose actions.
            seeds: uint64 (n,); an action depends on its seed and menu only.
            mode: the mode, if it shall not be drawn, too.

        Returns:
            int64 (n, L).

        Raises:
            ValueError: no such seat or mode.
        """
        held = len(buffers["verbs"])
        if len(seats) and not 0 <= int(np.min(seats)) <= int(np.max(seats)) < held:
            raise ValueError(f"seats={list(seats)} must lie in 0..{held - 1}")
        if mode is not None and mode not in range(len(MODES)):
            raise ValueError(f"mode={mode!r} must be 0 (keep), 1 (front), 2 (replace) or None (drawn)")
        actions = np.zeros((len(seats), self.nvec.size), np.int64)
        fixed = 0 if self.one_at_a_time else _ANY_MODE if mode is None else int(mode)
        draft = menu_draft.new_draft(len(self.menu.verbs), self.menu.cells)
        keeps = not self.one_at_a_time
        sample_plans(self.menu.table, as_pieces(buffers), seats, seeds, fixed, keeps, actions, draft)
        return actions

    def next_mask(self, mask: Mapping[str, Any], prefix: Sequence[int] | NDArray[Any]) -> NDArray[np.int8]:
        """What the head after the given ones may be.

        Args:
            mask: a nation's menu, or its whole observation.
            prefix: the first heads of an action, at most all but the last. Heads that its verbs do not need
                may hold anything.

        Returns:
            int8 array as long as the head has values; at least one is 1.

        Raises:
            ValueError: the prefix is as long as an action, or longer, or no whole numbers; one of its heads
                is ruled out by those before it (the message tells which and why); the mask is no menu of
                this space's.
        """
        row = _whole(prefix, "prefix", 1)
        return self._next(self.menu.alone(_menu_of(mask)), row[np.newaxis], "prefix")[0]

    def next_masks(self, masks: Any, prefixes: Any) -> NDArray[np.int8]:
        """`next_mask` of many nations in one compiled call: what the next head of each may be.

        Args:
            masks: a menu or observation for each, or menus with a leading axis, as vector environments
                stack them.
            prefixes: (n, length): the first heads of each one's action, all of one length.

        Returns:
            int8 (n, values of the head).

        Raises:
            ValueError: as `next_mask`; not as many masks as prefixes.
        """
        rows = _whole(prefixes, "prefixes", 2)
        menus = _menu_of(masks) if isinstance(masks, Mapping) else [_menu_of(mask) for mask in masks]
        buffers = self.menu.together(menus, len(rows))
        return self._next(buffers, rows, "prefixes")

    def faults(
        self, buffers: Buffers, places: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The first head of each action that its mask rules out after those before it.

        Args:
            buffers: menus, leading axis their place.
            places: int64 (n,): the menu of each action.
            actions: int64 (n, L).

        Returns:
            int64 (n,): -1 where an action is legal. Heads that a verb does not need are not looked at.
        """
        faults = np.zeros(len(places), np.int64)
        scratch = np.zeros(int(self.nvec.max()), np.int8)
        draft = menu_draft.new_draft(len(self.menu.verbs), self.menu.cells)
        keeps = not self.one_at_a_time
        find_faults(self.menu.table, as_pieces(buffers), places, actions, keeps, faults, scratch, draft)
        return faults

    def masks_after(
        self, buffers: Buffers, places: NDArray[np.int64], actions: NDArray[np.int64], length: int
    ) -> NDArray[np.int8]:
        """`next_masks` for heads that were drawn by these masks themselves, which are not checked again.

        Args:
            buffers: menus, leading axis their place.
            places: int64 (n,): the menu of each row.
            actions: int64 (n, L), of which the first ``length`` heads are given.
            length: less than L.

        Returns:
            int8 (n, values of the head).
        """
        out = np.zeros((len(places), int(self.nvec[length])), np.int8)
        draft = menu_draft.new_draft(len(self.menu.verbs), self.menu.cells)
        mark_next(
            self.menu.table, as_pieces(buffers), places, actions, length, not self.one_at_a_time, out, draft
        )
        return out

    def _next(self, buffers: Buffers, rows: NDArray[np.int64], argument: str) -> NDArray[np.int8]:
        """What the head after each of ``rows`` may be; row i is of the i-th seat of the buffers."""
        count, length = rows.shape
        if length >= self.nvec.size:
            raise ValueError(f"{argument} has {length} heads; an action has {self.nvec.size}")
        heads = np.zeros((count, self.nvec.size), np.int64)
        heads[:, :length] = rows
        out = np.zeros((count, int(self.nvec[length])), np.int8)
        faults = np.zeros(count, np.int64)
        scratch = np.zeros(int(self.nvec.max()), np.int8)
        draft = menu_draft.new_draft(len(self.menu.verbs), self.menu.cells)
        keeps = not self.one_at_a_time
        next_heads(self.menu.table, as_pieces(buffers), heads, length, keeps, out, faults, scratch, draft)
        for i in np.flatnonzero(faults >= 0)[:1]:
            where = argument if argument == "prefix" else f"{argument}[{i}]"
            menu = {name: array[i : i + 1] for name, array in buffers.items()}
            raise ValueError(self._complaint(menu, rows[i], int(faults[i]), where))
        return out

    def _complaint(self, menu: Buffers, row: NDArray[np.int64], place: int, where: str) -> str:
        """Why a head is ruled out by those before it."""
        value = int(row[place])
        possible = np.flatnonzero(self._next(menu, row[np.newaxis, :place], where)[0])
        shown = ", ".join(str(k) for k in possible[:_SHOWN]) + ", ..." * (len(possible) > _SHOWN)
        k, head = divmod(place - 1, HEADS)
        verb = int(row[1 + k * HEADS + VERB]) if place else 0
        names = ("none", *(verb.name for verb in self.menu.verbs))
        if place == MODE:
            what, why = "the mode", "there is no such mode"
        elif head != VERB:
            what = f"{_HEADS.get(head, f'factor {head - FACTOR + 1}')} of command {k}"
            why = f"{names[verb]} can't have it"
        else:
            what, ends = f"the verb of command {k}", row[1:place:HEADS] == 0
            if not 0 <= verb < len(names):
                why = "there is no such verb"
            elif not self.one_at_a_time and row[MODE] == KEEP:
                why = "mode 0 keeps the queue and takes no commands"
            elif ends.any():
                why = f"verb 0 of command {int(np.argmax(ends))} has ended the list"
            else:
                after = " after the commands before it" if menu["verbs"][0, verb] else ""
                why = f"{names[verb]} is not possible{after}"
        return f"{where}[{place}]={value}, {what}: {why}; possible is {shown}"

    def __repr__(self) -> str:
        """The sizes that matter; `nvec` has them all."""
        once = ", one_at_a_time=True" if self.one_at_a_time else ""
        return (
            f"PlanSpace(commands_per_turn={self.commands_per_turn}{once}, verbs={len(self.menu.verbs)}, "
            f"cells={self.menu.cells}, shape={self.shape})"
        )

    def __eq__(self, other: object) -> bool:
        """Whether the other space has the same heads."""
        return isinstance(other, PlanSpace) and super().__eq__(other) and self.menu.verbs == other.menu.verbs


def _menu_of(mask: Any) -> Mapping[str, Any]:
    """A menu, out of an observation if it is one."""
    if not isinstance(mask, Mapping):
        raise ValueError(f"the mask is a {type(mask).__name__}; give an observation's action_mask")
    menu: Mapping[str, Any] = mask.get("action_mask", mask)
    return menu


def _whole(given: Any, argument: str, axes: int) -> NDArray[np.int64]:
    """Whole numbers with so many axes."""
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.zeros((), object)  # rows of unequal length
    if not array.size and array.ndim == axes:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.ndim != axes:
        wanted = "the first heads of an action" if axes == 1 else "rows of as many first heads each"
        raise ValueError(f"{argument}={repr(given)[:100]} must be whole numbers, {wanted}")
    return array.astype(np.int64, copy=False)


@kernel
def next_heads(
    table: MenuTable, pieces: Pieces, heads: Any, length: int, keeps: bool, out: Any, faults: Any,
    scratch: Any, draft: Draft,
) -> None:  # fmt: skip
    """Mark in each row of ``out`` (all 0) what may follow; ``faults``: the first head ruled out, or -1."""
    for i in range(heads.shape[0]):
        faults[i] = _find_fault(table, pieces, i, heads[i], length, keeps, scratch, draft)
        if faults[i] < 0:
            menu_draft.next_head(table, pieces, i, heads[i], length, keeps, out[i], draft)


@kernel
def find_faults(
    table: MenuTable, pieces: Pieces, places: Any, actions: Any, keeps: bool, faults: Any, scratch: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Write into ``faults`` the first head of each action that those before it rule out, -1 none."""
    for i in range(places.shape[0]):
        length = actions.shape[1]
        faults[i] = _find_fault(table, pieces, places[i], actions[i], length, keeps, scratch, draft)


@kernel
def mark_next(
    table: MenuTable, pieces: Pieces, places: Any, heads: Any, length: int, keeps: bool, out: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Mark in each row of ``out`` (all 0) what may follow the first ``length`` heads."""
    for i in range(places.shape[0]):
        menu_draft.next_head(table, pieces, places[i], heads[i], length, keeps, out[i], draft)


@kernel
def _find_fault(
    table: MenuTable, pieces: Pieces, n: int, heads: Any, length: int, keeps: bool, scratch: Any,
    draft: Draft,
) -> int:  # fmt: skip
    """The first of ``length`` heads that those before it rule out, -1 none; those not needed are left out."""
    if length == 0:
        return -1
    if heads[MODE] < 0 or heads[MODE] >= (len(MODES) if keeps else 1):
        return MODE
    menu_draft.begin(table, pieces, n, draft)
    more = not keeps or heads[MODE] != KEEP
    for base in range(1, length, HEADS):
        v = heads[base + VERB] - 1
        if v == -1:
            more = False
            continue
        if not more or v < 0 or v >= table.verbs.shape[0]:
            return base
        if menu_draft.is_open(table, pieces, n, v, draft) == 0:
            return base
        command = heads[base : base + HEADS]
        for place in range(base + NATION, min(base + HEADS, length)):
            scratch[:] = 0
            head, value = place - base, heads[place]
            found = menu_draft.mark_values(table, pieces, n, v, head, command, scratch, draft)
            if found and not (0 <= value < scratch.shape[0] and scratch[value]):
                return place
        if base + HEADS <= length:
            menu_draft.book(table, pieces, n, v, command, draft)
            more = draft.uses[ANYTHING] > 0
    return -1


@kernel
def sample_plans(
    table: MenuTable, pieces: Pieces, seats: Any, seeds: Any, mode: int, keeps: bool, actions: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Draw an action for each of ``seats``; ``actions`` (n, L) are all 0. Mode -1: drawn, too."""
    for i in range(seats.shape[0]):
        action = actions[i]
        draft.cursor[0] = 0
        action[MODE] = _draw(seeds[i], draft, len(MODES)) if mode < 0 else mode
        if not keeps or action[MODE] != KEEP:
            _plan(table, pieces, seats[i], seeds[i], action, draft)


@kernel
def _plan(table: MenuTable, pieces: Pieces, n: int, seed: np.uint64, action: Any, draft: Draft) -> None:
    """Draw commands until "no more" or the action is full."""
    menu_draft.begin(table, pieces, n, draft)
    count = 0  # verbs that may be open; one found closed never opens again
    for v in range(table.verbs.shape[0] + 1):
        if v == 0 or pieces.verbs[n, v]:
            draft.choices[count] = v
            count += 1
    for k in range((action.shape[0] - 1) // HEADS):
        verb = 0
        spots = 0
        heads = action[1 + k * HEADS : 1 + (k + 1) * HEADS]
        while True:
            chosen = _draw(seed, draft, count)
            verb = draft.choices[chosen]
            if verb == 0:
                return
            spots = menu_draft.is_open(table, pieces, n, verb - 1, draft)
            if spots > 0:
                break
            count -= 1
            draft.choices[chosen] = draft.choices[count]
        _command(table, pieces, n, verb - 1, spots, seed, heads, draft)
        menu_draft.book(table, pieces, n, verb - 1, heads, draft)


@kernel
def _command(
    table: MenuTable, pieces: Pieces, n: int, v: int, spots: int, seed: np.uint64, heads: Any, draft: Draft
) -> None:
    """Draw the heads that a verb needs; ``spots`` places are in the draft, for any nation."""
    verb = table.verbs[v]
    heads[VERB] = v + 1
    if verb.nation:
        heads[NATION] = _draw_bit(seed, draft, menu_draft.find_nations(table, pieces, n, v, draft))
        if verb.cell_row >= 0:
            spots = menu_draft.find_spots(table, pieces, n, v, heads[NATION], draft)
    if verb.cell_row >= 0:
        heads[CELL] = draft.spots[_draw(seed, draft, max(1, spots))]
    for f in range(verb.factors):
        found = 0
        for value in range(VALUES):
            found += menu_draft.value_fits(table, pieces, n, v, f, value, heads, draft)
        pick = _draw(seed, draft, max(1, found))
        for value in range(VALUES):
            if menu_draft.value_fits(table, pieces, n, v, f, value, heads, draft):
                if pick == 0:
                    heads[FACTOR + f] = value
                pick -= 1


@kernel
def _draw_bit(seed: np.uint64, draft: Draft, marks: int) -> int:
    """The place of one of the bits that are 1, each equally likely; 0 if none is."""
    found = 0
    for place in range(NATIONS):
        found += (marks >> place) & 1
    pick = _draw(seed, draft, max(1, found))
    for place in range(NATIONS):
        if (marks >> place) & 1:
            if pick == 0:
                return place
            pick -= 1
    return 0


@kernel
def _draw(seed: np.uint64, draft: Draft, sides: int) -> int:
    """The next draw of this action: 0..sides-1, each equally likely."""
    draft.cursor[0] += 1
    high = chance.draw_at(seed, 0, chance.CONTROLLER, 0, draft.cursor[0]) >> np.uint64(32)
    return int(np.int64((high * np.uint64(sides)) >> np.uint64(32)))
