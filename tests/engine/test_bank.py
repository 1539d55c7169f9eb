"""The clearing house: no money is made, nothing vanishes, nothing runs out of places."""

import random
from typing import Any

import pytest

from hakoenv.engine import audit, founding, soundness
from hakoenv.engine.codes import cause, item
from hakoenv.engine.trade import window
from hakoenv.engine.world import LOANS, MARKET_TURNS, copy_world
from hakoenv.ruleset import load_ruleset
from hakoenv.ruleset.tables import base
from hakoenv.testing import SmallWorld

QUIET = {"finance.working_capital_min": 0}  # nobody withdraws or borrows unless a test makes it


def put_loan(w: SmallWorld, n: int, principal: int, taken: int, interest: int = 0) -> None:
    """A loan in funds, in the first free place."""
    places = w.world.loans[n]
    loan = places[int((places["principal"] == 0).nonzero()[0][0])]
    loan["principal"], loan["interest"], loan["taken"] = principal * 1000, interest * 1000, taken


def highest(key: str) -> float:
    """The highest value that a constant can be given."""
    limit = base().entries[key].high
    assert limit is not None
    return limit


def house(w: SmallWorld) -> tuple[float, float, float]:
    """Cash on hand, deposit principal and claims, in funds."""
    amounts = (w.world.finance["cash"], w.world.nations["deposit"], w.world.loans["principal"])
    return tuple(int(amount.sum()) / 1000 for amount in amounts)  # type: ignore[return-value]


def money(w: SmallWorld) -> int:
    """The cash of the clearing house and of all private sectors, in thousandths."""
    return int(w.world.finance["cash"][0] + w.world.nations["private"][:, item.FUNDS].sum())


@pytest.mark.rule("FIN-005")
def test_cash_claims_and_debts_are_three_accounts() -> None:
    w = SmallWorld(nations=2, rules={"finance.interest_percent": 0})
    w.nation(0, private_funds=11000)
    w.nation(1, private_funds=1600, private_food=9000, household_sales=[5000])
    w.phase("auto_deposit")
    assert house(w) == (1000, 1000, 0)
    w.phase("turn_state")
    assert house(w) == (600, 1000, 400)
    w.nation(0, private_funds=1700)
    w.phase("turn_state")
    assert house(w) == (300, 700, 400)
    w.world.loans["taken"][1, 0] = w.turn - 20
    w.nation(1, private_funds=100, private_food=0)
    w.phase("turn_state")
    assert house(w) == (400, 700, 300)


def messy_world(seed: int) -> tuple[SmallWorld, random.Random]:
    """Five nations, rich and poor, near their caps and gone, with debts of every age."""
    luck = random.Random(seed)
    w = SmallWorld(nations=5, turn=60, rules={"private.cash_cap": luck.choice([3000, 100000])})
    for n in range(5):
        stocks = {f"private_{name}": luck.choice([0, 3, 700]) for name in ("food", "wood", "goods", "steel")}
        w.nation(n, private_funds=luck.choice([0, 17.123, 1999.999, 2999, 2000]), **stocks)
        w.nation(n, payments=[luck.choice([0, 800.5]) for _ in range(4)])
        w.nation(n, household_sales=[luck.choice([0, 90.25]) for _ in range(10)])
        w.world.nations[n]["deposit"] = luck.choice([0, 1, 333_333, 4_000_001])
        for _ in range(luck.randrange(4)):
            put_loan(w, n, luck.choice([1, 77, 600]), luck.choice([30, 40, 41, 55]), luck.choice([0, 13]))
    w.world.finance["cash"] = luck.choice([0, 90_001, 5_000_000])
    w.world.finance["reserve"] = luck.choice([0, 40_000, 900_000])
    gone = luck.randrange(5)
    w.world.nations[gone]["alive"], w.world.nations[gone]["fell"] = 0, luck.choice([48, 49, 59])
    w.nation(gone, private_funds=0)
    return w, luck


@pytest.mark.rule("FIN-001", "FIN-002", "TURN-072")
@pytest.mark.parametrize("seed", range(12))
def test_no_act_makes_or_loses_money(seed: int) -> None:
    w, luck = messy_world(seed)
    for _ in range(8):
        before, sum_before = copy_world(w.world), money(w)
        for phase in ("clock", "accounts_open", "turn_state"):
            w.phase(phase)
        assert money(w) == sum_before
        for n in range(5):
            if w.nation(n).alive:
                earned = luck.choice([0, 0, 12_345, 9_000_000])
                w.world.nations[n]["private"][item.FUNDS] += earned
                w.world.private_accounts[n, cause.WORLD_SALE, item.FUNDS] += earned
        sum_before = money(w)
        w.phase("auto_deposit")
        assert money(w) == sum_before
        assert audit.faults_of_turn(before, w.world, w.rules) == []
        assert soundness.faults(w.world, w.rules) == []
        w.phase("accounts_close")
    assert w.world.clock["discrepancies"][0] == 0


@pytest.mark.rule("FIN-005", "FIN-008", "FIN-015")
def test_every_move_is_booked_on_both_sides_under_its_cause() -> None:
    w = SmallWorld(nations=4, turn=60)
    w.world.nations["deposit"] = [600_000, 400_000, 0, 0]
    put_loan(w, 2, 100, taken=40, interest=9)
    w.nation(0, private_funds=1990)
    w.nation(1, private_funds=2500)
    w.nation(2, private_funds=100, private_food=500)
    w.nation(3, private_funds=1999, private_food=500, household_sales=[500])
    w.phase("turn_state")
    booked, cash = w.world.private_accounts[:, :, item.FUNDS], w.world.finance_accounts
    moves = {
        cause.INTEREST: {2: -10_000},
        cause.REPAYMENT: {2: -90_000},  # 10 of the principal are paid with food
        cause.DIVIDEND: {0: 3_000, 1: 2_000},
        cause.WITHDRAWAL: {0: 7_000},
        cause.LOAN: {3: 1_000},
    }
    for why, by_nation in moves.items():
        assert booked[:, why].tolist() == [by_nation.get(n, 0) for n in range(4)], cause.NAMES[why]
        assert cash[why] == -sum(by_nation.values()), cause.NAMES[why]
    assert w.world.private_accounts[2, cause.REPAID_IN_KIND].tolist() == [0] * 8 + [-10, 0]
    assert not w.world.accounts[:, cause.REPAID_IN_KIND].any()


@pytest.mark.rule("FIN-019", "FIN-022", "RES-004")
def test_a_payment_without_room_is_not_lost() -> None:
    w = SmallWorld(nations=2, rules={"private.cash_cap": 2400, "finance.working_capital_min": 3000})
    w.world.nations["deposit"][0] = 900_000
    w.world.finance["cash"] = 900_000
    w.nation(0, private_funds=2100)
    w.nation(1, private_funds=2400)
    w.phase("turn_state")
    assert w.nation(0).private_funds == 2400
    assert house(w) == (600, 600, 0)
    assert w.world.private_accounts[0, cause.LOST_OVER_CAP, item.FUNDS] == 0
    assert w.world.finance["queued"][0] == 0  # it did not ask for what it has no room for
    w.nation(0, private_funds=2350)
    w.world.withdrawals[0]["nation"], w.world.withdrawals[0]["amount"] = 0, 120_000
    w.world.finance["queued"] = 1
    w.phase("turn_state")
    assert (w.nation(0).private_funds, house(w)[:2]) == (2400, (550, 550))
    assert (w.world.finance["queued"][0], w.world.withdrawals["amount"][0]) == (1, 70_000)


@pytest.mark.rule("FIN-015", "FIN-016")
def test_a_dividend_without_room_goes_to_the_reserve() -> None:
    w = SmallWorld(nations=2, turn=60, rules={**QUIET, "private.cash_cap": 2400})
    w.world.nations["deposit"][0] = 500_000
    put_loan(w, 1, 100, taken=40, interest=9)
    w.nation(0, private_funds=2399)
    w.nation(1, private_funds=2000)
    w.phase("turn_state")
    assert w.nation(0).private_funds == 2400
    assert (house(w)[0], w.world.finance["reserve"][0]) == (109, 9_000)


@pytest.mark.rule("FIN-007", "FIN-013")
def test_overdue_debts_are_one_so_that_places_suffice() -> None:
    w = SmallWorld(nations=1, turn=60, rules=QUIET)
    for principal, taken, interest in ((10, 40, 1), (20, 38, 2), (30, 39, 3), (40, 41, 0)):
        put_loan(w, 0, principal, taken, interest)
    w.world.loans["fraction"][0, :3] = 60
    w.phase("turn_state")
    overdue, _, _, later = w.world.loans[0][:4]
    # interest 0.1, 0.2 and 0.3 of this turn; of the fractions 180 hundredths of a thousandth are one and 80
    assert overdue[["principal", "interest", "taken", "fraction"]].tolist() == (60_000, 6_601, 38, 80)
    assert later[["principal", "interest", "taken"]].tolist() == (40_000, 400, 41)
    assert (w.world.loans["principal"] > 0).sum() == 2


@pytest.mark.rule("FIN-023", "FIN-007")
def test_a_loan_every_turn_for_the_longest_term() -> None:
    term = highest("finance.term")
    w = SmallWorld(nations=2, turn=60, rules={"finance.term": term, "finance.interest_percent": 0})
    w.world.nations["deposit"][0] = 10**9
    w.world.finance["cash"] = 10**9
    w.nation(0, private_funds=2000)
    for k in range(70):
        w.nation(1, private_funds=1999 if k < 45 else 0, private_food=9000, household_sales=[9999])
        w.world.nations["no_loan_until"][1] = 0
        debt = house(w)[2]
        w.phase("clock")
        w.phase("turn_state")
        assert (w.world.loans["principal"][1] > 0).sum() <= term, k
        assert k >= 30 or house(w)[2] == debt + 1, k
    full = w.world.loans[1]
    full["principal"], full["taken"] = 1000, w.turn
    w.nation(1, private_funds=0)
    w.phase("turn_state")
    assert house(w)[2] == LOANS  # no place, no loan


@pytest.mark.rule("FIN-019", "FIN-022")
def test_a_nation_for_whose_request_there_is_no_place_asks_again() -> None:
    w = SmallWorld(nations=2)
    w.world.nations["deposit"][:] = [50_000, 500_000]
    places = len(w.world.withdrawals)
    w.world.withdrawals["nation"], w.world.withdrawals["amount"] = 1, 1_000
    w.world.finance["queued"] = places
    w.nation(0, private_funds=1990)
    w.nation(1, private_funds=2500)
    w.phase("turn_state")
    assert w.world.finance["queued"][0] == places
    assert not (w.world.withdrawals["nation"] == 0).any()
    w.world.finance["cash"] = 1_500  # one request and a half are paid
    w.phase("turn_state")
    assert w.world.withdrawals["amount"].tolist() == [500, *[1_000] * (places - 2), 10_000]
    assert w.world.withdrawals["nation"].tolist() == [*[1] * (places - 1), 0]


@pytest.mark.rule("FIN-014", "FIN-017")
def test_the_money_step_is_a_constant() -> None:
    rules = {**QUIET, "finance.fraction": 0.1}
    w = SmallWorld(nations=3, turn=60, rules=rules)
    put_loan(w, 1, 14, taken=40)  # 0.14 a turn: 0.1 and 0.04 carried
    w.world.loans["fraction"][1, 0] = 7_000  # 0.07: 0.21 are 0.2
    put_loan(w, 2, 7, taken=59)
    w.world.nations["deposit"] = [1000, 2000, 0]
    w.nation(1, private_funds=100)
    w.phase("turn_state")
    assert w.nation(1).private_funds == 100 - 14.2 + 0  # of 0.1 to share, 0.066 are less than a step
    assert w.world.finance["reserve"][0] == 200
    assert w.world.loans[["interest", "fraction"]][2, 0].tolist() == (0, 7_000)


@pytest.mark.rule("FIN-036", "FIN-020", "FOUND-014")
def test_a_new_nation_on_the_seat_of_a_dead_one_inherits_nothing() -> None:
    w = SmallWorld(9, 9, 2, turn=60)
    for y in range(9):
        for x in range(9):
            w.cell(x, y, terrain="forest" if y else "sea")
    for x in (2, 6):
        w.cell(x, 4, terrain="mountain", deposit="iron")
    for n, deposit, debt in ((0, 600_000, 0), (1, 30_000, 80)):
        w.world.nations["deposit"][n] = deposit
        if debt:
            put_loan(w, n, debt, taken=55)
    w.world.finance["cash"], w.world.finance["reserve"] = 500_000, 45_000
    w.world.finance["queued"] = 1
    w.world.withdrawals[0]["nation"], w.world.withdrawals[0]["amount"] = 1, 30_000
    w.world.nations["alive"][1], w.world.nations["fell"][1] = 0, 58
    before = copy_world(w.world)
    assert founding.found(w.world, w.rules, 1, w.place(4, 4))
    assert audit.faults_between(before, w.world, w.rules) == []
    assert w.nation(1).private_funds == 2000
    assert house(w) == (500, 600, 0)
    assert w.world.finance[["reserve", "uncovered"]][0].tolist() == (0, 5_000)
    w.nation(0, private_funds=2000)
    w.phase("turn_state")
    assert (w.nation(1).private_funds, w.world.finance["queued"][0]) == (2000, 0)


@pytest.mark.rule("FIN-035")
def test_the_constants_are_settings() -> None:
    stated = {
        "interest_percent": 1, "dividend_percent": 50, "loan_percent_of_deposits": 50, "term": 20,
        "writeoff_turns": 12, "auto_deposit_above": 10000, "working_capital_min": 2000,
        "working_capital_turns": 4, "sales_turns": 10, "collateral_percent": 50, "default_ban_turns": 12,
        "fraction": 0.001, "repay_unit": 1,
    }  # fmt: skip
    ruleset = load_ruleset()
    assert {name: ruleset[f"finance.{name}"] for name in stated} == stated


def after(rules: dict[str, Any], **nation: Any) -> SmallWorld:
    """Nation 0 deposits, 1 borrows, 2 repays 100 + interest of 20 turns, 3 is gone for 5 turns."""
    w = SmallWorld(nations=4, turn=60, rules=rules)
    w.world.nations["deposit"] = [4_000_000, 0, 0, 10_000]
    w.world.finance["cash"] = 4_000_000
    w.nation(0, private_funds=2500)
    w.nation(1, **{"private_funds": 500, "private_food": 3000, "household_sales": [150] * 10, **nation})
    w.nation(2, private_funds=2600)
    put_loan(w, 2, 100, taken=50)
    w.world.nations["alive"][3], w.world.nations["fell"][3] = 0, 55
    w.phase("turn_state")
    return w


@pytest.mark.rule("FIN-035")
@pytest.mark.parametrize(
    ("key", "value", "borrowed", "owed"),
    [
        ("finance.interest_percent", 3, 1500, 103),
        ("finance.loan_percent_of_deposits", 10, 301, 101),  # 401 of all deposits, 100 owed
        ("finance.term", 10, 1500, 0),
        ("finance.working_capital_min", 900, 400, 101),
        ("finance.sales_turns", 3, 450, 101),
        ("finance.collateral_percent", 20, 600, 101),
    ],
)
def test_what_another_constant_does(key: str, value: int, borrowed: int, owed: int) -> None:
    w = after({key: value})
    assert w.world.loans["principal"][1].sum() == borrowed * 1000
    assert (w.world.loans["principal"][2] + w.world.loans["interest"][2]).sum() == owed * 1000


@pytest.mark.rule("FIN-035")
def test_what_the_other_constants_do() -> None:
    assert after({}).world.nations["deposit"][3] == 10_000
    assert after({"finance.writeoff_turns": 5}).world.finance["reserve"][0] == 10_000
    busy = {"private_funds": 2000, "payments": [900, 900, 0, 2100]}
    assert after({"finance.working_capital_turns": 1}, **busy).nation(1).private_funds == 2100
    shared = after({"finance.term": 10, "finance.dividend_percent": 100})
    assert shared.world.finance["reserve"][0] == 3  # 997 of 1000 thousandths to 4000 of 4010 deposits
    rules = {"finance.default_ban_turns": 3, "finance.repay_unit": 10, **QUIET}
    w = SmallWorld(nations=1, turn=60, rules=rules)
    put_loan(w, 0, 27, taken=40)
    w.nation(0, private_food=500)
    w.phase("turn_state")
    assert (w.nation(0).private_food, w.nation(0).no_loan_until) == (480, 63)
    w = SmallWorld(nations=1, rules={"finance.auto_deposit_above": 5})
    w.nation(0, private_funds=8)
    w.phase("auto_deposit")
    assert house(w) == (3, 3, 0)


def test_the_sizes_of_the_world_bound_the_constants() -> None:
    assert highest("finance.term") <= LOANS - 2  # a new loan and an overdue debt beside them
    assert highest("finance.sales_turns") < MARKET_TURNS
    assert highest("finance.working_capital_turns") < MARKET_TURNS


def test_portions_of_large_amounts_are_exact() -> None:
    luck = random.Random(1)
    for _ in range(300):
        whole = luck.randrange(1, 2 ** luck.randrange(1, 53))
        part, amount = luck.randrange(whole + 1), luck.randrange(2 ** luck.randrange(1, 53))
        assert window.portion(amount, part, whole) == amount * part // whole


def test_the_largest_numbers_do_not_wrap() -> None:
    rules = {
        "finance.interest_percent": 1000,
        "finance.auto_deposit_above": 0,
        "private.cash_cap": 10_000_000,
    }
    w = SmallWorld(nations=3, turn=60, rules=rules)
    w.world.nations["deposit"] = [window.MOST - 7_000, 0, 0]
    w.world.finance["cash"] = window.MOST - 5_000
    w.world.market["price"] = 10**12
    w.nation(1, private_steel=10**9, household_sales=[10**9] * 10)
    put_loan(w, 2, window.MOST // 4000, taken=60, interest=0)
    w.nation(2, private_funds=10_000_000)
    for _ in range(25):
        w.phase("clock")
        w.phase("turn_state")
        w.phase("auto_deposit")
        assert soundness.faults(w.world, w.rules) == []
    assert w.world.finance["cash"][0] >= window.MOST - 5_000


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [("finance", "queued", 9), ("finance", "cash", -1), ("withdrawals", "nation", 2),
     ("withdrawals", "nation", -1), ("loans", "principal", -1), ("loans", "interest", 2**62),
     ("nations", "deposit", 2**51), ("loans", "principal", 2**51), ("loans", "taken", -1),
     ("nations", "treasury", 2**50), ("nations", "targets", -1), ("nations", "export_caps", 2**62),
     ("nations", "wanted", 2**60), ("nations", "unserved", 2**62), ("nations", "carry", 1000),
     ("nations", "reserves", 2**31 - 1), ("nations", "prices", -1), ("market", "price", -5)],
)  # fmt: skip
def test_a_world_with_impossible_balances_is_refused(array: str, field: str, value: int) -> None:
    w = SmallWorld(nations=2)
    assert soundness.faults(w.world, w.rules) == []
    getattr(w.world, array)[field] = value
    (fault,) = soundness.faults(w.world, w.rules)
    assert fault.startswith(f"{array}.{field} is {value}, outside")
