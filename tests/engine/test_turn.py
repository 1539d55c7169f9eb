"""The turn: its phases in the ledger's order, and what a whole turn does to a world."""

import ast
import inspect
from collections import Counter

import pytest

from hakoenv.engine import chance, nation_order, turn
from hakoenv.engine.codes import cause, command, item
from hakoenv.engine.commands import execute
from hakoenv.engine.world import copy_world, state_hash
from hakoenv.rulebook import rules as ledger
from hakoenv.testing import SmallWorld


def two_nations(**settings: object) -> SmallWorld:
    """Two nations with a capital, a farm and plains each, far apart."""
    w = SmallWorld(height=12, width=12, nations=2, seed=3, **settings)
    for n, x in ((0, 2), (1, 8)):
        w.cell(x, 5, terrain="town", owner=n, population=60, capital=True)
        w.cell(x + 1, 5, terrain="farm", owner=n, level=10)
        w.cell(x, 6, terrain="plains", owner=n)
        w.nation(n, funds=1000, food=500)
    return w


@pytest.mark.rule("TURN-001")
def test_phases_are_the_ledgers_in_its_order() -> None:
    stated = [ledger()[f"TURN-{number:03d}"].values for number in range(2, 43)]
    expected = [(str(values["phase"]), values["name"]) for values in stated]
    assert [(p.label, p.name) for p in turn.PHASES if "+" not in p.label] == expected


@pytest.mark.rule("TURN-001", "CMD-009")
def test_the_compiled_turn_calls_every_phase_in_that_order() -> None:
    function = getattr(turn.turn, "py_func", turn.turn)
    tree = ast.parse(inspect.getsource(function))
    called = [
        (node.lineno, node.func.value.id, node.func.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ]
    names = [
        (module, name)
        for _, module, name in sorted(called)
        if module not in {"world", "nation_order"} or name == "decide"
    ]
    listed = []
    for phase in turn.PHASES:
        if phase.run is not None:
            plain = getattr(phase.run, "py_func", phase.run)
            listed.append((plain.__module__.rsplit(".", 1)[1], plain.__name__))
    assert names == listed


@pytest.mark.rule("TURN-003")
def test_the_clock_rises_by_one_and_plans_run_with_the_new_number() -> None:
    w = two_nations(turn=99)
    w.order(0, "factory", 2, 6)  # turn 100 is the last with the early price of 50
    w.run(1)
    assert w.world.clock["turn"][0] == 100
    assert w.world.accounts[0, cause.COMMAND_COST, item.FUNDS] == -50


@pytest.mark.rule("TURN-004", "TURN-038")
def test_books_open_with_the_stock_and_close_without_difference() -> None:
    w = two_nations()
    w.run(1)
    opening = w.world.accounts[0, cause.OPENING]
    assert opening[item.FUNDS] == 1000 and opening[item.FOOD] == 500
    changes = w.world.accounts[0, cause.TAX :].sum(axis=0)
    assert list(opening + changes) == list(w.world.nations["treasury"][0])
    assert w.world.clock["discrepancies"][0] == 0


@pytest.mark.rule("TURN-038")
def test_a_change_that_nobody_booked_is_counted_as_a_fault() -> None:
    w = two_nations()
    w.phase("accounts_open")
    w.world.nations["treasury"][0][item.STEEL] += 3  # opening 0, no entry: closing must be 0
    w.phase("accounts_close")
    assert w.world.clock["discrepancies"][0] == 1


@pytest.mark.rule("TURN-009", "TURN-043")
def test_nation_order_is_a_fresh_uniform_permutation_of_the_living() -> None:
    w = SmallWorld(nations=4, seed=11)
    w.world.nations["alive"][2] = 0
    seen: Counter[tuple[int, ...]] = Counter()
    for number in range(1, 1201):
        w.world.clock["turn"][0] = number
        nation_order.decide(w.world, w.rules)
        order = tuple(int(n) for n in w.world.order[:3])
        assert sorted(order) == [0, 1, 3] and w.world.order[3] == -1
        seen[order] += 1
    # six orders, 200 expected each; chi-square with 5 degrees of freedom passes 20.5 once in 1,000 seeds
    assert sum((seen[o] - 200) ** 2 / 200 for o in seen) + 200 * (6 - len(seen)) < 20.5


@pytest.mark.rule("TURN-009")
def test_plans_run_in_the_order_of_phase_8() -> None:
    w = SmallWorld(nations=2, seed=0)  # both may take the same plains; the first in order gets it
    for n, x in ((0, 3), (1, 5)):
        w.cell(x, 5, terrain="town", owner=n, population=60, capital=True)
        w.nation(n, funds=100)
        w.order(n, "plant_forest", 4, 5)
    w.cell(4, 5, terrain="plains", owner=None)
    w.run(1)
    first, second = (int(n) for n in w.world.order[:2])
    assert w.cell(4, 5).terrain == "forest" and w.cell(4, 5).owner == first
    assert w.nation(second).funds == 100 + 6 + 10  # tax floor(60 * 0.1), refused, fundraise


@pytest.mark.rule("TURN-011", "TURN-044")
def test_one_nation_does_phases_10_to_13_before_the_next_and_all_before_any_plan() -> None:
    function = getattr(turn.turn, "py_func", turn.turn)
    body = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(body, ast.FunctionDef)
    loops = [step for step in body.body if isinstance(step, ast.For)]
    calls = [
        [f"{node.func.value.id}.{node.func.attr}" for node in ast.walk(loop) if _is_module_call(node)]
        for loop in loops
    ]
    phases = [["income.collect", "consumption.feed", "industry.produce", "supply.pay_navy"]]
    assert [[name for name in names if "nation_order" not in name] for names in calls] == [
        *phases,
        ["execute.run_plan"],
    ]


def _is_module_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


@pytest.mark.rule("TURN-005", "MAP-030")
def test_tunnels_stay_unlocked_once_they_have_been() -> None:
    w = SmallWorld(nations=1)
    for k in range(20):
        w.cell(k % 9, k // 9, terrain="plains", owner=0 if k else None)  # 1 of 20 is ownerless: 5%
    w.phase("unlock_check")
    assert w.world.clock["tunnels_unlocked"][0] == 1
    w.cell(1, 0, terrain="plains", owner=None)  # 2 of 20
    w.phase("unlock_check")
    assert w.world.clock["tunnels_unlocked"][0] == 1


@pytest.mark.rule("TURN-064", "CMD-051")
def test_a_research_level_counts_from_phase_5_of_its_turn() -> None:
    w = SmallWorld(nations=1, turn=9)
    w.cell(4, 4, terrain="town", owner=0, population=40, capital=True)
    w.cell(5, 4, terrain="quarry", owner=0, level=4, pile=200)  # 40 workers dig 40, 41 with production 1
    w.nation(0, funds=500, food=3000, stone=0, shares=[0, 100, 0])
    w.order(0, "research", amount=0)  # production 1 takes 2 turns
    w.run(2)
    assert (w.turn, w.nation(0).production, w.nation(0).stone) == (11, 0, 80)
    w.run(1)
    assert (w.turn, w.nation(0).production, w.nation(0).stone) == (12, 1, 80 + 41)


@pytest.mark.rule("TURN-032", "TURN-055", "DIS-012")
def test_what_a_fallen_nation_leaves_behind() -> None:
    w = two_nations()
    w.cell(8, 6, terrain="metropolis", owner=1, population=205)
    w.cell(9, 6, terrain="town", owner=1, population=61)
    w.unit(1, "infantry", 9, 6, strength=40)
    w.ship(1, "destroyer", 10, 10)
    w.ship(1, "merchant", 11, 10)
    w.nation(1, abandoning=1, steel=30, reserves=50, private_food=70, private_funds=900)
    w.phase("nation_update")
    assert w.cell(9, 6).owner == 1  # its land is free after phase 31, not before
    w.phase("abandoned_land")
    metropolis, town, farm = w.cell(8, 6), w.cell(9, 6), w.cell(9, 5)
    assert (metropolis.terrain, metropolis.population, metropolis.owner) == ("town", 102, None)
    assert (town.terrain, town.population, town.owner) == ("town", 30, None)
    assert (farm.terrain, farm.level, farm.owner) == ("farm", 10, None)
    assert not (w.world.units["owner"] == 1).any() and w.world.cells["unit"][6, 9] == -1
    assert not ((w.world.ships["kind"] > 0) & (w.world.ships["owner"] == 1)).any()
    assert w.world.cells["ship"][10, 10] == w.world.cells["ship"][10, 11] == -1
    record = w.world.nations[1]
    assert not record["treasury"].any() and not record["private"].any() and record["reserves"] == 0


@pytest.mark.rule("TURN-044")
def test_all_incomes_come_before_any_plan() -> None:
    w = two_nations()
    for n, x in ((0, 2), (1, 8)):
        w.nation(n, funds=14)  # the farm costs 20: payable only with the tax of 6
        w.order(n, "farm", x, 6)
    w.run(1)
    assert w.cell(2, 6).terrain == w.cell(8, 6).terrain == "farm"


@pytest.mark.rule("TURN-039")
def test_handled_commands_leave_the_queue_for_good() -> None:
    w = two_nations()
    w.order(0, "farm", 2, 6)
    w.order(0, "fundraise")
    w.run(1)
    plan = w.world.plans[0]
    assert w.nation(0).plan_length == 1 and plan["command"][0] == command.FUNDRAISE
    assert plan[1].tobytes() == bytes(plan.dtype.itemsize)


@pytest.mark.rule("TURN-052")
def test_a_nation_that_gives_up_takes_part_until_phase_28() -> None:
    w = two_nations()
    w.order(0, "abandon_nation", amount=999)
    w.run(1)
    assert not w.nation(0).alive and w.world.nations["fell"][0] == w.world.clock["turn"][0]
    assert w.world.accounts[0, cause.TAX, item.FUNDS] == 6  # its income of the turn was booked
    assert w.cell(2, 6).owner is None and w.nation(0).funds == 0


@pytest.mark.rule("TURN-075")
def test_giving_up_needs_its_confirmation() -> None:
    w = two_nations()
    w.order(0, "abandon_nation", amount=998)
    w.run(1)
    assert w.nation(0).alive


@pytest.mark.rule("TURN-058")
def test_every_rule_of_the_turn_has_its_phase() -> None:
    labels = {phase.label for phase in turn.PHASES} | {"0", "static", "event", "index", "20|22|25", "21|24"}
    for rule in ledger().values():
        if rule.area not in {"TURN", "TRPG"}:
            assert rule.phase in labels, rule.id


def test_same_seed_same_turn_bit_for_bit_and_another_seed_differs() -> None:
    w = two_nations()
    other = copy_world(w.world)
    for _ in range(5):
        turn.turn(w.world, w.rules)
        turn.turn(other, w.rules)
    assert state_hash(w.world) == state_hash(other)
    assert chance.roll(w.world, chance.NATION_ORDER, 1, 0, 1 << 30) == chance.roll(
        other, chance.NATION_ORDER, 1, 0, 1 << 30
    )


def test_one_signature_each() -> None:
    """Two signatures would compile a kernel twice; a menu with wide price numbers has its own, rightly."""
    from hakoenv.engine.kernel import compiled_kernels

    w = two_nations()
    w.run(3)
    execute.commit(w.world, w.rules)
    ours = [kernel for kernel in compiled_kernels() if kernel.py_func.__module__.startswith("hakoenv")]
    names = [(f"{kernel.py_func.__module__}.{kernel.py_func.__name__}", kernel.signatures) for kernel in ours]
    plain = {
        name: {tuple(kind for kind in each if not str(kind).startswith("Pieces")) for each in signatures}
        for name, signatures in names
    }
    assert not {name: signatures for name, signatures in plain.items() if len(signatures) > 1}
