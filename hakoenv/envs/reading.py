"""What agents hand in: actions as rows of numbers, and sentences about what can't be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.world import World
from hakoenv.envs.actions import FRONT, REPLACE, count_commands
from hakoenv.envs.options import as_row
from hakoenv.obs.menu import Menu

Warnings = dict[str, list[str]]


def rows_of(actions: Any, agents: Sequence[str], length: int) -> tuple[NDArray[np.int64], Warnings]:
    """The agents' actions as rows of ``length``, and a sentence for each one that can't be used."""
    given = actions if isinstance(actions, Mapping) else {}
    rows = np.zeros((len(agents), length), np.int64)  # all 0: keep the queue
    warnings: Warnings = {}
    for place, agent in enumerate(agents):
        action = given.get(agent)
        if action is None:
            warnings[agent] = ["no action was given: the queue goes on"]
            continue
        row = as_row(action, length)
        if row is None:
            warnings[agent] = [f"ignored an action that is no whole-number array of shape ({length},)"]
        else:
            rows[place] = row
    strangers = [key for key in given if key not in agents]
    for agent in agents if strangers else ():
        names = ", ".join(str(key)[:40] for key in strangers[:5])
        warnings.setdefault(agent, []).append(f"ignored the action of {names}: no such agent is there")
    return rows, warnings


def warn_of_lost_commands(
    world: World,
    menu: Menu,
    agents: Sequence[str],
    seats: NDArray[np.int64],
    rows: NDArray[np.int64],
    cells: NDArray[np.int32],
    warnings: Warnings,
) -> None:
    """Add a sentence where commands reach no plan: a mode that keeps the queue, idle heads."""
    counts = np.zeros((len(seats), 2), np.int64)
    count_commands(world, menu.table, seats, rows, cells, counts)
    keeps = (rows[:, 0] < FRONT) | (rows[:, 0] > REPLACE)
    for place in np.flatnonzero((counts[:, 0] > 0) & (keeps | (counts[:, 1] < counts[:, 0]))).tolist():
        given, meant = counts[place]
        sentences = warnings.setdefault(agents[place], [])
        if keeps[place]:
            sentences.append(f"mode {rows[place, 0]} keeps the queue; commands ignored: {given}")
        else:
            sentences.append(f"{given - meant} of {given} commands name no verb, place, nation or value")
