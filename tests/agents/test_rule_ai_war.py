"""The rule AI and its army: guards, borders, troops, steering, war and peace, missiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hakoenv.agents.rule_ai import defence, expanding, planner, standing, worth
from hakoenv.agents.rule_ai import staff as staffs

from hakoenv.engine import turn
from hakoenv.engine.codes import command, corps_order, unit_type
from hakoenv.testing import SmallWorld

NAMES = {number: name.lower() for name, number in vars(command).items() if name.isupper() and name != "LIMIT"}
Step = tuple[Any, ...]


def two_lands(
    rules: dict[str, Any] | None = None, nations: int = 3, guard: bool = True, **stock: Any
) -> SmallWorld:
    """Forests of nation 0 at x 2..6 and of nation 1 at x 7..11, y 3..7; capitals at (3, 5) and (10, 5).

    The hexes x = 6 are the border. Nation 0 has its capital's guard, a depot far from the border at (2, 5),
    money and food, and nothing to do; nation 2 lives elsewhere.
    """
    quiet = {"ai.war_border": 99, **(rules or {})}
    w = SmallWorld(height=12, width=18, nations=nations, seed=1, rules=quiet)
    for y in range(3, 8):
        for x in range(2, 12):
            w.cell(x, y, terrain="forest", owner=0 if x < 7 else 1)
    w.cell(3, 5, terrain="town", owner=0, population=150, capital=True)
    w.cell(2, 5, terrain="depot", owner=0)
    w.cell(10, 5, terrain="town", owner=1, population=150, capital=True)
    for n in range(2, nations):
        w.cell(15, 3 * n - 3, terrain="town", owner=n, population=50, capital=True)
    for y, ground in ((3, "factory"), (4, "market"), (7, "port")):  # past its opening
        w.cell(2, y, terrain=ground, owner=0)
    if guard:
        w.unit(0, "infantry", 3, 5, strength=50, corps=9)
    w.nation(
        0, controller="rule_ai", **{"funds": 3000, "food": 6000, "ammo": 20, "wood": 50, "stone": 50, **stock}
    )
    return w


def plan(w: SmallWorld, n: int = 0) -> list[Step]:
    """The plan of a nation after everybody has looked around: (command, x, y, amount, target)."""
    turn.run_phase(w.world, w.rules, "nation_update")
    turn.run_phase(w.world, w.rules, "sightings")
    planner.write_plans(w.world, w.rules, np.array([n]))
    orders = w.world.plans[n][: w.world.nations["plan_length"][n]]
    return [
        (NAMES[int(o["command"])], int(o["x"]), int(o["y"]), int(o["amount"]), int(o["target"]))
        for o in orders
    ]


def placed(steps: list[Step]) -> list[Step]:
    """Units that a plan places: (x, y, type, strength)."""
    return [
        (x, y, unit_type.NAMES[amount // 10000], amount % 200 + 1)
        for name, x, y, amount, _ in steps
        if name == "place_unit"
    ]


def conscripted(steps: list[Step]) -> list[Step]:
    """Conscriptions of a plan: (x, y, strength)."""
    return [(x, y, amount) for name, x, y, amount, _ in steps if name == "conscript"]


def ordered(steps: list[Step]) -> dict[int, tuple[str, int]]:
    """Corps orders of a plan: corps -> (order, direction)."""
    return {
        amount // 1000: (corps_order.NAMES[amount % 1000 // 10], amount % 10)
        for name, _, _, amount, _ in steps
        if name == "corps_orders"
    }


def built(steps: list[Step], what: str) -> list[Step]:
    """Cells of a command in a plan."""
    return [(x, y) for name, x, y, _, _ in steps if name == what]


def staff_of(w: SmallWorld, n: int = 0) -> Any:
    """The staff of a nation after its survey."""
    turn.run_phase(w.world, w.rules, "nation_update")
    turn.run_phase(w.world, w.rules, "sightings")
    made = staffs.assemble(w.world)
    staffs.call_roll(w.world, made)
    staffs.survey(w.world, w.rules, n, made)
    return made


# ---------------------------------------------------------------- minimum defence


@pytest.mark.rule("AI-053", "AI-054", "AI-055")
def test_a_border_has_at_least_50_within_two_hexes() -> None:
    def missing(*strengths: int, x: int = 6) -> list[Step]:
        w = two_lands(reserves=100)
        w.cell(5, 5, terrain="depot", owner=0)
        for k, strength in enumerate(strengths):
            w.unit(0, "infantry", x, 4 + k, strength=strength, corps=k)
        return placed(plan(w))

    assert missing() == [(5, 5, "infantry", 50)]
    assert missing(30, 20) == []
    assert missing(49) == [(5, 5, "infantry", 1)]
    assert missing(50, x=4) == []  # two hexes from (6, 4)


@pytest.mark.rule("AI-054")
def test_a_unit_counts_for_the_border_or_for_the_capital_not_for_both() -> None:
    w = two_lands(reserves=100, guard=False)
    w.cell(5, 5, terrain="depot", owner=0)
    w.cell(6, 5, terrain="town", owner=0, population=160, capital=True)
    w.unit(0, "infantry", 6, 5, strength=60, corps=0)  # on the capital, which lies at the border
    assert placed(plan(w)) == [(5, 5, "infantry", 50)]
    w.unit(0, "infantry", 6, 4, strength=50, corps=1)
    assert placed(plan(w)) == []


@pytest.mark.rule("AI-054")
def test_a_unit_beside_the_capital_that_a_border_needs_does_not_count_for_the_capital() -> None:
    w = two_lands(reserves=100, guard=False)
    w.cell(5, 4, terrain="depot", owner=0)
    w.cell(5, 5, terrain="town", owner=0, population=160, capital=True)
    w.unit(0, "infantry", 6, 5, strength=60, corps=0)
    assert placed(plan(w)) == [(5, 4, "infantry", 50)]
    w.unit(0, "infantry", 4, 5, strength=50, corps=1)
    assert placed(plan(w)) == []


@pytest.mark.rule("AI-054")
def test_the_capital_has_its_50_even_on_an_island() -> None:
    w = SmallWorld(height=9, width=9, nations=2, seed=1)
    w.cell(3, 5, terrain="town", owner=0, population=150, capital=True)
    w.cell(2, 5, terrain="depot", owner=0)
    w.cell(8, 8, terrain="town", owner=1, population=50, capital=True)
    w.nation(0, controller="rule_ai", funds=900, food=900, reserves=60)
    assert placed(plan(w)) == [(2, 5, "infantry", 50)]


@pytest.mark.rule("AI-055")
def test_the_shortest_border_comes_first_and_the_capital_last() -> None:
    w = two_lands(reserves=30)
    for x in range(2, 7):
        w.cell(x, 8, terrain="forest", owner=2)  # touches the row y = 7
    w.cell(5, 3, terrain="depot", owner=0)  # near the border with 1
    w.cell(3, 7, terrain="depot", owner=0)  # near the border with 2
    w.unit(0, "infantry", 6, 4, strength=30, corps=0)  # 20 are missing
    w.unit(0, "infantry", 2, 7, strength=20, corps=1)  # 30 are missing
    steps = plan(w)
    assert placed(steps) == [(3, 7, "infantry", 30)]
    assert conscripted(steps) == [(3, 5, 20)]


@pytest.mark.rule("AI-055")
def test_without_a_depot_near_the_border_one_is_built_on_plains_there() -> None:
    w = two_lands(reserves=100)
    w.cell(5, 5, terrain="plains", owner=0)
    w.cell(3, 3, terrain="plains", owner=0)  # three hexes from the border
    steps = plan(w)
    assert built(steps, "depot") == [(5, 5)] and placed(steps) == []
    w.nation(0, funds=199)  # a depot costs 200: any other serves
    steps = plan(w)
    assert built(steps, "depot") == [] and placed(steps) == [(2, 5, "infantry", 50)]
    w.nation(0, funds=3000)
    w.cell(5, 5, terrain="forest", owner=0)  # no plains near
    assert placed(plan(w)) == [(2, 5, "infantry", 50)]


@pytest.mark.rule("AI-055", "AI-061")
def test_conscripts_come_from_the_largest_towns_which_keep_ten() -> None:
    w = two_lands(reserves=20)
    w.cell(5, 5, terrain="depot", owner=0)
    w.cell(4, 4, terrain="town", owner=0, population=160)
    steps = plan(w)
    assert conscripted(steps) == [(4, 4, 30)] and placed(steps) == []  # 50 are wanted, 20 there
    w.cell(4, 4, terrain="town", owner=0, population=15)
    w.cell(3, 5, terrain="town", owner=0, population=25, capital=True)
    w.nation(0, reserves=0)
    assert conscripted(plan(w)) == [(3, 5, 12), (4, 4, 5)]  # half of 25; 15 less 10


@pytest.mark.rule("AI-061")
def test_a_town_beside_an_enemy_gives_nobody_and_the_next_is_asked() -> None:
    w = two_lands(rules={"ai.mobilize_percent": 0})
    w.cell(6, 5, terrain="town", owner=0, population=160)
    w.unit(1, "infantry", 7, 5, strength=10)
    w.war(1, 0)
    assert conscripted(plan(w)) == [(3, 5, 75)]  # 100 are wanted at the border: half of 150


@pytest.mark.rule("AI-054")
def test_a_unit_may_count_for_two_borders() -> None:
    w = two_lands(reserves=100)
    for x in range(2, 7):
        w.cell(x, 8, terrain="forest", owner=2)
    w.cell(5, 5, terrain="depot", owner=0)
    w.unit(0, "infantry", 6, 7, strength=50, corps=0)  # beside the land of both
    assert placed(plan(w)) == []


@pytest.mark.rule("AI-055", "AI-042")
def test_units_are_placed_near_the_most_valuable_hex_of_the_border() -> None:
    w = two_lands(reserves=50)
    w.cell(5, 3, terrain="depot", owner=0)
    w.cell(5, 7, terrain="depot", owner=0)
    w.cell(6, 3, terrain="factory", owner=0, level=135)  # 13 runs at half capacity, 80 each: 520
    w.cell(6, 7, terrain="farm", owner=0, level=50)  # 500, although its level (10) is above the factory's (9)
    assert placed(plan(w)) == [(5, 3, "infantry", 50)]
    w.cell(6, 3, terrain="factory", owner=0, level=120)  # 480
    assert placed(plan(w)) == [(5, 7, "infantry", 50)]


@pytest.mark.rule("AI-055", "AI-056")
def test_a_depot_is_built_while_conscripts_are_called_and_its_funds_are_kept() -> None:
    w = two_lands()
    w.cell(5, 5, terrain="plains", owner=0)
    steps = plan(w)
    assert conscripted(steps) == [(3, 5, 50)] and built(steps, "depot") == [(5, 5)]
    w.cell(6, 5, terrain="farm", owner=0, level=10)  # wants a guard of 10 (88), the border its depot (90)
    w.nation(0, funds=209, reserves=100)
    steps = plan(w)
    assert built(steps, "depot") == [(5, 5)] and placed(steps) == [(2, 5, "infantry", 9)]
    w.nation(0, funds=200)
    steps = plan(w)
    assert built(steps, "depot") == [(5, 5)] and placed(steps) == []


@pytest.mark.rule("AI-056", "AI-002")
def test_minimum_defence_goes_before_development_and_after_emergency_food() -> None:
    def world(**stock: Any) -> SmallWorld:
        w = two_lands(reserves=100, **stock)
        w.cell(4, 4, terrain="mountain", owner=0, deposit="coal", richness=60)
        w.cell(4, 6, terrain="farm", owner=0, level=10)
        w.cell(5, 5, terrain="plains", owner=0)
        w.nation(0, shares=[0, 0, 100])
        w.phase("income")
        w.phase("consumption")
        return w

    steps = plan(world())
    assert built(steps, "depot") == [(5, 5)] and built(steps, "mine") == []  # 90 before 70
    w = world()
    w.nation(0, food=10)  # 40 a turn are eaten
    steps = plan(w)
    assert built(steps, "farm") and built(steps, "depot") == []
    w.cell(5, 5, terrain="depot", owner=0)
    w.nation(0, funds=60)
    steps = plan(w)  # 20 for the field come first: 40 are left for soldiers
    assert placed(steps) == [(5, 5, "infantry", 40)] and built(steps, "farm")


@pytest.mark.rule("AI-048", "AI-056", "AI-059")
@pytest.mark.parametrize("need", ["defense", "war", "guard"])
def test_a_depot_has_the_priority_of_what_it_is_wanted_for(need: str) -> None:
    def world(rules: dict[str, Any]) -> SmallWorld:
        w = two_lands(rules={"ai.mobilize_percent": 0, **rules}, reserves=500)
        w.cell(4, 4, terrain="mountain", owner=0, deposit="coal", richness=60)
        w.cell(5, 5, terrain="plains", owner=0)
        if need == "war":
            w.relation(0, 1, state="pending", turns_left=3, declarer=1)
        if need == "guard":
            w.cell(2, 5, terrain="forest", owner=0)  # no depot anywhere
            w.cell(6, 5, terrain="farm", owner=0, level=10)
            w.unit(0, "infantry", 6, 4, strength=50, corps=0)
        w.nation(0, shares=[0, 0, 100])
        w.phase("income")
        w.phase("consumption")
        return w

    steps = plan(world({}))
    assert built(steps, "depot") == [(5, 5)] and built(steps, "mine") == []
    steps = plan(world({f"ai.priority_{need}": 69}))  # a mine: 70, and 84 for fuel
    assert built(steps, "depot") == [] and built(steps, "mine") == [(4, 4)]


@pytest.mark.rule("AI-053")
@pytest.mark.parametrize("friend", ["mate", "amity", "likes us", "nobody"])
def test_no_defence_is_kept_against_friends(friend: str) -> None:
    w = two_lands(reserves=100)
    w.cell(5, 5, terrain="depot", owner=0)
    if friend == "mate":
        w.faction("A", 0, [0, 1])
    elif friend == "amity":
        w.relation(0, 1, state="amity")
    elif friend == "likes us":
        w.nation(1, good_terms=[0])
    assert placed(plan(w)) == ([(5, 5, "infantry", 50)] if friend == "nobody" else [])


@pytest.mark.rule("AI-057", "AI-089")
def test_counted_units_stay_but_make_room_on_a_depot() -> None:
    w = two_lands()
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.unit(0, "infantry", 5, 4, strength=50, corps=0)  # near the border, beside the farm
    assert ordered(plan(w))[0] == ("defend", 0)
    w.cell(5, 4, terrain="depot", owner=0)
    assert ordered(plan(w))[0] == ("move", 2)  # to the farm, two steps east and south


@pytest.mark.rule("AI-058", "AI-059")
def test_after_a_declaration_100_are_wanted_against_the_declarer_and_at_the_capital() -> None:
    w = two_lands(reserves=500)
    for x in range(2, 7):
        w.cell(x, 8, terrain="forest", owner=2)
    w.cell(5, 4, terrain="depot", owner=0)
    w.cell(4, 7, terrain="depot", owner=0)
    w.relation(0, 1, state="pending", turns_left=3, declarer=1)
    steps = plan(w)
    assert placed(steps)[:2] == [(5, 4, "infantry", 100), (2, 5, "infantry", 50)]
    w.relation(0, 1, state="pending", turns_left=3, declarer=0)  # its own war: the capital's 50 are there
    w.nation(0, reserves=0)
    assert placed(plan(w)) == []


# ---------------------------------------------------------------- single hexes


@pytest.mark.rule("AI-043", "AI-044")
def test_hexes_that_development_could_take_are_guarded_and_no_others() -> None:
    w = two_lands()
    grounds = {3: "farm", 4: "town", 5: "wasteland", 6: "iron_mine", 7: "factory"}
    for y, ground in grounds.items():
        w.cell(6, y, terrain=ground, owner=0)
    w.cell(5, 5, terrain="plains", owner=0)  # inland
    made = staff_of(w)
    edges = made.edges[: made.head[0]["edges"]]
    assert [int(e["cell"]) // 18 for e in edges if e["score"] > 0] == [3, 5, 7]
    for y in range(2, 9):
        w.cell(7, y, terrain="port", owner=1)  # a port is no land
    assert staff_of(w).head[0]["edges"] == 0


@pytest.mark.rule("AI-046", "AI-047")
def test_guards_go_to_high_factories_and_farms_then_near_the_capital_then_near_losses() -> None:
    """The ledger's example: a factory of 150 nine hexes from the capital, a farm of 10 two away, plains."""
    w = SmallWorld(height=6, width=24, nations=2, seed=1)
    w.cell(2, 3, terrain="town", owner=0, population=100, capital=True)
    w.cell(4, 3, terrain="farm", owner=0, level=10)
    w.cell(4, 4, terrain="mountain", owner=1)
    w.cell(11, 3, terrain="factory", owner=0, level=150)
    w.cell(11, 4, terrain="mountain", owner=1)
    w.cell(20, 3, terrain="plains", owner=0)
    w.cell(20, 4, terrain="mountain", owner=1)
    w.cell(21, 3, terrain="farm", owner=1)
    w.world.cells["taken_from"][3, 21], w.world.cells["taken_turn"][3, 21] = 0, w.turn
    made = staff_of(w)
    edges = made.edges[: made.head[0]["edges"]]
    assert {int(e["cell"]) % 24: int(e["score"]) for e in edges} == {4: 50, 11: 51, 20: 50}
    found = []
    for _ in range(3):
        best = defence.best_edge(made, 1 << 1)
        made.edges[best]["held"] = 1
        found.append(int(made.edges[best]["cell"]) % 24)
    assert found == [11, 4, 20]  # the factory, the farm before the bare plains


@pytest.mark.rule("AI-047")
@pytest.mark.parametrize(("x", "ago", "score"), [(9, 0, 52), (10, 0, 52), (11, 0, 42), (9, 1, 42)])
def test_only_losses_of_the_last_turn_within_two_hexes_count(x: int, ago: int, score: int) -> None:
    w = SmallWorld(height=6, width=24, nations=2, seed=1)
    w.cell(0, 3, terrain="town", owner=0, population=100, capital=True)
    w.cell(8, 3, terrain="wasteland", owner=0)  # 40, and 10 - 8 for the capital
    w.cell(8, 4, terrain="mountain", owner=1)
    w.cell(x, 3, terrain="forest", owner=1)
    w.world.cells["taken_from"][3, x], w.world.cells["taken_turn"][3, x] = 0, w.turn - ago
    made = staff_of(w)
    (edge,) = made.edges[: made.head[0]["edges"]]
    assert int(edge["score"]) == score


@pytest.mark.rule("AI-048")
def test_guards_stay_and_more_are_raised_while_hexes_are_uncovered() -> None:
    w = two_lands(reserves=100)
    w.unit(0, "infantry", 5, 4, strength=50, corps=0)
    for y in (3, 5, 7):
        w.cell(6, y, terrain="farm", owner=0, level=10)
    w.unit(0, "infantry", 6, 5, strength=10, corps=1)
    w.cell(4, 4, terrain="depot", owner=0)
    steps = plan(w)
    assert ordered(steps)[1] == ("defend", 0)
    assert placed(steps) == [(4, 4, "infantry", 10), (2, 5, "infantry", 10)]
    w.unit(0, "infantry", 6, 3, strength=10, corps=2)
    w.unit(0, "infantry", 6, 7, strength=10, corps=3)
    assert placed(plan(w)) == []


@pytest.mark.rule("AI-048")
def test_without_any_depot_one_is_built_for_the_guards() -> None:
    w = two_lands(reserves=100)
    w.cell(2, 5, terrain="forest", owner=0)
    w.unit(0, "infantry", 5, 4, strength=50, corps=0)
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.cell(3, 4, terrain="plains", owner=0)
    assert built(plan(w), "depot") == [(3, 4)]


@pytest.mark.rule("AI-089", "AI-046")
def test_a_unit_marches_to_the_farm_it_shall_guard_and_stays_there() -> None:
    w = two_lands()
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.unit(0, "infantry", 6, 3, strength=50, corps=1)  # the border's 50
    unit = w.unit(0, "infantry", 4, 5, strength=20, corps=0)
    assert ordered(plan(w))[0] == ("move", 2)  # two hexes west of it: east
    w.phase("plans")
    w.phase("army")
    assert unit.x == 5
    w.phase("commit")
    assert 0 not in ordered(plan(w))  # the order is as it should be
    w.phase("army")
    assert unit.x == 6
    assert ordered(plan(w))[0] == ("defend", 0)


@pytest.mark.rule("AI-089")
def test_every_unit_gets_the_lowest_corps_that_has_none() -> None:
    w = two_lands(reserves=100)
    w.cell(5, 5, terrain="depot", owner=0)
    w.unit(0, "infantry", 2, 3, strength=5, corps=0)
    w.unit(0, "infantry", 2, 4, strength=5, corps=2)
    (amount,) = (a for name, _, _, a, _ in plan(w) if name == "place_unit")
    assert amount % 10000 // 200 == 1


@pytest.mark.rule("AI-089", "AI-057", "AI-048")
def test_a_shared_corps_stays_if_one_of_its_units_is_bound() -> None:
    def orders(corps: int) -> dict[int, tuple[str, int]]:
        w = two_lands()
        w.cell(6, 7, terrain="farm", owner=0, level=10)
        w.unit(0, "infantry", 3, 7, strength=20, corps=0)  # the older one could guard the farm
        w.unit(0, "infantry", 6, 4, strength=50, corps=corps)  # the border's 50
        return ordered(plan(w))

    assert orders(corps=1) == {0: ("move", 2), 1: ("defend", 0), 9: ("defend", 0)}
    assert orders(corps=0) == {0: ("defend", 0), 9: ("defend", 0)}


@pytest.mark.rule("AI-049")
def test_a_war_without_border_and_enemies_in_sight_leaves_units_to_border_readiness() -> None:
    w = two_lands(reserves=100)
    w.cell(6, 5, terrain="farm", owner=0, level=10)
    w.cell(6, 7, terrain="farm", owner=0, level=10)
    w.unit(0, "infantry", 4, 5, strength=50, corps=0)
    w.war(0, 2)  # lives elsewhere
    steps = plan(w)
    assert ordered(steps)[0] == ("attack", 2)  # at war a unit on its way attacks
    assert placed(steps) == [(2, 5, "infantry", 10)]  # for the other farm
    w.unit(2, "infantry", 6, 3, strength=60)  # landed: the army decides
    assert placed(plan(w)) == []


@pytest.mark.rule("AI-049")
def test_in_a_war_border_guards_are_the_armys() -> None:
    def world(state: str) -> SmallWorld:
        w = two_lands()
        for x in range(2, 7):
            w.cell(x, 8, terrain="forest", owner=2)
        w.cell(4, 7, terrain="farm", owner=0, level=10)  # touches nation 2
        w.unit(0, "infantry", 6, 3, strength=50, corps=1)
        w.unit(0, "infantry", 2, 7, strength=50, corps=2)
        w.unit(0, "infantry", 4, 5, strength=50, corps=0)
        w.relation(0, 1, state=state, **({"turns_left": 3, "declarer": 0} if state == "pending" else {}))
        return w

    assert ordered(plan(world("peace")))[0][0] == "move"
    assert ordered(plan(world("peace")))[0][1] in (3, 4)  # south, to the farm
    assert ordered(plan(world("pending")))[0] == ("move", 1)  # to the border with nation 1 at (6, 4)
    w = world("pending")
    w.cell(4, 5, terrain="farm", owner=0, level=10)
    w.cell(4, 6, terrain="forest", owner=2)  # its guard leaves a hex that could be taken, too
    assert ordered(plan(w))[0][0] == "move"


# ---------------------------------------------------------------- taking hexes


def taking(w: SmallWorld) -> list[Step]:
    """What the nation would take from its neighbours now: (command, x, y)."""
    turn.run_phase(w.world, w.rules, "nation_update")
    w.world.nations["plan_length"][0] = 0
    expanding.take_neighbours_hex(w.world, w.rules, 0)
    orders = w.world.plans[0][: w.world.nations["plan_length"][0]]
    return [(NAMES[int(o["command"])], int(o["x"]), int(o["y"])) for o in orders]


@pytest.mark.rule("AI-035", "AI-042", "AI-045")
def test_the_most_valuable_hex_of_a_neighbour_is_taken_first() -> None:
    w = two_lands()
    w.cell(7, 3, terrain="factory", owner=1, level=75)  # 7 runs at half capacity, 80 each
    w.cell(7, 4, terrain="farm", owner=1, level=10)  # 100 food
    w.cell(7, 5, terrain="plains", owner=1)
    w.cell(7, 6, terrain="wasteland", owner=1)
    for value, name, y in (
        (280, "factory", 3),
        (100, "farm", 4),
        (1, "plant_forest", 5),
        (0, "prepare_land", 6),
    ):
        assert taking(w) == [(name, 7, y)], value
        w.cell(7, y, terrain="forest", owner=1)
    assert taking(w) == []


@pytest.mark.rule("AI-042")
def test_a_hex_is_worth_what_its_full_staff_makes_in_a_turn() -> None:
    def value(ground: str, level: int = 0, policy: str = "light") -> int:
        w = two_lands(policy=policy)
        w.cell(7, 5, terrain=ground, owner=1, **({"level": level} if level else {}))
        return worth.of_hex(w.world, w.rules, 0, w.place(7, 5))

    assert value("farm", 10) == 100  # 100 people, a food of 1 each
    assert value("factory", 75) == 280  # 7 runs at half capacity, goods at 80
    assert value("factory", 15) == 40
    assert value("factory", 75, policy="heavy") == 420  # three quarters
    assert (value("plains"), value("wasteland"), value("forest")) == (1, 0, 0)


@pytest.mark.rule("AI-045")
@pytest.mark.parametrize("between", ["peace", "amity", "mates", "war", "young"])
def test_taking_by_development_is_a_matter_of_the_ground_alone(between: str) -> None:
    """Neither treaties nor faction nor the first 15 turns forbid the command; the AI refrains by itself."""
    w = two_lands()
    w.cell(7, 5, terrain="farm", owner=1, level=10)
    w.cell(7, 6, terrain="wasteland", owner=1)
    if between == "mates":
        w.faction("A", 0, [0, 1])
    elif between == "young":
        w.world.nations["founded"][:] = w.turn
    else:
        w.relation(0, 1, state=between)
    w.order(0, "level_land", 7, 6)
    w.order(0, "farm", 7, 5)
    w.phase("plans")
    assert (w.cell(7, 5).owner, w.cell(7, 5).level) == (0, 15)
    assert (w.cell(7, 6).owner, w.cell(7, 6).terrain) == (0, "plains")


@pytest.mark.rule("AI-035")
def test_what_is_too_dear_is_left_for_the_next_and_equals_go_by_index() -> None:
    w = two_lands(funds=99)  # a step of a factory costs 100
    w.cell(7, 3, terrain="factory", owner=1, level=75)
    w.cell(7, 6, terrain="farm", owner=1, level=10)
    w.cell(7, 4, terrain="farm", owner=1, level=10)
    assert taking(w) == [("farm", 7, 4)]
    w.cell(1, 3, terrain="farm", owner=1, level=10)
    assert taking(w) == [("farm", 1, 3)]
    w.cell(4, 2, terrain="farm", owner=1, level=10)  # whichever own hex it touches
    assert taking(w) == [("farm", 4, 2)]
    w.nation(0, funds=19)
    assert taking(w) == []


@pytest.mark.rule("AI-036", "AI-041", "AI-044")
def test_friends_units_in_sight_deposits_and_other_terrain_are_spared() -> None:
    def world() -> SmallWorld:
        w = two_lands()
        w.cell(7, 5, terrain="farm", owner=1, level=10)
        return w

    assert taking(world()) == [("farm", 7, 5)]
    w = world()
    w.unit(1, "infantry", 7, 5, strength=10)
    assert taking(w) == []
    w = world()
    w.relation(0, 1, state="amity")
    assert taking(w) == []
    w = world()
    w.nation(0, good_terms=[1])
    assert taking(w) == []
    w = world()
    w.nation(1, good_terms=[0])  # the other's list does not bind it
    assert taking(w) == [("farm", 7, 5)]
    w = world()
    w.faction("A", 0, [0, 1])
    assert taking(w) == []
    w = two_lands()
    w.cell(7, 4, terrain="wasteland", owner=1, deposit="oil", richness=99)
    for y, ground in ((3, "town"), (5, "iron_mine"), (6, "port"), (7, "large_farm")):
        w.cell(7, y, terrain=ground, owner=1)
    assert taking(w) == []


@pytest.mark.rule("AI-052")
def test_plains_taken_from_a_neighbour_become_forest() -> None:
    w = two_lands(
        rules={"ai.border_strength": 0, "ai.guard_strength": 0, "ai.plains_kept": 0},
        production=5,
        military=5,
        shipping=5,
    )
    w.cell(5, 5, terrain="plains", owner=0)
    w.cell(4, 4, terrain="market", owner=0, level=1)
    w.cell(4, 6, terrain="port", owner=0, level=1)
    w.cell(4, 3, terrain="factory", owner=0, level=30)
    w.nation(0, funds=600)
    assert built(plan(w), "plant_forest") == []
    now = w.turn
    w.world.clock["turn"] = 10  # whatever the turn, what was never taken stays
    assert built(plan(w), "plant_forest") == []
    w.world.clock["turn"] = now
    w.world.cells["taken_from"][5, 5], w.world.cells["taken_turn"][5, 5] = 1, w.turn - 20
    assert built(plan(w), "plant_forest") == [(5, 5)]
    w.world.cells["taken_turn"][5, 5] -= 1  # what has been felled since is not planted again
    assert built(plan(w), "plant_forest") == []


# ---------------------------------------------------------------- war


def at_war(rules: dict[str, Any] | None = None, **stock: Any) -> SmallWorld:
    """As `two_lands`, in a war that nation 0 declared: its border demands nothing; nobody raises troops."""
    w = two_lands(rules={"ai.mobilize_percent": 0, "ai.units_max": 0, **(rules or {})}, **stock)
    w.war(0, 1)
    return w


@pytest.mark.rule("AI-050", "AI-089")
def test_in_war_a_unit_goes_to_the_most_valuable_enemy_hex_within_five_steps() -> None:
    def way(x: int, y: int) -> tuple[str, int]:
        w = at_war()
        w.cell(7, 5, terrain="farm", owner=1, level=10)
        w.cell(7, 7, terrain="factory", owner=1, level=100)  # 5 x 80 = 400
        w.unit(0, "infantry", x, y, strength=50, corps=0)
        return ordered(plan(w))[0]

    assert way(6, 5) == ("attack", 3)  # south-east, along the border to (6, 7), rather than east
    assert way(6, 7) == ("attack", 2)
    assert way(2, 3)[0] == "attack"  # more than five steps away: toward the front
    w = at_war()
    w.cell(7, 6, terrain="sea")
    w.cell(7, 3, terrain="factory", owner=1, level=150)  # seven steps
    w.unit(0, "infantry", 2, 7, strength=50, corps=0)
    assert ordered(plan(w))[0] == ("attack", 2)  # east to (7, 7), which is five steps away


@pytest.mark.rule("AI-050")
def test_a_unit_attacks_only_when_it_is_as_strong() -> None:
    def way(mine: int, helper: int = 0) -> tuple[str, int]:
        w = at_war()
        for y in range(3, 8):
            for x in range(7, 12):
                w.cell(x, y, terrain="sea")
        w.cell(7, 5, terrain="town", owner=1, population=50, capital=True)
        w.cell(6, 5, terrain="forest", owner=1)
        w.unit(1, "infantry", 6, 5, strength=60)
        w.unit(0, "infantry", 4, 5, strength=mine, corps=0)
        w.cell(5, 4, terrain="mountain", owner=0)
        w.cell(5, 6, terrain="mountain", owner=0)
        if helper:
            w.unit(0, "infantry", 5, 3, strength=helper, corps=1)
        return ordered(plan(w)).get(0, ("hold", 0))

    assert way(60) == ("attack", 2)
    assert way(59) == ("defend", 0)
    assert way(40, helper=20) == ("attack", 2)  # those near it count together


@pytest.mark.rule("AI-050")
def test_the_capital_is_defended_first() -> None:
    w = at_war()
    w.cell(7, 5, terrain="farm", owner=1, level=50)
    w.unit(0, "infantry", 5, 5, strength=100, corps=0)
    assert ordered(plan(w))[0] == ("attack", 2)
    w.unit(1, "infantry", 3, 6, strength=60)  # beside the capital
    assert ordered(plan(w))[0] in (("attack", 4), ("attack", 5))


@pytest.mark.rule("AI-050")
def test_artillery_stays_two_hexes_away_and_armor_goes_to_the_enemy() -> None:
    w = at_war()
    w.unit(1, "infantry", 7, 5, strength=60)
    w.unit(0, "artillery", 3, 4, strength=100, corps=0)
    w.unit(0, "armor", 4, 5, strength=100, corps=1)
    steps = ordered(plan(w))
    assert steps[1] == ("attack", 2)
    gun = next(u for u in w.units(type="artillery"))
    for _ in range(4):
        plan(w)
        w.phase("plans")
        w.phase("army")
        w.phase("commit")
    assert (gun.x, gun.y) in ((5, 5), (5, 4), (6, 4), (5, 6), (6, 3), (6, 7), (6, 6))
    assert abs(gun.x - 7) >= 1


@pytest.mark.rule("AI-057", "AI-059")
def test_in_a_war_declared_on_it_the_counted_units_hold_and_the_others_attack() -> None:
    w = two_lands(rules={"ai.mobilize_percent": 0, "ai.units_max": 0})
    w.war(1, 0)
    w.unit(0, "infantry", 3, 4, strength=50, corps=3)  # with the guard the capital's 100
    w.unit(0, "infantry", 6, 5, strength=100, corps=0)
    w.unit(0, "infantry", 6, 4, strength=50, corps=1)
    steps = ordered(plan(w))
    assert steps[0] == ("defend", 0) and steps[3] == ("defend", 0)
    assert steps[1][0] == "attack"


def test_a_nation_in_war_raises_an_army_by_its_people_and_its_rivals_strength() -> None:
    def conscripts(theirs: int, **rules: Any) -> int:
        all_of_them = {"ai.conscript_percent": 100, "ai.mobilize_percent": 100, "ai.levy_percent": 0}
        w = two_lands(rules={**all_of_them, **rules})
        w.nation(1, reserves=theirs)
        w.war(0, 1)
        return sum(c for _, _, c in conscripted(plan(w)))

    assert conscripts(40) == 30  # twice 40, of which 50 stand at the capital
    assert conscripts(10) == 0
    assert conscripts(40, **{"ai.mobilize_percent": 10}) == 0
    assert conscripts(500, **{"ai.mobilize_percent": 60}) == 40  # 90 of 150 people, less 50


def test_an_army_takes_its_types_by_what_it_can_pay() -> None:
    def kinds(*have: str, **stock: Any) -> str:
        w = two_lands(reserves=60, **stock)
        w.cell(5, 5, terrain="depot", owner=0)
        w.cell(2, 5, terrain="forest", owner=0)
        w.war(0, 1)
        for k, kind in enumerate(have):
            w.unit(0, kind, 6, 3 + k, strength=60, corps=k)
        return placed(plan(w))[0][2]

    assert kinds(funds=3000) == "mountain_troops"  # takers come first
    assert kinds(funds=350) == "infantry"  # 300 are left
    assert kinds("infantry", funds=3000, fuel=50) == "armor"
    assert kinds("infantry", "infantry", "armor", funds=3000, fuel=50) == "artillery"
    assert kinds("infantry", funds=3000, fuel=5) == "mountain_troops"  # no fuel for tanks
    assert kinds("infantry", funds=500, fuel=50) == "mountain_troops"


def test_before_mountains_an_army_is_of_mountain_troops() -> None:
    w = two_lands(reserves=60, fuel=50)
    w.cell(5, 5, terrain="depot", owner=0)
    w.cell(2, 5, terrain="forest", owner=0)
    w.unit(0, "infantry", 6, 3, strength=60, corps=0)
    for y in range(3, 8):
        w.cell(7, y, terrain="quarry", owner=1)
    w.war(0, 1)
    assert placed(plan(w))[0][2] == "mountain_troops"


def test_a_guard_on_a_depot_is_not_made_an_army_and_a_free_unit_is_topped_up() -> None:
    def where(declarer: int) -> list[Step]:
        w = two_lands(reserves=60)
        w.cell(5, 5, terrain="depot", owner=0)
        w.unit(0, "infantry", 3, 4, strength=50, corps=1)  # the capital's second 50
        w.unit(0, "infantry", 5, 5, strength=100, corps=0)
        w.war(declarer, 1 - declarer)
        return placed(plan(w))

    assert where(1) == [(2, 5, "mountain_troops", 60)]  # the border's 100 stand at (5, 5)
    assert where(0) == [(5, 5, "mountain_troops", 60)]


@pytest.mark.rule("AI-089")
def test_a_corps_that_gets_a_unit_loses_its_old_order() -> None:
    w = two_lands(reserves=100)
    w.cell(5, 5, terrain="depot", owner=0)
    w.corps(0, 0, order="retreat", direction=3)
    steps = plan(w)
    assert placed(steps) and ordered(steps)[0] == ("defend", 0)


def test_units_without_a_task_go_home_when_peace_has_lasted() -> None:
    w = two_lands(rules={"ai.disband_turns": 10})
    w.unit(0, "infantry", 6, 5, strength=50, corps=1)
    w.unit(0, "infantry", 4, 4, strength=80, corps=0)
    w.world.relations["since"][0, 1] = w.turn - 9
    assert ordered(plan(w))[0] == ("defend", 0)
    w.world.relations["since"][0, 1] = w.turn - 10
    assert ordered(plan(w))[0] == ("retreat", 0)


# ---------------------------------------------------------------- war and peace


def said(w: SmallWorld, what: str) -> list[int]:
    """To whom the nation's plan says something."""
    return [target for name, _, _, _, target in plan(w) if name == what]


@pytest.mark.rule("AI-086")
def test_amity_is_accepted_in_peace() -> None:
    w = two_lands()
    assert said(w, "amity") == []
    w.world.relations["offer_until"][1, 0] = w.turn + 1
    assert said(w, "amity") == [1]
    w.war(0, 1)
    assert said(w, "amity") == []


@pytest.mark.rule("AI-086")
def test_peace_is_sought_with_less_than_half_of_the_enemys_power() -> None:
    w = two_lands(nations=2)
    w.world.relations["since"][:] = w.turn
    w.relation(0, 1, state="war", declarer=1)
    w.nation(1, reserves=250)
    assert said(w, "ceasefire") == []  # 150 people and 50 soldiers against 150 and 250
    w.nation(1, reserves=251)
    assert said(w, "ceasefire") == [1]
    w.relation(0, 1, state="pending", turns_left=2, declarer=1)
    assert said(w, "ceasefire") == [1]
    w.world.relations["offer_until"][0, 1] = w.turn + 2  # its offer stands
    assert said(w, "ceasefire") == []
    w.world.relations["offer_until"][1, 0] = w.turn + 2  # and is answered
    assert said(w, "ceasefire") == [1]


def test_peace_is_sought_when_enough_is_won_the_war_is_old_or_nothing_moves() -> None:
    def seeks(age: int, won: int = 0, last: int = 0, lost: bool = False, least: int = 5) -> bool:
        """After ``age`` turns of war, ``won`` hexes taken, the last change of hands ``last`` turns ago."""
        rules = {"ai.war_patience": [10, 10], "ai.war_spoils": [20, 20], "ai.stalemate_turns": 8}
        rules["ai.war_spoils_min"] = least
        w = two_lands(nations=2, rules=rules | {"season.max_turns": 120})
        w.war(0, 1)
        w.world.relations["since"][:] = w.turn - age
        cells = w.world.cells
        for k in range(won):
            cells["owner"][3 + k, 7], cells["taken_from"][3 + k, 7] = 0, 1
            cells["taken_turn"][3 + k, 7] = w.turn - last
        if lost:
            cells["owner"][3, 6], cells["taken_from"][3, 6], cells["taken_turn"][3, 6] = 1, 0, w.turn - last
        return bool(said(w, "ceasefire"))

    assert not seeks(5) and not seeks(11, won=4, last=1)  # 4 of 25 hexes are 16 percent
    assert seeks(5, won=5) and not seeks(5, won=5, least=6)  # a fifth
    assert seeks(12, won=1)  # a tenth of 120 turns
    assert seeks(8) and seeks(11, won=1, last=8)
    assert not seeks(11, lost=True, last=7)


def test_war_is_declared_on_a_neighbour_that_is_weak_enough_for_the_time_spent_in_peace() -> None:
    def prey(
        turns: int = 10,
        theirs: int = 0,
        rested: bool = False,
        need: int = 0,
        used: int = 0,
        **stock: Any,
    ) -> list[int]:
        rules = {"ai.boldness": [10, 10], "ai.advantage": [200, 100], "season.max_turns": 100}
        rules |= {
            "ai.mobilize_percent": 0,
            "ai.war_border": 5,
            "ai.war_rest": 4,
            "diplomacy.founding_lock": 0,
        }
        w = two_lands(nations=2, rules=rules, reserves=150, **stock)
        w.nation(1, reserves=theirs)
        w.world.nations["founded"][0] = w.turn - turns
        if rested:
            w.world.relations["since"][0, 1] = w.turn - turns
            w.world.nations["founded"][0] -= 50
        w.world.nations["assigned_turn"][0] = w.turn
        w.world.nations["fuel_need"][0], w.world.nations["fuel_used"][0] = need, used
        return said(w, "declare_war")

    # 50 stand at the capital, 150 in reserve; after 10 turns 100 percent are asked for, after 5 turns 150
    assert prey(theirs=200) == [1]
    assert prey(theirs=201) == []
    assert prey(turns=5, theirs=133) == [1]
    assert prey(turns=5, theirs=134) == []
    assert prey(14, 200, rested=True) == [1] and prey(13, 200, rested=True) == []  # a war costs 4 turns more
    assert prey(funds=799) == []
    assert prey(ammo=3) == []
    assert prey(food=399) == []  # 40 a turn are eaten
    assert prey(need=10, used=5) == [1]
    assert prey(need=10, used=4) == []


@pytest.mark.parametrize("reason", ["nothing", "friend", "liked", "truce", "at war", "narrow"])
def test_friends_and_nations_at_war_are_not_attacked(reason: str) -> None:
    w = two_lands(rules={"ai.boldness": [20, 20], "season.max_turns": 100, "ai.war_border": 2}, reserves=150)
    if reason == "friend":
        w.relation(0, 1, state="amity")
    elif reason == "liked":
        w.nation(0, good_terms=[1])
    elif reason == "truce":
        w.world.relations["truce"][0, 1] = w.world.relations["truce"][1, 0] = 5
    elif reason == "at war":
        w.war(1, 2)
    elif reason == "narrow":
        for y in (3, 4, 5, 6):
            w.cell(6, y, terrain="sea")
            w.cell(7, y, terrain="sea")
        w.cell(6, 6, terrain="forest", owner=0)
    assert said(w, "declare_war") == ([1] if reason == "nothing" else [])


@pytest.mark.rule("AI-001")
def test_a_proxy_declares_no_war() -> None:
    for controller, expected in (("rule_ai", [1]), ("llm", [])):
        rules = {"ai.boldness": [20, 20], "season.max_turns": 100, "ai.war_border": 2}
        w = two_lands(rules, reserves=150)
        w.nation(0, controller=controller)
        assert said(w, "declare_war") == expected


def test_the_weakest_neighbour_is_the_one_to_attack() -> None:
    w = two_lands(rules={"ai.boldness": [20, 20], "season.max_turns": 100, "ai.war_border": 2}, reserves=150)
    for x in range(2, 7):
        w.cell(x, 8, terrain="forest", owner=2)
    w.nation(1, reserves=20)
    assert said(w, "declare_war") == [2]
    w.nation(2, reserves=60)  # 50 people against 150: a third of them could fight
    assert said(w, "declare_war") == [1]


def test_temper_depends_on_the_place_of_the_capital_alone() -> None:
    w = two_lands()
    before = [standing.temper(w.world, n) for n in range(3)]
    assert all(0 <= temper < 100 for temper in before) and len(set(before)) > 1
    w.world.nations["capital"][[0, 1]] = w.world.nations["capital"][[1, 0]]
    assert [standing.temper(w.world, n) for n in range(3)] == [before[1], before[0], before[2]]


# ---------------------------------------------------------------- missiles


def test_a_rich_nation_in_war_builds_a_missile_base_near_the_front() -> None:
    w = at_war(funds=3300, steel=10)
    w.cell(5, 5, terrain="plains", owner=0)
    assert built(plan(w), "missile_base") == [(5, 5)]
    w.nation(0, funds=2999)
    assert built(plan(w), "missile_base") == []
    w.nation(0, funds=3300)
    w.relation(0, 1, state="peace")
    assert built(plan(w), "missile_base") == []


def test_missiles_are_fired_at_what_is_worth_most_away_from_own_land() -> None:
    w = at_war(funds=9000, ammo=30, fuel=50)
    w.cell(5, 5, terrain="missile_base", owner=0)
    w.cell(8, 5, terrain="factory", owner=1, level=100)
    w.cell(7, 4, terrain="factory", owner=1, level=150)
    assert built(plan(w), "missile_ballistic") == [(7, 4)]  # without scatter
    w.nation(0, fuel=0)
    assert built(plan(w), "missile_ballistic") == []
    assert built(plan(w), "missile_pp") == [(8, 5)]  # scatters by one: not beside the border
    w.nation(0, ammo=10)
    assert not any(step[0].startswith("missile") for step in plan(w))


def haunted(level: int, turn: int = 50) -> SmallWorld:
    """A monster in the middle of the own land of a nation at peace, with a base four cells from it."""
    w = two_lands(funds=9000, ammo=30, fuel=50, steel=10)
    w.world.clock["turn"] = turn
    w.cell(2, 6, terrain="missile_base", owner=0)
    w.cell(5, 5, terrain="monster", owner=0, level=level)
    return w


def test_a_missile_that_does_not_scatter_is_fired_at_a_monster_on_own_land() -> None:
    assert [step for step in plan(haunted(13)) if step[0].startswith("missile")] == [
        ("missile_ballistic", 5, 5, 1, 0)
    ]
    w = haunted(13)
    w.nation(0, fuel=2)  # a ballistic missile takes 3; the others could hit the own land around
    assert not any(step[0].startswith("missile") for step in plan(w))


def test_no_missile_is_wasted_on_a_monster_that_will_be_hardened() -> None:
    """Sanjira (2) is hardened on odd turns; the plan of turn 50 is carried out in turn 51."""
    assert built(plan(haunted(23, turn=50)), "missile_ballistic") == []
    assert built(plan(haunted(23, turn=51)), "missile_ballistic") == [(5, 5)]


def test_a_nation_at_peace_builds_a_base_only_against_a_monster() -> None:
    w = haunted(13)
    w.unit(0, "infantry", 6, 4, strength=50, corps=0)  # the border wants no depot
    w.cell(2, 6, terrain="forest", owner=0)
    w.cell(4, 4, terrain="plains", owner=0)
    assert built(plan(w), "missile_base") == [(4, 4)]
    w.cell(5, 5, terrain="forest", owner=0)
    assert built(plan(w), "missile_base") == []


@pytest.mark.rule("AI-089")
def test_the_33rd_unit_joins_the_corps_of_the_nearest() -> None:
    """32 units, each with a corps of its own, along y = 9 and 10; corps 17 stands at (1, 10)."""
    w = two_lands({"ai.units_max": 40, "ai.border_strength": 0}, guard=False, reserves=500)
    for k in range(32):
        x, y = (k % 16, 9 + k // 16)
        w.cell(x, y, terrain="forest", owner=0)
        w.unit(0, "infantry", x, y, strength=50, corps=k)
    turn.run_phase(w.world, w.rules, "nation_update")
    staff = staffs.assemble(w.world)
    staffs.call_roll(w.world, staff)
    staffs.survey(w.world, w.rules, 0, staff)
    width = w.world.cells.shape[1]
    assert defence.free_corps(w.world, staff, 10 * width + 1) == 17
    assert defence.free_corps(w.world, staff, 9 * width + 4) == 4
    w.world.units["owner"][5] = -1
    w.world.cells[9, 5]["unit"] = -1
    staffs.call_roll(w.world, staff)
    staffs.survey(w.world, w.rules, 0, staff)
    assert defence.free_corps(w.world, staff, 10 * width + 1) == 5
