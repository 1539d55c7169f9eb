"""Deals at random for many turns: nothing comes from nowhere, nothing is forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import audit
from hakoenv.engine import turn as turns
from hakoenv.engine.codes import event, item, lot
from hakoenv.engine.commands import plans
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld

NATIONS = 4


def islands(seed: int) -> SmallWorld:
    """Four nations with ports and a merchant each, 0 and 1 by land, too; 2 is an AI, a pirate cruises."""
    w = SmallWorld(12, 20, NATIONS, turn=0, seed=seed, rules={
        "pirate.raid_percent": 25, "pirate.sink_percent": 10, "diplomacy.founding_lock": 0,
    })  # fmt: skip
    rng = np.random.default_rng(seed)
    for n in range(NATIONS):
        x = 2 + 4 * n
        w.cell(x, 5, terrain="town", owner=n, population=100, capital=True)
        w.cell(x + 1, 5, terrain="port", owner=n, level=1)
        w.ship(n, "merchant", x + 1, 4, home=[x + 1, 5])
        w.world.nations["treasury"][n] = rng.integers(500, 1500, item.COUNT)
        w.world.nations["private"][n][item.FUNDS] = 5_000_000
        w.world.nations["targets"][n] = rng.integers(0, 1500, item.FUNDS)
    for x in (3, 4, 5):
        w.cell(x, 6, terrain="plains", owner=0)
    w.nation(2, controller="rule_ai")
    w.ship(None, "pirate", 12, 9)
    return w


def deal(w: SmallWorld, rng: np.random.Generator) -> tuple[Any, ...]:
    """Some deal that might be possible."""
    what, to, quantity = int(rng.integers(item.FUNDS)), int(rng.integers(NATIONS)), int(rng.integers(1, 200))
    kind = rng.choice(["list", "bid", "offer", "accept", "withdraw", "aid", "swap", "take", "gate", "ports"])
    open_lots = w.world.lots[w.world.lots["state"] == lot.OPEN]
    offers = w.world.promises[(w.world.promises["number"] > 0) & (w.world.promises["accepted"] == 0)]
    if kind == "list" or (kind == "bid" and not len(open_lots)):
        return "auction_list", what, int(rng.integers(3, 6)), quantity, int(rng.integers(1, 300))
    if kind == "bid":
        wanted = open_lots[rng.integers(len(open_lots))]
        return (
            "auction_bid",
            0,
            0,
            int(max(wanted["min_price"], wanted["bid"] * 1.06 + 1)),
            int(wanted["number"]),
        )
    if kind == "offer" or (kind in ("accept", "withdraw") and not len(offers)):
        terms = what * 10**11 + quantity * 10**7 + int(rng.integers(1, 300)) * 1000 + 200
        return "regular_offer", 3 + 4 * to, 5, terms, to
    if kind in ("accept", "withdraw"):
        made = offers[rng.integers(len(offers))]
        number = int(made["number"])
        taken = number * 100 + int(made["revision"])
        return (f"regular_{kind}", 0, 0, taken if kind == "accept" else number, 0)
    if kind == "aid":
        return "national_aid", int(rng.integers(item.COUNT)), 0, quantity, to
    if kind == "swap":
        return "exchange", what, int(rng.integers(item.COUNT)), quantity * 10**4 + int(rng.integers(200)), to
    if kind == "take":
        return "exchange", 0, 0, int(rng.integers(-1, 1)), to
    if kind == "gate":
        return "land_gate", 0, 0, int(rng.integers(2)), to
    return "port_policy", 0, 0, int(rng.choice([0, 1, 2, 2, 2])), to


@pytest.mark.rule("TURN-038", "MER-017", "AUC-001")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_the_books_hold_whatever_nations_agree(seed: int) -> None:
    """Turn by turn what is in no stock is what entries and losses say; a nation gives up midway.

    No transport is left of which nothing waits and nothing is under way.
    """
    w = islands(seed)
    rng = np.random.default_rng(seed)
    world = w.world
    seen = np.zeros(event.COUNT, np.int64)
    for number in range(40):
        for n in range(NATIONS):
            plans.set_plan(world, n, [deal(w, rng) for _ in range(6)])
        if number == 25:
            plans.set_plan(world, 3, [("abandon_nation", 0, 0, 999, 0)])
        before = copy_world(world)
        turns.turn(world, w.rules)
        assert audit.faults_of_turn(before, world, w.rules) == []
        for t in np.flatnonzero(world.transports["kind"]):
            assert world.transports["waiting"][t] > 0 or transports.under_way(world, int(t)) > 0
        seen += world.clock[0]["event_kinds"]
    assert world.clock[0]["discrepancies"] == 0
    for kind in (event.LOT_SOLD, event.LOT_RETURNED, event.DEAL_AGREED, event.DELIVERED, event.FELL):
        assert seen[kind] > 0, event.NAMES[kind]
