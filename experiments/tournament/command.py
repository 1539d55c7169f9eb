"""``hakoenv tournament``, ``evaluate`` and ``fairness``: seasons of entrants, and what they tell."""

from __future__ import annotations

import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hakoenv.cli.pairs import as_overrides
from hakoenv.cli.refusal import Refusal, WholeNumber

if TYPE_CHECKING:
    from hakoenv.experiments.tournament.entrants import Entrant
    from hakoenv.experiments.tournament.folder import Folder
    from hakoenv.experiments.tournament.run import Records, Schedule, Stop
    from hakoenv.experiments.tournament.season import Job

_SEASONS = WholeNumber(1, 1_000_000, "a whole number of 1..1000000")
_SEED = WholeNumber(0, 2**61, "a whole number of 0..2**61")
_TURNS = WholeNumber(1, None, "a whole number of 1 or more")
_WORKERS = WholeNumber(0, 4096, "a whole number of 0..4096")
_LONGEST_TURN = 86_400.0  # a day
_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Positive(click.ParamType):
    """A number greater than 0, and no greater than `most`, refused by the option's name."""

    name = "X"

    def __init__(self, most: float = sys.float_info.max) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 < number <= self._most:
            option = "" if param is None else f"{param.opts[-1]}: "
            limit = f" and at most {self._most:g}" if self._most < sys.float_info.max else ""
            raise Refusal(f"{option}{value!r} is not a number greater than 0{limit}")
        return number


def _common(command: _Command) -> _Command:
    """The options that all commands have."""
    for option in reversed(
        (
            click.option("--seed", type=_SEED, default=0, show_default=True, metavar="FIRST",
                         help="Number of the first evaluation seed (2**62 + FIRST); the others follow."),
            click.option("--turns", type=_TURNS, default=None, help="Stop seasons after this turn."),
            click.option("--turn-seconds", type=_Positive(_LONGEST_TURN), default=10.0, show_default=True,
                         help="How long an entrant may take for a turn."),
            click.option("--rules", multiple=True, metavar="KEY=VALUE",
                         help="Change a constant; may be repeated."),
            click.option("--workers", type=_WORKERS, default=None,
                         help="Processes, on Ray; default one a core, 0 plays in this one."),
            click.option("--address", default=None, metavar="ADDR", help="Of a Ray cluster to play on."),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@click.option("--entrant", "names", multiple=True, required=True, metavar="NAME[=SPEC]",
              help="Who plays; twice or more. SPEC: rule_ai, llm:MODEL, module:function...")  # fmt: skip
@click.option("--scenario", default="skirmish", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seasons", type=_SEASONS, default=100, show_default=True, help="How many; one a seed.")
@click.option("--field", default="standard-1", show_default=True, help="Who sits where no entrant does.")
@click.option("--until", type=_Positive(), default=None, metavar="HALF_WIDTH",
              help="Stop once every 95% interval is this narrow, at most after --seasons.")  # fmt: skip
@click.option("--out", default="runs/tournament", show_default=True, metavar="FOLDER",
              help="Where seasons and results go; the same command continues there.")  # fmt: skip
@click.option("--parquet", is_flag=True, help="Write seasons.parquet, too.")
@_common
def tournament(**options: Any) -> None:
    """Let entrants play many seasons, each of them in every seat equally often, and rank them by points.

    Interrupt it at any time; the same command plays what is missing.
    """
    from hakoenv.experiments.tournament import results, seating, standings, tables
    from hakoenv.experiments.tournament.run import Schedule, Stop, stand_ins

    needs = ("choix", "pyarrow") if options["parquet"] else ("choix",)
    play = _Play(options, "tournament", options["names"], needs)
    names = [entrant.name for entrant in play.entrants]
    block = seating.block(len(names), play.seats)
    schedule = Schedule(
        partial(seating.latin, entrants=names, seats=play.seats, field=play.field.name), options["seed"]
    )
    half = options["until"]
    stop = (
        None if half is None else Stop(block, partial(standings.sure_enough, entrants=names, half_width=half))
    )
    with play.folder(options["out"]) as folder:
        records = play.run(schedule, options["seasons"], folder, stop)
        if len(records) % block:
            click.echo(
                f"{len(records)} seasons are no multiple of {block}: not all had every seat equally often",
                err=True,
            )
        if half is not None and not standings.sure_enough(records, names, half):
            click.echo(
                f"--until {half:g} is not met after {len(records)} seasons: give more --seasons", err=True
            )
        table = {
            **play.about,
            "seats": play.seats,
            "block": block,
            "until": half,
            "seeds": [schedule.task(0).seed, schedule.task(len(records) - 1).seed],
            "stand_ins": stand_ins(schedule, records),
            **standings.of(records, names, play.field.name),
        }
        written = results.write(folder, table, records, options["parquet"])
        folder.put("machine.json", json.dumps(play.machine(), indent=1) + "\n")
    if options["as_json"]:
        click.echo(json.dumps(table, ensure_ascii=False))
        return
    tables.show(table)
    for path in written:
        click.echo(path)


@click.command()
@click.argument("entrant")
@click.option("--against", required=True, metavar="NAME[=SPEC]", help="Whom it is compared with.")
@click.option("--scenario", default="duel", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seasons", type=_SEASONS, default=200, show_default=True, help="How many in all; two a seed.")
@click.option(
    "--field", default=None, help="Who has the other seats; default nobody in a duel, else standard-1."
)
@click.option("--out", default=None, metavar="FOLDER", help="Where seasons are kept, to be continued.")
@_common
def evaluate(**options: Any) -> None:
    """Compare two entrants in the same worlds: mean points, their difference and how sure it is.

    ENTRANT is NAME=SPEC or NAME, as for `hakoenv tournament`. In a duel they play each other, every seed
    twice with seats swapped; elsewhere, and with --field, both have the same seat of the same world among
    the field.
    """
    from hakoenv.experiments.tournament import evaluate as pairs
    from hakoenv.experiments.tournament import tables
    from hakoenv.experiments.tournament.run import stand_ins

    if options["seasons"] % 2:
        raise Refusal(
            f"--seasons: {options['seasons']} is odd; every seed is played twice, so give an even number"
        )
    play = _Play(options, "evaluate", (options["entrant"], options["against"]))
    first, second = (entrant.name for entrant in play.entrants)
    field = None if play.seats == 2 and options["field"] is None else play.field.name
    schedule = pairs.schedule(first, second, play.seats, field, options["seed"])
    with play.folder(options["out"]) as folder:
        records = play.run(schedule, options["seasons"], folder)
    found = {
        **play.about,
        "together": field is None,
        "stand_ins": stand_ins(schedule, records),
        **pairs.figures(records, first, second),
    }
    if options["as_json"]:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        tables.show_pair(found)


@click.command()
@click.argument("agent")
@click.option("--scenario", default="skirmish", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seasons", type=_SEASONS, default=400, show_default=True, help="How many; one a seed.")
@click.option("--out", default=None, metavar="FOLDER", help="Where seasons are kept, to be continued.")
@_common
def fairness(**options: Any) -> None:
    """Test whether seats are fair: one AGENT in all of them, one permutation test over all seats."""
    from hakoenv.experiments.tournament import fairness as seats
    from hakoenv.experiments.tournament import tables
    from hakoenv.experiments.tournament.run import Schedule, stand_ins

    play = _Play(options, "fairness", (options["agent"],))
    row = (play.entrants[0].name,) * play.seats
    schedule = Schedule(lambda number: row, options["seed"])
    with play.folder(options["out"]) as folder:
        records = play.run(schedule, options["seasons"], folder)
    found = {**play.about, "stand_ins": stand_ins(schedule, records), **seats.figures(records)}
    if options["as_json"]:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        tables.show_seats(found)


class _Play:
    """What a command plays, checked before anything is compiled or made.

    Attributes:
        entrants: who.
        field: who has the other seats.
        seats: of the scenario.
        about: what decides the seasons; a run's folder and its results carry it.
    """

    def __init__(
        self, options: dict[str, Any], kind: str, names: tuple[str, ...], needs: tuple[str, ...] = ()
    ) -> None:
        from hakoenv.experiments.tournament import entrants, extras, fields, season

        from hakoenv.engine.season import check

        self._options, self._began, self._fresh = options, time.perf_counter(), 0
        with _refusing(), redirect_stdout(sys.stderr):  # modules of entrants may print
            for module in needs:
                extras.require(module)
            self.field = fields.get(options.get("field") or fields.STANDARD)
            rules = as_overrides(options["rules"])
            ruleset = check(options["scenario"], 0, rules=rules, rules_source="--rules").ruleset
            self.seats = ruleset.nations
            self._points = float(ruleset.rules.scalars["season_standing_points_total"][0])
            self.entrants: list[Entrant] = entrants.parse(
                names, (self.field.name,), least=1 if kind == "fairness" else 2
            )
            count = options["workers"]
            self._workers = (os.cpu_count() or 1) if count is None else count
            if options["address"] is not None and self._workers == 0:
                raise Refusal("--address can't be given with --workers 0, which plays in this process")
            if self._workers:
                extras.require("ray", "--workers 0 plays without it, in this process")
        self._job: Job = season.Job(
            options["scenario"],
            ruleset.overrides,
            tuple(self.entrants),
            self.field,
            options["turns"],
            options["turn_seconds"],
        )
        self.about: dict[str, Any] = {
            "kind": kind,
            "scenario": options["scenario"],
            "rules_version": ruleset.version,
            "ruleset": ruleset.digest,
            "overrides": ruleset.overrides,
            "entrants": [entrant._asdict() for entrant in self.entrants],
            "field": {"name": self.field.name, "driver": self.field.driver},
            "seed": options["seed"],
            "turns": options["turns"],
            "turn_seconds": options["turn_seconds"],
        }

    @contextmanager
    def folder(self, path: str | None) -> Iterator[Any]:
        """The run's folder; None where nothing is kept."""
        from hakoenv.experiments.tournament.folder import Folder

        if path is None:
            yield None
            return
        with _refusing(), Folder(path, self.about, self._points) as folder:
            yield folder

    def run(self, schedule: Schedule, count: int, folder: Folder | None, stop: Stop | None = None) -> Records:
        """Play what is missing, with a bar on stderr."""
        from hakoenv.experiments.tournament import run, workers
        from rich import progress as bars
        from rich.console import Console

        from hakoenv.cli.warm import ensure

        ensure()
        place = None if folder is None else folder.path
        console = Console(stderr=True)
        done = 0
        with (
            _refusing(),
            redirect_stdout(sys.stderr),  # what entrants print is no result
            bars.Progress(
                bars.TextColumn("seasons"),
                bars.BarColumn(),
                bars.MofNCompleteColumn(),
                bars.TimeElapsedColumn(),
                bars.TimeRemainingColumn(),
                console=console,
                transient=True,
                disable=self._options["as_json"] or not console.is_terminal,
            ) as bar,
        ):
            shown = bar.add_task("seasons", total=count)

            def watch(there: int, fresh: int) -> None:
                nonlocal done
                done, self._fresh = there, fresh
                bar.update(shown, completed=there)

            crew = (
                workers.on_ray(self._workers, self._options["address"], place)
                if self._workers
                else workers.here
            )
            try:
                return run.play(self._job, schedule, count, crew, folder, stop, watch)
            except KeyboardInterrupt:
                bar.stop()
                again = "the same command continues" if folder is not None else "nothing was kept: give --out"
                click.echo(f"stopped after {done} of {count} seasons; {again}", err=True)
                raise

    def machine(self) -> dict[str, Any]:
        """On what, and how fast, it was played: no part of the results."""
        seconds = time.perf_counter() - self._began
        return {
            "workers": self._workers,
            "address": self._options["address"],
            "processors": os.cpu_count(),
            "platform": platform.platform(),
            "python": platform.python_version(),
            "seasons_played_now": self._fresh,
            "seconds": round(seconds, 3),
        }


@contextmanager
def _refusing() -> Iterator[None]:
    """What a user got wrong becomes one sentence and exit code 2; worker processes that fail, code 1."""
    from hakoenv.experiments.tournament.entrants import EntrantError
    from hakoenv.experiments.tournament.extras import MissingError
    from hakoenv.experiments.tournament.fields import FieldError
    from hakoenv.experiments.tournament.folder import FolderError
    from hakoenv.experiments.tournament.workers import AddressError, WorkerError

    from hakoenv.controllers import ControllerError
    from hakoenv.engine.mapgen import ScenarioError
    from hakoenv.engine.season import SeasonError
    from hakoenv.ruleset import RulesetError

    wrong = (AddressError, ControllerError, EntrantError, FieldError, FolderError, MissingError, RulesetError)
    try:
        yield
    except (*wrong, ScenarioError, SeasonError) as error:
        raise Refusal(str(error)) from error
    except WorkerError as error:
        raise click.ClickException(str(error)) from error
