"""What `hakoenv bench` measures is the game that is played."""

from __future__ import annotations

from hakoenv.cli import bench_phases
from hakoenv.engine.season import Season
from hakoenv.engine.turn import turn
from hakoenv.engine.world import copy_world, state_hash


def test_the_phases_one_by_one_are_the_turn() -> None:
    season = Season.new("duel", seed=3, agents="rule_ai")
    season.run(until=12)
    season.fill_plans()
    whole = copy_world(season.world)
    turn(whole, season.rules)
    plans = [(season.world.plans.copy(), season.world.nations["plan_length"].copy())]
    before = state_hash(season.world)
    found = bench_phases.microseconds(season.world, season.rules, plans, 2)
    assert state_hash(season.world) == before
    assert [phase.label for phase, _ in found][:3] == ["2", "3", "4"]
    assert all(spent > 0 for _, spent in found)
    parts = copy_world(season.world)
    for phase, _ in found:
        bench_phases.run(parts, season.rules, phase)
    assert state_hash(parts) == state_hash(whole)
