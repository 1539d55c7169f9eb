"""What is wrong with a world from a file: places that do not exist, records that contradict each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hakoenv.engine import soundness
from hakoenv.engine.world import World
from hakoenv.testing import SmallWorld


def fleet_at_sea() -> SmallWorld:
    """Ships 0 and 1 of nation 0, the first with unit 0 aboard; unit 1 ashore, ship 2 of nation 1, a wreck."""
    w = SmallWorld(height=9, width=9)
    w.cell(4, 4, terrain="plains", owner=0)
    w.ship(0, "destroyer", 1, 1, fleet=2, troops={"type": "infantry", "strength": 90})
    w.ship(0, "cruiser", 2, 2, fleet=3)
    w.unit(0, "infantry", 4, 4)
    w.ship(1, "destroyer", 6, 6, fleet=2)
    w.ship(None, "pirate", 7, 7)
    w.wreck(8, 8, "carrier")
    w.fleet(0, 2, target=[5, 5], waypoints=[[1, 2]], salvo=[4, 4])
    return w


def test_a_world_with_fleets_is_sound() -> None:
    w = fleet_at_sea()
    assert soundness.faults(w.world, w.rules) == []


def move_ship(world: World) -> None:
    world.ships[0]["cell"] = 0


def forget_ship(world: World) -> None:
    world.cells.reshape(-1)[world.ships[1]["cell"]]["ship"] = -1


def ghost_ship(world: World) -> None:
    world.cells[8, 0]["ship"] = 1


def move_unit(world: World) -> None:
    world.units[1]["cell"] = 0


def lose_unit(world: World) -> None:
    world.units[1]["cell"] = -1


def ghost_unit(world: World) -> None:
    world.cells[8, 0]["unit"] = 5


def two_places(world: World) -> None:
    world.units[0]["cell"] = 0


def on_a_foreign_ship(world: World) -> None:
    world.units[0]["aboard"] = 2


def on_no_ship(world: World) -> None:
    world.units[0]["aboard"] = 20


def both_aboard(world: World) -> None:
    world.cells[4, 4]["unit"] = -1
    world.units[1]["cell"], world.units[1]["aboard"] = -1, 0


def lost_wreck(world: World) -> None:
    world.wrecks[0]["cell"] = -1


def pirates_in_a_fleet(world: World) -> None:
    world.ships[3]["fleet"] = 1


def foreign_flagship(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 2


def flagship_of_another_fleet(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 1


def no_flagship_there(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 20


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (move_ship, "a record of ships lies on a cell that knows nothing of it"),
        (forget_ship, "a record of ships lies on a cell that knows nothing of it"),
        (ghost_ship, "cells.ship names a ship that is not there"),
        (move_unit, "a record of units lies on a cell that knows nothing of it"),
        (lose_unit, "a record of units lies on a cell that knows nothing of it"),
        (ghost_unit, "cells.unit names a unit that is not there"),
        (two_places, "units.aboard and units.cell both say where a unit is"),
        (on_a_foreign_ship, "units.aboard names a ship that is none of the unit's nation"),
        (on_no_ship, "units.aboard names a ship that is none of the unit's nation"),
        (both_aboard, "units.aboard names a ship that carries two units"),
        (lost_wreck, "wrecks.cell is -1 of a wreck"),
        (pirates_in_a_fleet, "ships.fleet is that of a ship without nation"),
        (foreign_flagship, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
        (flagship_of_another_fleet, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
        (no_flagship_there, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
    ],
)
def test_records_that_contradict_each_other_are_faults(spoil: Callable[[World], None], fault: str) -> None:
    w = fleet_at_sea()
    spoil(w.world)
    assert fault in soundness.faults(w.world, w.rules)


def trading() -> SmallWorld:
    """Ship 0, a merchant with parcel 0 (of contract 0) ashore and parcel 1 (sold) aboard; 1, a destroyer.

    Parcels 2 and 3 are goods of a sold lot aboard ship 2, a large merchant, and in bond. Lot 0 is open, lot 1
    sold (transport 0), transport 1 waits. A harbour, two fishing grounds.
    """
    w = SmallWorld(height=9, width=9)
    w.cell(4, 4, terrain="port", owner=0, level=1, handled=5)
    w.cell(0, 8, fish_stock=40)
    w.cell(1, 8, fish_stock=40)
    w.auction(3, 0, "fuel", 12, 50, 110, bid=105, bidder=1)
    w.auction(4, 0, "steel", 40, 50, 90, bid=90, bidder=1, state="sold", lost=1)
    w.contract(7, 1, 0, "ore", 20, 12.5, 90, 6)
    w.shipment(2, 0, 1, "goods", 5, 100, (4, 4), 95)
    w.transport("aid", 0, 1, "funds", 30)
    home = {"home": (4, 4), "job": "loading"}
    sold = {"item": "steel", "quantity": 30, "kind": "trade", "to": 1, "price": 20.5}
    due = {"item": "ore", "quantity": 20, "kind": "contract", "contract": 7}
    w.ship(0, "merchant", 4, 5, cargo=[sold], to_load=[due], **home)
    w.ship(0, "destroyer", 1, 1)
    w.ship(
        0,
        "large_merchant",
        5,
        4,
        cargo=[{"item": "steel", "quantity": 39, "kind": "auction", "lot": 4}],
        **home,
    )
    w.bonded((4, 4), 1, "fuel", 4)
    order = {kind: w.world.parcels["kind"].tolist().index(kind) for kind in (1, 2, 6, 7)}
    assert order == {2: 0, 1: 1, 6: 2, 7: 3}
    return w


def test_a_world_with_trade_is_sound() -> None:
    w = trading()
    assert soundness.faults(w.world, w.rules) == []


def spoiling(array: str, field: str, value: object, place: int = 0) -> Callable[[World], None]:
    def spoil(world: World) -> None:
        getattr(world, array)[place][field] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (spoiling("clock", "parcels", 3), "clock.parcels leaves out a place of parcels that is used"),
        (spoiling("clock", "ships", 0), "clock.ships leaves out a place of ships that is used"),
        (spoiling("parcels", "quantity", 0), "parcels.quantity is 0 of goods"),
        (spoiling("parcels", "receiver", -1), "parcels.source or parcels.receiver is nobody"),
        (spoiling("parcels", "port", -1), "parcels.port and parcels.state tell differently"),
        (spoiling("parcels", "ship", -1), "parcels.ship and parcels.state tell differently"),
        (spoiling("parcels", "ship", 0, 3), "parcels.ship and parcels.state tell differently"),
        (spoiling("parcels", "ship", 1), "a ship that is none of a private sector"),
        (spoiling("parcels", "ship", 9), "a ship that is none of a private sector"),
        (spoiling("parcels", "quantity", 148, 1), "a ship that can't hold all that is aboard"),  # holds 147
        (spoiling("parcels", "what", 9, 1), "parcels.what is money of a private sector"),
        (spoiling("parcels", "deal", 1), "parcels.deal names none of the contracts"),
        (spoiling("parcels", "deal", 40), "parcels.deal names none of the contracts"),
        (spoiling("parcels", "deal", -1, 2), "parcels.deal names none of the transports"),
        (spoiling("parcels", "deal", 5, 2), "parcels.deal names none of the transports"),
        (spoiling("parcels", "quantity", 41, 2), "transports.quantity is less than what waits, sails"),
        (spoiling("jobs", "home", 8, 1), "jobs.home is set of a ship that is none of a private sector"),
        (spoiling("jobs", "job", 2, 1), "jobs.job is set of a ship that is none of a private sector"),
        (spoiling("harbours", "cell", 40, 1), "harbours.cell names a cell twice"),
        (spoiling("grounds", "cell", 72, 1), "grounds.cell names a cell twice"),
        (spoiling("lots", "number", 4), "lots.number is 0 or that of two"),
        (spoiling("lots", "number", 9), "clock.lots_made is below a number that was given"),
        (spoiling("lots", "bidder", -1), "lots.bid and lots.bidder tell differently"),
        (spoiling("lots", "bidder", 0), "lots.seller and lots.bidder are no two nations"),
        (spoiling("contracts", "buyer", 0), "contracts.seller and contracts.buyer are no two nations"),
        (spoiling("promises", "number", 3), "clock.promises_made is below a number that was given"),
        (spoiling("transports", "deal", 0), "transports.deal names a lot that is not sold"),
        (spoiling("transports", "deal", 128), "transports.deal names a lot that is not sold"),
        (spoiling("transports", "kind", 1), "transports.kind is none between nations"),
        (spoiling("transports", "sender", -1), "transports.sender or transports.receiver is nobody"),
        (spoiling("transports", "waiting", 31, 1), "transports.quantity is less than what waits, sails"),
    ],
)  # fmt: skip
def test_records_of_trade_that_contradict_each_other_are_faults(
    spoil: Callable[[World], None], fault: str
) -> None:
    w = trading()
    spoil(w.world)
    assert any(fault in found for found in soundness.faults(w.world, w.rules))


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [
        ("parcels", "ship", 32), ("parcels", "port", 81), ("parcels", "what", 10), ("parcels", "kind", 8),
        ("parcels", "state", 4), ("parcels", "source", 2), ("parcels", "deal", 512),
        ("parcels", "quantity", -1), ("jobs", "home", 81), ("jobs", "refuge", -2), ("jobs", "goal", 81),
        ("jobs", "unloaded_at", 81), ("jobs", "called", 81), ("jobs", "job", 6), 
        ("jobs", "detour_length", 65), ("jobs", "detour", 7),
        ("harbours", "cell", 81), ("grounds", "cell", -2), ("lots", "seller", 2), ("lots", "what", 9),
        ("lots", "state", 3), ("promises", "port", 81), ("promises", "buyer", 2), ("contracts", "seller", 2),
        ("contracts", "what", 9), ("contracts", "port", 81), ("transports", "receiver", 2),
        ("transports", "deal", 256), ("transports", "kind", 7), ("transports", "what", 10),
        ("clock", "parcels", 65), ("clock", "charted_last", 81), ("clock", "searched_last", 32),
        ("nations", "short_last", 512), ("nations", "waiting", -1), ("nations", "port_policy", 3),
        ("nations", "cruise_unpaid", -1),
    ],
)  # fmt: skip
def test_numbers_of_trade_that_name_nothing_are_faults(array: str, field: str, value: int) -> None:
    w = trading()
    spoiling(array, field, value)(w.world)
    assert any(fault.startswith(f"{array}.{field} is ") for fault in soundness.faults(w.world, w.rules))
