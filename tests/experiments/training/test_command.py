"""`hakoenv train` as a user calls it: a run, an interruption, the same command again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

import yaml
from hakoenv.agents.policy import checkpoint
from hakoenv.experiments import clone, ppo
from hakoenv.experiments.training import curves, loop

from hakoenv.cli import main
from hakoenv.engine.season import Season


@pytest.fixture
def call(tmp_path: Path, tiny_entries: dict[str, Any]) -> Any:
    """The command with a tiny config."""
    tree: dict[str, Any] = {}
    for name, value in tiny_entries.items():
        *sections, last = name.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[last] = value
    file = tmp_path / "tiny.yaml"
    file.write_text(yaml.safe_dump(tree), encoding="utf-8")

    def run(*arguments: str) -> Result:
        out = str(tmp_path / "run")
        return CliRunner().invoke(main, ["train", "--config", str(file), "--out", out, *arguments])

    return run


def test_a_run(call: Any, tmp_path: Path) -> None:
    done = call()
    assert done.exit_code == 0, done.output
    folder = tmp_path / "run"
    assert done.stdout.strip() == str(folder / "policy.pt")
    assert "illegal actions sampled: 0 of " in done.stderr
    names = {path.name for path in folder.iterdir()}
    assert names >= {"clone.pt", "policy.pt", "run.pt", "metrics.jsonl", "config.json"}
    assert not names & {"clone-part.pt", "metrics.jsonl.part"}
    assert [line["iteration"] for line in curves.read(folder / "metrics.jsonl")] == [1, 2]
    season = Season.new("duel", seed=0, agents=[f"policy:{folder}/policy.pt", f"policy:{folder}/clone.pt"])
    season.run(until=2)
    again = call("--set", "threads=2")  # done already; threads may differ
    assert again.exit_code == 0 and again.stdout == done.stdout
    other = call("--set", "ppo.turns=9")
    assert other.exit_code == 2
    assert "holds a run with ppo = " in other.stderr and "take another folder" in other.stderr
    (folder / "config.json").write_text("[]", encoding="utf-8")
    assert "is no config" in call().stderr


def test_an_interrupted_imitation_is_gone_on_with(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, begun = clone.train, []

    def interrupted(config: Any, student: Any, done: float, tell: Any) -> None:
        def stop(at: clone.Progress) -> None:
            tell(at)
            raise KeyboardInterrupt

        begun.append(done)
        train(config, student, done, stop if not done else tell)

    monkeypatch.setattr(clone, "train", interrupted)
    first = call("--clone")
    assert first.exit_code == 130
    assert "stopped; the same command goes on" in first.stderr
    part = checkpoint.read(tmp_path / "run" / "clone-part.pt")
    assert 0 < part["done"] < 1
    second = call("--clone")
    assert second.exit_code == 0, second.output
    assert begun == [0.0, part["done"]]
    assert second.stdout.strip() == str(tmp_path / "run" / "clone.pt")
    assert not (tmp_path / "run" / "clone-part.pt").exists()
    assert not (tmp_path / "run" / "run.pt").exists()


def test_interrupted_ppo_is_gone_on_with(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, told = ppo.Trainer.run, []

    def interrupted(self: Any, tell: Any = None) -> None:
        def stop(at: loop.Progress) -> None:
            tell(at)
            told.append(at.iteration)
            if len(told) == 1:
                raise KeyboardInterrupt

        run(self, stop)

    monkeypatch.setattr(ppo.Trainer, "run", interrupted)
    first = call()
    assert first.exit_code == 130, first.output
    assert checkpoint.read(tmp_path / "run" / "run.pt")["iteration"] == 1
    second = call()
    assert second.exit_code == 0, second.output
    assert told == [1, 2]
    metrics = (tmp_path / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["iteration"] for line in metrics] == [1, 2]


@pytest.mark.parametrize(
    "pair, message",
    [
        ("game.scenario=duell", "unknown scenario 'duell'"),
        ("game.commands_per_turn=51", "commands_per_turn=51"),
        ("game.commands=no_such", "commands='no_such' is no group"),
        ("game.rules={season.max_turnz: 3}", "unknown key 'season.max_turnz'"),
        ("ppo.turns", "--set 'ppo.turns': expected KEY=VALUE"),
        ("ppo.turns=[", "--set 'ppo.turns=[': the value is no YAML"),
        ("ppo.trns=3", "ppo.trns: did you mean turns?"),
    ],
)
def test_what_cannot_be_is_refused_before_a_folder_is_made(
    call: Any, tmp_path: Path, pair: str, message: str
) -> None:
    done = call("--set", pair)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_broken_checkpoint_is_named(call: Any, tmp_path: Path) -> None:
    call("--clone")
    (tmp_path / "run" / "clone.pt").write_bytes(b"nothing")
    done = call()
    assert done.exit_code == 2
    assert "clone.pt: can't be read as a policy" in done.stderr
