"""What users of other environments have reported, tried on ours. Each test names the report."""

import gc
import json
import os
import random
import subprocess
import sys
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

import hakoenv
from hakoenv.engine import season
from hakoenv.engine.codes import item
from hakoenv.envs import NationEnv, NationsEnv
from hakoenv.testing import compare_runs
from hakoenv.testing.determinism import differences


def test_pettingzoo_pr_1437_late_non_determinism_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`parallel_seed_test` stops after one step; ours plays 60 turns of 8 nations and names turn 5."""
    arguments: dict[str, Any] = {"nations": 8, "max_turns": 60}
    assert compare_runs(lambda: hakoenv.parallel_env("season", **arguments), seed=1) is None
    whole = season.turn

    def broken(world: Any, rules: Any) -> None:
        whole(world, rules)
        if int(world.clock["turn"][0]) >= 5:
            world.nations["treasury"][3, item.FUNDS] += int(random.random() * 1e6)

    monkeypatch.setattr(season, "turn", broken)
    found = compare_runs(lambda: hakoenv.parallel_env("season", **arguments), seed=1)
    assert found is not None
    assert found.turn == 5


def test_pettingzoo_1150_spaces_are_made_once_and_held_by_nobody() -> None:
    first, second = hakoenv.parallel_env("duel"), hakoenv.parallel_env("duel")
    assert first.action_space("nation_0") is first.action_space("nation_0")
    assert first.observation_space("nation_0") is first.observation_space("nation_0")
    samples = []
    for env in (first, second):
        env.action_space("nation_0").seed(42)
        samples.append([env.action_space("nation_0").sample().tolist() for _ in range(100)])
    assert samples[0] == samples[1]
    assert first.action_space("nation_0") == second.action_space("nation_0")
    dead = weakref.ref(first), weakref.ref(first.action_space("nation_0"))
    del first, env
    gc.collect()
    assert [ref() for ref in dead] == [None, None]


def test_pettingzoo_1100_result_dicts_hold_nations_only() -> None:
    env = hakoenv.parallel_env("duel")
    env.reset(seed=1)
    while env.agents:
        for part in env.step(env.sample_legal()):
            assert set(part) <= set(env.possible_agents)


def test_torchrl_3702_the_mask_of_a_nation_that_falls(give_up: Any) -> None:
    """Its last observation has a valid mask; a later action of it does nothing."""
    env, other = hakoenv.parallel_env("skirmish"), hakoenv.parallel_env("skirmish")
    for each in (env, other):
        each.reset(seed=1)
        for turn in range(1, 5):
            if turn == 4:
                give_up(each, 3)
            last = each.step({})
        mask = last[0]["nation_3"]["action_mask"]
        action = each.action_space("nation_3").sample(mask)
    env.step({"nation_3": action})
    *_, infos = other.step({})
    assert "nation_3" not in infos
    assert env.state_hash() == other.state_hash()


def test_agilerl_263_one_end_is_not_everybodys(give_up: Any) -> None:
    env = hakoenv.parallel_env("season", nations=6, max_turns=12)
    env.reset(seed=1)
    sizes = []
    for turn in range(1, 13):
        if turn in (3, 5, 8):
            give_up(env, turn // 2)
        env.step(env.sample_legal())
        if turn == 5:
            env.world.cells["owner"][0, :5] = 1  # nation 1 has fallen; land makes it no agent again
        sizes.append(len(env.agents))
    assert sizes == [6, 6, 5, 5, 4, 4, 4, 3, 3, 3, 3, 0]


def test_ray_4139_who_acts_gets_an_observation_and_a_reward(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", max_turns=10)
    env.reset(seed=1)
    lengths = dict.fromkeys(env.possible_agents, 0)
    while env.agents:
        if env.season.turn == 6:
            give_up(env, 2)
        acted = set(env.agents)
        observations, rewards, *_ = env.step(env.sample_legal())
        assert set(observations) == set(rewards) == acted
        for agent in acted:
            lengths[agent] += 1
    assert lengths == {"nation_0": 10, "nation_1": 10, "nation_2": 7, "nation_3": 10}


def test_pettingzoo_1126_a_limit_is_no_termination(give_up: Any) -> None:
    ends = {}
    for name, arguments in (("limit", {"max_turns": 3}), ("conquest", {})):
        env = hakoenv.parallel_env("duel", **arguments)  # type: ignore[arg-type]
        env.reset(seed=1)
        for turn in range(1, 4):
            if name == "conquest" and turn == 3:
                give_up(env, 1)
            *_, terminations, truncations, _ = env.step({})
        ends[name] = (set(terminations.values()), set(truncations.values()))
    assert ends == {"limit": ({False}, {True}), "conquest": ({True}, {False})}


def test_pettingzoo_pr_1038_a_mask_makes_samples_legal() -> None:
    env = hakoenv.parallel_env("duel")
    observations, _ = env.reset(seed=1)
    space, mask = env.action_space("nation_0"), observations["nation_0"]["action_mask"]
    space.seed(0)
    for _ in range(1000):
        action = space.sample(mask)
        assert space.contains(action)
        assert action[0] == 0 or action[1] == 0 or mask["verbs"][action[1]] == 1
    tuple_mask = tuple(np.eye(int(n), dtype=np.int8)[0] for n in space.nvec)
    assert space.sample(tuple_mask).tolist() == [0] * len(space.nvec)


@pytest.mark.slow
def test_microrts_8_every_mask_allows_something() -> None:
    """20 seasons with bankrupt, starved and dying nations."""
    for seed in range(20):
        env = hakoenv.parallel_env("skirmish", rules={"season.max_turns": 60, "season.min_turns": 50})
        observations, _ = env.reset(seed=seed)
        while env.agents:
            if env.season.turn % 7 == seed % 7:
                env.world.nations["treasury"][seed % 4] = 0
            if env.season.turn == 20 + seed:
                env.world.nations["abandoning"][(seed + 1) % 4] = 1
            observations, *_ = env.step(env.sample_legal())
            for agent, observation in observations.items():
                space, mask = env.action_space(agent), observation["action_mask"]
                assert mask["verbs"][0] == 1
                prefix = [2]
                for _ in range(7):
                    allowed = np.flatnonzero(space.next_mask(mask, prefix))
                    assert len(allowed)
                    prefix.append(int(allowed[-1]))
                if env.world.nations["alive"][int(agent[-1])]:
                    names = [verb.name for verb in space.menu.verbs]
                    assert mask["verbs"][1 + names.index("fundraise")] == 1


def test_ray_12681_observations_lie_in_their_space_at_the_extremes() -> None:
    env = hakoenv.parallel_env("season", nations=16, observation=("cells", "planes"), max_turns=12)
    observations, _ = env.reset(seed=1)
    for extreme in (0, 10**7, -5, 2**40, -(2**40), 1, 0):
        nations = env.world.nations
        nations["treasury"][0] = extreme
        nations["private"][1] = extreme
        nations["power_score"][2] = extreme
        nations["reserves"][3] = max(0, min(extreme, 2**31 - 1))
        env.world.market["price"] = abs(extreme)
        observations = env._observe(env.agents)
        for agent, observation in observations.items():
            space = env.observation_space(agent)
            wrong = [name for name, array in observation.items() if not space[name].contains(array)]
            assert wrong == []
            assert all(array.dtype.kind in "iu" for array in observation.values() if hasattr(array, "dtype"))


def test_gymnasium_1164_rewards_are_plain_floats_and_no_array_is_float16() -> None:
    env = NationEnv("duel")
    observation, _ = env.reset(seed=1)
    for _ in range(5):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
    flat = [*observation.values(), *observation["action_mask"].values()]
    assert not {array.dtype for array in flat if isinstance(array, np.ndarray)} & {np.dtype(np.float16)}


@pytest.mark.parametrize("seed", [1234, 0, np.int64(3), 2**63])
def test_openenv_1102_a_seed_decides_everything(seed: Any) -> None:
    hashes = set()
    for noise in range(6):
        random.seed(noise)
        np.random.seed(noise)  # noqa: NPY002
        env = hakoenv.parallel_env("duel", controllers={"nation_1": "rule_ai"})
        _, infos = env.reset(seed=seed)
        for _ in range(5):
            env.step({})
        hashes.add(env.state_hash())
        assert infos["nation_0"]["seed"] == int(seed)
    assert len(hashes) == 1


def test_civrealm_3_shapes_are_the_same_in_all_scenarios() -> None:
    """With the list of cells; `planes` and `cells="all"` have the size of the map."""
    forms = []
    for scenario in ("duel", "skirmish", "season", "grand"):
        env = hakoenv.parallel_env(scenario)
        space, actions = env.observation_space("nation_0"), env.action_space("nation_0")
        mask: Any = space["action_mask"]
        forms.append((
            {name: (box.shape, box.dtype) for name, box in space.items() if name != "action_mask"},
            {name: (box.shape, box.dtype) for name, box in mask.items()},
            actions.nvec.tolist(),
        ))  # fmt: skip
    assert forms[1:] == forms[:-1]


def test_ray_44780_actions_are_never_refused_by_raising() -> None:
    """Ray's own check samples without the mask."""
    env = hakoenv.parallel_env("duel", commands="everything", max_turns=60)
    env.reset(seed=1)
    while env.agents:
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})


def test_ray_9964_many_episodes_leave_nothing_in_memory() -> None:
    """Also MicroRTS-Py 86. 150 short seasons after 30: the peak grows by less than 4 MiB."""
    program = """
import resource, hakoenv
env = hakoenv.parallel_env("duel", max_turns=4, controllers={"nation_1": "rule_ai"})
peaks = []
for episode in range(180):
    env.reset(seed=episode)
    while env.agents:
        env.step(env.sample_legal())
    if episode in (29, 179):
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[1] - peaks[0])
"""
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert int(done.stdout) < 4096


def test_pettingzoo_778_no_display_is_needed() -> None:
    program = """
import json, sys, hakoenv
env = hakoenv.parallel_env("duel", render_mode="rgb_array")
env.reset(seed=1)
frame = env.render()
colours = len({tuple(c) for c in frame.reshape(-1, 3).tolist()})
print(json.dumps([colours, sorted({"pygame", "tkinter", "matplotlib"} & set(sys.modules))]))
"""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment
    )
    colours, modules = json.loads(done.stdout)
    assert colours > 10
    assert modules == []


def test_the_turn_taking_form_gives_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = hakoenv.env("duel", max_turns=3)
        env.reset(seed=1)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))


def test_two_environments_never_share_arrays() -> None:
    first, second = NationsEnv("duel"), NationsEnv("duel")
    seen = [env.reset(seed=1)[0]["nation_0"] for env in (first, second)]
    assert not list(differences(*seen))
    for name, array in seen[0].items():
        if isinstance(array, np.ndarray):
            assert not np.shares_memory(array, seen[1][name])
