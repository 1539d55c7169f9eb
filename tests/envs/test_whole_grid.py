"""`cells="all"`: the list of cells is the whole map, and an action's cell is a cell of it."""

from typing import Any

import numpy as np

import hakoenv
from hakoenv.engine.commands.plans import plan_of


def legal_places(mask: Any, row: int) -> dict[tuple[int, int], int]:
    """Where the verb of a row is legal, with the number of its price."""
    return {
        tuple(mask["places"][place].tolist()): int(mask["cells"][row, place])
        for place in np.flatnonzero(mask["cells"][row])
    }


def test_every_cell_of_the_map_has_its_place_and_the_menu_is_the_same() -> None:
    grid, listed = (
        hakoenv.parallel_env("duel", cells=cells, commands_per_turn=2) for cells in ("all", "list")
    )
    seen, short = (env.reset(seed=3)[0]["nation_0"] for env in (grid, listed))
    height, width = grid.world.cells.shape
    assert seen["cells"].shape[0] == height * width == grid.action_space("nation_0").nvec[3]
    assert grid.observation_space("nation_0").contains(seen)
    assert seen["action_mask"]["places"].tolist() == [[x, y] for y in range(height) for x in range(width)]
    for v, row in enumerate(grid.action_space("nation_0").menu.cell_row):
        if row < 0:
            continue
        everywhere, nearby = (legal_places(one["action_mask"], row) for one in (seen, short))
        assert nearby == everywhere, v  # nothing can be done out of the list's reach
    assert np.array_equal(seen["action_mask"]["verbs"], short["action_mask"]["verbs"])


def test_an_action_may_name_any_cell() -> None:
    env = hakoenv.parallel_env("duel", cells="all", commands_per_turn=1)
    env.reset(seed=3)
    height, width = env.world.cells.shape
    space = env.action_space("nation_1")
    action = np.zeros(space.shape, np.int64)
    action[0], action[1] = 2, 1 + [verb.name for verb in space.menu.verbs].index("dig")
    action[3] = height * width - 1  # the last corner, far from anything
    fundraise = action.copy()
    fundraise[1] = 1 + [verb.name for verb in space.menu.verbs].index("fundraise")
    *_, infos = env.step({"nation_0": fundraise, "nation_1": action})
    refused = infos["nation_1"]["commands"][0]
    assert (refused["command"], refused["x"], refused["y"]) == ("dig", width - 1, height - 1)
    assert refused["reason"] not in ("done", "blocked")
    assert plan_of(env.world, 1) == []
    for _ in range(10):
        observations, *_ = env.step(env.sample_legal())
        for agent, observation in observations.items():
            assert env.observation_space(agent).contains(observation)
