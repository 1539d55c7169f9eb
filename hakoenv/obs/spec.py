"""The observation of one agent: its arrays, their space, and the call that fills them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hakoenv.engine.kernel import as_kernel_array
from hakoenv.engine.world import World
from hakoenv.obs import bond_pieces, pieces, planes, trade_pieces
from hakoenv.obs.arrays import Arrays, Scratch
from hakoenv.obs.fill import fill
from hakoenv.obs.listed_deals import LISTED
from hakoenv.ruleset import Rules, Ruleset

VIEWS = ("cells", "planes")
LISTS = ("list", "all")
CELL_INDEX = "cell_index"
# 0 but where something stands: the fillers write no empty places
_LISTS = (
    "cells", "nations", "relations", "plan", "results", "sightings", "units", "corps", "ships",
    *trade_pieces.LISTS, trade_pieces.SUPPLY_ALLOWED, *bond_pieces.LISTS,
)  # fmt: skip


class Buffers(dict[str, NDArray[Any]]):
    """The observations of all seats, by name; arrays are filled again, never exchanged.

    Attributes:
        arrays: the same memory, as kernels take it.
    """

    def __init__(self, named: Mapping[str, NDArray[Any]], arrays: Arrays) -> None:
        super().__init__(named)
        self.arrays = arrays


class Spec:
    """What an observation consists of; made once per environment.

    Attributes:
        seats: nations of the environment.
        views: the map as `cells`, as `planes`, or as both.
        cell_count: places in the list of cells.
        cell_features: what stands along the last axis of `cells`.
        plane_names: what stands along the first axis of `planes`.
        pieces: the arrays of an observation.
        names: their names.
        lists: those that must be 0 before they are filled: the fillers write no empty places.
    """

    def __init__(
        self,
        ruleset: Ruleset | Rules,
        seats: int,
        views: tuple[str, ...] | str = ("cells",),
        cells: str = "list",
    ) -> None:
        """Choose the arrays.

        Args:
            ruleset: the rules, compiled or not; the map's size is theirs.
            seats: nations, 1..40.
            views: `cells`, `planes` or both.
            cells: `list` for up to 256 cells of interest, `all` for every cell of the map.

        Raises:
            ValueError: an unknown view or list, or a number of seats that can't be.
        """
        chosen = (views,) if isinstance(views, str) else tuple(views)
        if not chosen or any(view not in VIEWS for view in chosen):
            raise ValueError(f"views={views!r} must be one or more of {', '.join(VIEWS)}")
        if cells not in LISTS:
            raise ValueError(f"cells={cells!r} must be one of {', '.join(LISTS)}")
        if not 1 <= seats <= pieces.NATIONS:
            raise ValueError(f"seats={seats} must lie in 1..{pieces.NATIONS}")
        self.seats = seats
        self._everybody = np.arange(seats)
        self.views = tuple(view for view in VIEWS if view in chosen)
        scalars = (ruleset.rules if isinstance(ruleset, Ruleset) else ruleset).scalars
        self.height, self.width = int(scalars["map_height"][0]), int(scalars["map_width"][0])
        self.all_cells = cells == "all"
        self.cell_count = self.height * self.width if self.all_cells else pieces.CELLS
        every = pieces.all_pieces(self.height, self.width, self.cell_count)
        self.pieces = tuple(piece for piece in every if piece.view in ("", *self.views))
        self.names = tuple(piece.name for piece in self.pieces)
        self._missing = tuple(piece for piece in every if piece.view not in ("", *self.views))
        self.lists = tuple(name for name in self.names if name in _LISTS)
        self._scratch: list[Scratch] = []  # one for each thread that fills

    @property
    def cell_features(self) -> tuple[str, ...]:
        """Names of what stands along the last axis of `cells`."""
        return tuple(column.name for column in pieces.CELL)

    @property
    def plane_names(self) -> tuple[str, ...]:
        """Names of what stands along the first axis of `planes`."""
        return tuple(column.name for column in pieces.PLANES)

    def space(self) -> spaces.Dict:
        """The space of one agent's observation, without its mask."""
        boxes: dict[str, spaces.Space[Any]] = {}
        for piece in self.pieces:
            low, high = piece.bounds()
            boxes[piece.name] = spaces.Box(low, high, piece.shape, piece.dtype.type)
        return spaces.Dict(boxes)

    def buffers(self, *worlds: int) -> Buffers:
        """Fresh arrays and `cell_index`; leading axis = seats, before it ``worlds`` if a number is given.

        `cell_index` (seats, places) int32 is no part of an observation: the flat cell of each place in
        the list, -1 none; an action's cell means a place in it.
        """
        lead = (*worlds, self.seats)
        made = {piece.name: np.zeros((*lead, *piece.shape), piece.dtype) for piece in self.pieces}
        made[CELL_INDEX] = np.full((*lead, self.cell_count), -1, np.int32)
        return self.as_buffers(made)

    def as_buffers(self, made: Mapping[str, NDArray[Any]]) -> Buffers:
        """Arrays like those of `buffers` as what `fill` takes."""
        return Buffers(made, self._arrays(made))

    def fill(
        self, world: World, rules: Rules, buffers: Buffers, seats: NDArray[np.int64] | None = None
    ) -> None:
        """Write observations of ``world`` into ``buffers``, in one compiled call.

        Those of ``seats`` (int64), or of all; in the others' lists nothing stands.

        The dead and never founded get whole arrays, too: public facts, and nothing of their own.
        """
        for name in self.lists:
            buffers[name].fill(0)
        scratch = self._take_scratch()
        whose = self._everybody if seats is None else seats
        fill(world, rules, self.all_cells, whose, buffers.arrays, scratch)
        self._scratch.append(scratch)

    def of(self, buffers: Mapping[str, NDArray[Any]], nation: int) -> dict[str, NDArray[Any]]:
        """One nation's observation: views into ``buffers``."""
        return {name: buffers[name][nation] for name in self.names}

    def describe(self) -> list[dict[str, Any]]:
        """Every piece for documentation: name, shape, dtype, range, words, rules, columns."""
        return [
            {
                "name": piece.name,
                "shape": piece.shape,
                "dtype": str(piece.dtype),
                "range": None if piece.columns else piece.range,
                "words": piece.words,
                "rules": piece.rules.split(),
                "columns": [column._asdict() for column in piece.columns],
            }
            for piece in self.pieces
        ]

    def _arrays(self, buffers: Mapping[str, NDArray[Any]]) -> Arrays:
        """The buffers as kernels take them."""
        lead = buffers[CELL_INDEX].shape[:-1]
        found: dict[str, Any] = {}
        for piece in (*self.pieces, *self._missing):
            array = buffers.get(piece.name)
            if array is None:
                rest = piece.shape[1:]
                array = np.zeros((*lead, 0, *rest), piece.dtype)
            record = pieces.RECORDS.get(piece.name)
            if record is not None:
                array = as_kernel_array(array.view(record)[..., 0])
            found[piece.name] = array
        return Arrays(cell_index=buffers[CELL_INDEX], **found)

    def _take_scratch(self) -> Scratch:
        """Scratch that no other thread works in: compiled code runs at the same time as Python does."""
        try:
            return self._scratch.pop()
        except IndexError:
            return self.new_scratch()

    def new_scratch(self) -> Scratch:
        """Room for `fill` to work in."""
        cells = self.height * self.width
        return Scratch(
            np.zeros(cells, np.int32),
            np.zeros(6 * self.cell_count, np.int32),
            np.zeros((cells, 2), np.int64),
            np.zeros((cells, 2), np.int32),
            np.zeros((planes.LAYERS, cells), np.uint8),
            np.zeros(cells + 1, np.int32),
            np.zeros((cells + 1, 3), np.int32),
            np.zeros((2, cells), np.int64),
            np.zeros((LISTED, 2), np.int64),
            np.zeros((LISTED, 2), np.int64),
            np.zeros((pieces.NATIONS, 2), np.int64),
            np.zeros((pieces.NATIONS, 4), np.int64),
        )

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_scratch": []}
