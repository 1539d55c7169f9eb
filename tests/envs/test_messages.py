"""Messages beside actions: posted before a step, told by infos and text after it, and to nobody else."""

import copy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import hakoenv
from hakoenv.engine.board import FACTION
from hakoenv.envs import NationEnv, NationsEnv
from hakoenv.obs.text_messages import WARNING
from hakoenv.testing.determinism import differences

OPTIONS: dict[str, Any] = {"nations": 3, "commands_per_turn": 1, "rules": {"map.width": 20, "map.height": 20}}


@pytest.fixture(scope="module")
def fresh() -> NationsEnv:
    """Three nations before turn 1; copies are played."""
    env = hakoenv.parallel_env("skirmish", **OPTIONS)
    env.reset(seed=4)
    return env


@pytest.fixture
def env(fresh: NationsEnv) -> NationsEnv:
    return copy.deepcopy(fresh)


def keep(env: NationsEnv) -> dict[str, Any]:
    return {agent: np.zeros(env.action_space(agent).shape, np.int64) for agent in env.agents}


def found(env: NationsEnv, *nations: int) -> None:
    """A faction of these nations."""
    env.world.factions["active"][0] = 1
    env.world.factions["leader"][0] = nations[0]
    env.world.nations["faction"][list(nations)] = 0


@pytest.mark.rule("TURN-077")
def test_a_message_is_told_after_the_turn_beside_whose_action_it_was_posted(env: NationsEnv) -> None:
    assert env.post("nation_0", "shall we\nmake peace?", to="nation_1") == ""
    assert env._infos(env.agents)["nation_1"]["messages"] == []
    infos = env.step(keep(env))[4]
    said = {"turn": 1, "from": "nation_0", "to": "nation_1", "text": "shall we make peace?"}
    assert infos["nation_0"]["messages"] == infos["nation_1"]["messages"] == [said]
    assert infos["nation_2"]["messages"] == []
    assert env.post("nation_1", "yes", to=said["from"]) == ""
    infos = env.step(keep(env))[4]
    assert [message["text"] for message in infos["nation_0"]["messages"]] == ["yes"]  # only what is new


def test_what_is_refused_is_told_at_once_and_raises_nothing(env: NationsEnv) -> None:
    assert "at most 280" in env.post("nation_0", "x" * 300)
    assert "no room" in env.post("nation_0", "x", to="faction")
    assert "must be nation_0" in env.post("nation_0", "x", to="nation_9")
    with pytest.raises(KeyError, match="is no agent"):
        env.post("nation_9", "x")
    with pytest.raises(gymnasium.error.ResetNeeded):
        hakoenv.parallel_env("duel").post("nation_0", "x")


def test_messages_change_neither_world_nor_observations(env: NationsEnv) -> None:
    silent = copy.deepcopy(env)
    env.post("nation_0", "hello")
    first, second = env.step(keep(env)), silent.step(keep(silent))
    assert env.state_hash() == silent.state_hash()
    assert not list(differences(first[:4], second[:4]))
    assert env.observation_space("nation_0") == silent.observation_space("nation_0")


@pytest.mark.rule("FAC-015")
def test_an_agent_gets_no_message_that_is_not_for_it(env: NationsEnv) -> None:
    """All that nation_2 gets is the same whatever the others say to each other and in their room."""
    found(env, 0, 1)
    quiet = copy.deepcopy(env)
    assert env.post("nation_0", "we attack nation_2", to=FACTION) == ""
    assert env.post("nation_1", "when?", to="nation_0") == ""
    told = [one.step(keep(one)) for one in (env, quiet)]
    seen = [(step[0]["nation_2"], step[4]["nation_2"]) for step in told]
    assert not list(differences(*seen))
    assert env.text("nation_2") == quiet.text("nation_2")
    assert list(differences(told[0][4]["nation_0"], told[1][4]["nation_0"]))
    assert env.text("nation_0") != quiet.text("nation_0")


def test_a_nation_that_falls_posts_and_hears_no_more(env: NationsEnv) -> None:
    env.world.nations["abandoning"][2] = 1
    env.post("nation_2", "farewell")
    env.post("nation_0", "stay", to="nation_2")
    infos = env.step(keep(env))[4]
    assert [message["text"] for message in infos["nation_0"]["messages"]] == ["stay", "farewell"]
    assert infos["nation_2"]["messages"] == []
    assert env.post("nation_2", "one more word") == "nation_2 is no longer there"
    assert env.post("nation_0", "come back", to="nation_2") == "nation_2 is not on the map"


def test_copies_and_saves_carry_what_waits(env: NationsEnv, tmp_path: Path) -> None:
    env.post("nation_0", "hello")
    env.save(tmp_path / "a.save")
    loaded = hakoenv.parallel_env("skirmish", **OPTIONS)
    loaded.load(tmp_path / "a.save")
    expected = env.step(keep(env))[4]["nation_1"]["messages"]
    assert expected and loaded.step(keep(loaded))[4]["nation_1"]["messages"] == expected


def test_one_nation_of_a_gymnasium_environment_posts_too() -> None:
    one = NationEnv("duel", controllers="idle", commands_per_turn=1, rules=OPTIONS["rules"])
    one.reset(seed=4)
    assert one.post("hello", to=1) == ""
    info = one.step(np.zeros(one.action_space.shape, np.int64))[4]
    assert info["messages"] == [{"turn": 1, "from": "nation_0", "to": "nation_1", "text": "hello"}]


# As text.


def test_the_text_quotes_new_messages(env: NationsEnv) -> None:
    found(env, 0, 1)
    env.post("nation_1", "to the faction", to=FACTION)
    env.post("nation_2", "to all")
    env.post("nation_2", "to you", to="nation_0")
    env.post("nation_0", "mine", to="nation_2")
    assert "## Messages" not in env.text("nation_0")
    env.step(keep(env))
    names = [f"nation_{n} {name.romaji}" for n, name in enumerate(env.season.names)]
    section = env.text("nation_0").partition("## Messages\n")[2].partition("\n\n")[0].split("\n")
    assert section == [
        WARNING,
        f'turn 1, you to {names[2]}: "mine"',
        f'turn 1, {names[2]} to you: "to you"',
        f'turn 1, {names[1]} to your faction: "to the faction"',
        f'turn 1, {names[2]} to all: "to all"',
    ]
    env.step(keep(env))
    assert "## Messages" not in env.text("nation_0")
