"""What becomes of a run when Ray does not start, or dies under it; Ray is played by a stand-in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from hakoenv.experiments import local_ray
from hakoenv.experiments.tournament import workers
from hakoenv.experiments.tournament.run import Schedule
from hakoenv.experiments.tournament.workers import WorkerError

from hakoenv.cli import main


class RayError(Exception):
    """As Ray's."""


class RayTaskError(RayError):
    """As Ray's: what a task raised."""


class RayActorError(RayError):
    """As Ray's: a process is gone."""


class StandIn(ModuleType):
    """As much of Ray as a crew asks of it; nothing is ever played."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError, RayActorError=RayActorError)

    def __init__(self) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.alive = True
        self.ends = 0
        self.begun: Callable[[], None] = lambda: None
        self.waited: Callable[[], bool] = lambda: False
        self.folder = Path()

    def init(self, _temp_dir: str, **_: Any) -> None:
        self.folder = Path(_temp_dir)
        self.begun()

    def shutdown(self) -> None:
        self.ends += 1

    def is_initialized(self) -> bool:
        return False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": self.alive}]

    def put(self, what: Any) -> Any:
        return what

    def kill(self, worker: Any) -> None:
        raise RayError("nobody is there")

    def remote(self, **_: Any) -> Any:
        call = SimpleNamespace(remote=lambda *given: object())
        made = SimpleNamespace(play=call, note=call, planning=call)
        return lambda kind: SimpleNamespace(remote=lambda *given: made)

    def wait(self, refs: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        return (refs, []) if self.waited() else ([], refs)

    def get(self, ref: Any) -> Any:
        raise RayActorError("the process has died")


class Worker:
    """A process of `Machines`."""

    def __init__(self) -> None:
        self.play = SimpleNamespace(remote=lambda task, charged, notes: (self, task))


class Machines(StandIn):
    """Two machines with a processor each, one of which is lost in its first season.

    Seasons come back only from processes that have a processor, the first ones that were started.
    """

    def __init__(self, noticed: bool) -> None:
        super().__init__()
        self.noticed, self.processors, self.told = noticed, 2, 2
        self.workers: list[Worker] = []
        self.lost: Worker | None = None
        self.played: list[int] = []

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.told)}

    def remote(self, num_cpus: float, **_: Any) -> Any:
        return (lambda kind: SimpleNamespace(remote=self.start)) if num_cpus else super().remote()

    def start(self, *given: Any) -> Worker:
        self.workers.append(Worker())
        return self.workers[-1]

    def kill(self, worker: Any) -> None:
        if worker in self.workers:
            self.workers.remove(worker)

    def wait(self, refs: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        if self.lost is None:
            self.lost, self.processors = self.workers.pop(), 1
            self.told = 1 if self.noticed else 2
        running = self.workers[: self.processors]
        done = [ref for ref in refs if ref[0] is self.lost or ref[0] in running]
        assert done, "a season waits for a processor that nobody lets go"
        return done[:1], [ref for ref in refs if ref is not done[0]]

    def get(self, ref: Any) -> Any:
        worker, task = ref
        if worker is self.lost:
            raise RayActorError("the machine is gone")
        self.played.append(task.number)
        return {"id": task.id}, False, None


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = StandIn()
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "x")
    return made


def play() -> None:
    tasks = iter([Schedule(lambda number: ("A", "B")).task(0)])
    list(workers.on_ray(1)(SimpleNamespace(), tasks))  # type: ignore[arg-type]


def fails(error: Exception) -> Callable[[], Any]:
    def failing() -> None:
        raise error

    return failing


def test_a_ray_that_does_not_start(ray: StandIn) -> None:
    ray.begun = fails(RuntimeError("The node timed out.\nSee the logs of\nthe raylet"))
    with pytest.raises(WorkerError) as caught:
        play()
    assert str(caught.value) == (
        "Ray does not start (The node timed out.); try --workers 0, which plays in this process"
    )
    assert ray.ends == 1 and not ray.folder.exists()  # what had started is ended


def test_the_command_says_it_in_one_line(ray: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hakoenv.cli.warm.ensure", lambda: None)
    ray.begun = fails(ConnectionError("no raylet"))
    arguments = ["evaluate", "rule_ai", "--against", "random", "--workers", "1", "--seasons", "2"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert done.stderr == (
        "hakoenv: Ray does not start (no raylet); try --workers 0, which plays in this process\n"
    )


def test_a_raylet_that_dies_is_not_waited_for(ray: StandIn) -> None:
    ray.alive = False
    with pytest.raises(WorkerError, match=r"^Ray has failed \(no machine .* is left\); try --workers 0"):
        play()
    assert ray.ends == 1 and not ray.folder.exists()


def test_a_raylet_of_this_machine_is_looked_after_itself(
    ray: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray takes its node for alive for some while yet."""
    node = SimpleNamespace(dead_processes=lambda: [("log_monitor", None), ("raylet", None)])
    monkeypatch.setitem(sys.modules, "ray._private.worker", SimpleNamespace(_global_node=node))  # type: ignore[arg-type]
    with pytest.raises(WorkerError, match=r"^Ray has failed \(its main process, raylet, has died\)"):
        play()


def test_a_process_lost_with_the_raylet_is_nobodys_fault(ray: StandIn) -> None:
    def waited() -> bool:
        ray.alive = False
        return True

    ray.waited = waited
    with pytest.raises(WorkerError, match="no machine of the cluster is left"):
        play()


def test_one_process_after_another_is_told_with_the_season(ray: StandIn) -> None:
    """Also where who was planning can't be asked any more."""
    ray.waited = lambda: True
    with pytest.raises(WorkerError, match="has cost 3 worker processes: the process has died"):
        play()


@pytest.mark.parametrize("noticed", [True, False])
def test_the_season_of_a_lost_machine_is_played_by_those_that_are_left(
    noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether Ray counts the lost processor no longer, or still."""
    made = Machines(noticed)
    monkeypatch.setitem(sys.modules, "ray", made)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "x")
    schedule = Schedule(lambda number: ("A", "B"))
    tasks = iter([schedule.task(number) for number in range(5)])
    found = list(workers.on_ray(2)(SimpleNamespace(), tasks))  # type: ignore[arg-type]
    assert sorted(task.number for task, _ in found) == [0, 1, 2, 3, 4]
    if noticed:
        assert made.played == [0, 2, 1, 3, 4]  # the lost one, 1, is next, and not after all others
    assert made.workers == []


def test_what_ray_fails_in_is_one_sentence(ray: StandIn) -> None:
    ray.waited = fails(RayError("System error: Broken pipe\n  at core.cc:12"))
    with pytest.raises(WorkerError, match=r"^Ray has failed \(System error: Broken pipe\); try --workers 0"):
        play()


def test_a_fault_of_a_task_stays_what_it_is(ray: StandIn) -> None:
    ray.waited = fails(RayTaskError("ZeroDivisionError"))
    with pytest.raises(RayTaskError):
        play()


def test_an_interruption_while_ray_starts_leaves_nothing(ray: StandIn) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    ray.begun = interrupted
    with pytest.raises(KeyboardInterrupt), local_ray.started(1, 1):
        pass
    assert ray.ends == 1 and not ray.folder.exists()
