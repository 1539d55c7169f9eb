"""The audit: it passes a clean season and names every change that has no entry."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hakoenv.cli import main
from hakoenv.engine import audit, audit_transit, stock
from hakoenv.engine.audit import Audit, AuditError
from hakoenv.engine.codes import cause, item, parcel
from hakoenv.engine.season import Season
from hakoenv.engine.turn import turn
from hakoenv.engine.world import World, copy_world, state_hash
from hakoenv.testing import SmallWorld, names

TURN = "hakoenv.engine.season.turn"  # as the driver calls it
Tamper = Callable[[World], None]


def audited(turns: int = 1, **arguments: Any) -> Season:
    season = Season.new("duel", seed=4, agents="idle", audit=True, **arguments)
    season.run(until=turns)
    return season


def take_fuel(world: World) -> None:
    world.nations["treasury"][1, item.FUEL] -= 7


def pocket_money(world: World) -> None:
    world.nations["private"][0, item.FUNDS] += 5_500


def print_money(world: World) -> None:
    world.finance["cash"] += 1_000


def credit_nobody(world: World) -> None:
    world.nations["deposit"][1] += 250_000


def forgive(world: World) -> None:
    world.loans["principal"][0, 0] = 0


def lend_by_hand(world: World) -> None:
    world.loans["principal"][0, 0] += 90_000


def raise_reserve(world: World) -> None:
    world.finance["reserve"] += 1


def overdraw(world: World) -> None:
    world.finance["queued"] = 1
    world.withdrawals["amount"][0] = 10**9


UNBOOKED = [
    (take_fuel, "fuel in the treasury of nation 1 is "),
    (pocket_money, "funds in the private sector of nation 0 is "),
    (print_money, "the cash of the clearing house is 101, expected 100"),
    (credit_nobody, "the deposit of nation 1 is 350, expected 100"),
    (forgive, "the principal owed by nation 0 is 0, expected 40"),
    (lend_by_hand, "the principal owed by nation 0 is 130, expected 40"),
    (raise_reserve, "the reserve less the uncovered losses is 0.001, expected 0"),
    (overdraw, "nation 0 waits for 1000000 of a deposit of 0"),
]


def with_balances() -> Season:
    """A season in its second turn with a deposit of 100 and a loan of 40 that nobody touches."""
    season = audited(rules={"finance.working_capital_min": 0})
    world = season.world
    world.finance["cash"] = 100_000
    world.nations["deposit"] = [0, 100_000]
    world.loans["principal"][0, 0], world.loans["taken"][0, 0] = 40_000, 1
    assert season.audit is not None
    season.audit.accept(world)
    return season


@pytest.mark.parametrize(("tamper", "words"), UNBOOKED)
def test_a_change_between_turns_is_found_and_named(tamper: Tamper, words: str) -> None:
    season = with_balances()
    tamper(season.world)
    changed = season.state_hash()
    for _ in range(2):  # it stays a fault
        with pytest.raises(AuditError) as caught:
            season.play_turn()
        assert f"between turns 1 and 2: {words}" in str(caught.value)
    assert season.state_hash() == changed


@pytest.mark.rule("TURN-004", "TURN-038", "FIN-002", "FIN-005")
@pytest.mark.parametrize(("tamper", "words"), UNBOOKED)
def test_a_change_within_a_turn_is_found_and_the_turn_taken_back(
    tamper: Tamper, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = with_balances()
    before = season.state_hash()

    def faulty(world: World, rules: Any) -> None:
        turn(world, rules)
        tamper(world)

    with monkeypatch.context() as broken:
        broken.setattr(TURN, faulty)
        with pytest.raises(AuditError) as caught:
            season.play_turn()
    assert f"do not add up, turn 2: {words}" in str(caught.value)
    assert (season.state_hash(), season.turn) == (before, 1)
    season.play_turn()
    assert season.audit is not None
    assert season.audit.turns == 2


def test_expected_and_found_are_in_the_message() -> None:
    season = audited()
    had = int(season.world.nations["treasury"][1, item.FUEL])
    take_fuel(season.world)
    pocket_money(season.world)
    with pytest.raises(AuditError) as caught:
        season.play_turn()
    assert f"fuel in the treasury of nation 1 is {had - 7}, expected {had}; funds in the " in str(
        caught.value
    )


def test_an_entry_without_a_change_is_a_fault_too(monkeypatch: pytest.MonkeyPatch) -> None:
    season = audited()

    def faulty(world: World, rules: Any) -> None:
        turn(world, rules)
        world.accounts[0, cause.REFUND, item.WOOD] += 3
        world.accounts[1, cause.OPENING, item.STONE] += 2
        world.accounts[1, cause.REFUND, item.STONE] -= 2

    monkeypatch.setattr(TURN, faulty)
    with pytest.raises(AuditError, match="stone in the treasury of nation 1 was noted at the opening as 52"):
        season.play_turn()


def test_payments_must_cancel_and_come_from_known_causes() -> None:
    w = SmallWorld(nations=2)
    w.phase("accounts_open")
    before = copy_world(w.world)
    w.world.finance["cash"] += 3_000
    w.world.finance_accounts[cause.INTEREST] += 2_000
    w.world.finance_accounts[cause.TAX] += 1_000
    faults = audit.faults_of_turn(before, w.world, w.rules)
    assert "the cash of the clearing house was changed under 'tax'" in faults
    assert "under 'interest' private sectors booked 0 and the clearing house 2, which do not cancel" in faults


def test_the_kernels_own_count_finds_the_same() -> None:
    w = SmallWorld(nations=2)
    for tamper in (take_fuel, pocket_money, print_money):
        w.phase("accounts_open")
        tamper(w.world)
        w.phase("accounts_close")
    assert w.world.clock["discrepancies"][0] == 3


def test_a_loaded_or_restored_season_starts_new_books(tmp_path: Path) -> None:
    season = audited(3)
    snapshot = season.snapshot()
    season.save(tmp_path / "a.save")
    season.run(until=5)
    season.restore(snapshot)
    season.run(until=5)
    assert season.audit is not None
    assert season.audit.turns == 7
    again, _ = Season.load(tmp_path / "a.save", audit=True)
    again.run(until=5)
    assert again.state_hash() == season.state_hash()
    assert Season.load(tmp_path / "a.save")[0].audit is None


def test_an_audit_changes_nothing() -> None:
    plain = Season.new("duel", seed=4, agents="idle")
    plain.run(until=3)
    assert plain.state_hash() == audited(3).state_hash()
    world = plain.world
    checked = Audit(world, plain.rules)
    before = state_hash(world)
    checked.check_opening(world)
    assert state_hash(world) == before


def test_hakoenv_season_audits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hakoenv.cli.warm.ensure", lambda: None)
    monkeypatch.setattr("hakoenv.engine.warm._announced", True)
    arguments = ["season", "--scenario", "duel", "--agents", "idle", "--turns", "2", "--audit"]
    shown = CliRunner().invoke(main, [*arguments, "--save", str(tmp_path / "a.save")])
    assert shown.exit_code == 0, shown.output
    assert "the books of 2 turns add up" in shown.stderr
    assert "--resume" in shown.stderr
    assert "--audit" in shown.stderr
    assert '"audited_turns": 2' in CliRunner().invoke(main, [*arguments, "--json"]).stdout

    def faulty(world: World, rules: Any) -> None:
        turn(world, rules)
        take_fuel(world)

    monkeypatch.setattr(TURN, faulty)
    failed = CliRunner().invoke(main, arguments)
    assert failed.exit_code == 1
    assert "--audit: the books do not add up, turn 1: fuel in the treasury of nation 1" in failed.stderr


def under_way() -> SmallWorld:
    """Steel sold for 20.5 and a tariff of 1 a unit, a lot with a bid of 105, and a transport of 30 funds.

    In no stock are 30 + 8 steel and 12 + 4 fuel; money: 30 x 21.5 with the steel, 105 + 11 with the bid,
    90 + 7 with the sold lot and the 30 sent, 888 in all.
    """
    w = SmallWorld(nations=2)
    w.cell(3, 3, terrain="port", owner=0, level=1)
    w.auction(1, 0, "fuel", 12, 50, 110, bid=105, bidder=1)
    w.auction(2, 0, "steel", 9, 50, 90, bid=90, bidder=1, state="sold", freight=7, lost=1)
    w.transport("aid", 0, 1, "funds", 30)
    w.bonded((3, 3), 1, "fuel", 4)
    sold = {"item": "steel", "quantity": 30, "kind": "trade", "to": 1, "price": 20.5, "tariff": 1}
    w.ship(0, "merchant", 4, 3, home=(3, 3), cargo=[sold])
    w.phase("accounts_open")
    return w


def test_goods_in_no_stock_are_counted_wherever_they_are() -> None:
    w = under_way()
    held = audit_transit.goods(w.world)
    assert {names.ITEMS.name(what): int(held[what]) for what in np.flatnonzero(held).tolist()} == {
        "steel": 38, "fuel": 16, "funds": 30,
    }  # fmt: skip
    assert audit_transit.money(w.world, w.rules) == 888_000
    assert audit.faults_of_turn(copy_world(w.world), w.world, w.rules) == []


def lose_cargo(world: World) -> None:
    world.parcels["quantity"][world.parcels["state"] == parcel.ABOARD] -= 3


def forget_bid(world: World) -> None:
    world.lots["bid"][0] = world.lots["bidder"][0] = 0


def raise_freight(world: World) -> None:
    world.transports["freight"] += 5 * (world.transports["kind"] == parcel.AUCTION)


def find_fuel(world: World) -> None:
    world.lots["quantity"][0] += 1


@pytest.mark.rule("MER-073", "AUC-001", "AUC-002")
@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        # 3 steel less, and 3 x 21.5 held for them
        (lose_cargo, ["steel in no stock is 35, expected 38", "money in no stock is 823.5, expected 888"]),
        (forget_bid, ["money in no stock is 772, expected 888"]),
        (raise_freight, ["money in no stock is 893, expected 888"]),
        (find_fuel, ["fuel in no stock is 17, expected 16"]),
    ],
)
def test_what_is_lost_or_found_on_the_way_must_be_noted(tamper: Tamper, words: list[str]) -> None:
    w = under_way()
    before = copy_world(w.world)
    tamper(w.world)
    assert audit.faults_of_turn(before, w.world, w.rules) == words
    assert audit.faults_between(before, w.world, w.rules) == words


def test_what_vanishes_on_the_way_and_is_noted_adds_up() -> None:
    w = under_way()
    before = copy_world(w.world)
    lose_cargo(w.world)
    stock.vanish(w.world, item.STEEL, 3)
    w.world.nations["private"][1, item.FUNDS] += 64_500
    w.world.private_accounts[1, cause.RETURNED, item.FUNDS] += 64_500
    w.world.transports["waiting"][w.world.transports["what"] == item.FUNDS] -= 2
    stock.vanish(w.world, item.FUNDS, 2)
    w.world.lots["quantity"][0] += 5
    stock.appear(w.world, item.FUEL, 5)
    assert audit.faults_of_turn(before, w.world, w.rules) == []
    w.phase("accounts_open")  # a new turn starts at nothing
    assert not w.world.transit.any()


def test_goods_that_leave_a_stock_for_the_way_add_up() -> None:
    """Listed: 6 of 10 oil and no money. Landed: 3 steel, 60 + 1.5 to the seller, 3 to the treasury."""
    w = under_way()
    w.nation(0, oil=10)
    w.phase("accounts_open")
    before = copy_world(w.world)
    stock.take(w.world, 0, item.OIL, 6, cause.AUCTION)
    w.auction(3, 0, "oil", 6, 10, 110)
    assert audit.faults_of_turn(before, w.world, w.rules) == []
    lose_cargo(w.world)
    stock.private_gain(w.world, w.rules, 1, item.STEEL, 3, cause.TRADE)
    stock.private_gain(w.world, w.rules, 0, item.FUNDS, 61_500, cause.TRADE)
    stock.credit(w.world, w.rules, 1, 3_000, cause.TARIFF)
    assert audit.faults_of_turn(before, w.world, w.rules) == []
    stock.credit(w.world, w.rules, 1, 250, cause.TARIFF)  # nobody paid that
    assert audit.faults_of_turn(before, w.world, w.rules) == ["money in no stock is 823.5, expected 823.25"]


@pytest.mark.rule("MER-063", "IND-047")
def test_taxes_that_are_carried_add_up() -> None:
    """Goods for 1 fund each at a tax of 50%: half funds are carried until they make one."""
    w = SmallWorld(nations=2, rules={"market.sales_tax_percent": 50})
    w.cell(3, 3, terrain="town", owner=0, population=200, capital=True)
    w.nation(0, private_food=500)
    for _ in range(3):
        before = copy_world(w.world)
        w.run(1)
        assert audit.faults_of_turn(before, w.world, w.rules) == []
    assert w.world.nations["household_sales"][0].any()
