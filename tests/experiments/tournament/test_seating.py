"""Who sits where: the patterns of docs/tournaments.md, written out by hand, and which seeds are whose."""

from __future__ import annotations

import pytest
from hakoenv.experiments import seeds
from hakoenv.experiments.tournament import evaluate, seating


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
