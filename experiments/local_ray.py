"""Ray on this machine, quietly: it writes nowhere but into a temporary folder, which goes with it."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
"""Arguments of `ray.init` with which it says nothing but errors."""
_MAIN = ("raylet", "gcs_server")  # processes without which Ray does nothing
_LONGEST_FOLDER = 40  # characters: the names of sockets below it are limited


class StartError(RuntimeError):
    """Ray does not start; the first line of what it says."""


class LostError(RuntimeError):
    """Ray has started and does not hold; the first line of what it says."""


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
            raise StartError(first_line(error)) from error
        yield
    finally:
        with suppress(Exception):  # what is left of a Ray that did not start, or has died
            ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def watched() -> Iterator[None]:
    """What Ray itself fails in becomes one error; what tasks raise is left as it is.

    Raises:
        LostError: a process of Ray's has died, or does not answer.
    """
    faults: Any = import_module("ray").exceptions
    try:
        yield
    except faults.RayTaskError:
        raise
    except (faults.RayError, ConnectionError) as error:
        raise LostError(first_line(error)) from error


def check_alive(ray: Any) -> None:
    """See that Ray lives: when it has died it lets its callers wait, and in the end ends their process.

    Raises:
        LostError: a main process of one started here has died, or no machine of the cluster is left.
    """
    for kind in _dead_processes():
        if kind in _MAIN:
            raise LostError(f"its main process, {kind}, has died")
    if not any(node["Alive"] for node in ray.nodes()):
        raise LostError("no machine of the cluster is left")


def _dead_processes() -> list[str]:
    """Which of the processes that Ray has started here have died; Ray has no public name for them."""
    try:
        node: Any = import_module("ray._private.worker")._global_node
        return [kind for kind, _ in node.dead_processes()]
    except (ImportError, AttributeError):
        return []


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
