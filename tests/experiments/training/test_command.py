"""`hakoenv train` as a user calls it: a run, an interruption, the same command again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

import torch
import yaml
from hakoenv.agents.policy import checkpoint
from hakoenv.experiments import clone, ppo
from hakoenv.experiments.folder_lock import FolderLock
from hakoenv.experiments.training import config as configs
from hakoenv.experiments.training import curves

from hakoenv.cli import main
from hakoenv.engine.season import Season


@pytest.fixture(autouse=True)
def _without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than such a run."""

    def noted(metrics: Any, path: Path, title: str) -> bool:
        path.write_text(f"{title}: {[line['iteration'] for line in metrics]}", encoding="utf-8")
        return True

    monkeypatch.setattr(curves, "save_png", noted)


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
    assert iterations(folder) == [1, 2]
    assert (folder / "curves.png").read_text(encoding="utf-8") == "PPO on duel: [1, 2]"
    season = Season.new("duel", seed=0, agents=[f"policy:{folder}/policy.pt", f"policy:{folder}/clone.pt"])
    season.run(until=2)
    again = call("--set", "threads=2")  # done already; threads may differ
    assert again.exit_code == 0 and again.stdout == done.stdout
    other = call("--set", "ppo.turns=9")
    assert other.exit_code == 2
    assert "holds a run with ppo = " in other.stderr and "take another folder" in other.stderr
    (folder / "config.json").write_text("[]", encoding="utf-8")
    assert "is no config" in call().stderr


SIGNALS = pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
POSIX = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


def iterations(folder: Path) -> list[int]:
    return [line["iteration"] for line in curves.read(folder / "metrics.jsonl")]


@POSIX
@SIGNALS
def test_a_signal_in_the_imitation_keeps_what_is_learnt(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, code: int
) -> None:
    learn, times = clone._learn, []

    def signalled(*given: Any) -> Any:
        times.append(None)
        if len(times) == 2:
            os.kill(os.getpid(), sent)
        return learn(*given)

    monkeypatch.setattr(clone, "_learn", signalled)
    first = call("--clone")
    assert first.exit_code == code, first.output
    assert "stopped; the same command goes on" in first.stderr
    assert len(times) == 2
    folder = tmp_path / "run"
    assert checkpoint.read(folder / "clone-part.pt")["done"] >= 0.2  # one of five steps was over before it
    second = call("--clone")
    assert second.exit_code == 0, second.output
    assert 5 <= len(times) <= 6
    assert second.stdout.strip() == str(folder / "clone.pt")
    assert not (folder / "clone-part.pt").exists()
    assert not (folder / "run.pt").exists()


@POSIX
@SIGNALS
def test_a_signal_inside_an_iteration_stops_after_it(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, code: int
) -> None:
    step, steps = torch.optim.Adam.step, []

    def signalled(self: Any, *given: Any) -> Any:
        if type(self) is torch.optim.Adam:  # the imitation's is a kind of Adam, too
            steps.append(None)
            if len(steps) == 1:
                os.kill(os.getpid(), sent)
        return step(self, *given)

    monkeypatch.setattr(torch.optim.Adam, "step", signalled)
    batches = ("--set", "ppo.batch=8")
    first = call(*batches)
    assert first.exit_code == code, first.output
    assert "stopped; the same command goes on" in first.stderr
    assert len(steps) > 2  # the iteration was finished
    folder = tmp_path / "run"
    found = checkpoint.read(folder / "run.pt")
    assert (found["iteration"], iterations(folder)) == (1, [1])
    whole = ppo.Trainer(
        configs.load(tmp_path / "tiny.yaml", {"ppo.batch": 8}),
        checkpoint.load(folder / "clone.pt"),
        tmp_path,
    )
    whole.run(lambda at: True)
    assert all(torch.equal(found["weights"][name], w) for name, w in whole.network.state_dict().items())
    second = call(*batches)
    assert second.exit_code == 0, second.output
    assert iterations(folder) == [1, 2]


@POSIX
def test_a_second_signal_leaves_at_once_with_the_last_whole_iteration(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, folder = ppo.Trainer._step, tmp_path / "run"

    def signalled(self: Any, *given: Any) -> Any:
        found = step(self, *given)  # the network is changed
        if self.iteration == 1:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(ppo.Trainer, "_step", signalled)
        first = call("--set", "save_minutes=0", "--set", "ppo.batch=8")
    assert first.exit_code == 130, first.output
    assert "stopped; the same command goes on" in first.stderr
    assert iterations(folder) == [1]
    found = checkpoint.read(folder / "run.pt")
    assert found["iteration"] == 1
    second = call("--set", "ppo.batch=8")  # `save_minutes` may differ
    assert second.exit_code == 0, second.output
    assert iterations(folder) == [1, 2]


@pytest.mark.slow
@POSIX
def test_a_run_killed_while_it_saves_is_gone_on_with(call: Any, tmp_path: Path) -> None:
    """Killed between the policy of iteration 2 and what the run goes on from."""
    script = """if True:
        import os, signal, sys
        from hakoenv.agents.policy import checkpoint
        from hakoenv.cli import main

        replace, times = os.replace, []

        def killed(part, place):
            if str(place).endswith("run.pt"):
                times.append(part)
            if len(times) == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            replace(part, place)

        checkpoint.os.replace = killed
        main()
    """
    folder = tmp_path / "run"
    options = ["train", "--config", str(tmp_path / "tiny.yaml"), "--out", str(folder)]
    options += ["--set", "save_minutes=0"]
    done = subprocess.run(
        [sys.executable, "-c", script, *options], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert iterations(folder) == [1, 2]
    assert checkpoint.read(folder / "run.pt")["iteration"] == 1
    again = call()
    assert again.exit_code == 0, again.output
    assert iterations(folder) == [1, 2]
    assert checkpoint.read(folder / "run.pt")["iteration"] == 2


def test_tensorboard_has_every_point_once_or_its_absence_is_said_once(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tensorboard", reason="the extra `train` is not installed")
    call()
    again = call()  # done already
    assert again.exit_code == 0 and "tensorboard" not in again.stderr
    assert len(list((tmp_path / "run" / "tensorboard").iterdir())) == 1
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert call().stderr.count("tensorboard is not installed") == 1


def test_an_imitation_that_learns_nothing_says_so(call: Any) -> None:
    done = call("--clone", "--set", "clone.steps=0")
    assert done.exit_code == 0
    assert "imitation: none, as clone.steps or clone.minutes is 0" in done.stderr


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
        ("seed=2001-99-99", "--set 'seed=2001-99-99': the value is no YAML"),
        ("seed=!!int x", "--set 'seed=!!int x': the value is no YAML"),
        (f"seed={'[' * 3000}", "the value is no YAML"),
        ("game.rules=&a {b: *a}", "game.rules: must be a mapping of names to numbers or words"),
        (".=5", "--set '.=5': expected KEY=VALUE"),
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


def test_a_part_of_another_network_is_named(call: Any, tmp_path: Path, network: Any) -> None:
    call("--clone")
    (tmp_path / "run" / "clone.pt").unlink()
    network = type(network)(network.form, 16, 16)
    checkpoint.save(tmp_path / "run" / "clone-part.pt", network, done=0.5)
    done = call("--clone")
    assert done.exit_code == 2
    assert "clone-part.pt: is of another version of hakoenv" in done.stderr


def test_training_that_diverges_stops_and_saves_nothing(call: Any, tmp_path: Path) -> None:
    done = call("--set", "clone.learning_rate=1e30")
    assert done.exit_code == 1
    assert "training has diverged in step " in done.stderr and "of the imitation" in done.stderr
    assert "take a lower clone.learning_rate" in done.stderr
    assert not list((tmp_path / "run").glob("*.pt"))


def test_an_iteration_that_diverges_leaves_the_checkpoint_before(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iterate = ppo.Trainer._iterate

    def diverging(self: Any, share: float) -> Any:
        figures = iterate(self, share)
        if self.iteration == 1:
            next(self.network.parameters()).data.fill_(torch.nan)
        return figures

    monkeypatch.setattr(ppo.Trainer, "_iterate", diverging)
    done = call("--set", "save_minutes=0")
    assert done.exit_code == 1
    assert "training has diverged in iteration 2: weights are NaN or infinite" in done.stderr
    folder = tmp_path / "run"
    assert checkpoint.read(folder / "run.pt")["iteration"] == 1 and iterations(folder) == [1]


def test_a_folder_in_use_is_refused(call: Any, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    folder = tmp_path / "run"
    folder.mkdir()
    with FolderLock(folder, "training"):
        done = call()
    assert done.exit_code == 2
    assert f"--out: another process is training in {folder}" in done.stderr
    assert [path.name for path in folder.iterdir()] == [".lock"]


@pytest.mark.parametrize("held", [{"command": "train-rllib"}, {"start": None}])
def test_a_run_of_the_other_command_is_refused(call: Any, tmp_path: Path, held: dict[str, Any]) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(held), encoding="utf-8")
    done = call()
    assert done.exit_code == 2
    assert "holds a run of hakoenv train-rllib; take another folder" in done.stderr


@pytest.mark.parametrize("name", ["metrics.jsonl", "tensorboard"])
def test_what_cannot_be_written_is_named(call: Any, tmp_path: Path, name: str) -> None:
    if name == "tensorboard":
        pytest.importorskip("tensorboard", reason="the extra `train` is not installed")
    assert call("--clone").exit_code == 0
    if name == "tensorboard":
        (tmp_path / "run" / name).write_text("", encoding="utf-8")
    else:
        (tmp_path / "run" / name).mkdir()
    done = call()
    assert done.exit_code == 2
    assert "can't be used" in done.stderr and name in done.stderr


def test_a_clone_of_other_actions_is_named(call: Any, tmp_path: Path, network: Any) -> None:
    call("--clone")
    form = type(network.form)(network.form.verbs, 4)
    checkpoint.save(tmp_path / "run" / "clone.pt", type(network)(form, 8, 16))
    done = call()
    assert done.exit_code == 2
    assert "clone.pt: gives 4 commands a turn, not the 3 of game.commands_per_turn" in done.stderr
