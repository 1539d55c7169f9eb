"""The PettingZoo environment: arguments, agents, endings, infos, renders, copies and saves."""

import copy
import gc
import pickle
import random
import weakref
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import hakoenv
import hakoenv.envs
from hakoenv.controllers import ControllerError
from hakoenv.engine.codes import terrain
from hakoenv.engine.commands import table
from hakoenv.engine.mapgen import ScenarioError
from hakoenv.engine.save import SaveError
from hakoenv.engine.season import Season, SeasonError, SeedError
from hakoenv.envs import NationsEnv
from hakoenv.obs import pieces
from hakoenv.ruleset import RulesetError
from hakoenv.testing.determinism import differences


def duel(**arguments: Any) -> NationsEnv:
    return hakoenv.parallel_env("duel", **arguments)


def hashes(env: NationsEnv, turns: int) -> list[str]:
    """State hashes of turns played with sampled legal actions."""
    found = []
    for _ in range(turns):
        env.step(env.sample_legal())
        found.append(env.state_hash())
    return found


def seed_spaces(env: NationsEnv, seed: int = 1) -> None:
    for place, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + place)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"controllers": {"nation_2": "idle"}}, SeasonError, "'nation_2' is none of nation_0 .. nation_1"),
        ({"controllers": {"nation_01": "idle"}}, SeasonError, "'nation_01' is none of"),
        ({"controllers": {1: "idle"}}, SeasonError, "1 is none of"),
        ({"controllers": "rule_ai"}, SeasonError, "give a mapping"),
        ({"controllers": ()}, SeasonError, "give a mapping"),
        ({"controllers": {"nation_1": "rul_ai"}}, ControllerError, "did you mean rule_ai"),
        ({"controllers": {"nation_0": "idle", "nation_1": "idle"}}, SeasonError, "drive every nation"),
        ({"rules": {"mine.pile_per_levl": 1}}, RulesetError, "mine.pile_per_level"),
        ({"nations": 9}, ScenarioError, "nations=9"),
        ({"reward": "pionts"}, ValueError, "did you mean points"),
        ({"observation": "pixels"}, ValueError, "observation='pixels': use cells or planes"),
        ({"observation": ()}, ValueError, "observation="),
        ({"commands": "econmy"}, ValueError, "economy"),
        ({"reward": ["points"]}, ValueError, "use points, points_final"),
        ({"observation": None}, ValueError, "observation=None: use cells or planes"),
        ({"observation": [["cells"]]}, ValueError, "use cells or planes"),
        ({"commands": None}, ValueError, "commands=None: use all, economy"),
        ({"commands": [["farm"]]}, ValueError, "use all, economy"),
        ({"controllers": {"nation_1": None}}, SeasonError, "nation_1 is driven by None; give the name"),
        ({"controllers": {"nation_1": ["idle"]}}, SeasonError, "give the name of a controller"),
        ({"commands_per_turn": 51}, ValueError, "commands_per_turn=51 must be a whole number of 1..50"),
        ({"commands_per_turn": 0}, ValueError, "commands_per_turn=0 must be a whole number of at least 1"),
        ({"max_turns": 0}, ValueError, "max_turns=0"),
        ({"max_turns": 2.5}, ValueError, "max_turns=2.5"),
        ({"render_mode": "svg"}, ValueError, "render_mode='svg'"),
        ({"render_scale": 0}, ValueError, "render_scale=0 must be a whole number of at least 1"),
        ({"render_scale": 5}, ValueError, "render_scale=5 must be a whole number of 1..4"),
        ({"render_scale": 1.5}, ValueError, "render_scale=1.5 must be a whole number"),
        ({"render_scale": "2"}, ValueError, "render_scale='2' must be a whole number"),
    ],
)
def test_impossible_arguments_are_refused_in_one_sentence(arguments: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words.replace(".", r"\.")):
        duel(**arguments)


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(RulesetError, match="duel"):
        hakoenv.parallel_env("dual")


def test_agents_are_the_nations_that_nobody_drives() -> None:
    env = hakoenv.parallel_env("skirmish", controllers={"nation_2": "rule_ai", "nation_0": "external"})
    assert env.possible_agents == ["nation_0", "nation_1", "nation_3"]
    assert env.agents == []
    observations, infos = env.reset(seed=1)
    assert list(observations) == list(infos) == env.agents == env.possible_agents
    assert "nation_2" not in env.step({})[0]
    assert env.season.controllers == ["external", "external", "rule_ai", "external"]


def test_every_turn_the_observation_lies_in_its_space_and_the_mask_allows_something() -> None:
    env = duel(observation=("cells", "planes"))
    observations, _ = env.reset(seed=5)
    while env.agents:
        for agent, observation in observations.items():
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"]["verbs"][0] == 1
        observations, *_ = env.step(env.sample_legal())


def test_a_batch_of_samples_is_what_the_spaces_sample_one_by_one() -> None:
    env = hakoenv.parallel_env("skirmish")
    observations, _ = env.reset(seed=2)
    for _ in range(5):
        seed_spaces(env, 9)
        alone = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
        seed_spaces(env, 9)
        together = env.sample_legal()
        assert not list(differences(alone, together))
        observations, *_ = env.step(together)


def test_a_seed_is_the_world_of_the_season_driver() -> None:
    env = duel(controllers={"nation_1": "rule_ai"})
    env.reset(seed=11)
    season = Season.new("duel", seed=11, agents=["external", "rule_ai"])
    for _ in range(10):
        env.step({})
        season.play_turn()
    assert env.state_hash() == season.state_hash()


@pytest.mark.parametrize("seed", [0, np.int64(3), 2**63, 2**64 - 1])
def test_every_whole_number_is_a_seed(seed: Any) -> None:
    env = duel()
    _, infos = env.reset(seed=seed)
    assert {info["seed"] for info in infos.values()} == {int(seed)}


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_other_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(SeedError, match="must be a whole number"):
        duel().reset(seed=seed)


def test_without_a_seed_worlds_follow_from_the_last_seed() -> None:
    def seeds() -> list[int]:
        env = duel()
        first = [env.reset(seed=4)[1]["nation_0"]["seed"]]
        return first + [env.reset()[1]["nation_0"]["seed"] for _ in range(3)]

    assert seeds() == seeds()
    assert len(set(seeds())) == 4
    assert duel().reset()[1]["nation_0"]["seed"] != duel().reset()[1]["nation_0"]["seed"]


def test_a_fresh_seed_whose_map_is_too_small_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    start, tried = Season.start, []

    def refuse_twice(setup: Any) -> Season:
        tried.append(setup.seed)
        if len(tried) < 3:
            raise ScenarioError("too few sites")
        return start(setup)

    monkeypatch.setattr(Season, "start", refuse_twice)
    env = duel()
    assert env.reset()[1]["nation_0"]["seed"] == tried[2]
    tried.clear()
    with pytest.raises(ScenarioError):
        env.reset(seed=5)


def test_global_random_state_is_neither_read_nor_written() -> None:
    env, found = duel(), []
    for k in range(2):
        random.seed(k)
        np.random.seed(k)  # noqa: NPY002
        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        env.reset(seed=6)
        seed_spaces(env)
        found.append(hashes(env, 12))
        assert not list(differences(before, (random.getstate(), np.random.get_state())))  # noqa: NPY002
    assert found[0] == found[1]


def test_a_nation_that_falls_gets_its_last_step_and_never_returns(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish")
    env.reset(seed=3)
    for turn in range(1, 6):
        if turn == 2:
            give_up(env, 2)
        acted = list(env.agents)
        observations, rewards, terminations, truncations, infos = env.step(env.sample_legal())
        for part in (observations, rewards, terminations, truncations, infos):
            assert list(part) == acted
        assert truncations == dict.fromkeys(acted, False)
        if turn == 2:
            assert terminations == {a: a == "nation_2" for a in acted}
            assert env.observation_space("nation_2").contains(observations["nation_2"])
            assert observations["nation_2"]["action_mask"]["verbs"][0] == 1
            assert infos["nation_2"]["result"] == {
                "ending": "fell", "points": 0.0, "score": 0.0, "place": 4, "winner": False,
            }  # fmt: skip
            assert "result" not in infos["nation_0"]
        if turn == 3:
            assert "nation_2" not in observations
            env.world.nations["alive"][2] = 1  # even if the rules could bring it back
        assert ("nation_2" in env.agents) == (turn < 2)


def test_the_rules_end_terminates_all_and_the_callers_limit_truncates_all() -> None:
    env = duel(rules={"season.max_turns": 6, "season.min_turns": 4})
    env.reset(seed=1)
    steps = [env.step({}) for _ in range(6)]
    assert [any(step[2].values()) or any(step[3].values()) for step in steps[:-1]] == [False] * 5
    _, _, terminations, truncations, infos = steps[-1]
    assert (terminations, truncations) == (dict.fromkeys(infos, True), dict.fromkeys(infos, False))
    assert infos["nation_0"]["result"]["ending"] == "turn_limit"
    assert env.agents == []
    env = duel(max_turns=6)
    env.reset(seed=1)
    *_, terminations, truncations, infos = [env.step({}) for _ in range(6)][-1]
    assert (terminations, truncations) == (dict.fromkeys(infos, False), dict.fromkeys(infos, True))
    result = infos["nation_0"]["result"]
    assert result["ending"] == "truncated"
    assert result["points"] + infos["nation_1"]["result"]["points"] == pytest.approx(100)


def test_a_limit_on_the_last_turn_of_the_rules_is_their_end() -> None:
    env = duel(max_turns=6, rules={"season.max_turns": 6, "season.min_turns": 4})
    env.reset(seed=1)
    *_, terminations, truncations, _ = [env.step({}) for _ in range(6)][-1]
    assert (set(terminations.values()), set(truncations.values())) == ({True}, {False})


def test_who_falls_on_the_callers_last_turn_is_terminated_only(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", max_turns=1)
    env.reset(seed=1)
    give_up(env, 1)
    *_, terminations, truncations, infos = env.step({})
    assert terminations == {a: a == "nation_1" for a in infos}
    assert truncations == {a: a != "nation_1" for a in infos}
    assert infos["nation_1"]["result"]["place"] == 4


def test_a_sole_survivor_wins_and_an_extinction_is_shared(give_up: Any) -> None:
    env = duel()
    env.reset(seed=1)
    give_up(env, 0)
    *_, terminations, _, infos = env.step({})
    assert set(terminations.values()) == {True}
    assert infos["nation_1"]["result"] == {
        "ending": "sole_survivor", "points": 100.0, "score": 1.0, "place": 1, "winner": True,
    }  # fmt: skip
    env.reset(seed=1)
    give_up(env, 0, 1)
    *_, infos = env.step({})
    assert [info["result"]["points"] for info in infos.values()] == [50.0, 50.0]
    assert infos["nation_0"]["result"]["ending"] == "extinction"


def test_agents_end_with_their_last_nation_even_if_the_season_goes_on(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", controllers={f"nation_{n}": "rule_ai" for n in (1, 2, 3)})
    env.reset(seed=1)
    give_up(env, 0)
    *_, terminations, truncations, _ = env.step({})
    assert (terminations, truncations, env.agents) == ({"nation_0": True}, {"nation_0": False}, [])
    assert not env.season.ended


def test_infos_tell_public_figures_and_what_became_of_the_commands() -> None:
    env = duel(controllers={"nation_1": "rule_ai"})
    _, infos = env.reset(seed=8)
    assert set(infos["nation_0"]) == {
        "turn", "seed", "series", "rank", "author", "commands", "finance", "events", "played", "warnings",
        "messages", "reward_terms",
    }  # fmt: skip
    assert (infos["nation_0"]["turn"], infos["nation_0"]["played"]) == (0, False)
    assert infos["nation_0"]["series"]["rank"].tolist() == [1, 2]  # equal people: the lower number first
    action = np.zeros(env.action_space("nation_0").shape, np.int64)
    info = env.step({"nation_0": action})[4]["nation_0"]
    assert (info["turn"], info["played"], info["author"], info["warnings"]) == (1, True, "external", [])
    assert info["commands"] == [
        {
            "command": "fundraise", "x": 0, "y": 0, "amount": 0, "target": 0, "verb": "fundraise",
            "code": 0, "reason": "done", "sentence": "carried out",
        }
    ]  # fmt: skip
    nations = env.world.nations
    assert info["series"]["population"].tolist() == nations["population"].tolist()
    assert info["series"]["area"].tolist() == nations["area"].tolist()
    assert info["rank"] == int(nations["rank"][0])
    with pytest.raises(ValueError, match="read-only"):
        info["series"]["area"][0] = 7


def test_writing_garbage_into_returned_arrays_changes_nothing() -> None:
    def run(garbage: bool) -> list[Any]:
        env = hakoenv.parallel_env("duel", observation=("cells", "planes"))
        observations, infos = env.reset(seed=9)
        seed_spaces(env)
        seen = []
        for _ in range(15):
            actions = env.sample_legal()
            if garbage:
                for observation in observations.values():
                    for array in (*observation.values(), *observation["action_mask"].values()):
                        if isinstance(array, np.ndarray):
                            array.view(np.uint8)[...] = 171
                for info in infos.values():
                    info.clear()
            observations, rewards, _, _, infos = env.step(actions)
            seen.append((copy.deepcopy(observations), rewards, copy.deepcopy(infos), env.state_hash()))
        return seen

    assert not list(differences(run(False), run(True)))


def test_kept_observations_never_change_and_copies_are_independent() -> None:
    for fresh in (False, True):
        env = duel(copy=fresh)
        observations, _ = env.reset(seed=2)
        kept = [(observations, copy.deepcopy(observations))]
        for _ in range(8):
            observations, *_ = env.step(env.sample_legal())
            kept.append((observations, copy.deepcopy(observations)))
        for held, then in kept:
            assert not list(differences(held, then))
        assert (kept[0][0]["nation_0"]["own"].base is None) is fresh


def test_copies_of_a_running_environment_continue_identically(tmp_path: Path) -> None:
    env = duel(controllers={"nation_1": "rule_ai"}, reward="growth")
    env.reset(seed=17)
    seed_spaces(env)
    hashes(env, 17)
    env.save(tmp_path / "at17.save")
    pickled, copied = pickle.loads(pickle.dumps(env)), copy.deepcopy(env)
    loaded = duel(controllers={"nation_1": "rule_ai"}, reward="growth")
    loaded.load(tmp_path / "at17.save")
    loaded.action_space("nation_0")._np_random = copy.deepcopy(env.action_space("nation_0").np_random)
    steps = []
    for other in (env, pickled, copied, loaded):
        seen = []
        for _ in range(20):
            given = other.step(other.sample_legal())
            seen.append((other.state_hash(), copy.deepcopy(given)))
        steps.append((seen, other.reset()[1]["nation_0"]["seed"]))
    for other in steps[1:]:
        assert not list(differences(steps[0], other))


def test_an_environment_can_be_copied_before_its_first_reset() -> None:
    env = pickle.loads(pickle.dumps(duel()))
    assert env.reset(seed=1)[1]["nation_0"]["turn"] == 0


def test_a_loaded_season_has_only_those_who_are_still_there(tmp_path: Path, give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", max_turns=3)
    env.reset(seed=1)
    give_up(env, 2)
    env.step({})
    env.save(tmp_path / "one.save")
    other = hakoenv.parallel_env("skirmish", max_turns=3)
    observations, infos = other.load(tmp_path / "one.save")
    assert list(observations) == list(infos) == other.agents == ["nation_0", "nation_1", "nation_3"]
    over = hakoenv.parallel_env("skirmish", max_turns=1)
    assert over.load(tmp_path / "one.save") == ({}, {})


def test_another_games_save_is_refused(tmp_path: Path) -> None:
    env = duel()
    env.reset(seed=1)
    env.save(tmp_path / "one.save")
    for other in (duel(nations=1), duel(rules={"founding.funds": 1}), duel(controllers={"nation_0": "idle"})):
        with pytest.raises(SaveError, match="another game"):
            other.load(tmp_path / "one.save")


def test_a_deleted_environment_frees_its_memory() -> None:
    env = duel()
    env.reset(seed=1)
    env.step(env.sample_legal())
    dead = weakref.ref(env), weakref.ref(env.world.clock), weakref.ref(env.observation_space("nation_0"))
    del env
    gc.collect()
    assert [ref() for ref in dead] == [None] * 3


def test_renders_in_each_mode_for_all_and_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    env = duel(render_mode="rgb_array")
    env.reset(seed=1)
    frames = [env.render(), env.render("all"), env.render("nation_1")]
    for frame in frames:
        assert isinstance(frame, np.ndarray)
        assert (frame.dtype, frame.ndim, frame.shape[2]) == (np.uint8, 3, 3)
    assert np.array_equal(frames[0], frames[1])
    env = duel(render_mode="ansi")
    env.reset(seed=1)
    drawn = env.render()
    assert isinstance(drawn, str)
    assert len(drawn.splitlines()) == 30
    for view in ("nation_2", "public", 0, None):
        with pytest.raises(ValueError, match=r'neither "all" nor one of nation_0 \.\. nation_1'):
            env.render(view)  # type: ignore[arg-type]
    assert capsys.readouterr().out == ""
    env = duel(render_mode="human")
    env.reset(seed=1)
    env.step({})
    assert "turn 1" in capsys.readouterr().out


def test_frames_may_be_larger() -> None:
    """A duel has 30 columns, 8 pixels each, and half a column where odd rows stand out."""
    for scale in (1, 3):
        env = pickle.loads(pickle.dumps(duel(render_mode="rgb_array", render_scale=scale)))
        env.reset(seed=1)
        frame = env.render("nation_0")
        assert isinstance(frame, np.ndarray)
        assert frame.shape[1] == 30 * 8 * scale + 4 * scale + 1
    small = duel(render_mode="rgb_array")
    small.reset(seed=1)
    colours = [{tuple(c) for c in f.reshape(-1, 3).tolist()} for f in (frame, small.render("nation_0"))]  # type: ignore[union-attr]
    assert colours[0] == colours[1]


def test_a_render_of_a_nation_shows_what_it_sees() -> None:
    env = duel(render_mode="rgb_array")
    env.reset(seed=1)
    base = env.world.cells.reshape(-1)[int(env.world.nations["capital"][1]) + 1]
    base["owner"], base["population"], base["terrain"], base["level"] = 1, 0, terrain.FOREST, 0
    forest = env.render("nation_0"), env.render("nation_1")
    base["terrain"], base["level"], base["experience"] = terrain.MISSILE_BASE, 3, 40
    assert np.array_equal(forest[0], env.render("nation_0"))
    assert not np.array_equal(forest[1], env.render("nation_1"))


def test_the_text_view_is_a_nations_own() -> None:
    env = duel()
    env.reset(seed=1)
    assert "nation_1" in env.text("nation_1")
    assert env.text("nation_0") != env.text("nation_1")
    assert len(env.text("nation_0", budget=500)) <= 500
    nobodies: list[Any] = ["all", "nation_9", 0, None, [], {}, np.array(["nation_0", "nation_1"])]
    for agent in nobodies:
        with pytest.raises(ValueError, match=r"^agent=.* is none of nation_0 \.\. nation_1$"):
            env.text(agent)
    with pytest.raises(TypeError, match="unexpected keyword argument 'view'"):
        env.text(view="nation_0")  # type: ignore[call-arg]
    for budget in ("x", 1.5, -1, True, [5]):
        with pytest.raises(ValueError, match="budget=.* must be a whole number of at least 0"):
            env.text("nation_0", budget=budget)  # type: ignore[arg-type]
    assert len(env.text("nation_0", budget=np.int32(300))) <= 300  # type: ignore[arg-type]


@pytest.mark.parametrize("agent", ["nation_2", 0, None, [], {}, ["nation_0"], np.zeros(2)], ids=repr)
def test_spaces_of_nobody_are_refused(agent: Any) -> None:
    env = duel()
    for space in (env.action_space, env.observation_space):
        with pytest.raises(KeyError, match="is no agent; there are nation_0, nation_1"):
            space(agent)


@pytest.mark.rule("TURN-033")
@pytest.mark.parametrize("scenario", ["duel", "skirmish"])
def test_the_population_rank_is_the_same_everywhere_from_the_start(scenario: str) -> None:
    """Largest first, ties to the lower number; also before the ranking of the first turn has run."""
    env = hakoenv.parallel_env(scenario)
    observations, infos = env.reset(seed=3)
    column = [c.name for c in pieces.OWN].index("rank")
    others = [c.name for c in pieces.NATION].index("rank")
    for _ in range(4):
        people = env.world.nations["population"].tolist()
        order = sorted(range(len(people)), key=lambda n: (-people[n], n))
        for n, agent in enumerate(env.agents):
            assert infos[agent]["rank"] == observations[agent]["own"][column] == 1 + order.index(n)
            assert infos[agent]["series"]["rank"].tolist() == [1 + order.index(k) for k in range(len(people))]
            assert observations[agent]["nations"][0, others] == 1 + order.index(n)
        observations, *_, infos = env.step({})


def test_commands_are_told_by_their_verb_too() -> None:
    """Every verb, packed with small factors, comes back by its name."""
    env = duel()
    env.reset(seed=3)
    verbs = table.verbs()
    for first in range(0, len(verbs), 40):
        some = verbs[first : first + 40]
        packed = [table.pack(v, (3, 4), 1, [max(1, f.low) for f in v.factors]) for v in some]
        env.world.nations["result_count"][0] = len(some)
        for name in table.Packed._fields:
            env.world.results[name][0, : len(some)] = [getattr(p, name) for p in packed]
        found = env._infos(["nation_0"])["nation_0"]["commands"]
        assert [entry["verb"] for entry in found] == [verb.name for verb in some]
        assert [entry["command"] for entry in found] == [verb.name.split(":")[0] for verb in some]
    env.world.nations["result_count"][0] = 2
    env.world.results["command"][0, :2] = 20, 7  # economic_facility of no kind; no command
    env.world.results["amount"][0, :2] = 99
    found = env._infos(["nation_0"])["nation_0"]["commands"]
    assert [entry["verb"] for entry in found] == ["economic_facility", "command 7"]


def test_names_can_be_listed_and_environments_print_short() -> None:
    assert dir(hakoenv) == sorted(hakoenv.__all__)
    assert {"NationEnv", "FlatEnv", "flat", "parallel_env", "PolicyController"} <= set(dir(hakoenv.envs))
    for module in (hakoenv, hakoenv.envs):
        assert all(getattr(module, name) is not None for name in dir(module))
    env = hakoenv.parallel_env("skirmish", controllers={"nation_1": "idle"})
    assert repr(env) == "<NationsEnv skirmish: 0 of 3 agents, 4 nations, before reset()>"
    env.reset(seed=1)
    env.step({})
    assert repr(env) == "<NationsEnv skirmish: 3 of 3 agents, 4 nations, turn 1>"
    one = hakoenv.envs.NationEnv("duel")
    assert repr(one) == "<NationEnv duel: nation_0 of 2 nations, before reset()>"
    assert len(repr(one.action_space)) < 100


def test_nothing_can_be_asked_before_the_first_reset() -> None:
    env = duel(render_mode="ansi")
    for ask in (
        lambda: env.step({}),
        env.render,
        env.state_hash,
        lambda: env.text("nation_0"),
        lambda: env.world,
    ):
        with pytest.raises(gymnasium.error.ResetNeeded):
            ask()  # type: ignore[no-untyped-call]
    assert env.close() is None  # type: ignore[func-returns-value]


def test_commands_choose_the_verbs() -> None:
    verbs = [verb.name for verb in duel(commands=("farm", "fundraise")).action_space("nation_0").menu.verbs]
    assert verbs == ["farm", "fundraise"]


def test_one_command_at_a_time_until_one_ends_the_turn() -> None:
    env = duel(one_at_a_time=True, commands_per_turn=3)
    env.reset(seed=4)
    seed_spaces(env)
    menu = env.action_space("nation_0").menu
    names = [verb.name for verb in menu.verbs]
    shape = env.action_space("nation_0").shape
    policy, ends = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    policy[1] = 1 + names.index("industrial_policy:heavy")
    ends[1] = 1 + names.index("fundraise")
    turn_0, *_, infos = env.step({"nation_0": policy, "nation_1": ends})
    assert (env.season.turn, infos["nation_0"]["played"]) == (0, False)
    assert turn_0["nation_0"]["action_mask"]["verbs"][policy[1]] == 0  # one policy a turn
    assert turn_0["nation_0"]["action_mask"]["verbs"].sum() > 1
    assert turn_0["nation_1"]["action_mask"]["verbs"].sum() == 1  # has ended its turn: it can only wait
    *_, infos = env.step({"nation_0": ends, "nation_1": policy})
    assert (env.season.turn, infos["nation_0"]["played"]) == (1, True)
    assert [c["command"] for c in infos["nation_0"]["commands"]] == ["industrial_policy", "fundraise"]
    assert [c["command"] for c in infos["nation_1"]["commands"]] == ["fundraise"]


def test_asking_one_at_a_time_stops_after_so_many_commands() -> None:
    env = duel(one_at_a_time=True, commands_per_turn=2)
    env.reset(seed=4)
    seed_spaces(env)
    played = [env.step(env.sample_legal())[4]["nation_0"]["played"] for _ in range(60)]
    assert "FalseFalse" not in "".join(map(str, played))
    assert env.season.turn == sum(played) >= 30


def test_copies_in_the_middle_of_a_turn_continue_identically() -> None:
    env = duel(one_at_a_time=True)
    env.reset(seed=4)
    seed_spaces(env)
    while env.step(env.sample_legal())[4]["nation_0"]["played"]:
        pass
    steps = []
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env), env):
        steps.append([copy.deepcopy(other.step(other.sample_legal())) for _ in range(10)])
    assert not list(differences(steps[0], steps[1]))
    assert not list(differences(steps[0], steps[2]))
