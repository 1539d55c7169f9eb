"""The data files: they validate, name rules that exist, and say what the source says."""

from __future__ import annotations

import csv
import io
import tomllib

import pytest

from hakoenv.rulebook import rules
from hakoenv.ruleset import codes, load_ruleset
from hakoenv.ruleset.schema import NUMERIC, check
from hakoenv.ruleset.tables import base, data, read_toml

# The numbers that the source states, as (key, value): a change here is a change of the game.
STATED = {
    "map.width": 90,
    "map.height": 90,
    "plan.max_commands": 50,
    "season.max_turns": 360,
    "season.min_turns": 100,
    "victory.unaligned_land_percent": 60,
    "victory.faction_land_percent": 70,
    "disaster.safe_land_cells": 716,
    "tunnel.cost": 900,
    "mine.pile_per_level": 10,
    "mine.recovery.levels_per_unit": 4,
    "mine.collapse_level1": 11,
    "mine.collapse_level10": 2,
    "food.rot_percent": 0.5,
    "power_plant.percent_max": 80,
    "port.bonded_cap": 16777215,
    "land.freight": 0.15,
    "missile.unit_damage.low": 30,
    "missile.unit_damage.high": 49,
    "ship.experience_steps": (10, 30),
    "missile.candidates": (1, 7, 19, 37),
    "finance.repay_order": (8, 0, 1, 2, 3, 4, 5, 6, 7),
    "ai.ammo_turns_steel": (3, 6),
    "auction.delivery_turns": 36,
    "containment.land_percent": 30,
    "founding.capital_population": 60,
    "founding.funds": 6000,
    "growth.city_growth.cap.limit": 200,
}


def test_every_value_keeps_its_own_limits() -> None:
    for entry in base().entries.values():
        if entry.type != "text" and not entry.fixed:
            assert check(entry, entry.value, "data") == entry.value


def test_every_number_has_rules_that_exist() -> None:
    for entry in base().entries.values():
        assert entry.rules, entry.key
        assert set(entry.rules) <= set(rules()), entry.key


def test_every_table_has_rules_that_exist() -> None:
    for table in base().tables.values():
        assert table.rules and set(table.rules) <= set(rules()), table.name
        assert table.meaning


def test_provenance_is_one_of_four_and_seed_values_name_their_line() -> None:
    for entry in base().entries.values():
        assert entry.provenance in {"seed", "bounded", "ancestor", "chosen"}, entry.key
        if entry.provenance == "seed":
            assert entry.source.startswith("S:"), entry.key
        elif not entry.table:
            assert entry.note, entry.key


@pytest.mark.parametrize(("key", "value"), STATED.items())
def test_stated_values(key: str, value: object) -> None:
    ruleset = load_ruleset()
    assert ruleset[key] == value
    assert ruleset.info(key).provenance == "seed"


def test_counts() -> None:
    """How many constants and rows there are; 30 tables of the source, one of them the constants."""
    assert len(base().tables) == 29
    rows = {name: len(table.rows) for name, table in base().tables.items()}
    expected = {
        "commands": 86,
        "terrains": 50,
        "resources": 9,
        "ship_classes": 9,
        "weather": 9,
        "research": 18,
    }
    assert {name: rows[name] for name in expected} == expected


def test_csv_files_are_plain() -> None:
    for file in data().iterdir():
        if file.name.endswith(".csv"):
            text = file.read_text(encoding="utf-8")
            assert "\r" not in text and text.endswith("\n"), file.name
            for row in csv.DictReader(io.StringIO(text)):
                assert None not in row and None not in row.values(), (file.name, row)
        elif file.name.endswith(".toml"):
            tomllib.loads(file.read_text(encoding="utf-8"))


def test_every_percentage_is_bounded() -> None:
    for entry in base().entries.values():
        if entry.type in NUMERIC and "percent" in entry.key.split(".")[-1] and not entry.fixed:
            assert entry.high is not None and entry.high <= 100_000, entry.key


@pytest.mark.parametrize("key", read_toml("implied.toml"))
def test_linked_numbers_start_equal(key: str) -> None:
    """A number that stands twice is the same in both places; else a change would not reach the other."""
    entries = base().entries
    for target in read_toml("implied.toml")[key]:
        if "*" not in target:
            assert entries[target].value == entries[key].value, (key, target)
    if "*" not in key:
        assert base().implied[key]


def test_code_lists_mirror_the_tables() -> None:
    tables = base().tables
    assert tables["terrains"].columns["kind"].choices == codes.TERRAIN_KINDS
    assert tables["terrains"].columns["domain"].choices == codes.DOMAINS
    assert tables["commands"].columns["target"].choices == codes.TARGET_KINDS
    assert tables["commands"].columns["status"].choices == codes.COMMAND_STATUS
    assert tables["commands"].columns["category"].choices == codes.COMMAND_CATEGORIES
    assert tables["industry"].columns["fuel_value_base"].choices == codes.FUEL_BASES
    assert tables["monsters"].columns["hardening"].choices == codes.HARDENING
    assert tables["monsters"].columns["domain"].choices == codes.MONSTER_DOMAINS
    assert tables["facility_costs"].labels == codes.FACILITIES
    assert tables["mines"].labels == codes.MINES == tuple(codes.DEPOSIT_OF_MINE)
    assert tables["industry"].labels == codes.INDUSTRIES
    assert tables["climate"].labels == codes.CLIMATES
    assert tables["weather"].labels == codes.WEATHERS
    assert tables["resources"].labels == codes.MATERIALS
    assert base().entries["worldgen.style"].choices == codes.WORLD_STYLES
    assert tuple(dict.fromkeys(row["branch"] for row in tables["research"].rows)) == codes.RESEARCH_BRANCHES
    items = [row["name"] for row in tables["enums"].rows if row["enum"] == "item"]
    assert tuple(items[:10]) == codes.ITEM_NAMES


@pytest.mark.rule("MAP-003")
def test_terrain_numbers_are_those_of_the_rules() -> None:
    numbers = {row["name"]: int(row["number"]) for row in base().tables["terrains"].rows}
    assert numbers == {**rules()["MAP-003"].values, **rules()["MAP-005"].values}
    assert numbers["merchant"] == numbers["large_merchant"] == 41
    assert set(numbers.values()) == set(range(49))


CLASS_RULES = {
    "nature": "MAP-006",
    "military": "MAP-007",
    "special": "MAP-008",
    "urban": "MAP-009",
    "industry": "MAP-010",
    "economy": "MAP-011",
    "resource": "MAP-012",
    "sea": "MAP-013",
    "ship": "MAP-014",
}


@pytest.mark.parametrize(
    ("kind", "rule"),
    [pytest.param(kind, rule, marks=pytest.mark.rule(rule)) for kind, rule in CLASS_RULES.items()],
)
def test_terrain_classes_are_those_of_the_rules(kind: str, rule: str) -> None:
    found = sorted({int(r["number"]) for r in base().tables["terrains"].rows if r["kind"] == kind})
    stated = next(value for value in rules()[rule].values.values() if isinstance(value, list))
    without_number = {"MAP-013": [48], "MAP-014": [47]}  # fish farms and fishing boats: MAP-005
    assert found == sorted(stated) + without_number.get(rule, [])


@pytest.mark.rule("MAP-044")
def test_growth_is_that_of_the_rule() -> None:
    growth = {str(row["id"]): row for row in load_ruleset().table("growth")}
    ranges = {
        "village_growth": (1, 10), "city_growth": (1, 4), "metropolis_growth": (0, 2),
        "new_town_growth": (1, 8), "modern_city_growth": (0, 4), "seabed_city_growth": (0, 4),
        "famine_loss": (1, 10),
    }  # fmt: skip
    for name, bounds in ranges.items():
        assert (growth[name]["per_turn.low"], growth[name]["per_turn.high"]) == bounds, name
    percents = {"new_village": 4, "settlement": 2, "wasteland_to_plains": 10}
    assert {name: growth[name]["per_turn.percent"] for name in percents} == percents


@pytest.mark.rule("CMD-004", "CMD-016")
def test_settings_and_offers_take_no_turn() -> None:
    """Commands of one turn build, fire, lay, salvage, survey, research, raise money or give up."""
    works = {
        "prepare_land", "reclaim", "dig", "tunnel", "fell_forest", "plant_forest", "farm", "factory", "mine",
        "missile_base", "defense_facility", "seabed_base", "monument", "depot", "economic_facility",
        "warehouse", "lighthouse", "urban_build", "fish_farm", "breakwater", "power_plant", "mine_level_up",
        "missile_normal", "missile_pp", "missile_antipersonnel", "missile_ballistic", "build_ship",
        "lay_mine", "remove_mine", "salvage_wreck", "survey", "research", "fundraise", "abandon_nation",
    }  # fmt: skip
    turns = {str(row["name"]): row["turns"] for row in load_ruleset().table("commands")}
    assert set(turns.values()) == {0, 1}
    assert {name for name, count in turns.items() if count} == works


@pytest.mark.rule("CMD-003")
def test_there_are_86_commands_with_names_of_their_own() -> None:
    rows = base().tables["commands"].rows
    assert len(rows) == len({row["number"] for row in rows}) == len({row["name"] for row in rows}) == 86
    assert load_ruleset()["command.count"] == 86
    stated = rules()["CMD-003"].values["known_numbers"]
    assert set(stated) <= {int(row["number"]) for row in rows} <= set(range(1, 136))
    refused = {int(row["number"]): row["status"] for row in rows if row["status"] != "on"}
    assert refused == {3: "locked", 114: "private_only", 115: "private_only"}


@pytest.mark.rule("RES-002")
def test_eight_resources_and_food() -> None:
    names = [str(row["name"]) for row in load_ruleset().table("resources")]
    assert names == ["wood", "stone", "ore", "oil", "fuel", "goods", "ammo", "steel", "food"]
    assert [row["id"] for row in load_ruleset().table("resources")] == list(range(9))


def test_disguised_terrains() -> None:
    disguises = {row["name"]: row["disguise"] for row in load_ruleset().table("terrains") if row["disguise"]}
    assert disguises == {
        "seabed_base": "sea",
        "missile_base": "forest",
        "defense_facility": "forest",
        "depot": "forest",
        "naval_mine": "sea",
    }
