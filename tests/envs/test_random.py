"""The random agent plays whole seasons, repeats by seed and asks only for what it may have."""

import numpy as np
import pytest
from hakoenv.agents.random import RandomAgent, mask_fidelity

from hakoenv import controllers
from hakoenv.engine.codes import author, reason
from hakoenv.engine.season import Season


def test_it_is_a_controller_by_name() -> None:
    assert "random" in controllers.names()
    assert isinstance(controllers.get("random"), RandomAgent)


@pytest.mark.rule("TURN-002")
def test_a_season_of_random_agents_repeats_by_seed() -> None:
    seasons = [Season.new("duel", seed=seed, agents="random") for seed in (3, 3, 4)]
    for season in seasons:
        np.random.default_rng(0).random()  # no state of anybody's is used
        season.run(until=40)
    assert seasons[0].state_hash() == seasons[1].state_hash() != seasons[2].state_hash()


def test_it_continues_after_a_save_as_if_it_had_not_stopped(tmp_path: object) -> None:
    season = Season.new("duel", seed=3, agents="random")
    season.run(until=15)
    season.save(f"{tmp_path}/season.npz")
    loaded, _ = Season.load(f"{tmp_path}/season.npz")
    for each in (season, loaded):
        each.run(until=25)
    assert season.state_hash() == loaded.state_hash()


def test_seats_may_be_mixed() -> None:
    season = Season.new("skirmish", seed=1, agents=["random", "rule_ai", "idle", "random"])
    season.run(until=20)
    commands = [int(season.world.nations["result_count"][n]) for n in range(4)]
    assert min(commands) >= 1
    assert season.world.nations["author"][0] == author.EXTERNAL


def test_nearly_all_that_it_orders_is_carried_out() -> None:
    """What fails is what nobody could have known: at most one command in twenty at each position."""
    shares = mask_fidelity("duel", seed=0, turns=40)
    assert len(shares) == 8
    assert min(share for share in shares if share == share) > 0.95


def test_what_fails_was_not_refused_by_the_nations_own_predecessors() -> None:
    """In a season where only one nation acts, nothing is refused but for hidden things and lost means."""
    season = Season.new("duel", seed=2, agents=["random", "idle"])
    means = {reason.NO_FUNDS, reason.NO_MATERIALS}
    for _ in range(60):
        season.play_turn()
        count = int(season.world.nations["result_count"][0])
        for entry in season.world.results[0, :count]:
            assert entry["reason"] in {reason.DONE, reason.BLOCKED} | means
