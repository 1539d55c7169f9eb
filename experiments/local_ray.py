"""Ray on this machine, quietly: it writes nowhere but into a temporary folder, which goes with it."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
"""Arguments of `ray.init` with which it says nothing but errors."""
_LONGEST_FOLDER = 40  # characters: the names of sockets below it are limited


class StartError(RuntimeError):
    """Ray does not start; the first line of what it says."""


def hush() -> None:
    """Set what Ray reads from the environment; before it is first used."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)  # it greets every user of its new API stack


@contextmanager
def started(cpus: int, store_bytes: int, place: str | os.PathLike[str] | None = None) -> Iterator[None]:
    """A Ray of this process's own, shut down at the end.

    Args:
        cpus: how many processors it may give away.
        store_bytes: size of its object store.
        place: folder of the run: what a killed run has left of its Ray is removed with the next one's.

    Raises:
        StartError: it does not start.
    """
    ray: Any = import_module("ray")
    hush()
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # else Ray writes one into the home folder
    folder = _temporary(place)
    try:
        ray.init(
            address="local",
            num_cpus=cpus,
            object_store_memory=store_bytes,
            include_dashboard=False,
            _temp_dir=str(folder),
            **QUIET,
        )
    except Exception as error:  # whatever Ray raises
        shutil.rmtree(folder, ignore_errors=True)
        raise StartError(first_line(error)) from error
    try:
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]


def _temporary(place: str | os.PathLike[str] | None) -> Path:
    """An empty folder for Ray, named after the run's."""
    root = Path(tempfile.gettempdir())
    if len(str(root)) > _LONGEST_FOLDER:
        root = Path("/tmp")
    if place is None:
        return Path(tempfile.mkdtemp(prefix="hakoenv-ray-", dir=root))
    name = hashlib.sha256(os.path.realpath(place).encode()).hexdigest()[:12]
    folder = root / f"hakoenv-ray-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:  # somebody else's
        return Path(tempfile.mkdtemp(prefix="hakoenv-ray-", dir=root))
    return folder
