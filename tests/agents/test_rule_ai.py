"""The rule AI, version one: behaviours by priority, sites, money and food limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hakoenv.agents.rule_ai import frontier, judgement, planner

from hakoenv.engine import turn
from hakoenv.engine.codes import command, relation
from hakoenv.engine.commands import plans
from hakoenv.engine.season import Season
from hakoenv.engine.world import copy_world, state_hash
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden

NAMES = {number: name.lower() for name, number in vars(command).items() if name.isupper() and name != "LIMIT"}

NO_STEPS = ("buyback_target", "export_cap", "conscript", "place_unit", "corps_orders")
NO_ARMY = {"ai.capital_strength": 0, "ai.border_strength": 0, "ai.guard_strength": 0}


def nation(
    funds: int = 4000, food: int = 3000, rules: dict[str, Any] | None = None, **stock: int
) -> SmallWorld:
    """A rule AI nation without an army: capital at (5, 5), a farm at (6, 5); past its opening."""
    w = SmallWorld(height=12, width=12, nations=2, seed=1, rules={**NO_ARMY, **(rules or {})})
    w.cell(5, 5, terrain="town", owner=0, population=150, capital=True)
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.cell(4, 5, terrain="factory", owner=0, level=30)
    w.cell(5, 4, terrain="port", owner=0, level=1)
    w.cell(11, 11, terrain="town", owner=1, population=50, capital=True)
    w.nation(
        0, funds=funds, food=food, controller="rule_ai", **{"wood": 50, "stone": 50, "fuel": 500, **stock}
    )
    return w


def plan(w: SmallWorld, with_work: bool = True) -> list[tuple[str, int, int, int]]:
    """What the rule AI plans for nation 0 besides settings and troops, its workers being assigned once."""
    if with_work:
        for phase in ("income", "consumption"):
            w.phase(phase)
    turn.run_phase(w.world, w.rules, "nation_update")
    planner.write_plans(w.world, w.rules, np.array([0]))
    orders = w.world.plans[0][: w.world.nations["plan_length"][0]]
    steps = [(NAMES[int(o["command"])], int(o["x"]), int(o["y"]), int(o["amount"])) for o in orders]
    return [step for step in steps if step[0] not in NO_STEPS]


@pytest.mark.rule("AI-002", "AI-060")
def test_emergency_food_goes_before_everything_else() -> None:
    w = nation(food=60)  # rations 150 x 0.2 = 30 a turn
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.cell(5, 6, terrain="mountain", owner=0, deposit="coal", richness=60)
    w.cell(4, 6, terrain="plains", owner=0)
    w.nation(0, shares=[0, 0, 100])
    w.phase("income")
    w.phase("consumption")
    w.nation(0, food=119)  # 119 < 4 x 30
    assert plan(w, with_work=False)[0][0] == "farm"
    w.nation(0, food=120)  # exactly 4 turns: no emergency, the mine (70) goes first
    assert plan(w, with_work=False)[0][0] == "mine"


@pytest.mark.rule("AI-002", "AI-019")
def test_a_larger_priority_goes_first_and_the_numbers_are_the_rulesets() -> None:
    def world(rules: dict[str, Any] | None = None) -> SmallWorld:
        w = nation(rules=rules)
        w.cell(5, 6, terrain="mountain", owner=0, deposit="coal", richness=60)
        w.cell(7, 5, terrain="wasteland")
        w.nation(0, shares=[0, 0, 100])
        return w

    assert plan(world())[0] == ("mine", 5, 6, 0)  # development 70 before expansion 60
    assert plan(world({"ai.priority_expand": 71}))[0][0] == "prepare_land"


@pytest.mark.rule("AI-062")
def test_the_opening_is_a_factory_then_a_port_with_500_left() -> None:
    w = nation(funds=5000)
    w.cell(4, 5, terrain="plains", owner=0)
    w.cell(5, 4, terrain="plains", owner=0)
    assert plan(w)[0][0] == "factory"
    w.cell(4, 5, terrain="factory", owner=0, level=30)
    assert plan(w)[0] == ("economic_facility", 5, 4, 3)
    w.nation(0, funds=999 - 15)  # a port costs 500: 499 would be left
    assert plan(w)[0] != ("economic_facility", 5, 4, 3)
    w.nation(0, funds=1000 - 15)  # 15 of tax come in the income phase of `plan`
    assert plan(w)[0] == ("economic_facility", 5, 4, 3)


@pytest.mark.rule("AI-018")
def test_deposits_are_developed_only_on_own_land_or_beside_it() -> None:
    w = nation()
    w.nation(0, shares=[0, 0, 100])
    w.cell(5, 6, terrain="mountain", deposit="iron", richness=100)  # ownerless, beside the capital
    assert plan(w)[0] == ("mine", 5, 6, 0)
    w.cell(5, 6, terrain="mountain", owner=1, deposit="iron", richness=100)
    assert all(step[0] != "mine" for step in plan(w))
    w.cell(5, 6, terrain="sea")
    w.cell(8, 8, terrain="mountain", deposit="iron", richness=100)  # two hexes away
    assert all(step[0] != "mine" for step in plan(w))


@pytest.mark.rule("AI-020")
def test_development_leaves_1000_funds() -> None:
    for funds, allowed in ((1400, True), (1399, False)):  # an iron mine costs 400
        w = nation(funds=funds - 15)  # 15 of tax come first
        w.nation(0, shares=[0, 0, 100])
        w.cell(5, 6, terrain="mountain", owner=0, deposit="iron", richness=100)
        assert (plan(w)[0][0] == "mine") is allowed
    for funds, allowed in ((1300, True), (1299, False)):  # level 3 to 4 costs 300
        w = nation(funds=funds - 15)
        w.nation(0, shares=[0, 0, 100])
        w.cell(5, 6, terrain="iron_mine", owner=0, level=3, pile=0, deposit="iron")
        assert (plan(w)[0][0] == "mine_level_up") is allowed


@pytest.mark.rule("AI-021")
def test_workers_of_one_level_must_be_left() -> None:
    w = nation()
    w.phase("income")
    nations = w.world.nations
    nations["population"][0], nations["farm_workers"][0], nations["mine_workers"][0] = 400, 380, 10
    assert judgement.can_staff_mines(w.world, w.rules, 0)  # 10 left
    nations["farm_workers"][0] = 381
    assert not judgement.can_staff_mines(w.world, w.rules, 0)


@pytest.mark.rule("AI-022")
def test_mines_hold_at_most_half_of_those_off_the_fields() -> None:
    w = nation()
    nations = w.world.nations
    nations["population"][0], nations["farm_workers"][0], nations["mine_workers"][0] = 400, 200, 100
    assert judgement.can_staff_mines(w.world, w.rules, 0)
    nations["mine_workers"][0] = 101
    assert not judgement.can_staff_mines(w.world, w.rules, 0)


@pytest.mark.rule("AI-023")
def test_development_waits_three_turns_but_not_in_an_idle_turn() -> None:
    w = nation(funds=1700)  # too little for research
    w.nation(0, shares=[0, 0, 100])
    w.cell(5, 6, terrain="mountain", owner=0, deposit="iron", richness=100)
    w.cell(7, 5, terrain="wasteland")
    w.world.nations["developed"][0] = 99  # the plan is for turn 101
    assert plan(w)[0][0] == "prepare_land"
    w.world.nations["developed"][0] = 98
    assert plan(w)[0][0] == "mine"
    w.cell(7, 5, terrain="sea")  # nothing else to do: it does not wait
    w.world.nations["developed"][0] = 99
    assert plan(w)[0][0] == "mine"


@pytest.mark.rule("AI-024")
def test_a_new_deposit_goes_before_a_level_and_the_scarcest_first() -> None:
    w = nation(fuel=30, steel=5, rules={"ai.fuel_margin_percent": 0})
    w.nation(0, shares=[0, 0, 100])
    w.cell(6, 6, terrain="iron_mine", owner=0, level=2, pile=0, deposit="iron")
    w.cell(5, 6, terrain="mountain", owner=0, deposit="coal", richness=60)
    assert plan(w)[0] == ("mine", 5, 6, 0)  # although steel (5) is scarcer than fuel (30)
    w.cell(4, 6, terrain="mountain", owner=0, deposit="iron", richness=100)
    assert plan(w)[0] == ("mine", 4, 6, 0)


@pytest.mark.rule("AI-025")
def test_uranium_waits_for_production_research_3() -> None:
    w = nation()
    w.nation(0, shares=[0, 0, 100], production=2)
    w.cell(5, 6, terrain="mountain", owner=0, deposit="uranium", richness=60)
    assert all(step[0] != "mine" for step in plan(w))
    w.nation(0, production=3)
    assert plan(w)[0] == ("mine", 5, 6, 0)


@pytest.mark.rule("AI-027", "AI-028")
def test_expansion_score_of_the_ledger() -> None:
    w = nation()
    w.cell(7, 5, terrain="wasteland")  # touches the farm at (6, 5)
    turn.run_phase(w.world, w.rules, "nation_update")
    here = 5 * 12 + 7
    # one own neighbour (the farm) 1, coast 4
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5
    w.cell(8, 5, terrain="mountain", deposit="coal", richness=60)  # adjacent to it, two hexes from the farm
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5 + 16
    w.cell(9, 5, terrain="mountain", deposit="coal", richness=60)  # two hexes away: the larger counts
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5 + 16
    w.cell(8, 5, terrain="sea")
    w.cell(9, 5, terrain="mountain", deposit="coal", richness=60)  # two hexes away
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5 + 8
    w.cell(9, 5, terrain="sea", deposit="oil", richness=300)  # oil at sea does not count
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5
    w.cell(9, 5, terrain="sea")
    w.cell(6, 4, terrain="mountain", deposit="coal", richness=60)  # touches the territory already
    assert frontier.expansion_score(w.world, w.rules, 0, here) == 5


@pytest.mark.rule("AI-028")
def test_expansion_waits_three_turns_when_there_is_something_else_to_do() -> None:
    w = nation(funds=3000, food=10000)  # research (54) is possible in every turn
    w.cell(7, 5, terrain="wasteland")
    w.world.nations["expanded"][0] = 99  # the plan is for turn 101
    assert plan(w)[0][0] == "research"
    w.world.nations["expanded"][0] = 98
    assert plan(w)[0] == ("prepare_land", 7, 5, 0)


@pytest.mark.rule("AI-034")
def test_expansion_takes_the_best_hex_that_it_can_pay_for() -> None:
    w = nation(funds=900, food=10000, wood=0)
    w.cell(5, 6, terrain="mountain", deposit="iron", richness=100)  # capital, factory, coast: 2 + 4
    w.cell(7, 5, terrain="wasteland")  # farm, coast: 1 + 4
    assert plan(w) == [("prepare_land", 7, 5, 0)]  # the mine costs wood, too
    w.nation(0, wood=10)
    w.world.nations["expanded"][0] = 0
    assert plan(w) == [("mine", 5, 6, 0)]


@pytest.mark.rule("AI-034")
def test_oil_on_wasteland_is_taken_by_a_field_not_levelled_away() -> None:
    w = nation(funds=900, food=10000)  # development would have to leave 1000 funds
    w.cell(7, 5, terrain="wasteland", deposit="oil", richness=500)
    assert plan(w) == [("mine", 7, 5, 0)]
    w.nation(0, funds=400)  # a field on land costs 500: it waits
    assert plan(w)[0][0] == "fundraise"


@pytest.mark.rule("AI-029")
def test_no_farm_above_thirty_turns_of_food() -> None:
    w = nation(funds=100)
    w.phase("income")
    w.phase("consumption")  # 150 people eat 30
    w.world.nations["food_made"][0] = 0  # a farm is wanted
    w.nation(0, food=30 * 30)
    assert plan(w, with_work=False)[0] == ("farm", 6, 5, 0)
    w.nation(0, food=30 * 30 + 1)
    assert plan(w, with_work=False)[0][0] != "farm"


@pytest.mark.rule("AI-030")
def test_people_without_work_get_a_mine_level_not_a_farm_when_food_is_plenty() -> None:
    w = nation(food=30 * 36)  # 35 turns of 30 are left after the rations
    w.nation(0, shares=[0, 100, 0])
    w.cell(5, 6, terrain="iron_mine", owner=0, level=1, pile=0, deposit="iron")
    w.cell(4, 6, terrain="plains", owner=0)
    w.cell(6, 5, terrain="plains", owner=0)
    assert plan(w)[0] == ("mine_level_up", 5, 6, 0)


@pytest.mark.rule("AI-033", "AI-034")
def test_an_idle_turn_expands_even_right_after_an_expansion() -> None:
    w = nation(funds=100)
    w.cell(7, 5, terrain="wasteland")
    w.world.nations["expanded"][0] = 100
    assert plan(w) == [("prepare_land", 7, 5, 0)]


@pytest.mark.rule("AI-034")
def test_ownerless_plains_are_taken_by_a_building_or_a_forest() -> None:
    w = nation(funds=100, food=10000)  # food ample: no farm
    w.cell(7, 5, terrain="plains")
    assert plan(w) == [("plant_forest", 7, 5, 0)]
    turn.run_phase(w.world, w.rules, "nation_update")
    w.world.nations["food_made"][0] = 0  # a farm is wanted
    w.nation(0, food=300)
    assert plan(w, with_work=False)[0][0] == "farm"


@pytest.mark.rule("AI-038")
def test_a_second_port_three_hexes_from_the_first() -> None:
    w = nation(funds=1000, food=10000)  # port at (5, 4)
    w.cell(7, 4, terrain="plains", owner=0)  # distance 2
    w.cell(8, 5, terrain="plains", owner=0)  # distance 3
    w.cell(7, 5, terrain="market", owner=0, level=1)
    w.nation(0, wood=20)
    step = plan(w)[0]
    assert step == ("economic_facility", 8, 5, 3)
    w.cell(8, 5, terrain="port", owner=0, level=1)
    assert plan(w)[0][0] == "fundraise"


@pytest.mark.rule("AI-040", "AI-033")
def test_fundraise_is_the_last_resort() -> None:
    w = nation(funds=0)
    assert plan(w) == [("fundraise", 0, 0, 0)]


@pytest.mark.rule("AI-087")
def test_the_plan_depends_only_on_what_the_nation_sees() -> None:
    w = nation()
    w.cell(7, 5, terrain="wasteland")
    w.cell(9, 5, terrain="depot", owner=1)
    before = plan(w)
    w.cell(9, 5, terrain="missile_base", owner=1)  # both look like forest
    w.nation(1, funds=9999, steel=500)
    assert plan(w) == before


@pytest.mark.rule("AI-088", "TURN-002")
def test_plans_are_written_before_the_turn_counts_and_only_for_the_nations_named() -> None:
    w = nation()
    w.order(1, "fundraise")
    w.order(1, "fundraise")
    number = int(w.world.clock["turn"][0])
    steps = plan(w)
    assert len(steps) == 1 and int(w.world.clock["turn"][0]) == number
    assert w.nation(1).plan_length == 2


@pytest.mark.rule("AI-090")
def test_research_with_1500_left_production_first_then_the_lowest() -> None:
    def first(**fields: Any) -> tuple[str, int, int, int]:
        w = nation(food=10000, rules={"ai.ports_target": 0})
        w.cell(7, 5, terrain="market", owner=0, level=1)
        w.nation(0, **fields)
        return plan(w)[0]

    assert first(funds=2000 - 15) == ("research", 0, 0, 0)  # 500 for level 1, 1500 left
    assert first(funds=1999 - 15)[0] != "research"
    assert first(funds=9000, production=3) == ("research", 0, 0, 1)  # military 0 is the lowest
    assert first(funds=9000, production=3, military=1) == ("research", 0, 0, 2)


@pytest.mark.rule("AI-090")
def test_wood_is_felled_below_12_from_a_forest_of_8() -> None:
    def world(wood: int, trees: int) -> str:
        w = nation(funds=0)
        w.cell(7, 5, terrain="forest", owner=0, level=trees)
        w.nation(0, wood=wood)
        return plan(w)[0][0]

    assert world(11, 8) == "fell_forest"
    assert world(12, 8) == "fundraise"
    assert world(11, 7) == "fundraise"


@pytest.mark.rule("AI-060")
def test_emergency_food_is_grown_where_most_people_find_work() -> None:
    w = nation(funds=100)
    w.cell(4, 6, terrain="plains", owner=0)
    w.nation(0, shares=[0, 0, 100])
    for people, place in ((150, (6, 5)), (151, (4, 6))):  # a farm's step employs 50, a new farm 100
        w.cell(5, 5, terrain="town", owner=0, population=people, capital=True)  # 100 of them on the farm
        w.phase("income")
        w.phase("consumption")
        w.nation(0, food=0)
        assert plan(w, with_work=False)[0] == ("farm", *place, 0)
        w.world.clock["turn"] += 1


def test_fields_without_fuel_are_given_up_when_food_is_short() -> None:
    def first(used: int, food: int) -> tuple[str, int, int, int]:
        w = nation(funds=600)
        w.cell(5, 6, terrain="farm", owner=0, level=20)
        w.phase("income")
        w.phase("consumption")
        w.nation(0, food=food)  # 150 people eat 30
        w.world.nations["fuel_need"][0], w.world.nations["fuel_used"][0] = 10, used
        return plan(w, with_work=False)[0]

    assert first(1, 299) == ("prepare_land", 5, 6, 0)  # the larger one
    assert first(2, 299)[0] != "prepare_land"  # a fifth of the need
    assert first(1, 300)[0] != "prepare_land"  # ten turns of food


@pytest.mark.rule("AI-090")
def test_short_of_wood_a_forest_is_planted_unless_one_grows_where_it_may_be_felled() -> None:
    def first(**border: Any) -> str:
        w = nation(funds=100, food=10000, wood=0)
        w.cell(6, 4, terrain="plains", owner=0)
        w.cell(7, 5, terrain="forest", owner=0, level=3)
        w.cell(8, 5, **border)
        return plan(w)[0][0]

    assert first(terrain="sea") == "fundraise"
    assert first(terrain="farm", owner=1, level=10) == "plant_forest"  # the forest on the border: AI-051


@pytest.mark.rule("AI-051")
def test_an_open_border_is_not_logged_or_farmed_unless_a_unit_stands_there() -> None:
    def first(x: int, guarded: bool, **stock: int) -> tuple[str, int, int, int]:
        w = nation(funds=20, **stock)
        w.cell(7, 5, terrain="forest", owner=0, level=9)
        w.cell(8, 5, terrain="mountain", owner=1)
        w.cell(6, 4, terrain="mountain", owner=1)  # both touch nation 1: forest and farm
        if guarded:
            w.unit(0, "infantry", x, 5, strength=10)
        w.phase("income")
        w.phase("consumption")
        w.world.nations["food_made"][0] = 0  # a farm is wanted
        return plan(w, with_work=False)[0]

    assert first(7, True, food=10000, wood=0) == ("fell_forest", 7, 5, 0)
    assert first(7, False, food=10000, wood=0)[0] == "fundraise"
    assert first(6, True, food=600) == ("farm", 6, 5, 0)
    assert first(6, False, food=600)[0] == "fundraise"


@pytest.mark.rule("AI-051")
@pytest.mark.parametrize("guarded", [False, True])
def test_an_open_border_is_not_levelled_or_built_on_unless_a_unit_stands_there(guarded: bool) -> None:
    def first(ground: str, **stock: int) -> tuple[str, int, int, int]:
        w = nation(funds=100, **stock)
        w.cell(6, 5, terrain="market", owner=0, level=1)
        w.cell(7, 5, terrain=ground, owner=0)
        w.cell(8, 5, terrain="mountain", owner=1)
        if guarded:
            w.unit(0, "infantry", 7, 5, strength=10)
        w.nation(0, shares=[0, 0, 100])
        w.phase("income")
        w.phase("consumption")
        w.world.nations["food_made"][0] = 0  # a farm is wanted while food is not ample
        return plan(w, with_work=False)[0]

    assert (first("plains", food=600) == ("farm", 7, 5, 0)) is guarded
    assert (first("wasteland", food=10000) == ("prepare_land", 7, 5, 0)) is guarded


@pytest.mark.rule("AI-051", "AI-062")
def test_the_first_factory_may_stand_on_an_open_border() -> None:
    w = nation(funds=5000, food=10000)
    w.cell(4, 5, terrain="sea")
    w.cell(7, 5, terrain="plains", owner=0)
    w.cell(8, 5, terrain="mountain", owner=1)
    assert plan(w)[0] == ("factory", 7, 5, 0)


@pytest.mark.rule("AI-051")
def test_an_idle_field_on_an_open_border_is_levelled_in_an_emergency_only() -> None:
    def first(food: int) -> tuple[str, int, int, int]:
        w = nation(funds=600)
        w.cell(7, 5, terrain="mountain", owner=1)
        w.phase("income")
        w.phase("consumption")
        w.nation(0, food=food)  # 150 people eat 30; emergency below 120
        w.world.nations["fuel_need"][0], w.world.nations["fuel_used"][0] = 10, 1
        return plan(w, with_work=False)[0]

    assert first(119) == ("prepare_land", 6, 5, 0)
    assert first(120)[0] != "prepare_land"


@pytest.mark.rule("AI-033", "AI-039")
def test_substitutes_go_by_their_order_and_one_is_done_in_a_turn() -> None:
    w = nation(funds=600, food=10000, wood=20, rules={"ai.develop_funds_left": 0, "ai.forests_target": 0})
    w.world.nations["developed"][0] = w.world.nations["expanded"][0] = w.turn
    w.cell(7, 5, terrain="market", owner=0, level=1)
    w.cell(5, 6, terrain="iron_mine", owner=0, level=1, pile=0, deposit="iron")
    w.cell(4, 4, terrain="wasteland")
    w.cell(8, 5, terrain="farm", owner=1, level=10)
    w.cell(9, 4, terrain="plains", owner=0)  # on the border, four hexes from port and capital
    w.cell(8, 6, terrain="plains", owner=0)  # likewise, three from the capital
    assert plan(w) == [("mine_level_up", 5, 6, 0)]
    w.cell(5, 6, terrain="mountain", owner=0)
    assert plan(w) == [("prepare_land", 4, 4, 0)]
    w.cell(4, 4, terrain="sea")
    assert plan(w) == [("farm", 8, 5, 0)]
    w.cell(8, 5, terrain="mountain", owner=1)
    assert plan(w) == [("economic_facility", 9, 4, 3)]
    w.cell(3, 5, terrain="port", owner=0, level=1)
    assert plan(w) == [("plant_forest", 8, 6, 0)]
    w.unit(0, "infantry", 8, 6, strength=10)
    assert plan(w) == [("plant_forest", 9, 4, 0)]
    w.nation(0, funds=0)
    assert plan(w) == [("fundraise", 0, 0, 0)]


@pytest.mark.rule("AI-060", "AI-051")
def test_emergency_food_is_grown_even_on_an_open_border() -> None:
    w = nation(funds=100)
    w.cell(7, 5, terrain="mountain", owner=1)  # touches the farm at (6, 5)
    w.nation(0, shares=[0, 0, 100])
    w.phase("income")
    w.phase("consumption")
    w.nation(0, food=119)  # below 4 x 30
    assert plan(w, with_work=False)[0] == ("farm", 6, 5, 0)
    w.nation(0, food=120)
    assert all(step[0] != "farm" for step in plan(w, with_work=False))


def test_two_plans_of_the_same_world_are_equal() -> None:
    w = nation()
    w.cell(7, 5, terrain="wasteland")
    other = copy_world(w.world)
    for world in (w.world, other):
        planner.write_plans(world, w.rules, np.array([0, 1]))
    assert state_hash(w.world) == state_hash(other)


@pytest.mark.rule("TURN-077")
def test_plans_depend_on_nothing_that_the_nation_can_not_know() -> None:
    season = Season.new("skirmish", seed=1, agents="rule_ai")
    for until in (0, 16, 25, 60):
        season.run(until=until)
        assert until != 16 or (season.world.relations["state"] == relation.WAR).any()
        for n in range(4):
            seen = copy_world(season.world)
            planner.write_plans(seen, season.rules, np.array([n]))
            assert plans.plan_of(seen, n)
            for k in range(5):
                other = vary_hidden(season.world, season.rules, n, np.random.default_rng(k))
                planner.write_plans(other, season.rules, np.array([n]))
                assert plans.plan_of(other, n) == plans.plan_of(seen, n)
