"""TensorBoard events come line by line, and no point twice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

from hakoenv.experiments.training.events import Events


def line(steps: int, loss: float) -> dict[str, Any]:
    met = {"seasons": 3.0, "ahead": 0.5}
    return {
        "iteration": 1,
        "agent_steps": steps,
        "value_loss": loss,
        "payoffs": {"rule_ai": met},
        "payoff_matrix": {"learner": {"rule_ai": met}},
    }


def points(folder: Path, name: str) -> list[tuple[int, float]]:
    """All events of a name in all files, in order of files."""
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    found = []
    for file in sorted(folder.iterdir()):
        for event in reader.EventFileLoader(str(file)).Load():
            found += [(event.step, v.tensor.float_val[0]) for v in event.summary.value if v.tag == name]
    return found


def test_each_line_is_there_once_it_is_made(tmp_path: Path) -> None:
    with Events(tmp_path, []) as events:
        assert not events.missing
        events.add(line(10, 0.5))
        assert points(tmp_path, "value_loss") == [(10, 0.5)]
        events.add(line(20, 0.25))
        assert points(tmp_path, "value_loss") == [(10, 0.5), (20, 0.25)]
        assert points(tmp_path, "payoffs/rule_ai/ahead") == [(10, 0.5), (20, 0.5)]
    assert not points(tmp_path, "payoff_matrix/learner/rule_ai/ahead")


def test_a_run_that_goes_on_writes_its_lines_again(tmp_path: Path) -> None:
    with Events(tmp_path, []) as events:
        for steps in (10, 20, 30):
            events.add(line(steps, 0.5))
    (tmp_path / "notes.txt").write_text("somebody else's", encoding="utf-8")
    with Events(tmp_path, [line(10, 0.5), line(20, 0.5)]) as events:
        events.add(line(30, 0.125))
    (tmp_path / "notes.txt").unlink()  # it is still there
    assert points(tmp_path, "value_loss") == [(10, 0.5), (20, 0.5), (30, 0.125)]
    assert len(list(tmp_path.iterdir())) == 1


def test_without_tensorboard_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with Events(tmp_path, [line(10, 0.5)]) as events:
        events.add(line(20, 0.5))
    assert events.missing and list(tmp_path.iterdir()) == []
