"""The environment in RLlib's form: flags, deaths, endings, worlds, and RLlib's own machinery over it."""

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.mapgen import ScenarioError
from hakoenv.engine.season import SeasonError, SeedError
from hakoenv.envs.parallel import NationsEnv
from hakoenv.testing.determinism import differences

pytest.importorskip("ray.rllib")
torch = pytest.importorskip("torch")

from hakoenv.envs import fresh, rllib  # noqa: E402
from hakoenv.envs.rllib import HakoenvMultiAgentEnv, register  # noqa: E402

# Who falls in a duel would end it; here the other one goes on.
ALONE = {"scenario": "duel", "rules": {"season.end_on_sole_survivor": 0}, "max_turns": 12}
FALLS_IN = 5


class DyingEnv(HakoenvMultiAgentEnv):
    """`nation_1` gives up in the turn `FALLS_IN` of every season (TURN-075)."""

    def step(self, action_dict: Any) -> Any:
        if self.nations.season.turn == FALLS_IN - 1:
            self.nations.world.nations["abandoning"][1] = 1
        return super().step(action_dict)


def legal(env: HakoenvMultiAgentEnv) -> Any:
    return env.nations.sample_legal()


def test_a_nation_that_falls_gets_its_last_step_and_the_others_go_on() -> None:
    env = DyingEnv(ALONE)
    observations, infos = env.reset()
    assert list(observations) == list(infos) == env.agents == ["nation_0", "nation_1"]
    for turn in range(1, 13):
        acted = list(env.nations.agents)
        assert acted == (["nation_0", "nation_1"] if turn <= FALLS_IN else ["nation_0"])
        observations, rewards, terminateds, truncateds, infos = env.step(legal(env))
        for part in (observations, rewards, infos):
            assert list(part) == acted == env.agents
        fell = {"nation_1"} if turn == FALLS_IN else set()
        assert terminateds == {agent: agent in fell for agent in acted} | {"__all__": False}
        assert truncateds == dict.fromkeys(acted, False) | {"__all__": turn == 12}
        assert all(env.observation_spaces[agent].contains(seen) for agent, seen in observations.items())
        assert all(isinstance(reward, float) for reward in rewards.values())
        if turn == FALLS_IN:
            assert infos["nation_1"]["result"]["ending"] == "fell"
            assert observations["nation_1"]["action_mask"]["verbs"][0] == 1
    assert infos["nation_0"]["result"]["ending"] == "truncated"
    assert env.step({}) == ({}, {}, {"__all__": True}, {"__all__": False}, {})


@pytest.mark.parametrize(
    ("falling", "max_turns", "terminated", "flag"),
    [
        ([], 1, [], "truncated"),
        ([2], 1, [2], "truncated"),  # mixed: it must end
        ([0, 1, 2, 3], 1, [0, 1, 2, 3], "terminated"),
        ([1, 2, 3], None, [0, 1, 2, 3], "terminated"),  # the rules end a season of one
        ([1, 2, 3], 1, [0, 1, 2, 3], "terminated"),
        ([3], None, [3], None),
    ],
)
def test_exactly_one_flag_for_all_ends_an_episode(
    falling: list[int], max_turns: int | None, terminated: list[int], flag: str | None
) -> None:
    env = HakoenvMultiAgentEnv({"scenario": "skirmish", "max_turns": max_turns})
    env.reset(seed=1)
    env.nations.world.nations["abandoning"][falling] = 1
    observations, rewards, terminateds, truncateds, _ = env.step({})
    assert len(observations) == len(rewards) == 4
    assert terminateds.pop("__all__") == (flag == "terminated")
    assert truncateds.pop("__all__") == (flag == "truncated")
    assert [agent for agent, fell in terminateds.items() if fell] == [f"nation_{n}" for n in terminated]
    assert not any(truncateds.values())


def test_nothing_that_is_returned_is_used_again() -> None:
    env, plain = HakoenvMultiAgentEnv({"scenario": "duel"}), NationsEnv("duel")
    first = env.reset(seed=3)
    expected, _ = plain.reset(seed=3)
    for name, array in first[0]["nation_0"].items():
        assert not list(differences(array, expected["nation_0"][name]))
    kept = copy.deepcopy(first)
    actions = legal(env)
    step = env.step(actions)
    assert not list(differences(kept, first))
    step[2]["__all__"] = step[3]["__all__"] = True  # as Ray's own wrapper does, into the inner dicts
    step[0].clear()
    step[1].clear()
    after = env.step({})
    assert not after[2]["__all__"] and not after[3]["__all__"] and len(after[0]) == 2
    arrays = [env.reset(seed=3)[0]["nation_0"] for _ in range(2)]
    assert not np.shares_memory(arrays[0]["cells"], arrays[1]["cells"])
    assert arrays[0]["cells"].base is None  # no view of the arrays of all nations


def test_pieces_and_infos_are_chosen() -> None:
    chosen = {"pieces": ["own", "clock"], "infos": ["commands", "rank"]}
    env = HakoenvMultiAgentEnv({"scenario": "duel", **chosen})
    observations, infos = env.reset(seed=1)
    assert list(observations["nation_0"]) == ["own", "clock", "action_mask"]
    assert set(observations["nation_0"]["action_mask"]) == set(env.plan_space.menu.space().spaces)
    assert set(infos["nation_0"]) == {"commands", "rank"}
    usual = HakoenvMultiAgentEnv({"scenario": "duel"}).reset()[1]
    assert set(usual["nation_0"]) == {"seed", "turn", "warnings"}
    whole = HakoenvMultiAgentEnv({"scenario": "duel", "pieces": "all", "infos": "all"})
    plain = NationsEnv("duel")
    assert not list(differences(whole.reset(seed=2), plain.reset(seed=2)))
    maps = HakoenvMultiAgentEnv({"scenario": "duel", "observation": "planes"})
    assert {"planes", "own"} < set(maps.reset()[0]["nation_0"])


def test_masks_of_a_batch_lead_head_by_head_to_legal_actions() -> None:
    """What an RLModule does: observations stacked, heads chosen one after another."""
    config = {"scenario": "duel", "commands_per_turn": 2, "infos": ["commands", "warnings"]}
    env = HakoenvMultiAgentEnv(config)
    observations, _ = env.reset(seed=4)
    space, agents = env.plan_space, list(observations)
    masks = {
        name: np.stack([observations[agent]["action_mask"][name] for agent in agents])
        for name in observations["nation_0"]["action_mask"]
    }
    rng = np.random.default_rng(0)
    prefixes = np.full((2, 1), 2)  # replace the queue
    while prefixes.shape[1] < space.nvec.size:
        allowed = space.next_masks(masks, prefixes)
        heads = [rng.choice(np.flatnonzero(row)) for row in allowed]
        prefixes = np.column_stack([prefixes, heads])
    *_, infos = env.step(dict(zip(agents, prefixes, strict=True)))
    for info in infos.values():
        assert info["warnings"] == []
        assert {command["reason"] for command in info["commands"]} == {"done"}


class Context(dict[str, Any]):
    """What RLlib's `EnvContext` tells."""

    def __init__(self, worker_index: int, vector_index: int = 0, **arguments: Any) -> None:
        super().__init__({"scenario": "duel", **arguments})
        self.worker_index, self.vector_index = worker_index, vector_index


def worlds(config: Any, count: int = 3, env: HakoenvMultiAgentEnv | None = None) -> list[int]:
    env = env or HakoenvMultiAgentEnv(config)
    return [env.reset()[1]["nation_0"]["seed"] for _ in range(count)]


def test_the_worlds_of_a_run_are_all_different_and_repeatable() -> None:
    assert worlds({"scenario": "duel"}) == [0, 1, 2]
    assert worlds({"scenario": "duel", "seed": 0}) == [0, 1, 2]
    shared = Context(1)  # RLlib gives all environments of a worker the same one
    found = [
        worlds({"scenario": "duel", "seed": 1}),
        worlds(Context(0)),
        worlds(shared),
        worlds(shared),
        worlds(Context(2)),
        worlds(Context(2, vector_index=1)),
        worlds(Context(2, seed=1)),
        worlds(Context(2**15, seed=2**62 - 1)),
    ]
    flat = [seed for each in found for seed in each]
    assert len(set(flat)) == len(flat)
    assert all(0 <= seed < 2**62 for seed in flat)
    assert [b - a for a, b in zip(found[2], found[2][1:], strict=False)] == [1, 1]
    assert worlds(Context(1)) == found[2]
    assert shared == {"scenario": "duel"}
    env = HakoenvMultiAgentEnv(Context(1))
    assert env.reset(seed=2)[1]["nation_0"]["seed"] == found[2][2]
    assert worlds(None, 1, env) == [found[2][2] + 1]


def test_a_world_whose_map_is_too_small_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    env = HakoenvMultiAgentEnv({"scenario": "duel"})
    reset, small = env.nations.reset, {0, 2}

    def picky(seed: int, options: Any) -> Any:
        if seed in small:
            raise ScenarioError("too few sites")
        return reset(seed=seed, options=options)

    monkeypatch.setattr(env.nations, "reset", picky)
    assert worlds(None, 2, env) == [1, 3]
    small |= set(range(1000))
    with pytest.raises(ScenarioError, match="too few sites"):
        env.reset()


@pytest.mark.parametrize(
    ("config", "error", "words"),
    [
        ({"scenarioo": "duel"}, ValueError, "env_config has 'scenarioo': did you mean scenario\\?"),
        ({"pieces": ["own", "cell"]}, ValueError, "pieces has 'cell': use accounts"),
        ({"pieces": 5}, ValueError, "pieces=5: use a list of names, or all"),
        ({"infos": [1]}, ValueError, r"infos=\[1\]: use a list"),
        ({"seed": 2**62}, ValueError, r"must be a whole number of 0\.\.2\*\*62-1"),
        ({"seed": -1}, SeedError, "-1"),
        ({"controllers": {"nation_9": "idle"}}, SeasonError, "nation_9"),
    ],
)
def test_impossible_configurations_are_refused(config: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        HakoenvMultiAgentEnv({"scenario": "duel", **config})


def test_bad_actions_never_raise() -> None:
    env = HakoenvMultiAgentEnv({"scenario": "duel"})
    env.reset()
    for actions in ({}, {"nation_0": None, "nation_7": 3}, {"nation_0": "farm", "__all__": 1}, legal(env)):
        assert len(env.step(actions)[0]) == 2


def test_it_travels_and_continues() -> None:
    env = HakoenvMultiAgentEnv({"scenario": "duel", "max_turns": 6})
    env.reset(seed=5)
    env.step(legal(env))
    other = pickle.loads(pickle.dumps(env))
    assert not list(differences(other.step({}), env.step({})))
    assert worlds(None, 2, other) == worlds(None, 2, env)
    assert repr(env).startswith("<HakoenvMultiAgentEnv of <NationsEnv duel")


def test_without_ray_one_sentence_says_what_to_install() -> None:
    program = "import sys; sys.modules['ray'] = None\nimport hakoenv.envs.rllib"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "ImportError: hakoenv.envs.rllib needs Ray's RLlib: pip install 'hakoenv[rllib]'" in done.stderr
    light = "import sys, hakoenv.envs; hakoenv.envs.NationEnv; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", light], check=True)


@pytest.mark.parametrize("config", [{}, {"max_turns": 1}, {"one_at_a_time": True, "commands": "everything"}])
def test_rllibs_own_check_passes(config: dict[str, Any]) -> None:
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    env = HakoenvMultiAgentEnv({"scenario": "duel", **config})
    for _ in range(3):
        check_multiagent_environments(env)


def runner(env: type[HakoenvMultiAgentEnv], config: dict[str, Any], environments: int = 1) -> Any:
    """RLlib's sampler in this process, with a module that acts at random but legally."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.tune.registry import register_env

    class LegalModule(TorchRLModule):
        """Head after head, each among the values that the mask allows."""

        def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
            masks = {name: array.numpy() for name, array in batch["obs"]["action_mask"].items()}
            prefixes = np.zeros((len(masks["verbs"]), 0), np.int64)
            rng = np.random.default_rng(prefixes.size)
            while prefixes.shape[1] < self.action_space.nvec.size:
                allowed = self.action_space.next_masks(masks, prefixes)
                prefixes = np.column_stack([prefixes, [rng.choice(np.flatnonzero(row)) for row in allowed]])
            return {"actions": torch.from_numpy(prefixes)}

    name = register()
    assert name == "hakoenv"
    if env is not HakoenvMultiAgentEnv:
        name = "hakoenv-dying"
        register_env(name, env)
    settings = (
        PPOConfig()
        .environment(name, env_config=config)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=environments)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **kwargs: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(LegalModule)}))
    )
    return MultiAgentEnvRunner(config=settings)


def test_rllib_plays_episodes_in_which_a_nation_dies() -> None:
    sampler = runner(DyingEnv, ALONE)
    episodes = sampler.sample(num_episodes=2, random_actions=True)
    assert len(episodes) == 2
    for episode in episodes:
        fallen, survivor = episode.agent_episodes["nation_1"], episode.agent_episodes["nation_0"]
        assert (len(fallen), len(survivor), episode.env_t) == (FALLS_IN, 12, 12)
        assert (fallen.is_terminated, fallen.is_truncated) == (True, False)
        # cut off, not terminated: the value of its last observation counts
        assert (survivor.is_terminated, survivor.is_truncated) == (False, True)
        for own in (fallen, survivor):
            assert len(own.get_observations()["own"]) == len(own) + 1 == len(own.get_rewards()) + 1
        turns = [info["turn"] for info in survivor.get_infos()]
        assert turns == list(range(13))
        assert fallen.get_infos()[-1]["result"]["ending"] == "fell"
        own = fallen.get_observations()["own"][:, 1]
        assert own.tolist() == [1] * FALLS_IN + [0]  # its column `alive`
    sampler.stop()


def test_rllib_ends_a_mixed_episode_and_keeps_who_was_cut_off_apart() -> None:
    sampler = runner(DyingEnv, {**ALONE, "max_turns": FALLS_IN})
    (episode,) = sampler.sample(num_episodes=1, random_actions=True)
    assert episode.is_done
    fallen, survivor = episode.agent_episodes["nation_1"], episode.agent_episodes["nation_0"]
    assert len(fallen) == len(survivor) == FALLS_IN
    assert fallen.is_terminated
    assert (survivor.is_terminated, survivor.is_truncated) == (False, True)
    sampler.stop()


def test_environments_of_one_worker_play_worlds_of_their_own() -> None:
    sampler = runner(HakoenvMultiAgentEnv, {"scenario": "duel", "max_turns": 2, "pieces": ["clock"]}, 2)
    episodes = sampler.sample(num_episodes=6, random_actions=False)
    seeds = [episode.agent_episodes["nation_0"].get_infos()[0]["seed"] for episode in episodes]
    assert len(set(seeds)) == len(seeds) == 6
    assert max(seeds) < fresh.SEEDS
    assert all(len(episode) == 2 for episode in episodes)
    sampler.stop()


def test_the_program_on_the_page_runs_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## RLlib: `HakoenvMultiAgentEnv`\n(.*?)(?:^## |\Z)", page, re.S | re.M)
    (program,) = re.findall(r"```python\n(.*?)\n```", section, re.S)
    exec(compile(program, "docs/training.md", "exec"), {})
    shown = ["action_mask", *sorted(rllib.PIECES)]
    assert capsys.readouterr().out == f"{shown} 1 False\n"
    assert all(f"`{name}`" in section for name in (*rllib.PIECES, *rllib.INFOS, "pieces", "infos", "seed"))
