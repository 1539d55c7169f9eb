"""Plans of controllers in many worlds (phase 1), as the season driver has them written in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.controllers import Controller, External
from hakoenv.engine import proxy
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.handles import one_of
from hakoenv.engine.season import AUTHORS
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

_AUTHORS = np.array([AUTHORS[kind] for kind in range(len(kinds.NAMES))], np.uint8)


class Seated(NamedTuple):
    """A controller and its nations.

    Attributes:
        name: for errors.
        driver: the controller.
        whose: bool (E, N): the nations that it plans for.
    """

    name: str
    driver: Controller
    whose: NDArray[np.bool_]


def fill_plans(worlds: World, rules: Rules, seated: Sequence[Seated]) -> None:
    """Let controllers write the coming turn's plans; each nation is driven by the last that names it.

    The rules take a nation for what its controller is, and so the plan's author and the rule AI's memory say.

    Raises:
        Exception: whatever a controller raises, with a note of the world and the nations.
    """
    nations = worlds.nations
    for _, driver, whose in seated:
        nations["controller"][whose] = driver.code
    proxy.note_steps(worlds, np.arange(nations.shape[1]))
    nations["author"] = _AUTHORS[nations["controller"]]
    for who in seated:
        if not isinstance(who.driver, External):
            _fill(worlds, rules, who)


def _fill(worlds: World, rules: Rules, seated: Seated) -> None:
    """Let one controller plan: in all worlds at once if it can, else world by world."""
    name, driver, whose = seated
    at_once: Any = getattr(driver, "fill_worlds", None)
    if at_once is not None:
        at_once(worlds, rules, whose)
        if driver.code != kinds.LLM:
            return
    living = whose & (worlds.nations["alive"] == 1)
    for i in np.flatnonzero(living.any(axis=1)).tolist():
        world, seats = one_of(worlds, i), np.flatnonzero(living[i])
        if at_once is None:
            try:
                driver.fill(world, rules, seats)
            except Exception as error:
                names = ", ".join(f"nation_{n}" for n in seats)
                error.add_note(f"raised by controller {name!r}, planning for {names} of world {i}")
                raise
        if driver.code == kinds.LLM:
            proxy.stand_in(world, rules, seats)
