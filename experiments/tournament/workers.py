"""Who plays the seasons of a run: this process, or worker processes of Ray on one machine or many."""

from __future__ import annotations

import faulthandler
import os
import socket
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any

from hakoenv.experiments import local_ray
from hakoenv.experiments.tournament import entrants, extras, season
from hakoenv.experiments.tournament.run import Crew, Played
from hakoenv.experiments.tournament.season import Job
from hakoenv.experiments.tournament.seat import Around, Forfeit
from hakoenv.experiments.tournament.seating import Task

_LOSSES = 3  # processes that a season may cost with nobody to blame
_CONNECTING_SECONDS = 10.0
_WAY_OUT = "try --workers 0, which plays in this process"
_STORE_BYTES = 100 * 2**20  # of Ray's object store: records are small
_LOOKING_SECONDS = 1.0  # how often Ray is looked after while a season is waited for
_SLACK_SECONDS = 10.0  # beyond twice the time limit, before a process that does not answer is ended


class WorkerError(RuntimeError):
    """Worker processes can't be had or do not hold; one sentence."""


class AddressError(WorkerError):
    """No cluster is where it was said to be."""


def here(job: Job, tasks: Iterator[Task]) -> Generator[Played, None, None]:
    """Play in this process, one season after another."""
    for task in tasks:
        _warm(job, task)
        yield task, season.play(job, task)[0]


def on_ray(workers: int, address: str | None = None, place: str | os.PathLike[str] | None = None) -> Crew:
    """Play in worker processes, which are kept from season to season.

    A season whose process dies is played anew; if it dies again while an entrant was planning, that entrant
    is charged and idle from the start.

    Args:
        workers: how many processes.
        address: of a Ray cluster; None starts Ray here.
        place: the run's folder; gives Ray's temporary folder its name, so that what a killed run left is
            cleared away.

    Raises:
        MissingError: Ray is not installed.
    """
    extras.require("ray", "--workers 0 plays without it, in this process")
    return partial(_on_ray, workers, address, place)


def _on_ray(
    workers: int, address: str | None, place: str | os.PathLike[str] | None, job: Job, tasks: Iterator[Task]
) -> Generator[Played, None, None]:
    first = next(tasks, None)
    if first is None:
        return
    with _told_of_ray(), local_ray.watched(), _ray(workers, address, place) as count:
        crew = _Crew(job, count)
        try:
            waiting: list[_Try] = [_Try(first)]
            while True:
                while crew.has_room():
                    attempt = waiting.pop() if waiting else _try(next(tasks, None))
                    if attempt is None:
                        break
                    crew.start(attempt)
                crew.let_idle_go()
                if not crew.flying:
                    return
                attempt, record = crew.next_done()
                if record is None:
                    waiting.append(attempt)
                else:
                    yield attempt.task, record
        finally:
            crew.dismiss()


@contextmanager
def _told_of_ray() -> Iterator[None]:
    """What Ray fails in, as one sentence with a way out."""
    try:
        yield
    except local_ray.StartError as error:
        raise WorkerError(f"Ray does not start ({error}); {_WAY_OUT}") from error
    except local_ray.LostError as error:
        raise WorkerError(f"Ray has failed ({error}); {_WAY_OUT}") from error


class _Try:
    """A season on its way to its record.

    Attributes:
        task: which.
        charged: who is idle from the start.
        losses: processes that it has cost since somebody was charged.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.charged: list[Forfeit] = []
        self.losses = 0


def _try(task: Task | None) -> _Try | None:
    return None if task is None else _Try(task)


class _Crew:
    """Worker processes, each with at most one season."""

    def __init__(self, job: Job, count: int) -> None:
        self._ray: Any = import_module("ray")
        ray = self._ray
        self._job = ray.put(job)
        self._kind = ray.remote(num_cpus=1, max_restarts=0)(Player)
        self._most = self._count = count
        self._free: list[Any] = []
        self.flying: dict[Any, tuple[Any, _Try]] = {}
        self._notes: Any = None

    def has_room(self) -> bool:
        """Whether a process has nothing to do, or may be started."""
        return len(self.flying) < self._count

    def let_idle_go(self) -> None:
        """End the processes that have nothing to do: a season may wait for their processor.

        So it is where a machine was lost before Ray has noticed, and the processes of the others take all
        that is left.
        """
        while self._free:
            with suppress(Exception):
                self._ray.kill(self._free.pop())

    def start(self, attempt: _Try) -> None:
        """Let a process play a season; with notes of who is planning if it has cost a process before."""
        worker = self._free.pop() if self._free else self._kind.remote(self._job, os.getcwd())
        notes = self._notebook() if attempt.losses or attempt.charged else None
        self.flying[worker.play.remote(attempt.task, attempt.charged, notes)] = worker, attempt

    def next_done(self) -> tuple[_Try, dict[str, Any] | None]:
        """Wait for a season: its record, or None if its process has died and it must be played again.

        Raises:
            WorkerError: it costs one process after another, and no entrant is to blame.
            hakoenv.experiments.local_ray.LostError: Ray has died.
        """
        done: list[Any] = []
        while not done:
            local_ray.check_alive(self._ray)
            done, _ = self._ray.wait(list(self.flying), num_returns=1, timeout=_LOOKING_SECONDS)
        worker, attempt = self.flying.pop(done[0])
        try:
            record, tired, refusal = self._ray.get(done[0])
        except self._ray.exceptions.RayActorError as error:
            local_ray.check_alive(self._ray)
            self._count = max(1, min(self._most, _cpus(self._ray)))  # a machine may be lost, or be back
            self._note_loss(attempt, str(error))
            return attempt, None
        if refusal is not None:
            raise refusal
        if tired:
            self._ray.kill(worker)
        else:
            self._free.append(worker)
        return attempt, record

    def dismiss(self) -> None:
        """End all processes."""
        workers = [*self._free, *(worker for worker, _ in self.flying.values())]
        for worker in [*workers, *([] if self._notes is None else [self._notes])]:
            with suppress(Exception):
                self._ray.kill(worker)
        self.flying, self._free = {}, []

    def _note_loss(self, attempt: _Try, said: str) -> None:
        noted = attempt.losses > 0 or bool(attempt.charged)
        attempt.losses += 1
        task = attempt.task
        planning = self._planning(task.number) if noted else None
        if planning is not None:
            seat, turn = planning
            reason = "ended its process, or held it far beyond the time limit, each time that it planned"
            attempt.charged.append(Forfeit(seat, task.seats[seat], turn, reason))
            attempt.losses = 0
        elif attempt.losses >= _LOSSES:
            first = " ".join(said.split())[:300]
            raise WorkerError(
                f"season {task.id} (seed {task.seed}) has cost {attempt.losses} worker processes: {first}"
            )

    def _planning(self, number: int) -> tuple[int, int] | None:
        """Seat and turn of who is planning in a season; None of nobody, and where the notes are lost, too."""
        try:
            found: tuple[int, int] | None = self._ray.get(self._notes.planning.remote(number))
        except self._ray.exceptions.RayActorError:
            found = self._notes = None
        return found

    def _notebook(self) -> Any:
        if self._notes is None:
            self._notes = self._ray.remote(num_cpus=0)(Notes).remote()
        return self._notes


class Notes:
    """Who is planning in which season, kept outside of the processes that may die."""

    def __init__(self) -> None:
        self._planning: dict[int, tuple[int, int] | None] = {}

    def note(self, number: int, planning: tuple[int, int] | None) -> None:
        """Note seat and turn, or that nobody is planning."""
        self._planning[number] = planning

    def planning(self, number: int) -> tuple[int, int] | None:
        """Seat and turn of who is planning."""
        return self._planning.get(number)


class Player:
    """A worker process.

    Args:
        job: what it plays.
        folder: where modules of entrants may lie.
    """

    def __init__(self, job: Job, folder: str) -> None:
        self._job = job
        if os.path.isdir(folder):
            with suppress(OSError):
                os.chdir(folder)

    def play(
        self, task: Task, charged: Sequence[Forfeit], notes: Any
    ) -> tuple[dict[str, Any] | None, bool, Exception | None]:
        """Play a season.

        Returns:
            Its record; whether this process must not play another; what can't be played.
        """
        from hakoenv.controllers import ControllerError
        from hakoenv.engine.mapgen import ScenarioError
        from hakoenv.engine.season import SeasonError

        try:
            _warm(self._job, task)
            record, hung = season.play(self._job, task, charged, self._around(task, notes))
        except (ControllerError, ScenarioError, SeasonError) as error:
            return None, False, error
        return record, hung, None

    def _around(self, task: Task, notes: Any) -> Around:
        @contextmanager
        def around(seat: int, turn: int, seconds: float) -> Iterator[None]:
            if notes is not None:
                _note(notes, task.number, (seat, turn))
            with _limiting(hard_limit(seconds)):
                yield
            if notes is not None:
                _note(notes, task.number, None)

        return around


def hard_limit(seconds: float) -> float:
    """After how many seconds a process is ended in which what may take ``seconds`` does not even time out."""
    return 2 * seconds + _SLACK_SECONDS


def _note(notes: Any, number: int, planning: tuple[int, int] | None) -> None:
    import_module("ray").get(notes.note.remote(number, planning))


@contextmanager
def _limiting(seconds: float) -> Iterator[None]:
    """End this process if something takes longer: a timer outside of Python, for what never lets go of it."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


_warmed: set[str] = set()


def _warm(job: Job, task: Task) -> None:
    """Load, or compile, the code that entrants use, once, so that no entrant's first turn pays for it."""
    if "policy" in _warmed or all(map(entrants.is_trusted, job.entrants)):
        return
    asked = season.begin(job, task)
    asked.set_controller(0, lambda observation: None)
    asked.fill_plans()
    trained = next(filter(entrants.is_trained, job.entrants), None)
    if trained is not None:  # one for all: they differ in their weights only
        asked.set_controller(0, entrants.make(trained, 0))
        asked.fill_plans()
    _warmed.add("policy")


@contextmanager
def _ray(workers: int, address: str | None, place: str | os.PathLike[str] | None) -> Iterator[int]:
    """Ray, started here or found at an address; gives how many workers there can be."""
    ray: Any = import_module("ray")
    if ray.is_initialized():  # the caller's own: it stays
        yield min(workers, _cpus(ray))
        return
    with ExitStack() as stack:
        if address is not None:
            _look_for(address)
            local_ray.hush()
            try:
                ray.init(address=address, **local_ray.QUIET)
            except Exception as error:  # whatever Ray raises where it finds no cluster
                raise AddressError(
                    f"--address: no Ray cluster answers at {address!r} ({local_ray.first_line(error)})"
                ) from error
            stack.callback(ray.shutdown)
        else:
            stack.enter_context(local_ray.started(workers, _STORE_BYTES, place))
        count = min(workers, _cpus(ray))
        if count < workers:
            print(f"hakoenv: the cluster has {count} processors, so {count} workers play", file=sys.stderr)
        yield max(1, count)


def _look_for(address: str) -> None:
    """See that somebody listens at an address of the form HOST:PORT: Ray tries for minutes.

    Raises:
        AddressError: nobody does.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon:  # Ray's own words, such as auto
        return
    try:
        socket.create_connection((host, int(port)), _CONNECTING_SECONDS).close()
    except (OSError, ValueError, OverflowError) as error:
        raise AddressError(f"--address: no Ray cluster answers at {address!r} ({error})") from error


def _cpus(ray: Any) -> int:
    return int(ray.cluster_resources().get("CPU", 1))
