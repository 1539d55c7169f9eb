"""A policy plays: the same season twice, after a save, and in scenarios that it was not trained in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch
from hakoenv.agents.policy import PolicyPlayer, checkpoint, features

import hakoenv
from hakoenv.engine import territory
from hakoenv.engine.codes import author, reason
from hakoenv.engine.season import Season


def test_a_season_repeats_by_its_seed(file: Path) -> None:
    seasons = [Season.new("duel", seed=seed, agents=f"policy:{file}") for seed in (3, 3, 4)]
    for season in seasons:
        torch.manual_seed(0)  # no state of anybody's is used
        torch.rand(season.seed)
        season.run(until=8)
    assert seasons[0].state_hash() == seasons[1].state_hash() != seasons[2].state_hash()
    assert (seasons[0].world.nations["author"] == author.EXTERNAL).all()


def test_it_continues_after_a_save_as_if_it_had_not_stopped(file: Path, tmp_path: Path) -> None:
    season = Season.new("duel", seed=3, agents=[f"policy:{file}", "rule_ai"])
    season.run(until=4)
    season.save(tmp_path / "season.save")
    loaded, _ = Season.load(tmp_path / "season.save")
    for each in (season, loaded):
        each.run(until=8)
    assert season.state_hash() == loaded.state_hash()


@pytest.mark.parametrize("scenario, turns", [("skirmish", 6), ("season", 3)])
def test_it_plays_in_other_scenarios(file: Path, scenario: str, turns: int) -> None:
    season = Season.new(scenario, seed=1, agents=f"policy:{file}")
    season.run(until=turns)
    results = season.world.results[season.world.nations["result_count"] > 0]
    done = (results["reason"] == reason.DONE).sum()
    assert done > 0


def test_lists_of_256_cells_are_read_to_their_end(file: Path) -> None:
    """A nation that holds all land of a map of twenty."""
    season = Season.new("season", seed=1, agents="idle")
    world, rules = season.world, season.ruleset.rules
    world.cells["owner"][world.cells["owner"] >= 0] = 0
    world.cells["owner"][rules.terrains["counts_as_land"][world.cells["terrain"]] == 1] = 0
    territory.index(world, rules)
    player = PolicyPlayer(checkpoint.load(file))
    player.fill(world, rules, np.array([0, 1]))
    seen, _ = player._buffers
    assert seen["cells"][:2, :, 0].sum(axis=1).max() == 256
    assert features.used_cells({"cells": seen["cells"][:2]}) == 256
    assert 0 < world.nations["plan_length"][0] <= 4


def test_its_plans_are_carried_out_but_for_what_nobody_could_know(file: Path) -> None:
    """With an idle opponent nothing is refused but for hidden things and lost means."""
    season = Season.new("duel", seed=2, agents=[f"policy:{file}", "idle"])
    means = {reason.NO_FUNDS, reason.NO_MATERIALS}
    for _ in range(15):
        season.play_turn()
        count = int(season.world.nations["result_count"][0])
        for entry in season.world.results[0, :count]:
            assert entry["reason"] in {reason.DONE, reason.BLOCKED} | means


def test_greedy_plans_do_not_depend_on_the_seed_of_draws(file: Path) -> None:
    player = PolicyPlayer(checkpoint.load(file), greedy=True)
    plans = []
    for seed in (1, 2):
        # a world of its own, since nations see their standing plan
        season = Season.new("duel", seed=2, agents="idle")
        season.run(until=3)
        season.world.clock["seed"] = seed
        player.fill(season.world, season.ruleset.rules, np.arange(2))
        plans.append(season.world.plans.copy())
    assert np.array_equal(plans[0], plans[1])


def test_it_plays_in_vector_environments_and_leaves_threads_alone(file: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        env = hakoenv.vec("duel", 2, controllers={"nation_1": f"policy:{file}"})
        env.reset(seed=0)
        env.step(env.sample_legal())
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert (env.worlds.nations["result_count"][:, 1] > 0).any()
