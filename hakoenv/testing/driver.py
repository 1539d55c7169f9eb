"""What stands around the engine in a season, for a small world: AI plans, foundings, masks, sight."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv import controllers
from hakoenv.engine import census, founding, territory
from hakoenv.engine.codes import author, controller, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.diplomacy import containment
from hakoenv.engine.shipping import charts, harbours
from hakoenv.engine.trade import bargain, market, partners
from hakoenv.obs import bond_pieces, sight
from hakoenv.obs.spec import Spec
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
        territory.index(small.world, small.rules)
        census.take(small.world, small.rules)  # what earlier phases would have counted
        _rule_ai().fill(small.world, small.rules, seats)


@cache
def _rule_ai() -> controllers.Controller:
    return controllers.get("rule_ai")


def give(small: SmallWorld, nation: int, *orders: tuple[Any, ...]) -> list[str]:
    """Carry out orders of one nation as its plan of phase 14, alone; what became of each.

    Args:
        small: the world.
        nation: whose orders these are.
        orders: each a command's name, x, y, amount and target.

    Returns:
        The name of a reason for each order that was carried out or dropped, "done" if it was done.
    """
    territory.index(small.world, small.rules)
    harbours.enlist(small.world)
    plans.set_plan(small.world, nation, orders)
    execute.run_plan(small.world, small.rules, nation)
    small.world.nations["plan_length"][nation] = 0
    return [reason.name(row.reason) for row in plans.results_of(small.world, nation)][: len(orders)]


def is_legal(
    small: SmallWorld, nation: int, command: str, x: int = 0, y: int = 0, amount: int = 0, target: int = 0
) -> bool:
    """Whether a nation's mask lets a command in, judged on what it can know."""
    seat, number = small.seat(nation), names.commands().number(command)
    x, y, target = (fields.whole(value, -(2**31), 2**31 - 1) for value in (x, y, target))
    amount = fields.whole(amount, -(2**63), 2**63 - 1)
    return bool(validate.is_legal(small.counted(), small.rules, seat, number, x, y, amount, target))


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


def is_invited(small: SmallWorld, nation: int) -> bool:
    """Whether a nation has the containment's invitation (CONT-010)."""
    return bool(containment.is_invited(small.counted(), small.rules, nation))


def is_told_of_war(small: SmallWorld, nation: int) -> bool:
    """Whether a nation is told of a joint declaration of this turn (CONT-020)."""
    return bool(containment.is_told_of_war(small.world, nation))


# ---------------------------------------------------------------- faction screen and map


def faction_sees(small: SmallWorld, nation: int, cell: int) -> dict[str, Any]:
    """What the faction map says of a cell: the own view, and the units and ships that a mate sees (FAC-017).

    Without a faction there is no map: `shown` is False and nothing else known.
    """
    world = small.counted()
    seen = sight.faction_sees(world, small.rules, nation, cell)
    if seen is None:
        return dict.fromkeys(sight.sees(world, small.rules, nation, cell)) | {"shown": False}
    return seen | {"shown": True}


def faction_shows(small: SmallWorld, nation: int, member: int) -> dict[str, Any]:
    """What a nation's observation says of a mate: funds, food, the commands shown of its plan (FAC-018).

    `shown` is False, and the rest None, of a nation that is no mate.
    """
    spec = Spec(small.ruleset, small.nations)
    buffers = spec.buffers()
    spec.fill(small.counted(), small.rules, buffers, np.array([nation], np.int64))
    place = (member - nation) % small.nations
    for row, plan in zip(buffers["mates"][nation], buffers[bond_pieces.MATE_PLANS][nation], strict=True):
        line = dict(zip((column.name for column in bond_pieces.MATE), row.tolist(), strict=True))
        if line["listed"] and line["place"] == place:
            shown = {name: line[name] for name in ("funds", "food")}
            shown["leader"], shown["shown"] = bool(line["leader"]), True
            shown["plan_shown"] = line["plan_length"]
            shown["plan"] = [
                names.commands().name(order[1]) for order in plan[: line["plan_length"]].tolist()
            ]
            return shown
    return dict.fromkeys(("funds", "food", "leader", "plan_shown", "plan")) | {"shown": False}
