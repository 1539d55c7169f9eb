"""The price between two private sectors and what each gains by it (MER-070)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

_PERCENT = 100
_DEFAULT = -1


@kernel
def price(world: World, seller: int, buyer: int, what: int) -> int:
    """Trade price of a unit in thousandths of funds: midway between the two national prices."""
    return int((world.nations[seller].prices[what] + world.nations[buyer].prices[what]) // 2)


@kernel
def tariff(world: World, seller: int, buyer: int, what: int) -> int:
    """What the buyer pays to its own treasury on top, a unit, in thousandths of funds."""
    return tariff_on(world, seller, buyer, price(world, seller, buyer, what))


@kernel
def tariff_on(world: World, seller: int, buyer: int, agreed: int) -> int:
    """The tariff of today on an agreed price of a unit (SUP-008)."""
    percent = int(world.relations[buyer, seller].tariff)
    if percent == _DEFAULT:
        percent = int(world.nations[buyer].tariff)
    return agreed * percent // _PERCENT


@kernel
def seller_margin(world: World, seller: int, buyer: int, what: int) -> int:
    """What the seller gains on a unit; a trade needs more than 0."""
    return price(world, seller, buyer, what) - int(world.nations[seller].prices[what])


@kernel
def buyer_margin(world: World, seller: int, buyer: int, what: int) -> int:
    """What the buyer gains on a unit after the tariff; a trade needs 0 or more."""
    paid = price(world, seller, buyer, what) + tariff(world, seller, buyer, what)
    return int(world.nations[buyer].prices[what]) - paid


@kernel
def pays(world: World, seller: int, buyer: int, what: int) -> bool:
    """Whether a trade of an item is worth it for both."""
    return bool(
        seller_margin(world, seller, buyer, what) > 0 and buyer_margin(world, seller, buyer, what) >= 0
    )
