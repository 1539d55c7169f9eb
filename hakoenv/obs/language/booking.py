"""Whether a command may follow those already given in the same plan, as far as the nation can know.

Legality is the validator's word on the nation's view (`validate.check`), as in masks. What each command
takes is booked before the next one is judged, by the same rules as a menu's draft (`obs/menu_draft.py`):
the purse pays, a cell serves once, cells near one that is dug, built on water, sailed from or fired at are
out, one treaty and one exchange with each nation, one ship into each fleet, one bid for each lot, and what
has so many uses a turn is used up. The price is found by asking: it is the least that makes the validator
agree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason, terrain
from hakoenv.engine.commands import look, table, validate
from hakoenv.engine.commands.table import Packed, Verb
from hakoenv.engine.diplomacy import containment, factions
from hakoenv.engine.kernel import as_kernel_array
from hakoenv.engine.world import World
from hakoenv.obs import menu_bonds, menu_draft_deals, menu_table, menu_trade
from hakoenv.obs.menu_deals import (
    AID,
    AID_IN_TURN,
    EXCHANGE_MOST,
    FIRST_LIST,
    NO_DEAL,
    OPEN_LOTS,
    PACT,
    SWAP_ACCEPTANCE,
)
from hakoenv.obs.menu_table import (
    ACCEPTANCES,
    ADMISSIONS,
    AIM,
    ALL_KEPT,
    ALWAYS,
    ANYTHING,
    CEDE,
    DISTURBED,
    EMBARK,
    FILLS,
    FREE,
    LEADS,
    LISTINGS,
    MAKES,
    MINES,
    MISSILES,
    NOTHING,
    OWN_KEPT,
    RESERVES,
    SHIPS,
    TOUCHED,
    TURNS,
    MenuTable,
)
from hakoenv.ruleset import Rules, Ruleset

BASES = (terrain.MISSILE_BASE, terrain.SEABED_BASE)
NOBODY = -1
_MEANS = ("treasury", "reserves", "items")  # fields of a nation that commands take from


class Booking:
    """A plan in the making.

    Args:
        world: between two turns; not changed.
        rules: its compiled rules.
        ruleset: the same as data.
        nation: whose plan it is.
    """

    def __init__(self, world: World, rules: Rules, ruleset: Ruleset, nation: int) -> None:
        nations = np.zeros(world.nations.shape, world.nations.dtype)
        nations.view(np.uint8)[:] = world.nations.view(np.uint8)
        self._world = world._replace(nations=as_kernel_array(nations))
        self._rules = rules
        self._nation = nation
        self._table = menu_table_of(ruleset)
        self._means = [nations[name][nation : nation + 1].reshape(-1) for name in _MEANS]
        self._uses = [int(uses) for uses in self._table.uses]
        self._uses[MINES] -= int(territory.count(world, nation, terrain.NAVAL_MINE))
        turn = int(world.clock["turn"][0]) + 1
        self._uses[LISTINGS] = int(menu_trade.listings_left(world, rules, nation))
        self._uses[ACCEPTANCES] = int(menu_trade.acceptances_left(world, rules, nation, turn))
        self._aid = self._table.caps[AID_IN_TURN].copy()  # what may still be sent, by item
        self._aid[RESERVES] = max(1, int(menu_trade.room_for_reserves(world, rules, nation)))
        self._swaps = self._table.caps[EXCHANGE_MOST].copy()  # likewise in exchanges
        self._taken: dict[int, str] = {}  # cells that are out, and why
        self._disturbed: dict[int, str] = {}  # cells out for all but missiles, and why
        self._touched: set[int] = set()  # cells beside worked ones, whose border may be another then
        self._treated: set[int] = set()  # nations with which a treaty was made or ended
        self._filled: set[int] = set()  # fleets that a ship goes to
        self._left: set[int] = set()  # fleets that a ship may not be in any more
        self._turned: set[int] = set()  # fleets whose course was added to or cleared
        self._named: set[tuple[int, int]] = set()  # lots and offers: the list, and what names them
        self._dealt: set[int] = set()  # nations of an exchange
        self._estranged: set[int] = set()  # nations to whom the way may be closed; the own one: to all
        target = int(containment.target_in(world, rules, turn))
        seats = range(len(world.nations))
        self._ties = [
            int(menu_bonds.ties(world, rules, nation, n, target, turn)) if n != nation else 0 for n in seats
        ]
        if any(self._bars_others(n, turn) for n in seats):
            self._uses[ADMISSIONS] = 1

    def _bars_others(self, applicant: int, turn: int) -> bool:
        """Whether an applicant that may be let in would keep another one out."""
        accept = Packed(number.FACTION_DECIDE, amount=factions.APPROVE, target=applicant)
        if self._check(accept) != reason.DONE:
            return False
        return bool(menu_bonds.fights_an_applicant(self._world, self._rules, self._nation, applicant, turn))

    def refusal(self, verb: Verb, order: Packed) -> str:
        """Why a command can't follow those booked, in a few words; empty if it can."""
        if not self._world.nations["alive"][self._nation]:
            return "the nation is not on the map"
        record = self._record(verb)
        group, way = int(record["group"]), int(record["way"])
        if self._uses[ANYTHING] < 1:
            return "nothing can follow giving the nation up"
        if group >= 0 and self._uses[group] < 1:
            return f"{reason.SENTENCES[reason.ONCE_A_TURN]} after the commands before it"
        if verb.needs_cell:
            cell = self._cell(order)
            if cell in self._taken:
                return self._taken[cell]
            if cell in self._disturbed and record["bears"] < DISTURBED:
                return self._disturbed[cell]
            if cell in self._touched and record["bears"] < TOUCHED:
                what = "whose land the cell touches" if way == CEDE else "what lies beside the cell"
                return f"a command before it may change {what}"
        if record["treaty"] != FREE and (order.target in self._treated or not verb.needs_nation):
            if self._treated:
                return "a command before it changes what stands between the two nations"
        lacks = self._fleet_refusal(verb, order)
        lacks = lacks or self._deal_refusal(verb, order)
        if lacks:
            return lacks
        why = self._check(self._cut(verb, order))
        return "" if why == reason.DONE else reason.SENTENCES[why]

    def _fleet_refusal(self, verb: Verb, order: Packed) -> str:
        """Why what came before keeps a fleet from a command; empty if nothing does."""
        need = int(self._record(verb)["fleet"])
        fleet = self._fleet(verb, order)
        if need == FILLS and fleet in self._filled:
            return "a command before it puts a ship into the same fleet"
        if need == TURNS and fleet in self._turned:
            return "a command before it changes the course of the fleet"
        if need == ALL_KEPT and self._left or need in (LEADS, TURNS, OWN_KEPT) and fleet in self._left:
            return "a command before it may take a ship out of the fleet"
        return ""

    def _deal_refusal(self, verb: Verb, order: Packed) -> str:
        """Why what came before keeps nations from a deal; empty if nothing does."""
        record = self._record(verb)
        deal = int(record["deal"])
        if deal == NO_DEAL:
            return ""
        nations = {self._nation, order.target} if verb.needs_nation else self._estranged
        if menu_draft_deals.needs_way(deal) and self._estranged & nations:
            return "a command before it may close the way to the other nation"
        if menu_draft_deals.is_exchange(deal) and order.target in self._dealt:
            return "a command before it is about an exchange with the same nation"
        if self._listed(record, order) in self._named:
            return "a command before it names the same lot or offer"
        item, part = self._given(verb, order)
        left = self._aid if deal == AID else self._swaps
        if deal == AID and 0 <= item < len(left) and left[item] < 1:
            return reason.SENTENCES[reason.ONCE_A_TURN]
        if deal == SWAP_ACCEPTANCE and part > left[item]:
            return reason.SENTENCES[reason.ONCE_A_TURN]
        return ""

    def _tied(self, tie: int) -> set[int]:
        """The nations that a tie of `menu_deals` is with."""
        return {n for n, ties in enumerate(self._ties) if ties & tie}

    def _listed(self, record: Any, order: Packed) -> tuple[int, int]:
        """The list whose lot or offer a command names, and what names it; -1 if it names none."""
        of = int(record["of"][0])
        if record["factors"] == 0 or of < FIRST_LIST:
            return NOBODY, NOBODY
        return of, order.target if of == OPEN_LOTS else order.amount

    def _given(self, verb: Verb, order: Packed) -> tuple[int, int]:
        """Item and quantity of which a deal may only have so much in a turn: aid, accepted exchanges."""
        deal = int(self._record(verb)["deal"])
        if deal == SWAP_ACCEPTANCE and 0 <= order.target < len(self._world.nations):
            side = self._world.relations[order.target, self._nation]
            return int(side["swap_want"]), int(side["swap_wanted"])
        return (order.x, order.amount) if deal == AID else (0, 0)

    def _cut(self, verb: Verb, order: Packed) -> Packed:
        """A command as it will be carried out: of aid no more is sent than is left (LIMIT-012)."""
        if self._record(verb)["deal"] != AID or not 0 <= order.x < len(self._aid):
            return order
        return order._replace(amount=min(order.amount, int(self._aid[order.x])))

    def _fleet(self, verb: Verb, order: Packed) -> int:
        """The fleet that a command names, else that of the own warship on its cell, -1 none."""
        meaning = table.unpack(*order)
        named = [k for k, factor in enumerate(verb.factors) if factor.name == "fleet"]
        if named and meaning is not None:
            return meaning.values[named[0]]
        return self._fleet_at(self._cell(order)) if verb.needs_cell else NOBODY

    def _fleet_at(self, cell: int) -> int:
        if not 0 <= cell < self._world.cells.size:
            return NOBODY
        ship = int(look.own_warship(self._world, self._nation, cell))
        return int(self._world.ships["fleet"][ship]) if ship >= 0 else NOBODY

    def book(self, verb: Verb, order: Packed) -> None:
        """Take what a command that is not refused costs, spoils and uses up."""
        order = self._cut(verb, order)
        self._pay(order)
        record = self._record(verb)
        group = int(record["group"])
        if group >= 0:
            self._uses[group] -= 1
        if record["arms"]:
            self._uses[MISSILES] -= 1
        if record["closes"] >= 0:
            self._uses[int(record["closes"])] = 0
        if record["treaty"] == MAKES:
            self._treated.add(order.target)
            if record["severs"] == PACT and order.target in self._tied(PACT):
                self._treated |= self._tied(PACT)
        if record["fleet"] == FILLS:
            self._filled.add(self._fleet(verb, order))
        elif record["fleet"] == TURNS:
            self._turned.add(self._fleet(verb, order))
        elif record["fleet"] == ALL_KEPT and record["leaves"]:
            self._left.add(NOBODY)
        self._book_deal(verb, order)
        if verb.needs_cell and record["disturbs"] != NOTHING:
            self._block(verb, self._cell(order), record)

    def _book_deal(self, verb: Verb, order: Packed) -> None:
        """Note what a command leaves no more of deals."""
        record = self._record(verb)
        deal = int(record["deal"])
        if record["bars"] == ALWAYS:
            self._estranged.add(self._nation)
        if record["estranges"]:
            self._estranged.add(order.target)
        if record["severs"] != PACT or order.target in self._tied(PACT):
            self._estranged |= self._tied(int(record["severs"]))
        if menu_draft_deals.is_exchange(deal):
            self._dealt.add(order.target)
        item, part = self._given(verb, order)
        (self._aid if deal == AID else self._swaps)[item] -= part
        if deal == AID and item == RESERVES:
            self._aid[RESERVES] = 0  # the ships are spoken for
        self._named.add(self._listed(record, order))
        self._named.discard((NOBODY, NOBODY))

    def _block(self, verb: Verb, cell: int, record: Any) -> None:
        """A cell is out, and those as near as the work disturbs."""
        height, width = self._world.cells.shape
        radius = int(record["disturbs"])
        struck = radius if record["way"] == AIM else 0
        self._taken[cell] = f"{verb.name} before it is for the same cell"
        self._spoil(cell, record)
        for k in range(1, hexgrid.DISC_SIZE[max(radius, 1)]):
            near = int(hexgrid.nth(width, height, cell, k))
            if near < 0:
                continue
            distance = hexgrid.distance(width, cell, near)
            if distance <= radius:
                self._disturbed.setdefault(near, f"{verb.name} before it may change that cell")
            if distance == 1:
                self._touched.add(near)
            if distance < struck:
                self._spoil(near, record)

    def _spoil(self, cell: int, record: Any) -> None:
        """Who may lose a base fires no more, a naval port builds no ship, a ship leaves its fleet."""
        place = self._world.cells.reshape(-1)[cell]
        if place["owner"] == self._nation and place["terrain"] in BASES:
            self._uses[MISSILES] = 0
        takes_ship = record["leaves"] or record["options"] == EMBARK
        if takes_ship and look.own_warship(self._world, self._nation, cell) >= 0:
            self._aid[RESERVES] = 0
        if place["owner"] == self._nation and place["terrain"] == terrain.NAVAL_PORT:
            self._uses[SHIPS] = self._aid[RESERVES] = 0
        if place["owner"] == self._nation and place["terrain"] == terrain.PORT and record["bars"]:
            self._estranged.add(self._nation)
        if record["leaves"] and self._fleet_at(cell) != NOBODY:
            self._left.add(self._fleet_at(cell))

    def _record(self, verb: Verb) -> Any:
        return self._table.verbs[_places()[verb.name]]

    def _cell(self, order: Packed) -> int:
        return order.y * int(self._world.cells.shape[1]) + order.x

    def _check(self, order: Packed) -> int:
        turn = int(self._world.clock["turn"][0]) + 1
        nation = self._nation
        return int(validate.check(self._world, self._rules, nation, nation, turn, *order))

    def _pay(self, order: Packed) -> None:
        """Take a command's price from the means: of each the least without which it would be refused."""
        had = [means.copy() for means in self._means]
        prices = [np.zeros_like(means) for means in self._means]
        for means in self._means:
            means[...] = 0
        free = self._check(order) == reason.DONE
        self._restore(had)
        if free:
            return
        for means, price in zip(self._means, prices, strict=True):
            for k in range(len(means)):
                price[k] = self._least(means, k, order)
        for means, price in zip(self._means, prices, strict=True):
            means -= price

    def _restore(self, had: list[Any]) -> None:
        for means, before in zip(self._means, had, strict=True):
            means[...] = before

    def _least(self, means: Any, k: int, order: Packed) -> int:
        """The least of one of the means with which a command is accepted."""
        had = int(means[k])
        low, high = min(0, had), had
        while low < high:
            middle = (low + high) // 2 if low else 0  # most cost none of it
            means[k] = middle
            if self._check(order) == reason.DONE:
                high = middle
            else:
                low = middle + 1
        means[k] = had
        return high if high > 0 else 0


@lru_cache(maxsize=8)
def menu_table_of(ruleset: Ruleset) -> MenuTable:
    """What is known of all verbs in a ruleset (remembered)."""
    return menu_table.build(ruleset.rules, table.verbs())


@lru_cache(maxsize=1)
def _places() -> dict[str, int]:
    return {verb.name: place for place, verb in enumerate(table.verbs())}
