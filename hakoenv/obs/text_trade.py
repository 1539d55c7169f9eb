"""The sections of the text view about trade: auctions, offers and deals, private trade with its ships."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hakoenv.engine.codes import item, job, parcel, relation
from hakoenv.obs.text_words import Knowledge, counted, decimal

_REVISIONS = 100  # regular_accept names number x 100 + revision (SHIP-003)
_POLICIES = ("closed", "for friends only", "open")

# ---------------------------------------------------------------- auctions


def auctions(known: Knowledge) -> list[str]:
    """Open auctions: own ones, those it leads, those to bid on; the rest in a line (AUC-013, AUC-016)."""
    if not known.seen["own"]["alive"]:
        return []
    lots = _listed(known.seen["open_lots"])
    lines = [_own_lot(known, lot) for lot in lots if lot["own"]]
    lines += [_led_lot(known, lot) for lot in lots if lot["leading"]]
    lines += [_lot(known, lot) for lot in lots if lot["may_bid"]]
    closed = [lot for lot in lots if not (lot["own"] or lot["leading"] or lot["may_bid"])]
    if closed:
        told = ", ".join(f"{lot['number']} ({_offered(known, lot)})" for lot in closed)
        lines.append(f"not open to you: {told}")
    left_out = int(known.seen["trade_counts"]["open_lots_left_out"])
    if left_out:
        lines.append(f"({counted(left_out, 'further lot')} not listed)")
    held = int(known.seen["commerce"]["bids_held"])
    if held:
        lines.append(f"Your highest bids hold {held} funds, freight parts included.")
    return lines


def _own_lot(known: Knowledge, lot: Any) -> str:
    bid = f"highest bid {lot['bid']} by {known.words.at_place(int(lot['bidder']))}"
    if lot["bidder"] < 0:
        bid = f"no bid yet, at least {lot['min_price']}"
    return f"lot {lot['number']}: your {_goods(known, lot)}, {bid}, {_left(lot)}"


def _led_lot(known: Knowledge, lot: Any) -> str:
    return f"lot {lot['number']}: {_offered(known, lot)}, you lead with {lot['bid']}, {_left(lot)}"


def _lot(known: Knowledge, lot: Any) -> str:
    highest = f" (highest {lot['bid']} by {known.words.at_place(int(lot['bidder']))})" if lot["bid"] else ""
    return (
        f"lot {lot['number']}: {_offered(known, lot)}, bids from {lot['lowest_bid']}{highest}, {_left(lot)}; "
        f"worth {lot['value']} at your prices"
    )


def _offered(known: Knowledge, lot: Any) -> str:
    return f"{_goods(known, lot)} of {known.words.at_place(int(lot['seller']))}"


def _goods(known: Knowledge, row: Any) -> str:
    return f"{row['quantity']} {known.words.item(int(row['item']))}"


def _left(row: Any) -> str:
    return f"{counted(int(row['turns_left']), 'turn')} left"


# ---------------------------------------------------------------- offers and deals


def deals(known: Knowledge) -> list[str]:
    """What wants an answer, own offers, what runs, and goods under way between nations."""
    seen = known.seen
    lines = []
    for tell in (_swap_received, _swap_made):
        lines += [line for line in (tell(known, place, row) for place, row in _partners(known)) if line]
    writers: tuple[tuple[str, Callable[[Knowledge, Any], str]], ...] = (
        ("offers_received", _received),
        ("offers_made", _made),
        ("shipments", _running),
        ("transports", _transport),
        ("contracts", _contract),
    )
    for name, write in writers:
        lines += [write(known, row) for row in _listed(seen[name]) if not _is_lapsed(row)]
        left_out = int(seen["trade_counts"][f"{name}_left_out"])
        if left_out:
            lines.append(f"({left_out} more of {name.replace('_', ' ')} not listed)")
    return lines


def _swap_received(known: Knowledge, place: int, row: Any) -> str:
    if not row["its_offer"]:
        return ""
    gives, wants = _side(known, row, "its_gives"), _side(known, row, "its_wants")
    seat = int(known.seen["nations"][place]["seat"])
    return (
        f"{known.words.at_place(place)} offers {gives} for {wants}, for "
        f"{counted(int(row['its_offer']), 'turn')}: exchange:accept with nation_{seat} accepts"
    )


def _swap_made(known: Knowledge, place: int, row: Any) -> str:
    if not row["own_offer"]:
        return ""
    gives, wants = _side(known, row, "own_gives"), _side(known, row, "own_wants")
    who, left = known.words.at_place(place), counted(int(row["own_offer"]), "turn")
    return f"your offer to {who} of {gives} for {wants} stands for {left}"


def _side(known: Knowledge, row: Any, name: str) -> str:
    if row[name] < 0:
        return "nothing"
    return f"{row[f'{name}_quantity']} {known.words.item(int(row[name]))}"


def _received(known: Knowledge, row: Any) -> str:
    answer = int(row["number"]) * _REVISIONS + int(row["revision"])
    return (
        f"{known.words.at_place(int(row['partner']))} offers {_terms(known, row)}, for {_turns(row)}: "
        f"regular_accept offer={answer} accepts"
    )


def _made(known: Knowledge, row: Any) -> str:
    return (
        f"your offer {row['number']} to {known.words.at_place(int(row['partner']))} of {_terms(known, row)} "
        f"stands for {_turns(row)}"
    )


def _running(known: Knowledge, row: Any) -> str:
    who = known.words.at_place(int(row["partner"]))
    runs = f"you sell {who}" if row["selling"] else f"{who} sells you"
    following = (
        f"the next in {counted(int(row['next_in']), 'turn')}" if row["next_in"] >= 0 else "the last is sent"
    )
    return f"regular shipments: {runs} {_terms(known, row)}; {following}, {_left(row)}"


def _is_lapsed(row: Any) -> bool:
    """Whether it is an offer that can't be accepted in the coming turn any more (SHIP-005)."""
    return "next_in" in row.dtype.names and bool(row["turns_left"] == 0 and row["next_in"] < 0)


def _terms(known: Knowledge, row: Any) -> str:
    every = counted(int(row["interval"]), "turn")
    return (
        f"{_goods(known, row)} for {row['price']} funds every {every} to port {_at(row, 'port_')}, freight "
        f"at most {row['freight_cap']}"
    )


def _turns(row: Any) -> str:
    return counted(int(row["turns_left"]), "turn")


def _transport(known: Knowledge, row: Any) -> str:
    who, kind = known.words.at_place(int(row["partner"])), parcel.NAMES[int(row["kind"])]
    number = f" {row['number']}" if row["number"] else ""
    parts = [
        f"{row[name]} {words}"
        for name, words in (
            ("waiting", "waiting for a carrier"),
            ("under_way", "under way"),
            ("arrived", "arrived"),
        )
        if row[name]
    ]
    lost = int(row["quantity"]) - sum(int(row[name]) for name in ("waiting", "under_way", "arrived"))
    parts += [f"{lost} lost or back"] if lost > 0 else []
    return (
        f"{kind}{number}: {_goods(known, row)} {'to' if row['sending'] else 'from'} {who}: {', '.join(parts)}"
    )


def _contract(known: Knowledge, row: Any) -> str:
    who = known.words.at_place(int(row["partner"]))
    runs = f"to {who}" if row["selling"] else f"from {who}"
    refused = "; the buyer had no cash or room for it" if row["refused"] else ""
    return (
        f"supply contract of your private sector: {_goods(known, row)} a shipment {runs} at "
        f"{decimal(int(row['price']))}; {row['delivered']} delivered, the next due within "
        f"{counted(int(row['due_in']), 'turn')}{refused}"
    )


# ---------------------------------------------------------------- private trade


def private_trade(known: Knowledge) -> list[str]:
    """What the private sector lacks and can spare, with whom it may trade, and its ships."""
    if not known.seen["own"]["alive"]:
        return []
    lines = [*_wants(known), *_allowed(known), *_forbidden(known)]
    own = known.seen["commerce"]
    ships = _listed(known.seen["private_ships"])
    if own["ports"] or len(ships):
        lines.append(_fleet(own))
    if own["cruise_unpaid"]:
        lines.append(f"{own['cruise_unpaid']} funds of your cruise ships wait to be paid.")
    return lines + _ships(known, ships)


def _wants(known: Knowledge) -> list[str]:
    parts = []
    for name, words in (
        ("short", "lacks"), ("surplus", "can spare"), ("set_aside", "keeps for supply contracts"),
        ("coming", "awaits"), ("going", "has sold and under way"),
    ):  # fmt: skip
        rows = known.seen["private_market"]
        found = [f"{row[name]} {known.words.item(what)}" for what, row in enumerate(rows) if row[name]]
        parts += [f"{words} {', '.join(found)}"] if found else []
    return [f"Your private sector {'; '.join(parts)}."] if parts else []


def _allowed(known: Knowledge) -> list[str]:
    """With whom the private sector may trade; what bars it but for war or embargo (MER-064)."""
    lines = []
    ways = (("by_sea", "sea"), ("by_land", "land"))
    for name, way in ways if known.seen["commerce"]["ports"] else ways[1:]:
        may: dict[bool, list[str]] = {True: [], False: []}
        for place, row in _partners(known):
            may[bool(row[name])].append(known.words.at_place(place))
        if may[True]:
            lines.append(f"May trade by {way} with {_among(may[True], may[False])}.")
    barred = [line for line in (_barred(known, place, row) for place, row in _partners(known)) if line]
    return [*lines, f"Barred: {'; '.join(barred)}."] if barred else lines


def _among(these: list[str], others: list[str]) -> str:
    """Some of all nations, by their names or by those of the rest, whichever are fewer."""
    if len(these) <= len(others):
        return ", ".join(these)
    return f"all nations but {', '.join(others)}" if others else "all nations"


def _barred(known: Knowledge, place: int, row: Any) -> str:
    terms = known.seen["nations"][place]
    if terms["state"] in (relation.PENDING, relation.WAR) or terms["embargo"] or terms["embargoed"]:
        return ""
    parts = []
    if not row["by_sea"]:
        parts += [
            f"{whose} ports are {_POLICIES[int(row[name])]}"
            for name, whose in (("ports", "your"), ("its_ports", "its"))
            if row[name] < len(_POLICIES) - 1
        ]
    if row["touches"] and not row["by_land"]:
        parts += [
            f"{whose} land gate is closed"
            for name, whose in (("gate", "your"), ("its_gate", "its"))
            if not row[name]
        ]
    return f"{known.words.at_place(place)} ({', '.join(parts)})" if parts else ""


def _forbidden(known: Knowledge) -> list[str]:
    """Supply contracts that the nation does not allow (SUP-017)."""
    told = []
    for place, _ in _partners(known):
        allowed = known.seen["supply_allowed"][place]
        items = [known.words.item(what) for what in range(item.FUNDS) if not allowed[what]]
        if items:
            what = "anything" if len(items) == item.FUNDS else ", ".join(items)
            told.append(f"{known.words.at_place(place)} ({what})")
    return [f"New supply contracts forbidden with {'; '.join(told)}."] if told else []


def _fleet(own: Any) -> str:
    ports = f"Ports {own['ports']}" + (f" ({own['large_ports']} large)" if own["large_ports"] else "")
    waiting = f"; {counted(int(own['waiting']), 'container')} found no ship" if own["waiting"] else ""
    return (
        f"{ports}; merchants {own['merchants']}, large merchants {own['large_merchants']} ({own['idle']} "
        f"idle), cruise ships {own['cruise_ships']}, fishing boats {own['fishing_boats']}{waiting}."
    )


def _ships(known: Knowledge, ships: Any) -> list[str]:
    """Private ships that have something to do or are in trouble; the others by place only."""
    busy = [ship for ship in ships if ship["job"] != job.IDLE or _trouble(known, ship)]
    idle = [ship for ship in ships if ship["job"] == job.IDLE and not _trouble(known, ship)]
    lines = [_ship(known, ship) for ship in busy]
    if idle:
        lines.append("idle: " + ", ".join(f"{_class(known, ship)} {_at(ship, '')}" for ship in idle))
    left_out = int(known.seen["trade_counts"]["private_ships_left_out"])
    return [*lines, f"({counted(left_out, 'further private ship')} not listed)"] if left_out else lines


def _ship(known: Knowledge, ship: Any) -> str:
    goal = f" to {_at(ship, 'goal_')}" if ship["goal_x"] >= 0 else ""
    cargo = ""
    if ship["item"] >= 0:
        whom = "" if ship["receiver"] == 0 else f" for {known.words.at_place(int(ship['receiver']))}"
        cargo = f" with {_goods(known, ship)}{whom}"
        if ship["capacity"]:
            cargo += f" ({ship['load']} of {counted(int(ship['capacity']), 'container')})"
    trouble = "".join(f", {words}" for words in _trouble(known, ship))
    return f"{_class(known, ship)} {_at(ship, '')}: {job.NAMES[int(ship['job'])]}{goal}{cargo}{trouble}"


def _trouble(known: Knowledge, ship: Any) -> list[str]:
    whole = int(known.rules.ship_classes[int(ship["ship_class"])]["hp_base"])
    told = [f"hp {ship['hp']} of {whole}"] if ship["hp"] < whole else []
    if ship["blocked"]:
        told.append(f"blocked for {counted(int(ship['blocked']), 'turn')}")
    if ship["astray"]:
        told.append(f"no way home for {counted(int(ship['astray']), 'turn')}")
    if ship["dormant"]:
        told.append("its home port is lost")
    if ship["unpaid"]:
        told.append("upkeep not paid")
    if ship["owes_fuel"]:
        told.append("without fuel")
    return told


def _class(known: Knowledge, ship: Any) -> str:
    return known.words.ships[int(ship["ship_class"])]


def _at(row: Any, name: str) -> str:
    return f"({row[f'{name}x']},{row[f'{name}y']})"


def _partners(known: Knowledge) -> list[tuple[int, Any]]:
    """Place and row of every other nation that lives."""
    living = known.seen["nations"]["alive"]
    return [(place, row) for place, row in enumerate(known.seen["partners"]) if place and living[place]]


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]
