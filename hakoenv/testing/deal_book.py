"""Deals as a ledger keeps them: their terms, what became of their goods, and what is to be booked for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hakoenv.engine.codes import cause, item, lot, parcel
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules
from hakoenv.testing.deal_sight import GOODS, NOBODY, Row, Sight

FUNDS = item.FUNDS
_PERCENT = 100


@dataclass
class Deal:
    """A lot, offer of shipments, offer of exchange, supply contract or transport, and how it ended."""

    kind: str
    terms: Row
    outcome: str = ""

    def __getitem__(self, name: str) -> int:
        return self.terms[name]

    def __setitem__(self, name: str, value: int) -> None:
        self.terms[name] = value


class Book:
    """The deals of a world, and what can happen to them.

    Attributes:
        lots, promises, contracts: those that go on, by number.
        swaps: offers of exchange by the two nations.
        sendings: transports by place.
        outcomes: how often each outcome was seen, by kind and name.
        was, now: what was to be seen before and after the phase at hand.
        entries, private: what is to be booked for it, of treasuries and private sectors.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        """Begin with a world without deals."""
        self.world, self.s = world, rules.scalars[0]
        self.lots: dict[int, Deal] = {}
        self.promises: dict[int, Deal] = {}
        self.contracts: dict[int, Deal] = {}
        self.swaps: dict[tuple[int, int], Deal] = {}
        self.sendings: dict[int, Deal] = {}
        self.outcomes: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.ended: dict[str, set[int]] = {"lot": set(), "shipment": set(), "contract": set()}
        self.was = self.now = Sight(world)
        self.entries: Counter[tuple[int, int, int]] = Counter()
        self.private: Counter[tuple[int, int, int]] = Counter()
        self.opened: list[Deal] = []
        self.finished: list[tuple[int, int, int]] = []  # sender, receiver, arrived

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return int(self.world.clock["turn"][0])

    def end(self, deal: Deal, outcome: str) -> None:
        """A deal takes its outcome; there is exactly one."""
        assert not deal.outcome, (deal, outcome)
        deal.outcome = outcome
        self.outcomes[f"{deal.kind}: {outcome}"] += 1
        if deal.kind in self.ended:
            assert deal["number"] not in self.ended[deal.kind]
            self.ended[deal.kind].add(deal["number"])

    def drop_promise(self, number: int, outcome: str) -> None:
        """An offer or promise is over; what is on its way goes on without it."""
        for one in self.shipments_of(number):
            one["deal"] = 0
        self.end(self.promises.pop(number), outcome)

    def shipments_of(self, number: int) -> list[Deal]:
        """The transports of a promise."""
        return [
            one for one in self.sendings.values() if (one["kind"], one["deal"]) == (parcel.REGULAR, number)
        ]

    # ------------------------------------------------------------ lots

    def put_up(self, nation: int, what: int, turns: int, quantity: int, price: int) -> None:
        """Goods are put up for auction (AUC-001, AUC-011, AUC-014)."""
        assert self.s["auction_min_turns"] <= turns <= self.s["auction_max_turns"]
        own = [one for one in self.lots.values() if one["state"] == lot.OPEN and one["seller"] == nation]
        assert len(own) < self.s["auction_nation_max"]
        self.made["lot"] += 1
        fields = {"quantity": quantity, "min_price": price, "deadline": self.turn + turns, "what": what}
        fields |= {"number": self.made["lot"], "seller": nation, "bidder": NOBODY, "state": lot.OPEN}
        self.lots[self.made["lot"]] = Deal("lot", {**fields, "bid": 0, "settled": 0, "extensions": 0})
        self.book(nation, cause.AUCTION, what, -quantity)

    def lowest_bid(self, deal: Deal) -> int:
        """AUC-013."""
        if deal["bid"] == 0:
            return deal["min_price"]
        least = -(-deal["bid"] * int(self.s["auction_raise_percent"]) // _PERCENT)
        return deal["bid"] + max(int(self.s["auction_raise_min"]), least)

    def bid(self, deal: Deal, nation: int, bid: int) -> None:
        """A bid, its deposit, that of the one before, and the deadline (AUC-002, AUC-003, AUC-012)."""
        assert nation not in (deal["seller"], deal["bidder"]) and bid >= self.lowest_bid(deal)
        self.return_bid(deal)
        self.book(nation, cause.AUCTION, FUNDS, -bid - self.freight_part(bid))
        deal["bid"], deal["bidder"] = bid, nation
        is_late = deal["deadline"] - self.turn < self.s["auction_extend_turns"]
        if is_late and deal["extensions"] < self.s["auction_extend_max"]:
            deal["deadline"] = self.turn + int(self.s["auction_extend_turns"])
            deal["extensions"] += 1

    def freight_part(self, bid: int) -> int:
        """What is held for freight with a bid (AUC-002)."""
        return -(-bid * int(self.s["auction_freight_percent"]) // _PERCENT)

    def return_bid(self, deal: Deal) -> None:
        """The deposit of the highest bid goes back, unless its nation is gone."""
        if deal["bidder"] >= 0 and self.now.alive[deal["bidder"]]:
            held = deal["bid"] + self.freight_part(deal["bid"])
            self.book(deal["bidder"], cause.RETURNED, FUNDS, held)
        deal["bid"], deal["bidder"] = 0, NOBODY

    # ------------------------------------------------------------ transports

    def send(self, kind: int, what: int, quantity: int, sender: int, receiver: int, **held: int) -> None:
        """Goods leave a treasury for another's; without any there is no transport."""
        if kind != parcel.AUCTION:  # of these they left when they were put up
            self.book(sender, GOODS[kind], what, -quantity)
        if quantity > 0:
            self.open(kind, what, quantity, sender, receiver, **held)

    def open(self, kind: int, what: int, quantity: int, sender: int, receiver: int, **held: int) -> Deal:
        """A transport all of whose goods wait."""
        terms = {"kind": kind, "what": what, "quantity": quantity, "sender": sender, "receiver": receiver}
        terms |= {"created": self.turn, "port": NOBODY, "price": 0, "freight": 0, "deal": 0, **held}
        terms |= {"waiting": quantity, "arrived": 0, "lost": 0, "returned": 0}
        for side in ("sender", "receiver"):
            terms[f"{side}_founded"] = self.now.founded[terms[side]]
        self.opened.append(Deal(f"transport of {parcel.NAMES[kind]}", terms))
        return self.opened[-1]

    def place_opened(self) -> None:
        """Find the records of the transports that have begun in this phase."""
        for place in sorted(set(self.now.sent) - set(self.sendings)):
            row = self.now.sent[place]
            names = ("kind", "what", "quantity", "sender", "receiver", "price", "deal", "created", "port")
            found = [one for one in self.opened if all(one[name] == row[name] for name in names)]
            assert found, f"a transport that nobody sent: {row}"
            self.opened.remove(found[0])
            self.sendings[place] = found[0]
        assert self.opened == []

    def arrive(self, deal: Deal, quantity: int) -> None:
        """So much has come to the receiver."""
        assert quantity >= 0
        deal["arrived"] += quantity
        self.give(deal, "receiver", GOODS[deal["kind"]], deal["what"], quantity)

    def take_back(self, deal: Deal, quantity: int) -> None:
        """So much has come back to the sender."""
        assert quantity >= 0
        deal["returned"] += quantity
        self.give(deal, "sender", cause.RETURNED, deal["what"], quantity)

    def lose(self, deal: Deal, quantity: int) -> None:
        """So much is no more."""
        assert quantity >= 0
        deal["lost"] += quantity

    def settle(self, place: int) -> None:
        """A transport of which nothing waits or is under way is over, and paid for (MER-078)."""
        deal = self.sendings[place]
        if deal["arrived"] + deal["lost"] + deal["returned"] < deal["quantity"]:
            return
        parts = [name for name in ("arrived", "lost", "returned") if deal[name]]
        outcome = parts[0] if len(parts) == 1 else "in parts"
        self.pay_out(deal, {"arrived": "delivered", "returned": "came back"}.get(outcome, outcome))
        self.finished.append((deal["sender"], deal["receiver"], deal["arrived"]))
        self.end(self.sendings.pop(place), outcome)

    def pay_out(self, deal: Deal, outcome: str) -> None:
        """The sender gets the price of what arrived, the receiver the rest; a lot is over with it.

        AUC-008, AUC-009, SHIP-011.
        """
        paid = deal["price"] * deal["arrived"] // deal["quantity"]
        self.give(deal, "sender", GOODS[deal["kind"]], FUNDS, paid)
        self.give(deal, "receiver", cause.RETURNED, FUNDS, deal["price"] - paid + deal["freight"])
        deal["price"] = deal["freight"] = 0
        if deal["kind"] == parcel.AUCTION and deal["deal"]:
            self.end(self.lots.pop(deal["deal"]), outcome)
            deal["deal"] = 0

    def give(self, deal: Deal, side: str, why: int, what: int, amount: int) -> None:
        """To the nation that it was, not to one that was founded on its seat later."""
        n = deal[side]
        if self.now.alive[n] and self.now.founded[n] == deal[f"{side}_founded"]:
            self.book(n, why, what, amount)

    def book(self, nation: int, why: int, what: int, amount: int) -> None:
        """An entry of a treasury is due."""
        self.entries[nation, why, what] += amount
