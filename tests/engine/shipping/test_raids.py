"""Pirates at private ships: whom they raid, how often, what they take and leave (MER-055 .. MER-060)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import event
from hakoenv.engine.shipping import raids
from hakoenv.obs import events
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.ship_fields import SHIPS

SURE = {"pirate.raid_percent": 100, "pirate.sink_percent": 0}
DEADLY = {"pirate.raid_percent": 100, "pirate.sink_percent": 100}
PRIVATE = ("merchant", "large_merchant", "fishing_boat", "cruise_ship")


def sea(rules: Any = SURE, **more: Any) -> SmallWorld:
    """Three nations, and a pirate at (5, 4)."""
    w = SmallWorld(9, 12, 3, rules=rules, **more)
    w.ship(None, "pirate", 5, 4)
    return w


def trade(item: str, quantity: int, price: float = 12.5, tariff: float = 0) -> dict[str, Any]:
    """Goods that nation 0 sold to nation 1."""
    return {
        "item": item, "quantity": quantity, "kind": "trade", "from": 0, "to": 1, "price": price,
        "tariff": tariff,
    }  # fmt: skip


def sent(kind: str, quantity: int, item: str = "steel") -> dict[str, Any]:
    """Goods that the treasury of nation 0 sends to that of nation 1."""
    return {"item": item, "quantity": quantity, "kind": kind, "from": 0, "to": 1}


def raid(w: SmallWorld) -> None:
    w.phase("cruise_and_raids")


def sunk(w: SmallWorld) -> list[tuple[int, int]]:
    """Owner and class of the ships that sank, by the events."""
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    return [(int(e["nation"]), int(e["amount"])) for e in listed if e["kind"] == event.SHIP_SUNK]


# ---------------------------------------------------------------- who is drawn


@pytest.mark.rule("MER-055", "CRU-021", "FISH-003", "TURN-049")
@pytest.mark.parametrize("kind", PRIVATE)
@pytest.mark.parametrize(("x", "y", "away"), [(4, 4, 1), (5, 3, 1), (6, 5, 2), (3, 4, 2), (5, 2, 2)])
def test_every_private_ship_within_1_cell(kind: str, x: int, y: int, away: int) -> None:
    """Row 4 is even: its cells touch (x - 1, y + 1) and (x, y + 1) below, so (6, 5) is two cells away."""
    w = sea(DEADLY)
    w.ship(0, kind, x, y)
    raid(w)
    assert len(w.ships(owner=0)) == away - 1


@pytest.mark.rule("MER-055", "FISH-004")
@pytest.mark.parametrize("kind", ["destroyer", "submarine", "carrier"])
def test_warships_and_pirates_are_not_raided(kind: str) -> None:
    w = sea(DEADLY)
    w.ship(0, kind, 4, 4)
    w.ship(None, "pirate", 6, 4)
    raid(w)
    assert len(w.ships()) == 3


@pytest.mark.rule("MER-055")
def test_only_pirates_raid() -> None:
    w = SmallWorld(9, 12, 2, rules=DEADLY)
    w.war(0, 1)
    w.ship(0, "merchant", 4, 4)
    w.ship(1, "destroyer", 5, 4)
    raid(w)
    assert len(w.ships(owner=0)) == 1


@pytest.mark.rule("MER-055", "CRU-021")
def test_one_draw_whatever_the_number_of_pirates() -> None:
    """21 units, 10 of them looted once; a second raid would leave 6."""
    w = sea()
    w.ship(None, "pirate", 4, 3)
    w.ship(None, "pirate", 4, 5)
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 21)])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 11}


@pytest.mark.rule("MER-055", "MER-056", "CRU-021", "CRU-022")
@pytest.mark.parametrize("kind", ["merchant", "cruise_ship"])
def test_how_often_a_ship_is_looted_and_sunk(kind: str) -> None:
    """4000 turns beside a pirate: 22.5% looted, 2.5% sunk, 75% nothing, and never two of them.

    Expected are 900 and 100, standard deviations 26.4 and 9.9; more than 5 of them off comes once in a
    million sets of draws.
    """
    usual = load_ruleset("season")
    w = sea(
        {key: usual[key] for key in ("pirate.raid_percent", "pirate.sink_percent", "pirate.loot_percent")}
    )
    looted = lost = 0
    for turn in range(1, 4001):
        w.world.clock[0]["turn"] = turn
        w.nation(0, private_funds=1)
        if not w.ships(owner=0):
            w.ship(0, kind, 4, 4)
        ship = w.ships(owner=0)[0]
        SHIPS.write(w, 1, *(("cargo", {"steel": 10}) if kind == "merchant" else ("unlooted", 1)))
        raids.draw(w.world, w.rules)
        if not w.ships(owner=0):
            lost += 1
        elif kind == "merchant":
            assert ship.cargo in ({"steel": 10}, {"steel": 5})
            looted += ship.cargo == {"steel": 5}
        else:
            assert w.nation(0).private_funds == ship.unlooted
            looted += w.nation(0).private_funds == 0.5
    assert abs(looted - 900) <= 132 and abs(lost - 100) <= 49


@pytest.mark.rule("MER-055", "TURN-049")
def test_ships_are_drawn_apart_and_the_same_again() -> None:
    """Of 20 ships with even chances some are raided and some are not: all alike once in half a million."""

    def left(seed: int) -> list[int]:
        w = SmallWorld(10, 84, 1, seed=seed, rules={"pirate.raid_percent": 50, "pirate.sink_percent": 100})
        for x in range(0, 80, 4):
            w.ship(0, "merchant", x, 2)
            w.ship(None, "pirate", x, 3)
        raid(w)
        return [ship.x for ship in w.ships(owner=0)]

    assert 0 < len(left(1)) < 20
    assert left(1) == left(1) != left(2)


@pytest.mark.rule("TURN-049", "CRU-020")
def test_a_pirate_sunk_in_phase_24_raids_nobody() -> None:
    """The cruiser's volley of two shells hits the pirate's single hit point before anybody is drawn."""
    for hp, left in ((1, 1), (99, 0)):
        w = SmallWorld(9, 12, 2, rules={**DEADLY, "ship_classes.cruiser.scatter": 0})
        w.nation(0, funds=1000, ammo=100)
        w.ship(None, "pirate", 5, 4, hp=hp)
        w.ship(0, "cruiser", 6, 4)
        w.ship(1, "merchant", 4, 4)
        w.phase("ordinary_ships")
        raid(w)
        assert len(w.ships(owner=1)) == left


# ---------------------------------------------------------------- sunk


@pytest.mark.rule("MER-056", "MER-036")
def test_either_sunk_or_looted() -> None:
    """A ship that sinks is sunk by nobody and leaves no wreck; one that is looted goes on."""
    w = sea(DEADLY)
    w.ship(0, "merchant", 4, 4, cargo={"food": 30})
    raid(w)
    assert sunk(w) == [(0, 6)] and w.world.events[0]["other"] == -1
    assert w.cell(4, 4).ship is None and w.cell(4, 4).wreck is None
    assert w.world.clock[0]["parcels"] == 0
    w = sea()
    w.ship(0, "merchant", 4, 4, cargo={"food": 30})
    raid(w)
    assert not sunk(w) and w.ships(owner=0)[0].cargo == {"food": 15}


@pytest.mark.rule("MER-060")
def test_money_held_for_what_sinks_goes_back_to_the_buyer() -> None:
    """4 x 12.5 + 4 x 0.5 = 52; the seller has nothing of it."""
    w = sea(DEADLY)
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 4, 12.5, 0.5)])
    raid(w)
    assert (w.nation(1).private_funds, w.nation(0).private_funds) == (52, 0)
    assert (w.nation(0).private_steel, w.nation(1).private_steel) == (0, 0)


# ---------------------------------------------------------------- private trade


@pytest.mark.rule("MER-057")
@pytest.mark.parametrize(
    ("quantity", "left", "refund"), [(21, 11, 125), (1, 1, 0), (2, 1, 12.5), (3, 2, 12.5), (40, 20, 250)]
)
def test_half_of_private_trade_goods_but_for_one_unit(quantity: int, left: int, refund: float) -> None:
    """min(floor(quantity / 2), quantity - 1) at 12.5 a unit go back to the buyer; the goods to nobody."""
    w = sea()
    w.nation(0, private_funds=7)
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", quantity)])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": left}
    assert (w.nation(1).private_funds, w.nation(0).private_funds) == (refund, 7)
    assert w.nation(0).private_steel == w.nation(1).private_steel == 0


def test_the_owner_of_the_ship_learns_what_was_taken_and_nobody_else() -> None:
    """20 of 40 and 10 of 21 units; a ship from which nothing is taken is no news."""
    w = sea()
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 40), trade("wood", 21)])
    raid(w)
    told = events.seen(w.world, w.rules)
    assert told == [[events.Happening(event.RAIDED, 0, -1, w.place(4, 4), 30)], [], []]
    w = sea()
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 1)])
    raid(w)
    assert events.listed(w.world) == []


@pytest.mark.rule("MER-057")
def test_the_one_unit_stays_where_all_is_taken() -> None:
    w = sea({**SURE, "pirate.loot_percent": 100})
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 8, 10)])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 1} and w.nation(1).private_funds == 70
    w = sea({**SURE, "pirate.loot_percent": 100, "pirate.loot_left": 3})
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 8, 10), trade("wood", 2, 10)])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 3, "wood": 2}


@pytest.mark.rule("MER-057")
def test_tariff_held_on_what_is_looted_is_refunded_and_no_treasury_gets_it() -> None:
    """4 units: 2 looted, 2 x (10 + 0.525) = 21.05."""
    w = sea()
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 4, 10, 0.525)])
    raid(w)
    assert w.nation(1).private_funds == 21.05 and w.nation(1).funds == 0


@pytest.mark.rule("MER-057")
def test_each_entry_by_itself_and_none_of_other_ships_or_ashore() -> None:
    """Of 3, 5 and 1 units 1, 2 and 0 are taken: 2 x 1 + 3 x 2 = 8 back."""
    w = sea()
    w.cell(3, 4, terrain="port", owner=0, level=1)
    goods = [trade("steel", 3, 2), trade("goods", 5, 3), trade("wood", 1, 4)]
    w.ship(0, "merchant", 4, 4, home=[3, 4], cargo=goods, to_load=[trade("fuel", 8, 1)])
    w.ship(0, "merchant", 9, 4, cargo=[trade("steel", 8, 9)])
    raid(w)
    near, far = w.ships(owner=0)
    assert near.cargo == {"steel": 2, "goods": 3, "wood": 1} and near.to_load == {"fuel": 8}
    assert far.cargo == {"steel": 8} and w.nation(1).private_funds == 8


@pytest.mark.rule("MER-057")
def test_own_goods_of_a_private_sector_likewise() -> None:
    w = sea({**SURE, "pirate.loot_percent": 100})
    w.ship(0, "merchant", 4, 4, cargo={"steel": 5})
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 1}


@pytest.mark.rule("MER-057", "MKT-012")
def test_goods_bound_for_bonded_storage_lose_their_value_with_their_number() -> None:
    """9 units worth 90: 4 are taken, 5 worth 50 go on."""
    w = sea()
    entry = {"item": "steel", "quantity": 9, "kind": "bond", "value": 90}
    w.ship(0, "merchant", 4, 4, cargo=[entry])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 5} and w.world.parcels[0]["price"] == 50_000


@pytest.mark.rule("MER-038", "NAVY-016")
def test_cargo_and_loot_are_nobodys_experience() -> None:
    w = sea()
    w.ship(0, "merchant", 4, 4, cargo=[trade("steel", 40)])
    raid(w)
    assert [ship.experience for ship in w.ships()] == [0, 0]
    assert [ship.hp for ship in w.ships()] == [4, 2]


# ---------------------------------------------------------------- supply contracts


def supply(w: SmallWorld, quantity: int) -> None:
    """A shipment of a contract of 32 at 12.5 a unit, with ``quantity`` of it still aboard."""
    w.contract(3, 1, 0, "steel", 32, 12.5, signed=w.turn - 2, interval=6)
    entry = {"item": "steel", "quantity": quantity, "kind": "contract", "from": 0, "to": 1, "contract": 3}
    w.ship(0, "merchant", 4, 4, cargo=[entry])


@pytest.mark.rule("SUP-014")
@pytest.mark.parametrize(("quantity", "left"), [(32, 16), (1, 1), (3, 2)])
def test_looted_contract_goods_are_not_sent_again_and_nothing_is_paid(quantity: int, left: int) -> None:
    w = sea()
    supply(w, quantity)
    w.nation(1, private_funds=1000)
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": left}
    assert (w.nation(0).private_funds, w.nation(1).private_funds) == (0, 1000)
    assert w.world.contracts[0]["number"] == 3 and w.world.contracts[0]["sent"] == 1


# ---------------------------------------------------------------- goods of nations


@pytest.mark.rule("AID-020", "MER-058", "AUC-008")
@pytest.mark.parametrize(("quantity", "left"), [(40, 20), (3, 2), (1, 1)])
@pytest.mark.parametrize("kind", ["aid", "auction"])
def test_what_goes_one_way_between_nations_is_lost_for_good(kind: str, quantity: int, left: int) -> None:
    """floor(quantity / 2) are neither the sender's nor the receiver's again."""
    w = sea()
    if kind == "auction":
        w.auction(5, 0, "steel", quantity, 1, w.turn - 3, bid=100, bidder=1, state="sold", settled=w.turn - 2)
    entry = sent(kind, quantity) | ({"lot": 5} if kind == "auction" else {})
    w.ship(0, "merchant", 4, 4, cargo=[entry])
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": left}
    assert (w.nation(0).steel, w.nation(1).steel) == (0, 0)


@pytest.mark.rule("MER-058")
def test_no_unit_of_it_need_remain() -> None:
    """All is taken: the transport is over and the ship has nothing to do."""
    w = sea({**SURE, "pirate.loot_percent": 100})
    w.cell(3, 4, terrain="port", owner=0, level=1)
    w.ship(0, "merchant", 4, 4, home=[3, 4], job="sailing", destination=[9, 4], cargo=[sent("aid", 8)])
    raid(w)
    ship = w.ships(owner=0)[0]
    assert ship.cargo == {} and ship.job == "idle" and w.world.transports[0]["kind"] == 0


@pytest.mark.rule("MER-059", "SHIP-012", "AID-020")
@pytest.mark.parametrize(
    ("kind", "item"), [("exchange", "steel"), ("regular", "steel"), ("aid", "funds"), ("exchange", "funds")]
)
def test_money_and_goods_of_an_exchange_are_spared_but_not_the_ship(kind: str, item: str) -> None:
    for rules, ships in ((SURE, 1), (DEADLY, 0)):
        w = sea(rules)
        if kind == "regular":
            w.shipment(4, 0, 1, item, 40, 10, port=(9, 4), offered=w.turn - 9, accepted=w.turn - 8)
        entry = sent(kind, 40, item) | ({"shipment": 4} if kind == "regular" else {})
        w.ship(0, "merchant", 4, 4, cargo=[entry])
        raid(w)
        assert [ship.cargo for ship in w.ships(owner=0)] == [{item: 40}] * ships


@pytest.mark.rule("MER-059")
def test_other_cargo_beside_what_is_spared_is_taken() -> None:
    w = sea()
    w.ship(
        0, "merchant", 4, 4, cargo=[sent("exchange", 40), sent("aid", 10, "wood"), sent("aid", 9, "funds")]
    )
    raid(w)
    assert w.ships(owner=0)[0].cargo == {"steel": 40, "wood": 5, "funds": 9}


# ---------------------------------------------------------------- fish


@pytest.mark.rule("FISH-003")
@pytest.mark.parametrize(("fish", "left"), [(9, 5), (1, 1), (200, 100), (0, 0)])
def test_half_of_the_fish(fish: int, left: int) -> None:
    w = sea()
    w.ship(0, "fishing_boat", 4, 4, cargo={"food": fish})
    raid(w)
    assert w.ships(owner=0)[0].cargo.get("food", 0) == left and w.nation(0).private_food == 0


@pytest.mark.rule("FISH-003")
def test_no_fish_need_remain_and_all_is_lost_with_the_boat() -> None:
    w = sea({**SURE, "pirate.loot_percent": 100})
    w.ship(0, "fishing_boat", 4, 4, cargo={"food": 9})
    raid(w)
    assert w.ships(owner=0)[0].cargo == {}
    w = sea(DEADLY)
    w.ship(0, "fishing_boat", 4, 4, cargo={"food": 9})
    raid(w)
    assert not w.ships(owner=0) and w.world.clock[0]["parcels"] == 0


@pytest.mark.rule("FISH-004", "FISH-002")
def test_a_pirate_fires_at_nobody_and_a_private_ship_neither() -> None:
    w = SmallWorld(9, 12, 2, rules={"pirate.raid_percent": 0})
    w.war(0, 1)
    w.nation(0, funds=1000, ammo=100)
    w.ship(None, "pirate", 5, 4)
    for k, (x, y) in enumerate([(4, 4), (6, 4), (5, 3), (5, 5)]):
        w.ship(k % 2, PRIVATE[k], x, y)
    points = [ship.hp for ship in w.ships()]
    w.phase("fast_ships")
    w.phase("ordinary_ships")
    raid(w)
    assert [ship.hp for ship in w.ships()] == points and w.nation(0).ammo == 100


# ---------------------------------------------------------------- cruise ships


def liner(unlooted: float, cash: float, rules: Any = SURE, **given: Any) -> SmallWorld:
    w = sea(rules)
    w.nation(0, private_funds=cash, funds=80)
    w.world.nations[0]["deposit"] = 5000
    w.ship(0, "cruise_ship", 4, 4, unlooted=unlooted, **given)
    return w


@pytest.mark.rule("CRU-022", "CRU-023", "CRU-021")
def test_half_of_what_is_not_looted_of_the_latest_income_again_and_again() -> None:
    """3.846, 1.923 and floor(0.9615) = 0.961 of 7.692; treasury and deposit are not touched."""
    w = liner(7.692, 50)
    for cash, left in ((46.154, 3.846), (44.231, 1.923), (43.27, 0.962)):
        raid(w)
        assert (w.nation(0).private_funds, w.ships(owner=0)[0].unlooted) == (cash, left)
    assert w.nation(0).funds == 80 and w.world.nations[0]["deposit"] == 5000


@pytest.mark.rule("CRU-023")
def test_no_more_than_the_cash_in_hand() -> None:
    w = liner(7.692, 2)
    raid(w)
    assert (w.nation(0).private_funds, w.ships(owner=0)[0].unlooted) == (0, 5.692)
    raid(w)
    assert (w.nation(0).private_funds, w.ships(owner=0)[0].unlooted) == (0, 5.692)


@pytest.mark.rule("CRU-023")
def test_nothing_where_there_was_no_income() -> None:
    w = liner(0, 50)
    raid(w)
    assert w.nation(0).private_funds == 50


@pytest.mark.rule("CRU-021", "CRU-006")
def test_dormant_ships_and_ships_at_a_port_are_drawn() -> None:
    for given in ({"dormant": True}, {"home": (3, 4)}):
        w = sea()
        w.cell(3, 4, terrain="port", owner=0 if "home" in given else 1, level=1)
        w.nation(0, private_funds=50)
        w.ship(0, "cruise_ship", 4, 4, unlooted=4, **given)
        raid(w)
        assert w.nation(0).private_funds == 48


@pytest.mark.rule("CRU-022", "CRU-009")
def test_sinking_takes_no_money_neither_paid_nor_due() -> None:
    w = liner(8, 100_000, DEADLY)
    w.nation(0, cruise_unpaid=6)
    raid(w)
    assert not w.ships(owner=0)
    assert (w.nation(0).private_funds, w.nation(0).cruise_unpaid) == (100_000, 6)
    w.nation(0, private_funds=99_990)
    raid(w)
    assert (w.nation(0).private_funds, w.nation(0).cruise_unpaid) == (99_996, 0)


# ---------------------------------------------------------------- war


@pytest.mark.rule("MER-037")
@pytest.mark.parametrize("kind", PRIVATE)
@pytest.mark.parametrize(
    ("state", "mode", "away", "hit"),
    [
        ("war", "normal", 1, True), ("war", "hunt", 2, True), ("war", "normal", 3, False),
        ("war", "cruise", 1, False), ("war", "stop", 1, False), ("pending", "normal", 1, False),
        ("peace", "normal", 1, False), ("amity", "hunt", 1, False),
    ],
)  # fmt: skip
def test_private_ships_of_an_open_enemy_are_fired_at(
    kind: str, state: str, mode: str, away: int, hit: bool
) -> None:
    """A cruiser of range 2 and without scatter."""
    w = SmallWorld(9, 12, 2, rules={"ship_classes.cruiser.scatter": 0})
    w.relation(0, 1, state=state)
    w.nation(0, funds=1000, ammo=100)
    w.ship(0, "cruiser", 3, 4, mode=mode)
    w.ship(1, kind, 3 + away, 4, hp=100)
    w.phase("ordinary_ships")
    assert (w.ships(owner=1)[0].hp < 100) is hit
