"""``hakoenv trajectories``: seasons of controllers as arrays, for imitation and analysis."""

from __future__ import annotations

import os.path
import time

import click

from hakoenv.cli.pairs import as_overrides
from hakoenv.cli.refusal import Refusal, WholeNumber

_COUNT = WholeNumber(1, 1_000_000, "a whole number of 1..1000000")
_WORLDS = WholeNumber(1, 4096, "a whole number of 1..4096")
_COMMANDS = WholeNumber(1, 50, "a whole number of 1..50")
_SEED = WholeNumber(0, 2**61, "a whole number of 0..2**61")
_TURNS = WholeNumber(1, None, "a whole number of 1 or more")


class _StoppedError(click.ClickException):
    """The export was interrupted; nothing is wrong."""

    exit_code = 130


@click.command()
@click.option("--scenario", default="duel", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seasons", type=_COUNT, default=100, show_default=True, help="How many; one a seed.")
@click.option("--agents", default="rule_ai", show_default=True, metavar="NAME[,NAME...]",
              help="A controller for all nations, or one each: rule_ai, policy:PATH...")  # fmt: skip
@click.option("--seed", type=_SEED, default=0, show_default=True, metavar="FIRST",
              help="The first training seed; the others follow.")  # fmt: skip
@click.option("--out", default="runs/trajectories", show_default=True, metavar="FOLDER",
              help="Where seasons go; those that are there are not played again.")  # fmt: skip
@click.option("--pieces", default=None, metavar="NAME[,NAME...]",
              help="Of the observations; default what policy:PATH reads.")  # fmt: skip
@click.option("--commands", default="all", show_default=True, metavar="NAME[,NAME...]",
              help="Verbs of the actions: groups, commands or verbs.")  # fmt: skip
@click.option("--commands-per-turn", type=_COMMANDS, default=8, show_default=True,
              help="Commands in an action.")  # fmt: skip
@click.option("--turns", type=_TURNS, default=None, help="Stop seasons after this turn.")
@click.option("--rules", multiple=True, metavar="KEY=VALUE", help="Change a constant; may be repeated.")
@click.option("--worlds", type=_WORLDS, default=None,
              help="Seasons played at once; default as many as take a GB of memory, at most 32.")  # fmt: skip
@click.option(
    "--parquet", is_flag=True, help="Write steps.parquet, too: a row a nation and turn, without maps."
)
def trajectories(
    scenario: str,
    seasons: int,
    agents: str,
    seed: int,
    out: str,
    pieces: str | None,
    commands: str,
    commands_per_turn: int,
    turns: int | None,
    rules: tuple[str, ...],
    worlds: int | None,
    parquet: bool,
) -> None:
    """Play seasons and keep what every nation saw, did and got in every turn, a file a season.

    `hakoenv.experiments.training.trajectories.load` reads the folder. Interrupt it at any time; the same
    command plays what is missing.
    """
    from importlib.util import find_spec

    from hakoenv.experiments.training import trajectories as files
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from hakoenv.cli.warm import ensure

    if parquet and find_spec("pyarrow") is None:
        raise Refusal("--parquet: pyarrow is not installed: pip install 'hakoenv[parquet]'")
    wish = files.Wish(
        scenario,
        _agents(agents),
        files.READ if pieces is None else _names(pieces),
        _names(commands),
        commands_per_turn,
        as_overrides(rules),
        turns,
        worlds,
    )
    ensure()
    columns = (TextColumn("seasons"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    bar = progress.add_task("", total=seasons)

    def tell(there: int) -> None:
        progress.start()  # now that nothing can be refused any more
        progress.update(bar, completed=there)

    begin = time.perf_counter()
    try:
        try:
            done = files.export(out, wish, seasons, seed, tell)
        finally:
            if progress.live.is_started:
                progress.stop()
        took = time.perf_counter() - begin
        written = files.write_parquet(out) if parquet else None
    except ValueError as error:
        raise Refusal(str(error)) from error
    except KeyboardInterrupt:
        raise _StoppedError(f"stopped; the same command goes on with what is in {out}") from None
    click.echo(
        f"{done.seasons} seasons in {out}, {done.played} of them played now: "
        f"{done.played / took:.2f} seasons/s, {done.agent_steps / took:.0f} agent-steps/s"
    )
    if written is not None:
        click.echo(str(written))


def _agents(text: str) -> tuple[str, ...]:
    """Names of controllers; a comma in the path of a file that is there parts none."""
    parts, found = text.split(","), list[str]()
    while parts:
        ends = range(len(parts), 1, -1) if ":" in parts[0] else ()
        end = next((n for n in ends if os.path.exists(",".join(parts[:n]).partition(":")[2])), 1)
        found.append(",".join(parts[:end]).strip())
        del parts[:end]
    return tuple(name for name in found if name)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
