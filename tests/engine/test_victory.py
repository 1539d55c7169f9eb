"""The end of the season, decided in phase 33; what fits a case is in tests/cases/SEASON.json."""

from collections.abc import Mapping

import pytest

from hakoenv.engine import victory
from hakoenv.engine.codes import ending, event, item
from hakoenv.engine.save import kernel_rules
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset

RULES = kernel_rules(load_ruleset("season"))


def world_at(turn: int, lands: list[int], all_land: int = 100) -> World:
    world = new_world(12, 12, len(lands), 0)
    world.nations["alive"] = 1
    world.nations["land"] = world.nations["area"] = lands
    world.clock["turn"] = turn
    world.clock["all_land"] = all_land
    return world


def judged(world: World, overrides: Mapping[str, object] | None = None) -> tuple[str, list[int]]:
    rules = kernel_rules(load_ruleset("season", overrides)) if overrides else RULES
    victory.judge(world, rules)
    return ending.NAMES[int(world.clock["ending"][0])], [int(n) for n in world.nations["winner"].nonzero()[0]]


@pytest.mark.rule("SEASON-005")
@pytest.mark.parametrize(("owned", "how"), [(420, "lone_conquest"), (419, "running")])
def test_the_rules_example_of_a_lone_conquest(owned: int, how: str) -> None:
    assert judged(world_at(150, [owned, 100], all_land=700))[0] == how


@pytest.mark.rule("SEASON-006")
@pytest.mark.parametrize(
    ("turn", "land", "how"),
    [(213, 190, "running"), (214, 190, "faction_conquest"), (214, 189, "running")],  # 490 of 700 are 70%
)
def test_the_rules_example_of_a_faction(turn: int, land: int, how: str) -> None:
    world = world_at(turn, [300, land, 60], all_land=700)
    world.factions["active"][2] = 1
    world.nations["faction"] = [2, 2, -1]
    world.nations["faction_joined"] = [173, 200, 0]  # members for 40 and 13 turns in turn 213
    assert judged(world) == (how, [0, 1] if how == "faction_conquest" else [])


@pytest.mark.rule("SEASON-006")
def test_a_fallen_member_neither_blocks_nor_wins() -> None:
    world = world_at(200, [75, 0, 10])
    world.factions["active"][0] = 1
    world.nations["faction"] = [0, 0, -1]
    world.nations["faction_joined"] = [10, 199, 0]
    world.nations["alive"][1] = 0
    world.nations["fell"][1] = 200
    assert judged(world) == ("faction_conquest", [0])


@pytest.mark.rule("SEASON-005")
def test_no_land_at_all_is_no_conquest() -> None:
    assert judged(world_at(150, [0, 0], all_land=0))[0] == "running"


@pytest.mark.rule("SEASON-003", "SEASON-009")
def test_at_the_last_turn_all_best_scores_win() -> None:
    world = world_at(360, [40, 40, 20])
    assert judged(world) == ("turn_limit", [0, 1])
    assert world.clock["event_kinds"][0, event.SEASON_ENDED] == 1


@pytest.mark.rule("SEASON-009")
def test_by_option_only_the_first_of_equal_scores_wins() -> None:
    assert judged(world_at(360, [40, 40, 20]), {"season_score.tie.default_on": 0}) == ("turn_limit", [0])


@pytest.mark.rule("SEASON-003", "SEASON-004")
def test_length_and_first_conquest_turn_are_constants() -> None:
    changed = {"season.max_turns": 50, "season.min_turns": 10}
    assert judged(world_at(9, [70, 30]), changed)[0] == "running"
    assert judged(world_at(10, [70, 30]), changed)[0] == "lone_conquest"
    assert judged(world_at(50, [70, 30]), changed)[0] == "turn_limit"


def test_a_sole_survivor_ends_any_season_unless_switched_off() -> None:
    def lonely() -> World:
        world = world_at(20, [10, 0])
        world.nations["alive"][1] = 0
        world.nations["fell"][1] = 20
        return world

    assert judged(lonely()) == ("sole_survivor", [0])
    assert judged(lonely(), {"season.end_on_sole_survivor": 0})[0] == "running"


def test_a_nation_that_was_always_alone_plays_on() -> None:
    assert judged(world_at(20, [10]))[0] == "running"


def test_nobody_left_is_extinction() -> None:
    world = world_at(20, [0, 0])
    world.nations["alive"] = 0
    world.nations["fell"] = [20, 19]
    assert judged(world) == ("extinction", [])


@pytest.mark.rule("SEASON-013", "TURN-051")
def test_assets_are_recorded_before_the_end_is_judged() -> None:
    world = world_at(360, [50, 50])
    world.nations["treasury"][:, item.FUNDS] = [100, 101]
    assert judged(world) == ("turn_limit", [1])  # the only records are those of this turn
    assert world.nations["assets_recorded"].tolist() == [1, 1]


def test_an_ended_season_is_not_judged_again() -> None:
    world = world_at(150, [70, 30])
    judged(world)
    world.nations["land"] = [30, 70]
    assert judged(world) == ("lone_conquest", [0])
