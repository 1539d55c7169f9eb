"""The section `finance` of cases: two spellings of one world; what can't be is refused by name."""

from typing import Any

import numpy as np
import pytest

from hakoenv.testing import CaseError, SmallWorld, run_case

BY_KIND: dict[str, Any] = {
    "cash": 300.5, "reserve": 5, "uncovered": 7, "deposits": {"0": 1000, "1": 900.25},
    "loans": [{"nation": 2, "principal": 80, "interest": 0.125, "taken": 41}],
    "queue": [[1, 250], [0, 20]],
}  # fmt: skip
BY_ACCOUNT: dict[str, Any] = {
    "cash": 300.5, "reserve": 5, "uncovered_loss": 7,
    "accounts": [
        {"nation": 0, "deposit": 1000, "payments": [1, 2, 3, 4], "household_sales": [7]},
        {"nation": 1, "deposit": 900.25, "banned_until": 62},
        {"nation": 2, "extinct_since": 50},
    ],
    "loans": [{"nation": 2, "principal": 80, "interest": 0.125, "taken": 41}],
    "queue": [{"nation": 1, "amount": 250}, {"nation": 0, "amount": 20}],
}  # fmt: skip
EXPECTED: list[dict[str, Any]] = [
    {"finance": True, "cash": 300.5, "reserve": 5, "uncovered": 7, "uncovered_loss": 7},
    {"finance": True, "deposits": 1900.25, "loans": 80, "queue": 270},
    {"finance": True, "deposits": {"1": 900.25, "0": 1000}, "queue": [[1, 250], [0, 20]]},
    {"finance": True, "loans": [{"nation": 2, "principal": 80, "interest": 0.125, "taken": 41}]},
    {
        "finance": True,
        "queue": [{"nation": 1, "amount": 250}, {"amount": 20}],
        "cash": {"min": 300, "max": 301},
    },
    {"finance": {"nation": 1}, "deposit": 900.25, "queued": 250, "principal": 0, "interest": 0},
    {"finance": {"nation": 2}, "deposit": 0, "principal": 80, "interest": 0.125},
]


def case(finance: Any, expect: list[dict[str, Any]] | None = None, **parts: Any) -> dict[str, Any]:
    world = {"nations": 3, "turn": 60, "finance": finance}
    wanted = EXPECTED if expect is None else expect
    return {"id": "f", "world": world, "run": {"none": True}, "expect": wanted, **parts}


@pytest.mark.parametrize("finance", [BY_KIND, BY_ACCOUNT])
def test_both_spellings_are_read_back_in_either(finance: dict[str, Any]) -> None:
    assert run_case(case(finance)) == []


def test_accounts_hold_more() -> None:
    w = SmallWorld.from_case(case(BY_ACCOUNT))
    assert (w.nation(1).no_loan_until, w.nation(2).alive, w.nation(2).fell) == (62, False, 50)
    assert w.nation(0).payments == [1, 2, 3, 4]
    assert run_case(case(BY_ACCOUNT, [{"finance": {"nation": 1}, "banned_until": 62}])) == []
    assert run_case(case(BY_KIND, [{"finance": {"nation": 1}, "banned_until": None}])) == []


def test_the_last_turn_is_the_one_before_what_runs() -> None:
    """A run of whole turns begins with the next: what was paid last was paid in `turn`."""
    for run, last in (({"none": True}, 59), ({"phases": ["turn_state"]}, 59), ({"turns": 1}, 60),
                      ({"phases": ["clock", "turn_state"]}, 60)):  # fmt: skip
        w = SmallWorld.from_case(case(BY_ACCOUNT, run=run))
        assert np.flatnonzero(w.world.nations["household_sales"][0]).tolist() == [last % 12], run


@pytest.mark.parametrize(
    ("finance", "words"),
    [
        ({"csh": 5}, 'finance: unknown key "csh"'),
        ([], "finance is not an object"),
        ({"cash": -1}, '"cash": -1000 is not between'),
        ({"cash": 0.0001}, "more than three decimals"),
        ({"deposits": {"7": 5}}, "unknown nation 7"),
        ({"deposits": [5]}, "deposits is not an object"),
        ({"accounts": [{"deposit": 5}]}, '"nation" is missing'),
        ({"accounts": [{"nation": 0, "debt": 5}]}, 'unknown key "debt"'),
        ({"loans": [{"nation": 0}]}, '"principal" is missing'),
        ({"loans": [{"nation": 0, "principal": 1}] * 33}, "more than 32 loans"),
        ({"loans": [{"nation": 0, "principal": 1, "taken": 1.5}]}, "1.5 is not a whole number"),
        ({"queue": [[0, 1]] * 13}, "more than 12 requests"),
        ({"queue": [[0]]}, "not a list of two numbers"),
    ],
)
def test_what_cant_be_is_refused(finance: Any, words: str) -> None:
    with pytest.raises(CaseError) as caught:
        SmallWorld.from_case(case(finance))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"finance": True, "gold": 1}, 'unknown field "gold"'),
        ({"finance": {"nation": 0}, "cash": 1}, 'unknown field "cash"'),
        ({"finance": False, "cash": 1}, "finance is not an object"),
        ({"finance": True, "queue": [[1, 250]]}, "queue is [[1, 250], [0, 20]], expected [[1, 250]]"),
        ({"finance": True, "deposits": {"0": 999}}, "deposits is"),
        ({"finance": True, "loans": []}, "expected []"),
    ],
)
def test_what_does_not_hold_is_said(entry: dict[str, Any], words: str) -> None:
    (failure,) = run_case(case(BY_KIND, [entry]))
    assert words in failure
