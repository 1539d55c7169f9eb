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

_UNIT_CORPS = next(k for k, column in enumerate(pieces.UNIT) if column.name == "corps")

CELL_KINDS = {column.name: column.range for column in pieces.CELL if column.name in _KINDS}
"""Columns of `cells` that name a kind, with their ranges."""
CELL_NUMBERS = tuple(k for k, column in enumerate(pieces.CELL) if column.name not in _KINDS)
UNIT_KINDS = {column.name: column.range for column in pieces.UNIT if column.name in _UNIT_KINDS}
UNIT_NUMBERS = tuple(k for k, column in enumerate(pieces.UNIT) if column.name not in _UNIT_KINDS)
_CELL_PLACES = tuple(k for k, column in enumerate(pieces.CELL) if column.name in _KINDS)
_UNIT_PLACES = tuple(k for k, column in enumerate(pieces.UNIT) if column.name in _UNIT_KINDS)
_CELL_LOWS = [CELL_KINDS[pieces.CELL[k].name][0] for k in _CELL_PLACES]
_UNIT_LOWS = [UNIT_KINDS[pieces.UNIT[k].name][0] for k in _UNIT_PLACES]
_CELL_X, _CELL_Y = (next(k for k, c in enumerate(pieces.CELL) if c.name == name) for name in ("x", "y"))
_UNIT_X, _UNIT_Y = (next(k for k, c in enumerate(pieces.UNIT) if c.name == name) for name in ("x", "y"))


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
    most = max(1, int(seen["units"][..., 0].sum(axis=-1).max(initial=0)))
    units = torch.from_numpy(seen["units"][:, :most]).to(device)
    parts = [torch.from_numpy(seen[name]).to(device).reshape(len(cells), -1) for name in WHOLE]
    return Features(
        whole=_log(torch.cat(parts, dim=1)),
        cells=_log(cells[..., CELL_NUMBERS]),
        cell_kinds=cells[..., _CELL_PLACES].long() - torch.tensor(_CELL_LOWS, device=device),
        listed=cells[..., 0] > 0,
        nations=_log(nations),
        seated=nations[..., 0] > 0,
        units=_log(units[..., UNIT_NUMBERS]),
        unit_kinds=units[..., _UNIT_PLACES].long() - torch.tensor(_UNIT_LOWS, device=device),
        unit_place=_places(cells, units),
        unit_listed=units[..., 0] > 0,
        unit_corps=units[..., _UNIT_CORPS].long(),
    )


def whole_size() -> int:
    """Length of `Features.whole`."""
    sizes = {piece.name: piece.shape for piece in pieces.all_pieces(1, 1, CELLS)}
    return sum(int(torch.Size(sizes[name]).numel()) for name in WHOLE)


def _log(numbers: Tensor) -> Tensor:
    numbers = numbers.float()
    return torch.sign(numbers) * torch.log1p(numbers.abs()) * _SCALE


def _places(cells: Tensor, units: Tensor) -> Tensor:
    """Where in the cell list the cell of each unit stands."""
    there = (units[:, :, None, _UNIT_X] == cells[:, None, :, _CELL_X]) & (
        units[:, :, None, _UNIT_Y] == cells[:, None, :, _CELL_Y]
    )
    there &= cells[:, None, :, 0] > 0
    place = there.long().argmax(dim=-1)
    return torch.where(there.any(dim=-1), place, torch.full_like(place, cells.shape[1]))
