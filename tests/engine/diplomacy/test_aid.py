"""National aid in goods and funds (CMD-032, AID-006, AID-007, LIMIT-006, LIMIT-012)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import validate
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give

STEEL, FOOD, FUNDS, RESERVES = 7, 8, 9, 10


def neighbours(nations: int = 3, turn: int = 40) -> SmallWorld:
    """Nations in a row whose lands touch, rich in everything."""
    w = SmallWorld(9, 12, nations, turn=turn, rules={"fundraise.income": 0})
    for n in range(nations):
        w.cell(2 + n, 4, terrain="town", owner=n, population=50, capital=True)
        w.world.nations["treasury"][n] = 5000
    return w


def aid(what: int, quantity: int, to: int = 1) -> tuple[Any, ...]:
    return ("national_aid", what, 0, quantity, to)


@pytest.mark.rule("CMD-032", "AID-021", "AID-019", "MER-017", "NAVY-048")
def test_aid_leaves_with_the_plan_and_travels_in_the_transport_phase() -> None:
    """Free but for the freight, no turn, no tariff."""
    w = neighbours()
    w.nation(1, tariff=50, food=0)
    assert give(w, 0, aid(FOOD, 200), ("port_policy", 0, 0, 2, 0)) == ["done", "done"]
    assert (w.nation(0).food, w.nation(1).food, w.nation(0).funds) == (4800, 0, 5000)
    w.phase("diplomatic_transport")
    assert (w.nation(1).food, w.nation(1).funds, w.nation(0).funds) == (200, 5000, 5000)


@pytest.mark.rule("AID-007", "LIMIT-012", "CMD-032")
@pytest.mark.parametrize(("what", "cap"), [(0, 128), (4, 128), (STEEL, 128), (FOOD, 3000), (FUNDS, 1000)])
def test_more_than_the_cap_is_cut_and_the_cap_holds_for_the_turn(what: int, cap: int) -> None:
    """Over all receivers and item by item; the next turn has its own."""
    w = neighbours()
    other = (what + 1) % 8
    orders = aid(what, cap + 400), aid(other, 5), aid(what, 1)
    assert give(w, 0, *orders) == ["done", "done", "once_a_turn"]
    assert int(w.world.nations["treasury"][0][what]) == 5000 - cap
    assert give(w, 1, aid(what, cap - 10, 0), aid(what, 400, 2), aid(what, 1, 0)) == [
        "done",
        "done",
        "once_a_turn",
    ]
    assert int(w.world.nations["treasury"][1][what]) == 5000 - cap
    sent = [
        (int(t["receiver"]), int(t["quantity"]))
        for t in w.world.transports
        if t["what"] == what and t["kind"]
    ]
    assert sent == [(1, cap), (0, cap - 10), (2, 10)]
    assert validate.is_legal(w.world, w.rules, 0, number.NATIONAL_AID, what, 0, 1, 1)


@pytest.mark.rule("CMD-032", "AID-007")
def test_what_is_sent_must_be_there() -> None:
    """Only the part that is sent: of 400 ordered 128 are."""
    w = neighbours()
    w.nation(0, steel=127, funds=999)
    assert give(w, 0, aid(STEEL, 400), aid(FUNDS, 2000)) == ["no_materials", "no_funds"]
    assert give(w, 0, aid(STEEL, 127), aid(FUNDS, 999)) == ["done", "done"]
    assert (w.nation(0).steel, w.nation(0).funds) == (0, 0)


@pytest.mark.rule("CMD-032", "AID-003", "AID-004")
@pytest.mark.parametrize(
    ("order", "why"),
    [
        (aid(-1, 5), "bad_item"),
        (aid(11, 5), "bad_item"),
        (aid(RESERVES, 5), "not_a_mate"),
        (aid(STEEL, 0), "bad_amount"),
        (aid(STEEL, -5), "bad_amount"),
        (aid(STEEL, 2**62), "done"),
        (aid(STEEL, 5, 0), "bad_target"),
        (aid(STEEL, 5, 3), "bad_target"),
        (aid(STEEL, 5, -1), "bad_target"),
        (aid(STEEL, 5, 2), "no_way"),  # no land border, no ports
    ],
)
def test_what_can_be_sent_to_whom(order: tuple[Any, ...], why: str) -> None:
    assert give(neighbours(), 0, order) == [why]


@pytest.mark.rule("CMD-032", "AID-018")
@pytest.mark.parametrize("what", ["war", "pending", "embargo", "own embargo", "gate", "ports", "own ports"])
def test_aid_needs_a_way_and_no_quarrel(what: str) -> None:
    """Both have a port, too: a closed gate leaves the sea, as long as the receiver's ports are open."""
    w = neighbours(2)
    w.cell(2, 5, terrain="port", owner=0, level=1)
    w.cell(4, 5, terrain="port", owner=1, level=1)
    if what == "war":
        w.war(1, 0)
    elif what == "pending":
        w.relation(0, 1, state="pending", declarer=0, turns_left=3)
    elif what in ("embargo", "own embargo"):
        w.relation(0, 1, embargo=[int(what == "embargo")])
    else:
        w.relation(0, 1, gate_closed=[1])
    if what == "ports":
        w.nation(1, port_policy="closed")
    elif what == "own ports":
        w.nation(0, port_policy="closed")
    why = {
        "war": "at_war",
        "pending": "at_war",
        "embargo": "no_deals",
        "own embargo": "no_deals",
        "ports": "no_way",
    }
    assert give(w, 0, aid(STEEL, 5)) == [why.get(what, "done")]


@pytest.mark.rule("AID-006", "LIMIT-006", "LIMIT-001")
@pytest.mark.parametrize(("founded", "ok"), [(26, False), (25, True), (39, False)])
def test_a_young_nation_gives_no_aid_but_may_receive_it(founded: int, ok: bool) -> None:
    """On turn 40: founded on 26 it is 14 turns old, on 25 it is 15."""
    w = neighbours()
    w.nation(0, founded=founded)
    orders = [aid(what, 5) for what in (STEEL, FOOD, FUNDS)]
    assert give(w, 0, *orders) == ["done" if ok else "too_young"] * 3
    assert give(w, 1, aid(STEEL, 5, 0)) == ["done"]


@pytest.mark.rule("AID-020", "MER-058")
def test_pirates_take_half_of_aid_for_good_and_no_money() -> None:
    """40 steel: 20 are lost, 20 sail on; 500 funds all sail on."""
    w = SmallWorld(9, 27, 2, turn=40, rules={"pirate.raid_percent": 100})
    for n, town, port in ((0, 1, 2), (1, 25, 24)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=n, level=1)
    for y, cargo in ((4, {"item": "steel", "quantity": 40}), (6, {"item": "funds", "quantity": 500})):
        w.ship(0, "merchant", 12, y, home=[2, 4], job="sailing", destination=[24, 4],
               cargo=[{**cargo, "kind": "aid", "from": 0, "to": 1}])  # fmt: skip
        w.ship(None, "pirate", 13, y)
    w.phase("cruise_and_raids")
    assert w.record("ship", 0).cargo == {"steel": 20} and w.record("ship", 2).cargo == {"funds": 500}
    assert (w.nation(0).steel, w.nation(1).steel) == (0, 0)
