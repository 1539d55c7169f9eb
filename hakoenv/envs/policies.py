"""Nations that a policy of the caller's governs: what it is asked, and what an answer may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.controllers import Policy, is_policy
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.commands import table
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.envs.actions import apply
from hakoenv.envs.briefings import Briefings
from hakoenv.envs.options import as_row, at_least_1, verbs_of, views_of
from hakoenv.obs.menu_draft import HEADS
from hakoenv.obs.spec import LISTS
from hakoenv.ruleset import Rules


def ask(policy: Policy, observation: dict[str, Any], nation: int, turn: int, length: int) -> NDArray[Any]:
    """The action that a policy gives its nation for a coming turn, as a row; None keeps the queue.

    Whatever the policy raises goes on to the caller, with a note of the turn and the nation.

    Raises:
        ValueError: it gave something that is no action.
    """
    try:
        action = policy(observation)
    except Exception as error:
        error.add_note(f"raised by the policy of nation_{nation}, asked for turn {turn}")
        raise
    if action is None:
        return np.zeros(length, np.int64)
    row = as_row(action, length)
    if row is None:
        raise ValueError(
            f"controllers: the policy of nation_{nation} gave {repr(action)[:100]} for turn {turn}; "
            f"an action is a whole-number array of shape ({length},), or None to keep the queue"
        )
    return row


class PolicyController:
    """Drives nations by a policy that sees and acts in a form of its own, whatever form the environment has.

    Args:
        policy: gets a nation's observation with its `action_mask`, gives an action, or None to keep the
            queue. It may be asked for several nations.
        commands_per_turn, observation, cells, commands: as for `hakoenv.parallel_env`: what the policy was
            trained with.

    Raises:
        ValueError: an argument is impossible.
    """

    code = kinds.EXTERNAL  # the rules for AI nations are not its

    def __init__(
        self,
        policy: Policy,
        *,
        commands_per_turn: int = 8,
        observation: str | Sequence[str] = "cells",
        cells: str = "list",
        commands: str | Sequence[str] = "all",
    ) -> None:
        if not is_policy(policy):
            raise ValueError(f"policy={policy!r} can't be asked: give a function of an observation")
        if cells not in LISTS:
            raise ValueError(f"cells={cells!r} must be one of {', '.join(LISTS)}")
        table.select(verbs_of(commands))
        self.policy = policy
        self._length = 1 + HEADS * at_least_1("commands_per_turn", commands_per_turn, PLAN_LENGTH)
        self._form: tuple[Any, ...] = views_of(observation), cells, verbs_of(commands)
        self._rules: Rules | None = None
        self._briefings: Briefings | None = None

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plans of ``nations`` (seat numbers) from what each may see."""
        briefings = self._prepared(rules, len(world.nations))
        seen, allowed = briefings.take(world, rules)
        turn = int(world.clock["turn"][0]) + 1
        rows = np.zeros((len(nations), self._length), np.int64)
        for row, nation in zip(rows, nations.tolist(), strict=True):
            row[:] = ask(self.policy, briefings.of(seen, allowed, nation), nation, turn, self._length)
        seats = np.ascontiguousarray(nations, dtype=np.int64)
        apply(world, rules, briefings.menu, seats, rows, seen["cell_index"])

    def _prepared(self, rules: Rules, seats: int) -> Briefings:
        """The briefings of a game, made once."""
        if self._briefings is None or self._rules is not rules or self._briefings.spec.seats != seats:
            self._rules, self._briefings = rules, Briefings(rules, seats, *self._form)
        return self._briefings

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is made anew when it is needed."""
        return {**self.__dict__, "_rules": None, "_briefings": None}
