"""Commands that destroy: missiles, and the self-destruction of a defense facility."""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def allowed(world: World, rules: Rules, nation: int, turn: int, command: int, cell: int, amount: int) -> int:
    """Reason code of a launch of missiles at a cell (MSL-023: what refuses it, and the friendly check)."""
    return reason.NOT_BUILT_YET


@kernel
def may_self_destruct(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, amount: int
) -> int:
    """Reason code of blowing up an own defense facility (LIMIT-008, LIMIT-018)."""
    return reason.NOT_BUILT_YET


@kernel
def launch(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """Fire the missiles of a command that is allowed; each is paid as it flies (MSL-010, MSL-023)."""


@kernel
def self_destruct(world: World, rules: Rules, nation: int, cell: int) -> None:
    """Blow up a defense facility (LIMIT-018)."""
