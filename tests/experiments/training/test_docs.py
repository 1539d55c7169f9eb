"""The programs on the page about training run as shown, with a tiny policy and short seasons."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hakoenv.experiments.training import trajectories
from hakoenv.experiments.training.trajectories import Wish

PAGE = Path(__file__).parents[3] / "docs" / "training.md"


def program(section: str) -> str:
    page = PAGE.read_text(encoding="utf-8")
    (text,) = re.findall(rf"^## {section}.*?\n(.*?)(?:^## |\Z)", page, re.S | re.M)
    (found,) = re.findall(r"```python\n(.*?)\n```", text, re.S)
    return str(found)


def test_a_policy_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    from hakoenv.agents.policy import checkpoint
    from hakoenv.agents.policy.form import Form
    from hakoenv.agents.policy.network import PlanNetwork

    import hakoenv

    network = PlanNetwork(Form.of(hakoenv.parallel_env("duel").action_space("nation_0")), 8, 16)
    checkpoint.save(tmp_path / "runs" / "duel" / "policy.pt", network)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(program("Imitation and PPO"), "docs/training.md", "exec"), names)
    env: object = names["env"]
    env.reset(seed=1)  # type: ignore[attr-defined]
    env.step({"nation_0": env.action_space("nation_0").sample()})  # type: ignore[attr-defined]


def test_many_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    """Forty turns in seasons of twenty: the last step ends all of them, and counts what was to come."""
    names: dict[str, Any] = {}
    exec(compile(program("Many worlds"), "docs/training.md", "exec"), names)
    assert capsys.readouterr().out == "(8,) (8, 2) (8, 2, 256, 47)\n"
    infos = names["infos"]
    assert infos["final"].tolist() == list(range(8))
    assert infos["final_turn"].tolist() == [20] * 8
    assert infos["turn"].tolist() == [0] * 8
    assert names["truncations"].all()
    assert (names["after"] == names["value"](infos["final_obs"])).all()
    assert (names["after"][:, 0] != names["value"](names["seen"])[:, 0]).all()


def test_reading_trajectories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    trajectories.export("runs/duel-data", Wish(max_turns=3), 2, first=4)
    exec(compile(program("Trajectories"), "docs/training.md", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("4 (6, ") and "(6, 57)" in first
    assert second.startswith("5 (6, ")
