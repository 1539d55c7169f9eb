"""What ports and fishing grounds add to the fields of a cell (MKT-007, FISH-001)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv.engine.codes import terrain
from hakoenv.engine.shipping import harbours
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import Field, record, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_MOST = 2**31 - 1


def _read_handled(small: SmallWorld, where: int) -> int:
    """Containers handled in this turn; 0 of a cell that is no port of trade."""
    place = int(harbours.find(small.world, where))
    return 0 if place < 0 else int(small.world.harbours[place]["handled"])


def _write_handled(small: SmallWorld, where: int, value: Any) -> None:
    if record(small, "cells", where)["terrain"] != terrain.PORT:
        raise CaseError("the cell is no port")
    harbours.enlist(small.world)
    place = int(harbours.find(small.world, where))
    if place < 0:
        raise CaseError("no room for more ports in a world of this size")
    small.world.harbours[place]["handled"] = whole(value, 0, _MOST)


def _ground(small: SmallWorld, where: int) -> int:
    """The place of a cell in the list of fishing grounds, -1 none."""
    return next(iter(np.flatnonzero(small.world.grounds["cell"] == where).tolist()), -1)


def _read_fish(small: SmallWorld, where: int) -> int | None:
    place = _ground(small, where)
    return None if place < 0 else int(small.world.grounds[place]["fish"])


def _write_fish(small: SmallWorld, where: int, value: Any) -> None:
    """Food in a fishing ground, which the cell becomes by it; None: it is none."""
    grounds, place = small.world.grounds, _ground(small, where)
    if value is None:
        if place >= 0:
            grounds[place]["cell"], grounds[place]["fish"] = -1, 0
        return
    fish = whole(value, 0, _MOST)
    if record(small, "cells", where)["terrain"] != terrain.SEA:
        raise CaseError("only sea can be a fishing ground")
    if place < 0:
        place = next(iter(np.flatnonzero(grounds["cell"] < 0).tolist()), -1)
    if place < 0:
        raise CaseError("no room for more fishing grounds in a world of this size")
    grounds[place]["cell"], grounds[place]["fish"] = where, fish


PORT_FIELDS: dict[str, Field] = {
    "handled": Field(_read_handled, _write_handled),
    "fish_stock": Field(_read_fish, _write_fish),
}
