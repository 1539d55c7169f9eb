"""Masks of deals against what happens, and what other nations can't find out by asking."""

from __future__ import annotations

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import command, reason
from hakoenv.engine.commands import execute, plans, table, validate
from hakoenv.engine.shipping import harbours
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld

NATIONS = 5
DEALS = (92, 93, 94, 95, 96, 123, 124)


def crowd(seed: int) -> SmallWorld:
    """Neighbours in a row with ports, in all relations, with lots, offers and a random treasury each."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(7, 12, NATIONS, turn=40, seed=seed, rules={"fundraise.income": 0})
    for n in range(NATIONS):
        w.cell(1 + 2 * n, 2, terrain="town", owner=n, population=50, capital=True)
        w.cell(2 + 2 * n, 2, terrain="plains", owner=n)
        if rng.integers(4):
            w.cell(1 + 2 * n, 3, terrain="port", owner=n, level=1)
        w.world.nations["treasury"][n] = rng.integers(0, 200, 10)
        w.nation(n, port_policy=("open", "open", "friends", "closed")[rng.integers(4)],
                 founded=int(rng.choice([0, 24, 25, 26])))  # fmt: skip
    w.relation(0, 1, state="war", declarer=1)
    w.relation(1, 2, state="amity")
    w.relation(2, 3, embargo=[3])
    w.relation(3, 4, gate_closed=[4])
    for number in range(1, 8):
        bidder = int(rng.integers(NATIONS))
        seller = (bidder + 1 + int(rng.integers(NATIONS - 1))) % NATIONS
        price = int(rng.integers(1, 150))
        w.auction(number, seller, "steel", 5, price, 45, bid=price, bidder=bidder)
    for number in range(1, 8):
        seller, buyer = (int(n) for n in rng.permutation(NATIONS)[:2])
        accepted = 38 if rng.integers(3) == 0 else None
        w.shipment(number, seller, buyer, "steel", 5, 10, (1 + 2 * buyer, 3), int(rng.integers(28, 41)),
                   interval=1, revision=int(rng.integers(1, 3)), accepted=accepted)  # fmt: skip
    side = w.world.relations
    for _ in range(12):
        a, b = rng.permutation(NATIONS)[:2]
        side["swap_until"][a, b] = rng.integers(38, 52)
        side["swap_give"][a, b], side["swap_want"][a, b] = rng.integers(0, 10, 2)
        side["swap_given"][a, b], side["swap_wanted"][a, b] = rng.integers(0, 150, 2)
    w.phase("shipping_open")
    return w


def asked(rng: np.random.Generator) -> tuple[int, int, int, int, int]:
    """A deal as somebody might order it."""
    number = int(rng.choice(DEALS))
    target = int(rng.integers(-1, NATIONS + 1))
    x, y, amount = int(rng.integers(-1, 11)), int(rng.integers(-1, 11)), int(rng.integers(-2, 250))
    if number == command.AUCTION_BID:
        target = int(rng.integers(0, 10))
    elif number == command.AUCTION_LIST:
        y, target = int(rng.integers(0, 27)), int(rng.integers(0, 5))
    elif number == command.REGULAR_OFFER:
        x, y = 1 + 2 * int(rng.integers(NATIONS)), 3
        amount = int(rng.integers(0, 10)) * 10**11 + int(rng.integers(0, 400)) * 10**7 + amount * 1000 + 9
    elif number == command.REGULAR_ACCEPT:
        amount = int(rng.integers(0, 10)) * 100 + int(rng.integers(0, 4))
    elif number == command.REGULAR_WITHDRAW:
        amount = int(rng.integers(0, 10))
    elif number == command.EXCHANGE and rng.integers(3) == 0:
        amount = int(rng.integers(0, 400)) * 10**4 + int(rng.integers(0, 400))
    elif number == command.EXCHANGE:
        amount = int(rng.integers(-2, 1))
    return number, x, y, amount, target


@pytest.mark.rule("CMD-005", "CMD-024", "CMD-025", "CMD-032", "CMD-047", "CMD-048")
@pytest.mark.parametrize("seed", range(6))
def test_masks_of_deals_say_what_the_coming_turn_accepts(seed: int) -> None:
    """Alone in its turn a deal does as its mask; only what the other side of an exchange lacks is unknown.

    A deal that is refused or blocked takes nothing and uses no turn.
    """
    rng = np.random.default_rng(1000 + seed)
    w = crowd(seed)
    territory.index(w.world, w.rules)
    orders = [(int(rng.integers(NATIONS)), asked(rng)) for _ in range(500)]
    masks = [validate.is_legal(w.world, w.rules, n, *order) for n, order in orders]
    w.world.clock[0]["turn"] = 41
    harbours.enlist(w.world)
    done = set()
    for (n, order), legal in zip(orders, masks, strict=True):
        world = copy_world(w.world)
        plans.set_plan(world, n, [order])
        execute.run_plan(world, w.rules, n)
        why = plans.results_of(world, n)[0].reason
        assert legal == (why in (reason.DONE, reason.BLOCKED)), (n, order, reason.name(why))
        assert why != reason.BLOCKED or (order[0], order[3]) == (command.EXCHANGE, 0)
        if why == reason.DONE:
            done.add(order[0])
        else:
            for name in ("lots", "promises", "transports", "relations"):
                assert getattr(world, name).tobytes() == getattr(w.world, name).tobytes(), (n, order)
            assert (world.nations["treasury"] == w.world.nations["treasury"]).all()
    assert len(done) >= 4


@pytest.mark.rule("CMD-047")
def test_an_exchange_does_not_tell_what_the_other_has() -> None:
    """Two worlds that differ in the other's treasury alone have the same masks."""
    w = crowd(1)
    territory.index(w.world, w.rules)
    rng = np.random.default_rng(7)
    rich = copy_world(w.world)
    rich.nations["treasury"][1:] = 10**6
    for _ in range(400):
        order = asked(rng)
        one = validate.is_legal(w.world, w.rules, 0, *order)
        assert one == validate.is_legal(rich, w.rules, 0, *order), order


@pytest.mark.rule("CMD-005", "CMD-003")
def test_any_numbers_may_be_given() -> None:
    w = crowd(2)
    territory.index(w.world, w.rules)
    odd = (-(2**62), -1, 0, 1, 10**12, 2**62, 2**63 - 1)
    for number in DEALS:
        for k, amount in enumerate(odd):
            for target in (-(2**31), -1, 0, 3, 2**31 - 1):
                x, y = odd[k - 1], odd[k - 2]
                validate.check(w.world, w.rules, -1, 0, 41, number, x, y, amount, target)


@pytest.mark.rule("AUC-018", "AUC-019", "CMD-024", "CMD-025", "CMD-032", "CMD-047", "CMD-048")
def test_how_deals_are_packed() -> None:
    """As the command table says; a verb and its numbers give the fields, and the fields the verb."""
    verbs = table.by_name()
    for name, nation, cell, values, fields in (
        ("auction_list", None, None, (3, 6, 200, 1500), (92, 3, 6, 200, 1500)),
        ("auction_bid", None, None, (17, 1575), (93, 0, 0, 1575, 17)),
        ("regular_offer", 2, (5, 3), (7, 10, 150, 50), (94, 5, 3, 700100150050, 2)),
        ("regular_accept", None, None, (1202,), (95, 0, 0, 1202, 0)),
        ("regular_withdraw", None, None, (12,), (96, 0, 0, 12, 0)),
        ("national_aid", 7, None, (8, 500), (123, 8, 0, 500, 7)),
        ("exchange:offer", 2, None, (7, 100, 4, 60), (124, 7, 4, 1000060, 2)),
        ("exchange:accept", 2, None, (), (124, 0, 0, 0, 2)),
        ("exchange:withdraw", 2, None, (), (124, 0, 0, -1, 2)),
    ):
        assert tuple(table.pack(verbs[name], cell, nation, values)) == fields
        meaning = table.unpack(*fields)
        assert meaning is not None and (meaning.verb.name, meaning.values) == (name, values)
