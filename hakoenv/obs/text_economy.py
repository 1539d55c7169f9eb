"""The sections of the text view about market and money."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import cause, item
from hakoenv.engine.stock import THOUSANDTHS
from hakoenv.obs.text_words import Knowledge, counted, decimal


def market(known: Knowledge) -> list[str]:
    """World prices, and of each item the own price, stocks, and what the nation has set."""
    prices = (
        f"{known.words.item(what)} {decimal(int(row['price']))} (base {row['base_price']})"
        for what, row in enumerate(known.seen["market"])
    )
    lines = ["World prices in funds: " + ", ".join(prices) + "."]
    if known.seen["own"]["alive"]:
        lines.append(_dealings(known))
        lines += [_dealt(known, what) for what in range(item.FUNDS)]
    return lines


def _dealings(known: Knowledge) -> str:
    """At which prices treasury and private sector deal (MKT-024, MKT-026, IND-047)."""
    s = known.rules.scalars[0]
    buys, sells = float(s["market_treasury_buyback_ratio"]), float(s["market_treasury_sale_ratio"])
    return (
        f"Up to its buy-back target the treasury buys from its private sector at {buys:g} times your price, "
        f"then from the world; above it, it sells to the private sector at {sells:g} times your price, at "
        "most its export cap a turn. Households buy from the private sector only."
    )


def _dealt(known: Knowledge, what: int) -> str:
    row = known.seen["stocks"][what]
    use = f", households want {decimal(int(row['household_use']))}" if row["household_use"] else ""
    world = known.rules.resources[what]
    import_price = int(known.seen["market"][what]["price"]) * float(world["world_buy_price_factor"])
    return (
        f"{known.words.item(what)}: your price {decimal(int(row['price']))}, from the world "
        f"{decimal(int(import_price))} (up to {int(world['world_buy_cap_peace'])} a turn in peace, "
        f"{int(world['world_buy_cap_war'])} at war); treasury {row['treasury']}, "
        f"private sector {row['private']} (plans with {row['planned']}){use}; buy-back target "
        f"{row['target']}, export cap {row['export_cap']}"
    )


def private_sector(known: Knowledge) -> list[str]:
    """Its cash, where that came from and went, and its account at the clearing house (FIN-034)."""
    own = known.seen["own"]
    if not own["alive"]:
        return []
    return [
        f"Cash {known.seen['stocks'][item.FUNDS]['private']} funds; it wants to have "
        f"{own['working_capital']}. In the last turn households paid it {own['household_sales']}, and it "
        f"bought for {own['private_purchases']}.",
        *_by_cause("Its cash in the last turn: ", known.seen["private_accounts"], 1),
        _balances(own),
        *_by_cause("Funds of the treasury in the last turn: ", known.seen["accounts"], THOUSANDTHS),
    ]


def _by_cause(title: str, accounts: Any, unit: int) -> list[str]:
    booked = accounts[:, item.FUNDS].tolist()
    parts = [
        f"{cause.NAMES[why].replace('_', ' ')} {'+' if booked[why] > 0 else ''}{decimal(booked[why] * unit)}"
        for why in range(cause.OPENING + 1, cause.COUNT)
        if booked[why]
    ]
    return [title + ", ".join(parts) + "."] if parts else []


def _balances(own: Any) -> str:
    debt = f"debt {own['debt']}"
    if own["debt_due_in"] >= 0:
        debt += f", due in {counted(int(own['debt_due_in']), 'turn')}"
    if own["loan_ban"]:
        debt += f", no new loan for {counted(int(own['loan_ban']), 'turn')}"
    return (
        f"Your private sector at the clearing house: deposit {own['deposit']} ({own['deposit_queued']} asked "
        f"for and waiting), {debt}."
    )
