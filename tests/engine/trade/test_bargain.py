"""The price between two private sectors (MER-070), from national prices that are set."""

import pytest

from hakoenv.engine.codes import item
from hakoenv.engine.trade import bargain
from hakoenv.testing import SmallWorld

FUEL = item.FUEL


def priced(seller: int, buyer: int, tariff: int = 5) -> SmallWorld:
    """Nation 0 sells fuel to nation 1 at these national prices, in thousandths, and nation 1's tariff."""
    small = SmallWorld(3, 3, 2)
    small.world.nations["prices"][0, FUEL] = seller
    small.world.nations["prices"][1, FUEL] = buyer
    small.nation(0, tariff=90)  # the seller's tariff plays no part
    small.nation(1, tariff=tariff)
    return small


@pytest.mark.rule("MER-070", "MKT-003")
@pytest.mark.parametrize(
    ("seller", "buyer", "percent", "price", "tariff", "seller_gains", "buyer_gains", "made"),
    [
        (11900, 25449, 5, 18674, 933, 6774, 5842, True),  # (11900 + 25449) // 2, 933.7 cut
        (11900, 25449, 40, 18674, 7469, 6774, -694, False),
        (11900, 11900, 0, 11900, 0, 0, 0, False),  # the seller must gain
        (12000, 11900, 0, 11950, 0, -50, -50, False),
        (100, 300, 50, 200, 100, 100, 0, True),  # the buyer must only not lose
        (100, 300, 51, 200, 102, 100, -2, False),
        (100, 300, 0, 200, 0, 100, 100, True),
        (100, 300, 100, 200, 200, 100, -100, False),
    ],
)
def test_price_tariff_and_margins(
    seller: int, buyer: int, percent: int, price: int, tariff: int, seller_gains: int, buyer_gains: int,
    made: bool,
) -> None:  # fmt: skip
    world = priced(seller, buyer, percent).world
    assert bargain.price(world, 0, 1, FUEL) == price
    assert bargain.tariff(world, 0, 1, FUEL) == tariff
    assert bargain.seller_margin(world, 0, 1, FUEL) == seller_gains
    assert bargain.buyer_margin(world, 0, 1, FUEL) == buyer_gains
    assert bargain.pays(world, 0, 1, FUEL) == made


@pytest.mark.rule("MER-070", "MKT-003")
def test_a_tariff_toward_one_nation_goes_before_that_for_all() -> None:
    small = priced(11900, 25449)
    small.relation(0, 1, tariff={"0": 80})  # the seller's toward the buyer
    assert bargain.tariff(small.world, 0, 1, FUEL) == 933
    small.relation(0, 1, tariff={"1": 0})
    assert bargain.tariff(small.world, 0, 1, FUEL) == 0
    small.relation(0, 1, tariff={"1": 40})
    assert not bargain.pays(small.world, 0, 1, FUEL)
