"""What the training commands share: the config, the run's folder, progress, and curves at the end."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from hakoenv.experiments.folder_lock import FolderInUseError, FolderLock

from hakoenv.cli.refusal import Refusal
from hakoenv.cli.stop import Stop

if TYPE_CHECKING:
    from hakoenv.experiments.training.loop import Loop

CONFIG = "config.json"
STOPPING = "stopping after this step; Ctrl-C again leaves at once"
"""Said from the first Ctrl-C on."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


class StoppedError(click.ClickException):
    """A run was stopped by a signal; nothing is wrong."""

    def __init__(self, folder: Path, number: int = signal.SIGINT) -> None:
        super().__init__(f"stopped; the same command goes on with what is in {folder}")
        self.exit_code = 128 + number  # type: ignore[misc]  # click has one a class


def config_options(command: _Command) -> _Command:
    """The options from which `settings` makes the config."""
    for option in (
        click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE",
                     help="Change an entry: ppo.minutes=5."),
        click.option("--config", "file", metavar="FILE", default=None,
                     help="YAML; default: experiments/training/duel.yaml."),
    ):  # fmt: skip
        command = option(command)
    return command


def needed(module: str, extra: str) -> Any:
    """An optional library.

    Raises:
        Refusal: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise Refusal(f"training needs {error.name}: pip install 'hakoenv[{extra}]'") from error


def settings(file: str | None, wanted: dict[str, Any]) -> Any:
    """The config that was asked for; its game can be made.

    Raises:
        Refusal: an entry is impossible.
    """
    from hakoenv.experiments.training import config as configs

    try:
        config = configs.load(file, wanted)
        _check_game(config.game)
    except ValueError as error:
        raise Refusal(str(error)) from error
    return config


def changes(pairs: tuple[str, ...]) -> dict[str, Any]:
    """``KEY=VALUE`` as entries of the config; a value is YAML."""
    yaml = needed("yaml", "train")
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not all(part.strip() for part in key.split(".")):
            raise Refusal(f"--set {pair!r}: expected KEY=VALUE, for example ppo.minutes=5")
        try:
            found[key.strip()] = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):  # 2001-99-99 is a ValueError
            raise Refusal(f"--set {pair!r}: the value is no YAML") from None
    return found


@contextmanager
def claimed(folder: Path, command: str, config: dict[str, Any], free: tuple[str, ...]) -> Iterator[None]:
    """Make the folder this run's, and hold it until the end of ``with``.

    Args:
        folder: of the run.
        command: whose run it is; the others can't go on with it.
        config: what the run is.
        free: entries that may differ from those of the run that the folder holds.

    Raises:
        Refusal: another process trains in it, it holds a run of another config, or can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder, "training")
    except FolderInUseError as error:
        raise Refusal(f"--out: {error}") from None
    except OSError as error:
        raise Refusal(f"--out: {str(folder)!r} can't be used ({error})") from error
    with lock:
        _compare(folder, command, config, free)
        yield


def _compare(folder: Path, command: str, config: dict[str, Any], free: tuple[str, ...]) -> None:
    """See that the run that a folder holds is this one; note this one if it holds none.

    Raises:
        Refusal: it is another, or can't be written.
    """
    place = folder / CONFIG
    text = json.dumps({"command": command, **config}, indent=1) + "\n"
    try:
        old = held(folder, command)
        if old is None:
            part = place.with_name(f"{CONFIG}.part")
            part.write_text(text, encoding="utf-8")
            os.replace(part, place)
            return
    except OSError as error:
        raise Refusal(f"--out: {str(folder)!r} can't be used ({error})") from error
    new = json.loads(text)
    for name in sorted(new):
        if name not in (*free, "command") and old.get(name) != new[name]:
            was, wanted = _differing(old.get(name), new[name])
            raise Refusal(
                f"--out: {str(folder)!r} holds a run with {name} = {json.dumps(was)}, not "
                f"{json.dumps(wanted)}; take another folder"
            )


def held(folder: Path, command: str) -> dict[str, Any] | None:
    """The config of the run that a folder holds, None if it holds none.

    Raises:
        Refusal: what is there can't be read, or is another command's.
    """
    place = folder / CONFIG
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Refusal(f"--out: {str(folder)!r} can't be used ({error})") from error
    if not isinstance(found, dict):
        raise Refusal(f"--out: {str(place)!r} is no config; take another folder")
    # runs from before the entry: only those of train-rllib have a start
    other = found.get("command", "train-rllib" if "start" in found else "train")
    if other != command:
        raise Refusal(f"--out: {str(folder)!r} holds a run of hakoenv {other}; take another folder")
    return found


@contextmanager
def in_a_sentence(folder: Path) -> Iterator[None]:
    """What ends a run early, as one sentence: an interruption, a file that can't be gone on with.

    Raises:
        StoppedError: it was interrupted where it stood.
        Refusal: a checkpoint is broken or another version's, or a file can't be read or written.
        ClickException: it has diverged, or memory is not enough.
    """
    from hakoenv.agents.policy.checkpoint import CheckpointError
    from hakoenv.experiments.training.health import DivergedError

    try:
        yield
    except CheckpointError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        raise StoppedError(folder) from None
    except DivergedError as error:
        raise click.ClickException(f"{error} (what is in {str(folder)!r} is from before)") from error
    except OSError as error:
        raise Refusal(f"--out: {str(folder)!r} can't be used ({error})") from error
    except MemoryError as error:
        raise click.ClickException(
            f"not enough memory ({error}); take fewer worlds, or less of clone.kept or network.width"
        ) from error


def follow(trainer: Loop, title: str, console: Any) -> None:
    """Run a trainer with a progress bar; curves in between and at the end.

    Raises:
        StoppedError: a signal came; the iteration under way was finished and all is written.
    """
    from hakoenv.experiments.training import events
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with (
        Stop() as stop,
        events.Events(trainer.folder / events.FOLDER, trainer.metrics()) as written,
        Progress(*columns, console=console, transient=True) as progress,
    ):
        if written.missing:
            console.print(
                "no TensorBoard events: tensorboard is not installed (pip install 'hakoenv[train]')"
            )
        bar = progress.add_task("", title=title, total=1.0)
        progress.update(bar, completed=trainer.share())
        stop.tell = lambda: progress.update(bar, description=STOPPING)

        def tell(at: Any) -> bool:
            written.add(at.line)
            speed = at.line["agent_steps_per_second"]
            words = f"iteration {at.iteration}, {speed:.0f} agent-steps/s"
            progress.update(bar, completed=at.share, description=words)
            if _say_points(at, console):
                _draw(trainer, title)
            return stop.signal is not None

        trainer.run(tell)
        if not _draw(trainer, title):
            console.print("no curves: matplotlib is not installed (pip install 'hakoenv[report]')")
    console.print(f"illegal actions sampled: {trainer.illegal} of {trainer.steps}")
    if stop.signal is not None:
        raise StoppedError(trainer.folder, stop.signal)


def _say_points(at: Any, console: Any) -> bool:
    """Print how good the policy was found; False if it was not judged."""
    judged = {name: figures for name, figures in at.line.items() if name.startswith("against_")}
    for name, figures in judged.items():
        half = f" ± {figures['half_width']:.1f}" if "half_width" in figures else ""
        console.print(
            f"iteration {at.iteration}, {name.replace('_', ' ', 1)}: "
            f"{figures['points']:.1f}{half} points, ahead in {100 * figures['ahead']:.0f}%"
        )
    return bool(judged)


def _draw(trainer: Loop, title: str) -> bool:
    """The curves so far; False if they can't be drawn here."""
    from hakoenv.experiments.training import curves

    return curves.save_png(trainer.metrics(), trainer.folder / curves.PICTURE, title)


def _check_game(game: Any) -> None:
    """Make the game once, before a folder is made for it.

    Raises:
        ValueError: an entry is impossible.
    """
    from hakoenv.envs.vec import VecEnv

    VecEnv(
        game.scenario,
        1,
        commands_per_turn=game.commands_per_turn,
        commands=game.commands,
        rules=game.rules,
    )


def _differing(old: Any, new: Any) -> tuple[Any, Any]:
    """Two entries of a config; of sections only what differs."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return old, new
    names = [name for name in new if old.get(name) != new[name]]
    return {name: old.get(name) for name in names}, {name: new[name] for name in names}
