"""How the columns of an observation's pieces are declared: name, range and words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import ship_class, unit_type
from hakoenv.engine.codes import terrain as terrain_code

NATIONS = 40  # places for nations in every scenario

Range = tuple[int, int]
FLAG: Range = (0, 1)
SMALL: Range = (0, 32_767)  # what int16 holds; a larger number is shown as the limit
LARGE: Range = (0, 2**31 - 1)  # likewise for int32
SIGNED: Range = (-(2**31), 2**31 - 1)
ANY: Range = (-(2**53), 2**53)
BYTE: Range = (0, 255)
PLACE: Range = (-1, NATIONS - 1)  # -1 nobody
X: Range = (0, 254)
X_OR_NONE: Range = (-1, 254)
SHIP_CLASS: Range = (0, ship_class.COUNT - 1)
AGE: Range = (-1, 32_767)
UNIT_TYPE: Range = (0, unit_type.COUNT - 1)
TERRAIN: Range = (0, terrain_code.COUNT - 1)


class Column(NamedTuple):
    """One number of a record."""

    name: str
    range: Range
    words: str


def columns(**given: tuple[Range, str]) -> tuple[Column, ...]:
    """Columns by name, in order."""
    return tuple(Column(name, *rest) for name, rest in given.items())


def record(declared: tuple[Column, ...], kind: Any) -> np.dtype[Any]:
    """The record of columns that all are numbers of one kind."""
    return np.dtype([(column.name, kind) for column in declared], align=True)
