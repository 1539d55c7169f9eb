"""Nations driven by policies and controllers of the caller's, in every environment and in a season."""

import copy
import pickle
import threading
import zlib
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import hakoenv
from hakoenv import controllers
from hakoenv.controllers import ControllerError
from hakoenv.engine.codes import author, terrain
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.commands.plans import set_plan
from hakoenv.engine.save import SaveError
from hakoenv.engine.season import Season, SeasonError
from hakoenv.envs import NationEnv, NationsEnv, PolicyController
from hakoenv.envs.infos import Facts
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.testing.determinism import differences


def space_of(**arguments: Any) -> PlanSpace:
    return hakoenv.parallel_env("duel", **arguments).action_space("nation_0")


class Legal:
    """A policy: legal plans that follow from what it is shown, and a note of that."""

    def __init__(self, **form: Any) -> None:
        self.space = space_of(**form)
        self.seen: list[dict[str, Any]] = []

    def __call__(self, observation: dict[str, Any]) -> Any:
        self.seen.append(observation)
        mask = observation["action_mask"]
        self.space.seed(zlib.crc32(observation["clock"].tobytes() + mask["verbs"].tobytes()))
        return self.space.sample(mask)


class Farmer:
    """A controller: farms on all plains, and a note of whom it was asked for."""

    code = kinds.EXTERNAL

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def fill(self, world: Any, rules: Any, nations: Any) -> None:
        self.asked.append(nations.tolist())
        for nation in nations:
            plains = (world.cells["owner"] == nation) & (world.cells["terrain"] == terrain.PLAINS)
            rows, columns = np.nonzero(plains)
            set_plan(world, nation, [("farm", x, y) for x, y in zip(columns, rows, strict=True)])


def wait(observation: dict[str, Any]) -> None:
    """A policy that keeps the queue."""


class Fails:
    """A policy or controller that raises in the turn that follows ``turn``."""

    code = kinds.EXTERNAL

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.broken = True

    def __call__(self, observation: dict[str, Any]) -> None:
        if self.broken and observation["clock"][0] == self.turn:
            raise ZeroDivisionError("by design")


class FailsToFill(Fails):
    def fill(self, world: Any, rules: Any, nations: Any) -> None:
        if self.broken and int(world.clock["turn"][0]) == self.turn:
            raise ZeroDivisionError("by design")


FORMS: list[dict[str, Any]] = [
    {},
    {"commands": "economy", "commands_per_turn": 1},
    {"observation": "planes", "one_at_a_time": True, "commands_per_turn": 4},
    {"cells": "all", "copy": True},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_policy_plays_as_if_it_were_an_agent(form: dict[str, Any]) -> None:
    """The same policy, once in the environment and once outside, sees the same and makes the same world."""
    inside, outside = Legal(**form), Legal(**form)
    ours = hakoenv.parallel_env("duel", controllers={"nation_1": inside}, **form)
    theirs = hakoenv.parallel_env("duel", **form)
    assert ours.possible_agents == ["nation_0"]
    ours.reset(seed=2)
    theirs.reset(seed=2)
    players = {"nation_0": Legal(**form), "nation_1": outside}
    for _ in range(25):
        for env in (ours, theirs):
            played = False
            while not played:
                seen = env._observe(env.agents)
                *_, infos = env.step({agent: players[agent](seen[agent]) for agent in env.agents})
                played = infos["nation_0"]["played"]
        assert ours.state_hash() == theirs.state_hash()
    if not form.get("one_at_a_time"):  # then a nation that is done is asked outside, in vain
        assert not list(differences(inside.seen, outside.seen))
        assert len(inside.seen) == 25


def test_with_one_command_at_a_time_a_policy_is_asked_until_its_turn_ends() -> None:
    form: dict[str, Any] = {"one_at_a_time": True, "commands_per_turn": 3}
    names = [verb.name for verb in space_of(**form).menu.verbs]
    setting, ending = np.zeros(8, np.int64), np.zeros(8, np.int64)
    setting[1], ending[1] = 1 + names.index("port_policy:closed"), 1 + names.index("fundraise")
    given = [setting, ending]

    def in_turns(observation: dict[str, Any]) -> Any:
        given.reverse()
        return given[1]

    env = hakoenv.parallel_env("duel", controllers={"nation_1": in_turns}, **form)
    env.reset(seed=4)
    *_, infos = env.step({"nation_0": ending})  # the agent is done, so the policy is asked on in this step
    assert (env.season.turn, infos["nation_0"]["played"]) == (1, True)
    handled = Facts(env.world, env.season.rules).commands(1)
    assert [entry["verb"] for entry in handled] == ["port_policy:closed", "fundraise"]
    *_, infos = env.step({"nation_0": setting})
    assert (env.season.turn, infos["nation_0"]["played"]) == (1, False)
    *_, infos = env.step({"nation_0": ending})
    assert (env.season.turn, infos["nation_0"]["played"]) == (2, True)


def test_a_policy_sees_its_nations_view_and_nothing_else() -> None:
    """Exactly an agent's observation, so what test_fog.py shows of agents holds for it."""
    policy = Legal()
    env = hakoenv.parallel_env("duel", controllers={"nation_1": policy})
    env.reset(seed=2)
    for _ in range(5):
        env.step({})
        env._observe(())
        expected = env._observation(1)
        env.step({})
        assert not list(differences(policy.seen[-1], expected))
        assert env.observation_space("nation_0").contains(policy.seen[-1])


def test_only_living_nations_policies_are_asked(give_up: Any) -> None:
    policy = Legal()
    env = hakoenv.parallel_env("skirmish", controllers={"nation_1": policy, "nation_3": policy})
    env.reset(seed=2)
    give_up(env, 3)
    for _ in range(3):
        env.step({})
    assert len(policy.seen) == 2 + 1 + 1


def test_every_environment_takes_policies_and_controllers() -> None:
    farmer = Farmer()
    one = NationEnv("skirmish", nation=2, controllers=Legal())
    mixed = NationEnv("skirmish", controllers={"nation_1": farmer, "nation_2": "idle", "nation_3": wait})
    made = gymnasium.make("hakoenv/Duel-v0", controllers=farmer)
    for env in (one, mixed, made):
        observation, _ = env.reset(seed=1)
        for _ in range(3):
            observation, *_ = env.step(env.action_space.sample(observation["action_mask"]))
    assert one.nations.season.controllers == ["own_policy", "own_policy", "external", "own_policy"]
    assert mixed.nations.season.controllers == ["external", "own_controller", "idle", "own_policy"]
    assert farmer.asked == [[1]] * 6
    turns = hakoenv.env("duel", controllers={"nation_0": Legal()}, max_turns=3)
    turns.reset(seed=1)
    assert turns.agents == ["nation_1"]
    for agent in turns.agent_iter():
        last: Any = turns.last()
        done = last[2] or last[3]
        turns.step(None if done else turns.action_space(agent).sample(last[0]["action_mask"]))


def test_a_season_takes_them_too() -> None:
    policy, farmer = Legal(), Farmer()
    season = Season.new("skirmish", seed=1, agents=[policy, farmer, policy, "rule_ai"])
    season.run(until=10)
    assert season.controllers == ["own_policy", "own_controller", "own_policy", "rule_ai"]
    assert season.result()["controllers"] == season.controllers
    assert season.world.nations["author"].tolist() == [author.EXTERNAL] * 3 + [author.RULE_AI]
    assert len(policy.seen) == 20
    assert farmer.asked == [[1]] * 10
    alike = Season.new("skirmish", seed=1, agents=wait)
    alike.run(until=2)
    assert alike.controllers == ["own_policy"] * 4


def test_a_season_and_an_environment_play_a_policy_alike() -> None:
    env = hakoenv.parallel_env("duel", controllers={"nation_1": Legal()})
    env.reset(seed=3)
    season = Season.new("duel", seed=3, agents=["external", Legal()])
    for _ in range(15):
        env.step({})
        season.play_turn()
        assert env.state_hash() == season.state_hash()


def test_a_policy_may_want_another_form_than_the_environments() -> None:
    form: dict[str, Any] = {"commands": "economy", "commands_per_turn": 1, "observation": "planes"}
    policy = Legal(**form)
    driver = PolicyController(policy, **form)
    env = hakoenv.parallel_env("duel", controllers={"nation_1": driver})
    env.reset(seed=3)
    for _ in range(5):
        env.step(env.sample_legal())
    assert len(policy.seen) == 5
    assert "planes" in policy.seen[0] and "planes" not in env.observation_space("nation_0").spaces
    again = copy.deepcopy(driver)
    other = hakoenv.parallel_env("skirmish", controllers={"nation_1": again, "nation_2": again})
    other.reset(seed=3)
    other.step({})
    assert len(again.policy.seen) == 7  # type: ignore[attr-defined]


def test_policies_that_keep_observations_keep_them_as_they_were() -> None:
    policy, then = Legal(), []
    season = Season.new("duel", seed=3, agents=[policy, "idle"])
    for _ in range(8):
        season.play_turn()
        then.append(copy.deepcopy(policy.seen[-1]))
    assert not list(differences(policy.seen, then))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"commands": "econmy"}, "economy"),
        ({"cells": "some"}, "cells='some' must be one of list, all"),
        ({"observation": "pixels"}, "observation='pixels'"),
        ({"commands_per_turn": 0}, "commands_per_turn=0"),
        ({"policy": "random"}, "policy='random' can't be asked"),
    ],
)
def test_impossible_forms_are_refused_at_once(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PolicyController(**{"policy": wait, **arguments})


class NoCode:
    fill = Farmer.fill


class BadCode(Farmer):
    code = 7


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        (Farmer, r"it is a class: give an object of it, Farmer\(\.\.\.\)"),
        (Legal, "it is a class"),
        (NoCode(), r"a controller has a `fill` to call and a `code` of 0\.\.2"),
        (BadCode(), r"a controller has a `fill` to call and a `code` of 0\.\.2"),
        (7, "give the name of a controller, a policy"),
        (None, "give the name of a controller"),
        (b"idle", "give the name of a controller"),
    ],
)
def test_what_drives_nothing_is_refused_in_one_sentence(driver: Any, words: str) -> None:
    with pytest.raises(SeasonError, match=f"controllers: nation_1 is driven by .*; {words}"):
        hakoenv.parallel_env("duel", controllers={"nation_1": driver})
    with pytest.raises(ControllerError, match=words):
        Season.new("duel", agents=["idle", driver])
    assert controllers.fault_of(driver)


@pytest.mark.parametrize("form", FORMS[:3], ids=str)
@pytest.mark.parametrize("kind", [Fails, FailsToFill])
def test_what_they_raise_names_turn_and_nation_and_leaves_reset(kind: Any, form: dict[str, Any]) -> None:
    fails = kind(3)
    env = hakoenv.parallel_env("duel", controllers={"nation_1": fails}, **form)
    env.reset(seed=3)
    for _ in range(3):
        env.step({})
    with pytest.raises(ZeroDivisionError, match="by design") as raised:
        env.step({})
    (note,) = raised.value.__notes__
    assert "turn 4" in note and "nation_1" in note
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step({})
    assert env.agents == []
    fails.broken = False
    env.reset(seed=3)
    for _ in range(5):
        env.step({})
    assert env.season.turn == 5


def test_a_season_is_as_it_was_before_the_turn_in_which_they_raise() -> None:
    for fails in (Fails(2), FailsToFill(2)):
        season = Season.new("duel", seed=3, agents=["rule_ai", fails])
        season.run(until=2)
        before = season.state_hash()
        with pytest.raises(ZeroDivisionError) as raised:
            season.play_turn()
        assert "turn 3 of nation_1" in raised.value.__notes__[-1]
        assert season.state_hash() == before
        fails.broken = False
        season.play_turn()
        assert season.turn == 3


@pytest.mark.parametrize(
    "action",
    ["farm", 7, [0.5] * 57, np.zeros(8, int), [], object()],
    ids=["a word", "a number", "halves", "too short", "empty", "an object"],
)
def test_an_answer_that_is_no_action_is_refused(action: Any) -> None:
    words = r"controllers: the policy of nation_1 gave .* for turn 1; an action is a .* of shape \(57,\)"
    env = hakoenv.parallel_env("duel", controllers={"nation_1": lambda observation: action})
    env.reset(seed=3)
    with pytest.raises(ValueError, match=words):
        env.step({})
    env.reset(seed=3)
    with pytest.raises(ValueError, match=words):
        Season.new("duel", agents=["idle", lambda observation: action]).play_turn()


def test_none_keeps_the_queue() -> None:
    env, plain = hakoenv.parallel_env("duel", controllers={"nation_1": wait}), hakoenv.parallel_env("duel")
    for each in (env, plain):
        each.reset(seed=3)
        for _ in range(3):
            each.step({})
    assert env.state_hash() == plain.state_hash()


def counting() -> Any:
    """A closure with a memory, as made in a notebook."""
    count = [0]

    def policy(observation: dict[str, Any]) -> Any:
        count[0] += 1
        action = np.zeros(57, np.int64)
        action[0], action[1] = 2, 1 + count[0] % 40
        return action

    return policy


@pytest.mark.parametrize("make", [Legal, counting, Farmer, lambda: PolicyController(Legal())])
def test_pickles_and_copies_carry_them(make: Any) -> None:
    env = hakoenv.parallel_env("duel", controllers={"nation_1": make()})
    env.reset(seed=3)
    for _ in range(4):
        env.step({})
    others = [pickle.loads(pickle.dumps(env))]
    if make is not counting:  # a function is one object, copied or not: so are its closure's lists
        others.append(copy.deepcopy(env))
    for other in (*others, env):
        for _ in range(4):
            other.step({})
    assert {other.state_hash() for other in others} == {env.state_hash()}
    one = NationEnv("duel", controllers=make())
    one.reset(seed=3)
    assert pickle.loads(pickle.dumps(one)).step(None)[4]["played"]


def test_what_cant_be_pickled_is_named() -> None:
    class Held(Legal):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    lock = threading.Lock()
    env = hakoenv.parallel_env("skirmish", controllers={"nation_2": wait, "nation_3": Held()})
    with pytest.raises(pickle.PicklingError, match=r"^controllers\['nation_3'\] is .*Held.*can't be pickled"):
        pickle.dumps(env)
    env = hakoenv.parallel_env("duel", reward=lambda *_: float(lock.locked()))
    with pytest.raises(pickle.PicklingError, match=r"^reward is .*lambda.*can't be pickled"):
        pickle.dumps(env)


def test_a_save_is_continued_with_the_same_seats_only(tmp_path: Path) -> None:
    path = tmp_path / "season.save"
    env = hakoenv.parallel_env("duel", controllers={"nation_1": wait})
    env.reset(seed=3)
    env.step({})
    env.save(path)
    again = hakoenv.parallel_env("duel", controllers={"nation_1": Legal()})
    _, infos = again.load(path)
    assert infos["nation_0"]["turn"] == 1
    again.step({})
    for others in ({}, {"nation_1": "idle"}, {"nation_1": Farmer()}, {"nation_0": wait}):
        with pytest.raises(SaveError, match="another game"):
            hakoenv.parallel_env("duel", controllers=others).load(path)
    with pytest.raises(ControllerError, match=r"'own_policy' .* give it to Season\.load\(path, agents="):
        Season.load(path)
    with pytest.raises(SaveError, match="driven by external, own_policy, not idle, idle"):
        Season.load(path, agents="idle")
    policy = Legal()
    season, _ = Season.load(path, agents=["external", policy])
    snapshot = season.snapshot()
    season.run(until=4)
    season.restore(snapshot)
    season.run(until=2)
    assert len(policy.seen) == 4


def test_an_own_controller_is_the_same_object_for_all_its_seats() -> None:
    farmer = Farmer()
    env = NationsEnv("skirmish", controllers={"nation_1": farmer, "nation_3": farmer})
    env.reset(seed=1)
    env.step({})
    assert farmer.asked == [[1, 3]]
