"""The infos tell what happened in the last turn: the own affairs, and what everybody sees."""

from typing import Any

import hakoenv
from hakoenv.engine import hexgrid
from hakoenv.engine.codes import relation, terrain, unit_type
from hakoenv.engine.land import troops
from hakoenv.envs import NationsEnv
from hakoenv.testing.determinism import differences

NATURE = {"earthquake", "tsunami", "eruption", "meteor", "huge_meteor", "typhoon"}


def burning(**rules: Any) -> NationsEnv:
    env = hakoenv.parallel_env("duel", rules={"disasters.fire.percent_per_turn": 100, **rules})
    env.reset(seed=3)
    return env


def test_the_founding_is_told_before_the_first_turn() -> None:
    env = hakoenv.parallel_env("duel")
    _, infos = env.reset(seed=3)
    assert [(entry["kind"], entry["nation"], entry["x"]) for entry in infos["nation_0"]["events"]] == [
        ("founded", 0, -1), ("founded", 1, -1),
    ]  # fmt: skip


def test_fires_are_told_to_the_owner_alone_with_place_and_loss() -> None:
    env = burning()
    *_, infos = env.step({})
    owners = env.world.cells["owner"]
    for n, agent in enumerate(env.possible_agents):
        fires = [entry for entry in infos[agent]["events"] if entry["kind"] == "fire"]
        assert fires and all(entry["nation"] == n for entry in fires)
        assert all(owners[entry["y"], entry["x"]] == n for entry in fires)
    assert "fire (" in env.text("nation_0")


def test_a_battle_is_told_to_the_two_in_it_and_a_capture_to_all() -> None:
    env = hakoenv.parallel_env("skirmish")
    env.reset(seed=3)
    world = env.world
    cells, (height, width) = world.cells.reshape(-1), world.cells.shape
    capital = int(world.nations["capital"][1])
    beside = hexgrid.nth(width, height, capital, 2)
    cells["terrain"][beside], cells["owner"][beside], cells["resistance"][beside] = terrain.PLAINS, 1, 1
    cells["unit"][[capital, beside]] = -1
    troops.place(world, 0, unit_type.INFANTRY, 3, beside, 100)
    troops.place(world, 1, unit_type.INFANTRY, 4, capital, 100)
    world.relations["state"][[0, 1], [1, 0]] = relation.WAR
    *_, infos = env.step({})
    for kind, told_to in (("battle", [0, 1]), ("countered", [0, 1]), ("cell_captured", [0, 1, 2, 3])):
        knowing = [
            n
            for n, agent in enumerate(env.possible_agents)
            if any(e["kind"] == kind and (e["nation"], e["other"]) == (0, 1) for e in infos[agent]["events"])
        ]
        assert knowing == told_to, kind
    assert "your unit attacked one of nation_1" in env.text("nation_0")
    assert "attacked yours, which lost" in env.text("nation_1")
    assert "attacked" not in env.text("nation_2")


def test_forces_of_nature_are_told_to_all_without_their_damage() -> None:
    env = burning(**{"disasters.meteor.percent_per_turn": 100, "disasters.huge_meteor.percent_per_turn": 100})
    *_, infos = env.step({})
    told = [
        [entry for entry in infos[agent]["events"] if entry["kind"] in NATURE]
        for agent in ("nation_0", "nation_1")
    ]
    assert {"meteor", "huge_meteor"} <= {entry["kind"] for entry in told[0]}
    assert not list(differences(told[0], told[1]))
    assert all(entry["nation"] == -1 and entry["amount"] == 0 and entry["x"] >= 0 for entry in told[0])
