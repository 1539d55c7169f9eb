"""Commands that raise, place and equip troops: conscript, place_unit, equip_item."""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import prices
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def allowed(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, command: int, cell: int, amount: int
) -> tuple[int, int, int, int]:
    """Whether a command for troops on a cell is allowed: (reason, price kind, price row, price level)."""
    return reason.NOT_BUILT_YET, prices.COMMAND, command, 0


@kernel
def carry_out(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """The effect of a command for troops that is allowed and paid."""
