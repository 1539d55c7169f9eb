"""An entrant in its seat: asked for every turn's plan within a time limit, and charged where it fails.

Whoever is not the engine's own plans in a thread and on a copy of the world, from which only the plan of
its nation is taken: a thread that is given up, or a controller that changes something else, does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from hakoenv.experiments.tournament import entrants
from hakoenv.experiments.tournament.entrants import Entrant
from numpy.typing import NDArray

from hakoenv import controllers
from hakoenv.controllers import Controller, ControllerError
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.world import PLAN_LENGTH, World, assign_world, copy_world
from hakoenv.ruleset import Rules

PREPARING_SECONDS = 120.0
"""How long an entrant may take to be made: importing a library, loading a network."""
_LONGEST_REASON = 300
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")

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
        self._helper: _Helper | None = None
        self._inner: Controller = controllers.Idle()
        number = entrants.own_seed(seed, entrant.name, seat)
        if entrants.is_own(entrant):
            self._helper = _Helper()
            self._charging(1, lambda: self._make(number))
        else:
            self._make(number)
            # Who asks before others plan, as language models do, keeps a deadline of its own.
            if not entrants.is_trusted(entrant) and not hasattr(self._inner, "begin"):
                self._helper = _Helper()
        if self._inner.code == kinds.RULE_AI and self.forfeit is None:
            self.code = kinds.RULE_AI

    def begin(self, season: Any, nations: NDArray[Any]) -> None:
        """Let a controller begin that wants to."""
        begin = getattr(self._inner, "begin", None)
        if begin is not None and self.forfeit is None:
            self._charging(season.turn + 1, lambda: begin(season, nations))

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
        stop = getattr(self._inner, "stop", None)
        if stop is not None:
            stop()

    def close(self) -> None:
        """Let the thread go."""
        if self._helper is not None:
            self._helper.close()

    def _make(self, number: int) -> None:
        if self._helper is None:
            self._inner = entrants.make(self._entrant, number)
            return
        with self._around(self._seat, 1, PREPARING_SECONDS):
            self._inner = self._helper.do(lambda: entrants.make(self._entrant, number), PREPARING_SECONDS)
        if hasattr(self._inner, "begin"):
            self._helper.close()
            self._helper = None

    def _fill(self, world: World, rules: Rules, nations: NDArray[Any], turn: int) -> None:
        if self._helper is None:
            self._inner.fill(world, rules, nations)
            return
        if self._copy is None:
            self._copy = copy_world(world)
        copy = self._copy
        assign_world(copy, world)
        with self._around(self._seat, turn, self._seconds):
            self._helper.do(lambda: self._inner.fill(copy, rules, nations.copy()), self._seconds)
        length = int(copy.nations["plan_length"][self._seat])
        if not 0 <= length <= PLAN_LENGTH:
            raise ValueError(f"plan_length is {length}; a plan has 0..{PLAN_LENGTH} commands")
        world.plans[self._seat] = copy.plans[self._seat]
        for name in ("plan_length", "cut"):
            world.nations[name][self._seat] = copy.nations[name][self._seat]

    def _charging(self, turn: int, act: Callable[[], None]) -> None:
        """Do something that an entrant is charged for if it fails."""
        try:
            act()
        except _TooLateError as late:
            self.hung = True
            self._charge(turn, str(late))
        except Exception as error:
            if (
                self._helper is None
                and not entrants.is_own(self._entrant)
                and isinstance(error, ControllerError)
            ):
                raise  # no key, no model: nothing that it did in this season
            self._charge(turn, _said(error))

    def _charge(self, turn: int, reason: str) -> None:
        self.forfeit = Forfeit(self._seat, self._entrant.name, turn, reason)


def _said(error: BaseException) -> str:
    """What was raised, in one line that is the same every time."""
    kind = "" if isinstance(error, _QuitError) else f"{type(error).__name__}: "
    text = " ".join(_ADDRESS.sub("0x...", f"raised {kind}{error}").split())
    return text.removesuffix(":")[:_LONGEST_REASON]


class _QuitError(Exception):
    """What was raised in the thread is no `Exception`: SystemExit, say."""


class _Helper:
    """A thread that does one thing after another and can be given up."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        Thread(target=self._work, daemon=True, name="entrant").start()

    def do(self, act: Callable[[], Any], seconds: float) -> Any:
        """What ``act`` gives, or raises.

        Raises:
            _TooLateError: it took too long; the thread must not be used again.
        """
        self._asked.put(act)
        try:
            given, error = self._done.get(timeout=seconds)
        except Empty:
            raise _TooLateError(f"took longer than {seconds:g} s") from None
        if isinstance(error, Exception):
            raise error
        if error is not None:
            raise _QuitError(f"{type(error).__name__}: {error}") from error
        return given

    def close(self) -> None:
        """Let the thread end once it is through."""
        self._asked.put(None)

    def _work(self) -> None:
        while (act := self._asked.get()) is not None:
            try:
                self._done.put((act(), None))
            except BaseException as error:  # SystemExit of an entrant ends its season, not the thread
                self._done.put((None, error))
