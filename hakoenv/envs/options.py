"""What the arguments of an environment may be, and what an action may look like."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv import controllers as registry
from hakoenv.controllers import Driver
from hakoenv.engine.season import SeasonError
from hakoenv.obs.spec import VIEWS

RENDER_MODES = ("human", "ansi", "rgb_array")


def drivers_of(given: Mapping[str, Driver], seats: int) -> list[Driver]:
    """Who drives each seat; at least one nation must be an agent's.

    Raises:
        SeasonError: a nation that there is not, something that drives none, or none is left for an agent.
    """
    if not isinstance(given, Mapping):
        raise SeasonError(f"controllers={given!r}: give a mapping such as {{'nation_1': 'rule_ai'}}")
    drivers: list[Driver] = [registry.EXTERNAL] * seats
    for agent, driver in given.items():
        seat = seat_of(agent, seats)
        if seat is None:
            raise SeasonError(f"controllers: {agent!r} is none of nation_0 .. nation_{seats - 1}")
        if not isinstance(driver, str) and (fault := registry.fault_of(driver)):
            raise SeasonError(f"controllers: {agent} is driven by {driver!r}; {fault}")
        drivers[seat] = driver
    if registry.EXTERNAL not in [registry.name_of(driver) for driver in drivers]:
        raise SeasonError("controllers drive every nation, so there is no agent; leave one out")
    return drivers


def views_of(observation: str | Sequence[str]) -> tuple[str, ...]:
    """The views of an observation.

    Raises:
        ValueError: none, or one that there is not.
    """
    views = names_of(observation) or ()
    if not views or len(set(views)) < len(views) or any(view not in VIEWS for view in views):
        raise ValueError(f"observation={observation!r}: use {' or '.join(VIEWS)}, or a tuple of them")
    return views


def verbs_of(commands: str | Iterable[str]) -> str | tuple[str, ...]:
    """The choice of verbs, in a form that can be kept; which names there are is the table's to say.

    Raises:
        ValueError: neither a name nor names.
    """
    names = names_of(commands)
    if names is None:
        raise ValueError(
            f"commands={commands!r}: use all, economy, war..., a command's name, or a list of them"
        )
    return commands if isinstance(commands, str) else names


def names_of(given: Any) -> tuple[str, ...] | None:
    """One name or several, as a tuple; None if it is neither."""
    if isinstance(given, str):
        return (given,)
    names = tuple(given) if isinstance(given, Iterable) else (None,)
    return names if all(isinstance(name, str) for name in names) else None


def at_least_1(name: str, value: Any, most: int | None = None) -> int:
    """A whole number of at least 1, and at most ``most`` if that is given.

    Raises:
        ValueError: it is none; the message names it.
    """
    return at_least(1, name, value, most)


def at_least(least: int, name: str, value: Any, most: int | None = None) -> int:
    """A whole number of at least ``least``, and at most ``most`` if that is given.

    Raises:
        ValueError: it is none; the message names it.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least or isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}={value!r} must be a whole number of at least {least}")
    if most is not None and number > most:
        raise ValueError(f"{name}={value!r} must be a whole number of {least}..{most}")
    return number


def render_mode_of(mode: str | None) -> str | None:
    """A render mode.

    Raises:
        ValueError: there is no such mode.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: use {', '.join(RENDER_MODES)} or None")
    return mode


def as_row(action: Any, length: int) -> NDArray[Any] | None:
    """An action as an array of ``length`` whole numbers; None if it is none."""
    try:
        row = np.asarray(action)
    except Exception:  # whatever an object does when it is asked for its numbers
        return None
    return row if row.dtype.kind in "iu" and row.shape == (length,) else None


def seat_of(agent: object, seats: int) -> int | None:
    """The seat of a nation's name, `nation_3`; None if there is no such nation."""
    names = (f"nation_{seat}" for seat in range(seats))
    return next((seat for seat, name in enumerate(names) if isinstance(agent, str) and agent == name), None)
