"""``hakoenv train``: imitate the rule AI, then improve by playing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
from hakoenv.experiments.training import runs

from hakoenv.cli.stop import Stop

CLONE = "clone.pt"
PART = "clone-part.pt"

_KEEP_SHARE = 0.02  # of the imitation: what an interruption may cost


@click.command()
@runs.config_options
@click.option("--out", metavar="FOLDER", default="runs/train", show_default=True, help="Where the run goes.")
@click.option("--clone", "only_clone", is_flag=True, help="Stop after the imitation.")
def train(file: str | None, pairs: tuple[str, ...], out: str, only_clone: bool) -> None:
    """Train a policy: imitation of the rule AI, then PPO over many worlds.

    The folder gets clone.pt and policy.pt (play them as policy:FOLDER/policy.pt), metrics.jsonl, curves.png
    and TensorBoard events. Ctrl-C stops after the step under way, a second one at once; the same command
    goes on.
    """
    runs.needed("torch", "train")
    from hakoenv.experiments.training.loop import POLICY
    from rich.console import Console

    from hakoenv.cli.warm import ensure

    config, folder = runs.settings(file, runs.changes(pairs)), Path(out)
    free = ("threads", "save_minutes", "rllib")
    console = Console(stderr=True)
    with runs.claimed(folder, "train", config.as_dict(), free), runs.in_a_sentence(folder):
        ensure()
        if (folder / CLONE).exists():
            network = _clone_of(folder, config)
        else:
            network = _imitate(config, folder, console)
        if not only_clone:
            _improve(config, network, folder, console)
    click.echo(str(folder / (CLONE if only_clone else POLICY)))


def _clone_of(folder: Path, config: Any) -> Any:
    """The clone that a folder holds.

    Raises:
        CheckpointError: it is broken, or one of other actions than the run's.
    """
    from hakoenv.agents.policy import checkpoint

    network, wanted = checkpoint.load(folder / CLONE), config.game.commands_per_turn
    if network.form.commands_per_turn != wanted:
        raise checkpoint.CheckpointError(
            f"{folder / CLONE}: gives {network.form.commands_per_turn} commands a turn, not the {wanted} of "
            "game.commands_per_turn; take another folder"
        )
    return network


def _imitate(config: Any, folder: Path, console: Any) -> Any:
    """Make the clone; what an interruption leaves is gone on with.

    Raises:
        StoppedError: a signal came; what was learnt is kept.
        CheckpointError: what an interruption has left is broken or another version's.
    """
    from hakoenv.agents.policy import checkpoint
    from hakoenv.experiments import clone
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    part = folder / PART
    network, goes_on, stopped = clone.new_network(config), part.exists(), False
    done = _take_over(part, network) if goes_on else 0.0
    columns = (TextColumn("imitation"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Stop() as stop, Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=1.0)
        stop.tell = lambda: progress.update(bar, description=runs.STOPPING)

        def tell(at: clone.Progress) -> bool:
            nonlocal done, stopped
            stopped = stop.signal is not None
            if stopped or at.share - done >= _KEEP_SHARE:
                checkpoint.save(part, network, done=at.share)
                done = at.share
            words = f"step {at.step}, loss {at.figures['loss']:.2f}"
            progress.update(bar, completed=at.share, description=words)
            return stopped

        begin = time.monotonic()
        learnt = clone.train(config, network, done, tell) > 0 or goes_on
        if not stopped:
            checkpoint.save(folder / CLONE, network)
            part.unlink(missing_ok=True)
    if stop.signal is not None:
        raise runs.StoppedError(folder, stop.signal)
    if learnt:
        console.print(f"imitation: {(time.monotonic() - begin) / 60:.1f} minutes")
    else:
        console.print("imitation: none, as clone.steps or clone.minutes is 0; the policy knows nothing yet")
    return network


def _take_over(part: Path, network: Any) -> float:
    """Make a network what an interruption has left of it; the share of the imitation that is done.

    Raises:
        CheckpointError: that is broken or another version's.
    """
    from hakoenv.agents.policy import checkpoint

    content = checkpoint.read(part)
    with checkpoint.fitting(part, "is of another version of hakoenv; take another folder"):
        network.load_state_dict(content["weights"])
        done = float(content["done"])
    return done


def _improve(config: Any, network: Any, folder: Path, console: Any) -> None:
    from hakoenv.experiments import ppo

    trainer = ppo.Trainer(config, network, folder)
    if (folder / ppo.RUN).exists():
        trainer.resume()
    runs.follow(trainer, f"PPO on {config.game.scenario}", console)
