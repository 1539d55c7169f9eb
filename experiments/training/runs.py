"""What the training commands share: the config, the run's folder, progress, and curves at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hakoenv.cli.refusal import Refusal

if TYPE_CHECKING:
    from hakoenv.experiments.training.loop import Loop

CONFIG = "config.json"
_Command = TypeVar("_Command", bound=Callable[..., Any])


class StoppedError(click.ClickException):
    """A run was interrupted; nothing is wrong."""

    exit_code = 130

    def __init__(self, folder: Path) -> None:
        super().__init__(f"stopped; the same command goes on with what is in {folder}")


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
        if not equals or not key.strip():
            raise Refusal(f"--set {pair!r}: expected KEY=VALUE, for example ppo.minutes=5")
        try:
            found[key.strip()] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise Refusal(f"--set {pair!r}: the value is no YAML") from None
    return found


def claim(folder: Path, config: dict[str, Any], free: tuple[str, ...]) -> None:
    """Make the folder this run's.

    Args:
        folder: of the run.
        config: what the run is.
        free: entries that may differ from those of the run that the folder holds.

    Raises:
        Refusal: it holds a run of another config, or can't be written.
    """
    place = folder / CONFIG
    text = json.dumps(config, indent=1) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.write_text(text, encoding="utf-8")
            return
        old = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refusal(f"--out: {str(folder)!r} can't be used ({error})") from error
    new = json.loads(text)
    if not isinstance(old, dict):
        raise Refusal(f"--out: {str(place)!r} is no config; take another folder")
    for name in sorted(new):
        if name not in free and old.get(name) != new[name]:
            was, wanted = _differing(old.get(name), new[name])
            raise Refusal(
                f"--out: {str(folder)!r} holds a run with {name} = {json.dumps(was)}, not "
                f"{json.dumps(wanted)}; take another folder"
            )


@contextmanager
def in_a_sentence(folder: Path) -> Iterator[None]:
    """What ends a run early, as one sentence: an interruption, a file that can't be gone on with.

    Raises:
        StoppedError: it was interrupted.
        Refusal: a checkpoint is broken or another version's.
    """
    from hakoenv.agents.policy.checkpoint import CheckpointError

    try:
        yield
    except CheckpointError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        raise StoppedError(folder) from None


def follow(trainer: Loop, title: str, console: Any) -> None:
    """Run a trainer with a progress bar; curves in between and at the end."""
    from hakoenv.experiments.training import curves
    from hakoenv.experiments.training.loop import METRICS
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    folder = trainer.folder
    columns = (
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", title=title, total=1.0)
        progress.update(bar, completed=trainer.share())

        def tell(at: Any) -> None:
            speed = at.figures["agent_steps_per_second"]
            words = f"iteration {at.iteration}, {speed:.0f} agent-steps/s"
            progress.update(bar, completed=at.share, description=words)
            for name, figures in at.figures.items():
                if name.startswith("against_"):
                    half = figures["half_width"]
                    console.print(
                        f"iteration {at.iteration}, {name.replace('_', ' ', 1)}: "
                        f"{figures['points']:.1f} ± {half:.1f} points, ahead in {100 * figures['ahead']:.0f}%"
                    )
                    curves.save_png(curves.read(folder / METRICS), folder / curves.PICTURE, title)

        trainer.run(tell)
    metrics = curves.read(folder / METRICS)
    if not curves.save_png(metrics, folder / curves.PICTURE, title):
        console.print("no curves: matplotlib is not installed (pip install 'hakoenv[report]')")
    curves.write_tensorboard(metrics, folder / "tensorboard")
    console.print(f"illegal actions sampled: {trainer.illegal} of {trainer.steps}")


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
