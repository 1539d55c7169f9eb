"""What a picture of the map may show: the truth, or what one nation sees."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import view
from hakoenv.engine.codes import ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.render import colours
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
NO_SHIP = -2  # -1 is a neutral ship's owner
LAST_WARSHIP = ship_class.LAST_WARSHIP
WARSHIP = "warship"
SHIP_SORTS = {
    ship_class.MERCHANT: "merchant",
    ship_class.LARGE_MERCHANT: "large_merchant",
    ship_class.CRUISE_SHIP: "cruise_ship",
    ship_class.FISHING_BOAT: "fishing_boat",
    ship_class.PIRATE: "pirate",
}
"""What ships are drawn as, by class; all others are warships."""
_PUBLIC = -2  # a viewer who owns nothing and has no sight
_SEEN_FIELDS = 8

Viewer: TypeAlias = int | Literal["public"] | None


class Scene(NamedTuple):
    """The map as it is drawn; all arrays flat by cell (H*W,) unless said otherwise.

    Attributes:
        height: rows.
        width: columns.
        terrain: terrain numbers, disguises applied.
        ground: the terrain whose colour lies under the symbol (an oil field on land: wasteland, MAP-019).
        owner: nation, -1 ownerless.
        population: units of 100.
        level: size, trees, level.
        deposit: deposit kinds.
        unit_owner: nation of the unit standing there, -1 none shown.
        unit_strength: its strength, 0 none shown.
        unit_colour: colour number of its corps, -1 none or unknown: only its nation knows (ARMY-002).
        ship_owner: nation of the ship, -1 neutral, -2 none shown.
        ship_kind: ship class, 0 none shown.
        wreck: whether a wreck lies there, which everybody sees (NAVY-042).
        town_steps: populations from which a village is a town, a town a city (MAP-016).
        capital: (N,) cell of each nation's capital, -1 none.
        seen: whether the viewer would see a foreign unit or warship there; None shows everything.
    """

    height: int
    width: int
    terrain: NDArray[np.int64]
    ground: NDArray[np.int64]
    owner: NDArray[np.int64]
    population: NDArray[np.int64]
    level: NDArray[np.int64]
    deposit: NDArray[np.int64]
    unit_owner: NDArray[np.int64]
    unit_strength: NDArray[np.int64]
    unit_colour: NDArray[np.int64]
    ship_owner: NDArray[np.int64]
    ship_kind: NDArray[np.int64]
    wreck: NDArray[np.bool_]
    town_steps: tuple[int, int]
    capital: NDArray[np.int64]
    seen: NDArray[np.bool_] | None


def look(world: World, rules: Rules, viewer: Viewer = None) -> Scene:
    """What is drawn of a world.

    Args:
        world: the world; not changed.
        rules: the compiled rules.
        viewer: nation whose knowledge is drawn, "public" for the public map (MAP-025, MAP-026); None draws
            the truth. To a nation, other nations' capitals are unknown.

    Raises:
        ValueError: ``viewer`` is none of these.
    """
    seats = len(world.nations)
    if viewer is None:
        return _truth(world, rules)
    if viewer == "public":
        return _seen(world, rules, _PUBLIC)
    if isinstance(viewer, str) or not 0 <= viewer < seats:
        allowed = f'0..{seats - 1}, "public", or None for the truth'
        raise ValueError(f"viewer={viewer!r} is no nation: use {allowed}")
    return _seen(world, rules, int(viewer))


def _town_steps(rules: Rules) -> tuple[int, int]:
    constants = rules.scalars[0]
    return int(constants["town_village_below"]), int(constants["town_city_from"])


def _seen(world: World, rules: Rules, viewer: int) -> Scene:
    height, width = world.cells.shape
    found = np.zeros((height * width, _SEEN_FIELDS), np.int64)
    look_at_cells(world, rules, viewer, np.zeros((2, height * width), np.int64), found)
    number, owner, population, level, deposit, unit, ship, sees = found.T
    capital = np.full(len(world.nations), NOBODY, np.int64)
    if viewer >= 0 and world.nations[viewer]["alive"]:
        capital[viewer] = world.nations[viewer]["capital"]
    return Scene(
        height=height,
        width=width,
        terrain=number,
        ground=ground_under(number, _flat(world.cells, "below")),
        owner=owner,
        population=population,
        level=level,
        deposit=deposit,
        **_units(world, unit, viewer),
        ship_owner=np.where(ship >= 0, world.ships["owner"][ship], NO_SHIP).astype(np.int64),
        ship_kind=np.where(ship >= 0, world.ships["kind"][ship], 0).astype(np.int64),
        wreck=_wrecks(world),
        town_steps=_town_steps(rules),
        capital=capital,
        seen=sees == 1 if viewer >= 0 else None,
    )


def _wrecks(world: World) -> NDArray[np.bool_]:
    """Where wrecks lie."""
    found = np.zeros(world.cells.size, np.bool_)
    found[world.wrecks["cell"][world.wrecks["kind"] > 0]] = True
    return found


def _units(world: World, unit: NDArray[np.int64], viewer: int | None) -> dict[str, NDArray[np.int64]]:
    """What is drawn of the units of each cell (index, -1 none); a viewer knows the corps of its own."""
    standing = world.units[unit]
    owner = np.where(unit >= 0, standing["owner"], NOBODY).astype(np.int64)
    colour = world.corps["colour"][owner, standing["corps"]].astype(np.int64)
    known = unit >= 0 if viewer is None else (unit >= 0) & (owner == viewer)
    return {
        "unit_owner": owner,
        "unit_strength": np.where(unit >= 0, standing["strength"], 0).astype(np.int64),
        "unit_colour": np.where(known, colour, -1).astype(np.int64),
    }


@kernel
def look_at_cells(
    world: World, rules: Rules, viewer: int, watch: NDArray[np.int64], found: NDArray[np.int64]
) -> None:
    """Fill ``found`` (H*W, 8): terrain, owner, population, level, deposit, unit, ship, whether seen.

    ``watch`` (2, H*W) is room to work in.
    """
    cells = world.cells.reshape(-1)
    view.watch_all(world, rules, watch)
    for i in range(cells.shape[0]):
        watchers = int(watch[view.WARSHIPS, i])
        found[i, 0] = view.terrain_watched(world, rules, viewer, i, watchers)
        found[i, 1] = view.owner(world, rules, viewer, i)
        found[i, 2] = view.population(world, rules, viewer, i)
        found[i, 3] = view.level_watched(world, rules, viewer, i, watchers)
        found[i, 4] = view.deposit(world, rules, viewer, i)
        if viewer >= 0:
            found[i, 5] = view.unit(world, rules, viewer, i)
            found[i, 6] = view.ship(world, rules, viewer, i)
            found[i, 7] = ((watch[view.UNITS, i] | watch[view.WARSHIPS, i]) >> viewer) & 1
        else:
            ship = np.int64(cells[i].ship)
            found[i, 5] = -1
            found[i, 6] = ship if ship >= 0 and world.ships[ship].kind > LAST_WARSHIP else -1


def _flat(cells: Any, name: str) -> NDArray[np.int64]:
    return np.asarray(cells[name]).reshape(-1).astype(np.int64)


def _truth(world: World, rules: Rules) -> Scene:
    cells = world.cells
    height, width = cells.shape
    ground = _flat(cells, "terrain")
    unit, ship = _flat(cells, "unit"), _flat(cells, "ship")
    capital = np.where(world.nations["alive"] == 1, world.nations["capital"], -1).astype(np.int64)
    return Scene(
        height=height,
        width=width,
        terrain=ground,
        ground=ground_under(ground, _flat(cells, "below")),
        owner=_flat(cells, "owner"),
        population=_flat(cells, "population"),
        level=_flat(cells, "level"),
        deposit=_flat(cells, "deposit"),
        **_units(world, unit, None),
        ship_owner=np.where(ship >= 0, world.ships["owner"][ship], NO_SHIP).astype(np.int64),
        ship_kind=np.where(ship >= 0, world.ships["kind"][ship], 0).astype(np.int64),
        wreck=_wrecks(world),
        town_steps=_town_steps(rules),
        capital=capital,
        seen=None,
    )


def ground_under(number: NDArray[np.int64], base: NDArray[np.int64]) -> NDArray[np.int64]:
    """The terrain that shows around the symbol: an oil field or a monster stands on its base."""
    stands_on = (number == terrain.OFFSHORE_OIL) | (number == terrain.MONSTER)
    return np.where(stands_on, base, number)


def is_water(ground: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which grounds are drawn as water; ports are drawn as the built land that they look like."""
    return np.isin(ground, colours.WATER)
