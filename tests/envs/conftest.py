"""What the tests of environments share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import relation, terrain, unit_item, unit_type
from hakoenv.engine.shipping import charts, harbours
from hakoenv.envs.parallel import NationsEnv, Step
from hakoenv.testing import SmallWorld


def _give_up(env: NationsEnv, *nations: int) -> None:
    """These nations fall at the end of the coming turn (TURN-075)."""
    for nation in nations:
        env.world.nations["abandoning"][nation] = 1


@pytest.fixture
def give_up() -> Callable[..., None]:
    """Let nations fall at the end of the coming turn."""
    return _give_up


@pytest.fixture
def play() -> Callable[..., Step]:
    """Play turns with sampled legal actions; the last step's results."""

    def played(env: NationsEnv, turns: int) -> Any:
        step: Any = None
        for _ in range(turns):
            step = env.step(env.sample_legal())
        return step

    return played


GROUNDS = [n for n in range(terrain.COUNT) if n not in {2, *range(36, 44), 47}]  # neither monster nor ships
COMMON = [terrain.PLAINS, terrain.WASTELAND, terrain.FOREST, terrain.MOUNTAIN, terrain.SEA, terrain.SHALLOWS]


def _crowded_world(seed: int, rules: dict[str, object] | None = None, means: int = 6) -> SmallWorld:
    """Three nations on 8 x 8 cells of all kinds, levels and deposits, with units, ships, means, research."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(8, 8, 3, seed, turn=int(rng.choice([3, 60, 200])), rules=rules)
    cells = w.world.cells.reshape(-1)
    for i in range(cells.size):
        ground = int(rng.choice(GROUNDS if rng.random() < 0.4 else COMMON))
        top = max(1, int(w.rules.terrains["level_max"][ground]))
        cells["terrain"][i] = ground
        cells["owner"][i] = -1 if ground == terrain.SEA or rng.random() < 0.3 else rng.integers(0, 3)
        cells["level"][i] = rng.choice([0, 1, top - 1, top])
        cells["population"][i] = rng.choice([0, 50, 250, 300])
        cells["deposit"][i] = rng.integers(0, 7) if rng.random() < 0.3 else 0
        cells["tunnel"][i] = rng.random() < 0.2
        cells["below"][i] = rng.choice([terrain.SEA, terrain.SHALLOWS, terrain.WASTELAND])
    for i in rng.permutation(cells.size)[:14].tolist():
        if rng.random() < 0.5:
            w.unit(int(rng.integers(0, 3)), "infantry", i % 8, i // 8)
        else:
            w.ship(int(rng.integers(0, 3)), "destroyer", i % 8, i // 8)
    if rng.random() < 0.5:
        w.war(0, 1)
    for n in range(3):
        record = w.world.nations[n : n + 1]
        record["capital"] = rng.choice([-1, *np.flatnonzero(cells["owner"] == n)])
        record["treasury"] = rng.choice([0, 5, 60, 900, 30_000], 10, p=_MEANS[means])
        record["research"] = rng.integers(0, 6, 3)
        record["policy"], record["policy_next"] = rng.integers(0, 3), rng.integers(0, 3)
        if rng.random() < 0.4:
            record["research_branch"] = rng.integers(0, 3)
            record["research"][0, record["research_branch"]] %= 5  # below the top level
            record["research_done_turn"] = w.turn + rng.integers(0, 3)
    w.world.clock["all_land"], w.world.clock["ownerless_land"] = 40, rng.choice([0, 20])
    w.world.clock["tunnels_unlocked"] = rng.random() < 0.5
    _arm(w, np.random.default_rng([seed, 1]))
    _launch(w, np.random.default_rng([seed, 2]))
    territory.index(w.world, w.rules)
    _trade(w, np.random.default_rng([seed, 3]))
    return w


_MILITARY = [terrain.MISSILE_BASE, terrain.DEFENSE_FACILITY, terrain.DEPOT, terrain.TOWN, terrain.SEABED_BASE]


def _arm(w: SmallWorld, rng: np.random.Generator) -> None:
    """Military sites, units of all types, reserves and items; wars, treaties, offers, ages, a faction."""
    cells, units = w.world.cells.reshape(-1), w.world.units
    for i in rng.permutation(np.flatnonzero(cells["owner"] >= 0))[:8].tolist():
        cells["terrain"][i] = rng.choice(_MILITARY)
    for i in np.flatnonzero(cells["terrain"] == terrain.DEPOT).tolist():
        if cells["unit"][i] < 0 and cells["ship"][i] < 0 and rng.random() < 0.4:
            w.unit(int(rng.choice([cells["owner"][i], 0])) % 3, "infantry", i % w.width, i // w.width)
    for u in np.flatnonzero(units["owner"] >= 0).tolist():
        units["type"][u] = rng.integers(0, unit_type.COUNT)
        units["strength"][u] = rng.choice([1, 30, 155, 195, 200])
        units["carries"][u] = rng.choice([0, rng.integers(0, unit_item.COUNT)])
    cells["experience"] = rng.choice([0, 60, 200], cells.size)
    w.world.cells["mustered"] = rng.choice([0, w.turn], w.world.cells.shape)
    nations = w.world.nations
    nations["reserves"] = rng.choice([0, 9, 40, 180, 900], 3)
    nations["conscripts"] = rng.choice([0, 10, 150], 3)
    nations["items"] = rng.choice([0, 1], nations["items"].shape)
    nations["founded"] = w.turn - rng.choice([100, 28, 29, 13, 14], 3, p=(0.6, 0.1, 0.1, 0.1, 0.1))
    for a, b in ((0, 1), (0, 2), (1, 2)):
        if w.world.relations["state"][a, b] != relation.WAR:
            _relate(w, a, b, rng)
        for n, other in ((a, b), (b, a)):
            w.world.relations["good_terms"][n, other] = rng.random() < 0.2
            w.world.relations["offer_until"][n, other] = rng.choice([0, w.turn, w.turn + 1, w.turn + 5])
    if rng.random() < 0.2:
        nations["faction"][[0, 2]] = 0


def _launch(w: SmallWorld, rng: np.random.Generator) -> None:
    """Naval ports, warships of all classes in fleets with courses, units aboard, mines and wrecks."""
    cells, ships, units = w.world.cells.reshape(-1), w.world.ships, w.world.units
    for i in rng.permutation(np.flatnonzero((cells["owner"] >= 0) & (cells["ship"] < 0)))[:5].tolist():
        cells["terrain"][i] = terrain.NAVAL_PORT
    water = np.flatnonzero(np.isin(cells["terrain"], (terrain.SEA, terrain.SHALLOWS)))
    free = [i for i in rng.permutation(water).tolist() if cells["ship"][i] < 0 and cells["unit"][i] < 0]
    for i in free[:12]:
        kind = ("destroyer", "cruiser", "battleship", "carrier", "submarine")[rng.integers(0, 5)]
        w.ship(int(rng.choice(3, p=(0.6, 0.2, 0.2))), kind, i % w.width, i // w.width)
    for i in free[12:15]:
        cells["terrain"][i], cells["owner"][i] = terrain.NAVAL_MINE, rng.integers(0, 3)
        cells["level"][i], cells["deposit"][i] = rng.integers(1, 3), 0
    for i in rng.permutation(cells.size)[:8].tolist():
        w.wreck(i % w.width, i // w.width, "carrier", int(rng.integers(0, 10)))
    crowd = rng.random() < 0.5
    for s in np.flatnonzero(ships["kind"] > 0).tolist():
        owner, fleet = (
            int(ships["owner"][s]),
            int(rng.choice([0, 0, 0, 0, 1, 15, -1] if crowd else [0, 1, 7, -1])),
        )
        if fleet >= 0 and np.sum((ships["owner"] == owner) & (ships["fleet"] == fleet)) < 5:
            ships["fleet"][s] = fleet
            if w.world.fleets["flagship"][owner, fleet] < 0 or rng.random() < 0.3:
                w.world.fleets["flagship"][owner, fleet] = s
        ships["hp"][s], ships["mode"][s], ships["escort"][s] = (
            rng.integers(1, 4),
            rng.integers(0, 4),
            rng.integers(0, 2),
        )
        aboard = [u for u in np.flatnonzero(units["owner"] == owner).tolist() if units["cell"][u] >= 0]
        if aboard and rng.random() < 0.4:
            unit = int(rng.choice(aboard))
            cells["unit"][units["cell"][unit]] = -1
            units["cell"][unit], units["aboard"][unit] = -1, s
    for owner, fleet in np.argwhere(w.world.fleets["flagship"] >= 0).tolist():
        banner = w.world.fleets[owner, fleet : fleet + 1]
        banner["salvo"] = rng.choice([-1, -1, -1, 9])
        if rng.random() < 0.6:
            banner["target"], banner["legs"] = rng.choice(water), rng.choice([0, 2, 8])
            banner["waypoints"][0, : int(banner["legs"][0])] = rng.choice(water)


def _trade(w: SmallWorld, rng: np.random.Generator) -> None:
    """Ports with known ways, settings, prices; auctions, offers of shipments and of exchanges."""
    world, nations = w.world, w.world.nations
    cells = world.cells.reshape(-1)
    for i in rng.permutation(np.flatnonzero(cells["owner"] >= 0))[:4].tolist():
        if cells["ship"][i] < 0 and cells["unit"][i] < 0:
            cells["terrain"][i], cells["level"][i] = terrain.PORT, rng.integers(1, 3)
    nations["port_policy"], nations["land_gate"] = rng.choice([0, 1, 2, 2], 3), rng.choice([0, 1, 1, 1], 3)
    nations["prices"] = rng.choice([0, 900, 4000, 26000], nations["prices"].shape)
    for a, b in np.argwhere(~np.eye(3, dtype=bool)).tolist():
        side = world.relations[a, b : b + 1]
        side["embargo"], side["land_gate"] = rng.random() < 0.1, rng.choice([-1, -1, 0, 1])
        side["port_policy"] = rng.choice([-1, -1, 0, 2])
        if rng.random() < 0.6:
            side["swap_until"] = w.turn + rng.choice([0, 1, 5, 10])
            side["swap_give"], side["swap_want"] = rng.integers(0, 10, 2)
            side["swap_given"], side["swap_wanted"] = rng.choice([0, 1, 30, 300]), rng.choice([1, 5, 300])
    harbours.enlist(world)
    for h in np.flatnonzero(world.harbours["cell"] >= 0).tolist():
        charts.make(world, h)
    for number in rng.permutation(6).tolist():
        bid, bidder = (0, -1) if rng.random() < 0.5 else (int(rng.choice([9, 100])), int(rng.integers(0, 3)))
        given = {} if bidder < 0 else {"bid": bid, "bidder": bidder}
        seller = int(rng.choice([n for n in range(3) if n != bidder]))
        w.auction(number + 1, seller, "wood", 5, 8, w.turn + int(rng.integers(1, 9)), **given)
    for number, port in enumerate(rng.permutation(np.flatnonzero(cells["terrain"] == terrain.PORT)).tolist()):
        if (buyer := int(cells["owner"][port])) >= 0:
            seller, worn = int(rng.choice([n for n in range(3) if n != buyer])), int(rng.choice([1, 2, 99]))
            place, offered = (
                (port % w.width, port // w.width),
                max(0, w.turn - int(rng.choice([0, 1, 9, 10]))),
            )
            w.shipment(number + 1, seller, buyer, "steel", 5, 9, place, offered, revision=worn)


def _relate(w: SmallWorld, a: int, b: int, rng: np.random.Generator) -> None:
    """Put two nations into some state."""
    for field, value in {
        "state": rng.choice([relation.PEACE, relation.AMITY, relation.PENDING, relation.WAR]),
        "turns_left": rng.integers(1, 4),
        "truce": rng.choice([0, 1, 2]),
        "declarer": rng.choice([a, b]),
    }.items():
        w.world.relations[field][a, b] = w.world.relations[field][b, a] = value


_MEANS = {6: (0.1, 0.1, 0.2, 0.2, 0.4), 9: (0, 0, 0, 0.1, 0.9)}


@pytest.fixture
def crowded_world() -> Callable[..., SmallWorld]:
    """Make a small world in which as many commands as possible are now legal, now not."""
    return _crowded_world


def _own_cells_and_around(w: SmallWorld, radius: int = 2, places: int = 256) -> NDArray[np.int32]:
    """A simple cell list for each nation: what lies within two cells of its own, and its ships."""
    height, width = w.world.cells.shape
    owner = w.world.cells["owner"].reshape(-1)
    lists = np.full((len(w.world.nations), places), -1, np.int32)
    for n in range(len(lists)):
        around = {
            hexgrid.nth(width, height, int(cell), k)
            for cell in np.flatnonzero(owner == n)
            for k in range(hexgrid.DISC_SIZE[radius])
        }
        around.update(w.world.ships["cell"][w.world.ships["owner"] == n].tolist())
        found = sorted(around - {-1})[:places]
        lists[n, : len(found)] = found
    return lists


@pytest.fixture
def cells_around() -> Callable[..., NDArray[np.int32]]:
    """Make a simple cell list for each nation of a small world."""
    return _own_cells_and_around
