"""One season of a run: played to its end, whoever fails is charged, and told as plain values."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hakoenv.experiments import seeds
from hakoenv.experiments.tournament.entrants import Entrant
from hakoenv.experiments.tournament.fields import Field
from hakoenv.experiments.tournament.seat import Around, Forfeit, Seat, nothing_around
from hakoenv.experiments.tournament.seating import Task

from hakoenv.controllers import Driver
from hakoenv.engine.season import Season, check

IDLE = "idle"


@dataclasses.dataclass(frozen=True)
class Job:
    """What all seasons of a run have in common.

    Attributes:
        scenario: its name.
        rules: overrides of the ruleset.
        entrants: who plays.
        field: who sits in the seats that no entrant has.
        turns: where a season is stopped; None plays it to its end.
        turn_seconds: how long an entrant may take for a turn.
    """

    scenario: str
    rules: Mapping[str, object]
    entrants: tuple[Entrant, ...]
    field: Field
    turns: int | None = None
    turn_seconds: float = 10.0


def begin(job: Job, task: Task) -> Season:
    """A season before turn 1, of nations that nobody drives yet.

    It has the task's seed, or the first in its stead whose map has sites enough.

    Raises:
        ScenarioError: none of a hundred maps has.
    """
    setup = check(job.scenario, task.seed, rules=job.rules)
    return seeds.with_room(task.seed, lambda seed: Season.start(setup._replace(seed=seed)))


def play(
    job: Job,
    task: Task,
    charged: Sequence[Forfeit] = (),
    around: Around = nothing_around,
) -> tuple[dict[str, Any], bool]:
    """Play a season.

    Args:
        job: what is played.
        task: which season of it.
        charged: entrants that are idle from the start, since they took their process down.
        around: see `seat.Around`.

    Returns:
        The record, see `record`, and whether a thread was given up, so that the process should end.

    Raises:
        ScenarioError: neither this seed's map nor another in its stead has sites enough.
        ControllerError: an entrant can't play at all, for want of a key, say.
    """
    season = begin(job, task)
    known = {entrant.name: entrant for entrant in job.entrants}
    guilty = {forfeit.seat: forfeit for forfeit in charged}
    seats: dict[int, Seat] = {}
    try:
        for place, name in enumerate(task.seats):
            driver: Driver = job.field.driver
            if place in guilty:
                driver = IDLE
            elif name in known:
                driver = seats[place] = Seat(known[name], place, season.seed, job.turn_seconds, around)
            season.set_controller(place, driver)

        def idle_who_failed(_: Season) -> None:
            for place, seat in seats.items():
                if seat.forfeit is not None and place not in guilty:
                    guilty[place] = seat.forfeit
                    season.set_controller(place, IDLE)

        season.run(job.turns, idle_who_failed)
    finally:
        for seat in seats.values():
            seat.close()
    return record(task, season.result(), guilty), any(seat.hung for seat in seats.values())


def record(task: Task, result: Mapping[str, Any], forfeits: Mapping[int, Forfeit]) -> dict[str, Any]:
    """A season as plain values; lists have one entry a seat.

    Args:
        task: which.
        result: of `Season.result`.
        forfeits: by seat.

    Returns:
        `id`, `seed` (of the world), `seats` (names), `points` (see `shared`), `ranks` (those who forfeit
        share the last place, the others move up), `ending`, `turns`, `winners` (seats as the rules have
        it, whoever forfeits), `forfeits` (see `Forfeit`), `state_hash`.
    """
    points = shared([float(share) for share in result["points"]], forfeits)
    ranks = [int(rank) for rank in result["ranks"]]
    played = [rank for seat, rank in enumerate(ranks) if seat not in forfeits]
    last = 1 + len(played) if played else len(ranks)  # nobody is first of a season in which all forfeit
    places = [
        last if seat in forfeits else 1 + sum(other < rank for other in played)
        for seat, rank in enumerate(ranks)
    ]
    return {
        "id": task.id,
        "seed": result["seed"],
        "seats": list(task.seats),
        "points": points,
        "ranks": places,
        "ending": result["ending"],
        "turns": result["turns"],
        "winners": result["winners"],
        "forfeits": [forfeits[seat]._asdict() for seat in sorted(forfeits)],
        "state_hash": result["state_hash"],
    }


def shared(points: Sequence[float], forfeits: Collection[int]) -> list[float]:
    """Points by seat, so that who forfeits gains nothing and the season's sum stays what it is.

    What those had who forfeit goes to the others in proportion to their points, in equal parts if these
    have none. If all forfeit, nobody gets anything.

    Args:
        points: by seat.
        forfeits: the seats of those who forfeit.
    """
    others = [seat for seat in range(len(points)) if seat not in forfeits]
    if len(others) == len(points):
        return list(points)
    total, theirs = sum(points), sum(points[seat] for seat in others)
    found = [0.0] * len(points)
    for seat in others:
        found[seat] = points[seat] * total / theirs if theirs > 0 else total / len(others)
    return found
