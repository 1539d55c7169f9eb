"""``hakoenv season``: play a season, watch it, keep it, continue it."""

from __future__ import annotations

import difflib
import json
import os
import shlex
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from hakoenv.cli.models import Models, is_model, print_reports
from hakoenv.cli.pairs import as_overrides
from hakoenv.cli.refusal import Refusal, WholeNumber
from hakoenv.cli.stop import Stop

if TYPE_CHECKING:
    from hakoenv.engine.season import Season, Setup

_DECIDED_BY_SAVE = ("scenario", "seed", "agents", "nations", "rules", "rules_file")
_PLACES = ("rules_file", "out", "save", "resume", "llm_config", "transcript", "replay_transcript")
_SAVE, _MESSAGES = "season.save", "messages.jsonl"
_COUNT = WholeNumber(None, None, "a whole number")
_LIMIT = WholeNumber(1, None, "a whole number of 1 or more")
_SEED = WholeNumber(0, 2**64 - 1, "a whole number of 0..2**64-1")


@click.command()
@click.option(
    "--scenario",
    default="season",
    show_default=True,
    metavar="[duel|skirmish|season|grand]",
    help="Size and length of the game.",
)
@click.option("--seed", type=_SEED, default=0, show_default=True, help="Decides map, weather and every draw.")
@click.option(
    "--agents",
    default="rule_ai",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="A controller for all nations, or one each: rule_ai, random, idle, llm, policy, or one of an "
    "installed package. llm:MODEL names the model, policy:PATH the checkpoint.",
)
@click.option("--nations", type=_COUNT, default=None, help="How many; default the scenario's.")
@click.option(
    "--rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a constant; may be repeated. `hakoenv rules --constants` lists the keys.",
)
@click.option(
    "--rules-file",
    metavar="FILE",
    default=None,
    help="A TOML file of changed constants, a line each: mine.level_max = 5. --rules wins over it.",
)
@click.option("--turns", type=_LIMIT, default=None, help="Stop after this turn (1 or more).")
@click.option(
    "--out", metavar="FOLDER", default=None, help="Where map, curves, result and save go at the end."
)
@click.option(
    "--save",
    metavar="FILE|FOLDER",
    default=None,
    help="Save every turn: a file, or a folder of backups. (--out saves too, once, at the end.)",
)
@click.option(
    "--resume", metavar="FILE|FOLDER", default=None, help="Continue a save, or the newest of a folder."
)
@click.option(
    "--audit", is_flag=True, help="Check after every turn that each stock is its opening and what was booked."
)
@click.option(
    "--llm-config",
    metavar="FILE",
    default=None,
    help="Endpoint, settings, budgets and prices of language models: a TOML file without keys (docs/llm.md).",
)
@click.option(
    "--transcript",
    metavar="FILE",
    default=None,
    help="Where what models are asked and answer is kept; default beside --save, or in --out.",
)
@click.option(
    "--replay-transcript",
    metavar="FILE",
    default=None,
    help="Take the models' answers from a transcript, without any network.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def season(context: click.Context, /, **options: Any) -> None:
    """Play a season to its end and show who won.

    Progress goes to stderr, the result to stdout. Ctrl-C and --turns stop after a turn; with --save or
    --out the season can then be continued with --resume.
    """
    for name in _PLACES:
        if options[name] == "":
            raise Refusal(f"{_option(name)} is empty: name a file or folder, or leave it out")
    out = None if options["out"] is None else _made_folder("--out", Path(options["out"]))
    models = Models(options)
    resumed = None if options["resume"] is None else _resumed(context, options, models)
    setup = _checked(options, models) if resumed is None else None
    if options["save"] is not None:
        _made_folder("--save", Path(options["save"]).parent)
    from hakoenv.cli.warm import ensure

    ensure()
    with Stop() as stop:
        game, source = (
            (_new(setup, options["audit"]), None)
            if setup is not None
            else cast("tuple[Season, Path]", resumed)
        )
        _start_saving(game, options, source)
        stop.tell = game.stop_planning
        seconds, speed = _play(game, options["turns"], stop, quiet=options["as_json"])
    result = {
        **game.result(),
        "seconds": round(seconds, 6),
        "turns_per_second": round(speed, 3),
        "interrupted": stop.signal is not None,
        **({} if game.audit is None else {"audited_turns": game.audit.turns}),
        **({"llm": models.reports()} if models.reports() else {}),
    }
    written = [*_write_files(game, result, out), *models.written]
    if options["as_json"]:
        click.echo(json.dumps(result))
    else:
        from hakoenv.cli.season_table import print_result

        print_result(game, result, written)
        if "llm" in result:
            print_reports(result["llm"])
        if game.audit is not None:
            click.echo(f"the books of {game.audit.turns} turns add up", err=True)
    if stop.signal is not None or (not game.ended and (options["save"] or out)):
        click.echo(_how_to_resume(game, options, out), err=True)
    if stop.signal is not None:
        context.exit(128 + stop.signal)


@contextmanager
def _refusing() -> Iterator[None]:
    """What a user can get wrong becomes one sentence and exit code 2; a failed audit one and exit code 1."""
    from hakoenv.controllers import ControllerError
    from hakoenv.engine.audit import AuditError
    from hakoenv.engine.mapgen import ScenarioError
    from hakoenv.engine.save import SaveError
    from hakoenv.engine.season import SeasonError
    from hakoenv.ruleset import RulesetError

    try:
        yield
    except (ControllerError, ScenarioError, SaveError, SeasonError, RulesetError) as error:
        raise Refusal(str(error)) from error
    except AuditError as error:
        raise click.ClickException(f"--audit: {error}") from error


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _checked(options: Mapping[str, Any], models: Models) -> Setup:
    """What a new season is made from, refused before anything is compiled or made."""
    names = _agents(options["agents"])
    models.check(names)
    with _refusing():
        from hakoenv.engine.season import check

        agents = models.drivers(names)
        return check(
            options["scenario"],
            options["seed"],
            rules=as_overrides(options["rules"]),
            ruleset_file=options["rules_file"],
            agents=agents[0] if len(agents) == 1 else agents,
            nations=options["nations"],
            rules_source="--rules",
        )


def _agents(text: str) -> list[str]:
    """The controllers of ``--agents``: any but `external`, whose plans nobody can give here."""
    from hakoenv import controllers

    known = [name for name in controllers.names() if name != controllers.EXTERNAL]
    agents = [name.strip() for name in text.split(",")]
    if controllers.EXTERNAL in agents:
        raise Refusal(f"--agents: nobody can give the plans of external nations here; use {_or(known)}")
    for name in agents:
        if name.partition(":")[0] not in known and not is_model(name):
            near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
            hint = f"did you mean {_or(near)}? " if near else ""
            raise Refusal(f"--agents: unknown controller {name!r}; {hint}there are {', '.join(known)}")
    return agents


def _or(words: list[str]) -> str:
    return ", ".join(words[:-1]) + " or " * (len(words) > 1) + words[-1]


def _new(setup: Setup, audit: bool) -> Season:
    with _refusing():
        from hakoenv.engine.season import Season

        return Season.start(setup, keep_all_statistics=True, audit=audit)


def _resumed(context: click.Context, options: Mapping[str, Any], models: Models) -> tuple[Season, Path]:
    for name in _DECIDED_BY_SAVE:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise Refusal(f"{_option(name)} can't be given with --resume: the save decides it")
    from hakoenv.controllers import EXTERNAL

    with _refusing():
        from hakoenv.engine.season import Season

        game, report = Season.load(options["resume"], audit=options["audit"])
        models.check(game.controllers)
        models.take_over(game)
    turns = options["turns"]
    if turns is not None and turns <= game.turn:
        raise Refusal(f"--turns: {turns} is over, {report.path} stands at turn {game.turn}; give a later one")
    if EXTERNAL in game.controllers:
        seat = game.controllers.index(EXTERNAL)
        raise Refusal(
            f"{report.path}: nation {seat} is external, and nobody can give its plans here; use Python"
        )
    if report.refused or not options["as_json"]:
        click.echo(str(report), err=True)
    return game, report.path


def _start_saving(game: Season, options: Mapping[str, Any], resumed: Path | None) -> None:
    if options["save"] is None:
        return
    own = [] if resumed is None else [resumed.resolve(), resumed.resolve().parent]
    with _refusing():
        game.save_every_turn(options["save"], continues=Path(options["save"]).resolve() in own)


def _play(game: Season, until: int | None, stop: Stop, quiet: bool) -> tuple[float, float]:
    """Play on; the seconds it took, and turns a second (see `Pace`)."""
    from hakoenv.cli.season_table import Pace, Progress
    from hakoenv.controllers import StoppedError

    pace = Pace()
    with Progress(game, until, quiet) as progress, _refusing():
        started = time.perf_counter()

        def after_turn(_: Season) -> bool:
            pace.note(game.turn)
            progress.show(game, pace.rate)
            return stop.signal is not None

        with suppress(StoppedError):  # within a turn, which is then not played
            if stop.signal is None:
                game.run(until, after_turn)
        return time.perf_counter() - started, pace.rate


def _write_files(game: Season, result: Mapping[str, Any], out: Path | None) -> list[str]:
    """Map, curves, result, messages and save in the folder; what was written, a sentence for what was not."""
    if out is None:
        return []
    from hakoenv.render.curves import save_curves_png
    from hakoenv.render.map_image import save_map_png

    written = [_SAVE, "map.png", "result.json"]
    title = f"{game.ruleset.scenario}, seed {game.seed}, turn {game.turn}"
    with _refusing():
        try:
            game.save(out / _SAVE)
            text = json.dumps(result, ensure_ascii=False, indent=1)
            (out / "result.json").write_text(text + "\n", encoding="utf-8")
            if game.board.turns:
                said = [json.dumps(line, ensure_ascii=False) for line in game.board.lines()]
                (out / _MESSAGES).write_text("\n".join(said) + "\n", encoding="utf-8")
                written.append(_MESSAGES)
            save_map_png(game.world, game.rules, out / "map.png", names=game.names, title=title)
            if save_curves_png(game.statistics, out / "curves.png", names=game.names, title=title):
                written.append("curves.png")
            else:
                click.echo("no curves.png: matplotlib is missing (pip install hakoenv[report])", err=True)
        except OSError as error:
            raise Refusal(f"{out}: can't be written ({error.strerror})") from error
    return [str(out / name) for name in written]


def _how_to_resume(game: Season, options: Mapping[str, Any], out: Path | None) -> str:
    """One sentence on where the season stands and how it goes on."""
    place = options["save"] or (out and str(out / _SAVE))
    stopped = f"stopped after turn {game.turn}"
    if not place:
        return f"{stopped}; nothing was saved (give --save or --out to be able to resume)"
    ahead = options["turns"] is not None and game.turn < options["turns"]
    again = ("save", "out", "llm_config", "transcript", "replay_transcript")
    kept = [name for name in again if options[name] is not None]
    kept += ["turns"] * ahead
    words = ["hakoenv", "season", "--resume", place] + ["--audit"] * options["audit"]
    for name in kept:
        words += [_option(name), str(options[name])]
    return f"{stopped}; continue with: {shlex.join(words)}"


def _made_folder(option: str, folder: Path) -> Path:
    """A folder for output, made and seen to be writable before anything is played."""
    for place in (folder, *folder.parents):
        if os.path.exists(place) and not os.path.isdir(place):
            raise Refusal(f"{option}: {place} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise Refusal(f"{option}: {folder} can't be written ({error.strerror})") from error
