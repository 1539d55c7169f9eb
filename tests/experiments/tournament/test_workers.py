"""Worker processes: what they play is what this process plays, and what becomes of those that die."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from hakoenv.cli import main

pytest.importorskip("ray", reason="the extra `tournament` is not installed")
pytest.importorskip("choix", reason="the extra `tournament` is not installed")

pytestmark = pytest.mark.enable_socket
BOTS = """
import os


def dies(observation):
    os._exit(3)
"""


def command(out: Path, *arguments: str, what: str = "tournament") -> list[str]:
    return [sys.executable, "-m", "hakoenv", what, "--out", str(out), *arguments]


def files(folder: Path) -> dict[str, bytes]:
    """What must be equal: everything but machine facts and the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("machine.json", ".lock")
    }


def run(folder: Path, *arguments: str, where: Path | None = None) -> None:
    done = subprocess.run(command(folder, *arguments), capture_output=True, text=True, timeout=500, cwd=where)
    assert done.returncode == 0, done.stderr


def test_an_address_without_a_cluster_is_one_sentence(tmp_path: Path) -> None:
    arguments = ["--entrant", "rule_ai", "--entrant", "random", "--address", "127.0.0.1:1"]
    done = subprocess.run(command(tmp_path, *arguments), capture_output=True, text=True, timeout=100)
    assert done.returncode == 2
    assert "--address: no Ray cluster answers at '127.0.0.1:1'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_workers_play_what_this_process_plays(tmp_path: Path) -> None:
    arguments = [
        "--entrant",
        "rule_ai",
        "--entrant",
        "random",
        "--scenario",
        "duel",
        "--seasons",
        "4",
        "--turns",
        "5",
    ]
    run(tmp_path / "here", *arguments, "--workers", "0")
    run(tmp_path / "there", *arguments, "--workers", "1")
    assert files(tmp_path / "here") == files(tmp_path / "there")


@pytest.mark.slow
def test_killed_once_each_it_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    """The driver is killed once a season is kept; then, of the same command, a worker in its season."""
    arguments = ["rule_ai", "--against", "random", "--scenario", "duel", "--seasons", "12", "--turns", "60"]
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    done = CliRunner().invoke(main, ["evaluate", *arguments, "--out", str(whole), "--workers", "0"])
    assert done.exit_code == 0, done.output
    words = command(broken, *arguments, "--workers", "1", what="evaluate")
    with _driver(words) as driver:
        _await_season(broken / "seasons", driver)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    assert 0 < _count(broken / "seasons") < 12
    with _driver(words) as driver:
        _await(lambda: bool(_playing(driver.pid)), driver)
        os.kill(_playing(driver.pid)[0], signal.SIGKILL)
        assert driver.wait(timeout=100) == 0
    assert files(broken) == files(whole)


@pytest.mark.soak
def test_who_takes_its_process_down_is_charged(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(BOTS, encoding="utf-8")
    arguments = ["--entrant", "rule_ai", "--entrant", "deadly:dies", "--scenario", "duel", "--seasons", "2",
                 "--turns", "5", "--workers", "1"]  # fmt: skip
    run(tmp_path / "out", *arguments, where=tmp_path)
    text = (tmp_path / "out" / "seasons.jsonl").read_text(encoding="utf-8")
    assert text.count("ended its process") == 2
    assert '"entrant": "deadly:dies", "turn": 1' in text


@pytest.mark.soak
def test_killed_at_random_moments_it_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    """The driver is killed five times and a worker once, in the middle of a season."""
    draws = random.Random(7)
    arguments = ["--entrant", "rule_ai", "--entrant", "random", "--entrant", "idle", "--scenario", "duel",
                 "--seasons", "24", "--turns", "40"]  # fmt: skip
    run(tmp_path / "whole", *arguments, "--workers", "0")
    broken = tmp_path / "broken"
    seasons = broken / "seasons"
    for kill in range(5):
        with _driver(command(broken, *arguments, "--workers", "2")) as driver:
            if kill == 0:
                time.sleep(draws.uniform(0, 3))  # while Ray starts
            else:
                _await_season(seasons, driver)
                time.sleep(draws.uniform(0, 0.2))
            driver.send_signal(signal.SIGKILL)
            driver.wait()
    assert _count(seasons) < 24
    with _driver(command(broken, *arguments, "--workers", "2")) as driver:
        _await(lambda: bool(_playing(driver.pid)), driver)
        os.kill(_playing(driver.pid)[0], signal.SIGKILL)
        assert driver.wait(timeout=300) == 0
    assert files(broken) == files(tmp_path / "whole")


class _driver:  # noqa: N801
    """A command of its own, which is ended whatever happens."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> subprocess.Popen[bytes]:
        return self.process

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def _await_season(seasons: Path, driver: subprocess.Popen[bytes]) -> None:
    """Wait until one more season is kept."""
    there = _count(seasons)
    _await(lambda: _count(seasons) > there, driver)


def _await(happened: Callable[[], bool], driver: subprocess.Popen[bytes], seconds: float = 200) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end and driver.poll() is None
        time.sleep(0.01)


def _count(seasons: Path) -> int:
    return len(list(seasons.glob("*.json")))


def _playing(driver: int) -> list[int]:
    """Worker processes below a driver that are playing a season."""
    return [pid for pid, name in _below(driver) if name.startswith("ray::Player.play")]


def _below(root: int) -> Iterator[tuple[int, str]]:
    parents, names = {}, {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                names[int(place.name)] = (place / "cmdline").read_text().split("\0")[0]
            except (OSError, ValueError):
                continue
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        if above == root and pid != root:
            yield pid, names[pid]
