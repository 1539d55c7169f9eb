"""What agents get is made from the state at the end of the turn, as it is saved, and from nothing before."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hakoenv
from hakoenv.engine import save
from hakoenv.envs import NationsEnv
from hakoenv.testing.determinism import differences

TOLD = ("turn", "seed", "series", "rank", "author", "commands", "finance", "events")


def skirmish(**arguments: Any) -> NationsEnv:
    drivers = {"nation_2": "rule_ai", "nation_3": "rule_ai"}
    return hakoenv.parallel_env(
        "skirmish",
        controllers=drivers,
        observation=("cells", "planes"),
        render_mode="rgb_array",
        **arguments,
    )


def published(env: NationsEnv, observations: Any, infos: Any) -> dict[str, Any]:
    """All that the agents get, and what they are shown."""
    return {
        agent: {
            "observation": observations[agent],
            "info": {name: infos[agent][name] for name in TOLD},
            "text": env.text(agent),
            "picture": env.render(agent),
        }
        for agent in env.agents
    }


@pytest.mark.rule("TURN-042", "TURN-077")
def test_a_step_publishes_the_saved_state_and_changes_it_no_more(tmp_path: Path) -> None:
    env, reader = skirmish(), skirmish()
    env.reset(seed=8)
    for place, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(place)
    path = tmp_path / "a.save"
    env.season.save_every_turn(path)
    for turn in range(1, 32):
        observations, *_, infos = env.step(env.sample_legal())
        assert infos["nation_0"]["turn"] == turn
        if turn % 6 == 1:
            shown = published(env, observations, infos)
            header = save.peek(path) or {}
            assert header["state_hash"] == env.state_hash()  # nobody's look has changed anything
            assert not list(differences(shown, published(reader, *reader.load(path))))
            assert (reader.season.turn, reader.agents) == (turn, env.agents)


@pytest.mark.rule("TURN-077")
def test_nothing_of_the_coming_turn_shows_while_others_are_still_asked() -> None:
    """One command at a time: what nation 1 orders meanwhile is nothing that nation 0 gets."""
    steps = []
    for verb in ("industrial_policy:heavy", "fundraise", "farm"):
        env = skirmish(one_at_a_time=True)
        env.reset(seed=8)
        names = ["none", *(verb.name for verb in env.action_space("nation_0").menu.verbs)]
        actions = {agent: np.zeros(env.action_space(agent).shape, np.int64) for agent in env.agents}
        actions["nation_0"][1] = names.index("industrial_policy:heavy")  # takes no turn: it is asked again
        actions["nation_1"][1] = names.index(verb)
        observations, *_, infos = env.step(actions)
        assert infos["nation_0"]["played"] is False
        steps.append((observations["nation_0"], infos["nation_0"], env.text("nation_0")))
    assert not list(differences(steps[0], steps[1]))
    assert not list(differences(steps[0], steps[2]))
