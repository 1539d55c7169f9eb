"""The wounded of a nation recover (phase 28)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def discharge(world: World, rules: Rules, nation: int) -> None:
    """A share of the wounded, at least one, returns to the reserves (ARMY-057, TURN-065)."""
    s = rules.scalars[0]
    record = world.nations[nation]
    wounded = int(record.wounded)
    back = min(wounded, max(s.army_wounded_return_min, wounded * s.army_wounded_return_percent // 100))
    record.wounded -= back
    record.reserves += back
