"""Nations of language models, and the rule AI that stands in where they give no plan."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hakoenv import Season
from hakoenv.controllers import ControllerError
from hakoenv.engine import proxy
from hakoenv.engine.codes import ai_policy, author, command, item, reason
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.commands.plans import plan_of, results_of, set_plan
from hakoenv.engine.save import SaveError
from hakoenv.engine.season import SeasonError
from hakoenv.engine.world import copy_world


class Model:
    """Stands for a language model: gives the plans it was told to give, by turn."""

    code = kinds.LLM

    def __init__(self, plans: dict[int, list[Any]] | None = None) -> None:
        self.plans = plans or {}

    def fill(self, world, rules, nations) -> None:
        coming = int(world.clock["turn"][0]) + 1
        for nation in nations:
            if coming in self.plans:
                set_plan(world, nation, self.plans[coming])


def authors(season: Season) -> list[int]:
    return season.world.nations["author"].tolist()


@pytest.mark.rule("LLM-001", "LLM-002", "AI-001")
def test_a_plan_comes_from_the_model_or_from_the_proxy() -> None:
    orders = [("export_cap", 0, 0, 20), ("worker_shares", 0, 0, 0), ("fundraise",), ("fundraise",)]
    season = Season.new("duel", seed=3, agents=[Model({1: orders}), "rule_ai"])
    season.fill_plans()
    assert authors(season) == [author.LLM, author.RULE_AI]
    assert len(plan_of(season.world, 0)) == 4
    season.play_turn()
    assert results_of(season.world, 0)[-1].command == command.FUNDRAISE
    season.play_turn()  # what is left in the queue counts as a plan
    assert authors(season) == [author.LLM, author.RULE_AI]
    assert season.world.nations["plan_length"][0] == 0
    season.play_turn()  # neither plan nor queue
    assert authors(season) == [author.PROXY, author.RULE_AI]


@pytest.mark.rule("LLM-001", "LLM-007")
def test_the_proxy_does_what_the_rule_ai_would_do_there_but_no_aid() -> None:
    """From the same world the proxy's plan is the rule AI's; of what names rule_ai nations it has nothing."""
    season = Season.new("duel", seed=4, agents=[Model(), "rule_ai"])
    aid = {command.AID_RESERVES, command.NATIONAL_AID}
    kinds_of_commands = set()
    for _ in range(25):
        twin = copy_world(season.world)
        twin.nations["controller"][0] = kinds.RULE_AI
        season._drivers[1][2].fill(twin, season.rules, np.array([0], np.int64))
        season.fill_plans()
        assert plan_of(season.world, 0) == plan_of(twin, 0) != []
        kinds_of_commands |= {order.command for order in plan_of(season.world, 0)}
        assert authors(season)[0] == author.PROXY
        season.world.nations["plan_length"][0] = 0
        season.play_turn()
    assert len(kinds_of_commands) > 4 and not kinds_of_commands & aid


@pytest.mark.rule("LLM-003", "AI-001")
def test_nobody_plans_for_an_external_nation() -> None:
    season = Season.new("duel", seed=3, agents=["external", "rule_ai"])
    season.world.nations["treasury"][0, item.FOOD] = 5000  # ample: an AI's nation would change its order
    season.play_turn()
    assert authors(season) == [author.EXTERNAL, author.RULE_AI]
    (idle,) = results_of(season.world, 0)
    assert (idle.command, idle.reason) == (command.FUNDRAISE, reason.DONE)
    assert season.world.nations["mines_first"][0] == 0


@pytest.mark.rule("LLM-004", "LLM-005")
def test_the_policy_for_the_ai_is_stored_and_standard(tmp_path: Path) -> None:
    season = Season.new("duel", seed=3, agents=[Model(), "external"])
    assert ai_policy.NAMES == ("standard",)
    assert season.world.nations["ai_policy"].tolist() == [ai_policy.STANDARD] * 2
    season.run(until=2)
    season.save(tmp_path / "a.save")
    again, _ = Season.load(tmp_path / "a.save", agents=[Model(), "external"])
    assert again.world.nations["ai_policy"].tolist() == [ai_policy.STANDARD] * 2
    season.world.nations["ai_policy"][0] = len(ai_policy.NAMES)  # no such policy
    season.save(tmp_path / "b.save")
    with pytest.raises(SaveError, match="ai_policy"):
        Season.load(tmp_path / "b.save", agents=[Model(), "external"])


@pytest.mark.rule("LLM-006")
def test_a_nation_changes_its_driver_between_turns_and_back() -> None:
    season = Season.new("duel", seed=3, agents="external")
    season.run(until=2)
    before = copy_world(season.world)
    season.set_controller(0, "rule_ai")
    changed = [
        name
        for name in before.nations.dtype.names or ()
        if (before.nations[name] != season.world.nations[name]).any()
    ]
    assert changed == ["controller"]
    season.play_turn()
    assert authors(season) == [author.RULE_AI, author.EXTERNAL]
    season.set_controller(0, Model())
    season.play_turn()
    assert authors(season) == [author.PROXY, author.EXTERNAL]
    season.set_controller(0, "external")
    season.play_turn()
    assert authors(season) == [author.EXTERNAL, author.EXTERNAL]
    assert season.controllers == ["external", "external"]


@pytest.mark.rule("LLM-006")
def test_a_change_of_driver_is_saved_and_what_can_not_be_is_refused(tmp_path: Path) -> None:
    season = Season.new("duel", seed=3, agents="external", save_to=tmp_path / "a.save")
    season.set_controller(1, "rule_ai")
    again, _ = Season.load(tmp_path / "a.save")
    assert again.controllers == ["external", "rule_ai"] == season.controllers
    again.play_turn()
    season.play_turn()
    assert again.state_hash() == season.state_hash()
    for nation in (-1, 2, 0.5, None):
        with pytest.raises(SeasonError, match=r"0\.\.1"):
            season.set_controller(nation, "rule_ai")  # type: ignore[arg-type]
    with pytest.raises(ControllerError, match="rule_ai"):
        season.set_controller(0, "rule_aj")
    assert season.controllers == ["external", "rule_ai"]


@pytest.mark.rule("LLM-008")
def test_workers_go_to_the_mines_first_only_under_a_plan_of_the_proxy() -> None:
    season = Season.new("duel", seed=3, agents=[Model({1: [("fundraise",)]}), "external"])
    first = []
    for _ in range(2):  # an own plan, then none
        season.world.nations["treasury"][0, item.FOOD] = 5000
        season.play_turn()
        first.append(int(season.world.nations["mines_first"][0]))
    assert first == [0, 1]


@pytest.mark.rule("LLM-009")
def test_the_proxys_spacings_count_what_the_model_did() -> None:
    season = Season.new(
        "duel", seed=3, agents=[Model(dict.fromkeys((1, 2, 3), [("fundraise",)])), "external"]
    )
    season.world.nations["developed"][0] = 1
    season.play_turn()
    season.play_turn()
    assert season.world.nations["developed"][0] == 1  # another command changes nothing
    done = season.world.results[0:1, 0]
    done["command"], done["reason"] = command.MINE, reason.WRONG_TERRAIN
    season.fill_plans()
    assert season.world.nations["developed"][0] == 1  # nor does one that was refused
    done["reason"] = reason.DONE
    season.fill_plans()
    assert season.world.nations["developed"][0] == 2  # the turn in which the model had a mine dug
    season.world.nations["developed"][0], season.world.nations["author"][0] = 1, author.PROXY
    season.fill_plans()
    assert season.world.nations["developed"][0] == 1  # what the proxy did, it has noted itself
    season.world.nations["author"][0] = author.EXTERNAL  # before it was switched to a model
    season.fill_plans()
    assert season.world.nations["developed"][0] == 2  # whoever ordered it


@pytest.mark.rule("LLM-009")
def test_the_proxy_leaves_a_policy_alone_for_eight_turns_after_the_model_changed_it() -> None:
    """Where the rule AI would change the policy, it does not if the model did so 7 turns before the turn."""
    season = Season.new("duel", seed=4, agents=[Model(), Model()])
    due = 0
    while season.turn < 14 and not due:
        season.fill_plans()
        due = any(order.command == command.INDUSTRIAL_POLICY for order in plan_of(season.world, 1))
        for changed, wanted in ((season.turn - 6, False), (season.turn - 7, True)) if due else ():
            twin = copy_world(season.world)
            twin.nations["plan_length"][1], twin.nations["policy_turn"][1] = 0, changed
            proxy.stand_in(twin, season.rules, np.array([1]))
            orders = {order.command for order in plan_of(twin, 1)}
            assert (command.INDUSTRIAL_POLICY in orders) == wanted
        season.world.nations["plan_length"] = 0
        season.play_turn()
    assert due
    model = Season.new("duel", seed=4, agents=[Model({1: [("industrial_policy", 0, 0, 1)]}), "external"])
    model.world.nations["research"][0] = 5
    model.play_turn()
    assert model.world.nations["policy_turn"].tolist() == [1, 0]


@pytest.mark.rule("LLM-014", "AI-065")
def test_a_grant_of_fuel_is_for_external_nations() -> None:
    rules = {"fuel.start_turn": 3}
    season = Season.new("duel", seed=3, agents=[Model(), "external"], rules=rules)
    from hakoenv.engine.codes import cause

    granted = []
    for _ in range(3):
        season.play_turn()
        granted.append(season.world.accounts[:, cause.FUEL_GRANT, item.FUEL].tolist())
    assert granted[:2] == [[0, 0], [0, 0]]
    assert granted[2][0] == 0 < granted[2][1]
