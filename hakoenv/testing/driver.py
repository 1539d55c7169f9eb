"""What stands around the engine in a season, for a small world: AI plans, foundings, masks, sight."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv import controllers
from hakoenv.engine import census, founding, territory
from hakoenv.engine.codes import author, controller
from hakoenv.engine.commands import validate
from hakoenv.engine.trade import bargain, charts, harbours, market, partners
from hakoenv.engine.world import FACTIONS
from hakoenv.obs import sight
from hakoenv.testing import fields, names
from hakoenv.testing.errors import CaseError

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld


def found(small: SmallWorld, nation: int, cell: int) -> None:
    """Found a nation at a cell; its seat is emptied first (FOUND-001 and after)."""
    if (small.world.cells["owner"] == nation).any():
        raise CaseError(f"nation {nation} has cells already")
    small.world.nations[nation]["alive"] = 0
    if not founding.found(small.world, small.rules, nation, cell):
        place = (cell % small.width, cell // small.width)
        raise CaseError(f"cell {place} is no site where a nation can be founded (FOUND-001 .. FOUND-006)")


def fill_plans(small: SmallWorld) -> None:
    """Let the rule AI write the plans of its nations, and of LLM nations that have none (TURN-002)."""
    record = small.world.nations
    silent = (record["controller"] == controller.LLM) & (record["plan_length"] == 0)
    driven = record["controller"] == controller.RULE_AI
    record["author"][driven] = author.RULE_AI
    record["author"][silent] = author.PROXY
    seats = np.flatnonzero((driven | silent) & (record["alive"] == 1))
    if len(seats):
        census.take(small.world, small.rules)  # what earlier phases would have counted
        territory.index(small.world, small.rules)
        _rule_ai().fill(small.world, small.rules, seats)


@cache
def _rule_ai() -> controllers.Controller:
    return controllers.get("rule_ai")


def is_legal(
    small: SmallWorld, nation: int, command: str, x: int = 0, y: int = 0, amount: int = 0, target: int = 0
) -> bool:
    """Whether a nation's mask lets a command in, judged on what it can know."""
    seat, number = small.seat(nation), names.commands().number(command)
    asked = (fields.whole(value, -(2**31), 2**31 - 1) for value in (x, y, amount, target))
    return bool(validate.is_legal(small.counted(), small.rules, seat, number, *asked))


def national_price(small: SmallWorld, nation: int, what: int) -> int:
    """A nation's price of an item in thousandths: that of the turn, or by the present state (MER-069)."""
    world = small.counted()
    market.ensure_prices(world, small.rules)
    return int(world.nations[nation]["prices"][what])


def trade_terms(small: SmallWorld, seller: int, buyer: int, what: int) -> dict[str, Any]:
    """Price and tariff of a unit between two private sectors, and whether their margins let them trade."""
    world = small.counted()
    market.ensure_prices(world, small.rules)
    return {
        "price": fields.decimal(bargain.price(world, seller, buyer, what)),
        "tariff": fields.decimal(bargain.tariff(world, seller, buyer, what)),
        "made": bool(bargain.pays(world, seller, buyer, what)),
    }


def may_trade(small: SmallWorld, a: int, b: int, by: str) -> bool:
    """Whether two nations may trade by `land` or by `sea` (MER-064)."""
    if by not in ("land", "sea"):
        raise CaseError(f'"by" is {by!r}; there are land, sea')
    world = small.counted()
    by_land = by == "land"
    return bool(partners.by_land(world, small.rules, a, b) if by_land else partners.by_sea(world, a, b))


def route_length(small: SmallWorld, start: int, port: int) -> int | None:
    """Remembered steps from a water cell to a berth of a port; None without a way or a chart (MER-067)."""
    found = int(charts.way(small.world, int(harbours.find(small.world, port)), start))
    return None if found < 0 else found


def happened(small: SmallWorld, kind: int) -> bool:
    """Whether something of a kind (codes.event) happened in this turn."""
    return bool(small.world.clock[0]["event_kinds"][kind])


def sees(small: SmallWorld, nation: int, cell: int) -> dict[str, Any]:
    """What a nation's observation says of a cell."""
    return sight.sees(small.counted(), small.rules, small.seat(nation), cell)


def factions(small: SmallWorld) -> list[dict[str, Any]]:
    """The factions of a small world by field name; members are sorted nation numbers."""
    found: list[dict[str, Any]] = []
    for slot in range(FACTIONS):
        record = small.world.factions[slot]
        if not record["active"]:
            continue
        due = int(record["dissolves"])
        found.append(
            {
                "name": small.faction_names.get(slot, str(int(record["name"]))),
                "leader": int(record["leader"]),
                "members": [n for n in range(small.nations) if small.world.nations[n]["faction"] == slot],
                "created": int(record["created"]),
                "due": due or None,
                "dissolving": due - small.turn if due else None,
            }
        )
    return found
