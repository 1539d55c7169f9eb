"""Whatever numbers a ruleset may hold, the world stays whole: nothing wraps, nothing runs out of an array."""

import random

import numpy as np
import pytest

from hakoenv.engine import hexgrid, soundness
from hakoenv.engine.mapgen import ScenarioError
from hakoenv.engine.rounding import ceil, floor
from hakoenv.engine.season import Season
from hakoenv.engine.world import CELL
from hakoenv.ruleset import RulesetError
from hakoenv.ruleset.tables import base
from hakoenv.testing import SmallWorld

# Numbers that are put into a field of a cell as they are.
PUT_INTO_CELLS = {
    "population": ("founding.capital_population", "founding.town_population", "town.metropolis_at",
                   "growth.new_village.per_turn.population", "growth.*.cap.limit", "cap.*"),
    "level": ("founding.farm_size", "terrains.*.level_start", "terrains.*.level_max", "mine.level_max"),
    "richness": ("survey.richness", "coal.small_richness", "mines.*.richness_normal",
                 "mines.*.richness_small"),
    "resistance": ("resistance.capital", "resistance.ownerless", "terrains.*.resistance_max"),
}  # fmt: skip
NOT_PLAYED_YET = ("map.", "worldgen.")  # these decide the map, which has tests of its own


def high(pattern: str) -> float:
    """The greatest allowed value of the numbers that a pattern names."""
    head, _, tail = pattern.partition("*")
    found = [e.high for k, e in base().entries.items() if k.startswith(head) and k.endswith(tail)]
    assert found and None not in found, pattern
    return max(limit for limit in found if limit is not None)


@pytest.mark.parametrize(("field", "patterns"), PUT_INTO_CELLS.items())
def test_no_number_is_too_large_for_the_field_it_is_put_into(field: str, patterns: tuple[str, ...]) -> None:
    for pattern in patterns:
        assert high(pattern) <= np.iinfo(CELL[field][0]).max, pattern


def test_no_die_has_more_sides_than_can_be_drawn() -> None:
    """`chance.roll` draws below 2**32; weather is one draw among the weights of all kinds."""
    kinds = len({key.split(".")[1] for key in base().entries if key.startswith("weather.")})
    assert high("weather.*.weight_temperate") * kinds < 2**32
    assert high("weather.*.weight_arctic") == high("weather.*.weight_temperate")


def test_sales_of_an_extreme_ruleset_can_be_loaded_again() -> None:
    rules = {"market.household_food_use": 1e9, "market.household_price_ratio": 1000.0}
    rules |= {"resources.food.private_cap": 10**9, "private.cash_cap": 10**7}
    w = SmallWorld(nations=1, rules=rules)
    for x in (2, 3, 4):
        w.cell(x, 2, terrain="town", owner=0, population=200)
    w.nation(0, private_food=10**9)
    w.world.market["price"] = 10**12
    w.phase("household_market")
    assert w.world.nations["household_sales"].max() > 2**52
    assert soundness.faults(w.world, w.rules) == []


def test_a_full_pile_fits_its_field() -> None:
    most = high("mine.pile_per_level") * high("mines.*.level_max") * high("mines.*.facility_multiplier")
    assert most <= np.iinfo(CELL["pile"][0]).max


def test_cells_remember_every_turn_of_the_longest_season() -> None:
    for field in ("surveyed", "mustered", "taken_turn"):
        assert high("season.max_turns") <= np.iinfo(CELL[field][0]).max, field


@pytest.mark.rule("ARMY-044", "ARMY-045")
def test_a_blow_of_the_greatest_factors_does_not_wrap() -> None:
    rules = {"army.unit_max_strength": 10000, "army.table_standard": 1, "army.attack_divisor": 1,
             "unit_matchup.infantry.infantry": 1000, "unit_terrain.infantry.plains": 1000,
             "climate.temperate.unit_damage_percent": 1000, "weather.fine.attack_percent": 1000,
             "research.percent_per_level": 1000, "items.sword_of_war_god.value": 1000.0,
             "items.shield_of_iron_wall.value": 1000.0}  # fmt: skip
    w = SmallWorld(rules=rules)
    w.war(0, 1)
    w.world.nations["research"] = 5
    for owner, carries in enumerate(("sword_of_war_god", "shield_of_iron_wall")):
        w.cell(5 + owner, 5, terrain="plains", owner=owner, climate="temperate")
        w.nation(owner, ammo=9)
        w.unit(owner, "infantry", 5 + owner, 5, strength=10000, items=[carries])
        w.corps(owner, 0, order="defend")
    w.phase("army")
    assert [unit.strength for unit in w.units()] == [10000]  # the first blow leaves nothing, as nothing wraps


@pytest.mark.rule("MSL-005", "MSL-018", "MSL-027")
def test_a_missile_of_the_greatest_numbers_hits_as_hard_as_it_can() -> None:
    most = 10**9
    rules = {"missiles.pp.unit_damage_max": most, "missiles.pp.unit_damage_min": most,
             "missiles.pp.ship_damage": most, "missiles.pp.facility_hits": most,
             "missile.experience_gain.per_unit": most, "missile.experience_gain.per_building": most,
             "missiles.pp.scatter": 0, "diplomacy.founding_lock": 0}  # fmt: skip
    w = SmallWorld(rules=rules)
    w.war(0, 1)
    w.nation(0, funds=5000, ammo=50, fuel=50)
    w.cell(3, 5, terrain="missile_base", owner=0, experience=7)
    w.cell(5, 5, terrain="port", owner=1)
    w.unit(1, "infantry", 5, 5, strength=200)
    w.ship(1, "cruiser", 6, 5)
    w.order(0, "missile_pp", 5, 5, amount=1)
    w.order(0, "missile_pp", 6, 5, amount=1)
    w.run(2)
    assert (w.units(), w.ships()) == ([], [])
    assert w.cell(5, 5).terrain == "wasteland"
    assert w.cell(3, 5).experience == w.ruleset["missile.experience_cap"]


def test_no_disc_is_larger_than_can_be_walked() -> None:
    assert high("founding.site_water_distance_max") <= hexgrid.MAX_RADIUS
    assert high("ai.foreign_search_radius") <= hexgrid.MAX_RADIUS
    assert high("disasters.*.radius") <= 30  # a stone may fall on every cell: seconds a turn at 100


def test_amounts_end_at_what_a_record_holds() -> None:
    assert (floor(1e30), ceil(1e30), floor(float("inf"))) == (2**31 - 1,) * 3
    assert (floor(35 * 0.2), ceil(35 * 0.2)) == (7, 7)


def test_a_ramp_of_one_turn_that_has_not_begun() -> None:
    rules = {"fuel.enabled": 1, "fuel.ramp_turns": 1, "fuel.start_turn": 9}
    Season.new("duel", seed=1, rules=rules, agents="rule_ai").run(until=12)


def play_extremes(seed: int) -> None:
    """Play a short duel with a few numbers at one end of their range."""
    draw = random.Random(seed)
    numbers = [e for e in base().entries.values() if e.type in ("int", "real") and not e.fixed]
    numbers = [e for e in numbers if not e.key.startswith(NOT_PLAYED_YET)]
    rules: dict[str, object] = {}
    for entry in draw.sample(numbers, draw.choice((1, 4, 16))):
        limit = draw.choice((entry.low, entry.high))
        assert limit is not None
        end = int(limit) if entry.type == "int" else limit
        rules[entry.key] = [end] * len(entry.value) if isinstance(entry.value, tuple) else end
    try:
        season = Season.new("duel", seed=seed, rules={**rules, "fuel.enabled": seed % 2}, agents="rule_ai")
    except (RulesetError, ScenarioError):
        return
    season.run(until=20)
    world = season.world
    assert soundness.faults(world, season.rules) == [], rules
    assert world.clock["discrepancies"][0] == 0, rules
    for name in ("level", "population", "pile", "richness", "resistance"):
        assert (world.cells[name] >= 0).all(), (name, rules)
    for name in ("treasury", "private", "rations", "food_made", "farm_workers", "fuel_need", "power_score"):
        assert (world.nations[name] >= 0).all(), (name, rules)
    assert sum(season.result()["points"]) == pytest.approx(season.ruleset["season.standing_points_total"])


@pytest.mark.parametrize("seed", range(25))
def test_a_season_stands_any_numbers(seed: int) -> None:
    play_extremes(seed)


@pytest.mark.soak
def test_many_seasons_stand_any_numbers() -> None:
    for seed in range(25, 2000):
        play_extremes(seed)
