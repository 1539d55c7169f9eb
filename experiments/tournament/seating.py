"""Who sits where: Latin sequences, in which over a block of seasons everybody has every seat once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Task(NamedTuple):
    """A season to be played.

    Attributes:
        number: 0, 1, ...: names the season in a run.
        seed: of the world; if its map has too few sites for the nations, another stands in for it.
        seats: by seat the name of who sits there: an entrant, or the field.
    """

    number: int
    seed: int
    seats: tuple[str, ...]

    @property
    def id(self) -> str:
        """What results call it."""
        return f"{self.number:06d}"


def block(entrants: int, seats: int) -> int:
    """After how many seasons the pattern of `latin` is complete."""
    return max(entrants, seats)


def latin(number: int, entrants: Sequence[str], seats: int, field: str) -> tuple[str, ...]:
    """The seats of a season: place (season + seat) mod max(E, S) of the entrants, the field behind them.

    With E >= S entrants each sits out equally often and has every seat once in E seasons; with fewer the
    field has the seats that are left, and each entrant has every seat once in S seasons.

    Args:
        number: of the season, from 0.
        entrants: their names.
        seats: S.
        field: the name of the field.
    """
    places = block(len(entrants), seats)
    row = [(number + seat) % places for seat in range(seats)]
    return tuple(entrants[place] if place < len(entrants) else field for place in row)


def swapped(number: int, first: str, second: str) -> tuple[str, ...]:
    """Two seats, in which the two change places from season to season."""
    return (first, second) if number % 2 == 0 else (second, first)


def guest(number: int, first: str, second: str, seats: int, field: str) -> tuple[str, ...]:
    """One seat for ``first`` in even seasons and ``second`` in odd ones, the same for both of a pair.

    The seat moves on by one with every pair of seasons.
    """
    place = (number // 2) % seats
    who = first if number % 2 == 0 else second
    return tuple(who if seat == place else field for seat in range(seats))
