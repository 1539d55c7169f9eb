"""Who can drive a nation: controllers by name, a policy of the caller's, or a controller of the caller's.

A controller writes plans. Built-in ones are listed here by the place of their factory, so that the
engine imports none of them; others come from the entry-point group ``hakoenv.controllers``. How to write
one: docs/controllers.md.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeAlias, TypeGuard

from numpy.typing import NDArray

from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

ENTRY_POINTS = "hakoenv.controllers"
EXTERNAL = "external"
OWN_POLICY = "own_policy"  # what a season calls a policy of the caller's
OWN_CONTROLLER = "own_controller"  # likewise a controller object of the caller's
_POLICY_CONTROLLER = "hakoenv.envs.policies:PolicyController"
_BUILT_IN = {
    "llm": "hakoenv.agents.llm:controller",
    "policy": "hakoenv.agents.policy:controller",
    "random": "hakoenv.agents.random:controller",
    "rule_ai": "hakoenv.agents.rule_ai:controller",
}


class ControllerError(ValueError):
    """No such controller, or it can't be loaded; one sentence."""


class StoppedError(Exception):
    """A controller that waited for something was told to stop; the turn is not played."""


class Controller(Protocol):
    """What the season driver asks of a controller.

    It may have more. ``begin(season, nations)`` is called before anybody writes a plan, with the season and
    the living nations it is to `fill`: for what works while others plan. ``stop()`` may be called from a
    signal handler while it waits; `fill` then raises `StoppedError`. `registered_name` is what saves call it
    and `get` makes it from.

    Attributes:
        code: `hakoenv.engine.codes.controller`: what the rules of AI nations see in it.
    """

    code: int

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plans of the living ``nations`` (seat numbers) from what each may see."""


Policy: TypeAlias = Callable[[dict[str, Any]], Any]
"""Gets what an agent gets, the observation of its nation with the `action_mask`, and gives an action."""

Driver: TypeAlias = str | Policy | Controller
"""What may be said to drive a nation."""


class External:
    """A nation whose plan somebody else has put into the World: it is left as it is (TURN-002)."""

    code = kinds.EXTERNAL

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Leave the plans alone."""


class Asked(External):
    """A nation whose policy an environment asks itself, before the turn."""


class Idle:
    """A nation that never orders anything, so that it fundraises every turn."""

    code = kinds.EXTERNAL

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Empty the plans."""
        world.nations["plan_length"][nations] = 0


def names() -> list[str]:
    """Every controller that can be named, in alphabetical order."""
    return sorted({*_places(), EXTERNAL, "idle"})


def name_of(driver: Driver) -> str:
    """What a season, its result and its saves call a driver: its name, `own_policy` or `own_controller`."""
    if isinstance(driver, str):
        return driver
    if isinstance(driver, Asked) or is_policy(driver):
        return OWN_POLICY
    name = getattr(driver, "registered_name", None)
    return name if isinstance(name, str) else OWN_CONTROLLER


def is_controller(what: object) -> TypeGuard[Controller]:
    """Whether something is an object with the protocol of `Controller`."""
    fills, code = callable(getattr(what, "fill", None)), getattr(what, "code", None)
    return fills and not isinstance(what, type) and code in range(len(kinds.NAMES))


def is_policy(what: object) -> TypeGuard[Policy]:
    """Whether something can be asked for actions: a function or an object that can be called."""
    return callable(what) and not isinstance(what, type) and not hasattr(what, "fill")


def get(driver: Driver) -> Controller:
    """A controller: a new one for a name or a policy, the object itself if it is one.

    A name may have an argument for the controller's factory behind a colon: `llm:MODEL`.

    Raises:
        ControllerError: unknown name (the message has the nearest ones), an argument that its factory does
            not take, or its package is missing; an object that is neither a policy nor a controller.
    """
    if not isinstance(driver, str):
        return _of_object(driver)
    name = driver
    if name in (OWN_POLICY, OWN_CONTROLLER):
        what = name.removeprefix("own_")
        raise ControllerError(
            f"{name!r} stands for a {what} of the caller's, which no save holds: give it to "
            "Season.load(path, agents=...)"
        )
    if name == EXTERNAL:
        return External()
    if name == "idle":
        return Idle()
    base, colon, argument = name.partition(":")
    if base in _places() and bool(colon) == bool(argument):
        return _build(name, _places()[base], *([argument] if argument else []))
    known = names()
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise ControllerError(f"unknown controller {name!r}; {hint}there are {', '.join(known)}")


def fault_of(what: object) -> str:
    """What to give instead of an object that drives nothing; empty if it is a policy or a controller."""
    if is_controller(what) or is_policy(what):
        return ""
    if isinstance(what, type):
        return f"it is a class: give an object of it, {what.__name__}(...)"
    if hasattr(what, "fill"):
        return f"a controller has a `fill` to call and a `code` of 0..{len(kinds.NAMES) - 1}"
    return "give the name of a controller, a policy (a function of an observation) or a controller"


def _of_object(what: object) -> Controller:
    if is_controller(what):
        return what
    if is_policy(what):
        return _build(OWN_POLICY, _POLICY_CONTROLLER, what)
    raise ControllerError(f"nobody is driven by {what!r}; {fault_of(what)}")


@cache
def _places() -> dict[str, str]:
    """Where the factory of each controller stands, as ``module:name``; looked up once."""
    return {**_BUILT_IN, **{entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}}


def _build(name: str, place: str, *arguments: Any) -> Controller:
    module, _, attribute = place.partition(":")
    try:
        factory: Callable[..., Controller] = getattr(import_module(module), attribute)
    except ImportError as error:
        raise ControllerError(f"controller {name!r} can't be loaded ({error})") from error
    try:
        inspect.signature(factory).bind(*arguments)
    except TypeError:
        raise ControllerError(f"controller {name!r}: {name.partition(':')[0]} takes no argument") from None
    try:
        return factory(*arguments)
    except ImportError as error:
        raise ControllerError(f"controller {name!r} can't be loaded ({error})") from error
