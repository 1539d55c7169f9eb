"""The quiet ruleset and world: nothing happens but what the world, the orders and the run cause."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np

from hakoenv.engine.codes import item, research
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import Ruleset, codes, load_ruleset
from hakoenv.testing.names import PORT_POLICIES

QUIET_WEATHER = "fine"
QUIET_CLIMATE = "temperate"
CONSEQUENCES = ("tsunami", "famine")
"""Disasters that are no chance events: they follow from another one, or from an empty granary."""


@cache
def quiet_overrides() -> dict[str, object]:
    """What the quiet world changes in the ruleset: no random event, no fuel need."""
    quiet: dict[str, object] = {}
    for key in load_ruleset().keys():  # noqa: SIM118 - a Ruleset is no mapping
        table, _, rest = key.partition(".")
        row, _, column = rest.partition(".")
        chance = column in ("percent_per_turn", "percent_over_limit", "effect.percent_per_level_land")
        if table == "disasters" and chance and row not in CONSEQUENCES:
            quiet[key] = 0.0
    for key in ("mine.collapse_level1", "mine.collapse_level10", "coal.small_percent"):
        quiet[key] = 0
    quiet["pirate.raid_percent"] = quiet["pirate.sink_percent"] = 0
    quiet["fuel.enabled"] = 0
    return quiet


def quiet_ruleset(
    height: int, width: int, rules: Mapping[str, object], weather: Mapping[str, str]
) -> Ruleset:
    """The ruleset of a small world (the `season` scenario with the quiet changes, then `rules`).

    Args:
        height: rows of the map.
        width: cells of a row.
        rules: further overrides, as `load_ruleset` takes them; `fuel.start_turn` switches the fuel rule on.
        weather: weather by climate zone; the others have `fine` weather.
    """
    layer: dict[str, object] = {"map.height": height, "map.width": width}
    for zone in codes.CLIMATES:
        chosen = weather.get(zone, QUIET_WEATHER)
        for name in codes.WEATHERS:
            layer[f"weather.{name}.weight_{zone}"] = int(name == chosen)
    if "fuel.start_turn" in rules:
        layer["fuel.enabled"] = 1
    return _load(json.dumps({**layer, **rules}, default=_plain))


def _plain(value: Any) -> object:
    """A NumPy number or array as JSON can hold it; anything else as text, which the ruleset refuses."""
    return value.tolist() if hasattr(value, "tolist") else repr(value)


@lru_cache(maxsize=256)
def _load(overrides: str) -> Ruleset:
    return load_ruleset("season", {**quiet_overrides(), **json.loads(overrides)})


def quiet_world(height: int, width: int, nations: int, seed: int, turn: int, ruleset: Ruleset) -> World:
    """An all-sea world at peace whose nations were founded 100 turns ago, own nothing and are alive."""
    world = new_world(width, height, nations, seed)
    world.clock["turn"] = turn
    world.clock["weather"] = codes.WEATHERS.index(QUIET_WEATHER)
    world.cells["climate"] = codes.CLIMATES.index(QUIET_CLIMATE)
    record = world.nations
    record["alive"] = 1
    record["founded"] = turn - FOUNDED_BEFORE
    record["research_branch"] = research.NONE
    record["shares"] = [ruleset[f"founding.worker_shares.{part}"] for part in SHARES]
    record["tariff"] = ruleset["market.tariff_default"]
    record["transit_fee"] = ruleset["market.transit_fee_default"]
    record["port_policy"] = PORT_POLICIES.number("open")
    record["export_caps"] = ruleset["market.export_cap_default.units"]
    record["export_caps"][:, item.FOOD] = ruleset["market.export_cap_default.food"]
    world.corps["order"] = ruleset["corps.default_order"]
    world.market["price"] = [_price(ruleset, name) for name in codes.MATERIALS]
    return world


FOUNDED_BEFORE = 100
SHARES = ("agriculture", "industry", "commerce")


def _price(ruleset: Ruleset, name: str) -> np.int64:
    """The base price of an item in thousandths of funds."""
    value = ruleset[f"resources.{name}.base_price"]
    assert isinstance(value, int)
    return np.int64(value * 1000)
