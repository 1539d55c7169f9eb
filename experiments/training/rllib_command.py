"""``hakoenv train-rllib``: the policy of ``hakoenv train``, improved by RLlib."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import click
from hakoenv.experiments.training import runs

from hakoenv.cli.refusal import Refusal, WholeNumber

_ITERATIONS = WholeNumber(1, None, "a whole number of 1 or more")
_FREE = ("threads", "save_minutes", "clone", "league")  # of the way it runs, or not read by this trainer


@click.command("train-rllib")
@runs.config_options
@click.option(
    "--out", metavar="FOLDER", default="runs/train-rllib", show_default=True, help="Where the run goes."
)
@click.option("--clone", "start", metavar="FILE", default=None, help="Start from this policy; default: none.")
@click.option(
    "--against",
    metavar="CONTROLLER",
    default=None,
    help="Who has all seats but the first, rule_ai for example; default: the policy has all.",
)
@click.option("--iterations", type=_ITERATIONS, default=None, help="Stop after so many.")
@click.option("--minutes", metavar="X", default=None, help="Stop after this time.")
def train_rllib(
    file: str | None,
    pairs: tuple[str, ...],
    out: str,
    start: str | None,
    against: str | None,
    iterations: int | None,
    minutes: str | None,
) -> None:
    """Train a policy with PPO of RLlib, from a clone of the rule AI or from nothing.

    The folder gets policy.pt (play it as policy:FOLDER/policy.pt), RLlib's own checkpoint, metrics.jsonl,
    curves.png and TensorBoard events. Ctrl-C stops after the step under way, a second one at once; the same
    command goes on.
    """
    runs.needed("torch", "rllib")
    runs.needed("ray", "rllib")
    from hakoenv.experiments.training.loop import POLICY
    from rich.console import Console

    from hakoenv.cli.warm import ensure

    if minutes is not None:
        _check_minutes(minutes)
    options = {"rllib.against": against, "ppo.iterations": iterations, "ppo.minutes": minutes}
    given = {name: value for name, value in options.items() if value is not None}
    config, folder = runs.settings(file, runs.changes(pairs) | given), Path(out)
    _check_opponent(config)
    if start is not None:
        _check_start(start, config)
    _check_same_start(folder, start)
    started = config.as_dict() | {"start": _digest(start)}
    console = Console(stderr=True)
    with runs.claimed(folder, "train-rllib", started, _FREE), runs.in_a_sentence(folder):
        ensure()
        if start is not None:
            _copy(Path(start), folder)
        _improve(config, folder, console)
    click.echo(str(folder / POLICY))


def _improve(config: Any, folder: Path, console: Any) -> None:
    from hakoenv.experiments import local_ray, train_rllib

    try:
        with local_ray.watched(), train_rllib.ray_for(config, folder):
            trainer = train_rllib.Trainer(config, folder)
            try:
                runs.follow(trainer, f"RLlib's PPO on {config.game.scenario}", console)
            finally:
                trainer.stop()
    except local_ray.StartError as error:
        raise Refusal(f"Ray does not start ({error}); hakoenv train does without it") from error
    except local_ray.LostError as error:
        raise click.ClickException(
            f"Ray has failed ({error}); the same command goes on with what is in {folder}"
        ) from error


def _check_opponent(config: Any) -> None:
    """See that the seats' controller is there, and can play beside a policy that learns.

    Raises:
        Refusal: it is not, or can't.
    """
    from hakoenv import controllers

    against = config.rllib.against
    if not against:
        return
    if against == controllers.EXTERNAL:
        raise Refusal("--against: nobody can give the plans of an external nation here")
    try:
        driver = controllers.get(against)
    except controllers.ControllerError as error:
        raise Refusal(f"--against: {error}") from error
    if hasattr(driver, "begin"):
        raise Refusal(f"--against: {against} needs a season of its own; take rule_ai, random or policy:PATH")


def _check_minutes(minutes: str) -> None:
    """See that a time is one, by the name of its option.

    Raises:
        Refusal: it is none.
    """
    from hakoenv.experiments.training import config as configs

    try:
        configs.number(minutes, "--minutes")
    except configs.ConfigError as error:
        raise Refusal(str(error)) from error


def _check_start(start: str, config: Any) -> None:
    """See that the run can start from a policy.

    Raises:
        Refusal: it is none, or one of other actions.
    """
    from hakoenv.agents.policy import checkpoint

    try:
        form = checkpoint.load(start).form
    except checkpoint.CheckpointError as error:
        raise Refusal(f"--clone: {error}") from error
    if form.commands_per_turn != config.game.commands_per_turn:
        raise Refusal(
            f"--clone: {start!r} gives {form.commands_per_turn} commands a turn; use --set "
            f"game.commands_per_turn={form.commands_per_turn}"
        )


def _check_same_start(folder: Path, start: str | None) -> None:
    """See that a run that is gone on with started from the same policy.

    Raises:
        Refusal: it did not.
    """
    held = runs.held(folder, "train-rllib")
    if held is None or held.get("start") == _digest(start):
        return
    run, way_out = f"--clone: the run in {str(folder)!r}", "or take another folder with --out"
    if held.get("start") is None:
        raise Refusal(f"{run} started from nothing, not from {start!r}; leave --clone out, {way_out}")
    from hakoenv.experiments.train_rllib import CLONE

    other = "a policy" if start is None else f"another policy than {start!r}"
    raise Refusal(f"{run} started from {other}; give its copy, {str(folder / CLONE)!r}, {way_out}")


def _digest(start: str | None) -> str | None:
    """What tells one policy file from another, None for none."""
    return None if start is None else hashlib.sha256(Path(start).read_bytes()).hexdigest()[:16]


def _copy(start: Path, folder: Path) -> None:
    """Keep the policy that a run starts from, so that it can go on without the file."""
    from hakoenv.experiments.train_rllib import CLONE

    part = folder / f".{CLONE}"
    shutil.copyfile(start, part)
    os.replace(part, folder / CLONE)
