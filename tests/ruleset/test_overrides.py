"""Overrides: where they come from, what they refuse and how they say it, what follows from them."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from hakoenv.ruleset import RULES_VERSION, RulesetError, load_ruleset, scenarios
from hakoenv.ruleset.tables import base


def message(key: str, value: object) -> str:
    with pytest.raises(RulesetError) as caught:
        load_ruleset("duel", {key: value})
    text = str(caught.value)
    assert "\n" not in text and text.startswith("override")
    return text


def test_unknown_key_names_the_three_nearest() -> None:
    text = message("mine.pile_per_leve", 1)
    assert "mine.pile_per_leve'" in text
    near = text.split("nearest: ")[1].split(", ")
    assert len(near) == 3 and near[0] == "mine.pile_per_level"
    assert "ship_classes.cruiser.scatter" in message("ship_classes.cruser.scatter", 1)


def test_unknown_key_when_reading() -> None:
    with pytest.raises(RulesetError, match=r"mine\.level_max"):
        load_ruleset()["mine.level_maxx"]


@pytest.mark.parametrize(
    "value", [True, 1.5, 2.0, "10", None, [10], -1, 10**9 + 1, float("nan"), float("inf"), np.float64(3)]
)
def test_integers_refuse_everything_else(value: object) -> None:
    text = message("mine.pile_per_level", value)
    assert "mine.pile_per_level" in text and repr(value) in text
    assert "an integer from 0 to 100" in text


@pytest.mark.parametrize("value", [True, "0.2", None, float("nan"), float("inf"), -0.1, [0.1], {}, 10**400])
def test_reals_refuse_everything_else(value: object) -> None:
    assert "a number from 0 to 1000000000" in message("land.freight", value)


def test_probabilities_end_at_100() -> None:
    assert "from 0 to 100" in message("survey.percent", 101)
    assert "from 0 to 100" in message("disasters.fire.percent_per_turn", 100.5)
    assert (
        load_ruleset("duel", {"disasters.fire.percent_per_turn": 100})["disasters.fire.percent_per_turn"]
        == 100.0
    )


def test_flags_take_true_and_false() -> None:
    assert load_ruleset("duel", {"season.end_on_sole_survivor": False})["season.end_on_sole_survivor"] == 0
    assert "from 0 to 1" in message("season.end_on_sole_survivor", 2)


@pytest.mark.parametrize("value", [[1, 2], 3, [1, 2, 3, 4.5], [1, 2, 3, 1001], "1234", [1, 2, 3, True]])
def test_lists_keep_their_length_and_types(value: object) -> None:
    assert "a list of 4 integers, each from 0 to 1000" in message("worldgen.climate_bands", value)


def test_codes_are_names() -> None:
    assert "own_cell" in message("commands.tunnel.target", "own_cel")
    assert "own_cell" in message("commands.tunnel.target", 1)
    changed = load_ruleset("duel", {"commands.tunnel.target": "any_cell", "terrains.depot.disguise": ""})
    assert changed.rules.commands[5]["target"] == 3
    assert changed.rules.terrains[13]["disguise"] == -1


@pytest.mark.parametrize(
    "key",
    [
        "efficiency.curve",
        "founding.centre_terrain",
        "research.production_1.effect_percent",
        "climate.arctic.rows.north.low",
    ],
)
def test_some_things_can_not_be_overridden(key: str) -> None:
    assert f"{key} can't be overridden" in message(key, 1)


def test_unknown_scenario_lists_names() -> None:
    with pytest.raises(RulesetError, match="duel, skirmish, season, grand"):
        load_ruleset("duell")


def test_later_layers_win(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('"season.max_turns" = 50\n[mine]\nlevel_max = 5\npile_per_level = 11\n', encoding="utf-8")
    from_file = load_ruleset("duel", file=file)
    assert from_file["season.max_turns"] == 50  # scenario: 120
    assert from_file["mine.level_max"] == 5
    both = load_ruleset("duel", {"mine.level_max": 7}, file)
    assert (both["mine.level_max"], both["mine.pile_per_level"]) == (7, 11)
    assert both.overrides == {"season.max_turns": 50, "mine.pile_per_level": 11, "mine.level_max": 7}


def test_file_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    with pytest.raises(RulesetError, match=r"bad\.toml: can't be read"):
        load_ruleset("duel", file=file)
    file.write_text("mine = ", encoding="utf-8")
    with pytest.raises(RulesetError, match=r"bad\.toml: is not valid TOML"):
        load_ruleset("duel", file=file)
    file.write_text("[mine]\nlevel_max = true\n", encoding="utf-8")
    with pytest.raises(RulesetError, match=r"bad\.toml: mine\.level_max = True"):
        load_ruleset("duel", file=file)
    file.write_text("[mine]\nlevel_may = 3\n", encoding="utf-8")
    with pytest.raises(RulesetError, match=r"bad\.toml: unknown key 'mine\.level_may'"):
        load_ruleset("duel", file=file)


def test_whatever_is_in_a_file_or_given_as_overrides_is_taken_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    for text in ("x = " + "[" * 10000, "season.max_turns = " + "9" * 5000, "a." * 5000 + "b = 1"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(RulesetError, match=r"odd\.toml: "):
            load_ruleset("duel", file=file)
    file.write_text('"mine.level_max" = 2\n[mine]\nlevel_max = 3\n', encoding="utf-8")
    with pytest.raises(RulesetError, match=r"odd\.toml: mine\.level_max is given twice"):
        load_ruleset("duel", file=file)
    file.write_text("[mine]\n# level_max = 3\n", encoding="utf-8")
    assert load_ruleset("duel", {"season.max_turns": 9}, file).overrides == {"season.max_turns": 9}
    for overrides in (5, "mine", [("mine.level_max", 3)]):
        with pytest.raises(RulesetError, match="no mapping"):
            load_ruleset("duel", overrides)  # type: ignore[arg-type]
    with pytest.raises(RulesetError, match="unknown scenario"):
        load_ruleset(["duel"])  # type: ignore[arg-type]
    with pytest.raises(RulesetError, match="unknown key 'mines_'"):
        load_ruleset("duel", {"mines_": {}})
    half = load_ruleset("duel", {"land.freight": Fraction(1, 2)})
    assert json.loads(json.dumps(half.overrides)) == {"land.freight": 0.5}


def test_nothing_is_built_above_its_highest_level() -> None:
    with pytest.raises(
        RulesetError, match=r"terrains\.farm\.level_start = 10 is above terrains\.farm\.level_max"
    ):
        load_ruleset("duel", {"terrains.farm.level_max": 9})
    assert load_ruleset("duel", {"mine.level_max": 5})["terrains.large_mine.level_start"] == 5


def test_other_spellings_are_the_same_key() -> None:
    short = load_ruleset("duel", {"market.price_floor": 0.5, "missiles.normal.scatter": 0})
    long = load_ruleset("duel", {"market.price_floor.value": 0.5, "missiles.missile_normal.scatter": 0})
    nested = load_ruleset("duel", {"market": {"price_floor": 0.5}, "missiles": {"normal": {"scatter": 0}}})
    assert short == long == nested
    with pytest.raises(RulesetError, match="given twice"):
        load_ruleset("duel", {"market.price_floor": 0.5, "market.price_floor.value": 0.6})


def test_a_number_that_stands_twice_changes_in_both_places() -> None:
    ruleset = load_ruleset("duel", {"tunnel.cost": 500, "mine.level_max": 5, "mines.quarry.level_max": 8})
    assert ruleset["commands.tunnel.cost"] == 500
    assert ruleset["commands.tunnel.early_cost"] == 500
    assert ruleset["facility_costs.tunnel.build_funds"] == 500
    assert ruleset["mines.coal_mine.level_max"] == 5
    assert ruleset["mines.quarry.level_max"] == 8  # its own value goes first
    assert ruleset["mines.barren_mountain.level_max"] == 0  # never had one
    assert (
        load_ruleset("duel", {"commands.factory.cost": 70})["commands.factory.early_cost"] == 50
    )  # S: differs


def test_a_linked_value_must_fit_both_places() -> None:
    with pytest.raises(RulesetError, match=r"override \(cruise\.hp\): ship_classes\.cruise_ship\.hp_base"):
        load_ruleset("duel", {"cruise.hp": 300})


def test_research_effects_follow_their_constant() -> None:
    ruleset = load_ruleset("duel", {"research.percent_per_level": 5})
    assert ruleset.rules.research["effect_percent"][0].tolist() == [100, 105, 110, 115, 120, 125]


def test_numpy_numbers_are_taken_and_become_plain() -> None:
    ruleset = load_ruleset("duel", {"mine.level_max": np.int64(4), "land.freight": np.float32(0.5)})
    assert type(ruleset["mine.level_max"]) is int and type(ruleset["land.freight"]) is float
    assert json.loads(json.dumps(ruleset.overrides)) == {"mine.level_max": 4, "land.freight": 0.5}


def test_equal_by_content() -> None:
    same = load_ruleset("duel", {"mine.level_max": 10})  # the value it has anyway
    assert same == load_ruleset("duel") and hash(same) == hash(load_ruleset("duel"))
    assert load_ruleset("duel") != load_ruleset("duel", {"mine.level_max": 9})
    assert load_ruleset("season") != load_ruleset("grand")  # other numbers of nations
    assert load_ruleset("duel") != "duel"


def test_pickles_and_copies_by_content(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mines.quarry.level_max = 5\n", encoding="utf-8")
    for ruleset in (
        load_ruleset(),
        load_ruleset("duel", {"mine.level_max": 7, "worldgen.climate_bands": [1, 2, 3, 4]}, file),
    ):
        again = pickle.loads(pickle.dumps(ruleset))
        assert again == ruleset
        assert again.overrides == ruleset.overrides
        assert again.rules.mines.tobytes() == ruleset.rules.mines.tobytes()
        assert again == load_ruleset(ruleset.scenario, json.loads(json.dumps(ruleset.overrides)))


CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.json"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: str(file.stem))
def test_overrides_of_case_files_are_known(file: Path) -> None:
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
        load_ruleset("season", case.get("world", {}).get("rules") or {})


def test_never_changes() -> None:
    ruleset = load_ruleset("duel")
    with pytest.raises(AttributeError, match="never changes"):
        ruleset.scenario = "season"
    ruleset.overrides["mine.level_max"] = 3
    assert ruleset.overrides == {}
    assert load_ruleset("duel")["mine.level_max"] == 10
    with pytest.raises(TypeError):
        base().entries["x"] = None  # type: ignore[index]


def test_info() -> None:
    info = load_ruleset("duel", {"mine.pile_per_level": 20}).info("mine.pile_per_level")
    assert (info.value, info.default, info.unit, info.low, info.provenance) == (20, 10, "pile", 0, "seed")
    assert info.rules == ("DEV-013",) and info.source == "S:143" and info.overridable
    style = load_ruleset().info("worldgen.style")
    assert style.choices == ("continents", "archipelago", "pangaea")
    assert "0 continents, 1 archipelago, 2 pangaea" in style.allowed
    assert load_ruleset().info("climate.arctic.ship_repair_percent").provenance == "seed"
    assert load_ruleset().info("climate.arctic.crop_percent").provenance == "chosen"


def test_table_shows_overrides_names_and_text() -> None:
    rows = load_ruleset("duel", {"ship_classes.cruiser.scatter": 0}).table("ship_classes")
    assert (rows[2]["name"], rows[2]["name_ja"], rows[2]["scatter"]) == ("cruiser", "巡洋艦", 0)
    orders = [row for row in load_ruleset().table("enums") if row["enum"] == "corps_order"]
    assert [row["value"] for row in orders] == list(range(6))
    market = {row["id"]: row["value"] for row in load_ruleset().table("market")}
    assert market["price_floor"] == 0.4
    assert load_ruleset().table("terrains")[0]["disguise"] is None


@pytest.mark.parametrize(
    ("name", "nations", "side", "land", "continents", "last", "conquest", "lock", "delay"),
    [
        ("duel", 2, 30, 120, 1, 120, 40, 5, 2),
        ("skirmish", 4, 40, 220, 2, 180, 60, 10, 3),
        ("season", 20, 90, 700, 5, 360, 100, 15, 5),
        ("grand", 40, 90, 1400, 10, 360, 100, 15, 5),
    ],
)
def test_scenarios(
    name: str,
    nations: int,
    side: int,
    land: int,
    continents: int,
    last: int,
    conquest: int,
    lock: int,
    delay: int,
) -> None:
    ruleset = load_ruleset(name)
    assert (ruleset.scenario, ruleset.nations, ruleset.version) == (name, nations, RULES_VERSION)
    assert ruleset["map.width"] == ruleset["map.height"] == side
    assert (ruleset.land_cells(), ruleset.continents()) == (land, continents)
    assert (ruleset["season.max_turns"], ruleset["season.min_turns"]) == (last, conquest)
    assert (ruleset["diplomacy.founding_lock"], ruleset["diplomacy.war_delay"]) == (lock, delay)
    assert ruleset["founding.diplomacy_lock"] == lock
    assert ruleset.overrides == {}
    assert list(scenarios()) == ["duel", "skirmish", "season", "grand"]


def test_land_by_formula_has_limits() -> None:
    season = load_ruleset("season")
    assert [season.land_cells(n) for n in (1, 12, 13, 20, 68, 69, 100)] == [
        420,
        420,
        455,
        700,
        2380,
        2400,
        2400,
    ]
    assert [season.continents(n) for n in (1, 4, 20, 40)] == [1, 1, 5, 10]
