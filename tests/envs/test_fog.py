"""All that an agent gets depends on nothing that its nation can't know; only the reward may."""

from typing import Any

import numpy as np
import pytest

import hakoenv
from hakoenv.engine.world import assign_world, copy_world, state_hash
from hakoenv.envs import NationsEnv
from hakoenv.testing.determinism import differences
from hakoenv.testing.hidden import vary_hidden


def everything(env: NationsEnv, agent: str, picture: bool) -> dict[str, Any]:
    """Observation with mask, text, renders, and infos without the reward's parts and the run's seed."""
    info = env._infos([agent])[agent]
    del info["reward_terms"], info["seed"]
    env.render_mode = "ansi"
    found = {"observation": env._observe([agent])[agent], "info": info, "text": env.text(agent)}
    found["ansi"] = env.render(agent)
    if picture:
        env.render_mode = "rgb_array"
        found["picture"] = env.render(agent)
    return found


@pytest.mark.rule("MAP-025", "MAP-026", "MAP-027", "ARMY-058")
@pytest.mark.parametrize("wanted", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_pairs_of_worlds_that_differ_in_hidden_things_are_the_same_to_an_agent(wanted: int) -> None:
    drivers = {f"nation_{n}": name for n, name in ((2, "rule_ai"), (3, "random"))}
    env = hakoenv.parallel_env("skirmish", controllers=drivers, observation=("cells", "planes"))
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    pairs = 0
    while pairs < wanted:
        env.step(env.sample_legal())
        world = copy_world(env.world)
        for agent in env.possible_agents:
            picture = pairs % 100 < 2
            seen = everything(env, agent, picture)
            for _ in range(10):
                changed = vary_hidden(world, env.season.rules, int(agent[-1]), rng)
                assert state_hash(changed) != state_hash(world)
                assign_world(env.world, changed)
                assert not list(differences(seen, everything(env, agent, picture)))
                pairs += 1
            assign_world(env.world, world)


def test_the_comparison_would_notice() -> None:
    env = hakoenv.parallel_env("duel")
    env.reset(seed=5)
    before = everything(env, "nation_0", True)
    env.world.cells["owner"][(env.world.cells["owner"] == 1)] = -1
    env.world.nations["area"][1] = 0
    changed = {
        what.split(".")[0].split(":")[0] for what in differences(before, everything(env, "nation_0", True))
    }
    assert {"observation", "info", "text", "ansi"} <= changed
    assert any(what.startswith("picture") for what in changed)
