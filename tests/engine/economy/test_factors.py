"""Efficiency of the sectors, power and fuel as factors (IND-033 .. IND-037, MAP-047, IND-024)."""

import pytest

from hakoenv.engine.codes import sector
from hakoenv.engine.economy import factors, fuel
from hakoenv.testing import SmallWorld


def efficiency(branch: int, *assigned: int) -> float:
    small = SmallWorld(3, 3, 1)
    small.world.nations[0]["assigned"] = assigned
    return 100 * factors.efficiency(small.world, small.rules, 0, branch)


@pytest.mark.rule("IND-035")
@pytest.mark.parametrize(
    ("share", "value"),
    [(0.0, 0.0), (0.26, 0.311176), (0.5, 0.559017), (0.73, 0.717891), (0.866025, 0.75), (1.0, 0.707107)],
)
def test_efficiency_curve(share, value):
    assert factors.curve(share) == pytest.approx(value, abs=1e-6)


@pytest.mark.rule("IND-036", "IND-033")
@pytest.mark.parametrize(("branch", "assigned"), [(0, (73, 26, 1)), (1, (73, 26, 1)), (2, (50, 50, 0))])
def test_base_shares_mean_100_percent(branch, assigned):
    assert efficiency(branch, *assigned) == pytest.approx(100.0, abs=1e-12)


@pytest.mark.rule("IND-037")
@pytest.mark.parametrize(
    ("branch", "assigned", "percent"),
    [
        (sector.AGRICULTURE, (60, 40, 0), 96.3942),
        (sector.AGRICULTURE, (25, 75, 0), 90.0),  # 80.49 by the curve
        (sector.AGRICULTURE, (866025, 133975, 0), 101.5),
        (sector.INDUSTRY, (50, 50, 0), 111.5659),
        (sector.INDUSTRY, (100, 0, 0), 90.0),  # 85.48 by the curve
        (sector.INDUSTRY, (133975, 866025, 0), 120.48),
        (sector.COMMERCE, (80, 0, 20), 111.2775),
        (sector.COMMERCE, (133975, 0, 866025), 135.0),
    ],
)
def test_efficiency_of_a_share(branch, assigned, percent):
    assert efficiency(branch, *assigned) == pytest.approx(percent, abs=0.005)


@pytest.mark.rule("IND-034")
def test_share_is_zero_when_nobody_is_assigned():
    assert efficiency(sector.COMMERCE, 0, 0, 0) == pytest.approx(100.0)
    assert efficiency(sector.AGRICULTURE, 0, 0, 0) == pytest.approx(90.0)


@pytest.mark.rule("MAP-047", "MAP-048")
@pytest.mark.parametrize(
    ("levels", "taken", "factor"),
    [(0, 0, 1.0), (7, 7, 1.28), (23, 23, 1.8), (8, 5, 1.2), (25, 20, 1.64), (4, 0, 1.0)],
)
def test_power_bonus(levels, taken, factor):
    small = SmallWorld(3, 3, 1)
    small.world.nations[0]["plant_levels"] = levels
    small.world.nations[0]["plant_fuel"] = taken
    assert factors.power(small.world, small.rules, 0) == pytest.approx(factor)


@pytest.mark.rule("IND-027")
@pytest.mark.parametrize(
    ("need", "used", "floor", "ratio"), [(0, 0, 0, 1.0), (40, 30, 0, 0.75), (40, 0, 25, 0.25)]
)
def test_fuel_ratio(need, used, floor, ratio):
    small = SmallWorld(3, 3, 1, rules={"fuel.floor_percent": floor})
    small.world.nations[0]["fuel_need"] = need
    small.world.nations[0]["fuel_used"] = used
    assert factors.fuel_ratio(small.world, small.rules, 0) == pytest.approx(ratio)


@pytest.mark.rule("IND-024", "IND-025")
@pytest.mark.parametrize(("age", "of_90"), [(0, 0), (1, 0), (2, 10), (5, 40), (10, 90), (30, 90)])
def test_fuel_need_is_phased_in_over_ten_turns(age, of_90):
    small = SmallWorld(3, 3, 1, turn=60)
    small.nation(0, founded=60 - age)
    assert 90 * fuel.phase_in(small.world, small.rules, 0) == pytest.approx(of_90)


@pytest.mark.rule("IND-022", "IND-023", "IND-028")
@pytest.mark.parametrize(
    ("policy", "stock", "need"),
    [
        ("light", {"food": 100}, 9 * 80 * 0.45 / 17),  # floor(8 x 1.184768) = 9 goods of base price 80
        ("heavy", {"steel": 100}, 14 * (80 + 24) * 1.5 / 17),  # floor(12 x 1.184768) = 14 goods and ammo
        ("advanced", {"ore": 100}, 18 * 80 * 0.75 / 17),  # floor(16 x 1.184768) = 18
        ("advanced", {"ore": 5}, 2 * 80 * 0.75 / 17),  # materials for 2 runs: floor(2.37)
    ],
)
def test_industry_fuel_is_a_share_of_the_output_value(policy, stock, need):
    small = SmallWorld(9, 9, 1, rules={"fuel.start_turn": 1})
    for x in range(6):
        small.cell(x, 0, terrain="modern_city", owner=0, population=300)
    small.cell(0, 2, terrain="large_factory", owner=0, level=160)  # 1600 workers: 16 runs at 100%
    small.nation(0, policy=policy, fuel=1000, shares=[0, 100, 0], **stock)
    small.phase("income")
    # the 200 without a job farm in town: no fuel
    assert small.nation(0).fuel_need == -int(-need // 1)
    assert small.nation(0).fuel == 1000 - small.nation(0).fuel_need
