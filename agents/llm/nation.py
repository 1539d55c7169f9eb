"""The controller: nations of one model, asked all at once while others plan."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from hakoenv.agents.llm import asking, config, report, wake
from hakoenv.agents.llm import tools as tool_box
from hakoenv.agents.llm.asking import DEADLINE, Answer, Task, ask
from hakoenv.agents.llm.budget import Budget, Meter, Prices
from hakoenv.agents.llm.calls import Backend
from hakoenv.agents.llm.deadline import Deadline, start
from hakoenv.agents.llm.memory import ABANDONED, NOT_ASKED, PLAN, Memory
from hakoenv.agents.llm.prompt import Writer, digest
from hakoenv.agents.llm.settings import Settings, SettingsError, check_address
from hakoenv.agents.llm.transcript import Recording, Transcript, TranscriptError
from numpy.typing import NDArray

from hakoenv.controllers import StoppedError
from hakoenv.engine.board import Board
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.names import NationName
from hakoenv.engine.world import World, copy_world
from hakoenv.obs.language import answers
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import Rules, Ruleset

if TYPE_CHECKING:
    import openai

    from hakoenv.engine.season import Season

NO_MODEL = (
    "no model is named: use llm:MODEL, or model = ... in the file of --llm-config or HAKOENV_LLM_CONFIG"
)
_LOOK = 0.1  # seconds between looks at whether it was told to stop
_GRACE = 0.5  # seconds beyond the deadline for calls to notice it
_FOREVER = 10.0**9


class _Game(NamedTuple):
    """What stays the same over a season."""

    ruleset: Ruleset
    seed: int
    seats: int
    names: list[NationName]
    writer: Writer


@dataclass
class _Turn:
    """A nation's coming turn, while its model is asked."""

    why: str
    outlook: wake.Outlook
    answer: Answer
    future: Future[None] | None = None
    user: str = ""


class LLMNation:
    """Governs nations by a language model of an OpenAI-compatible endpoint.

    Give it to `Season.new(agents=...)` or `parallel_env(controllers=...)`; its nations are asked at the same
    time, and while those of others are. Where it gives no plan and no command waits, the rule AI
    plans (the proxy), unless ``proxy`` is false: then the nation fundraises, as agents' nations do.

    Args:
        client: an openai client (its retries are not used), a base URL, or None: what OPENAI_BASE_URL says.
        model: the name that the endpoint knows it by.
        budget: limits of each nation.
        settings: how it is asked.
        prices: of its tokens.
        transcript: where turns are kept; a path or a `Transcript`, which several may share. What stands in it
            of the season so far is remembered: notes, what was used, when it was last asked.
        replay: a transcript to take the answers from instead of the endpoint; its settings count, in each
            turn those under which it was played.
        proxy: whether the rule AI stands in.
        key_variable: the environment variable with the key, where ``client`` is a URL or None.
        concurrent: calls at a time of the endpoint, over all who use it.

    Attributes:
        code: `llm`, or `external` without a proxy.
        registered_name: `llm:MODEL`.

    Raises:
        ImportError: the openai package is missing.
        SettingsError, TranscriptError: an argument can't be.
    """

    def __init__(
        self,
        client: openai.OpenAI | openai.AsyncOpenAI | str | None = None,
        model: str = "",
        budget: Budget | None = None,
        *,
        settings: Settings | None = None,
        prices: Prices | None = None,
        transcript: Transcript | str | os.PathLike[str] | None = None,
        replay: Transcript | None = None,
        proxy: bool = True,
        key_variable: str = "OPENAI_API_KEY",
        concurrent: int = 8,
    ) -> None:
        self.model = model
        self.code = kinds.LLM if proxy else kinds.EXTERNAL
        self.registered_name = f"llm:{model}" if model else "llm"
        self.budget = budget or Budget()
        self.settings = settings or Settings()
        self.prices = prices or Prices()
        self.transcript = Transcript(transcript) if isinstance(transcript, str | os.PathLike) else transcript
        self._replay = replay
        if replay is None and find_spec("openai") is None:
            raise ImportError("the package openai is missing: pip install 'hakoenv[llm]'")
        if replay is not None:
            self._take_settings(replay, 1)
        elif isinstance(client, str):
            check_address(client)
        if concurrent < 1:
            raise SettingsError(f"concurrent={concurrent!r} must be 1 or more")
        self._client, self._key_variable, self._concurrent = client, key_variable, concurrent
        self._backend: Backend | None = None
        self._game: _Game | None = None
        self._memories: dict[int, Memory] = {}
        self._turns: dict[int, _Turn] = {}
        self._world: World | None = None
        self._board = Board()  # of the season that is planned
        self._deadline = Deadline(0.0)
        self._stopped = threading.Event()

    def begin(self, season: Season, nations: NDArray[Any]) -> None:
        """Ask the models of the nations that are due; who is not asked goes on with its queue."""
        self._stopped.clear()
        if not self.model and self._replay is None:
            raise SettingsError(NO_MODEL)
        coming = season.turn + 1
        if self._replay is not None:
            self._take_settings(self._replay, coming)
        if any(turn.future is not None and not turn.future.done() for turn in self._turns.values()):
            self._abandon(coming)  # another controller ended the planning of a turn before `fill`
        game = self._meet(season)
        self._world = copy_world(season.world)  # what is looked at while others write their plans
        self._board = season.board
        self._turns = {}
        for nation in nations.tolist():
            memory = self._memory(nation, coming)
            now = wake.outlook(self._world, nation)
            last, before = memory.last_asked(coming), memory.before(coming).outlook
            every, wake_on = self.settings.decide_every, self.settings.wake_on
            written = self._written(nation)
            why = wake.reason(self._world, season.rules, nation, before, now, last, every, wake_on, written)
            self._turns[nation] = _Turn(why, now, Answer(NOT_ASKED))
            self._compare(coming, nation, why)
        asked = [nation for nation, turn in self._turns.items() if turn.why]
        first = coming // self.settings.decide_every % max(1, len(asked))
        asked = asked[first:] + asked[:first]  # if not all can be served in time, it is not always the same
        tasks = {nation: self._task(game, season, nation, coming) for nation in asked}
        self._deadline = Deadline(self.budget.seconds_per_turn)
        for nation, task in tasks.items():
            meter = Meter(self.budget, self._memories[nation].used)
            backend: Backend
            if self._replay is None:
                backend, limit = self._endpoint(), Deadline(meter.seconds())
            else:
                backend, limit = Recording(self._replay.turns[coming, nation]), Deadline(_FOREVER)
                meter = Meter(_NO_LIMIT, self._memories[nation].used)
            turn = self._turns[nation]
            turn.user, turn.answer = task.user, Answer()
            turn.future = start(ask(backend, task, limit, meter, turn.answer))

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Wait for the answers, until the deadline, and put them into the nations' plans.

        Raises:
            StoppedError: `stop` was called meanwhile; then nothing is put anywhere.
            TranscriptError: the transcript is of another game, or can't be written.
        """
        if self._game is None:
            raise RuntimeError("a language model's nations are driven by a Season, which calls `begin` first")
        coming = int(world.clock["turn"][0]) + 1
        try:
            self._wait()
        except BaseException:
            self._abandon(coming)
            raise
        for nation in nations.tolist():
            self._agree(coming, nation)
        for nation in nations.tolist():
            turn = self._turns[nation]
            result = turn.answer.result
            if turn.answer.outcome == PLAN and result is not None:
                answers.enter(world, rules, nation, result)
                answers.post(self._board, world, rules, nation, result)
            self._keep(coming, nation, turn, int(world.nations["plan_length"][nation]))

    def stop(self) -> None:
        """Give up the answers that are waited for; may be called from a signal handler or another thread."""
        self._stopped.set()

    def report(self) -> dict[int, dict[str, Any]]:
        """What each nation's model used and how it did, by seat; see `report.of`."""
        return {nation: report.of(self, nation, self._memories[nation]) for nation in sorted(self._memories)}

    @property
    def prompt_id(self) -> str:
        """What the prompts of the season are called; empty before the first turn."""
        return "" if self._game is None else self._game.writer.prompt_id

    def __repr__(self) -> str:
        return f"<LLMNation {self.model or 'without a model'}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made from: it asks the same model, remembers nothing, and writes no transcript."""
        client = self._client
        if client is not None and not isinstance(client, str):
            client = str(client.base_url)
        return {
            "client": client,
            "model": self.model,
            "budget": self.budget,
            "settings": self.settings,
            "prices": self.prices,
            "proxy": self.code == kinds.LLM,
            "key_variable": self._key_variable,
            "concurrent": self._concurrent,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def _take_settings(self, replay: Transcript, coming: int) -> None:
        """Ask for a turn as the recorded model was asked for it."""
        header = replay.header_of(self.registered_name, coming)
        self.settings = Settings.of(header["settings"])
        self.prices = Prices.of(header.get("prices", {}))

    def _meet(self, season: Season) -> _Game:
        """What is known of the game; a new season is begun with an empty memory."""
        game = self._game
        same = (
            game is not None
            and game.ruleset == season.ruleset
            and (game.seed, game.seats) == (season.seed, len(season.names))
        )
        if game is None or not same or game.writer.settings != self.settings:
            chosen = self.settings.commands.replace(" ", "").split(",")
            try:
                vocabulary = Vocabulary.of(season.world, season.ruleset, chosen, season.names)
                writer = Writer(self.settings, vocabulary)
            except ValueError as error:  # no such command, or none that is in the game
                raise SettingsError(f"settings: {error}") from None
            game = _Game(season.ruleset, season.seed, len(season.names), season.names, writer)
            self._game = game
        if not same or season.turn == 0:
            self._memories = {}
        if self.transcript is not None:
            self.transcript.header(self.registered_name, self._about(game), season.turn)
            self.transcript.prompt(digest(game.writer.system), game.writer.system)
        return game

    def _about(self, game: _Game) -> dict[str, Any]:
        return {
            "model": self.model,
            "scenario": game.ruleset.scenario,
            "rules_version": game.ruleset.version,
            "ruleset": game.ruleset.digest,
            "seed": game.seed,
            "prompt_id": game.writer.prompt_id,
            "prompt": digest(game.writer.system),
            "settings": self.settings.as_dict(),
            "budget": self.budget.as_dict(),
            "prices": {"prompt_per_million": self.prices.prompt_per_million,
                       "answer_per_million": self.prices.answer_per_million},
            "proxy": self.code == kinds.LLM,
        }  # fmt: skip

    def _memory(self, nation: int, coming: int) -> Memory:
        """A nation's memory of the turns before the coming one, of the transcript if it is not new."""
        memory = self._memories.get(nation)
        if memory is None:
            kept = self.transcript.lines.get(nation, []) if self.transcript is not None and coming > 1 else []
            if not kept and self._replay is not None:
                kept = [line for line in self._replay.lines.get(nation, []) if line["turn"] < coming]
            memory = self._memories[nation] = Memory.of(kept)
        memory.forget_from(coming)
        return memory

    def _task(self, game: _Game, season: Season, nation: int, coming: int) -> Task:
        assert self._world is not None
        world, rules, words, settings = self._world, season.rules, game.writer.vocabulary, self.settings
        before = self._memories[nation].before(coming)
        posts = self._board.read(world, nation, self._memories[nation].last_answered(coming))
        prompt = game.writer.write(world, rules, nation, game.names, before.notes, before.told, posts)
        heard = self._board.read(world, nation)
        tools = tool_box.Tools(world, rules, words, nation, game.names, season.statistics.curves(), heard)

        def read(content: str | None, truncated: bool) -> answers.ParseResult:
            return answers.parse(content, world, rules, nation, words, text=True, truncated=truncated)

        replayed = self._replay is not None
        return Task(
            nation,
            prompt.system,
            prompt.user,
            game.writer.schemas,
            tool_box.DESCRIPTIONS if settings.tool_calls else (),
            tools.use,
            read,
            settings.tool_calls,
            _UNTIL_THE_RECORD_ENDS if replayed else settings.answers_per_turn,
            _UNTIL_THE_RECORD_ENDS if replayed else settings.transport_tries,
            pauses=not replayed,
        )

    def _written(self, nation: int) -> bool:
        """Whether the last turn has brought a message of others to a nation or to its faction's room."""
        assert self._world is not None
        new = self._board.read(self._world, nation, int(self._world.clock["turn"][0]))
        return any(post.to is not None and post.author != nation for post in new)

    def _compare(self, coming: int, nation: int, why: str) -> None:
        """See that a replayed transcript has this turn, and that the model was asked for the same reason."""
        if self._replay is None:
            return
        line = self._replay.turns.get((coming, nation))
        if line is None:
            raise TranscriptError(f"the transcript has no turn {coming} of nation_{nation}")
        if line["why_asked"] != why:
            raise TranscriptError(
                f"the transcript is of another game: nation_{nation} was asked for turn {coming} because of "
                f"{line['why_asked'] or 'nothing'}, not {why or 'nothing'}"
            )

    def _agree(self, coming: int, nation: int) -> None:
        """See that a turn's replayed answers came to what its line says."""
        if self._replay is None:
            return
        line, answer = self._replay.turns[coming, nation], self._turns[nation].answer
        plan = answer.result if answer.outcome == PLAN else None
        played = ("", [], []) if plan is None else (plan.mode, list(plan.lines), _posted(plan))
        came = (answer.outcome, len(answer.calls), *played)
        said = line.get("messages", [])
        if came != (line["outcome"], len(line["calls"]), line["mode"], line["commands"], said):
            raise TranscriptError(
                f"the transcript was changed: the answers to nation_{nation} for turn {coming} "
                "don't give what it says was played"
            )

    def _endpoint(self) -> Backend:
        """The endpoint, made when it is first asked, so that a key is wanted only then."""
        if self._backend is None:
            from hakoenv.agents.llm.endpoint import Endpoint

            self._backend = Endpoint(
                self._client,
                self.model,
                key_variable=self._key_variable,
                prices=self.prices,
                structured=self.settings.structured,
                temperature=self.settings.temperature,
                seed=self.settings.seed,
                concurrent=self._concurrent,
            )
        return self._backend

    def _wait(self) -> None:
        """Wait for all answers; what comes later than the deadline and a little is given up."""
        waiting = [turn.future for turn in self._turns.values() if turn.future is not None]
        endless = self._replay is not None
        while waiting and (endless or self._deadline.passed() < self.budget.seconds_per_turn + _GRACE):
            done, rest = wait(waiting, timeout=_LOOK)
            for future in done:
                future.result()  # a fault of ours, or a transcript of another game
            waiting = list(rest)
            if self._stopped.is_set():
                raise StoppedError("told to stop while language models were asked")
        for turn in self._turns.values():
            if turn.future in waiting:
                _cut_short(turn, DEADLINE)

    def _abandon(self, coming: int) -> None:
        """Give up a turn: cancel its calls, and keep what they have used."""
        for nation, turn in self._turns.items():
            if turn.future is not None:
                _cut_short(turn, ABANDONED)
                turn.answer.outcome = ABANDONED
                if self._replay is None and turn.answer.calls:
                    self._keep(coming, nation, turn, 0)
        self._turns = {}

    def _keep(self, coming: int, nation: int, turn: _Turn, queue: int) -> None:
        """Remember a turn, and write it down."""
        result, memory = turn.answer.result, self._memories[nation]
        plan = result if turn.answer.outcome == PLAN else None
        before = memory.before(coming)
        notes = before.notes if plan is None else plan.notes[: self.settings.notes_characters]
        told = before.told if turn.future is None else _told(turn.answer, result)
        line = {
            "turn": coming,
            "nation": nation,
            "asked": turn.future is not None,
            "why_asked": turn.why,
            "user": turn.user,
            "outcome": turn.answer.outcome,
            "why": turn.answer.why,
            "mode": plan.mode if plan is not None else "",
            "commands": list(plan.lines) if plan is not None else [],
            "messages": _posted(plan) if plan is not None else [],
            "rejected": [str(entry) for entry in result.rejected] if result is not None else [],
            "told": told,
            "notes": notes,
            "queue": queue,
            "enemies": sorted(turn.outlook.enemies),
            "offers": sorted(turn.outlook.offers),
            "calls": turn.answer.calls,
        }
        memory.take(line)
        if self.transcript is not None:
            self.transcript.turn(line)


_NO_LIMIT = Budget(seconds_per_turn=_FOREVER, calls_per_turn=10**9, tokens_per_answer=10**9)
_UNTIL_THE_RECORD_ENDS = 10**9


def _cut_short(turn: _Turn, failure: str) -> None:
    """Cancel what is asked for a turn; its answer is what there was by then."""
    assert turn.future is not None
    turn.future.cancel()
    turn.answer = replace(turn.answer, calls=list(turn.answer.calls))  # the loop may still write
    turn.answer.give_up(failure)


def controller(model: str = "") -> LLMNation:
    """A controller for `llm` and `llm:MODEL`, as the registry of controllers makes it.

    Endpoint, budget and prices are those of the file that HAKOENV_LLM_CONFIG names, if it does.
    """
    return config.from_environment().nation(model)


def _posted(plan: answers.ParseResult) -> list[dict[str, str]]:
    """An answer's messages as plain data."""
    return [message._asdict() for message in plan.messages]


def _told(answer: Answer, result: answers.ParseResult | None) -> list[str]:
    """What a model hears in its next turn of the answer it gave in this one."""
    return answers.feedback(result, asking.MOST_REASONS) if result is not None else []
