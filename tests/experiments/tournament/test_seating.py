"""Who sits where: the patterns of docs/tournaments.md, written out by hand, and which seeds are whose."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hakoenv.experiments import seeds
from hakoenv.experiments.tournament import evaluate, seating
from hakoenv.experiments.tournament.run import stand_ins

from hakoenv.engine.mapgen import ScenarioError


def test_five_entrants_in_four_seats() -> None:
    found = [seating.latin(k, "ABCDE", 4, "field") for k in range(6)]
    assert found == [tuple("ABCD"), tuple("BCDE"), tuple("CDEA"), tuple("DEAB"), tuple("EABC"), tuple("ABCD")]
    assert seating.block(5, 4) == 5


def test_two_entrants_in_four_seats() -> None:
    found = [seating.latin(k, "AB", 4, "f") for k in range(5)]
    assert found == [
        ("A", "B", "f", "f"),
        ("B", "f", "f", "A"),
        ("f", "f", "A", "B"),
        ("f", "A", "B", "f"),
        ("A", "B", "f", "f"),
    ]
    assert seating.block(2, 4) == 4


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (3, 2), (5, 4), (4, 4), (3, 4), (2, 20)])
def test_a_block_gives_everybody_every_seat_once(entrants: int, seats: int) -> None:
    names = [f"e{k}" for k in range(entrants)]
    rows = [seating.latin(k, names, seats, "f") for k in range(seating.block(entrants, seats))]
    for name in names:
        assert sorted(row.index(name) for row in rows if name in row) == list(range(seats))


def test_a_pair_of_seasons_has_one_seed_and_swapped_seats() -> None:
    schedule = evaluate.schedule("A", "B", 2, None, seed=7)
    tasks = [schedule.task(k) for k in range(4)]
    assert [task.seed - seeds.COUNT for task in tasks] == [7, 7, 8, 8]
    assert [task.seats for task in tasks] == [("A", "B"), ("B", "A"), ("A", "B"), ("B", "A")]


def test_among_a_field_both_have_the_same_seat_of_the_same_seed() -> None:
    schedule = evaluate.schedule("A", "B", 3, "f", seed=0)
    tasks = [schedule.task(k) for k in range(6)]
    assert [task.seed - seeds.COUNT for task in tasks] == [0, 0, 1, 1, 2, 2]
    assert [task.seats for task in tasks] == [
        ("A", "f", "f"), ("B", "f", "f"), ("f", "A", "f"), ("f", "B", "f"), ("f", "f", "A"), ("f", "f", "B"),
    ]  # fmt: skip


def room_of(*known: int) -> Callable[[int], int]:
    """Finds sites on the maps of known seeds only."""

    def start(seed: int) -> int:
        if seed not in known:
            raise ScenarioError("too few sites")
        return seed

    return start


@pytest.mark.parametrize("first", [0, 2**62], ids=["training", "evaluation"])
def test_a_seed_whose_map_has_no_room_is_stood_in_for_by_one_of_its_kind(first: int) -> None:
    seed = first + 7
    assert seeds.with_room(seed, room_of(seed, seed + 2**54)) == seed
    assert seeds.with_room(seed, room_of(first + 8, seed + 3 * 2**54)) == seed + 3 * 2**54
    last = first + 2**62 - 1  # of its kind: then it goes on from the first of its kind
    assert seeds.with_room(last, room_of(first + 2**54 - 1)) == first + 2**54 - 1
    with pytest.raises(ScenarioError, match=f"no map of a hundred .*seed {seed} and others.*: take fewer"):
        seeds.with_room(seed, room_of())


def test_who_may_stand_in() -> None:
    assert seeds.stands_for(7, 7) and seeds.stands_for(7 + 5 * 2**54, 7)
    assert not seeds.stands_for(8, 7)
    assert not seeds.stands_for(2**62 + 7, 7)  # of evaluation


def test_how_many_were_stood_in_for() -> None:
    """Once for both seasons of a pair."""
    schedule = evaluate.schedule("A", "B", 2, None, seed=0)
    played = [2**62 + 2**54, 2**62 + 2**54, 2**62 + 1, 2**62 + 1]
    assert stand_ins(schedule, [{"seed": seed} for seed in played]) == 1


def test_training_and_evaluation_have_no_seed_in_common() -> None:
    assert seeds.training(0) == 0
    assert seeds.training(2**62 - 1) == 2**62 - 1
    assert seeds.evaluation(0) == 2**62
    assert seeds.evaluation(5) == 2**62 + 5
    assert not seeds.is_evaluation(2**62 - 1) and seeds.is_evaluation(2**62)
    for number in (-1, 2**62):
        for kind in (seeds.training, seeds.evaluation):
            with pytest.raises(ValueError, match="0..2"):
                kind(number)
