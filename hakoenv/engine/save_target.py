"""Where a season saves itself after every turn: one file, or a folder with backups (SAVE-003 .. SAVE-005)."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from hakoenv.engine.save import SaveError, Snapshot, peek, read_save, sync_folder, write_save
from hakoenv.ruleset import Ruleset

CURRENT = "season.save"


@dataclass(frozen=True)
class LoadReport:
    """Which file a season was loaded from."""

    path: Path
    turn: int
    refused: tuple[str, ...]  # one sentence per newer file that is not whole

    def __str__(self) -> str:
        """One sentence that says which file was taken and why not a newer one."""
        taken = f"loaded {self.path} (turn {self.turn})"
        return taken if not self.refused else f"{'; '.join(self.refused)}; {taken} instead"


def target_of(place: str | os.PathLike[str], ruleset: Ruleset) -> SaveFile | SaveFolder:
    """A folder if ``place`` is one or has no suffix, else a file."""
    path = Path(place)
    named_so = os.fspath(place).endswith(("/", os.sep)) or not path.suffix
    if not (_is_folder(path) if os.path.exists(path) else named_so):
        return SaveFile(path)
    scalars = ruleset.rules.scalars
    return SaveFolder(path, int(scalars["backup_every"][0]), int(scalars["backup_keep"][0]))


class SaveFile:
    """One file that always holds the newest complete turn."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def refuse_other_season(self) -> None:
        """A single file is simply replaced."""

    def back_up(self, turn: int) -> None:
        """A single file has no backups."""

    def write(self, snapshot: Snapshot) -> None:
        """Save a world (phase 39)."""
        write_save(self.path, snapshot)


class SaveFolder:
    """A folder with the newest turn in ``season.save`` and the turns before it in ``backup-*.save``.

    Args:
        path: the folder; made when missing.
        every: turns from one backup to the next (`backup.every`, SAVE-012).
        keep: how many backups are kept (`backup.keep`, SAVE-004).
    """

    def __init__(self, path: str | os.PathLike[str], every: int = 1, keep: int = 6) -> None:
        self.path = Path(path)
        self.every = every
        self.keep = keep

    @property
    def current(self) -> Path:
        """The newest save."""
        return self.path / CURRENT

    def refuse_other_season(self) -> None:
        """Leave a folder alone that holds a season.

        Raises:
            SaveError: it does.
        """
        for path in [self.current, *self.backups()]:
            if os.path.exists(path):
                raise SaveError(
                    f"{self.path}: holds a season already ({path.name}); resume it or take another folder"
                )

    def back_up(self, turn: int) -> None:
        """Keep the last complete save, the world before ``turn``, as a backup (phase 34, SAVE-005).

        Raises:
            SaveError: the folder can't be written.
        """
        if turn % self.every or self.keep == 0 or not self.current.exists():
            return
        try:
            self._keep_current()
            for stale in self.backups()[self.keep :]:
                stale.unlink()
        except OSError as error:
            raise SaveError(f"{self.path}: no backup can be made ({error.strerror})") from error

    def write(self, snapshot: Snapshot) -> None:
        """Save a world (phase 39).

        Raises:
            SaveError: the folder can't be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise SaveError(f"{self.path}: can't be made ({reason})") from error
        write_save(self.current, snapshot, overwrite=True)

    def backups(self) -> list[Path]:
        """The backups, newest first; those without a readable header last."""
        found = []
        for path in self.path.glob("backup-*.save") if _is_folder(self.path) else ():
            header = peek(path) or {}
            saves = header.get("saves")
            found.append((saves if type(saves) is int else -1, path.name, path))
        return [path for _, _, path in sorted(found, reverse=True)]

    def _keep_current(self) -> None:
        header = peek(self.current) or {}
        turn = header.get("turn")
        if type(turn) is not int:  # a broken file is no complete save
            return
        beside = self.path / ".backup.tmp"
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()
        try:
            os.link(self.current, beside)
        except OSError:  # a file system without hard links
            shutil.copy2(self.current, beside)
        os.replace(beside, self.path / f"backup-{turn:06d}.save")
        with contextlib.suppress(FileNotFoundError):  # replacing a file by itself leaves both names
            beside.unlink()
        sync_folder(self.path)


def load(path: str | os.PathLike[str], turn: int | None = None) -> tuple[Snapshot, LoadReport]:
    """Load a named file, which must be whole, or the newest whole file of a folder.

    Args:
        path: a save, or a folder of saves.
        turn: take the newest whole save of this turn (folders only).

    Raises:
        SaveError: the file is broken; the folder has no whole save (of that turn).
    """
    place = Path(path)
    if not _is_folder(place):
        snapshot = read_save(place)
        return snapshot, LoadReport(place, int(snapshot.world.clock["turn"][0]), ())
    folder = SaveFolder(place)
    refused: list[str] = []
    for candidate in [folder.current, *folder.backups()]:
        if turn is not None and (peek(candidate) or {}).get("turn") != turn:
            continue
        try:
            snapshot = read_save(candidate)
        except SaveError as error:
            refused.append(str(error))
            continue
        return snapshot, LoadReport(candidate, int(snapshot.world.clock["turn"][0]), tuple(refused))
    wanted = "" if turn is None else f" of turn {turn}"
    raise SaveError("; ".join([f"{place}: the folder has no whole save{wanted}", *refused]))


def _is_folder(path: Path) -> bool:
    """Whether a path names a folder; one that can't be a path does not (reading it says why)."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
