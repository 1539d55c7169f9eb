"""Plays the seasons of a run, those that are missing, and gives them in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple, Protocol

from hakoenv.experiments import seeds
from hakoenv.experiments.tournament.folder import Folder
from hakoenv.experiments.tournament.season import Job
from hakoenv.experiments.tournament.seating import Task

Records = list[dict[str, Any]]
Played = tuple[Task, dict[str, Any]]


class Crew(Protocol):
    """Who plays seasons."""

    def __call__(self, job: Job, tasks: Iterator[Task]) -> Generator[Played, None, None]:
        """Play tasks, asking for the next only when somebody is free; gives records as they come."""


class Schedule(NamedTuple):
    """Which seasons there are.

    Attributes:
        seats: by number who sits where.
        first: number of the first evaluation seed.
        each: how many seasons in a row have the same seed.
    """

    seats: Callable[[int], tuple[str, ...]]
    first: int = 0
    each: int = 1

    def task(self, number: int) -> Task:
        """The season of a number."""
        return Task(number, seeds.evaluation(self.first + number // self.each), self.seats(number))


def stand_ins(schedule: Schedule, records: Sequence[dict[str, Any]]) -> int:
    """For how many seeds of the first seasons another stood in, since their maps have too few sites."""
    planned = [schedule.task(number).seed for number in range(len(records))]
    return len({seed for seed, record in zip(planned, records, strict=True) if record["seed"] != seed})


class Stop(NamedTuple):
    """When to stop before the last season.

    Attributes:
        block: after which numbers of seasons is asked: its multiples.
        enough: whether the first seasons, in order, are enough.
    """

    block: int
    enough: Callable[[Sequence[dict[str, Any]]], bool]


def play(
    job: Job,
    schedule: Schedule,
    count: int,
    crew: Crew,
    folder: Folder | None = None,
    stop: Stop | None = None,
    watch: Callable[[int, int], None] = lambda done, fresh: None,
) -> Records:
    """Play what is missing of a run.

    Where it stops is decided by the first seasons in order, whoever has finished which first. What was
    played beyond is kept in the folder but is no part of the run.

    Args:
        job: what all seasons have in common.
        schedule: which seasons.
        count: the most.
        crew: who plays them.
        folder: where records are kept; what lies there is not played again.
        stop: when to stop earlier.
        watch: told how many seasons there are, and how many of them were played now.

    Returns:
        The records, in order.
    """
    found: dict[int, dict[str, Any]] = {}
    fresh = asked = whole = 0
    end = count

    def look() -> None:
        """Go through the blocks that have become complete, in order."""
        nonlocal whole, end
        while stop is not None and whole + stop.block <= end:
            if any(number not in found for number in range(whole, whole + stop.block)):
                return
            whole += stop.block
            if stop.enough([found[number] for number in range(whole)]):
                end = whole

    def missing() -> Iterator[Task]:
        nonlocal asked
        while asked < end:
            asked += 1
            if asked - 1 not in found:
                yield schedule.task(asked - 1)

    if folder is not None:
        for number in range(count):
            kept = folder.read(schedule.task(number))
            if kept is not None:
                found[number] = kept
        look()
    watch(sum(number < end for number in found), 0)
    with closing(crew(job, missing())) as played:
        for task, record in played:
            found[task.number] = record
            fresh += 1
            if folder is not None:
                folder.write(task, record)
            look()
            watch(sum(number < end for number in found), fresh)
    return [found[number] for number in range(end)]
