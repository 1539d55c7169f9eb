"""The tests that the ecosystem has for environments, run on ours as they are."""

import pickle
import warnings
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

import hakoenv
import hakoenv.envs
from hakoenv.envs import FlatEnv, FlatNationEnv, NationEnv, flat
from hakoenv.testing import check_env
from hakoenv.testing.determinism import differences

# Said of every environment whose observations are dicts or whose actions are many numbers.
_ABOUT_FORM = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action space for each agent probably should be",
    "Action mask is not a NumPy array",
)
SHORT = {"season.max_turns": 60, "season.min_turns": 40}


@pytest.fixture
def strict() -> Any:
    """Every warning is an error but those about the form of spaces."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in _ABOUT_FORM:
            warnings.filterwarnings("ignore", message)
        yield


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"observation": ("cells", "planes"), "rules": SHORT},
        {"one_at_a_time": True, "rules": SHORT},
        {"controllers": {"nation_1": "rule_ai"}, "max_turns": 50, "reward": "growth"},
        {"commands": "everything", "rules": SHORT},
    ],
)
def test_pettingzoo_parallel(arguments: dict[str, Any], strict: Any) -> None:
    parallel_api_test(hakoenv.parallel_env("duel", **arguments), num_cycles=200)


def test_pettingzoo_parallel_with_four_nations(strict: Any) -> None:
    parallel_api_test(hakoenv.parallel_env("skirmish", rules=SHORT, commands="everything"), num_cycles=80)


@pytest.mark.parametrize("arguments", [{"rules": SHORT}, {"rules": SHORT, "one_at_a_time": True}])
def test_pettingzoo_turn_taking(arguments: dict[str, Any], strict: Any) -> None:
    api_test(hakoenv.env("duel", **arguments), num_cycles=90)


def test_pettingzoo_seeds() -> None:
    parallel_seed_test(lambda: hakoenv.parallel_env("duel", rules=SHORT), num_cycles=60)
    seed_test(lambda: hakoenv.env("duel", rules=SHORT), num_cycles=60)


def test_pettingzoo_limits() -> None:
    """`max_cycles` is our `max_turns`."""
    max_cycles_test(
        SimpleNamespace(
            parallel_env=lambda max_cycles: hakoenv.parallel_env("duel", max_turns=max_cycles),
            env=lambda max_cycles: hakoenv.env("duel", max_turns=max_cycles),
        )
    )


def test_pettingzoo_renders(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: hakoenv.env("duel", render_mode=render_mode))


@pytest.mark.parametrize("name", ["hakoenv/Duel-v0", "hakoenv/Skirmish-v0"])
@pytest.mark.parametrize("arguments", [{}, {"observation": "planes", "one_at_a_time": True}])
def test_gymnasium(name: str, arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", r".*different from the unwrapped version")
        gymnasium_check_env(gymnasium.make(name, **arguments).unwrapped)


def test_our_own_check_passes_on_both_forms() -> None:
    assert check_env(lambda: hakoenv.parallel_env("skirmish"), turns=40) == []
    assert check_env(lambda: FlatEnv(hakoenv.parallel_env("duel")), turns=20) == []
    assert check_env(lambda: hakoenv.parallel_env("duel", one_at_a_time=True, commands="everything")) == []


def test_flat_vectors_hold_the_pieces_in_their_places() -> None:
    flat = FlatEnv(hakoenv.parallel_env("duel", observation=("cells", "planes")))
    plain = hakoenv.parallel_env("duel", observation=("cells", "planes"))
    vectors, infos = flat.reset(seed=1)
    observations, _ = plain.reset(seed=1)
    for agent, vector in vectors.items():
        assert flat.observation_space(agent).contains(vector)
        for name, place in flat.layout.items():
            assert np.array_equal(vector[place], observations[agent][name].reshape(-1).astype(np.float32))
        assert not list(differences(infos[agent]["action_mask"], observations[agent]["action_mask"]))
        assert flat.action_space(agent).sample(infos[agent]["action_mask"]).shape
    last = max(place.stop for place in flat.layout.values())
    assert flat.observation_space("nation_0").shape == (last,)


@pytest.mark.parametrize("registered", [False, True])
def test_one_nations_vectors_hold_the_same(registered: bool) -> None:
    arguments: Any = {"controllers": "rule_ai", "observation": ("cells", "planes"), "max_turns": 3}
    inner = gymnasium.make("hakoenv/Duel-v0", **arguments) if registered else NationEnv(**arguments)
    one, plain = flat(inner), NationEnv(**arguments)
    assert isinstance(one, FlatNationEnv)
    assert one.unwrapped is inner.unwrapped
    vector, info = one.reset(seed=1)
    observation, expected = plain.reset(seed=1)
    done = False
    while True:
        mask = info.pop("action_mask")
        assert one.observation_space.contains(vector)
        assert not list(differences((mask, info), (observation["action_mask"], expected)))
        for name, place in one.layout.items():
            assert np.array_equal(vector[place], observation[name].reshape(-1).astype(np.float32))
        if done:
            break
        action = one.action_space.sample(mask)
        vector, reward, terminated, done, info = one.step(action)
        observation, other, _, _, expected = plain.step(action)
        assert (reward, terminated) == (other, False)
    again = pickle.loads(pickle.dumps(flat(NationEnv(**arguments))))
    assert np.array_equal(again.reset(seed=1)[0], flat(NationEnv(**arguments)).reset(seed=1)[0])


def test_flat_knows_both_forms_and_refuses_others() -> None:
    assert isinstance(flat(hakoenv.parallel_env("duel")), FlatEnv)
    assert isinstance(hakoenv.envs.flat(NationEnv("duel")), FlatNationEnv)
    assert "NationsEnv duel" in repr(flat(hakoenv.parallel_env("duel")))
    for other in (hakoenv.env("duel"), 5, "duel"):
        with pytest.raises(TypeError, match=r"flat\(\) takes"):
            flat(other)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="observations must be of hakoenv"):
        flat(gymnasium.make("CartPole-v1"))


def test_supersuit_vectorises_the_flat_form() -> None:
    supersuit = pytest.importorskip("supersuit")
    env = supersuit.pettingzoo_env_to_vec_env_v1(FlatEnv(hakoenv.parallel_env("duel")))
    envs = supersuit.concat_vec_envs_v1(env, 2, num_cpus=0, base_class="gymnasium")
    observations, _ = envs.reset(seed=1)
    for _ in range(50):
        actions = np.array([env.action_space.sample() for _ in range(4)])
        observations, rewards, *_ = envs.step(actions)
        assert observations.shape == (4, *env.observation_space.shape)
        assert rewards.shape == (4,)


def make_nation() -> gymnasium.Env[Any, Any]:
    """A short season, so that autoresets happen."""
    return NationEnv("duel", controllers="rule_ai", max_turns=40)


@pytest.mark.slow
def test_vector_environments_in_one_and_in_many_processes_are_equal() -> None:
    envs = [SyncVectorEnv([make_nation] * 2), AsyncVectorEnv([make_nation] * 2, context="spawn")]
    try:
        first, second = (env.reset(seed=3) for env in envs)
        assert not list(differences(first, second))
        envs[0].action_space.seed(1)
        for _ in range(100):
            actions = envs[0].action_space.sample()
            first, second = (env.step(actions) for env in envs)
            assert not list(differences(first, second))
    finally:
        for env in envs:
            env.close()
