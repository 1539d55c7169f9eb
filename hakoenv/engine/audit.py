"""A second pair of eyes on the books: every change of a stock must have its entry (TURN-004, TURN-038).

Independent of the kernels: it compares the worlds before and after a turn, in Python. What it finds are
faults of the engine or changes from outside, never a player's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import audit_transit, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.world import World, assign_world, copy_world
from hakoenv.ruleset.codes import ITEM_NAMES
from hakoenv.ruleset.compiled import Rules

_SHOWN = 3  # faults told in one error
_TRANSFERS = [cause.DEPOSIT, cause.WITHDRAWAL, cause.LOAN, cause.REPAYMENT, cause.INTEREST, cause.DIVIDEND]
"""Causes under which money passes between private sectors and the clearing house (FIN-002)."""


class AuditError(Exception):
    """The books do not add up; the message names turn, nation, item, what was expected and what was found."""


class Audit:
    """Follows the books of a season, over every turn and between turns.

    Attributes:
        turns: how many turns were found in order.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        """Take the world as it stands for right."""
        self.turns = 0
        self._rules = rules
        self._last = copy_world(world)

    def accept(self, world: World) -> None:
        """Take the world as it stands for right: a turn is over, or another state was loaded."""
        assign_world(self._last, world)

    def check_opening(self, world: World) -> None:
        """Compare the world before a turn with the last closing, and go on from it.

        Raises:
            AuditError: something was changed since without an entry.
        """
        _refuse(
            faults_between(self._last, world, self._rules),
            f"between turns {_turn(world)} and {_turn(world) + 1}",
        )
        self.accept(world)

    def check_turn(self, world: World) -> None:
        """Compare the world after a turn with its opening and its entries.

        Raises:
            AuditError: opening and entries of an item do not make its closing, or the clearing house or the
                goods on the way have what neither payments nor entries explain.
        """
        _refuse(faults_of_turn(self._last, world, self._rules), f"turn {_turn(world)}")
        self.turns += 1


def faults_of_turn(before: World, after: World, rules: Rules) -> list[str]:
    """What does not add up from the world before a turn to the world after it, one phrase each."""
    found: list[str] = []
    entries: list[NDArray[Any]] = []
    for then, now in zip(_books(before), _books(after), strict=True):
        opening = now.entries[:, cause.OPENING]
        found += _differences(now, then.stock, opening, "was noted at the opening as")
        changes = now.entries.copy()
        changes[:, cause.OPENING] = 0
        found += _differences(now, then.stock + changes.sum(axis=1), now.stock)
        entries.append(changes)
    return found + list(_faults_of_rest(before, after, entries, rules))


def faults_between(closed: World, now: World, rules: Rules) -> list[str]:
    """What was changed without an entry since a closing, one phrase each; a founding has entries."""
    found: list[str] = []
    entries: list[NDArray[Any]] = []
    for then, book in zip(_books(closed), _books(now), strict=True):
        added = book.entries - then.entries
        found += _differences(book, then.stock + added.sum(axis=1), book.stock)
        entries.append(added)
    return found + list(_faults_of_rest(closed, now, entries, rules))


def _faults_of_rest(before: World, after: World, entries: list[NDArray[Any]], rules: Rules) -> Iterator[str]:
    """What follows from the entries beside the stocks: the clearing house, and goods on the way."""
    yield from _faults_of_house(before, after, entries[_PRIVATE], entries[_HOUSE].reshape(-1))
    yield from audit_transit.faults(before, after, entries[_TREASURY], entries[_PRIVATE], rules)


class _Book(NamedTuple):
    """Stocks and their entries: a row a holder, a column an item."""

    name: str
    stock: NDArray[Any]
    entries: NDArray[Any]  # holder, cause, item


_TREASURY, _PRIVATE, _HOUSE = 0, 1, 2


def _books(world: World) -> tuple[_Book, _Book, _Book]:
    return (
        _Book("treasury", np.asarray(world.nations["treasury"]), world.accounts),
        _Book("private sector", np.asarray(world.nations["private"]), world.private_accounts),
        _Book(
            "clearing house",
            np.asarray(world.finance["cash"]).reshape(1, 1),
            world.finance_accounts.reshape(1, -1, 1),
        ),
    )


def _differences(book: _Book, expected: NDArray[Any], found: NDArray[Any], verb: str = "is") -> Iterator[str]:
    for holder, column in np.argwhere(expected != found).tolist():
        money = book.name != "treasury" and (book.name == "clearing house" or column == item.FUNDS)
        right, wrong = (_shown(array[holder, column], money) for array in (expected, found))
        if book.name == "clearing house":
            what = "the cash of the clearing house"
        else:
            what = f"{ITEM_NAMES[column]} in the {book.name} of nation {holder}"
        yield f"{what} {verb} {wrong}, expected {right}"


def _faults_of_house(before: World, after: World, private: NDArray[Any], cash: NDArray[Any]) -> Iterator[str]:
    """Whether the accounts of the clearing house follow from its payments (FIN-002, FIN-005).

    Args:
        before: the world that the entries start from.
        after: the world that they should lead to.
        private: entries of the private sectors in between, by nation, cause and item.
        cash: entries of the cash on hand, by cause.
    """
    funds = private[:, :, item.FUNDS]
    yield from _faults_of_transfers(funds, cash)
    then, now = _House.of(before), _House.of(after)
    settled = then.gone & (then.stake > 0) & (now.stake == 0)
    deposit = then.deposit - funds[:, cause.DEPOSIT] - funds[:, cause.WITHDRAWAL]
    principal = then.principal + funds[:, cause.LOAN] + funds[:, cause.REPAYMENT]
    in_kind: NDArray[Any] = np.any(private[:, cause.REPAID_IN_KIND, : item.FUNDS] != 0, axis=1)
    for n in range(len(deposit)):
        if now.deposit[n] != deposit[n] and not settled[n]:
            yield _said(f"the deposit of nation {n}", deposit[n], now.deposit[n])
        paid_in_kind = in_kind[n] and now.principal[n] <= principal[n]
        if now.principal[n] != principal[n] and not settled[n] and not paid_in_kind:
            yield _said(f"the principal owed by nation {n}", principal[n], now.principal[n])
        if now.queued[n] > now.deposit[n]:
            yield f"nation {n} waits for {_shown(now.queued[n])} of a deposit of {_shown(now.deposit[n])}"
    estates = int((then.deposit - then.debt)[settled].sum())
    net = then.net_reserve + int(cash[cause.INTEREST] + cash[cause.DIVIDEND]) + estates
    if now.net_reserve != net:
        yield _said("the reserve less the uncovered losses", net, now.net_reserve)
    for name, value in now.least.items():
        if value < 0:
            yield f"{name} is {_shown(value)}, below 0"


def _faults_of_transfers(funds: NDArray[Any], cash: NDArray[Any]) -> Iterator[str]:
    """Whether what the clearing house paid came to private sectors, and the other way round (FIN-002)."""
    for why in np.flatnonzero(cash).tolist():
        if why not in _TRANSFERS:
            yield f"the cash of the clearing house was changed under {cause.NAMES.get(why, why)!r}"
    for why in _TRANSFERS:
        if funds[:, why].sum() + cash[why] != 0:
            yield (
                f"under {cause.NAMES[why]!r} private sectors booked {_shown(funds[:, why].sum())} and the "
                f"clearing house {_shown(cash[why])}, which do not cancel"
            )


class _House(NamedTuple):
    """The accounts of the clearing house, by nation where they are."""

    gone: NDArray[Any]  # nation fallen or never founded
    deposit: NDArray[Any]
    principal: NDArray[Any]
    debt: NDArray[Any]  # principal and interest
    stake: NDArray[Any]  # deposit and debt
    queued: NDArray[Any]
    net_reserve: int  # less the uncovered losses
    least: dict[str, int]  # what must not be below 0

    @classmethod
    def of(cls, world: World) -> _House:
        nations, loans, house = world.nations, world.loans, world.finance
        requests = world.withdrawals[: int(house["queued"][0])]
        debt = (loans["principal"] + loans["interest"]).sum(axis=1)
        queued = np.zeros(len(nations), np.int64)
        np.add.at(queued, requests["nation"], requests["amount"])
        accounts = ("cash", "reserve", "uncovered")
        least = {f"{name} of the clearing house": int(house[name][0]) for name in accounts}
        least["a deposit"] = int(nations["deposit"].min())
        least["the principal of a loan"] = int(loans["principal"].min())
        least["the interest of a loan"] = int(loans["interest"].min())
        return cls(
            gone=nations["alive"] == 0,
            deposit=nations["deposit"].copy(),
            principal=loans["principal"].sum(axis=1),
            debt=debt,
            stake=nations["deposit"] + debt,
            queued=queued,
            net_reserve=int(house["reserve"][0]) - int(house["uncovered"][0]),
            least=least,
        )


def _said(what: str, expected: int, found: int) -> str:
    return f"{what} is {_shown(found)}, expected {_shown(expected)}"


def _shown(value: int, thousandths: bool = True) -> str:
    """A number, or thousandths of funds as funds."""
    if not thousandths:
        return str(int(value))
    return f"{int(value) / stock.THOUSANDTHS:.3f}".rstrip("0").rstrip(".")


def _turn(world: World) -> int:
    return int(world.clock["turn"][0])


def _refuse(faults: list[str], when: str) -> None:
    if faults:
        more = f" (and {len(faults) - _SHOWN} more)" if len(faults) > _SHOWN else ""
        raise AuditError(f"the books do not add up, {when}: {'; '.join(faults[:_SHOWN])}{more}")
