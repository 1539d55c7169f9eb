"""Who can drive a nation: controllers by name.

A controller writes plans. Built-in ones are listed here by the place of their factory, so that the
engine imports none of them; others come from the entry-point group ``hakoenv.controllers``.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol

from numpy.typing import NDArray

from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

ENTRY_POINTS = "hakoenv.controllers"
EXTERNAL = "external"
_BUILT_IN = {
    "random": "hakoenv.agents.random:controller",
    "rule_ai": "hakoenv.agents.rule_ai:controller",
}


class ControllerError(ValueError):
    """No such controller, or it can't be loaded; one sentence."""


class Controller(Protocol):
    """What the season driver asks of a controller.

    Attributes:
        code: `hakoenv.engine.codes.controller`: what the rules of AI nations see in it.
    """

    code: int

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plans of the living ``nations`` (seat numbers) from what each may see."""


class External:
    """A nation whose plan somebody else has put into the World: it is left as it is (TURN-002)."""

    code = kinds.EXTERNAL

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Leave the plans alone."""


class Idle:
    """A nation that never orders anything, so that it fundraises every turn."""

    code = kinds.EXTERNAL

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Empty the plans."""
        world.nations["plan_length"][nations] = 0


def names() -> list[str]:
    """Every controller that can be named, in alphabetical order."""
    return sorted({*_places(), EXTERNAL, "idle"})


def get(name: str) -> Controller:
    """A new controller.

    Raises:
        ControllerError: unknown name (the message has the nearest ones), or its package is missing.
    """
    if name == EXTERNAL:
        return External()
    if name == "idle":
        return Idle()
    if name in _places():
        return _build(name, _places()[name])
    known = names()
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise ControllerError(f"unknown controller {name!r}; {hint}there are {', '.join(known)}")


@cache
def _places() -> dict[str, str]:
    """Where the factory of each controller stands, as ``module:name``; looked up once."""
    return {**_BUILT_IN, **{entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}}


def _build(name: str, place: str) -> Controller:
    module, _, factory = place.partition(":")
    try:
        made: Controller = getattr(import_module(module), factory)()
    except ImportError as error:
        raise ControllerError(f"controller {name!r} can't be loaded ({error})") from error
    return made
