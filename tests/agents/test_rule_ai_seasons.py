"""The rule AI over whole seasons: what its plans look like, and what becomes of its nations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from hakoenv.engine.codes import command, event, reason
from hakoenv.engine.kernel import JIT_ENABLED
from hakoenv.engine.season import Season
from hakoenv.engine.world import PLAN_LENGTH, state_hash

SETTINGS = (command.EXPORT_CAP, command.BUYBACK_TARGET)
DIPLOMACY = (command.DECLARE_WAR, command.CEASEFIRE, command.AMITY)
TIES = (
    *(command.FACTION_CREATE, command.FACTION_APPLY, command.FACTION_DECIDE, command.FACTION_WITHDRAW),
    *(command.FACTION_LEAVE, command.FACTION_HANDOVER, command.FACTION_DISSOLVE),
    *(command.FACTION_DEMAND_LEADER, command.LEAGUE_JOIN, command.LEAGUE_LEAVE),
)
TROOPS = (command.CONSCRIPT, command.PLACE_UNIT, command.CORPS_ORDERS)
NAVY = (command.FORM_FLEET, command.FLEET_MOVE, command.FLEET_MODE, command.NAVAL_REPAIR, command.EMBARK)
NO_TURN = (
    *SETTINGS,
    *DIPLOMACY,
    *TIES,
    *TROOPS,
    *NAVY,
    command.DISEMBARK,
    command.INDUSTRIAL_POLICY,
    command.LEVEL_LAND,
)


def played(turns: int, scenario: str = "skirmish", seed: int = 3) -> Iterator[Season]:
    """A season of rule AIs after each of its turns."""
    season = Season.new(scenario, seed=seed, agents="rule_ai")
    while not season.ended and season.turn < turns:
        season.play_turn()
        yield season


@pytest.mark.rule("AI-041", "AI-086")
def test_a_rule_ai_keeps_no_list_of_good_terms_and_makes_no_gifts() -> None:
    never = (
        command.GOOD_TERMS,
        command.CEDE_LAND,
        command.TARIFF_AND_FEE,
        command.PORT_POLICY,
        command.EMBARGO,
    )
    for season in played(40, "duel", 3):
        season.fill_plans()
        for n in range(2):
            length = int(season.world.nations["plan_length"][n])
            assert not set(never) & set(season.world.plans["command"][n, :length].tolist())


@pytest.mark.rule("AI-089")
def test_no_two_units_of_a_nation_share_a_corps() -> None:
    for season in played(60, "duel", 3):
        units = season.world.units
        for n in range(2):
            corps = units["corps"][units["owner"] == n]
            assert len(set(corps.tolist())) == len(corps)


def test_in_a_duel_there_is_fighting_before_turn_20() -> None:
    battles = [season.world.clock["event_kinds"][0][event.BATTLE] for season in played(20, "duel", 3)]
    assert sum(battles) > 0


@pytest.mark.rule("AI-091", "AI-088")
def test_a_plan_is_settings_then_steps_without_a_turn_then_one_that_takes_it() -> None:
    for season in played(40):
        season.fill_plans()
        for n in np.flatnonzero(season.world.nations["alive"]):
            length = int(season.world.nations["plan_length"][n])
            steps = season.world.plans["command"][n, :length].tolist()
            assert 1 <= length <= PLAN_LENGTH
            assert steps[-1] not in NO_TURN
            assert all(step in NO_TURN for step in steps[:-1])
            kept = [step in SETTINGS for step in steps]
            assert kept == sorted(kept, reverse=True)


@pytest.mark.rule("AI-088")
def test_planning_a_turn_twice_gives_the_same_world() -> None:
    for season in played(40):
        season.fill_plans()
        before = state_hash(season.world)
        season.fill_plans()
        assert state_hash(season.world) == before


@pytest.mark.rule("AI-017")
def test_worker_shares_are_those_of_the_founding_after_forty_turns() -> None:
    *_, season = played(40)
    first = Season.new("skirmish", seed=3, agents="rule_ai")
    assert (season.world.nations["shares"] == first.world.nations["shares"]).all()


@pytest.mark.rule("AI-012")
def test_policies_change_at_most_every_eighth_turn() -> None:
    last = np.zeros(4, int)
    changes = 0
    for season in played(100):
        turn = season.world.nations["policy_turn"]
        changed = (turn != last) & (last > 0)
        assert (turn[changed] - last[changed] >= 8).all()
        changes += int(changed.sum())
        last = turn.astype(int)
    assert changes > 0


def test_what_is_planned_is_carried_out() -> None:
    """Only what others do in the same turn, or its own people, may come between plan and deed."""
    given = refused = 0
    for season in played(60):
        results = season.world.results
        for n in range(len(results)):
            for result in results[n, : int(season.world.nations["result_count"][n])]:
                given += 1
                refused += int(result["reason"]) != reason.DONE
    assert refused <= given * 0.01


@pytest.mark.skipif(not JIT_ENABLED, reason="long seasons in plain Python")
def test_nations_of_rule_ais_live_by_the_numbers_of_the_balance() -> None:
    """Few starve after turn 30, idle funds are spent, all policies and branches of research are used."""
    policies: set[int] = set()
    hungry = nation_turns = 0
    for seed in (0, 1, 2):
        for season in played(200, "season", seed):
            nations = season.world.nations
            living = nations["alive"] == 1
            policies |= set(nations["policy"][living].tolist())
            if season.turn > 30:
                hungry += int(nations["famine"][living].sum())
                nation_turns += int(living.sum())
        assert (nations["research"].max(axis=0) > 0).all()
        assert np.median(nations["treasury"][living, -1]) < 15000
        assert np.median(nations["population"][living]) > 1500  # 462 at turn 20
        assert season.world.clock["discrepancies"][0] == 0
    assert policies == {0, 1, 2}
    assert hungry <= 0.05 * nation_turns
