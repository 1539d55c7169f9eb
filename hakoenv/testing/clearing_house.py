"""The section `finance` of a case and the entries that read it back (FIN-005).

There are two spellings: deposits as a map, queue as pairs; or accounts by nation, and totals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.testing import fields, names
from hakoenv.testing.entries import mapping, only, pair_of, take
from hakoenv.testing.errors import CaseError
from hakoenv.testing.nation_fields import NATIONS

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_TOTALS = {"cash": "cash", "reserve": "reserve", "uncovered": "uncovered", "uncovered_loss": "uncovered"}


def add(small: SmallWorld, entry: dict[str, Any]) -> None:
    """Write the section into the World.

    Raises:
        CaseError: an unknown key or nation, an impossible amount, or more than there is room for.
    """
    only(entry, (*_TOTALS, *_WRITERS))
    for key, column in _TOTALS.items():
        if key in entry:
            small.world.finance[0][column] = _amount(key, entry[key])
    for key, write in _WRITERS.items():
        if key in entry:
            write(small, entry[key])


def read(small: SmallWorld, name: str, wanted: Any) -> Any:
    """A figure of the clearing house in the form in which it is wanted: a total, a map or a list.

    Raises:
        CaseError: there is no such figure.
    """
    if name in _TOTALS:
        return fields.decimal(small.world.finance[0][_TOTALS[name]])
    if name == "deposits":
        deposits = {str(n): account(small, n)["deposit"] for n in range(small.nations)}
        by_nation = isinstance(wanted, Mapping) and any(str(key).isdecimal() for key in wanted)
        return deposits if by_nation else _sum(deposits.values())
    if name == "loans":
        loans = _loans(small)
        return loans if isinstance(wanted, list) else _sum(loan["principal"] for loan in loans)
    if name == "queue":
        pairs = _queue(small)
        if not isinstance(wanted, list):
            return _sum(amount for _, amount in pairs)
        as_objects = any(isinstance(request, Mapping) for request in wanted)
        return [{"nation": n, "amount": amount} for n, amount in pairs] if as_objects else pairs
    raise CaseError(f'unknown field "{name}"; {names.nearest(name, FIGURES)}')


FIGURES = (*_TOTALS, "deposits", "loans", "queue")


def account(small: SmallWorld, nation: int) -> dict[str, Any]:
    """One nation's figures: `deposit`, `queued`, `principal`, `interest`, `banned_until` (None: no ban)."""
    own = [loan for loan in _loans(small) if loan["nation"] == nation]
    return {
        "deposit": fields.decimal(small.world.nations[nation]["deposit"]),
        "queued": _sum(amount for n, amount in _queue(small) if n == nation),
        "principal": _sum(loan["principal"] for loan in own),
        "interest": _sum(loan["interest"] for loan in own),
        "banned_until": int(small.world.nations[nation]["no_loan_until"]) or None,
    }


def _sum(amounts: Any) -> int | float:
    """A sum of amounts with three decimals, without the noise of binary fractions."""
    return fields.decimal(sum(fields.thousandths(amount) for amount in amounts))


def _loans(small: SmallWorld) -> list[dict[str, Any]]:
    """The loans by nation, the oldest first."""
    found = [
        {
            "nation": n,
            "principal": fields.decimal(loan["principal"]),
            "interest": fields.decimal(loan["interest"]),
            "taken": int(loan["taken"]),
        }
        for n in range(small.nations)
        for loan in small.world.loans[n]
        if loan["principal"] > 0
    ]
    return sorted(found, key=lambda loan: (loan["nation"], loan["taken"]))


def _queue(small: SmallWorld) -> list[list[Any]]:
    count = int(small.world.finance[0]["queued"])
    return [
        [int(request["nation"]), fields.decimal(request["amount"])]
        for request in small.world.withdrawals[:count]
    ]


def _amount(name: str, value: Any) -> int:
    try:
        return fields.amount(value)
    except CaseError as error:
        raise CaseError(f'"{name}": {error}') from None


def _turn(name: str, value: Any) -> int:
    try:
        return fields.whole(value, -(2**31), 2**31 - 1)
    except CaseError as error:
        raise CaseError(f'"{name}": {error}') from None


def _add_deposits(small: SmallWorld, value: Any) -> None:
    for number, deposit in mapping(value, "deposits").items():
        seat = small.seat(int(number) if str(number).isdecimal() else number)
        small.world.nations[seat]["deposit"] = _amount("deposits", deposit)


def _add_accounts(small: SmallWorld, value: Any) -> None:
    for entry in fields.listed(value, "accounts"):
        (nation,), rest = take(mapping(entry, "an account"), ("nation",))
        only(rest, ("deposit", "payments", "household_sales", "banned_until", "extinct_since"))
        seat = small.seat(nation)
        record = small.world.nations[seat]
        if "deposit" in rest:
            record["deposit"] = _amount("deposit", rest["deposit"])
        for name in ("payments", "household_sales"):
            if name in rest:
                NATIONS.write(small, seat, name, rest[name])
        if rest.get("banned_until") is not None:
            record["no_loan_until"] = _turn("banned_until", rest["banned_until"])
        if rest.get("extinct_since") is not None:
            record["alive"], record["fell"] = 0, _turn("extinct_since", rest["extinct_since"])


def _add_loans(small: SmallWorld, value: Any) -> None:
    for entry in fields.listed(value, "loans"):
        (nation, principal), rest = take(mapping(entry, "a loan"), ("nation", "principal"))
        only(rest, ("interest", "taken"))
        places = small.world.loans[small.seat(nation)]
        free = (places["principal"] == 0).nonzero()[0]
        if len(free) == 0:
            raise CaseError(f"nation {nation} has more than {len(places)} loans")
        loan = places[int(free[0])]
        loan["principal"] = _amount("principal", principal)
        loan["interest"] = _amount("interest", rest.get("interest", 0))
        loan["taken"] = _turn("taken", rest.get("taken", small.turn))


def _add_queue(small: SmallWorld, value: Any) -> None:
    requests = fields.listed(value, "requests")
    if len(requests) > len(small.world.withdrawals):
        raise CaseError(f'"queue" has more than {len(small.world.withdrawals)} requests')
    for place, entry in enumerate(requests):
        if isinstance(entry, Mapping):
            pair, rest = take(entry, ("nation", "amount"))
            only(rest, ())
        else:
            pair = list(pair_of(entry))
        small.world.withdrawals[place]["nation"] = small.seat(pair[0])
        small.world.withdrawals[place]["amount"] = _amount("amount", pair[1])
    small.world.finance[0]["queued"] = len(requests)


_WRITERS: dict[str, Callable[[SmallWorld, Any], None]] = {
    "deposits": _add_deposits,
    "accounts": _add_accounts,
    "loans": _add_loans,
    "queue": _add_queue,
}
