"""Equal runs are equal in everything, and what makes them differ is caught at its turn."""

import copy
import os
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hakoenv
from hakoenv.engine import season
from hakoenv.engine.codes import item
from hakoenv.envs import NationEnv, NationsEnv
from hakoenv.testing import check_agent, check_env, compare_runs
from hakoenv.testing.agents_check import illegal
from hakoenv.testing.determinism import differences


def duel(**arguments: Any) -> Callable[[], NationsEnv]:
    return lambda: hakoenv.parallel_env("duel", **arguments)


@pytest.mark.slow
def test_a_whole_season_of_twenty_nations_is_the_same_twice() -> None:
    env: list[NationsEnv] = []

    def make() -> NationsEnv:
        env.append(hakoenv.parallel_env("season"))
        return env[-1]

    assert compare_runs(make, seed=7) is None
    assert env[0].season.ended
    assert env[0].season.turn >= 100


@pytest.mark.parametrize(
    "arguments",
    [
        {"observation": ("cells", "planes"), "reward": "growth"},
        {"one_at_a_time": True, "commands": "everything"},
        {"controllers": {"nation_0": "rule_ai"}},
    ],
)
def test_a_whole_duel_is_the_same_twice(arguments: dict[str, Any]) -> None:
    assert compare_runs(duel(**arguments), seed=3) is None


def test_one_nations_environment_can_be_compared_too() -> None:
    assert compare_runs(lambda: NationEnv("duel", max_turns=30), seed=3) is None


@pytest.mark.slow
def test_without_jit_the_environment_gives_the_same() -> None:
    program = """
import hashlib, hakoenv
env = hakoenv.parallel_env("duel", controllers={"nation_1": "rule_ai"})
observations, _ = env.reset(seed=3)
env.action_space("nation_0").seed(0)
for _ in range(4):
    observations, rewards, *_ = env.step(env.sample_legal())
digest = hashlib.sha256(repr(rewards).encode() + env.text("nation_0").encode())
mask = observations["nation_0"].pop("action_mask")
for name, array in sorted({**observations["nation_0"], **{f"mask {k}": v for k, v in mask.items()}}.items()):
    digest.update(name.encode() + array.tobytes())
print(env.state_hash(), digest.hexdigest())
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
        ).stdout
        for flag in ("0", "1")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("first_bad", [1, 5, 23])
def test_a_phase_that_draws_on_its_own_is_caught_at_its_turn(
    monkeypatch: pytest.MonkeyPatch, first_bad: int
) -> None:
    whole = season.turn

    def broken(world: Any, rules: Any) -> None:
        whole(world, rules)
        if int(world.clock["turn"][0]) >= first_bad:
            world.nations["private"][1, item.FUNDS] += random.randrange(1, 1 << 40)

    monkeypatch.setattr(season, "turn", broken)
    found = compare_runs(duel(), seed=3, turns=60)
    assert found is not None
    assert found.turn == first_bad
    assert found.what[0].startswith("state_hash: ")


def test_what_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = NationsEnv.step

    def shifted(self: NationsEnv, actions: Any) -> Any:
        observations, rewards, *rest = whole(self, actions)
        if self.season.turn == 4:
            observations["nation_1"]["own"][3] = random.randrange(1 << 20)
            rewards["nation_0"] += random.random()
        return observations, rewards, *rest

    monkeypatch.setattr(NationsEnv, "step", shifted)
    found = compare_runs(duel(), seed=3, turns=10)
    assert found is not None
    assert found.turn == 4
    assert str(found).startswith("step 4: observations.nation_1.own[3]: ")
    assert any(what.startswith("rewards.nation_0: ") for what in found.what)


def test_differences_name_the_place() -> None:
    first = {"a": [1, 2.0, (3,)], "b": np.array([[1, 2], [3, 4]]), "c": float("nan"), "d": "x", "f": None}
    second = copy.deepcopy(first)
    assert list(differences(first, second)) == []
    second |= {"a": [1, 2, (4, 5)], "b": np.array([[1, 2], [0, 0]]), "d": "y", "e": 1}
    assert list(differences(first, second)) == [
        "a[1]: float != int",
        "a[2]: 1 != 2 entries",
        "a[2][0]: 3 != 4",
        "b[1, 0]: 3 != 0 and 1 more",
        "d: 'x' != 'y'",
        "e: only in the second",
    ]
    assert list(differences(np.zeros(2), np.zeros(3))) == [": float64(2,) != float64(3,)"]
    assert list(differences(np.zeros(1), -np.zeros(1))) == ["[]: [0.] != [-0.]"]  # equal, but not to the byte


class TestCheckEnv:
    """The check for users finds what is wrong."""

    def found(self, wrapper: type[NationsEnv], **arguments: Any) -> list[str]:
        return check_env(lambda: wrapper("duel", **arguments), turns=4)

    def test_nothing_is_wrong_with_ours(self) -> None:
        assert self.found(NationsEnv) == []

    def test_new_spaces_each_time(self) -> None:
        class New(NationsEnv):
            def action_space(self, agent: str) -> Any:
                return copy.deepcopy(super().action_space(agent))

        assert "action_space('nation_0') is another object each time" in self.found(New)

    def test_outside_the_space(self) -> None:
        class Outside(NationsEnv):
            def step(self, actions: Any) -> Any:
                given = super().step(actions)
                given[0]["nation_1"]["own"] = given[0]["nation_1"]["own"].astype(np.float64)
                return given

        assert "step 1: the observation of nation_1 lies outside its space" in self.found(Outside)

    def test_dead_twice_and_no_number(self) -> None:
        class Ends(NationsEnv):
            def step(self, actions: Any) -> Any:
                observations, rewards, terminations, truncations, infos = super().step(actions)
                truncations |= dict.fromkeys(terminations, True)
                rewards["nation_0"] = float("nan")
                del infos["nation_1"]
                return observations, rewards, dict.fromkeys(terminations, True), truncations, infos

        found = self.found(Ends)
        for sentence in (
            "step 1: infos are of ['nation_0'], not of ['nation_0', 'nation_1']",
            "step 1: the reward of nation_0 is nan",
            "step 1: nation_0 is terminated and truncated",
            "step 1: nation_0 has ended and is an agent still",
        ):
            assert sentence in found

    def test_reused_arrays(self) -> None:
        class Reuses(NationsEnv):
            def _observe(self, agents: Any) -> Any:
                given = super()._observe(agents)
                if not hasattr(self, "mine"):
                    self.mine = given
                for agent, observation in given.items():
                    self.mine[agent]["clock"][:] = observation["clock"]
                    observation["clock"] = self.mine[agent]["clock"]
                return given

        assert any("have changed since" in sentence for sentence in self.found(Reuses))

    def test_its_own_chance(self) -> None:
        class Rolls(NationsEnv):
            def step(self, actions: Any) -> Any:
                given = super().step(actions)
                given[4]["nation_0"]["dice"] = random.random()
                return given

        assert any(
            "two runs with seed 0 differ at step 1: infos.nation_0.dice" in s for s in self.found(Rolls)
        )


def legal(seed: int = 1) -> Callable[[Any, Any], Any]:
    """An agent that draws legal actions."""
    space = duel()().action_space("nation_0")
    space.seed(seed)
    return lambda observation, info: space.sample(observation["action_mask"])


class TestCheckAgent:
    """The check for agents finds what is wrong."""

    def test_a_legal_agent_passes(self) -> None:
        assert check_agent(legal, turns=15) == []

    def test_illegal_actions(self) -> None:
        def blind() -> Any:
            space = duel()().action_space("nation_0")
            space.seed(1)
            return lambda observation, info: space.sample()

        found = check_agent(blind, turns=6)
        assert any("is illegal: its head" in sentence for sentence in found)

    def test_no_action_at_all(self) -> None:
        found = check_agent(lambda: lambda observation, info: [0.5], turns=1)
        assert found[0].startswith("turn 1, nation_0: the action is not of ")

    def test_meddling(self) -> None:
        def meddler() -> Any:
            inner = legal()

            def act(observation: Any, info: Any) -> Any:
                action = inner(observation, info)
                observation["own"][0] += 1
                random.random()
                return action

            return act

        found = check_agent(meddler, turns=1)
        assert any("the agent has changed the observation.own[0]" in sentence for sentence in found)
        assert any("a global random generator was used" in sentence for sentence in found)

    def test_another_action_each_run(self) -> None:
        assert any(
            "differ at step" in s for s in check_agent(lambda: legal(random.randrange(1 << 30)), turns=5)
        )


def test_what_an_action_is_illegal_for() -> None:
    env = duel()()
    observations, _ = env.reset(seed=1)
    space, mask = env.action_space("nation_0"), observations["nation_0"]["action_mask"]
    names = [verb.name for verb in space.menu.verbs]
    action = np.zeros(space.shape, np.int64)
    assert illegal(space, mask, action) == []
    action[0] = 2
    action[1] = 1 + names.index("fundraise")
    assert illegal(space, mask, action) == []
    action[8], action[10] = 1 + names.index("farm"), 255
    assert illegal(space, mask, action) == ["command 1 (farm) is illegal: its head 2 is 255"]
    action[0] = 0  # keeps the queue: the commands don't count
    assert illegal(space, mask, action) == []
