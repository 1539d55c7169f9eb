"""Actions that make no sense: each is documented to give no command, and nothing ever raises."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hakoenv
from hakoenv.envs import NationEnv, NationsEnv
from hakoenv.testing.agents_check import check_bad_actions


def duel(**arguments: Any) -> NationsEnv:
    env = hakoenv.parallel_env("duel", **arguments)
    env.reset(seed=2)
    return env


class Unhelpful:
    """Refuses to be an array."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no")


LENGTH = 57
BAD = [
    "attack", 7, 7.5, b"x", object(), Unhelpful(), [1, [2]], {}, [[0] * LENGTH], [0.0] * LENGTH,
    [None] * LENGTH, [2**70] * LENGTH, [True] * LENGTH, np.zeros(LENGTH), np.zeros(LENGTH, np.float16),
    np.zeros(LENGTH, complex), np.zeros(LENGTH, bool), np.zeros(LENGTH, "M8[s]"),
    np.zeros((1, LENGTH), np.int64), np.zeros(LENGTH - 1, int), np.zeros(0, np.int64), np.array("x"),
]  # fmt: skip


@pytest.mark.parametrize("action", BAD, ids=[str(k) for k in range(len(BAD))])
def test_what_is_no_action_counts_as_none_and_is_said(action: Any) -> None:
    env, plain = duel(), duel()
    *_, infos = env.step({"nation_0": action, "nation_1": np.zeros(LENGTH, np.int64)})
    plain.step({agent: np.zeros(LENGTH, np.int64) for agent in plain.agents})
    assert env.state_hash() == plain.state_hash()
    assert infos["nation_0"]["warnings"] == ["ignored an action that is no whole-number array of shape (57,)"]
    assert infos["nation_1"]["warnings"] == []


@pytest.mark.parametrize("actions", [None, [], 3, "x", {}, {"nation_0": None}])
def test_missing_actions_keep_the_queue(actions: Any) -> None:
    env = duel()
    *_, infos = env.step(actions)
    assert infos["nation_0"]["warnings"] == ["no action was given: the queue goes on"]
    assert env.season.turn == 1


@pytest.mark.parametrize("key", ["nation_7", "everybody", 3, None, ("nation_0",), "__all__"])
def test_actions_for_nobody_are_ignored_and_said(key: Any) -> None:
    env = duel()
    acted = env.sample_legal()
    *_, infos = env.step({**acted, key: np.zeros(LENGTH, np.int64)})
    assert list(infos) == ["nation_0", "nation_1"]
    for info in infos.values():
        assert info["warnings"] == [f"ignored the action of {key}: no such agent is there"]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_whole_numbers_of_every_width_are_an_action(kind: type) -> None:
    env, same = duel(), duel()
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    actions = env.sample_legal()
    narrow = {a: np.minimum(action, 127).astype(kind) for a, action in actions.items()}
    wide = {a: action.astype(np.int64).tolist() for a, action in narrow.items()}
    assert [info["warnings"] for info in env.step(narrow)[4].values()] == [[], []]
    same.step(wide)
    assert env.state_hash() == same.state_hash()


EXTREMES = [-(2**63), -(2**31), -1, 0, 1, 2, 3, 39, 40, 255, 256, 2**31, 2**63 - 1]
ENV = hakoenv.parallel_env("duel", commands="everything")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(EXTREMES), st.integers(0, 300)), min_size=LENGTH, max_size=LENGTH))
def test_any_numbers_are_harmless(numbers: list[int]) -> None:
    if not ENV.agents:
        ENV.reset(seed=1)
    action = np.array(numbers, np.int64)
    observations, *_ = ENV.step(dict.fromkeys(ENV.agents, action))
    for agent, observation in observations.items():
        assert ENV.observation_space(agent).contains(observation)


def test_a_dead_nations_actions_are_ignored(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish")
    env.reset(seed=1)
    give_up(env, 3)
    actions = env.sample_legal()
    env.step(actions)
    results = env.step(actions)
    assert [list(part) for part in results] == [["nation_0", "nation_1", "nation_2"]] * 5
    assert results[4]["nation_0"]["warnings"] == ["ignored the action of nation_3: no such agent is there"]


def test_a_step_after_the_end_gives_nothing() -> None:
    env = duel(max_turns=1)
    env.step({})
    assert env.agents == []
    assert env.step({"nation_0": np.zeros(LENGTH, np.int64)}) == ({}, {}, {}, {}, {})
    assert env.season.turn == 1
    assert env.sample_legal() == {}


def test_one_at_a_time_takes_bad_actions_as_the_end_of_the_turn() -> None:
    env = duel(one_at_a_time=True)
    for turn, bad in enumerate((None, "x", np.full(8, 10**9), np.full(8, -1)), 1):
        *_, infos = env.step({"nation_0": bad, "nation_1": bad})
        assert infos["nation_0"]["played"]
        assert env.season.turn == turn


@pytest.mark.parametrize("action", BAD[:4])
def test_a_single_nation_takes_bad_actions_likewise(action: Any) -> None:
    env = NationEnv("duel", controllers="idle")
    env.reset(seed=1)
    assert env.step(action)[4]["warnings"]


def test_the_check_for_users_finds_an_environment_that_raises() -> None:
    class Raises(NationsEnv):
        def step(self, actions: Any) -> Any:
            if "nobody" in actions:
                raise KeyError("nobody")
            return super().step(actions)

    found = check_bad_actions(lambda: Raises("duel"))
    assert len(found) == 1
    assert "raises KeyError: 'nobody'" in found[0]
    assert check_bad_actions(lambda: NationsEnv("duel")) == []


def test_commands_that_reach_no_plan_are_named_in_the_warnings() -> None:
    env = hakoenv.parallel_env("duel", commands="economy", commands_per_turn=2)
    env.reset(seed=0)
    space = env.action_space("nation_0")
    farm = 1 + [verb.name for verb in space.menu.verbs].index("farm")
    kept, nowhere = np.zeros(space.shape, np.int64), np.zeros(space.shape, np.int64)
    kept[1] = farm  # mode 0
    nowhere[0], nowhere[1], nowhere[3] = 2, farm, space.menu.cells - 1  # an empty place of the list
    *_, infos = env.step({"nation_0": kept, "nation_1": nowhere})
    assert infos["nation_0"]["warnings"] == ["mode 0 keeps the queue; commands ignored: 1"]
    assert infos["nation_1"]["warnings"] == ["1 of 1 commands name no verb, place, nation or value"]
    *_, infos = env.step(env.sample_legal())
    assert all(info["warnings"] == [] for info in infos.values())
