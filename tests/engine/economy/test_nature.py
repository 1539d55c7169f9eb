"""Weather and small coal deposits by chance (TURN-051, IND-031)."""

import numpy as np
import pytest

from hakoenv.engine import weather
from hakoenv.engine.economy import natural_stock
from hakoenv.engine.world import new_world
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld


@pytest.mark.rule("TURN-051")
def test_weather_follows_the_weights_of_each_zone():
    """2,400 turns. False alarm below 1e-5: chi-squared (8 degrees of freedom) above 42 in a zone."""
    rules = load_ruleset("season").rules
    world = new_world(3, 3, 1, seed=5)
    seen = np.zeros((5, 9))
    for turn in range(2400):
        world.clock["turn"] = turn
        weather.draw(world, rules)
        for zone in range(5):
            seen[zone, world.clock[0]["weather"][zone]] += 1
    for zone in range(5):
        weights = rules.weather["weights"][:, zone]
        expected = 2400 * weights / weights.sum()
        assert (seen[zone][weights == 0] == 0).all()
        some = weights > 0
        assert ((seen[zone][some] - expected[some]) ** 2 / expected[some]).sum() < 42


@pytest.mark.rule("TURN-051")
def test_zones_draw_their_weather_apart():
    rules = load_ruleset("season").rules
    world = new_world(3, 3, 1, seed=5)
    different = 0
    for turn in range(50):
        world.clock["turn"] = turn
        weather.draw(world, rules)
        different += int(world.clock[0]["weather"][0] != world.clock[0]["weather"][1])
    assert different > 0


@pytest.mark.rule("IND-031", "IND-032")
@pytest.mark.parametrize(("climate", "percent"), [("tropical", 4), ("temperate", 8), ("arctic", 12)])
def test_small_coal_deposits_are_as_frequent_as_the_climate_says(climate, percent):
    """900 mountains. False alarm below 1e-6: more than 5 deviations from the expected number."""
    small = SmallWorld(90, 90, 1, turn=1, rules={"coal.small_percent": 8})
    for y in range(0, 90, 3):
        for x in range(0, 90, 3):
            small.cell(x, y, terrain="mountain", climate=climate)
    natural_stock.accumulate(small.world, small.rules)
    coal = int((small.world.cells["deposit"] == 3).sum())
    chance = percent / 100
    assert abs(coal - 900 * chance) <= 5 * (900 * chance * (1 - chance)) ** 0.5
    assert (small.world.cells["richness"][small.world.cells["deposit"] == 3] == 30).all()
