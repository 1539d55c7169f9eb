"""A run's folder: what is played, and one file for every season, each written once and whole."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from hakoenv.experiments import seeds
from hakoenv.experiments.folder_lock import FolderInUseError, FolderLock
from hakoenv.experiments.tournament.entrants import can_be_written
from hakoenv.experiments.tournament.seating import Task

_ABOUT, _SEASONS = "run.json", "seasons"
_FILES = ("machine.json", _ABOUT, "table.json", "seasons.jsonl", "seasons.parquet", "report.html")
_SEASON_PART = re.compile(r"\d{6,}\.json\.part")
_ROUNDING = 0.01  # of the points of a season, by how much their sum may be off
_WORDS = {
    "kind": "kind of run",
    "scenario": "scenario",
    "rules_version": "version of the rules",
    "overrides": "changed constants",
    "ruleset": "ruleset",
    "entrants": "entrants",
    "field": "field",
    "seed": "first seed",
    "turns": "last turn",
    "turn_seconds": "seconds a turn",
}


class FolderError(ValueError):
    """A folder can't be played in; one sentence."""


class Folder:
    """The folder of a run, which one process at a time plays in.

    Args:
        path: made if need be.
        about: what decides the seasons, as plain values: a folder of another run is refused.
        points: that a season gives in all (`season.standing_points_total`).

    Raises:
        FolderError: it holds another run, is in use, or can't be written.
    """

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any], points: float = 100.0) -> None:
        self.path, self._points = Path(path), points
        self._lock: FolderLock | None = None
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.path, "playing")
            self._compare(json.loads(_as_text(about)))
            (self.path / _SEASONS).mkdir(exist_ok=True)
            self._clear()
        except OSError as error:
            self.close()
            raise FolderError(f"--out: {self.path} can't be written ({error.strerror})") from error
        except FolderInUseError as error:
            raise FolderError(f"--out: {error}") from None
        except FolderError:
            self.close()
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others play here."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def read(self, task: Task) -> dict[str, Any] | None:
        """The record of a season; None where there is none, or no whole one of this season.

        Raises:
            FolderError: something else is in its place.
        """
        place = self._file(task)
        if place.is_dir():
            raise FolderError(f"--out: {place} is a folder; a season is to be written there")
        try:
            found = json.loads(place.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return found if _is_whole(found, task, self._points) else None

    def write(self, task: Task, record: Mapping[str, Any]) -> None:
        """Keep the record of a season, whole or not at all."""
        self.put(self._file(task).relative_to(self.path), _as_text(record))

    def put(self, name: str | os.PathLike[str], text: str) -> Path:
        """Write a text whole or not at all."""
        return self.put_by(name, lambda part: part.write_text(text, encoding="utf-8"))

    def put_by(self, name: str | os.PathLike[str], write: Callable[[Path], object]) -> Path:
        """Let a file be written beside and rename it over.

        Raises:
            FolderError: it can't be written.
        """
        place = self.path / name
        part = place.with_name(f"{place.name}.part")
        try:
            write(part)
            os.replace(part, place)
        except OSError as error:
            raise FolderError(f"--out: {place} can't be written ({error.strerror or error})") from error
        return place

    def _file(self, task: Task) -> Path:
        return self.path / _SEASONS / f"{task.id}.json"

    def _clear(self) -> None:
        """Remove what a killed process left half-written; files of others stay, whatever they are called."""
        left = [self.path / f"{name}.part" for name in _FILES]
        for entry in os.scandir(self.path / _SEASONS):
            if _SEASON_PART.fullmatch(entry.name):
                left.append(Path(entry.path))
        for part in left:
            if part.is_file():
                part.unlink()

    def _compare(self, about: dict[str, Any]) -> None:
        place = self.path / _ABOUT
        if not place.exists():
            self.put(_ABOUT, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
            return
        try:
            known = json.loads(place.read_bytes())
        except (ValueError, RecursionError):
            known = None
        if not isinstance(known, dict):
            raise FolderError(f"--out: {place} can't be read; give another folder")
        for key in about:
            if known.get(key) != about[key]:
                was, now = _difference(key, known.get(key), about[key])
                raise FolderError(
                    f"--out: {self.path} holds another run ({_WORDS.get(key, key)}: {was}, now {now}); "
                    "give another folder, or the arguments of that run"
                )


def _is_whole(found: Any, task: Task, total: float) -> bool:
    """Whether something read from a file is a record of a season, as `season.record` makes it.

    ``total``: the points that a season gives.
    """
    if not isinstance(found, dict):
        return False
    seats = len(task.seats)
    seed: Any
    points: Any
    seed, points, ranks = (found.get(key) for key in ("seed", "points", "ranks"))
    winners, forfeits = found.get("winners"), found.get("forfeits")
    return (
        (found.get("id"), found.get("seats")) == (task.id, list(task.seats))
        and _is_whole_number(seed)
        and seeds.stands_for(seed, task.seed)
        and _are(points, lambda share: _is_number(share) and 0 <= share <= total + _ROUNDING, seats)
        and min(abs(sum(points) - total), sum(points)) <= _ROUNDING  # none where all forfeit
        and _are(ranks, lambda rank: _is_whole_number(rank) and 1 <= rank <= seats, seats)
        and _are(winners, lambda seat: _is_whole_number(seat) and 0 <= seat < seats)
        and _are(forfeits, lambda entry: _is_forfeit(entry, task, points))
        and _is_whole_number(found.get("turns"))
        and found["turns"] >= 1
        and all(_is_text(found.get(key)) for key in ("ending", "state_hash"))
    )


def _is_forfeit(entry: Any, task: Task, points: list[float]) -> bool:
    """Whether something is a forfeit of a season in which who forfeits has no points."""
    if not isinstance(entry, dict) or not _is_whole_number(entry.get("seat")):
        return False
    seat = entry["seat"]
    return (
        0 <= seat < len(task.seats)
        and entry.get("entrant") == task.seats[seat]
        and points[seat] == 0
        and _is_whole_number(entry.get("turn"))
        and _is_text(entry.get("reason"))
    )


def _are(found: Any, fits: Callable[[Any], bool], count: int | None = None) -> bool:
    """Whether something is a list, of so many entries if that is said, and all of them fit."""
    return isinstance(found, list) and count in (None, len(found)) and all(map(fits, found))


def _is_whole_number(found: Any) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)


def _is_text(found: Any) -> bool:
    """Whether something is a text that can be written, too."""
    return isinstance(found, str) and can_be_written(found)


def _is_number(found: Any) -> bool:
    return _is_whole_number(found) or (isinstance(found, float) and math.isfinite(found))


def _difference(key: str, was: Any, now: Any) -> tuple[str, str]:
    """What differs, in a few words."""
    if key == "entrants" and _are(
        was, lambda entry: isinstance(entry, dict) and {*entry} >= {"name", "spec"}
    ):
        old, new = ([f"{entry['name']}={entry['spec']}" for entry in entries] for entries in (was, now))
        if old != new:
            return ", ".join(old), ", ".join(new)
        changed = [a["name"] for a, b in zip(was, now, strict=True) if a != b]
        return f"{', '.join(changed)} as it was then", "its file has changed"
    if key == "field" and isinstance(was, dict) and was != now:
        return str(was.get("name")), str(now.get("name"))
    if key == "ruleset":
        return str(was)[:12], f"{str(now)[:12]} (the installed constants have changed)"
    return json.dumps(was, ensure_ascii=False), json.dumps(now, ensure_ascii=False)


def _as_text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"
