"""What a prompt tells a model about commands: all of them in short, and the legal ones with examples."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item
from hakoenv.engine.commands import prices, table, validate
from hakoenv.engine.commands.table import Packed, Verb
from hakoenv.engine.world import World
from hakoenv.obs import menu_table
from hakoenv.obs.language import forms
from hakoenv.obs.language.booking import menu_table_of
from hakoenv.obs.language.vocabulary import COLUMN, NATION, ROW, Vocabulary
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_deals import LISTED
from hakoenv.obs.menu_table import CELL, HEADS
from hakoenv.obs.menu_table import NATION as NATION_HEAD
from hakoenv.obs.spec import Spec
from hakoenv.ruleset import Rules, Ruleset, codes

_LATE = 1 << 30  # a turn in which no early price holds
_TRIES = 1024  # combinations of values tried for an example
_PLACEHOLDERS = {COLUMN: "x", ROW: "y", NATION: "nation_N"}
REMARKS = (
    "directions: 0 none, 1 north_east, 2 east, 3 south_east, 4 south_west, 5 west, 6 north_west",
    "percentages, strengths, quantities and prices are whole numbers; strength and people in units of 100",
    "a lot is named by its number, an offer of regular shipments to the nation by number x 100 + revision",
    "commands are carried out from the front of the queue up to the first that uses the turn; the rest waits",
)
"""What the lines of `describe` leave out."""


_PRICES_OF_DEALS = {
    "auction_list": "the goods, until the lot is settled",
    "auction_bid": "the bid and {freight} percent of it for freight, until it is outbid",
    "national_aid": "the goods, and freight when they start",
    "exchange:offer": "the goods when it is accepted, and freight",
    "exchange:accept": "the goods that are asked for, and freight",
    "regular_offer": "goods and freight of each shipment when it starts",
    "regular_accept": "the price of each shipment when it starts",
}


class Offer(NamedTuple):
    """A verb that is legal now.

    Attributes:
        verb: the verb.
        examples: legal commands of it, of different cells, nations, lots or offers.
        ways: how many of these it could name; 1 if it names none.
    """

    verb: Verb
    examples: tuple[Packed, ...]
    ways: int

    def __str__(self) -> str:
        lines = ", ".join(f"`{forms.line(order)}`" for order in self.examples)
        more = self.ways - len(self.examples)
        return f"{lines} and {more} more" if more > 0 else lines


def describe(vocabulary: Vocabulary, turn: int = _LATE) -> list[str]:
    """A line for each verb on offer: how it is written, what it does and costs, whether it uses the turn.

    Args:
        vocabulary: which verbs.
        turn: for whose prices; some are lower early in a season.
    """
    rules = vocabulary.ruleset.rules
    found = []
    for verb in vocabulary.offered:
        form = forms.template(verb, vocabulary.arguments(verb), _PLACEHOLDERS)
        uses = "uses the turn" if rules.commands["turns"][verb.command] > 0 else "takes no turn"
        found.append(f"{form} - {verb.words}; {price(vocabulary.ruleset, verb, turn)}; {uses}")
    return found


def price(ruleset: Ruleset, verb: Verb, turn: int = _LATE) -> str:
    """What a verb costs in words, from the least to the greatest price where it depends on the cell."""
    rules = ruleset.rules
    if verb.command == number.PLACE_UNIT:
        row = _names(ruleset, "unit_types").index(verb.kind)
        return f"{int(rules.unit_types[row]['cost_per_strength'])} funds for each strength"
    if verb.name in _PRICES_OF_DEALS:
        return _PRICES_OF_DEALS[verb.name].format(freight=rules.scalars["auction_freight_percent"][0])
    rows = [
        [prices.price(rules, turn, *place, what) for what in range(item.COUNT)]
        for place in _price_places(ruleset, verb)
    ]
    least, most = np.min(rows, axis=0).tolist(), np.max(rows, axis=0).tolist()
    parts = [
        f"{low if low == high else f'{low}..{high}'} {codes.ITEM_NAMES[what]}"
        for what, (low, high) in enumerate(zip(least, most, strict=True))
        if high
    ]
    parts = parts[-1:] + parts[:-1] if parts and most[item.FUNDS] else parts  # funds first
    told = ", ".join(parts) or "free"
    if parts and verb.command == number.LAY_MINE:
        return f"{told} for each strength"
    return f"{told} a shot" if parts and rules.commands["per_shot"][verb.command] else told


def offers(world: World, rules: Rules, vocabulary: Vocabulary, nation: int, most: int = 3) -> list[Offer]:
    """The verbs that are legal now on what a nation can know, with examples: what its menu offers.

    Args:
        world: between two turns; not changed.
        rules: its rules.
        vocabulary: which verbs.
        nation: who asks.
        most: examples of a verb.
    """
    names = tuple(verb.name for verb in vocabulary.offered)
    spec, menu = _views(vocabulary.ruleset, vocabulary.seats, names)
    seen, allowed = spec.buffers(), menu.buffers()
    spec.fill(world, rules, seen)
    menu.fill(world, rules, seen["cell_index"], allowed)
    mask = menu.of(allowed, nation)
    found = []
    for v in range(len(menu.verbs)):
        if mask["verbs"][v + 1]:
            offer = _offer(world, rules, menu, mask, nation, v, most)
            found += [offer] if offer.examples else []
    return found


def _offer(world: World, rules: Rules, menu: Menu, mask: Any, nation: int, v: int, most: int) -> Offer:
    """Examples of a verb of a menu, each asked of the validator again."""
    verb = menu.verbs[v]
    spots = np.flatnonzero(mask["cells"][menu.cell_row[v]]).tolist() if verb.needs_cell else [0]
    partners = np.flatnonzero(mask["nations"][v]).tolist() if verb.needs_nation else [0]
    picks = [np.flatnonzero(mask["factors"][v, f]).tolist() for f in range(len(verb.factors))]
    things: list[Any] = [None]  # lots and offers of a list
    if menu.source(v, 0) in LISTED:
        things, picks = picks[0], picks[1:]
    ways = [
        (spot, partner, thing)
        for spot, partner, thing in product(spots, partners, things)
        if not (verb.needs_cell and verb.needs_nation) or int(mask["beside"][spot]) >> partner & 1
    ]
    examples = []
    for spot, partner, thing in ways[:most]:
        first = [] if thing is None else [thing]
        for chosen in islice(product(*picks), _TRIES):
            heads = [v + 1, partner, spot, *first, *chosen]
            order = _order(world, menu, mask, nation, heads)
            if order is not None and validate.is_legal(world, rules, nation, *order):
                examples.append(order)
                break
    return Offer(verb, tuple(examples), len(ways))


def _order(world: World, menu: Menu, mask: Any, nation: int, heads: list[int]) -> Packed | None:
    """The command that heads say, None if they say another verb's."""
    verb = menu.verbs[heads[0] - 1]
    x, y = mask["places"][heads[CELL]].tolist()
    people = int(world.cells["population"][y, x]) if verb.needs_cell else 0
    numbers = menu.numbers(mask, [*heads, *[0] * (HEADS - len(heads))], people)
    try:
        return table.pack(verb, (x, y), (nation + heads[NATION_HEAD]) % menu.seats, numbers)
    except ValueError:
        return None


def _price_places(ruleset: Ruleset, verb: Verb) -> list[tuple[int, int, int, int]]:
    """Where the prices of a verb stand: command, kind, row and level of each."""
    own = [(verb.command, int(prices.COMMAND), verb.command, 0)]
    known = menu_table_of(ruleset)
    place = table.verbs().index(verb)
    record = known.verbs[place]
    if verb.command == number.RESEARCH:
        branch = verb.fixed["amount"]
        levels = range(1, known.price_levels[prices.RESEARCH, branch] + 1)
        return [(verb.command, int(prices.RESEARCH), branch, level) for level in levels] or own
    if record["cell_row"] < 0:
        return own
    if validate.HANDLED[verb.command] == validate.OF_NAVY and record["way"] != menu_table.GROUND:
        return [
            (verb.command, kind, row, max(1, level))
            for kind, row in menu_table.prices_of(record)
            for level in range(int(known.price_levels[kind, row]) + 1)
        ]
    costs = known.costs[record["cell_row"]]
    listed = [known.prices[p] for p in costs[1 : costs[0] + 1] if p]
    return [tuple(int(field) for field in row.tolist()) for row in listed] or own  # type: ignore[misc]


def _names(ruleset: Ruleset, name: str) -> list[str]:
    return [str(row["name"]) for row in ruleset.table(name)]


@lru_cache(maxsize=8)
def _views(ruleset: Ruleset, seats: int, names: tuple[str, ...]) -> tuple[Spec, Menu]:
    spec = Spec(ruleset, seats)
    return spec, Menu(ruleset, seats, names, spec.cell_count)
