"""Masks kept beside observations, in arrays of one width whatever the length of a cell list was."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from hakoenv.agents.policy.form import CELLS
from hakoenv.agents.policy.sampling import Masks
from numpy.typing import NDArray

_MAY = "may_"


def widened(masks: Masks) -> Masks:
    """Masks whose cells have a place for every place of a full cell list."""
    missing = CELLS - masks.cells.shape[-1]
    if not missing:
        return masks
    return masks._replace(cells=np.pad(masks.cells, ((0, 0), (0, 0), (0, missing))))


def named(masks: Masks) -> dict[str, NDArray[Any]]:
    """Masks by names that no observation has."""
    return {f"{_MAY}{name}": mask for name, mask in masks._asdict().items()}


def unnamed(entries: dict[str, NDArray[Any]], spots: int) -> Masks:
    """The masks out of entries, as tensors, for so many places of the cell list."""
    masks = Masks(*(torch.from_numpy(entries[f"{_MAY}{name}"]) for name in Masks._fields))
    return masks._replace(cells=masks.cells[..., :spots])
