"""A ledger of deals, kept beside the engine: what each is about, and in which of its outcomes it ends.

It replays the orders that were carried out, and takes from what is seen before and after a phase how goods
moved. From that follow, by the rules, all records of deals and every entry of theirs in the books, which are
compared after each phase to the unit.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from hakoenv.engine.codes import cause, command, event, item, lot, parcel, reason
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules
from hakoenv.testing import deal_permits as permits
from hakoenv.testing.deal_book import FUNDS, Book, Deal
from hakoenv.testing.deal_sight import NOBODY, PRIVATE, SWAP, TREASURY, Sight, known

_ITEM, _QUANTITY, _PRICE = 10**11, 10**7, 10**3  # bases of the amount of command 94
_GIVEN, _REVISION = 10**4, 100  # of commands 124 and 95
_ACCEPT, _WITHDRAW = 0, -1  # amounts of command 124
_PERCENT = 100


class Ledger(Book):
    """Follows every deal of a world from its beginning to its end; whoever runs the phases tells it of each.

    Attributes:
        phases: what is to be told of, by name of the phase; `between turns` is what a test does to the world.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        """Begin with a world without deals."""
        super().__init__(world, rules)
        self._units = [max(1, int(row["units_per_container"])) for row in rules.resources]
        self._told: list[tuple[int, int, int, int]] = []  # kind, nation, other, amount
        self._given: Counter[tuple[int, int]] = Counter()
        self.phases = {
            "between turns": self._ships,
            "turn_state": self._lapse,
            "plans": self._plans,
            "auctions": self._auctions,
            "shipping_open": self._shipping_open,
            "diplomatic_transport": self._transport,
            "shipping_plan": self._shipping_plan,
            "port_handling_1": self._handling,
            "fast_ships": self._ships,
            "port_handling_2": self._handling,
            "ordinary_ships": self._ships,
            "port_handling_3": self._handling,
            "cruise_and_raids": self._raids,
            "disasters": self._ships,
            "abandoned_land": self._deaths,
            "sightings": self._note_contracts,
        }

    # ------------------------------------------------------------ a phase

    def enter(self, phase: str) -> None:
        """Enter what a phase did, and compare all that follows from it with the world.

        Raises:
            AssertionError: something is otherwise.
        """
        if phase == "turn_state":  # phases 2 and 3 have emptied the lists of the turn
            self.was.events = 0
            self.was.accounts[:] = self.was.private_accounts[:] = self.was.payments[:] = 0
        self.now = Sight(self.world)
        self._told = [
            (int(e["kind"]), int(e["nation"]), int(e["other"]), int(e["amount"]))
            for e in self.world.events[self.was.events : self.now.events]
        ]
        self.entries, self.private = Counter(), Counter()
        self.opened, self.finished = [], []
        self.phases[phase]()
        self.place_opened()
        self._check_records(phase)
        self._check_entries(phase)
        self.was = self.now

    def check_numbers(self) -> None:
        """Every number that was ever given is that of a deal that goes on, or of one that has ended once.

        Raises:
            AssertionError: one is missing, or there twice.
        """
        for kind, table, count in (
            ("lot", self.lots, "lots_made"),
            ("shipment", self.promises, "promises_made"),
            ("contract", self.contracts, "contracts_made"),
        ):
            assert self.made[kind] == int(self.world.clock[count][0])
            assert not self.ended[kind] & set(table)
            assert self.ended[kind] | set(table) == set(range(1, self.made[kind] + 1))

    def _check_records(self, phase: str) -> None:
        """Records and events are those that follow from the rules."""
        for table in ("lots", "promises", "contracts", "swaps"):
            mine = {key: deal.terms for key, deal in getattr(self, table).items()}
            assert mine == {key: known(row) for key, row in getattr(self.now, table).items()}, (phase, table)
        assert sorted(self.sendings) == sorted(self.now.sent), phase
        for place, deal in self.sendings.items():
            row = self.now.sent[place]
            assert {name: row[name] for name in deal.terms if name in row}.items() <= deal.terms.items(), (
                phase
            )
            there = deal["waiting"] + self.now.under_way(place) + deal["arrived"]
            assert there + deal["lost"] + deal["returned"] == deal["quantity"], phase
        told = Counter(row[1:] for row in self._told if row[0] == event.DELIVERED)
        assert told == Counter(self.finished), phase
        for number, deal in self.contracts.items():
            assert len(self.now.carriers.get(number, ())) == deal["sent"] - deal["delivered"], phase

    def _check_entries(self, phase: str) -> None:
        """What was booked is what follows from the rules, to the unit."""
        for causes, mine, then, now in (
            (TREASURY, self.entries, self.was.accounts, self.now.accounts),
            (PRIVATE, self.private, self.was.private_accounts, self.now.private_accounts),
        ):
            changed = np.argwhere(now != then).tolist()
            booked = Counter({(n, causes[k], what): int((now - then)[n, k, what]) for n, k, what in changed})
            wrong = {key: (booked[key], mine[key]) for key in {*booked, *mine} if booked[key] != mine[key]}
            assert not wrong, f"{phase}: entries by nation, cause and item, booked and due: {wrong}"

    # ------------------------------------------------------------ phase 5

    def _lapse(self) -> None:
        """Offers that nobody took, and promises whose turns are over (SHIP-001, SHIP-005, CMD-047)."""
        for pair, offer in list(self.swaps.items()):
            if offer["swap_until"] < self.turn:
                self.end(self.swaps.pop(pair), "lapsed")
        for number, deal in list(self.promises.items()):
            is_open = not deal["accepted"] and self.turn <= deal["offered"] + self.s["regular_offer_turns"]
            is_over = not is_open and not self._runs(deal)
            if is_over and not any(one["waiting"] for one in self.shipments_of(number)):
                self.drop_promise(number, "over" if deal["accepted"] else "lapsed")

    # ------------------------------------------------------------ phase 14

    def _plans(self) -> None:
        """Replay what was carried out, nation by nation."""
        orders = {
            command.AUCTION_LIST: self._list,
            command.AUCTION_BID: self._bid_for,
            command.REGULAR_OFFER: self._offer_regular,
            command.REGULAR_ACCEPT: self._accept_regular,
            command.REGULAR_WITHDRAW: self._withdraw_regular,
            command.EXCHANGE: self._exchange,
            command.NATIONAL_AID: self._aid,
        }
        self._given.clear()
        for n in [int(n) for n in self.world.order if n >= 0]:
            for row in self.world.results[n, : int(self.world.nations["result_count"][n])]:
                is_done = row["reason"] == reason.DONE and row["turn"] == self.turn
                if is_done and int(row["command"]) in orders:
                    numbers = (int(row[name]) for name in ("x", "y", "amount", "target"))
                    orders[int(row["command"])](n, *numbers)

    def _list(self, nation: int, what: int, turns: int, quantity: int, price: int) -> None:
        self.put_up(nation, what, turns, quantity, price)

    def _bid_for(self, nation: int, x: int, y: int, bid: int, number: int) -> None:
        self.bid(self.lots[number], nation, bid)

    def _offer_regular(self, nation: int, x: int, y: int, amount: int, target: int) -> None:
        """An offer, or a change of the open one for the same port (SHIP-002, SHIP-003)."""
        port = y * self.world.cells.shape[1] + x
        terms = {"seller": nation, "buyer": target, "what": amount // _ITEM, "port": port}
        same = [one for one in self.promises.values() if terms.items() <= one.terms.items()]
        found = next((one for one in same if not one["accepted"]), None)
        if found is None:
            self.made["shipment"] += 1
            found = Deal("shipment", {**terms, "number": self.made["shipment"], "revision": 0, "accepted": 0})
            self.promises[found["number"]] = found
        found["revision"] += 1
        found["offered"] = self.turn
        found["quantity"] = amount % _ITEM // _QUANTITY
        found["price"], found["freight_cap"] = amount % _QUANTITY // _PRICE, amount % _PRICE
        row = self.now.promises.get(found["number"])  # none: withdrawn in the same plan
        found["interval"] = row["interval"] if row else 0  # measured now, and fixed: SHIP-004

    def _accept_regular(self, nation: int, x: int, y: int, amount: int, target: int) -> None:
        """The buyer takes terms that it has seen, if its port has a place (SHIP-003, SHIP-005, SHIP-009)."""
        deal = self.promises[amount // _REVISION]
        assert (deal["buyer"], deal["revision"], deal["accepted"]) == (nation, amount % _REVISION, 0)
        assert 1 <= self.turn - deal["offered"] <= self.s["regular_offer_turns"]
        deal["accepted"] = self.turn
        running = [one for one in self.promises.values() if one["port"] == deal["port"] and self._runs(one)]
        is_large = self.world.cells["level"].flat[deal["port"]] >= self.s["port_large_level"]
        assert len(running) <= self.s["regular_per_large_port" if is_large else "regular_per_port"]

    def _withdraw_regular(self, nation: int, x: int, y: int, number: int, target: int) -> None:
        """Only an own offer that nobody has accepted (SHIP-006)."""
        assert (self.promises[number]["seller"], self.promises[number]["accepted"]) == (nation, 0)
        self.drop_promise(number, "withdrawn")

    def _exchange(self, nation: int, give: int, want: int, amount: int, target: int) -> None:
        """An offer of an exchange, its withdrawal, or its acceptance (CMD-047)."""
        if amount == _ACCEPT:
            offer = self.swaps.pop((target, nation))
            assert self.turn > offer["swap_until"] - self.s["diplomacy_exchange_offer_turns"]
            self.end(offer, "accepted")
            self.send(parcel.EXCHANGE, offer["swap_give"], offer["swap_given"], target, nation)
            self.send(parcel.EXCHANGE, offer["swap_want"], offer["swap_wanted"], nation, target)
            return
        if (nation, target) in self.swaps:
            self.end(self.swaps.pop((nation, target)), "withdrawn" if amount == _WITHDRAW else "replaced")
        if amount > 0:
            until = self.turn + int(self.s["diplomacy_exchange_offer_turns"])
            terms = (until, give, amount // _GIVEN, want, amount % _GIVEN)
            self.swaps[nation, target] = Deal("exchange", dict(zip(SWAP, terms, strict=True)))

    def _aid(self, nation: int, what: int, y: int, amount: int, target: int) -> None:
        """Goods or funds, cut to what may be given in a turn (AID-007); reserves go by warship."""
        if what > FUNDS:
            return
        name = {FUNDS: "funds", item.FOOD: "food"}.get(what, "resources")
        once, most = (int(self.s[f"aid_caps_{name}_max_per_{span}"]) for span in ("send", "turn"))
        quantity = min(amount, once, most - self._given[nation, what])
        self._given[nation, what] += quantity
        self.send(parcel.AID, what, quantity, nation, target)

    # ------------------------------------------------------------ 14+

    def _auctions(self) -> None:
        """AI nations list and bid, lots whose deadline has come are closed, late deals are undone."""
        self._replay_ai()
        due = [n for n in sorted(self.lots) if self.lots[n]["deadline"] <= self.turn]
        closed = [self._close(self.lots[n]) for n in due if self.lots[n]["state"] == lot.OPEN]
        assert closed == [row for row in self._told if row[0] in (event.LOT_SOLD, event.LOT_RETURNED)]
        for place, deal in list(self.sendings.items()):
            if deal["kind"] == parcel.AUCTION and deal["deal"]:
                if self.turn - self.lots[deal["deal"]]["settled"] >= self.s["auction_delivery_turns"]:
                    self._give_up(place, deal, "undone")  # AUC-017

    def _replay_ai(self) -> None:
        """AI nations make the lowest bids; a first bid is told by its record alone (AUC-023, AUC-024)."""
        for kind, nation, other, amount in self._told:
            if kind == event.LOT_LISTED:
                row = self.now.lots[amount]
                self.put_up(
                    nation, row["what"], row["deadline"] - self.turn, row["quantity"], row["min_price"]
                )
            elif kind == event.OUTBID:
                if self.lots[amount]["bidder"] < 0:
                    self._bid_lowest(self.lots[amount], nation)
                assert self.lots[amount]["bidder"] == nation
                self._bid_lowest(self.lots[amount], other)
        last = {number: row["bidder"] for number, row in self.now.lots.items()}
        last |= {number: other for kind, _, other, number in self._told if kind == event.LOT_RETURNED}
        for number, deal in self.lots.items():
            if deal["state"] == lot.OPEN and deal["bidder"] < 0 <= last[number]:
                self._bid_lowest(deal, last[number])

    def _bid_lowest(self, deal: Deal, nation: int) -> None:
        assert permits.may_have_lot(self.world, deal["seller"], nation)  # AUC-016
        self.bid(deal, nation, self.lowest_bid(deal))

    def _close(self, deal: Deal) -> tuple[int, int, int, int]:
        """A lot is sold, or its goods go back; what is told of it (AUC-004, AUC-005, AUC-016)."""
        number, seller, bidder, bid = (deal[name] for name in ("number", "seller", "bidder", "bid"))
        has_room = len(self.sendings) + len(self.opened) < len(self.world.transports)
        if bidder >= 0 and has_room and permits.may_have_lot(self.world, seller, bidder):
            deal["state"], deal["settled"] = lot.SOLD, self.turn
            held = {"price": bid, "freight": self.freight_part(bid), "deal": number}
            self.send(parcel.AUCTION, deal["what"], deal["quantity"], seller, bidder, **held)
            return event.LOT_SOLD, seller, bidder, bid
        self.return_bid(deal)
        self.book(seller, cause.RETURNED, deal["what"], deal["quantity"])
        self.end(self.lots.pop(number), "called off" if bidder >= 0 else "unsold")
        return event.LOT_RETURNED, seller, bidder, number

    def _give_up(self, place: int, deal: Deal, outcome: str) -> None:
        """What is held is paid at once; goods ashore are back, or gone with a nation that fell.

        What is aboard turns around.
        """
        gone = deal["waiting"] + self.was.under_way(place) - self.now.under_way(place)
        deal["waiting"] = 0
        self.pay_out(deal, outcome)
        if self.now.alive[deal["sender"]]:
            self.take_back(deal, gone)
        else:
            self.lose(deal, gone)
        self.settle(place)

    # ------------------------------------------------------------ phases 15 and 19

    def _shipping_open(self) -> None:
        """All that is no longer there has gone back (MER-048, MER-073)."""
        for place, deal in list(self.sendings.items()):
            self.take_back(deal, self.was.under_way(place) - self.now.under_way(place))
            self.settle(place)
        self._note_contracts()

    def _shipping_plan(self) -> None:
        """Transports that can't go on are called off, impossible contracts end, others are signed or sent."""
        for place, deal in list(self.sendings.items()):
            turned = self.was.onward[place] - self.now.onward[place]
            assert turned == 0 or self._is_off(place, deal)
            self.take_back(deal, self.was.under_way(place) - self.now.under_way(place))
            self.settle(place)
        for number, deal in list(self.contracts.items()):
            if number not in self.now.contracts:
                assert self._is_impossible(deal)
                self.end(self.contracts.pop(number), "impossible")
        for number, row in self.now.contracts.items():
            if number not in self.contracts:
                self._sign(number)
            sent = row["sent"] - self.contracts[number]["sent"]
            self.private[row["seller"], cause.SUPPLY, row["what"]] -= sent * row["quantity"]
        self._note_contracts()

    def _is_off(self, place: int, deal: Deal) -> bool:
        """Whether something of a transport can't be loaded or landed any more (MER-078)."""
        sender, receiver = deal["sender"], deal["receiver"]
        return not permits.may_call(self.world, receiver, sender) or any(
            (port >= 0 and not permits.is_port_of(self.world, sender, port))
            or not permits.is_port_of(self.world, receiver, goal)
            for port, goal in self.was.ends[place]
        )

    def _sign(self, number: int) -> None:
        """A new contract, of which nothing is sent yet (SUP-016)."""
        self.made["contract"] += 1
        deal = Deal("contract", {**known(self.now.contracts[number]), "sent": 0})
        self.contracts[number] = deal
        assert number == self.made["contract"] and (deal["signed"], deal["delivered"]) == (self.turn, 0)
        for n in (deal["seller"], deal["buyer"]):
            own = [one for one in self.contracts.values() if n in (one["seller"], one["buyer"])]
            assert len(own) <= self.s["supply_nation_max"]

    def _note_contracts(self) -> None:
        """What of contracts changes as they go on: the port, and what has been sent (SUP-014, SUP-018)."""
        for number, deal in self.contracts.items():
            for name in ("port", "sent", "refused"):
                deal[name] = self.now.contracts[number][name]

    def _is_impossible(self, deal: Deal) -> bool:
        """SUP-015."""
        seller, buyer, port = deal["seller"], deal["buyer"], deal["port"]
        has_port = port < 0 or permits.is_port_of(self.world, buyer, port)
        return not has_port or not permits.may_trade_by_sea(self.world, seller, buyer)

    # ------------------------------------------------------------ phase 16

    def _transport(self) -> None:
        """What waits goes by land, by ship, or back if there is no way; then shipments start."""
        rows = self.now.sent.items()
        new = {p for p, row in rows if row["kind"] == parcel.REGULAR and row["created"] == self.turn}
        for place, deal in list(self.sendings.items()):
            if place in self.now.sent and place not in new:
                self._carry(place, deal)
            else:
                self._finish(deal)
            self.settle(place)
        self._start_shipments({self.now.sent[place]["deal"]: place for place in sorted(new)})

    def _carry(self, place: int, deal: Deal) -> None:
        """Ships were hired for a part, or a part went by land or back; something of it goes on."""
        row = self.now.sent[place]
        assert 0 <= row["freight"] <= deal["freight"]  # AUC-007
        deal["freight"] = row["freight"]
        arrived = row["arrived"] - deal["arrived"]
        aboard = self.now.under_way(place) - self.was.under_way(place)
        back = deal["waiting"] - row["waiting"] - arrived - aboard
        deal["waiting"] = row["waiting"]
        assert aboard >= 0 and (back == 0 or not self._has_way(deal))
        self.arrive(deal, arrived)
        self.take_back(deal, back)

    def _finish(self, deal: Deal) -> None:
        """All that waited went by land, or back."""
        rest, sender, receiver = deal["waiting"], deal["sender"], deal["receiver"]
        deal["waiting"] = 0
        if not permits.by_land(self.world, sender, receiver):
            assert not self._has_way(deal)
            self.take_back(deal, rest)
            return
        if deal["kind"] == parcel.AUCTION:
            deal["freight"] -= self._land_fare(deal["what"], rest)
        self.arrive(deal, rest)

    def _has_way(self, deal: Deal) -> bool:
        sender, receiver = deal["sender"], deal["receiver"]
        by_land = permits.by_land(self.world, sender, receiver)
        return by_land or permits.by_sea(self.world, sender, receiver, deal["port"])

    def _land_fare(self, what: int, quantity: int) -> int:
        """0.15 funds a container, in whole funds (MER-015)."""
        if what == FUNDS:
            return 0
        containers = -(-quantity // self._units[what])
        return -(-containers * 15 // _PERCENT)

    def _start_shipments(self, new: dict[int, int]) -> None:
        """Each promise that is due sends its shipment or skips it (SHIP-004, SHIP-008, SHIP-011)."""
        due = [number for number, deal in sorted(self.promises.items()) if self._is_due(deal)]
        assert set(new) <= set(due)
        for number, place in new.items():
            one = self._start(self.promises[number])
            one["waiting"] = self.now.sent[place]["waiting"]
            self.arrive(one, self.now.sent[place]["arrived"])
        at_once = self._arrived_at_once([number for number in due if number not in new])
        for number in at_once:
            one = self._start(self.promises[number])
            self.arrive(one, one["quantity"])
            self.opened.remove(one)
            self.sendings[NOBODY] = one
            self.settle(NOBODY)
        self.outcomes["one shipment: sent"] += len(new) + len(at_once)
        self.outcomes["one shipment: skipped"] += len(due) - len(new) - len(at_once)

    def _is_due(self, deal: Deal) -> bool:
        return self._runs(deal) and (self.turn - deal["accepted"]) % max(1, deal["interval"]) == 0

    def _runs(self, deal: Deal) -> bool:
        """Whether a promise is in force (SHIP-001)."""
        return bool(deal["accepted"] and self.turn < deal["accepted"] + self.s["regular_promise_turns"])

    def _start(self, deal: Deal) -> Deal:
        """Goods and price leave the two treasuries; the port is there and open (SHIP-008, SHIP-011)."""
        seller, buyer, port = deal["seller"], deal["buyer"], deal["port"]
        assert permits.may_call(self.world, buyer, seller) and permits.owns_port(self.world, buyer, port)
        self.book(buyer, cause.SHIPMENT, FUNDS, -deal["price"])
        self.book(seller, cause.SHIPMENT, deal["what"], -deal["quantity"])
        held = {"price": deal["price"], "deal": deal["number"], "port": port}
        return self.open(parcel.REGULAR, deal["what"], deal["quantity"], seller, buyer, **held)

    def _arrived_at_once(self, due: list[int]) -> list[int]:
        """Of the promises that may have sent all by land, those that explain events and entries."""
        told = Counter(row[1:] for row in self._told if row[0] == event.DELIVERED) - Counter(self.finished)
        by_land = [k for k in due if self._goes_by_land(self.promises[k])]
        row = TREASURY.index(cause.SHIPMENT)
        booked = (self.now.accounts - self.was.accounts)[:, row]
        for chosen in combinations(by_land, told.total()):
            deals = [self.promises[k] for k in chosen]
            rest = booked.copy()
            for (nation, why, what), amount in self.entries.items():
                rest[nation, what] -= amount if why == cause.SHIPMENT else 0
            for deal in deals:
                for one, other, what in (("seller", "buyer", deal["what"]), ("buyer", "seller", FUNDS)):
                    quantity = deal["price"] if what == FUNDS else deal["quantity"]
                    rest[deal[one], what] += quantity
                    rest[deal[other], what] -= quantity
            if Counter((d["seller"], d["buyer"], d["quantity"]) for d in deals) == told and not rest.any():
                return list(chosen)
        raise AssertionError(f"no shipments over land explain {told}")

    def _goes_by_land(self, deal: Deal) -> bool:
        return permits.by_land(self.world, deal["seller"], deal["buyer"])

    # ------------------------------------------------------------ phases 20 .. 27

    def _handling(self) -> None:
        """What is unloaded at a port has arrived, or come back."""
        for place, deal in list(self.sendings.items()):
            arrived = self.was.onward[place] - self.now.onward[place]
            assert arrived == 0 or permits.may_call(self.world, deal["receiver"], deal["sender"])
            self.arrive(deal, arrived)
            self.take_back(deal, self.was.back[place] - self.now.back[place])
            self.settle(place)
        for number, deal in list(self.contracts.items()):
            self._supply(deal, self.was.supplies[number] - self.now.supplies[number])
            deal["delivered"] += len(self.was.carriers.get(number, ()))
            deal["delivered"] -= len(self.now.carriers.get(number, ()))
            if number not in self.now.contracts:  # SUP-007
                assert deal["delivered"] == self.s["supply_deliveries"]
                self.end(self.contracts.pop(number), "kept")
        self._note_contracts()

    def _supply(self, deal: Deal, quantity: int) -> None:
        """Goods of a contract arrive: the signed price, and the tariff of today (SUP-008, SUP-009)."""
        seller, buyer, price = deal["seller"], deal["buyer"], deal["price"]
        own = int(self.world.relations[buyer, seller]["tariff"])
        percent = own if own >= 0 else int(self.world.nations["tariff"][buyer])
        self.private[buyer, cause.SUPPLY, deal["what"]] += quantity
        self.private[buyer, cause.SUPPLY, FUNDS] -= quantity * (price + price * percent // _PERCENT)
        self.private[seller, cause.SUPPLY, FUNDS] += quantity * price

    def _ships(self) -> None:
        """Ships sink."""
        self._note_losses(may_loot=False)
        self._note_contracts()

    def _note_losses(self, may_loot: bool) -> None:
        """What was aboard a ship that sank is lost, what waited ashore for it goes back (MER-036).

        Pirates take of what goes one way between nations, but never money (SHIP-012, MER-059).
        """
        sunk = [ship for ship, serial in self.was.ships.items() if self.now.ships.get(ship) != serial]
        for place, deal in list(self.sendings.items()):
            drowned = sum(self.was.aboard[place, ship] for ship in sunk)
            back = sum(self.was.ashore[place, ship] for ship in sunk)
            lost = self.was.under_way(place) - self.now.under_way(place) - back
            is_prey = deal["what"] != FUNDS and deal["kind"] in (parcel.AID, parcel.AUCTION)
            assert lost >= drowned if may_loot and is_prey else lost == drowned
            self.lose(deal, lost)
            self.take_back(deal, back)
            self.settle(place)

    # ------------------------------------------------------------ 25+

    def _raids(self) -> None:
        """Pirates; then impossible contracts end, and late ones are broken (SUP-011, SUP-013, SUP-015)."""
        self._note_losses(may_loot=True)
        breaches = Counter(row[1:] for row in self._told if row[0] == event.SUPPLY_BREACH)
        for number in sorted(self.contracts, key=lambda number: self.was.contracts[number]["place"]):
            deal = self.contracts[number]
            is_late = self.turn >= self._deadline(deal)
            if number in self.now.contracts:
                assert not is_late
            elif self._is_impossible(deal):
                self.end(self.contracts.pop(number), "impossible")
            else:
                assert is_late
                breaches -= Counter([self._break_off(self.contracts.pop(number), breaches)])
        assert not breaches
        self._note_contracts()

    def _deadline(self, deal: Deal) -> int:
        """SUP-011."""
        return deal["signed"] + (deal["delivered"] + 1) * deal["interval"] + int(self.s["supply_grace"])

    def _break_off(self, deal: Deal, breaches: Counter[tuple[int, int, int]]) -> tuple[int, int, int]:
        """The side at fault pays a part of what is outstanding, as far as it can; what is told (SUP-012)."""
        seller, buyer, what = deal["seller"], deal["buyer"], deal["what"]
        guilty, other = (buyer, seller) if breaches[buyer, seller, what] else (seller, buyer)
        assert breaches[guilty, other, what] and (deal["refused"] or guilty == seller)
        left = int(self.s["supply_deliveries"]) - deal["delivered"]
        outstanding = left * deal["quantity"] * deal["price"]
        fine = self._payable(guilty, outstanding * int(self.s["supply_penalty_percent"]) // _PERCENT)
        self.private[guilty, cause.PENALTY, FUNDS] -= fine
        self.private[other, cause.PENALTY, FUNDS] += fine
        self.end(deal, "broken by the seller" if guilty == seller else "broken by the buyer")
        return guilty, other, what

    def _payable(self, nation: int, fine: int) -> int:
        """What a private sector can pay of a fine, by the cash that it has by then.

        Pirates and cruise ships come before. Goods of contracts that end may be bought in between, in an
        order that is not seen: then what was booked decides, if it can be.
        """
        moved = self.now.payments[nation] - self.was.payments[nation]
        paid = self.private[nation, cause.PENALTY, FUNDS]
        cash = int(self.was.cash[nation] + moved.sum() - moved[cause.PENALTY] - moved[cause.TRADE]) + paid
        most, least = min(fine, cash), min(fine, cash + int(moved[cause.TRADE]))
        return max(least, min(most, paid - int(moved[cause.PENALTY])))

    # ------------------------------------------------------------ phase 31

    def _deaths(self) -> None:
        """What nations that have fallen were about ends; held money goes to those who live (MER-081)."""
        dead = {n for n, alive in enumerate(self.now.alive) if not alive}
        for place, deal in list(self.sendings.items()):
            if dead & {deal["sender"], deal["receiver"]}:
                self._give_up(place, deal, "nation fell")
            else:  # what lay on their ships
                self.take_back(deal, self.was.under_way(place) - self.now.under_way(place))
                self.settle(place)
        for number, deal in list(self.lots.items()):
            if deal["state"] == lot.OPEN and dead & {deal["seller"], deal["bidder"]}:
                self.return_bid(deal)
                if deal["seller"] in dead:
                    self.end(self.lots.pop(number), "nation fell")
        for number, deal in list(self.promises.items()):
            if dead & {deal["seller"], deal["buyer"]}:
                self.drop_promise(number, "nation fell")
        for pair in list(self.swaps):
            if dead & set(pair):
                self.end(self.swaps.pop(pair), "nation fell")
        for number, deal in list(self.contracts.items()):
            if dead & {deal["seller"], deal["buyer"]}:
                self.end(self.contracts.pop(number), "nation fell")
        self._note_contracts()
