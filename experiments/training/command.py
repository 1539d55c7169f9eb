"""``hakoenv train``: imitate the rule AI, then improve by playing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
from hakoenv.experiments.training import runs

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
    and TensorBoard events. Ctrl-C stops after the step under way; the same command goes on.
    """
    runs.needed("torch", "train")
    from hakoenv.agents.policy import checkpoint
    from hakoenv.experiments.training.loop import POLICY
    from rich.console import Console

    from hakoenv.cli.warm import ensure

    config, folder = runs.settings(file, runs.changes(pairs)), Path(out)
    runs.claim(folder, config.as_dict(), ("threads", "rllib"))
    ensure()
    console = Console(stderr=True)
    with runs.in_a_sentence(folder):
        if (folder / CLONE).exists():
            network = checkpoint.load(folder / CLONE)
        else:
            network = _imitate(config, folder, console)
        if not only_clone:
            _improve(config, network, folder, console)
    click.echo(str(folder / (CLONE if only_clone else POLICY)))


def _imitate(config: Any, folder: Path, console: Any) -> Any:
    """Make the clone; what an interruption leaves is gone on with."""
    from hakoenv.agents.policy import checkpoint
    from hakoenv.experiments import clone
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    part = folder / PART
    network, done = clone.new_network(config), 0.0
    if part.exists():
        content = checkpoint.read(part)
        network.load_state_dict(content["weights"])
        done = float(content["done"])
    columns = (TextColumn("imitation"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=1.0)

        def tell(at: clone.Progress) -> None:
            nonlocal done
            if at.share - done >= _KEEP_SHARE:
                checkpoint.save(part, network, done=at.share)
                done = at.share
            words = f"step {at.step}, loss {at.figures['loss']:.2f}"
            progress.update(bar, completed=at.share, description=words)

        begin = time.monotonic()
        clone.train(config, network, done, tell)
    checkpoint.save(folder / CLONE, network)
    part.unlink(missing_ok=True)
    console.print(f"imitation: {(time.monotonic() - begin) / 60:.1f} minutes")
    return network


def _improve(config: Any, network: Any, folder: Path, console: Any) -> None:
    from hakoenv.experiments import ppo

    trainer = ppo.Trainer(config, network, folder)
    if (folder / ppo.RUN).exists():
        trainer.resume()
    runs.follow(trainer, f"PPO on {config.game.scenario}", console)
