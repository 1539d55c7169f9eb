"""A run's folder: what is played, and one file for every season, each written once and whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from hakoenv.experiments import seeds
from hakoenv.experiments.tournament.seating import Task

_ABOUT, _LOCK, _SEASONS = "run.json", ".lock", "seasons"
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

    Raises:
        FolderError: it holds another run, is in use, or can't be written.
    """

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._lock: Any = None
        try:
            (self.path / _SEASONS).mkdir(parents=True, exist_ok=True)
            self._take()
            for left in self.path.rglob("*.part"):
                left.unlink()
            self._compare(json.loads(_as_text(about)))
        except OSError as error:
            self.close()
            raise FolderError(f"--out: {self.path} can't be written ({error.strerror})") from error
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
        """The record of a season; None where there is none, or no whole one of this season."""
        try:
            found = json.loads(self._file(task).read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(found, dict) or "state_hash" not in found:
            return None
        same = (found.get("id"), found.get("seats")) == (task.id, list(task.seats))
        seed = found.get("seed")
        return found if same and isinstance(seed, int) and seeds.stands_for(seed, task.seed) else None

    def write(self, task: Task, record: Mapping[str, Any]) -> None:
        """Keep the record of a season, whole or not at all."""
        self.put(self._file(task).relative_to(self.path), _as_text(record))

    def put(self, name: str | os.PathLike[str], text: str) -> Path:
        """Write a file beside and rename it over."""
        place = self.path / name
        part = place.with_name(f"{place.name}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, place)
        return place

    def _file(self, task: Task) -> Path:
        return self.path / _SEASONS / f"{task.id}.json"

    def _take(self) -> None:
        """Hold the folder as long as this process lives."""
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return
        self._lock = open(self.path / _LOCK, "w", encoding="utf-8")  # noqa: SIM115
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderError(
                f"--out: another process is playing in {self.path}; wait for it, or stop it"
            ) from None

    def _compare(self, about: dict[str, Any]) -> None:
        place = self.path / _ABOUT
        if not place.exists():
            self.put(_ABOUT, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
            return
        try:
            known = json.loads(place.read_bytes())
        except ValueError:
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


def _difference(key: str, was: Any, now: Any) -> tuple[str, str]:
    """What differs, in a few words."""
    if key == "entrants" and isinstance(was, list):
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
