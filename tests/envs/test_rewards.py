"""Rewards: what sums they keep, by hand for small cases, and at every kind of end."""

import math
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import hakoenv
from hakoenv.engine import scoring
from hakoenv.engine.codes import item
from hakoenv.envs import NationsEnv
from hakoenv.envs.rewards import NAMED, Turn, point_parts, rank_points, reward_of


def run(
    env: NationsEnv, turns: int = 10_000, then: Callable[[int], None] | None = None
) -> list[dict[str, Any]]:
    """Rewards of every turn, with sampled legal actions."""
    found = []
    for turn in range(1, turns + 1):
        if then is not None:
            then(turn)
        _, rewards, _, _, infos = env.step(env.sample_legal())
        for agent, info in infos.items():
            assert sum(info["reward_terms"].values()) == pytest.approx(rewards[agent], abs=1e-9)
            assert type(rewards[agent]) is float
        found.append(rewards)
        if not env.agents:
            break
    return found


def totals(rewards: list[dict[str, float]], agents: list[str]) -> list[float]:
    return [sum(step.get(agent, 0.0) for step in rewards) for agent in agents]


@pytest.mark.rule("SEASON-008")
def test_points_sum_to_0_each_turn_and_to_the_change_over_the_season(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", rules={"season.max_turns": 40, "season.min_turns": 30})
    env.reset(seed=3)
    start = scoring.standing_points(env.world, env.season.rules)
    assert start.sum() == pytest.approx(100)
    rewards = run(env, then=lambda turn: give_up(env, 1) if turn == 20 else None)
    assert len(rewards) == 40
    for step in rewards:
        assert sum(step.values()) == pytest.approx(0, abs=1e-9)
    final = [float(p) for p in scoring.season_points(env.world, env.season.rules)]
    assert sum(final) == pytest.approx(100)
    assert final[1] == 0
    assert totals(rewards, env.possible_agents) == pytest.approx(
        [f - s for f, s in zip(final, start, strict=True)]
    )


@pytest.mark.parametrize("fallen", [(3,), (1, 2, 3), (0, 1, 2, 3)])
def test_points_are_the_real_ones_when_nations_fall_on_the_last_turn(give_up: Any, fallen: Any) -> None:
    """One falls, a sole survivor is left, everybody falls: 100 points among those who share them."""
    env = hakoenv.parallel_env("skirmish", rules={"season.max_turns": 5, "season.min_turns": 3})
    env.reset(seed=3)
    start = scoring.standing_points(env.world, env.season.rules)
    rewards = run(env, then=lambda turn: give_up(env, *fallen) if turn == 5 else None)
    final = np.array(totals(rewards, env.possible_agents)) + start
    assert final.sum() == pytest.approx(100)
    if len(fallen) == 1:
        assert final[3] == pytest.approx(0)
        assert (final[:3] > 0).all()
    elif len(fallen) == 3:
        assert final == pytest.approx([100, 0, 0, 0])
    else:
        assert final == pytest.approx([25, 25, 25, 25])
    assert sum(rewards[-1].values()) == pytest.approx(0, abs=1e-9)


def test_points_of_a_tie_are_equal() -> None:
    env = hakoenv.parallel_env(
        "duel", rules={"season.max_turns": 3, "season.min_turns": 2}, reward="points_final"
    )
    env.reset(seed=3)
    for name in ("population", "area", "assets_recorded"):
        env.world.nations[name] = env.world.nations[name][0]
    tied = point_parts(env.world, env.season.rules).sum(axis=1)
    assert tied == pytest.approx([50, 50])


def test_parts_of_points_are_shares_by_their_weights() -> None:
    """60 % territory, 25 % population; without assets (15 %) the weights stand for 60/85 and 25/85 of 100."""
    env = hakoenv.parallel_env("duel")
    env.reset(seed=3)
    nations = env.world.nations
    nations["area"], nations["population"] = [30, 10], [50, 150]
    parts = point_parts(env.world, env.season.rules)
    assert parts[0] == pytest.approx([100 * 60 / 85 * 0.75, 100 * 25 / 85 * 0.25, 0, 0, 0])
    assert parts[1] == pytest.approx([100 * 60 / 85 * 0.25, 100 * 25 / 85 * 0.75, 0, 0, 0])
    nations["area"] = nations["population"] = 0
    assert point_parts(env.world, env.season.rules)[:, 4] == pytest.approx([50, 50])


@pytest.mark.parametrize("cut", [None, 5])
def test_points_final_are_paid_once(cut: int | None) -> None:
    rules = {"season.max_turns": 9, "season.min_turns": 8}
    env = hakoenv.parallel_env("duel", reward="points_final", max_turns=cut, rules=rules)
    env.reset(seed=3)
    *before, last = run(env)
    assert len(before) == (cut or 9) - 1
    assert {value for step in before for value in step.values()} == {0.0}
    assert list(last.values()) == pytest.approx(list(scoring.standing_points(env.world, env.season.rules)))


@pytest.mark.parametrize("name", list(NAMED))
def test_the_last_turn_pays_what_the_result_says_ended_or_truncated(name: str, give_up: Any) -> None:
    """Truncated, nobody has won; points and places are those that stand (season_points.md)."""
    for limit, rules in ((5, None), (None, {"season.max_turns": 5, "season.min_turns": 4})):
        env = hakoenv.parallel_env("skirmish", reward=name, max_turns=limit, rules=rules)
        env.reset(seed=3)
        start = scoring.standing_points(env.world, env.season.rules)
        for turn in range(1, 6):
            if turn == 3:
                give_up(env, 1)
            _, rewards, _, truncations, infos = env.step(env.sample_legal())
            if turn < 5:
                assert name not in ("win", "points_final") or set(rewards.values()) == {0.0}
                continue
            results = {agent: info["result"] for agent, info in infos.items()}
        assert set(truncations.values()) == {limit is not None}
        winners = [agent for agent, result in results.items() if result["winner"]]
        assert bool(winners) is (limit is None)
        if name == "win":
            assert rewards == {agent: float(agent in winners) / max(1, len(winners)) for agent in rewards}
        if name == "points_final":
            assert rewards == pytest.approx({agent: result["points"] for agent, result in results.items()})
            assert sum(rewards.values()) == pytest.approx(100)
        if name == "rank":
            assert rewards == pytest.approx(
                {agent: 100 * (4 - result["place"]) / 3 for agent, result in results.items()}
            )
        assert start.sum() == pytest.approx(100)


def test_a_win_is_shared_by_the_winners(give_up: Any) -> None:
    env = hakoenv.parallel_env("skirmish", reward="win", rules={"season.max_turns": 2, "season.min_turns": 1})
    env.reset(seed=3)
    give_up(env, 0, 1, 3)
    assert list(env.step({})[1].values()) == [0, 0, 1, 0]
    env.reset(seed=3)
    give_up(env, 0, 1, 2, 3)
    assert list(env.step({})[1].values()) == [0, 0, 0, 0]  # nobody has won
    env.reset(seed=3)
    world = env.world
    world.nations["winner"][[1, 2]] = 1
    parts = reward_of("win").give(Turn(world, world, env.season.rules, True, np.zeros(4, bool)))
    assert parts.tolist() == [[0], [0.5], [0.5], [0]]


def test_points_by_rank_are_linear_with_ties_averaged() -> None:
    assert rank_points([1, 2, 3, 4, 5]).tolist() == [100, 75, 50, 25, 0]
    assert rank_points([1, 1, 3]).tolist() == [75, 75, 0]  # places 1 and 2: (100 + 50) / 2
    assert rank_points([2, 2, 2, 1, 0]).tolist() == pytest.approx([100 / 3] * 3 + [100, 0])
    assert rank_points([1]).tolist() == [100]


def test_ranks_are_paid_when_they_are_final(give_up: Any) -> None:
    """The first to fall of four is last (0), the next third (100 / 3); the others at the end."""
    env = hakoenv.parallel_env("skirmish", reward="rank", max_turns=4)
    env.reset(seed=3)
    falls = {1: 2, 3: 0}
    rewards = run(env, then=lambda turn: give_up(env, falls[turn]) if turn in falls else None)
    assert rewards[0] == {"nation_0": 0, "nation_1": 0, "nation_2": 0, "nation_3": 0}
    assert rewards[2] == {"nation_0": pytest.approx(100 / 3), "nation_1": 0, "nation_3": 0}
    assert sorted(rewards[3].values()) == pytest.approx([200 / 3, 100])
    assert sum(totals(rewards, env.possible_agents)) == pytest.approx(200)  # 4 nations, 50 each in the mean


def test_growth_is_the_change_of_three_logarithms() -> None:
    env = hakoenv.parallel_env("duel")
    env.reset(seed=3)
    nations, rules = env.world.nations, env.season.rules
    reward = reward_of("growth")
    nations["treasury"] = nations["private"] = 0
    nations["land"], nations["population"] = 9, 99
    reward.start(env.world, rules)
    nations["land"][0], nations["population"][0] = 19, 49
    nations["treasury"][0, item.FUNDS], nations["private"][0, item.FUNDS] = 90, 9000  # thousandths
    turn = Turn(env.world, env.world, rules, False, np.zeros(2, bool))
    assert reward.give(turn)[0] == pytest.approx([math.log(2), math.log(0.5), math.log(100)])
    assert reward.give(turn).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_growth_counts_goods_at_base_prices() -> None:
    env = hakoenv.parallel_env("duel")
    env.reset(seed=3)
    nations, rules = env.world.nations, env.season.rules
    nations["treasury"] = nations["private"] = 0
    nations["treasury"][0, item.WOOD], nations["private"][0, item.STEEL] = 3, 2
    reward = reward_of("growth")
    reward.start(env.world, rules)
    nations["treasury"] = nations["private"] = 0
    prices = {"wood": 4, "steel": 20}  # resources.csv
    turn = Turn(env.world, env.world, rules, False, np.zeros(2, bool))
    assert reward.give(turn)[0, 2] == pytest.approx(-math.log(1 + 3 * prices["wood"] + 2 * prices["steel"]))


def test_a_factions_members_share_its_gain() -> None:
    env = hakoenv.parallel_env("skirmish")
    env.reset(seed=3)
    nations, rules = env.world.nations, env.season.rules
    own, shared = reward_of("points"), reward_of("faction")
    own.start(env.world, rules)
    shared.start(env.world, rules)
    nations["faction"][[1, 3]] = 0
    nations["area"] += [5, 10, 0, 30]
    turn = Turn(env.world, env.world, rules, False, np.zeros(4, bool))
    mine, ours = own.give(turn).sum(axis=1), shared.give(turn).sum(axis=1)
    assert ours == pytest.approx([mine[0], (mine[1] + mine[3]) / 2, mine[2], (mine[1] + mine[3]) / 2])
    assert ours.sum() == pytest.approx(0, abs=1e-9)


def land_gained(before: Any, after: Any, nation: int) -> float:
    gained = float(after.nations["land"][nation]) - float(before.nations["land"][nation])
    after.nations["land"] = before.nations["land"] = 0  # what a careless caller might do
    return gained


def test_a_callers_function_sees_both_worlds_and_can_change_neither() -> None:
    env = hakoenv.parallel_env("duel", reward=land_gained, max_turns=30)
    plain = hakoenv.parallel_env("duel", max_turns=30)
    for other in (env, plain):
        other.reset(seed=3)
        for place, agent in enumerate(other.possible_agents):
            other.action_space(agent).seed(place)
    start = env.world.nations["land"].copy()
    sums = totals(run(env), ["nation_0"])
    run(plain)
    assert env.state_hash() == plain.state_hash()
    assert sums[0] == float(env.world.nations["land"][0]) - float(start[0])


@pytest.mark.parametrize("value", [None, [1.0, 2.0], np.zeros(2), "much"], ids=str)
def test_a_function_that_gives_no_number_is_named(value: Any) -> None:
    env = hakoenv.parallel_env("duel", reward=lambda before, after, nation: value)
    env.reset(seed=3)
    with pytest.raises(ValueError, match="reward: the function gave .* for nation_0, no number"):
        env.step({})


@pytest.mark.parametrize("max_turns", [1, 9])
def test_after_a_function_that_raises_an_environment_must_be_reset(max_turns: int) -> None:
    """The turn has been played, but nothing of it was told: going on would play with old menus."""
    broken = [True]
    env = hakoenv.parallel_env(
        "duel",
        reward=lambda *_: 1 / (not broken[0]),
        one_at_a_time=True,
        rules={"season.max_turns": max_turns},
    )
    env.reset(seed=3)
    with pytest.raises(ZeroDivisionError):
        env.step({})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step({})
    broken[0] = False
    env.reset(seed=3)
    assert env.step({})[1] == {"nation_0": 1.0, "nation_1": 1.0}


def test_every_name_works_and_an_unknown_one_is_refused() -> None:
    for name in NAMED:
        env = hakoenv.parallel_env("duel", reward=name, max_turns=3)
        env.reset(seed=3)
        run(env)
    with pytest.raises(
        ValueError, match="reward='elo': use points, points_final, win, rank, growth, faction"
    ):
        reward_of("elo")
