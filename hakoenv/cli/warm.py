"""``hakoenv warm``: compile the engine ahead of time."""

from __future__ import annotations

import time

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@click.command()
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes; default one a core.")
@click.option("--force", is_flag=True, help="Compile even when compiled code lies ready.")
def warm(workers: int | None, force: bool) -> None:
    """Compile the rules once for this machine (some minutes), so that later starts take a second."""
    if not force:
        from hakoenv.engine.warm import is_warm

        if is_warm():
            click.echo("compiled code is up to date", err=True)
            return
    compile_with_progress(workers)


def ensure() -> None:
    """Compile with a progress bar if compiled code is missing or stale; else do nothing."""
    from hakoenv.engine.warm import is_warm

    if not is_warm():
        compile_with_progress(None)


def compile_with_progress(workers: int | None) -> None:
    """Compile everything, showing on stderr what is happening and for how long."""
    from hakoenv.engine.warm import compile_all

    console = Console(stderr=True)
    console.print("compiling the rules, once for this machine: two minutes or more on two cores")
    started = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("compiling", total=None)
        for done, total, name in compile_all(workers):
            progress.update(bar, completed=done, total=total + 1, description=f"compiling ({name})")
        progress.update(bar, description="compiling (environment)")
        _step_an_environment()
        progress.advance(bar)
    console.print(f"compiled in {time.perf_counter() - started:.0f} s")


def _step_an_environment() -> None:
    """Observe, sample and act once, so that the kernels of the environments are compiled too."""
    import hakoenv
    from hakoenv.envs import FlatCommands, NationEnv

    env = hakoenv.parallel_env("duel", controllers={"nation_1": "random"})
    observations, _ = env.reset(seed=0)
    env.step(
        {agent: env.action_space(agent).sample(seen["action_mask"]) for agent, seen in observations.items()}
    )
    many = hakoenv.vec("duel", 2, controllers={"nation_1": "rule_ai"})
    many.reset(seed=0)
    many.step(many.sample_legal())
    FlatCommands(NationEnv("duel", one_at_a_time=True)).reset(seed=0)
