"""A run's folder, what is missing of it, and where it stops."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hakoenv.experiments.tournament import run
from hakoenv.experiments.tournament.folder import Folder, FolderError
from hakoenv.experiments.tournament.run import Schedule, Stop
from hakoenv.experiments.tournament.seating import Task

ABOUT = {
    "kind": "tournament",
    "scenario": "duel",
    "rules_version": "0.1",
    "overrides": {},
    "ruleset": "aa",
    "entrants": [{"name": "a", "spec": "rule_ai", "digest": ""}, {"name": "b", "spec": "m:f", "digest": "1"}],
    "field": {"name": "standard-1", "driver": "rule_ai"},
    "seed": 0,
    "turns": None,
    "turn_seconds": 10.0,
}
SCHEDULE = Schedule(lambda number: ("a", "b") if number % 2 == 0 else ("b", "a"))


def pretended(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "seed": task.seed,
        "seats": list(task.seats),
        "points": [60.0, 40.0],
        "ranks": [1, 2],
        "ending": "truncated",
        "turns": 4,
        "winners": [],
        "forfeits": [],
        "state_hash": f"{task.number}",
    }


class Crew:
    """Finishes as many at a time as it is told, the last first."""

    def __init__(self, size: int) -> None:
        self.size, self.played = size, list[int]()

    def __call__(self, job: Any, tasks: Iterator[Task]) -> Any:
        while batch := [task for _, task in zip(range(self.size), tasks, strict=False)]:
            for task in reversed(batch):
                self.played.append(task.number)
                yield task, pretended(task)


def play(crew: Crew, count: int, folder: Folder | None = None, stop: Stop | None = None) -> list[str]:
    records = run.play(None, SCHEDULE, count, crew, folder, stop)  # type: ignore[arg-type]
    return [record["id"] for record in records]


def ids(count: int) -> list[str]:
    return [f"{number:06d}" for number in range(count)]


@pytest.mark.parametrize("size", [1, 3, 4])
def test_records_come_in_order_whoever_is_first(size: int) -> None:
    assert play(Crew(size), 10) == ids(10)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_who_finishes_first_does_not_decide_where_it_stops(size: int) -> None:
    asked: list[int] = []

    def enough(records: Any) -> bool:
        asked.append(len(records))
        return len(records) >= 6

    assert play(Crew(size), 20, stop=Stop(3, enough)) == ids(6)
    assert asked == [3, 6]


def test_what_is_narrow_enough_is_not_played_again(tmp_path: Path) -> None:
    stop = Stop(2, lambda records: len(records) >= 4)
    with Folder(tmp_path, ABOUT) as folder:
        play(Crew(1), 8, folder)
        crew = Crew(3)
        assert play(crew, 8, folder, stop) == ids(4)
        assert crew.played == []


def test_exactly_what_is_missing_is_played(tmp_path: Path) -> None:
    with Folder(tmp_path, ABOUT) as folder:
        play(Crew(1), 6, folder)
        (tmp_path / "seasons" / "000001.json").unlink()
        whole = (tmp_path / "seasons" / "000004.json").read_text(encoding="utf-8")
        (tmp_path / "seasons" / "000004.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
        (tmp_path / "seasons" / "000002.json").write_text(whole, encoding="utf-8")  # another's
        crew = Crew(1)
        assert play(crew, 8, folder) == ids(8)
        assert crew.played == [1, 2, 4, 6, 7]
        assert (tmp_path / "seasons" / "000004.json").read_text(encoding="utf-8") == whole


def test_a_season_with_a_seed_that_stood_in_is_kept(tmp_path: Path) -> None:
    with Folder(tmp_path, ABOUT) as folder:
        task = SCHEDULE.task(3)
        folder.write(task, pretended(task) | {"seed": task.seed + 2 * 2**54})
        assert folder.read(task) == pretended(task) | {"seed": task.seed + 2 * 2**54}
        for seed in (task.seed + 1, task.seed - 2**62, str(task.seed)):
            folder.write(task, pretended(task) | {"seed": seed})
            assert folder.read(task) is None


FORFEIT = {"seat": 1, "entrant": "a", "turn": 1, "reason": "raised"}  # of season 3, whose seats are b, a


@pytest.mark.parametrize(
    "change",
    [
        {"points": None},
        {"points": [100.0]},
        {"points": [60.0, 60.0]},
        {"points": [float("nan"), 40.0]},
        {"points": ["60", 40.0]},
        {"ranks": [1, 3]},
        {"ranks": [True, 2]},
        {"turns": "4"},
        {"winners": [2]},
        {"forfeits": 0},
        {"forfeits": [FORFEIT]},  # with points
        {"points": [100.0, 0.0], "forfeits": [{**FORFEIT, "entrant": "b"}]},
        {"points": [100.0, 0.0], "forfeits": [{**FORFEIT, "reason": "\ud800"}]},
        {"state_hash": 5},
    ],
)
def test_a_season_file_that_is_none_is_played_again(tmp_path: Path, change: dict[str, Any]) -> None:
    task = SCHEDULE.task(3)
    with Folder(tmp_path, ABOUT) as folder:
        whole = pretended(task) | {"points": [100.0, 0.0], "forfeits": [FORFEIT]}
        folder.write(task, whole)
        assert folder.read(task) == whole
        broken = pretended(task) | change
        (tmp_path / "seasons" / "000003.json").write_text(json.dumps(broken), encoding="utf-8")
        assert folder.read(task) is None
        lacking = {key: value for key, value in pretended(task).items() if key not in change}
        (tmp_path / "seasons" / "000003.json").write_text(json.dumps(lacking), encoding="utf-8")
        assert folder.read(task) is None


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "seasons" / "000003.json").mkdir(parents=True)
    (tmp_path / "report.html").mkdir()
    with Folder(tmp_path, ABOUT) as folder:
        with pytest.raises(FolderError, match=r"000003.json is a folder"):
            folder.read(SCHEDULE.task(3))
        with pytest.raises(FolderError, match=r"report.html can't be written"):
            folder.put("report.html", "")


def test_files_of_others_stay(tmp_path: Path) -> None:
    """Whatever they are called; and in the folder of another run nothing is touched at all."""
    theirs = [tmp_path / name for name in ("film.part", "seasons/notes.part", "other/000001.json.part")]
    for place in theirs:
        place.parent.mkdir(exist_ok=True)
        place.write_text("dear", encoding="utf-8")
    with Folder(tmp_path, ABOUT):
        pass
    mine = tmp_path / "seasons" / "000001.json.part"
    mine.write_text("{", encoding="utf-8")
    with pytest.raises(FolderError, match="another run"):
        Folder(tmp_path, {**ABOUT, "seed": 1})
    assert mine.exists()
    with Folder(tmp_path, ABOUT):
        assert not mine.exists()
    assert all(place.read_text(encoding="utf-8") == "dear" for place in theirs)


def test_what_a_killed_process_left_half_written_is_cleared_away(tmp_path: Path) -> None:
    with Folder(tmp_path, ABOUT):
        pass
    left = tmp_path / "seasons" / "000003.json.part"
    left.write_text("{", encoding="utf-8")
    with Folder(tmp_path, ABOUT):
        assert not left.exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rules_version": "0.2"}, 'version of the rules: "0.1", now "0.2"'),
        ({"scenario": "skirmish"}, 'scenario: "duel", now "skirmish"'),
        ({"overrides": {"season.max_turns": 9}}, "changed constants: {}, now {.season.max_turns.: 9}"),
        ({"ruleset": "bb"}, "ruleset: aa, now bb .the installed constants have changed"),
        ({"seed": 5}, "first seed: 0, now 5"),
        ({"turns": 9}, "last turn: null, now 9"),
        ({"field": {"name": "standard-2", "driver": "rule_ai"}}, "field: standard-1, now standard-2"),
        ({"entrants": ABOUT["entrants"][:1]}, "entrants: a=rule_ai, b=m:f, now a=rule_ai"),  # type: ignore[index]
        (
            {"entrants": [ABOUT["entrants"][0], {"name": "b", "spec": "m:f", "digest": "2"}]},  # type: ignore[index]
            "entrants: b as it was then, now its file has changed",
        ),
        ({"kind": "evaluate"}, 'kind of run: "tournament", now "evaluate"'),
    ],
)
def test_another_run_is_refused_by_what_differs(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with Folder(tmp_path, ABOUT):
        pass
    with pytest.raises(FolderError, match=f"holds another run .{words}"):
        Folder(tmp_path, {**ABOUT, **change})
    with Folder(tmp_path, ABOUT):  # and the folder is free again
        pass


def test_one_process_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with Folder(tmp_path, ABOUT), pytest.raises(FolderError, match="another process is playing"):
        Folder(tmp_path, ABOUT)


def test_a_process_that_was_forked_off_does_not_hold_the_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    folder = Folder(tmp_path, ABOUT)
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(told, b"x")
        time.sleep(60)
        os._exit(0)
    try:
        os.read(ready, 1)
        with pytest.raises(FolderError, match="another process is playing"):
            Folder(tmp_path, ABOUT)
        folder.close()
        Folder(tmp_path, ABOUT).close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FolderError, match="can't be written"):
        Folder(tmp_path / "file", ABOUT)


def test_a_description_of_strange_entrants_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({**ABOUT, "entrants": [5]}), encoding="utf-8")
    with pytest.raises(FolderError, match=r"holds another run .entrants: \[5\], now"):
        Folder(tmp_path, ABOUT)


def test_a_broken_description_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(ABOUT)[:40], encoding="utf-8")
    with pytest.raises(FolderError, match=r"run.json can't be read"):
        Folder(tmp_path, ABOUT)
