"""Many worlds side by side: equal to single environments, and what the arrays say."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import hakoenv
from hakoenv import controllers as registry
from hakoenv.engine.codes import author, ending
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.commands.plans import set_plan
from hakoenv.engine.season import Season, SeasonError, SeedError
from hakoenv.engine.world import state_hash
from hakoenv.envs.vec import VecEnv

SEEDS = (5, 6, 2**64 - 1)
ARGUMENTS: list[dict[str, Any]] = [
    {"scenario": "duel", "max_turns": 7},
    {"scenario": "duel", "rules": {"season.max_turns": 5}, "controllers": {"nation_1": "rule_ai"}},
    {
        "scenario": "skirmish",
        "max_turns": 4,
        "reward": "growth",
        "controllers": {"nation_0": "random", "nation_2": "rule_ai"},
        "observation": ("cells", "planes"),
        "commands_per_turn": 3,
    },
    {"scenario": "duel", "max_turns": 3, "reward": "rank", "commands": "economy"},
]


def agree(one: Any, many: Any, where: str) -> None:
    """Whether an agent's observation is a row of arrays."""
    assert set(one) == set(many)
    for name, array in one.items():
        if isinstance(array, dict):
            agree(array, many[name], f"{where} {name}")
        else:
            assert array.dtype == many[name].dtype
            assert np.array_equal(array, many[name]), f"{where} {name}"


def row(seen: Any, *place: int) -> Any:
    return {name: row(a, *place) if isinstance(a, dict) else a[place] for name, a in seen.items()}


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda a: a["scenario"])
def test_world_by_world_equal_to_single_environments(arguments: dict[str, Any]) -> None:
    """Ten turns with restarts: what every agent gets, and the whole worlds."""
    many = hakoenv.vec(num_envs=len(SEEDS), **arguments)
    single = [hakoenv.parallel_env(**arguments) for _ in SEEDS]
    seen, infos = many.reset(seed=SEEDS)
    for i, env in enumerate(single):
        for agent, observation in env.reset(seed=SEEDS[i])[0].items():
            agree(observation, row(seen, i, int(agent[7:])), f"at the start, world {i}, {agent}")
    many.single_action_space.seed(1)
    restarts = 0
    for turn in range(10):
        actions = many.sample_legal()
        seen, rewards, terminations, truncations, infos = many.step(actions)
        finals = {int(i): k for k, i in enumerate(infos.get("final", ()))}
        for i, env in enumerate(single):
            acted = list(env.agents)
            got = env.step({agent: actions[i, int(agent[7:])] for agent in acted})
            for agent in acted:
                n = int(agent[7:])
                where = f"step {turn}, world {i}, {agent}"
                place = row(infos["final_obs"], finals[i], n) if i in finals else row(seen, i, n)
                agree(got[0][agent], place, where)
                assert got[1][agent] == rewards[i, n], where
                assert got[2][agent] == terminations[i, n], where
                assert got[3][agent] == truncations[i, n], where
                terms = dict(zip(many.reward_parts, infos["reward_parts"][i, n].tolist(), strict=True))
                assert got[4][agent]["reward_terms"] == terms
            if i in finals:
                k = finals[i]
                restarts += 1
                result = got[4][acted[0]]["result"]
                n = int(acted[0][7:])
                assert result["points"] == infos["final_points"][k, n]
                assert result["place"] == infos["final_ranks"][k, n]
                assert result["winner"] == infos["final_winner"][k, n]
                assert env.season.turn == infos["final_turn"][k]
                for agent, observation in env.reset()[0].items():
                    agree(observation, row(seen, i, int(agent[7:])), f"begun anew, world {i}")
            assert state_hash(env.world) == state_hash(many.world(i)), f"step {turn}, world {i}"
            assert infos["seed"][i] == env.season.seed
            assert infos["turn"][i] == env.season.turn
    assert restarts >= len(SEEDS)


def test_a_nation_that_falls_is_told_once_and_its_world_begins_anew_without_agents() -> None:
    """Nation 0 gives up (CMD: abandon_nation) in one of two worlds."""
    env = hakoenv.vec("duel", 2, commands="everything", controllers={"nation_1": "idle"})
    env.reset(seed=3)
    verbs = [verb.name for verb in env.single_action_space.menu.verbs]
    actions = np.zeros((2, 2, env.single_action_space.nvec.size), np.int64)
    actions[0, 0, :2] = 2, 1 + verbs.index("abandon_nation")
    seen, _, terminations, truncations, infos = env.step(actions)
    assert terminations.tolist() == [[True, True], [False, False]]  # the other is the sole survivor
    assert not truncations.any()
    assert infos["final"].tolist() == [0]
    assert infos["final_ending"].tolist() == [ending.SOLE_SURVIVOR]
    assert infos["final_points"].tolist() == [[0, 100]]
    assert infos["final_winner"].tolist() == [[False, True]]
    assert infos["turn"].tolist() == [0, 1]
    assert infos["alive"].all()
    assert not env.sample_legal()[:, 1].any()  # no agent


def test_a_world_whose_last_agent_fell_does_not_go_on_without_one() -> None:
    env = hakoenv.vec(
        "skirmish", 1, commands="everything", controllers={f"nation_{n}": "idle" for n in (1, 2, 3)}
    )
    env.reset(seed=3)
    verbs = [verb.name for verb in env.single_action_space.menu.verbs]
    actions = np.zeros((1, 4, env.single_action_space.nvec.size), np.int64)
    actions[0, 0, :2] = 2, 1 + verbs.index("abandon_nation")
    _, _, terminations, _, infos = env.step(actions)
    assert terminations.tolist() == [[True, False, False, False]]
    assert infos["final_ending"].tolist() == [ending.RUNNING]
    assert infos["turn"].tolist() == [0]


def test_arrays_are_kept_as_long_as_the_caller_holds_them() -> None:
    env = hakoenv.vec("duel", 2)
    first, _ = env.reset(seed=0)
    before = {name: np.array(array) for name, array in first.items() if name != "action_mask"}
    for _ in range(6):
        env.step(env.sample_legal())
    for name, array in before.items():
        assert np.array_equal(first[name], array)


def test_seeds_count_up_and_repeat() -> None:
    env = hakoenv.vec("duel", 3)
    _, infos = env.reset(seed=8)
    assert infos["seed"].tolist() == [8, 9, 10]
    again = hakoenv.vec("duel", 3)
    again.reset(seed=8)
    fresh = env.reset()[1]["seed"]
    assert fresh.tolist() == again.reset()[1]["seed"].tolist()
    assert len(set(fresh.tolist())) == 3


def test_observations_lie_in_their_space_and_actions_in_theirs() -> None:
    env = hakoenv.vec("duel", 2)
    seen, _ = env.reset(seed=0)
    for _ in range(3):
        for i in range(2):
            for n in env.seats.tolist():
                assert env.single_observation_space.contains(row(seen, i, n))
        actions = env.sample_legal()
        assert all(env.single_action_space.contains(action) for action in actions.reshape(4, -1))
        seen = env.step(actions)[0]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"num_envs": 0}, "num_envs=0"),
        ({"num_envs": 2.5}, "num_envs=2.5"),
        ({"num_envs": 10**9}, r"num_envs=1000000000 must be a whole number of 1..65536"),
        ({"controllers": ["rule_ai"]}, "controllers=.'rule_ai'.: give a mapping"),
        ({"reward": lambda before, after, nation: 0.0}, "many worlds give rewards by name"),
        ({"reward": "score"}, "reward='score'"),
        ({"controllers": {"nation_1": "llm:m"}}, "llm:m needs a season of its own"),
        ({"controllers": {"nation_7": "rule_ai"}}, "nation_7"),
        ({"max_turns": 0}, "max_turns=0"),
        ({"commands_per_turn": 51}, "commands_per_turn=51"),
    ],
)
def test_an_impossible_argument_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        hakoenv.vec(**{"scenario": "duel", "num_envs": 2, **arguments})


def test_wrong_actions_and_seeds_are_refused() -> None:
    env = VecEnv("duel", 2)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros((2, 2, 57), np.int64))
    with pytest.raises(SeedError):
        env.reset(seed=-1)
    with pytest.raises(SeedError, match="3 numbers for 2 worlds"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=0)
    for wrong in (np.zeros((2, 57), np.int64), np.zeros((2, 2, 57)), None, "no"):
        with pytest.raises(ValueError, match=r"\(2, 2, 57\) \(env, nation, head\)"):
            env.step(wrong)
    with pytest.raises(ValueError, match="number=2"):
        env.world(2)
    strange = np.random.default_rng(0).integers(-9, 400, (2, 2, 57))
    env.step(strange)  # numbers outside the space give no command


def test_a_policy_is_asked_world_by_world_in_the_form_of_the_environment() -> None:
    asked: list[tuple[int, ...]] = []

    def policy(observation: dict[str, Any]) -> None:
        asked.append(observation["cells"].shape)

    env = hakoenv.vec("duel", 3, controllers={"nation_1": policy}, commands_per_turn=2)
    env.reset(seed=0)
    env.step(env.sample_legal())
    assert asked == [(256, 47)] * 3


def test_controllers_are_made_once_for_all_seasons(monkeypatch: pytest.MonkeyPatch) -> None:
    get, made = registry.get, []
    monkeypatch.setattr(registry, "get", lambda driver: made.append(driver) or get(driver))
    env = hakoenv.vec("duel", 2, controllers={"nation_1": "idle"}, max_turns=1)
    env.reset(seed=0)
    env.step(env.sample_legal())  # all seasons are over and begin anew
    single = hakoenv.parallel_env("duel", controllers={"nation_0": "random"})
    for seed in (1, 2):
        single.reset(seed=seed)
    assert (made.count("idle"), made.count("random")) == (1, 1)


def test_after_a_controller_has_raised_there_must_be_a_reset() -> None:
    class Fails:
        code = kinds.EXTERNAL

        def fill(self, world: Any, rules: Any, nations: Any) -> None:
            if world.clock["seed"][0] == 1:
                raise RuntimeError("no idea")

    env = hakoenv.vec("duel", 2, controllers={"nation_1": Fails()})
    env.reset(seed=0)
    actions = env.sample_legal()
    with pytest.raises(RuntimeError, match="no idea") as caught:
        env.step(actions)
    assert caught.value.__notes__ == [
        "raised by controller 'own_controller', planning for nation_1 of world 1"
    ]
    with pytest.raises(ResetNeeded):
        env.step(actions)
    env.reset(seed=2)
    env.step(env.sample_legal())


class Silent:
    """Stands for a language model that gives a plan in every third turn only."""

    code = kinds.LLM

    def fill(self, world: Any, rules: Any, nations: Any) -> None:
        if world.clock["turn"][0] % 3 == 0:
            for nation in nations:
                set_plan(world, nation, [("fundraise",)])


@pytest.mark.rule("LLM-001", "LLM-002")
def test_the_rule_ai_stands_in_for_language_models_that_give_no_plan() -> None:
    many = hakoenv.vec("duel", 2, controllers={"nation_1": Silent()})
    many.reset(seed=3)
    seasons = [Season.new("duel", seed=3 + i, agents=["external", Silent()]) for i in range(2)]
    nothing = np.zeros((2, 2, many.single_action_space.nvec.size), np.int64)
    authors = []
    for turn in range(1, 13):
        many.step(nothing)
        authors.append(int(many.world(0).nations["author"][1]))
        for i, season in enumerate(seasons):
            season.play_turn()
            assert state_hash(many.world(i)) == season.state_hash(), f"turn {turn}, world {i}"
    assert authors == 4 * [author.LLM, author.PROXY, author.PROXY]


def test_a_controller_may_plan_for_agents_turn_by_turn() -> None:
    """Nation 1 of world 0 has three drivers in turn; a season whose drivers change likewise is the same."""
    env = hakoenv.vec("duel", 2)
    env.reset(seed=3)
    season = Season.new("duel", seed=3, agents="external")
    nothing = np.zeros((2, 2, env.single_action_space.nvec.size), np.int64)
    whose = np.array([[False, True], [False, False]])
    for turns, name in ((20, "rule_ai"), (3, "external"), (20, "rule_ai"), (4, "random"), (5, "rule_ai")):
        season.set_controller(1, name)
        driver = registry.get(name)
        for _ in range(turns):
            if name != "external":
                env.let_plan(driver, whose)
            env.step(nothing)
            season.play_turn()
            assert state_hash(env.world(0)) == season.state_hash(), f"turn {season.turn}"
    idle = Season.new("duel", seed=4, agents="external")
    idle.run(until=season.turn)
    assert state_hash(env.world(1)) == idle.state_hash()


def test_who_may_plan_for_whom() -> None:
    class Waits(Silent):
        def begin(self, season: Any, nations: Any) -> None:
            """Never called."""

    class Coded(Silent):
        code = 7

    env = hakoenv.vec("duel", 2, controllers={"nation_1": "idle"})
    rule_ai, whose = registry.get("rule_ai"), np.array([[True, False], [False, False]])
    with pytest.raises(ResetNeeded):
        env.let_plan(rule_ai, whose)
    env.reset(seed=0)
    for wrong in (whose.astype(int), whose[0], None):
        with pytest.raises(ValueError, match=r"whose must be a bool array of shape \(2, 2\) \(env, nation\)"):
            env.let_plan(rule_ai, wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whose names nation_1, which a controller drives"):
        env.let_plan(rule_ai, ~whose)
    with pytest.raises(SeasonError, match="own_controller needs a season of its own"):
        env.let_plan(Waits(), whose)
    for wrong, instead in (
        ("rule_ai", r"driver='rule_ai' is no controller; make one once, hakoenv\.controllers\.get"),
        (lambda seen: None, r"driver=<function .* is no controller; .*PolicyController\(policy\)"),
        (Silent, r"is no controller; it is a class: give an object of it, Silent\(...\)"),
        (None, "driver=None is no controller; give the name"),
        (Coded(), r"is no controller; a controller has a `fill` to call and a `code` of 0\.\.2"),
    ):
        with pytest.raises(SeasonError, match=instead):
            env.let_plan(wrong, whose)  # type: ignore[arg-type]
    env.let_plan(rule_ai, whose)
    env.reset(seed=0)  # which nobody waits for
    env.step(env.sample_legal())
    assert env.worlds.nations["controller"].tolist() == [[kinds.EXTERNAL] * 2] * 2


def test_seasons_that_are_over_are_marked_as_gymnasium_marks_them() -> None:
    env = hakoenv.vec("duel", 3, rules={"season.max_turns": 2}, controllers={"nation_1": "idle"})
    env.reset(seed=3, options={"any": "thing"})
    env.world(1).clock["turn"] = 1
    nothing = np.zeros((3, 2, env.single_action_space.nvec.size), np.int64)
    seen, _, _, _, infos = env.step(nothing)
    assert infos["_final_obs"].tolist() == [False, True, False]
    assert infos["final"].tolist() == [1]
    assert infos["final_obs"]["own"].shape == (1, *seen["own"].shape[1:])
    *_, infos = env.step(nothing)
    assert infos["_final_obs"].tolist() == [True, False, True]


def test_spaces_of_all_worlds_and_nations() -> None:
    env = hakoenv.vec("duel", 2, controllers={"nation_1": "rule_ai"}, commands_per_turn=2, commands="economy")
    seen, _ = env.reset(seed=0)
    for _ in range(3):
        assert env.observation_space.contains(seen)
        assert env.action_space.contains(actions := env.sample_legal())
        seen = env.step(actions)[0]
    assert env.action_space.shape == (2, 2, 15)
    assert env.action_space.sample().shape == (2, 2, 15)
    assert env.observation_space["cells"].shape == seen["cells"].shape
    wrong = env.sample_legal()
    wrong[1, 1, 0] = 3  # modes are 0 to 2
    assert not env.action_space.contains(wrong)


def test_a_copy_goes_on_like_the_original() -> None:
    env = hakoenv.vec("duel", 2, controllers={"nation_1": "rule_ai"}, max_turns=4)
    env.reset(seed=4)
    env.step(env.sample_legal())
    other = pickle.loads(pickle.dumps(env))
    agree(row(env.observe()[0], 1, 0), row(other.observe()[0], 1, 0), "the copy")
    for _ in range(6):
        actions = env.sample_legal()
        assert np.array_equal(actions, other.sample_legal())
        one, two = env.step(actions), other.step(actions)
        assert np.array_equal(one[1], two[1])
        assert one[4]["seed"].tolist() == two[4]["seed"].tolist()
        for i in range(2):
            assert state_hash(env.world(i)) == state_hash(other.world(i))


def test_a_copy_knows_who_plans_for_agents_in_the_coming_turn() -> None:
    env = hakoenv.vec("duel", 2)
    env.reset(seed=4)
    env.let_plan(registry.get("rule_ai"), np.array([[False, True], [True, True]]))
    others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)]
    nothing = np.zeros((2, 2, env.single_action_space.nvec.size), np.int64)
    env.step(nothing)
    assert env.worlds.nations["author"].tolist() == [
        [author.EXTERNAL, author.RULE_AI],
        [author.RULE_AI, author.RULE_AI],
    ]
    for other in others:
        other.step(nothing)
        assert state_hash(env.worlds) == state_hash(other.worlds)
        env.let_plan(registry.get("rule_ai"), np.zeros((2, 2), np.bool_))  # each has guests of its own
        assert other._guests == []


def test_what_cannot_travel_with_a_copy_is_named() -> None:
    class Locked(Silent):
        def __init__(self) -> None:
            self.lock = threading.Lock()

    env = hakoenv.vec("duel", 1)
    env.reset(seed=4)
    env.let_plan(Locked(), np.array([[True, False]]))
    with pytest.raises(pickle.PicklingError, match=r"let_plan\['guest 0'\] is .*Locked.* can't be pickled"):
        pickle.dumps(env)


def test_a_shallow_copy_shares_no_seeds_and_no_draws() -> None:
    env = hakoenv.vec("duel", 2, max_turns=1)
    env.reset(seed=4)
    env.sample_legal()
    other, same = copy.copy(env), copy.deepcopy(env)
    other.step(other.sample_legal())  # all its seasons are over and begin anew
    fresh = other.reset()[1]["seed"].tolist()
    assert env.observe()[1]["seed"].tolist() == [4, 5]
    assert np.array_equal(env.sample_legal(), same.sample_legal())
    assert env.reset()[1]["seed"].tolist() == fresh


def test_without_any_command_there_is_nothing_to_do_but_to_wait() -> None:
    env = hakoenv.vec("duel", 2, commands=[])
    env.reset(seed=0)
    actions = env.sample_legal()
    assert not actions[:, :, 1:].any()
    assert env.step(actions)[4]["turn"].tolist() == [1, 1]


def test_a_limit_beyond_all_turns_never_ends_a_season() -> None:
    env = hakoenv.vec("duel", 1, max_turns=2**64)
    env.reset(seed=0)
    assert not env.step(env.sample_legal())[3].any()
    assert env.max_turns == 2**64


def test_a_seed_may_be_an_array_of_no_axes() -> None:
    env = hakoenv.vec("duel", 2)
    seed: Any = np.array(5)
    assert env.reset(seed=seed)[1]["seed"].tolist() == [5, 6]
    bad: list[Any] = [np.array(5.0), np.array([[1], [2]])]
    for wrong in bad:
        with pytest.raises(SeedError, match="must be a whole number"):
            env.reset(seed=wrong)


def test_observations_go_into_the_callers_arrays() -> None:
    one, two = hakoenv.vec("duel", 2), hakoenv.vec("duel", 2)
    mine = one.buffers()
    seen, _ = one.reset(seed=1, out=mine)
    other, _ = two.reset(seed=1)
    assert seen["cells"] is mine["cells"]
    for _ in range(4):
        actions = two.sample_legal()
        assert one.step(actions, out=mine)[0]["action_mask"]["cells"] is mine["action_mask"]["cells"]
        other = two.step(actions)[0]
        for n in range(2):
            agree(row(other, 1, n), row(mine, 1, n), "the caller's arrays")
    mine["own"] = mine["own"].astype(np.int64)
    with pytest.raises(ValueError, match=r"out\['own'\] must be a contiguous, writeable int32 array"):
        one.step(actions, out=mine)
    with pytest.raises(ValueError, match="buffers"):
        one.step(actions, out={})
