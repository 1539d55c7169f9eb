"""Commands between two nations: war, ceasefire, amity, and land that changes hands in peace."""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def allowed(
    world: World, rules: Rules, nation: int, turn: int, command: int, amount: int, target: int
) -> int:
    """Reason code of declare_war, ceasefire or amity toward a nation."""
    return reason.NOT_BUILT_YET


@kernel
def may_cede(world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, target: int) -> int:
    """Reason code of cede_land: a cell for a nation."""
    return reason.NOT_BUILT_YET


@kernel
def carry_out(
    world: World, rules: Rules, nation: int, command: int, cell: int, amount: int, target: int
) -> None:
    """The effect of a command of this file that is allowed."""
