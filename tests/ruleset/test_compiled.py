"""The compiled tables, compared by hand with the tables of numbers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from hakoenv.ruleset import Rules, codes, load_ruleset
from hakoenv.ruleset.compiled import FLATTENED, scalar_name
from hakoenv.ruleset.tables import base

RULES = load_ruleset().rules


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("map_width", 90),
        ("mine_pile_per_level", 10),
        ("mine_recovery_levels_per_unit", 4),
        ("food_rot_percent", 0.5),
        ("tax_per_population", 0.1),
        ("commands_blocked_uses_turn", 1),
        ("fuel_enabled", 1),
        ("fuel_start_turn", 1),
        ("disaster_safe_land_scaled_percent", 110),
        ("cruise_call_income_base", 10),
        ("founding_funds", 6000),
        ("founding_worker_shares_agriculture", 73),
        ("founding_building_order_depot", 5),
        ("market_price_floor", 0.4),
        ("market_world_sell_ratio", 0.0),
        ("market_export_cap_default_food", 100),
        ("growth_village_growth_per_turn_low", 1),
        ("growth_village_growth_per_turn_high", 10),
        ("growth_metropolis_growth_per_turn_low", 0),
        ("growth_new_village_per_turn_percent", 4),
        ("growth_seabed_city_growth_cap_limit", 150),
        ("disasters_meteor_percent_over_limit", 4.5),
        ("disasters_tsunami_radius", 4),
        ("disasters_typhoon_default_on", 0),
        ("disasters_huge_meteor_effect_ship_damage", 5),
        ("power_score_land_weight", 10),
        ("power_score_funds_term_divisor", 100),
        ("season_score_population_weight_percent", 25),
        ("fishing_ground_share", 1.5),
        ("aid_caps_cession_max_per_turn", 10),
    ],
)
def test_scalars(name: str, value: float) -> None:
    assert RULES.scalars[name][0] == value


def test_list_constants_are_sub_arrays() -> None:
    assert RULES.scalars["army_level_thresholds"][0].tolist() == [20, 50, 90]
    assert RULES.scalars["worldgen_climate_bands"].shape == (1, 4)


def test_every_number_is_compiled() -> None:
    """Each constant and each cell of a flattened table has a field with its value."""
    fields = set(RULES.scalars.dtype.names or ())
    for key, entry in base().entries.items():
        if entry.type in {"int", "real"} and entry.table in ("", *FLATTENED):
            value = load_ruleset()[key]
            assert np.array_equal(RULES.scalars[scalar_name(key)][0], value), key
            fields.discard(scalar_name(key))
    assert not fields


def vector(**items: int) -> list[int]:
    return [items.get(name, 0) for name in codes.MATERIALS]


def test_terrains() -> None:
    terrains = RULES.terrains
    assert terrains.shape == (49,)
    base_ = terrains[11]  # missile_base
    assert codes.TERRAIN_KINDS[base_["kind"]] == "military" and codes.DOMAINS[base_["domain"]] == "land"
    assert (base_["disguise"], base_["level_max"], base_["resistance_max"], base_["salvo_military"]) == (
        8,
        200,
        80,
        1,
    )
    assert terrains["disguise"][[0, 1, 12, 13, 36]].tolist() == [-1, 0, 8, 8, -1]
    assert terrains["disguise_unseen"][[36, 40, 41]].tolist() == [0, 0, -1]
    assert terrains["counts_as_land"][[0, 4, 14, 24, 25, 28, 46]].tolist() == [0, 1, 0, 0, 0, 0, 1]
    farm = terrains[9]
    assert [farm[f"level_{part}"] for part in ("min", "start", "max", "step")] == [1, 10, 50, 5]
    assert (farm["workers_per_level"], farm["unit_table_as"]) == (10, 9)
    assert terrains["unit_table_as"][[16, 18, 19, 25, 26, 27, 44]].tolist() == [10, 7, 4, 6, 11, 6, 0]
    assert np.flatnonzero(terrains["is_town"]).tolist() == [7, 28, 29, 30, 31]
    assert terrains["pop_cap"][[7, 28, 29, 30, 31]].tolist() == [199, 150, 250, 300, 250]
    assert terrains["fire_loss_percent"][[7, 29, 30, 31]].tolist() == [50, 30, 30, 50]
    assert np.flatnonzero(terrains["fire_to_wasteland"]).tolist() == [10, 33, 35]
    assert terrains["mine"][[4, 19, 23, 24, 34]].tolist() == [-1, 0, 4, 6, 5]
    assert codes.TERRAIN_KINDS[terrains["kind"][48]] == "sea" and terrains["level_max"][48] == 5
    assert terrains["domain"][41] == codes.DOMAINS.index("ship")


def test_commands() -> None:
    commands = RULES.commands
    assert commands.shape == (136,) and commands["exists"].sum() == 86
    mine = commands[14]
    assert (mine["cost"], mine["turns"], codes.TARGET_KINDS[mine["target"]]) == (400, 1, "near_cell")
    assert mine["materials"].tolist() == vector(wood=10, stone=10)
    assert commands["materials"][23].tolist() == vector(goods=5)
    assert commands["materials"][21].tolist() == vector(wood=20, stone=10)
    assert commands["materials"][34].tolist() == vector(ammo=4, fuel=3) and commands["per_shot"][34] == 1
    assert (commands["cost"][13], commands["early_cost"][13]) == (100, 50)
    assert [codes.COMMAND_STATUS[commands["status"][n]] for n in (3, 5, 114)] == [
        "locked",
        "on",
        "private_only",
    ]
    assert commands["turns"][[2, 47, 48, 109]].tolist() == [0, 1, 0, 1]
    assert codes.TARGET_KINDS[commands["target"][92]] == "fields"
    assert codes.COMMAND_CATEGORIES[commands["category"][31]] == "attack"
    assert not commands[7]["exists"] and not commands[0]["exists"]


def test_facility_costs() -> None:
    costs, row = RULES.facility_costs, codes.FACILITY_ROWS
    port2 = costs[row["port_level_2"]]
    assert port2["build_funds"] == 300
    assert port2["build_materials"].tolist() == vector(stone=40, wood=20, goods=10)
    mines = costs[row["mines"]]
    assert (mines["build_funds"], mines["step_funds"], mines["step_funds_per_level"]) == (400, 100, 1)
    assert mines["step_materials"].tolist() == vector(stone=10, wood=10)
    factory = costs[row["factory"]]
    assert [factory[f"steps_{part}"] for part in ("low", "high", "by")] == [30, 150, 15]
    assert costs["steps_by"][row["refinery"]] == 1 and costs["steps_by"][row["tunnel"]] == 0


def test_mines() -> None:
    mines, row = RULES.mines, codes.MINE_ROWS
    assert mines["yield_percent"].tolist() == [50, 100, 500, 50, 2500, 50, 300, 300, 0]
    assert [codes.DEPOSITS[code] for code in mines["deposit"]] == list(codes.DEPOSIT_OF_MINE.values())
    products = [codes.MATERIALS[code] for code in mines["product"]]
    assert products == ["steel", "stone", "fuel", "ore", "fuel", "steel", "oil", "oil", "wood"]
    uranium = mines[row["uranium_mine"]]
    assert (uranium["unlock_production"], uranium["per_mining_cap"], uranium["build_cost"]) == (3, 100, 800)
    assert uranium["build_materials"].tolist() == vector(wood=10, stone=20)
    assert mines["facility_multiplier"].tolist() == [1, 1, 1, 1, 1, 2, 1, 1, 0]
    assert mines["richness_normal"][row["land_oil"]] == 500
    assert mines["workers_per_level"][row["quarry"]] == 10


def test_industry() -> None:
    industry, row = RULES.industry, codes.INDUSTRY_ROWS
    heavy = industry[row["heavy"]]
    assert heavy["inputs"].tolist() == vector(steel=2)
    assert heavy["outputs"].tolist() == vector(goods=1, ammo=1)
    assert (heavy["capacity_percent"], heavy["fuel_percent"], heavy["unlock_production"]) == (75, 150, 1)
    arsenal = industry[row["arsenal"]]
    assert arsenal["inputs"].tolist() == vector(goods=1, steel=2) and arsenal["outputs"][6] == 6
    assert industry["outputs"][row["town_farming"]][8] == 0.25
    assert codes.FUEL_BASES[industry["fuel_value_base"][row["commerce"]]] == "sales_value"


@pytest.mark.rule("CMD-051")
def test_resources_research_climates_weather() -> None:
    assert RULES.resources["base_price"].tolist() == [4, 5, 10, 12, 17, 80, 24, 20, 1]
    assert RULES.resources["founding_stock"].tolist() == [50, 50, 0, 0, 70, 20, 20, 20, 3000]
    assert RULES.resources["units_per_container"].tolist() == [4, 2, 2, 4, 4, 1, 2, 1, 4]
    assert RULES.resources["world_buy_cap_war"][6] == 12 and RULES.resources["elasticity"][8] == 0
    assert RULES.research.shape == (3, 6)
    for branch in range(3):
        assert RULES.research["cost"][branch].tolist() == [0, 500, 1000, 2000, 3500, 5000]
        assert RULES.research["turns"][branch].tolist() == [0, 2, 3, 4, 6, 8]
        assert RULES.research["effect_percent"][branch].tolist() == [100, 103, 106, 109, 112, 115]
    assert RULES.climates["crop_percent"].tolist() == [110, 110, 100, 90, 70]
    assert RULES.climates["coal_percent"].tolist() == [50, 75, 100, 150, 150]
    assert RULES.climates["ship_repair_percent"].tolist() == [80, 90, 100, 90, 80]
    assert RULES.weather["weights"][0].tolist() == [4, 4, 3, 3, 3]
    assert RULES.weather["weights"][8].tolist() == [0, 0, 0, 1, 3]
    assert RULES.weather["ship_speed_bonus"].tolist() == [0, 0, 0, -1, 0, -1, 0, 0, -1]


def test_climate_bands_give_the_rows_of_the_climate_table() -> None:
    """On 90 rows the four borders put every row into the zone that the table names."""
    bands = RULES.scalars["worldgen_climate_bands"][0]
    zones = [sum(1000 * abs(2 * y - 89) >= band * 90 for band in bands) for y in range(90)]
    expected = [-1] * 90
    for zone, row in enumerate(load_ruleset().table("climate")):
        for part in str(row["rows"]).split(";"):
            low, high = map(int, part.split("-"))
            expected[low : high + 1] = [zone] * (high + 1 - low)
    assert zones == expected


def test_war_tables() -> None:
    assert RULES.unit_matchup[2].tolist() == [15, 15, 10, 14, 14, 10, 10]
    assert RULES.unit_terrain[5, 4] == 4 and RULES.unit_terrain.shape == (7, 14)
    assert RULES.unit_move[:, 14].tolist() == [1, 1, 2, 1, 1, 1, 0]
    assert RULES.unit_types["cost_per_strength"].tolist() == [1, 3, 5, 3, 4, 2, 2]
    assert RULES.ship_classes["hp_base"].tolist() == [
        3,
        4,
        6,
        10,
        8,
        3,
        2,
        4,
        3,
        4,
        2,
    ]  # large merchant, boat last
    assert RULES.ship_classes["steel"][4] == 13 and RULES.ship_classes["terrain_number"][1] == 36
    assert RULES.missiles["command"].tolist() == [31, 32, 33, 34] and RULES.missiles[
        "centre_weight"
    ].tolist() == [1, 2, 1, 1]
    assert RULES.missile_base["range"].tolist() == [[5, 6, 7, 8, 10], [5, 7, 10, 0, 0]]
    assert [codes.HARDENING[code] for code in RULES.monsters["hardening"][[1, 2, 6]]] == [
        "none",
        "odd_turns",
        "even_turns",
    ]
    assert RULES.monuments["effect_radius"].tolist() == [0, 1, 2, 2]
    assert RULES.items["value"].tolist() == [0, 2, 0.5, 10, 1, 1]


def test_types_and_layout() -> None:
    """Aligned, int64 and float64 only, writable, and one dtype object for all rulesets (fast Numba calls)."""
    other = load_ruleset("duel", {"mine.level_max": 3}).rules
    for name in Rules._fields:
        array = getattr(RULES, name)
        assert array.dtype.isalignedstruct or array.dtype == np.int64, name  # records, or a matrix
        assert array.flags.writeable and array.flags.c_contiguous, name
        assert array.dtype is getattr(other, name).dtype
        for field in array.dtype.names or ():
            assert array.dtype[field].base in (np.dtype(np.int64), np.dtype(np.float64)), (name, field)
    assert RULES.scalars.shape == (1,)


def test_compiled_code_reads_an_override_without_recompiling() -> None:
    def add(rules: Any) -> Any:
        scalars = rules.scalars[0]
        return (
            scalars.mine_pile_per_level
            + scalars.worldgen_climate_bands[0]
            + rules.commands[14].materials[1]
            + rules.research[0, 2].cost
        )

    read: Any = numba.njit(add)
    assert read(RULES) == 10 + 111 + 10 + 1000
    assert read(load_ruleset("duel", {"mine.pile_per_level": 20}).rules) == 20 + 111 + 10 + 1000
    assert len(read.signatures) == 1
