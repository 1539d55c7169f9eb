"""From observations to the numbers that a network reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from hakoenv.agents.policy.form import CELLS, WHOLE
from torch import Tensor

from hakoenv.obs import pieces

_STEP = 16  # cell lists are cut to a multiple of this, so that few shapes occur
_SCALE = 0.25  # brings the logarithms of most counts below 2
_KINDS = (
    "terrain", "base", "relation", "deposit", "climate", "weather", "unit_type", "ship_class", "monster",
)  # fmt: skip
_UNIT_KINDS = ("type", "corps", "carries")
_SHIP_KINDS = ("ship_class", "fleet", "mode")


class Columns(NamedTuple):
    """Which columns of a list are numbers, and which name a kind, with the kinds' ranges."""

    numbers: tuple[int, ...]
    kinds: dict[str, tuple[int, int]]
    places: tuple[int, ...]  # of the kinds

    @classmethod
    def of(cls, columns: tuple[pieces.Column, ...], kinds: tuple[str, ...]) -> Columns:
        """Those of a list's columns, with the names of the kinds."""
        places = tuple(k for k, column in enumerate(columns) if column.name in kinds)
        return cls(
            tuple(k for k in range(len(columns)) if k not in places),
            {columns[k].name: columns[k].range for k in places},
            places,
        )


CELLS_READ = Columns.of(pieces.CELL, _KINDS)
UNITS_READ = Columns.of(pieces.UNIT, _UNIT_KINDS)
SHIPS_READ = Columns.of(pieces.SHIP, _SHIP_KINDS)


def _column(columns: tuple[pieces.Column, ...], name: str) -> int:
    return next(k for k, column in enumerate(columns) if column.name == name)


_UNIT_CORPS = _column(pieces.UNIT, "corps")
_SHIP_FLEET = _column(pieces.SHIP, "fleet")
_CELL_X, _CELL_Y = _column(pieces.CELL, "x"), _column(pieces.CELL, "y")
_X, _Y = _column(pieces.UNIT, "x"), _column(pieces.UNIT, "y")  # likewise of ships


class Features(NamedTuple):
    """What a network reads of B observations; P: places of the cell list that are used by any of them."""

    whole: Tensor  # float (B, W): everything that is no list
    cells: Tensor  # float (B, P, numbers)
    cell_kinds: Tensor  # long (B, P, kinds)
    listed: Tensor  # bool (B, P): where a cell stands
    nations: Tensor  # float (B, 40, columns)
    seated: Tensor  # bool (B, 40)
    units: Tensor  # float (B, U, numbers)
    unit_kinds: Tensor  # long (B, U, kinds)
    unit_place: Tensor  # long (B, U): place of the unit's cell in the list, P where it is not listed
    unit_listed: Tensor  # bool (B, U)
    unit_corps: Tensor  # long (B, U)
    ships: Tensor  # float (B, S, numbers)
    ship_kinds: Tensor  # long (B, S, kinds)
    ship_place: Tensor  # long (B, S), as of units
    ship_listed: Tensor  # bool (B, S)
    ship_fleet: Tensor  # long (B, S): 0 where it belongs to none, and then `ship_led` is false
    ship_led: Tensor  # bool (B, S): whether a ship stands there that belongs to a fleet


def used_cells(seen: Mapping[str, Any]) -> int:
    """How many places of the cell list have to be read."""
    most = int(seen["cells"][..., 0].sum(axis=-1).max(initial=1))
    return min(CELLS, -(-most // _STEP) * _STEP)


def read(seen: Mapping[str, Any], device: torch.device | str = "cpu") -> Features:
    """Observations as numbers: logarithms of counts, kinds as indices.

    Args:
        seen: the pieces of `form.READ`, each with a leading axis B.
        device: where the tensors go.
    """
    used = used_cells(seen)
    cells = torch.from_numpy(seen["cells"][:, :used]).to(device)
    nations = torch.from_numpy(seen["nations"]).to(device)
    units, ships = (_used(seen[name]).to(device) for name in ("units", "ships"))
    parts = [torch.from_numpy(seen[name]).to(device).reshape(len(cells), -1) for name in WHOLE]
    fleet = ships[..., _SHIP_FLEET].long()
    return Features(
        whole=_log(torch.cat(parts, dim=1)),
        cells=_log(cells[..., CELLS_READ.numbers]),
        cell_kinds=_kinds(cells, CELLS_READ),
        listed=cells[..., 0] > 0,
        nations=_log(nations),
        seated=nations[..., 0] > 0,
        units=_log(units[..., UNITS_READ.numbers]),
        unit_kinds=_kinds(units, UNITS_READ),
        unit_place=_places(cells, units),
        unit_listed=units[..., 0] > 0,
        unit_corps=units[..., _UNIT_CORPS].long(),
        ships=_log(ships[..., SHIPS_READ.numbers]),
        ship_kinds=_kinds(ships, SHIPS_READ),
        ship_place=_places(cells, ships),
        ship_listed=ships[..., 0] > 0,
        ship_fleet=fleet.clamp(min=0),
        ship_led=(ships[..., 0] > 0) & (fleet >= 0),
    )


def _used(entries: Any) -> Tensor:
    """A list up to the last place that any observation uses, one at least."""
    return torch.from_numpy(entries[:, : max(1, int(entries[..., 0].sum(axis=-1).max(initial=0)))])


def _kinds(entries: Tensor, read: Columns) -> Tensor:
    """The kinds of entries, counted from 0."""
    lows = [low for low, _ in read.kinds.values()]
    return entries[..., read.places].long() - torch.tensor(lows, device=entries.device)


def whole_size() -> int:
    """Length of `Features.whole`."""
    sizes = {piece.name: piece.shape for piece in pieces.all_pieces(1, 1, CELLS)}
    return sum(int(torch.Size(sizes[name]).numel()) for name in WHOLE)


def _log(numbers: Tensor) -> Tensor:
    numbers = numbers.float()
    return torch.sign(numbers) * torch.log1p(numbers.abs()) * _SCALE


def _places(cells: Tensor, entries: Tensor) -> Tensor:
    """Where in the cell list the cell of each unit or ship stands."""
    there = (entries[:, :, None, _X] == cells[:, None, :, _CELL_X]) & (
        entries[:, :, None, _Y] == cells[:, None, :, _CELL_Y]
    )
    there &= cells[:, None, :, 0] > 0
    place = there.long().argmax(dim=-1)
    return torch.where(there.any(dim=-1), place, torch.full_like(place, cells.shape[1]))
