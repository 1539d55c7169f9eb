"""``hakoenv season``: play a season, watch it, keep it, continue it."""

from __future__ import annotations

import json
import shlex
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from hakoenv.engine.season import Season

_DECIDED_BY_SAVE = ("scenario", "seed", "agents", "nations", "rules", "rules_file")
_SAVE = "season.save"


@click.command()
@click.option("--scenario", default="season", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seed", default="0", show_default=True, help="Decides map, weather and every draw.")
@click.option(
    "--agents", default="rule_ai", show_default=True, help="A controller for all, or one each: A,B,..."
)
@click.option("--nations", type=int, default=None, help="How many; default the scenario's.")
@click.option("--rules", multiple=True, metavar="KEY=VALUE", help="Change a constant; may be repeated.")
@click.option("--rules-file", type=click.Path(), default=None, help="A TOML file of changed constants.")
@click.option("--turns", type=click.IntRange(min=1), default=None, help="Stop after this turn.")
@click.option("--out", type=click.Path(), default=None, help="Folder for map, curves, result and save.")
@click.option(
    "--save", type=click.Path(), default=None, help="Save every turn: a file, or a folder of backups."
)
@click.option("--resume", type=click.Path(), default=None, help="Continue a save, or the newest of a folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def season(context: click.Context, /, **options: Any) -> None:
    """Play a season to its end and show who won.

    Progress goes to stderr, the result to stdout. Ctrl-C stops after the current turn; with --save or
    --out the season can then be continued with --resume.
    """
    out = None if options["out"] is None else _made_folder("--out", Path(options["out"]))
    setup: dict[str, Any] = {}
    resumed = None
    if options["resume"]:
        resumed = _resumed(context, options)
    else:
        setup = _checked(options)
    if options["save"] is not None:
        _made_folder("--save", Path(options["save"]).parent)
    from hakoenv.cli.warm import ensure

    ensure()
    with _Stop() as stop:
        game, source = resumed or (_new(setup), None)
        _start_saving(game, options, source)
        seconds, played = _play(game, options["turns"], stop, quiet=options["as_json"])
    written = _write_files(game, out)
    result = {
        **game.result(),
        "seconds": round(seconds, 6),
        "turns_per_second": round(played / seconds, 3) if seconds > 0 else 0.0,
        "interrupted": stop.signal is not None,
    }
    if out is not None:
        text = json.dumps(result, ensure_ascii=False, indent=1)
        (out / "result.json").write_text(text + "\n", encoding="utf-8")
    if options["as_json"]:
        click.echo(json.dumps(result))
    else:
        from hakoenv.cli.season_table import print_result

        print_result(game, result, written)
    if stop.signal is not None:
        click.echo(_how_to_resume(game, options, out), err=True)
        context.exit(128 + stop.signal)


class _Stop:
    """Turns a first Ctrl-C (or SIGTERM) into a wish to stop at the turn's end; a second one stops at once."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._old: dict[int, Any] = {}

    def __enter__(self) -> _Stop:
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                self._old[number] = signal.signal(number, self._note)
            except ValueError:  # not the main thread: signals go elsewhere
                break
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number


class _Refusal(click.ClickException):
    exit_code = 2


@contextmanager
def _refusing() -> Iterator[None]:
    """What a user can get wrong becomes one sentence and exit code 2."""
    from hakoenv.controllers import ControllerError
    from hakoenv.engine.mapgen import ScenarioError
    from hakoenv.engine.save import SaveError
    from hakoenv.engine.season import SeasonError
    from hakoenv.ruleset import RulesetError

    try:
        yield
    except (ControllerError, ScenarioError, SaveError, SeasonError, RulesetError) as error:
        raise _Refusal(str(error)) from error


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a new season, refused before anything is compiled or made."""
    agents = [name.strip() for name in options["agents"].split(",")]
    setup = {
        "scenario": options["scenario"],
        "seed": _seed(options["seed"]),
        "rules": _overrides(options["rules"]),
        "ruleset_file": options["rules_file"],
        "agents": agents[0] if len(agents) == 1 else agents,
        "nations": options["nations"],
    }
    with _refusing():
        from hakoenv.engine.season import check

        check(**setup)
    return setup


def _new(setup: Mapping[str, Any]) -> Season:
    with _refusing():
        from hakoenv.engine.season import Season

        return Season.new(**setup, keep_all_statistics=True)


def _resumed(context: click.Context, options: Mapping[str, Any]) -> tuple[Season, Path]:
    for name in _DECIDED_BY_SAVE:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise _Refusal(f"--{name.replace('_', '-')} can't be given with --resume: the save decides it")
    with _refusing():
        from hakoenv.engine.season import Season

        game, report = Season.load(options["resume"])
    if report.refused or not options["as_json"]:
        click.echo(str(report), err=True)
    return game, report.path


def _start_saving(game: Season, options: Mapping[str, Any], resumed: Path | None) -> None:
    if options["save"] is None:
        return
    own = [] if resumed is None else [resumed.resolve(), resumed.resolve().parent]
    with _refusing():
        game.save_every_turn(options["save"], continues=Path(options["save"]).resolve() in own)


def _play(game: Season, until: int | None, stop: _Stop, quiet: bool) -> tuple[float, int]:
    """Play on; the seconds it took and the turns played."""
    from hakoenv.cli.season_table import Progress

    first = game.turn
    with Progress(game, until, quiet) as progress, _refusing():
        started = time.perf_counter()

        def after_turn(_: Season) -> bool:
            progress.show(game)
            return stop.signal is not None

        if stop.signal is None:
            game.run(until, after_turn)
        return time.perf_counter() - started, game.turn - first


def _write_files(game: Season, out: Path | None) -> list[str]:
    """Map, curves and save in the folder; what was written, and a sentence for what was not."""
    if out is None:
        return []
    from hakoenv.render.curves import save_curves_png
    from hakoenv.render.map_image import save_map_png

    written = [_SAVE, "map.png", "result.json"]
    title = f"{game.ruleset.scenario}, seed {game.seed}, turn {game.turn}"
    with _refusing():
        try:
            game.save(out / _SAVE)
            save_map_png(game.world, game.rules, out / "map.png", names=game.names, title=title)
            if save_curves_png(game.statistics, out / "curves.png", names=game.names, title=title):
                written.append("curves.png")
            else:
                click.echo("no curves.png: matplotlib is missing (pip install hakoenv[report])", err=True)
        except OSError as error:
            raise _Refusal(f"{out}: can't be written ({error.strerror})") from error
    return [str(out / name) for name in written]


def _how_to_resume(game: Season, options: Mapping[str, Any], out: Path | None) -> str:
    """One sentence on where the season stands and how it goes on."""
    place = options["save"] or (out and str(out / _SAVE))
    stopped = f"stopped after turn {game.turn}"
    if not place:
        return f"{stopped}; nothing was saved (give --save or --out to be able to resume)"
    kept = [name for name in ("save", "out", "turns") if options[name] is not None]
    words = ["hakoenv", "season", "--resume", place]
    for name in kept:
        words += [f"--{name}", str(options[name])]
    return f"{stopped}; continue with: {shlex.join(words)}"


def _made_folder(option: str, folder: Path) -> Path:
    """A folder for output, made and seen to be writable before anything is played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise _Refusal(f"{option}: {folder} can't be written ({error.strerror})") from error


def _seed(text: str) -> object:
    """A seed as a whole number; anything else is left for the season to refuse."""
    try:
        return int(text)
    except ValueError:
        return text


def _overrides(pairs: tuple[str, ...]) -> dict[str, object]:
    """``KEY=VALUE`` as overrides; a value is a number, a list or a word."""
    found: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise _Refusal(f"--rules {pair!r}: expected KEY=VALUE, for example mine.pile_per_level=20")
        try:
            found[key.strip()] = json.loads(text)
        except (ValueError, RecursionError):
            found[key.strip()] = text.strip()
    return found
