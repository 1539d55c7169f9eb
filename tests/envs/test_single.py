"""The Gymnasium environment of one nation, and the ids under which it is made."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import hakoenv.envs
from hakoenv.engine.season import SeasonError
from hakoenv.envs import NationEnv
from hakoenv.envs.registration import IDS, register_all
from hakoenv.testing.determinism import differences


@pytest.mark.parametrize(("name", "nations"), list(zip(IDS, (2, 4, 20, 40), strict=True)))
def test_every_id_makes_its_scenario(name: str, nations: int) -> None:
    env = gymnasium.make(name, controllers="idle")
    _, info = env.reset(seed=2)
    assert (info["turn"], info["seed"]) == (0, 2)
    unwrapped: Any = env.unwrapped
    assert unwrapped.nations.season.controllers == ["external"] + ["idle"] * (nations - 1)


def test_registering_twice_keeps_what_there_is() -> None:
    spec = gymnasium.spec("hakoenv/Duel-v0")
    register_all()
    assert gymnasium.spec("hakoenv/Duel-v0") is spec


@pytest.mark.parametrize(
    "program",
    [
        "import gymnasium; gymnasium.make('hakoenv.envs:hakoenv/Duel-v0')",
        "import gymnasium, hakoenv; gymnasium.make('hakoenv/Duel-v0')",
        "import hakoenv, gymnasium, hakoenv.envs; gymnasium.make('hakoenv/Duel-v0')",
        "import sys, hakoenv; assert not {'gymnasium', 'numpy', 'numba', 'pettingzoo'} & set(sys.modules)",
        "import sys, hakoenv.testing; hakoenv.testing.SmallWorld; assert 'pettingzoo' not in sys.modules",
    ],
)
def test_imports(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_nation_is_played_as_in_the_environment_of_all() -> None:
    alone = NationEnv("skirmish", nation=2, controllers="rule_ai", reward="growth")
    drivers = {f"nation_{n}": "rule_ai" for n in (0, 1, 3)}
    together = hakoenv.envs.parallel_env("skirmish", controllers=drivers, reward="growth")
    first, others = alone.reset(seed=4), together.reset(seed=4)
    assert not list(differences(first, tuple(part["nation_2"] for part in others)))
    alone.action_space.seed(1)
    for _ in range(10):
        action = alone.action_space.sample(first[0]["action_mask"])
        first = alone.step(action)  # type: ignore[assignment]
        assert not list(
            differences(first, tuple(part["nation_2"] for part in together.step({"nation_2": action})))
        )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"nation": 2}, r"nation=2 must be a seat of 0\.\.1"),
        ({"nation": True}, "nation=True"),
        ({"controllers": None}, "nobody drives nation_1"),
        ({"controllers": 5}, "controllers=5: give a mapping"),
        ({"controllers": {}}, "nobody drives nation_1"),
        ({"controllers": {"nation_0": "idle", "nation_1": "idle"}}, "drive every nation"),
        ({"controllers": {"nation_0": "idle"}}, "nobody drives nation_1"),
    ],
)
def test_impossible_arguments_are_refused(arguments: Any, words: str) -> None:
    with pytest.raises(SeasonError, match=words):
        NationEnv("duel", **arguments)


def test_the_end_of_the_nation_terminates_and_repeats() -> None:
    env = NationEnv("skirmish", controllers="idle")
    env.reset(seed=1)
    env.nations.world.nations["abandoning"][0] = 1
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert (terminated, truncated, info["result"]["ending"]) == (True, False, "fell")
    assert reward < 0
    again = env.step(env.action_space.sample())
    assert again[1:4] == (0.0, True, False)
    assert not list(differences(observation, again[0]))
    assert env.reset(seed=1)[1]["turn"] == 0
    assert env.step(None)[2:4] == (False, False)


def test_the_callers_limit_truncates() -> None:
    env = NationEnv("duel", controllers="idle", max_turns=3)
    env.reset(seed=1)
    assert [env.step(env.action_space.sample())[2:4] for _ in range(3)] == [(False, False)] * 2 + [
        (False, True)
    ]


def test_resets_without_a_seed_follow_from_the_last() -> None:
    env = NationEnv("duel", controllers="idle")
    seeds = []
    for _ in range(2):
        env.reset(seed=np.int64(6))  # type: ignore[arg-type]
        assert env.np_random_seed == 6
        seeds.append([env.reset()[1]["seed"] for _ in range(3)])
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_copies_and_saves_continue_identically(tmp_path: Path) -> None:
    env = NationEnv("duel")
    env.reset(seed=3)
    for _ in range(5):
        env.step(env.action_space.sample())
    env.save(tmp_path / "five.save")
    loaded = NationEnv("duel")
    observation, _ = loaded.load(tmp_path / "five.save")
    assert loaded.observation_space.contains(observation)
    action = env.action_space.sample()
    results = []
    for other in (env, pickle.loads(pickle.dumps(env)), loaded):
        results.append((other.step(action), other.state_hash(), other.text(), other.reset()[1]["seed"]))
    assert not list(differences(results[0], results[1]))
    assert not list(differences(results[0], results[2]))


def test_a_save_in_which_the_nation_is_gone_is_refused(tmp_path: Path) -> None:
    env = NationEnv("skirmish", controllers="idle")
    env.reset(seed=1)
    env.nations.world.nations["abandoning"][0] = 1
    env.step(None)
    env.save(tmp_path / "gone.save")
    with pytest.raises(SeasonError, match="the season is over for nation_0"):
        NationEnv("skirmish", controllers="idle").load(tmp_path / "gone.save")


def test_renders() -> None:
    env = gymnasium.make("hakoenv/Duel-v0", render_mode="rgb_array", controllers="idle")
    env.reset(seed=1)
    frame: Any = env.render()
    assert frame.dtype == np.uint8
