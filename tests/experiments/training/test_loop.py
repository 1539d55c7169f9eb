"""When a run writes checkpoints and metrics, and what an end at any moment leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

from hakoenv.experiments.clone import new_network
from hakoenv.experiments.training import loop
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.loop import METRICS, Loop


class Counting(Loop):
    """Trains nothing; fails in one of its iterations, if told to."""

    def __init__(self, config: Config, folder: Path, fails_in: int = 0) -> None:
        super().__init__(config, folder)
        self.network = new_network(config)
        self.saves: list[int] = []
        self.fails_in = fails_in

    def _iterate(self, share: float) -> dict[str, Any]:
        self.steps += 5
        if self.iteration + 1 == self.fails_in:
            raise KeyboardInterrupt
        return {"value": 1.0}

    def _save(self) -> None:
        self.saves.append(self.iteration)


@pytest.fixture
def run(tiny: Callable[..., Config], tmp_path: Path) -> Callable[..., Counting]:
    def made(fails_in: int = 0, **changes: Any) -> Counting:
        given = {"ppo__iterations": 4, "evaluation__every": 0, "save_minutes": 1000} | changes
        return Counting(tiny(**given), tmp_path, fails_in)

    return made


def iterations(folder: Path) -> list[int]:
    lines = (folder / METRICS).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["iteration"] for line in lines]


def test_checkpoints_come_by_time_without_any_evaluation(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each iteration takes a minute; a checkpoint is due after two, and at the end."""
    slow, now = run(ppo__iterations=5, save_minutes=2), [0.0]
    iterate = slow._iterate

    def a_minute(share: float) -> Any:
        now[0] += 60
        return iterate(share)

    monkeypatch.setattr(slow, "_iterate", a_minute)
    monkeypatch.setattr(loop.time, "monotonic", lambda: now[0])
    slow.run()
    assert slow.saves == [2, 4, 5]


def test_a_checkpoint_is_written_once_an_iteration(run: Any) -> None:
    often = run(save_minutes=0)
    often.run()
    assert often.saves == [1, 2, 3, 4]
    often.save()
    assert often.saves == [1, 2, 3, 4]


def test_who_is_told_to_stop_writes_a_checkpoint(run: Any) -> None:
    stopped = run()
    stopped.run(lambda at: at.iteration == 3)
    assert (stopped.iteration, stopped.saves) == (3, [3])


def test_an_iteration_that_was_broken_off_is_not_written(run: Any, tmp_path: Path) -> None:
    broken = run(fails_in=3, save_minutes=0)
    with pytest.raises(KeyboardInterrupt):
        broken.run()
    assert broken.saves == [1, 2]
    assert iterations(tmp_path) == [1, 2]


def test_metrics_of_a_run_that_died_before_its_first_checkpoint_are_dropped(run: Any, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(fails_in=3).run()
    assert iterations(tmp_path) == [1, 2]
    again = run()
    assert again.metrics() == []
    again.run()
    assert iterations(tmp_path) == [1, 2, 3, 4]
    assert [line["agent_steps"] for line in again.metrics()] == [5, 10, 15, 20]
