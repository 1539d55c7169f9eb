"""The infos tell what happened in the last turn: the own affairs, and what everybody sees."""

from typing import Any

import hakoenv
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
