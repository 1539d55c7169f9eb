"""``hakoenv train``: imitate the rule AI, then improve by playing."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from hakoenv.cli.refusal import Refusal

CLONE = "clone.pt"
PART = "clone-part.pt"
CONFIG = "config.json"


@click.command()
@click.option(
    "--config", "file", metavar="FILE", default=None, help="YAML; default: experiments/training/duel.yaml."
)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Change an entry: ppo.minutes=5.")
@click.option("--out", metavar="FOLDER", default="runs/train", show_default=True, help="Where the run goes.")
@click.option("--clone", "only_clone", is_flag=True, help="Stop after the imitation.")
def train(file: str | None, pairs: tuple[str, ...], out: str, only_clone: bool) -> None:
    """Train a policy: imitation of the rule AI, then PPO over many worlds.

    The folder gets clone.pt and policy.pt (play them as policy:FOLDER/policy.pt), metrics.jsonl, curves.png
    and TensorBoard events. Ctrl-C stops after the step under way; the same command goes on.
    """
    try:
        import torch  # noqa: F401
        import yaml  # noqa: F401
    except ModuleNotFoundError as error:
        raise Refusal(f"training needs {error.name}: pip install 'hakoenv[train]'") from error
    from hakoenv.agents.policy import checkpoint
    from hakoenv.experiments.training import config as configs
    from rich.console import Console

    from hakoenv.cli.warm import ensure

    try:
        config = configs.load(file, _changes(pairs))
    except configs.ConfigError as error:
        raise Refusal(str(error)) from error
    folder = Path(out)
    _claim(folder, config.as_dict())
    ensure()
    console = Console(stderr=True)
    try:
        if (folder / CLONE).exists():
            network = checkpoint.load(folder / CLONE)
        else:
            network = _imitate(config, folder, console)
        if not only_clone:
            _improve(config, network, folder, console)
    except checkpoint.CheckpointError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        raise Refusal(f"stopped; the same command goes on with what is in {folder}") from None
    click.echo(str(folder / (CLONE if only_clone else "policy.pt")))


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
            done = at.share
            words = f"step {at.step}, loss {at.figures['loss']:.2f}"
            progress.update(bar, completed=at.share, description=words)

        begin = time.monotonic()
        try:
            clone.train(config, network, done, tell)
        except KeyboardInterrupt:
            checkpoint.save(part, network, done=done)
            raise
    checkpoint.save(folder / CLONE, network)
    part.unlink(missing_ok=True)
    console.print(f"imitation: {(time.monotonic() - begin) / 60:.1f} minutes")
    return network


def _improve(config: Any, network: Any, folder: Path, console: Any) -> None:
    from hakoenv.experiments import ppo
    from hakoenv.experiments.training import curves
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    trainer = ppo.Trainer(config, network, folder)
    if (folder / ppo.RUN).exists():
        trainer.resume()
    columns = (TextColumn("PPO"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    title = f"PPO on {config.game.scenario}"
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=1.0, completed=trainer.share())

        def tell(at: ppo.Progress) -> None:
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
                    curves.save_png(curves.read(folder / ppo.METRICS), folder / curves.PICTURE, title)

        trainer.run(tell)
    metrics = curves.read(folder / ppo.METRICS)
    if not curves.save_png(metrics, folder / curves.PICTURE, title):
        console.print("no curves: matplotlib is not installed (pip install 'hakoenv[report]')")
    curves.write_tensorboard(metrics, folder / "tensorboard")
    console.print(f"illegal actions sampled: {trainer.illegal} of {trainer.steps}")


def _changes(pairs: tuple[str, ...]) -> dict[str, Any]:
    """``KEY=VALUE`` as entries of the config; a value is YAML."""
    import yaml

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


def _claim(folder: Path, config: dict[str, Any]) -> None:
    """Make the folder this run's.

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
    for name in sorted(new):
        if name != "threads" and old.get(name) != new[name]:
            raise Refusal(
                f"--out: {str(folder)!r} holds a run with {name} = {json.dumps(old.get(name))}, not "
                f"{json.dumps(new[name])}; take another folder"
            )
