"""A trained policy as a controller of the season driver: `policy:PATH`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from hakoenv.agents.policy import checkpoint, features, sampling
from hakoenv.agents.policy.form import READ
from hakoenv.agents.policy.network import PlanNetwork
from numpy.typing import NDArray

from hakoenv import controllers
from hakoenv.engine import chance
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.envs.actions import apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu_draft import HEADS
from hakoenv.obs.spec import CELL_INDEX, Spec
from hakoenv.ruleset import Rules


class PolicyPlayer:
    """Plans for its nations with a network; legal plans only. What it draws is decided by the world's seed.

    Args:
        network: what is asked.
        greedy: takes each head's likeliest value instead of drawing.
        name: what saves call it, as `hakoenv.controllers.get` knows it.
    """

    code = kinds.EXTERNAL  # the rules for AI nations are not its

    def __init__(self, network: PlanNetwork, greedy: bool = False, name: str | None = None) -> None:
        self.network = network
        self.greedy = greedy
        self.registered_name = name
        self._made_for: tuple[Rules, int] | None = None

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plans of ``nations`` (seat numbers) from what each may see."""
        with _one_thread():
            self._fill(world, rules, nations)

    def _fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        self._prepare(rules, len(world.nations))
        seats = np.ascontiguousarray(nations, dtype=np.int64)
        seen, menus = self._buffers
        self._spec.fill(world, rules, seen, seats)
        self._menu.fill(world, rules, seen[CELL_INDEX], menus, seats)
        read = features.read({name: seen[name][seats] for name in READ})
        luck = None
        if not self.greedy:
            luck = np.zeros((len(seats), self.network.form.commands_per_turn, HEADS))
            draw_luck(world, seats, luck)
        plans = sampling.choose(self.network, read, menus, seats, self._space, self._needs, luck)
        apply(world, rules, self._menu, seats, plans.actions, seen[CELL_INDEX])

    def _prepare(self, rules: Rules, seats: int) -> None:
        """Make what shows the world to nations, once for a ruleset and a number of nations."""
        if self._made_for is not None and self._made_for[0] is rules and self._made_for[1] == seats:
            return
        form = self.network.form
        self._spec, self._menu = Spec(rules, seats), form.menu(rules, seats)
        self._space = PlanSpace(self._menu, form.commands_per_turn)
        self._needs = sampling.Needs.of(self._space)
        self._buffers = self._spec.buffers(), self._menu.buffers()
        self._made_for = rules, seats


@contextmanager
def _one_thread() -> Iterator[None]:
    """Plans of a few nations are too little work for more threads.

    With one they come out the same on machines of one kind. On other kinds the last digits of logits may
    differ, and so, seldom, a choice: torch's libraries choose their instructions by the processor.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@kernel
def draw_luck(world: World, nations: Any, luck: Any) -> None:
    """Numbers of [0, 1) for the heads of each nation's plan of the coming turn."""
    clock = world.clock[0]
    for i in range(luck.shape[0]):
        for k in range(luck.shape[1]):
            for head in range(luck.shape[2]):
                index = k * luck.shape[2] + head
                draw = chance.draw_at(np.uint64(clock.seed), clock.turn, chance.CONTROLLER, nations[i], index)
                luck[i, k, head] = (draw >> np.uint64(11)) * (1.0 / (1 << 53))


def controller(path: str = "") -> PolicyPlayer:
    """The policy of a checkpoint, as the controllers' registry names it ``policy:PATH``.

    Raises:
        hakoenv.controllers.ControllerError: no path, or the file is no policy.
    """
    if not path:
        raise controllers.ControllerError("controller 'policy' needs a checkpoint: policy:PATH")
    try:
        return PolicyPlayer(checkpoint.load(path), name=f"policy:{path}")
    except checkpoint.CheckpointError as error:
        raise controllers.ControllerError(str(error)) from error
