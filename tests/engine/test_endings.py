"""Three whole seasons from a drawn map to each of their ends: a faction's victory, a lone one, and by points.

Factions are founded, joined and ended by commands; land is given away between turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import ending
from hakoenv.engine.commands import plans
from hakoenv.engine.season import Season

Order = tuple[str, int, int]  # name, target, amount
LENGTH = {"season.max_turns": 40, "season.min_turns": 5}


def play(season: Season, orders: dict[int, dict[int, Order]], until: int) -> None:
    """Play to a turn, or to the end before it; ``orders`` are each nation's command by turn."""
    while season.turn < until and not season.ended:
        for nation in range(len(season.world.nations)):
            name, target, amount = orders.get(season.turn + 1, {}).get(nation, ("fundraise", 0, 0))
            plans.set_plan(season.world, nation, [(name, 0, 0, amount, target)])
        season.play_turn()


def land(season: Season) -> list[int]:
    """The land cells of the world."""
    cells = range(season.world.cells.size)
    return [i for i in cells if territory.is_land(season.world, season.rules, i)]


def give(season: Season, nations: Sequence[int], cells: int) -> None:
    """Let nations own, in turns, so many land cells together; others keep their towns."""
    owner, ground = season.world.cells["owner"].reshape(-1), season.world.cells.reshape(-1)
    own = [i for i in land(season) if owner[i] in nations]
    others = [i for i in land(season) if owner[i] not in nations]
    free = [i for i in others if owner[i] < 0] + [i for i in others if owner[i] >= 0]
    taken = [i for i in free if owner[i] < 0 or ground["population"][i] == 0]
    for k, i in enumerate(taken[: cells - len(own)]):
        owner[i] = nations[k % len(nations)]
        ground["unit"][i] = -1
    assert sum(owner[i] in nations for i in land(season)) == cells


def share(season: Season, percent: int) -> int:
    """The fewest land cells that are so many percent of all."""
    return -(-len(land(season)) * percent // 100)


@pytest.mark.slow
@pytest.mark.rule("SEASON-006", "SEASON-004", "FAC-001", "FAC-003", "FAC-014")
def test_a_faction_wins_when_its_newest_member_has_been_one_for_14_turns() -> None:
    """Founded in turn 1, applied for in 2, approved in 3: 70% of the land win in turn 17 and not before."""
    season = Season.new(
        "skirmish", 7, agents="external", rules={"season.max_turns": 40, "season.min_turns": 5}
    )
    orders: dict[int, dict[int, Order]] = {
        1: {0: ("faction_create", 0, 0)},
        2: {1: ("faction_apply", 0, 0)},
        3: {0: ("faction_decide", 1, 1)},
    }
    play(season, orders, 3)
    assert season.world.nations["faction"].tolist() == [0, 0, -1, -1]
    give(season, (0, 1), share(season, 70))
    play(season, orders, 16)
    assert not season.ended
    play(season, orders, 40)
    result = season.result()
    assert (result["turns"], result["ending"], result["winners"]) == (17, "faction_conquest", [0, 1])
    assert result["ranks"][:2] in ([1, 2], [2, 1], [1, 1]) and result["alive"] == [True] * 4
    points = result["points"]
    assert points[2:] == [0, 0] and points[0] + points[1] == pytest.approx(100)
    assert points == pytest.approx(among_themselves(season, (0, 1)))


@pytest.mark.slow
@pytest.mark.rule("SEASON-005", "SEASON-006", "FAC-010", "FAC-014")
def test_a_nation_wins_alone_in_the_turn_in_which_its_faction_is_gone() -> None:
    """60% of the land are nothing to a faction; the notice of turn 7 ends it in turn 10, before phase 33."""
    season = Season.new("duel", 3, agents="external", rules=LENGTH)
    orders: dict[int, dict[int, Order]] = {
        1: {0: ("faction_create", 0, 0)},
        7: {0: ("faction_dissolve", 0, 0)},
    }
    play(season, orders, 1)
    give(season, (0,), share(season, 60))
    play(season, orders, 9)
    assert not season.ended and season.world.nations["faction"][0] == 0
    play(season, orders, 40)
    result = season.result()
    assert (result["turns"], result["ending"], result["winners"]) == (10, "lone_conquest", [0])
    assert (result["ranks"], result["points"]) == ([1, 2], [100, 0])


@pytest.mark.slow
@pytest.mark.rule("SEASON-003", "SEASON-008", "SEASON-009", "SEASON-011")
def test_a_season_by_points_goes_to_the_best_nation_and_not_to_its_faction() -> None:
    """Both are in one faction that is too young to conquer: at the last turn each has its own score."""
    season = Season.new("duel", 4, agents="external", rules={"season.max_turns": 6, "season.min_turns": 1})
    orders: dict[int, dict[int, Order]] = {
        1: {1: ("faction_create", 0, 0)},
        2: {0: ("faction_apply", 1, 0)},
        3: {1: ("faction_decide", 0, 1)},
    }
    play(season, orders, 3)
    give(season, (1,), share(season, 59))
    play(season, orders, 40)
    result = season.result()
    assert (result["turns"], result["ending"], result["winners"]) == (6, "turn_limit", [1])
    assert season.world.nations["faction"].tolist() == [0, 0]
    expected = scores(season)
    assert result["scores"] == pytest.approx([float(score) for score in expected])
    assert result["points"] == pytest.approx([100 * float(score) for score in expected])
    assert (result["ranks"], sum(expected)) == ([2, 1], 1)
    assert season.world.clock["ending"][0] == ending.TURN_LIMIT


def scores(season: Season) -> list[Fraction]:
    """60 parts of the territory and 25 of the people; assets are recorded from turn 26 on: SEASON-011."""
    cells: Any = season.world.cells.reshape(-1)
    seats = range(len(season.world.nations))
    area = [int((cells["owner"] == n).sum()) for n in seats]
    people = [int(cells["population"][cells["owner"] == n].astype(np.int64).sum()) for n in seats]
    return [
        (60 * Fraction(a, sum(area)) + 25 * Fraction(p, sum(people))) / 85
        for a, p in zip(area, people, strict=True)
    ]


def among_themselves(season: Season, winners: Sequence[int]) -> list[float]:
    """After a conquest the winners share 100 points by their scores, the others have none."""
    found = scores(season)
    whole = sum((found[n] for n in winners), Fraction(0))
    return [float(100 * found[n] / whole) if n in winners else 0.0 for n in range(len(found))]
