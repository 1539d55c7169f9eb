"""What the rule AI remembers of an expansion overseas (AI-037): the places of `nations.voyage`."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import FLEETS, VOYAGE, World

# Each is 0 where there is none.
GOAL = 0  # the hex to land on, plus 1
STEP = 1  # turn of the last step, or of a search in vain
CORPS = 2  # of the unit that goes, plus 1
HULL = 3  # 1 = its ship has been ordered

FLEET = FLEETS - 1  # its ship is this fleet


@kernel
def recall(world: World, n: int) -> None:
    """Forget what a plan of the coming turn did: planning a turn twice gives the same plan."""
    nation = world.nations[n]
    turn = world.clock[0].turn + 1
    for k in range(VOYAGE):
        if nation.voyage_planned == turn:
            nation.voyage[k] = nation.voyage_before[k]
        nation.voyage_before[k] = nation.voyage[k]
    nation.voyage_planned = turn


@kernel
def note_step(world: World, n: int) -> None:
    """The coming turn brings a step."""
    world.nations[n].voyage[STEP] = world.clock[0].turn + 1


@kernel
def lacks_ship(world: World, n: int) -> bool:
    """Whether an expansion is under way that has no ship yet (AI-064)."""
    return bool(world.nations[n].voyage[GOAL] > 0 and world.fleets[n, FLEET].flagship < 0)
