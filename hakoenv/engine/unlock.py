"""The unlock of tunnels (phase 4)."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def check(world: World, rules: Rules) -> None:
    """Unlock tunnels for the rest of the season once little land is ownerless (MAP-030, TURN-005).

    Counts the land of the last census: nothing has changed hands since. Reclaiming land stays
    impossible whatever the result (MAP-028).
    """
    clock = world.clock[0]
    if clock.tunnels_unlocked or clock.all_land == 0:
        return
    if clock.ownerless_land * 100 <= rules.scalars[0].tunnel_neutral_land_percent * clock.all_land:
        clock.tunnels_unlocked = 1
        happenings.record(world, event.TUNNELS_UNLOCKED, -1, -1, 0)
