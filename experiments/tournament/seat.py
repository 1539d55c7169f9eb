"""An entrant in its seat: asked for every turn's plan within a time limit, and charged where it fails.

Whoever is not the engine's own plans in a thread and on copies of world and rules, from which only the plan
of its nation is taken: a thread that is given up, or a controller that changes something else, does no harm.
Whatever is an entrant's own code runs there, down to the text of what it raises.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy, deepcopy
from queue import Empty, SimpleQueue
from threading import TIMEOUT_MAX, Thread
from typing import Any, NamedTuple

from hakoenv.experiments.tournament import entrants
from hakoenv.experiments.tournament.entrants import Entrant
from numpy.typing import NDArray

from hakoenv import controllers
from hakoenv.controllers import Controller, ControllerError
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.kernel import as_kernel_array
from hakoenv.engine.world import PLAN_LENGTH, World, assign_world, copy_world
from hakoenv.ruleset import Rules

PREPARING_SECONDS = 120.0
"""How long an entrant may take to be made: importing a library, loading a network."""

Around = Callable[[int, int, float], AbstractContextManager[object]]
"""Called with seat, turn and time limit, stands around whatever an entrant does that may hang."""


def nothing_around(seat: int, turn: int, seconds: float) -> AbstractContextManager[object]:
    """An `Around` that does nothing."""
    return nullcontext()


class Forfeit(NamedTuple):
    """Why an entrant gets nothing for a season.

    Attributes:
        seat: its nation.
        entrant: its name.
        turn: that it was to plan; 1 where it could not be made.
        reason: one sentence.
    """

    seat: int
    entrant: str
    turn: int
    reason: str


class _TooLateError(Exception):
    """Nothing came within the time limit."""


class _FailedError(Exception):
    """An entrant raised something; the text is what, in one line.

    Attributes:
        refusal: what was raised, where it tells that a controller can't play at all.
    """

    def __init__(self, text: str, refusal: ControllerError | None) -> None:
        super().__init__(text)
        self.refusal = refusal


class _Made(NamedTuple):
    """A controller, and what it has, looked up where its own code may run."""

    inner: Controller
    code: int
    begin: Callable[[Any, NDArray[Any]], object] | None
    stop: Callable[[], object] | None


def _looked_up(inner: Controller) -> _Made:
    return _Made(inner, int(inner.code), getattr(inner, "begin", None), getattr(inner, "stop", None))


class Seat:
    """Drives one nation of one season for an entrant.

    From the moment in which it fails its nation is idle.

    Args:
        entrant: who.
        seat: the nation.
        seed: of the season.
        seconds: the time limit of a turn.
        around: see `Around`.

    Attributes:
        code: as of its controller; without a proxy of the rules for language models.
        forfeit: how it failed, if it did.
        hung: whether a thread was given up, which may run on for ever.

    Raises:
        ControllerError: nobody stands behind the spec.
    """

    def __init__(
        self,
        entrant: Entrant,
        seat: int,
        seed: int,
        seconds: float,
        around: Around = nothing_around,
    ) -> None:
        self.code = kinds.EXTERNAL
        self.forfeit: Forfeit | None = None
        self.hung = False
        self._entrant, self._seat, self._seconds, self._around = entrant, seat, seconds, around
        self._copy: World | None = None
        self._rules: Rules | None = None
        self._season: Any = None
        self._helper: _Helper | None = None
        self._made = _looked_up(controllers.Idle())
        number = entrants.own_seed(seed, entrant.name, seat)
        if entrants.is_own(entrant):
            self._helper = _Helper()
            self._charging(1, lambda: self._make(number))
        else:
            self._made = _looked_up(entrants.make(entrant, number))
            if not entrants.is_the_engines(entrant):
                self._helper = _Helper()
        if self._made.code == kinds.RULE_AI and self.forfeit is None:
            self.code = kinds.RULE_AI

    def begin(self, season: Any, nations: NDArray[Any]) -> None:
        """Let a controller begin that wants to."""
        if self._made.begin is not None and self.forfeit is None:
            self._charging(season.turn + 1, lambda: self._begin(season, nations))

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plan of the nation, or none."""
        turn = int(world.clock["turn"][0]) + 1
        if self.forfeit is None:
            self._charging(turn, lambda: self._fill(world, rules, nations, turn))
        if self.forfeit is not None:
            self.code = kinds.EXTERNAL  # nobody stands in for it
            world.nations["plan_length"][nations] = 0

    def stop(self) -> None:
        """Tell a controller that waits for something to give up."""
        if self._made.stop is not None:
            with suppress(Exception):
                self._made.stop()

    def close(self) -> None:
        """Let the thread go."""
        if self._helper is not None:
            self._helper.close()

    def _make(self, number: int) -> None:
        def act() -> _Made:
            return _looked_up(entrants.make(self._entrant, number))

        self._made = self._done(1, PREPARING_SECONDS, act)

    def _begin(self, season: Any, nations: NDArray[Any]) -> None:
        begin = self._made.begin
        assert begin is not None
        if self._helper is None:
            begin(season, nations)
            return
        copied, rules = self._copies(season.world, season.rules)
        if self._season is None:
            self._season = copy(season)
            self._season.ruleset = deepcopy(season.ruleset)
        _show(season, self._season, copied, rules)
        self._done(season.turn + 1, None, lambda: begin(self._season, nations.copy()))

    def _fill(self, world: World, rules: Rules, nations: NDArray[Any], turn: int) -> None:
        if self._helper is None:
            self._made.inner.fill(world, rules, nations)
            return
        copied, own_rules = self._copies(world, rules)
        # Who begins before others plan, as language models do, keeps a deadline of its own.
        limit = None if self._made.begin is not None else self._seconds
        self._done(turn, limit, lambda: self._made.inner.fill(copied, own_rules, nations.copy()))
        length = int(copied.nations["plan_length"][self._seat])
        if not 0 <= length <= PLAN_LENGTH:
            raise ValueError(f"plan_length is {length}; a plan has 0..{PLAN_LENGTH} commands")
        world.plans[self._seat] = copied.plans[self._seat]
        for name in ("plan_length", "cut"):
            world.nations[name][self._seat] = copied.nations[name][self._seat]

    def _copies(self, world: World, rules: Rules) -> tuple[World, Rules]:
        """World and rules to plan on: always the same arrays, as they are now."""
        if self._copy is None or self._rules is None:
            self._copy = copy_world(world)
            self._rules = Rules(*(as_kernel_array(table.copy()) for table in rules))
        assign_world(self._copy, world)
        for into, table in zip(self._rules, rules, strict=True):
            into[...] = table
        return self._copy, self._rules

    def _done(self, turn: int, seconds: float | None, act: Callable[[], Any]) -> Any:
        """What the entrant gives, asked in its thread; None lets it take its time."""
        assert self._helper is not None
        if seconds is None:
            return self._helper.do(act, None)
        with self._around(self._seat, turn, seconds):
            return self._helper.do(act, seconds)

    def _charging(self, turn: int, act: Callable[[], None]) -> None:
        """Do something that an entrant is charged for if it fails."""
        own = entrants.is_own(self._entrant)
        try:
            act()
        except _TooLateError as late:
            self.hung = True
            self._charge(turn, str(late))
        except _FailedError as failed:
            if failed.refusal is not None and self._made.begin is not None and not own:
                raise failed.refusal from None
            self._charge(turn, str(failed))
        except Exception as error:
            if self._helper is None and not own and isinstance(error, ControllerError):
                raise  # no key, no model: nothing that it did in this season
            self._charge(turn, f"raised {entrants.told(error)}")

    def _charge(self, turn: int, reason: str) -> None:
        self.forfeit = Forfeit(self._seat, self._entrant.name, turn, reason)


def _show(season: Any, stand_in: Any, world: World, rules: Rules) -> None:
    """Bring what stands in for a season up to date; whatever is done to it, the season stays as it is."""
    stand_in.world, stand_in.rules = world, rules
    stand_in._before = copy_world(season.before)
    for name in ("statistics", "controllers", "event_totals", "names"):
        setattr(stand_in, name, deepcopy(getattr(season, name)))
    stand_in._agents, stand_in._drivers = [], []  # nobody meets the others
    stand_in.save_to = stand_in.audit = None


class _Helper:
    """A thread that does one thing after another and can be given up."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Any, _FailedError | None]] = SimpleQueue()
        Thread(target=self._work, daemon=True, name="entrant").start()

    def do(self, act: Callable[[], Any], seconds: float | None) -> Any:
        """What ``act`` gives.

        Raises:
            _TooLateError: it took too long; the thread must not be used again.
            _FailedError: it raised something.
        """
        self._asked.put(act)
        try:
            given, failed = self._done.get(timeout=None if seconds is None else min(seconds, TIMEOUT_MAX))
        except Empty:
            raise _TooLateError(f"took longer than {seconds:g} s") from None
        if failed is not None:
            raise failed
        return given

    def close(self) -> None:
        """Let the thread end once it is through."""
        self._asked.put(None)

    def _work(self) -> None:
        process = os.getpid()
        while (act := self._asked.get()) is not None:
            told: tuple[Any, _FailedError | None]
            try:
                told = act(), None
            except BaseException as error:  # SystemExit of an entrant ends its season, not the thread
                refusal = error if isinstance(error, ControllerError) else None
                told = None, _FailedError(f"raised {entrants.told(error)}", refusal)
            if os.getpid() != process:  # forked off by the entrant: nobody asks here, and nobody would end it
                os._exit(0)
            self._done.put(told)
