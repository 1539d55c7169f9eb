"""The audit: it passes a clean season and names every change that has no entry."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hakoenv.cli import main
from hakoenv.engine import audit
from hakoenv.engine.audit import Audit, AuditError
from hakoenv.engine.codes import cause, item
from hakoenv.engine.season import Season
from hakoenv.engine.turn import turn
from hakoenv.engine.world import World, copy_world, state_hash
from hakoenv.testing import SmallWorld

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
    faults = audit.faults_of_turn(before, w.world)
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
    checked = Audit(world)
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
