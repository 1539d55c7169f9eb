"""Holds a folder for one process, so that two at once do not write over each other's files."""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from types import TracebackType
from typing import Any

NAME = ".lock"
"""The file in the folder that is locked; it stays there, empty."""


class FolderInUseError(ValueError):
    """Another process holds a folder; one sentence."""


class FolderLock:
    """Holds a folder as long as this process lives, or until `close`.

    A process that is forked off does not hold it: it would keep it after this one has ended.

    Args:
        path: of the folder, which must be there.
        doing: what is done in it, as in "another process is training in FOLDER".

    Raises:
        FolderInUseError: another process holds it.
        OSError: it can't be written.
    """

    def __init__(self, path: str | os.PathLike[str], doing: str) -> None:
        self._file: Any = None
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return
        file = open(Path(path) / NAME, "a", encoding="utf-8")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise FolderInUseError(f"another process is {doing} in {path}; wait for it, or stop it") from None
        except OSError:  # a file system without such locks
            file.close()
            raise
        self._file = file
        _held.add(self)

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others have the folder."""
        if self._file is not None:
            self._file.close()
            self._file = None


_held: weakref.WeakSet[FolderLock] = weakref.WeakSet()


def _let_go() -> None:
    """In a process that was forked off: the lock stays with the parent, whose file is another handle."""
    for lock in list(_held):
        lock.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
