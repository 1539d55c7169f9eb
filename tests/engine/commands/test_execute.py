"""Plans: order of handling, what uses the turn, what fog hides, what a nation can't do to others."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hakoenv.engine.codes import cause, command, event, item, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.world import PLAN_LENGTH, World, copy_world
from hakoenv.testing import SmallWorld


def own_land(**settings: object) -> SmallWorld:
    """Nation 0 with a town at (3, 4), plains around it and some funds; nation 1 far away."""
    w = SmallWorld(height=9, width=9, nations=2, turn=150, **settings)
    w.cell(3, 4, terrain="town", owner=0, population=60, capital=True)
    w.cell(4, 4, terrain="plains", owner=0)
    w.cell(2, 4, terrain="plains", owner=0)
    w.cell(8, 8, terrain="town", owner=1, population=60, capital=True)
    w.nation(0, funds=1000)
    return w


def reasons(w: SmallWorld, nation: int = 0) -> list[str]:
    return [reason.name(result.reason) for result in plans.results_of(w.world, nation)]


@pytest.mark.rule("CMD-004", "CMD-008", "TURN-015")
def test_results_list_what_was_handled_and_the_idle_fundraise() -> None:
    w = own_land()
    plans.set_plan(w.world, 0, [("reclaim", 4, 4), ("tariff_and_fee", 0, 0, 9, 0)])
    w.phase("plans")
    handled = [(r.command, r.turn) for r in plans.results_of(w.world, 0)]
    assert handled == [(command.RECLAIM, 150), (command.TARIFF_AND_FEE, 150), (command.FUNDRAISE, 150)]
    assert reasons(w) == ["locked", "done", "done"]
    assert w.nation(0).funds == 1010


@pytest.mark.rule("CMD-001", "CMD-008")
def test_a_full_plan_of_refused_commands_still_ends_in_fundraise() -> None:
    w = own_land()
    assert plans.set_plan(w.world, 0, [("reclaim", 4, 4)] * 53) == 3
    w.phase("plans")
    assert reasons(w) == ["locked"] * 50 + ["done"]
    w.phase("commit")
    assert w.nation(0).plan_length == 0


@pytest.mark.rule("TURN-039")
def test_commit_leaves_waiting_commands_in_order_and_zero_bytes_behind_them() -> None:
    w = own_land()
    plans.set_plan(w.world, 0, [("farm", 4, 4), ("farm", 2, 4), ("fundraise",)])
    w.phase("plans")
    w.phase("commit")
    assert [order.command for order in plans.plan_of(w.world, 0)] == [command.FARM, command.FUNDRAISE]
    assert not w.world.plans[0, 2:].tobytes().strip(b"\0")


@pytest.mark.rule("TURN-039")
def test_the_plan_of_a_dead_nation_is_emptied() -> None:
    w = own_land()
    plans.set_plan(w.world, 1, [("fundraise",)] * 3)
    w.world.nations["alive"][1] = 0
    w.phase("commit")
    assert w.nation(1).plan_length == 0
    assert not w.world.plans[1].tobytes().strip(b"\0")


@pytest.mark.rule("TURN-015", "TURN-039")
def test_a_command_is_not_carried_out_twice_in_a_turn() -> None:
    w = own_land()
    plans.set_plan(w.world, 0, [("tariff_and_fee", 0, 0, 9, 0), ("farm", 4, 4)])
    w.phase("plans")
    w.nation(0, tariff=1)
    w.phase("plans")  # as a case file may name it twice: nothing waits, so fundraise
    assert w.nation(0).tariff == 1 and w.cell(4, 4).level == 10


@pytest.mark.rule("CMD-003")
def test_all_commands_but_locked_and_private_ones_are_part_of_the_game() -> None:
    w = own_land()
    rows = w.rules.commands
    closed = [n for n in range(command.LIMIT) if rows[n]["exists"] and not validate.HANDLED[n]]
    assert closed == [command.RECLAIM, command.BANK_DEPOSIT, command.BANK_LOAN]
    plans.set_plan(w.world, 0, [(n, 0, 0, 1, 1) for n in closed])
    w.phase("plans")
    assert reasons(w) == ["locked", "private_only", "private_only", "done"]
    assert w.nation(0).funds == 1010


def hidden_base(w: SmallWorld) -> None:
    w.cell(4, 5, terrain="seabed_base", owner=1)  # beside (4, 4); nation 0 takes it for open sea
    w.nation(0, funds=9000, steel=20)
    plans.set_plan(w.world, 0, [("seabed_base", 4, 5), ("farm", 4, 4)])


@pytest.mark.rule("CMD-005", "MAP-026")
def test_what_a_nation_cannot_see_blocks_its_command_at_the_base_cost() -> None:
    w = own_land()
    hidden_base(w)
    assert validate.is_legal(w.world, w.rules, 0, command.SEABED_BASE, 4, 5, 0, 0)
    w.phase("plans")
    assert reasons(w) == ["blocked"]
    assert w.nation(0).funds == 1000 and w.nation(0).steel == 20  # 8000 funds, no steel; the turn is used
    assert w.cell(4, 5).owner == 1


@pytest.mark.rule("CMD-005")
def test_the_ruleset_can_make_blocked_commands_free() -> None:
    w = own_land(rules={"commands.blocked_uses_turn": 0})
    hidden_base(w)
    w.phase("plans")
    assert reasons(w) == ["blocked", "done"]
    assert w.nation(0).funds == 9000 - 20


@pytest.mark.rule("CMD-005", "MAP-023")
def test_a_refusal_names_only_what_the_nation_could_know() -> None:
    w = own_land()
    w.cell(6, 1, terrain="sea", deposit="oil", richness=300)
    w.ship(0, "merchant", 7, 1)
    w.unit(1, "infantry", 6, 1, strength=10)  # out of sight
    plans.set_plan(w.world, 0, [("mine", 6, 1)])  # 800 funds are there, wood is not
    w.phase("plans")
    assert reasons(w)[0] == "no_materials"
    w.nation(0, wood=10, stone=10)
    plans.set_plan(w.world, 0, [("mine", 6, 1)])
    w.world.clock["turn"] += 1
    w.phase("plans")
    assert reasons(w) == ["blocked"]


@pytest.mark.rule("CMD-009")
@pytest.mark.parametrize("seed", range(4))
def test_a_nation_s_whole_plan_runs_before_the_next_nation_s(seed: int) -> None:
    w = SmallWorld(height=9, width=9, nations=2, seed=seed)
    for n, x in ((0, 3), (1, 5)):  # both touch the wasteland at (4, 4) and at (4, 6)
        w.cell(x, 4, terrain="town", owner=n, population=60, capital=True)
        w.cell(x, 6, terrain="plains", owner=n)
        w.nation(n, funds=200)
    for y in (4, 6):
        w.cell(4, y, terrain="wasteland")
    plans.set_plan(w.world, 0, [("level_land", 4, 4), ("level_land", 4, 6)])
    plans.set_plan(w.world, 1, [("level_land", 4, 6), ("level_land", 4, 4)])
    w.phase("plans")
    first = int(w.world.order[0])
    assert reasons(w, first) == ["done", "done", "done"]  # the last is the idle fundraise
    assert reasons(w, 1 - first) == ["foreign_cell", "foreign_cell", "done"]
    assert (w.cell(4, 4).owner, w.cell(4, 6).owner) == (first, first)


@pytest.mark.rule("CMD-009", "TURN-044")
def test_the_income_of_the_turn_pays_for_its_plan() -> None:
    w = own_land()
    w.cell(3, 4, population=58)
    w.nation(0, funds=15, food=500)
    plans.set_plan(w.world, 0, [("farm", 4, 4)])  # 15 + floor(58 x 0.1) = 20
    w.run(1)
    assert w.cell(4, 4).terrain == "farm"


@pytest.mark.rule("SEASON-001")
def test_one_cell_named_by_two_nations_is_the_same_cell() -> None:
    w = SmallWorld(height=9, width=9, nations=2)
    for n, x in ((0, 3), (1, 5)):
        w.cell(x, 4, terrain="town", owner=n, population=60, capital=True)
        w.nation(n, funds=200)
        plans.set_plan(w.world, n, [("depot", 4, 4)])  # both plans stand before the turn
    w.cell(4, 4, terrain="plains")
    w.phase("plans")
    first = int(w.world.order[0])
    assert (reasons(w, first), reasons(w, 1 - first)) == (["done"], ["foreign_cell", "done"])
    assert w.cell(4, 4).owner == first


BESIDE = [
    ("prepare_land", 0, "forest"), ("level_land", 0, "forest"), ("dig", 0, "plains"),
    ("plant_forest", 0, "plains"), ("farm", 0, "plains"), ("factory", 0, "plains"), ("mine", 0, "mountain"),
    ("missile_base", 0, "plains"), ("defense_facility", 0, "plains"), ("seabed_base", 0, "sea"),
    ("monument", 1, "plains"), ("depot", 0, "plains"), ("economic_facility", 0, "plains"),
    ("economic_facility", 1, "plains"), ("economic_facility", 2, "plains"),
    ("economic_facility", 3, "plains"),
    ("warehouse", 0, "plains"), ("lighthouse", 0, "plains"), ("urban_build", 0, "plains"),
    ("urban_build", 2, "sea"), ("fish_farm", 0, "shallows"), ("breakwater", 0, "shallows"),
    ("survey", 0, "wasteland"),
]  # fmt: skip


@pytest.mark.rule("CMD-011", "MAP-034")
@pytest.mark.parametrize(("name", "amount", "ground"), BESIDE)
def test_works_on_ownerless_cells_need_own_land_beside_them(name: str, amount: int, ground: str) -> None:
    w = SmallWorld(height=9, width=9, nations=1)
    w.cell(0, 0, terrain="town", owner=0, population=60, capital=True)
    w.nation(0, funds=20_000, wood=100, stone=100, goods=100, steel=100)
    w.cell(4, 4, terrain=ground, **({"deposit": "coal", "richness": 60} if name == "mine" else {}))
    w.ship(0, "destroyer", 3, 4)  # no territory
    plans.set_plan(w.world, 0, [(name, 4, 4, amount)])
    w.phase("plans")
    assert reasons(w)[0] == "not_adjacent"
    w.cell(5, 4, terrain="plains", owner=0)
    w.world.clock["turn"] += 1
    plans.set_plan(w.world, 0, [(name, 4, 4, amount)])
    w.phase("plans")
    assert reasons(w)[0] == "done"


@pytest.mark.rule("MAP-030", "TURN-005")
def test_tunnels_stay_unlocked_when_land_is_abandoned_later() -> None:
    w = own_land()  # 4 cells of land, none ownerless
    for x, y in ((4, 4), (4, 3), (5, 4)):
        w.cell(x, y, terrain="mountain", owner=0)
    w.phase("unlock_check")
    w.cell(2, 4, owner=None)  # 1 of 6
    w.phase("unlock_check")
    plans.set_plan(w.world, 0, [("tunnel", 4, 4)])
    w.phase("plans")
    assert reasons(w) == ["done"]


@pytest.mark.rule("MAP-025", "CMD-050")
def test_hidden_sites_are_no_public_event() -> None:
    w = own_land()
    plans.set_plan(w.world, 0, [("depot", 4, 4)])
    w.phase("plans")
    assert w.world.clock[0]["event_kinds"][event.FACILITY_BUILT] == 0
    plans.set_plan(w.world, 0, [("economic_facility", 2, 4, 2)])
    w.world.clock["turn"] += 1
    w.phase("plans")
    assert w.world.clock[0]["event_kinds"][event.FACILITY_BUILT] == 1


@pytest.mark.rule("SURVEY-003", "SURVEY-007")
def test_surveys_find_at_their_chance_and_again_on_later_turns() -> None:
    """10% of 2,000 draws: outside 140..260 (4.5 standard deviations) less than once in 100,000 seeds."""
    w = SmallWorld(height=9, width=9, nations=1)
    for y in range(9):
        for x in range(9):
            w.cell(x, y, terrain="plains", owner=0)
    w.cell(4, 4, terrain="wasteland", owner=0)
    w.nation(0, funds=10_000)
    found = 0
    for turn in range(1, 2001):
        w.world.clock["turn"] = turn
        w.world.cells["deposit"][4, 4] = 0
        w.world.nations["treasury"][0, item.FUNDS] = 100
        plans.set_plan(w.world, 0, [("survey", 4, 4)])
        execute.run_plan(w.world, w.rules, 0)
        found += int(w.world.cells["deposit"][4, 4] > 0)
    assert 140 <= found <= 260


@pytest.mark.rule("IND-001", "IND-002", "CMD-034")
def test_policies_cost_25_and_are_ordered_once() -> None:
    w = own_land()
    w.nation(0, production=3)
    plans.set_plan(w.world, 0, [("industrial_policy", 0, 0, amount) for amount in (0, 1, 0, 1, 3)])
    w.phase("plans")
    # 0 is in force until the next turn, 1 is ordered
    assert reasons(w) == ["already_so", "done", "already_so", "already_so", "bad_amount", "done"]
    assert w.nation(0).funds == 1000 - 25 + 10
    assert w.world.nations[0]["policy"] == 0 and w.world.nations[0]["policy_next"] == 1


@pytest.mark.rule("MAP-030", "CMD-018")
def test_masks_of_tunnels_go_by_the_last_census() -> None:
    w = own_land()
    mountains = ((4, 4), (4, 3), (5, 4))
    for x, y in mountains:
        w.cell(x, y, terrain="mountain", owner=0)

    def legal(all_land: int, ownerless: int) -> bool:
        w.world.clock["all_land"], w.world.clock["ownerless_land"] = all_land, ownerless
        return bool(validate.is_legal(w.world, w.rules, 0, command.TUNNEL, 4, 4, 0, 0))

    assert w.world.clock["tunnels_unlocked"][0] == 0
    assert [legal(700, 36), legal(700, 35)] == [False, True]  # phase 4 of the coming turn will unlock them
    w.world.clock["tunnels_unlocked"] = 1
    assert legal(700, 40)  # unlocked for good


@pytest.mark.rule("CMD-007")
def test_masks_know_the_price_of_the_coming_turn() -> None:
    w = own_land()
    w.nation(0, funds=99)  # a factory costs 50 up to turn 100, then 100
    found = []
    for turn in (99, 100):  # the turn last played
        w.world.clock["turn"] = turn
        found.append(bool(validate.is_legal(w.world, w.rules, 0, command.FACTORY, 4, 4, 0, 0)))
    assert found == [True, False]


@pytest.mark.rule("CMD-051", "TURN-064", "CMD-050")
def test_masks_look_at_the_coming_turn() -> None:
    w = own_land()
    w.nation(0, production=0)
    legal = validate.is_legal
    record = w.world.nations[0]
    record["research_branch"], record["research_done_turn"] = 0, 151
    assert legal(w.world, w.rules, 0, command.RESEARCH, 0, 0, 0, 0)  # done in phase 5 of turn 151
    assert legal(w.world, w.rules, 0, command.INDUSTRIAL_POLICY, 0, 0, 1, 0)  # production 1 by then
    w.nation(0, funds=999)
    assert not legal(w.world, w.rules, 0, command.RESEARCH, 0, 0, 0, 0)  # level 2 costs 1000
    record["research_done_turn"] = 152
    w.nation(0, funds=9999)
    assert not legal(w.world, w.rules, 0, command.RESEARCH, 0, 0, 0, 0)
    w.world.nations["levelled"][0] = 3  # of this turn
    w.cell(4, 4, terrain="forest", owner=0)
    assert legal(w.world, w.rules, 0, command.LEVEL_LAND, 4, 4, 0, 0)


@pytest.mark.rule("CMD-005")
def test_payments_are_booked_as_the_command_s_cost() -> None:
    w = own_land()
    plans.set_plan(w.world, 0, [("research", 0, 0, 1)])
    w.phase("accounts_open")
    w.phase("plans")
    assert w.world.accounts[0, cause.RESEARCH, item.FUNDS] == -500
    plans.set_plan(w.world, 0, [("farm", 4, 4)])
    w.world.clock["turn"] += 1
    w.phase("plans")
    assert w.world.accounts[0, cause.COMMAND_COST, item.FUNDS] == -20


@pytest.mark.rule("CMD-049", "LIMIT-016")
def test_settings_toward_others_stand_on_the_own_side_only() -> None:
    w = own_land()
    orders = [("port_policy", 0, 0, 1, 1), ("tariff_and_fee", 0, 0, 12, 1), ("tariff_and_fee", 0, 0, 1004, 1)]
    orders += [("embargo", 0, 0, 1, 1), ("good_terms", 0, 0, 1, 1), ("good_terms", 0, 0, 1, 0)]
    plans.set_plan(w.world, 0, orders)
    other = w.world.relations[1, 0].tobytes()
    w.phase("plans")
    side = w.world.relations[0, 1]
    assert (side["port_policy"], side["tariff"], side["transit_fee"]) == (1, 12, 4)
    assert (side["embargo"], side["good_terms"]) == (1, 1)
    assert reasons(w)[5] == "bad_target"
    assert w.world.relations[1, 0].tobytes() == other


@pytest.mark.rule("CMD-005", "CMD-049")
def test_nothing_is_set_toward_a_fallen_nation() -> None:
    w = own_land()
    w.world.nations["alive"][1] = 0
    orders = [(name, 0, 0, 1, 1) for name in ("port_policy", "tariff_and_fee", "embargo", "good_terms")]
    plans.set_plan(w.world, 0, orders)
    w.phase("plans")
    assert reasons(w) == ["bad_target"] * 4 + ["done"]


@pytest.mark.rule("CMD-050")
def test_land_can_be_levelled_three_times_in_every_turn() -> None:
    w = own_land()
    w.nation(0, food=500)
    for turn in range(2):
        places = [(3 + turn, 3), (3 + turn, 5), (4 + turn, 6)]
        for x, y in places:
            w.cell(x, y, terrain="farm", owner=0, level=10)
        plans.set_plan(w.world, 0, [("level_land", x, y) for x, y in places])
        w.run(1)
        assert reasons(w) == ["done"] * 4  # the last is the idle fundraise


NUMBERS = st.one_of(
    st.integers(-2, 12),
    st.sampled_from([-(2**63), 2**63 - 1, 2**62, 10**9, -(10**9), 2**31, -(2**31), 99, 999, 60_030, 1_003]),
)
COMMANDS = st.one_of(st.integers(-2, 140), st.sampled_from([10**9, -(10**9), 2**70, -(2**70)]))
BETWEEN_NATIONS = (command.CEDE_LAND, command.DECLARE_WAR, command.CEASEFIRE, command.AMITY)
ORDERS = st.lists(st.tuples(COMMANDS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=60)
TERRAINS = [
    "plains", "wasteland", "forest", "mountain", "farm", "factory", "town", "port", "shallows", "sea",
    "coal_mine", "iron_mine", "market", "warehouse", "power_plant", "depot", "missile_base", "fish_farm",
    "large_farm",
]  # fmt: skip
DEPOSITS = {"mountain": "iron", "sea": "oil", "wasteland": "oil"}


def mixed_world(seed: int) -> SmallWorld:
    """Three nations on a mixed map; nation 1 is the one that orders nonsense, 2 lies far from it."""
    w = SmallWorld(height=9, width=12, nations=3, seed=seed, turn=40)
    draw = np.random.default_rng(seed)
    for y in range(9):
        for x in range(12):
            owner = min(x // 4, 2)
            kind = TERRAINS[int(draw.integers(len(TERRAINS)))]
            some = (
                {"deposit": DEPOSITS[kind], "richness": 50} if kind in DEPOSITS and draw.integers(2) else {}
            )
            if kind == "town":
                some["population"] = 20
            w.cell(x, y, terrain=kind, owner=owner if draw.integers(4) else None, **some)
    for n in range(3):
        w.cell(4 * n + 1, 4, terrain="town", owner=n, population=60, capital=True)
        w.nation(n, funds=3000, wood=100, stone=100, goods=20, steel=20)
    w.unit(0, "infantry", 3, 3, strength=20)
    w.phase("accounts_open")
    return w


def bytes_of(world: World, nation: int) -> list[bytes]:
    """All that belongs to a nation itself: its record, plan, results, accounts and side of relations."""
    tables = (world.nations, world.plans, world.results, world.accounts, world.relations)
    return [np.ascontiguousarray(table[nation]).tobytes() for table in tables]


@pytest.mark.rule("CMD-003", "CMD-005", "TURN-015", "TURN-038")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(orders=ORDERS, seed=st.integers(0, 3))
def test_any_orders_leave_others_alone(orders: list[tuple[int, ...]], seed: int) -> None:
    orders = [order for order in orders if order[0] not in BETWEEN_NATIONS]
    w = mixed_world(seed)
    before = copy_world(w.world)
    plans.set_plan(w.world, 1, orders)
    for _ in range(3):
        execute.run_plan(w.world, w.rules, 1)
        execute.commit(w.world, w.rules)
        w.world.clock["turn"] += 1
    after = w.world
    for n in (0, 2):
        assert bytes_of(after, n) == bytes_of(before, n)
    foreign = (before.cells["owner"] >= 0) & (before.cells["owner"] != 1)
    changed = after.cells != before.cells
    takeable = np.isin(before.cells["terrain"], [5, 6, 9, 10])  # wasteland, plains, farm, factory: AI-044
    assert not (changed & foreign & ~takeable).any()
    assert (after.cells["owner"][changed & foreign] == 1).all()
    assert after.units.tobytes() == before.units.tobytes() and after.ships.tobytes() == before.ships.tobytes()
    w.phase("accounts_close")
    assert after.clock[0]["discrepancies"] == 0
    assert (after.nations["treasury"] >= 0).all()
    handled = {result.reason for result in plans.results_of(after, 1)}
    assert handled <= set(reason.SENTENCES) - {reason.WAITING}
    assert int(after.nations["plan_length"][1]) <= PLAN_LENGTH


@pytest.mark.rule("CMD-005")
def test_whatever_the_mask_lets_in_is_carried_out_or_blocked() -> None:
    """By brute force over every built command, every cell and the amounts near their choices."""
    w = mixed_world(1)
    width, height = 12, 9
    turn = int(w.world.clock["turn"][0])
    tried = 0
    for number in np.flatnonzero(validate.HANDLED == validate.OF_CELL):
        for amount in (0, 1, 3, 4, 10):
            for y in range(height):
                for x in range(0, width, 2):
                    if not validate.is_legal(w.world, w.rules, 1, int(number), x, y, amount, 0):
                        continue
                    tried += 1
                    world = copy_world(w.world)
                    plans.set_plan(world, 1, [(int(number), x, y, amount, 0)])
                    world.clock["turn"] = turn + 1
                    execute.run_plan(world, w.rules, 1)
                    assert plans.results_of(world, 1)[0].reason in {reason.DONE, reason.BLOCKED}
    assert tried > 100
