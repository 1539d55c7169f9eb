"""A new world, drawn from its seed before any nation is founded (MAP-051)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import terrain
from hakoenv.engine.mapgen import cover, deposits, grounds, homes, shape
from hakoenv.engine.world import World
from hakoenv.ruleset import Ruleset
from hakoenv.ruleset.compiled import Rules

_SMALLEST = 12  # side of a map that has room for a coast and a nation
_GROUNDS = ("mountain", "forest", "plains", "wasteland")
_WHOLE = 100  # percent


class ScenarioError(ValueError):
    """A world that can't be: what was asked for, what is possible, and the way out."""


def generate(world: World, rules: Rules) -> None:
    """Fill an empty world (turn 0) with land, terrain, climate, deposits and fishing grounds.

    A map on which some nation would find no site is drawn anew, a bounded number of times; then the
    map with most sites is taken.

    Args:
        world: from `new_world`; its seed, size and seats decide the map.
        rules: the ruleset, checked by `check_map`.
    """
    best, chosen, attempt = -1, 0, 0
    for attempt in range(int(rules.scalars[0]["worldgen_attempts"])):
        found = _draw_map(world, rules, attempt)
        if found > best:
            best, chosen = found, attempt
        if found == len(world.nations):
            break
    if chosen != attempt:
        _draw_map(world, rules, chosen)
    grounds.strew(world, rules)


def check_map(ruleset: Ruleset, nations: int) -> None:
    """Refuse a scenario whose map can't hold its land or its nations.

    Raises:
        ScenarioError: naming the thing, its value, the limit and the way out.
    """
    rules = ruleset.rules
    scalars = rules.scalars[0]
    width, height = int(scalars["map_width"]), int(scalars["map_height"])
    for name, side in (("map.width", width), ("map.height", height)):
        if side < _SMALLEST:
            raise ScenarioError(f"{name}={side} is too small for a generated map: use {_SMALLEST} or more")
    shares = {name: int(scalars[f"worldgen_{name}_percent"]) for name in _GROUNDS}
    if sum(shares.values()) != _WHOLE:
        listed = ", ".join(f"worldgen.{name}_percent={share}" for name, share in shares.items())
        raise ScenarioError(
            f"{listed}: the four shares of the land sum to {sum(shares.values())}, not to 100"
        )
    land = shape.land_target(rules, nations)
    percent = int(scalars["worldgen_land_limit_percent"])
    most = width * height * percent // 100
    if land > most:
        raise ScenarioError(
            f"{land} land cells for nations={nations} are too many for the {width}x{height} map of scenario "
            f'"{ruleset.scenario}" (at most {most}, {percent}% of its cells): '
            "use a larger map.width and map.height, or set worldgen.land_cells"
        )
    room = shape.room_for(rules, nations)
    if nations > room:
        raise ScenarioError(
            f'nations={nations} is too many for scenario "{ruleset.scenario}" '
            f"({land} land cells hold at most {room}): use a larger scenario or set worldgen.land_cells"
        )
    continents = int(scalars["worldgen_continent_count"])
    if continents > room:
        raise ScenarioError(
            f"worldgen.continent_count={continents} is too many for {land} land cells (at most {room}): "
            "lower it or set worldgen.land_cells"
        )


def _draw_map(world: World, rules: Rules, attempt: int) -> int:
    """Draw one map; return how many nations find a site on it."""
    seats = len(world.nations)
    sketch = shape.draw(world, rules, attempt)
    world.cells["level"] = world.cells["deposit"] = world.cells["richness"] = 0
    land = sketch.mass.reshape(world.cells.shape) >= 0
    world.cells["terrain"] = np.where(land, terrain.WASTELAND, terrain.SEA)
    plan = homes.choose(world, rules, seats, bare=True)
    cover.set_climate(world, rules)
    cover.lay(world, rules, attempt, plan)
    cover.lay_shallows(world, rules, attempt, sketch)
    deposits.place(world, rules, attempt, plan, sketch)
    for field in ("all_land", "ownerless_land", "initial_land"):
        world.clock[field] = len(plan.land)
    return int(homes.choose(world, rules, seats).found[0])
