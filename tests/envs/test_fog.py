"""All that an agent gets depends on nothing that its nation can't know; only the reward may."""

from typing import Any

import numpy as np
import pytest

import hakoenv
from hakoenv.engine import hexgrid
from hakoenv.engine.codes import corps_order, event, relation, terrain, unit_type
from hakoenv.engine.land import troops
from hakoenv.engine.navy import vessels, wrecks
from hakoenv.engine.world import CORPS_COUNT, assign_world, copy_world, state_hash
from hakoenv.envs import NationsEnv
from hakoenv.testing.determinism import differences
from hakoenv.testing.hidden import vary_hidden


def everything(env: NationsEnv, agent: str, picture: bool) -> dict[str, Any]:
    """Observation with mask, text, renders, and infos without the reward's parts and the run's seed."""
    info = env._infos([agent])[agent]
    del info["reward_terms"], info["seed"]
    env.render_mode = "ansi"
    found = {"observation": env._observe([agent])[agent], "info": info, "text": env.text(agent)}
    found["ansi"] = env.render(agent)
    if picture:
        env.render_mode = "rgb_array"
        found["picture"] = env.render(agent)
    return found


def wage_war(env: NationsEnv, rng: np.random.Generator) -> None:
    """All are at war, with units, bases and full stocks, and at sea; a monster roams."""
    world, rules = env.world, env.season.rules
    cells, nations = world.cells.reshape(-1), len(world.nations)
    height, width = world.cells.shape
    for n in range(nations):
        world.nations["treasury"][n] = 900
        world.nations["items"][n, 1:] = 1
        own = np.flatnonzero(
            (cells["owner"] == n) & np.isin(cells["terrain"], (terrain.PLAINS, terrain.FOREST))
        )
        cells["terrain"][own[:2]] = terrain.MISSILE_BASE
        cells["experience"][own[:2]] = rng.integers(0, 200)
        world.corps["order"][n] = rng.integers(0, corps_order.COUNT, CORPS_COUNT)
        world.corps["direction"][n] = rng.integers(0, 7, CORPS_COUNT)
        for _ in range(12):
            at = int(rng.choice(np.flatnonzero(cells["owner"] == rng.integers(0, nations))))
            near = hexgrid.nth(width, height, at, int(rng.integers(0, 37)))
            if (
                near >= 0
                and cells["unit"][near] < 0
                and rules.terrains[cells["terrain"][near]]["counts_as_land"]
            ):
                corps, kind = int(rng.integers(0, CORPS_COUNT)), int(rng.integers(0, unit_type.COUNT))
                troops.place(world, n, kind, corps, near, int(rng.integers(20, 200)))
    wild = np.flatnonzero((cells["owner"] < 0) & (cells["terrain"] == terrain.PLAINS) & (cells["unit"] < 0))[
        0
    ]
    cells["terrain"][wild], cells["level"][wild], cells["below"][wild] = (
        terrain.MONSTER,
        12,
        terrain.WASTELAND,
    )
    sail_out(env, rng)
    world.relations["state"][~np.eye(nations, dtype=bool)] = relation.WAR
    world.relations["declarer"][~np.eye(nations, dtype=bool)] = 0


def sail_out(env: NationsEnv, rng: np.random.Generator) -> None:
    """Warships of all, with troops aboard and bound for each other; naval ports, mines and wrecks."""
    world, rules = env.world, env.season.rules
    cells, nations = world.cells.reshape(-1), len(world.nations)
    open_sea = np.flatnonzero(
        (cells["terrain"] == terrain.SEA) & (cells["ship"] < 0) & (cells["deposit"] == 0)
    )
    places = iter(rng.permutation(open_sea).tolist())
    for n in range(nations):
        ports = np.flatnonzero((cells["owner"] == n) & (cells["terrain"] == terrain.PLAINS))[:1]
        cells["terrain"][ports] = terrain.NAVAL_PORT
        for k in range(8):
            ship = vessels.place(world, rules, n, 1 + k % 5, next(places), k % 3)
            world.ships["hp"][ship], world.ships["experience"][ship] = rng.integers(2, 9), rng.integers(0, 99)
            world.ships["mode"][ship], world.ships["escort"][ship] = rng.integers(0, 4), k == 3
            if k % 5 == 0:
                unit = troops.place(world, n, unit_type.INFANTRY, 0, next(places), 60)
                cells["unit"][world.units["cell"][unit]] = -1
                world.units["cell"][unit], world.units["aboard"][unit] = -1, ship
        for k in range(3):
            world.fleets["target"][n, k] = next(places)
            mine = next(places)
            cells["terrain"][mine], cells["owner"][mine], cells["level"][mine] = terrain.NAVAL_MINE, n, 1
        wrecks.leave(world, next(places), 1 + n)


@pytest.mark.rule("MAP-025", "MAP-026", "MAP-027", "ARMY-058", "NAVY-020", "NMINE-012")
@pytest.mark.parametrize("wanted", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_pairs_of_worlds_that_differ_in_hidden_things_are_the_same_to_an_agent(wanted: int) -> None:
    drivers = {f"nation_{n}": name for n, name in ((2, "rule_ai"), (3, "random"))}
    rules = {"diplomacy.founding_lock": 0}
    env = hakoenv.parallel_env("skirmish", controllers=drivers, observation=("cells", "planes"), rules=rules)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    wage_war(env, rng)
    pairs = 0
    happened = np.zeros(event.COUNT, int)
    while pairs < wanted:
        env.step(env.sample_legal())
        happened += env.world.clock["event_kinds"][0]
        world = copy_world(env.world)
        for agent in env.possible_agents:
            picture = pairs % 100 < 2
            seen = everything(env, agent, picture)
            for _ in range(10):
                changed = vary_hidden(world, env.season.rules, int(agent[-1]), rng)
                assert state_hash(changed) != state_hash(world)
                assign_world(env.world, changed)
                assert not list(differences(seen, everything(env, agent, picture)))
                pairs += 1
            assign_world(env.world, world)
    assert all(happened[kind] for kind in (event.BATTLE, event.COUNTERED, event.CELL_CAPTURED))


def test_the_comparison_would_notice() -> None:
    env = hakoenv.parallel_env("duel")
    env.reset(seed=5)
    before = everything(env, "nation_0", True)
    env.world.cells["owner"][(env.world.cells["owner"] == 1)] = -1
    env.world.nations["area"][1] = 0
    changed = {
        what.split(".")[0].split(":")[0] for what in differences(before, everything(env, "nation_0", True))
    }
    assert {"observation", "info", "text", "ansi"} <= changed
    assert any(what.startswith("picture") for what in changed)
