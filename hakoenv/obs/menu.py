"""The action mask of an observation: a menu of what a nation may do in the coming turn, and what it costs.

A menu is plain arrays from which whole plans can be composed without asking anybody again: which verbs,
where, toward whom, with which numbers, at which price, out of which purse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hakoenv.engine.commands import table
from hakoenv.engine.world import FLEETS, World
from hakoenv.obs import menu_deals, menu_draft, menu_fill, menu_pieces, menu_table, menu_values
from hakoenv.obs.menu_pieces import NATIONS as NATIONS
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.ruleset import Rules, Ruleset

CELLS = 256
Buffers = dict[str, NDArray[Any]]
FILLED_IN_PART = tuple(name for name in Pieces._fields if name not in ("prices", "places"))


class Menu:
    """Makes the menus of all nations of a world; made once per environment, may be pickled.

    Shapes, with V verbs of which R need a cell, C places in the cell list and P prices:

    - ``verbs`` int8 (V + 1,): 1 = some way to give it is legal now. Index 0 is "no (more) command", always 1.
    - ``cells`` uint8 (R, C): 0 = illegal, else 1 + index of the price; rows are the verbs that need a cell,
      in order (`cell_row`). uint16 in a ruleset with more than 254 prices.
    - ``nations`` int8 (V, 40): whom a verb may name. Place k is nation ``(own number + k) % nations``.
    - ``factors`` int8 (V, 4, 32): which of the offered values of each factor are legal.
    - ``prices`` int32 (P, 16): price by item, wood..steel, food, funds, then reserves and the five items for
      units; row 0 is free. `place_unit` and missiles have the price of one strength or shot.
    - ``flat_price`` like ``cells`` (V,): index of the price of a verb that needs no cell.
    - ``purse`` int32 (16,): what pays: treasury, reserves, national store of items for units.
    - ``uses`` int8 (21,): how often research, a policy, level_land, cede_land, missiles, anything at all,
      new warships, new naval mines, salvages, new auctions and acceptances of regular shipments may still be
      given; missiles: as often as one likes, until a treaty or friendship forbids them. Then: a change of the
      own place in factions, members let in, a new name, a notice of dissolution, the trade league, the
      containment, reserves by land. Last: new ports, transports of aid and exchanges, offers of regular
      shipments; where as many of these are open as may be, they can only be changed, as often as one likes.
    - ``places`` int16 (C, 2): column and row of each place of the cell list, -1 none.
    - ``beside`` int64 (C,): whom an own cell may be ceded to, of a foreign port whose it is; bit k stands
      for place k of the nation head.
    - ``limits`` int16 (C,): at an own depot the strength that finds room, elsewhere the missiles that own
      bases fire there at most in one command; -1 an own missile base.
    - ``options`` int32 (C, 5): of an own warship there, which fleets it may join (of a foreign port: of
      which items regular shipments may be offered), in which directions it may take a unit aboard, land one,
      and make a step: bit k stands for the k-th of the offered values; last, 1 + its fleet (17 in none), or
      -1 an own naval port, -2 an own port, 0 nothing.
    - ``trade`` int32 (9, 32): what the values of trade stand for: by item (wood .. food, funds, reserves)
      the stock that percentages are of, then national prices in thousandths of funds; by place of the list
      of open lots their numbers and the lowest bid on each; by place of the offers of regular shipments
      received number x 100 + revision, of those made their numbers (0: the list ends); by item how much may
      still be sent as aid, and in exchanges that the nation accepts; the numbers of trade leagues.
    - ``deals`` int32 (40, 4): for each place of the nation head the items that may be sent to it as aid, one
      bit each; the item that it wants in its offer of an exchange, and how much; ties: 1 of the own trade
      league, 2 the hegemon whom the containment opposes, 4 of the containment against the own nation.

    Attributes:
        verbs: the verbs, in order; verb v is index v + 1 of the verb head.
        uses_turn: of each verb, whether it ends its nation's turn when it is carried out (CMD-004).
        seats: nations of the world.
        cells: places in a cell list.
        table: the compiled form.
    """

    def __init__(
        self,
        ruleset: Ruleset | Rules,
        seats: int,
        commands: str | Sequence[str] = "all",
        cells: int = CELLS,
    ) -> None:
        """Choose the verbs.

        Args:
            ruleset: the rules.
            seats: nations of the world, 1..40.
            commands: groups, names of commands or of verbs, as `table.select` takes them.
            cells: length of the cell list.

        Raises:
            ValueError: unknown group, command or verb; a number of seats or cells that can't be.
        """
        if not 1 <= seats <= NATIONS:
            raise ValueError(f"seats={seats} must lie in 1..{NATIONS}")
        if cells < 1:
            raise ValueError(f"cells={cells} must be at least 1")
        self.verbs = table.select(commands)
        self.seats = int(seats)
        self.cells = int(cells)
        self._everybody = np.arange(self.seats)
        self.table = menu_table.build(ruleset.rules if isinstance(ruleset, Ruleset) else ruleset, self.verbs)
        turns = (ruleset.rules if isinstance(ruleset, Ruleset) else ruleset).commands["turns"]
        self.uses_turn: tuple[bool, ...] = tuple(bool(turns[verb.command] > 0) for verb in self.verbs)
        self._forms = self._make_forms()
        self._scratch: list[menu_pieces.Scratch] = []  # what sites allow, remembered: one for each thread

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is remembered."""
        return {**self.__dict__, "_scratch": []}

    @property
    def cell_row(self) -> NDArray[np.int64]:
        """The row of ``cells`` of each verb, -1 for verbs that need no cell."""
        return np.array(self.table.verbs["cell_row"])

    def values(self, verb: int, factor: int) -> list[int]:
        """The numbers that the places of a factor head stand for, those of `percents` included."""
        record = self.table.verbs[verb]
        return [int(value) for value in record["value"][factor][: int(record["count"][factor])]]

    def percents(self, verb: int, factor: int) -> list[bool]:
        """Of each of these numbers, whether it is a percentage of what `source` says, not a plain number."""
        record = self.table.verbs[verb]
        return [place >= record["plain"][factor] for place in range(int(record["count"][factor]))]

    def source(self, verb: int, factor: int) -> str:
        """What the percentages of a factor are of, or the list of the state whose places its values are.

        `town_population`, `treasury`, `national_price` (of the quantity before), `exchange_cap`,
        `exchange_stock`, `aid_cap` and `reserves_cap` (the less of stock and cap), `lowest_bid`; `open_lots`,
        `offers_received`, `offers_made`, `leagues`. Empty if the values are plain numbers only.
        """
        of = int(self.table.verbs[verb]["of"][factor])
        words = {**menu_deals.SHARES, **menu_deals.LISTED}
        return next((word for word, number in words.items() if number == of), "")

    def numbers(self, mask: Mapping[str, Any], heads: Sequence[int], people: int = 0) -> list[int]:
        """What the factors of a command stand for: the numbers that its line in words would have.

        Args:
            mask: the nation's menu, as the action found it.
            heads: of the command: verb, nation, cell and factors, as `PlanSpace` describes them.
            people: who live on the cell that it names, units of 100.
        """
        verb = heads[menu_table.VERB] - 1
        trade = np.ascontiguousarray(mask["trade"], np.int32)
        row = np.array(heads, np.int64)
        factors = range(int(self.table.verbs["factors"][verb]))
        return [int(menu_values.number_of(self.table, verb, trade, row, int(people), f)) for f in factors]

    def space(self) -> spaces.Dict:
        """The space of one nation's menu: the ``action_mask`` part of an observation."""
        return spaces.Dict(
            {
                name: spaces.Box(low, high, shape, dtype)
                for name, (shape, dtype, low, high) in self._forms.items()
            }
        )

    def buffers(self, *worlds: int) -> Buffers:
        """Arrays for all seats, the seat being the leading axis, or the one after that of worlds."""
        lead = (*worlds, self.seats)
        return {name: np.zeros((*lead, *shape), dtype) for name, (shape, dtype, _, _) in self._forms.items()}

    def fill(
        self,
        world: World,
        rules: Rules,
        cell_index: NDArray[np.int32],
        buffers: Buffers,
        seats: NDArray[np.int64] | None = None,
    ) -> None:
        """Fill menus, on each nation's own view, for the turn after the last.

        Args:
            world: between two turns.
            rules: those of the menu.
            cell_index: int32 (seats, C): flat cell of each place of each nation's cell list, -1 none.
            buffers: as `buffers` made them; whatever they hold is overwritten. Fallen nations get a menu of
                nothing but "no command".
            seats: int64 (n,): whose menus; None all. The others' menus stay 0.
        """
        for name in FILLED_IN_PART:
            buffers[name].fill(0)
        try:
            scratch = self._scratch.pop()
        except IndexError:
            scratch = menu_pieces.new_scratch(self.table)
        whose = self._everybody if seats is None else seats
        menu_fill.fill(world, rules, self.table, whose, cell_index, as_pieces(buffers), scratch)
        self._scratch.append(scratch)

    def of(self, buffers: Buffers, nation: int) -> Buffers:
        """One nation's menu: views into the buffers."""
        return {name: array[nation] for name, array in buffers.items()}

    def alone(self, mask: Mapping[str, Any]) -> Buffers:
        """One nation's menu, whoever holds it now, as the buffers of one seat.

        Numbers of another type are taken over; kernels read only arrays that have passed here.

        Raises:
            ValueError: an array is missing or has another shape, as in a menu of another environment.
        """
        found: Buffers = {}
        for name, (shape, dtype, _, _) in self._forms.items():
            if name not in mask:
                raise ValueError(f"the mask has no {name!r}; it must be an observation's whole action_mask")
            array = np.ascontiguousarray(mask[name])
            if array.shape != shape:
                raise ValueError(
                    f"the mask's {name!r} has shape {array.shape}, not {shape}: is it of another environment?"
                )
            found[name] = array.astype(dtype, copy=False)[np.newaxis]
        return found

    def together(self, masks: Mapping[str, Any] | Sequence[Mapping[str, Any]], count: int) -> Buffers:
        """Menus of several nations as buffers: one of each, or all in arrays with a leading axis.

        Raises:
            ValueError: they are not ``count``; as `alone`.
        """
        if isinstance(masks, Mapping):
            held = {len(np.atleast_1d(array)) for array in masks.values()}
            if held != {count}:
                raise ValueError(f"the mask's arrays hold {sorted(held)} nations, not {count}")
            masks = [{name: array[i] for name, array in masks.items()} for i in range(count)]
        if len(masks) != count:
            raise ValueError(f"there are {len(masks)} masks for {count} prefixes")
        if not count:
            return {name: array[:0] for name, array in self.buffers().items()}
        each = [self.alone(mask) for mask in masks]
        return {name: np.concatenate([menu[name] for menu in each]) for name in self._forms}

    def book(self, buffers: Buffers, seats: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Make the menus what they are once the commands of the actions are given (one at a time).

        Args:
            buffers: changed in place.
            seats: (n,) nations, each at most once.
            actions: (n, L): their actions, as `PlanSpace` describes them.
        """
        pieces = as_pieces(buffers)
        draft = menu_draft.new_draft(len(self.verbs), self.cells)
        commands = (actions.shape[1] - 1) // menu_draft.HEADS
        for seat, action in zip(seats, np.ascontiguousarray(actions, np.int64), strict=True):
            menu_draft.shrink(self.table, pieces, int(seat), action, commands, draft)

    def _make_forms(self) -> dict[str, tuple[tuple[int, ...], type, int, int]]:
        """Shape, type, least and greatest value of each array."""
        count, prices = len(self.verbs), len(self.table.prices)
        entry = np.uint8 if prices < np.iinfo(np.uint8).max else np.uint16
        most = int(np.iinfo(np.int32).max)
        rows = len(self.table.row_verb)
        return {
            "verbs": ((count + 1,), np.int8, 0, 1),
            "cells": ((rows, self.cells), entry, 0, prices),
            "nations": ((count, NATIONS), np.int8, 0, 1),
            "factors": ((count, menu_table.FACTORS, menu_table.VALUES), np.int8, 0, 1),
            "prices": ((prices, menu_table.MEANS), np.int32, 0, most),
            "flat_price": ((count,), entry, 0, prices),
            "purse": ((menu_table.MEANS,), np.int32, 0, most),
            "uses": ((menu_table.GROUPS,), np.int8, 0, int(np.iinfo(np.int8).max)),
            "places": ((self.cells, 2), np.int16, -1, int(np.iinfo(np.int16).max)),
            "beside": ((self.cells,), np.int64, 0, (1 << NATIONS) - 1),
            "limits": ((self.cells,), np.int16, -1, int(np.iinfo(np.int16).max)),
            "options": ((self.cells, menu_table.OPTIONS), np.int32, -2, (1 << FLEETS) - 1),
            "trade": ((menu_deals.ROWS, menu_table.VALUES), np.int32, 0, most),
            "deals": ((NATIONS, menu_deals.COLUMNS), np.int32, 0, most),
        }


def as_pieces(buffers: Buffers) -> Pieces:
    """The arrays of menus as kernels take them."""
    return Pieces(*(buffers[name] for name in Pieces._fields))
