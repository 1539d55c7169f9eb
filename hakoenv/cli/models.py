"""Language models on the command line: their nations, their transcript, the table of what they used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hakoenv import controllers
from hakoenv.cli.refusal import Refusal
from hakoenv.controllers import Driver

if TYPE_CHECKING:
    from hakoenv.agents.llm import LLMNation, Transcript
    from hakoenv.engine.season import Season

BASE = "llm"
_SUFFIX = ".transcript.jsonl"
_IN_A_FOLDER = "transcript.jsonl"


def is_model(name: str) -> bool:
    """Whether a controller's name is that of a language model: `llm` or `llm:MODEL`."""
    return name.partition(":")[0] == BASE


class Models:
    """The language models of one season, made from its options.

    Args:
        options: of `hakoenv season`.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options
        self._made: dict[str, LLMNation] = {}
        self._kept: Transcript | None = None

    def check(self, names: Iterable[str]) -> None:
        """Refuse options for language models where none plays, and a replay with a transcript of its own."""
        if self._options["transcript"] and self._options["replay_transcript"]:
            raise Refusal("--transcript can't be given with --replay-transcript: nothing new is asked")
        if any(map(is_model, names)):
            return
        for name in ("llm_config", "transcript", "replay_transcript"):
            if self._options[name]:
                option = f"--{name.replace('_', '-')}"
                raise Refusal(f"{option}: no nation has a language model; use --agents llm:MODEL,...")

    def drivers(self, names: Sequence[str]) -> list[Driver]:
        """Names of controllers, with the object for each name of a language model.

        Raises:
            ControllerError: a model can't be had.
        """
        return [self._model(name) if is_model(name) else name for name in names]

    def take_over(self, game: Season) -> None:
        """Give a season from a save its models."""
        for seat, name in enumerate(list(game.controllers)):
            if is_model(name):
                game.set_controller(seat, self._model(name))

    def reports(self) -> list[dict[str, Any]]:
        """What each nation's model used, in seat order."""
        found = [entry for model in self._made.values() for entry in model.report().values()]
        return sorted(found, key=lambda entry: int(entry["nation"]))

    @property
    def written(self) -> list[str]:
        """The file that was written."""
        return [] if self._kept is None or self._kept.path is None else [str(self._kept.path)]

    def _model(self, name: str) -> LLMNation:
        if name not in self._made:
            try:
                from hakoenv.agents.llm import Transcript, config
            except ImportError as error:
                raise controllers.ControllerError(f"controller {name!r} can't be loaded ({error})") from error
            told = self._options["llm_config"]
            said = config.from_environment() if told is None else config.read(told)
            replay = self._options["replay_transcript"]
            if not self._made:
                self._kept = None if replay is not None else self._transcript(Transcript)
            try:
                made = said.nation(
                    name.partition(":")[2],
                    transcript=self._kept,
                    replay=None if replay is None else Transcript.existing(replay),
                )
            except ImportError as error:
                raise controllers.ControllerError(f"controller {name!r} can't be loaded ({error})") from error
            if not made.model and replay is None:
                from hakoenv.agents.llm.nation import NO_MODEL

                raise Refusal(f"--agents: {NO_MODEL}")
            self._made[name] = made
        return self._made[name]

    def _transcript(self, kind: type[Transcript]) -> Transcript:
        """The transcript: a new one, or in a resumed season the one that goes on."""
        path = self._place()
        kept = kind(path) if self._options["resume"] or path is None else kind.fresh(path)
        if path is not None and path.exists():
            kept.claim()  # refused before anything is saved
        return kept

    def _place(self) -> Path | None:
        """Where the transcript is kept: where it was said, else beside what is saved."""
        options = self._options
        if options["transcript"]:
            return Path(options["transcript"])
        if options["save"]:
            return Path(str(Path(options["save"])) + _SUFFIX)
        if options["out"]:
            return Path(options["out"]) / _IN_A_FOLDER
        return Path(str(Path(options["resume"])) + _SUFFIX) if options["resume"] else None


def print_reports(reports: Sequence[Mapping[str, Any]]) -> None:
    """A table of calls, tokens and cost by nation, and a line of failures for those that had some."""
    console = Console(highlight=False)
    table = Table(title="Language models", title_justify="left")
    table.add_column("seat", justify="right")
    table.add_column("model", overflow="fold")
    for heading in ("asked", "calls", "tokens", "cost", "on queue", "proxy"):
        table.add_column(heading, justify="right")
    for entry in reports:
        table.add_row(
            str(entry["nation"]),
            escape(entry["model"]),
            f"{entry['asked']}/{entry['turns']}",
            f"{entry['calls']:,}",
            f"{entry['prompt_tokens'] + entry['answer_tokens']:,}",
            f"{entry['cost']:.4f}",
            f"{entry['queue_share']:.0%}",
            f"{entry['proxy_share']:.0%}",
        )
    console.print(table)
    for entry in reports:
        if entry["failures"]:
            failures = ", ".join(f"{name} {count}" for name, count in entry["failures"].items())
            last = escape(f" (last: {entry['last_failure']})") if entry["last_failure"] else ""
            console.print(f"nation_{entry['nation']} failures: {failures}{last}", soft_wrap=True)
