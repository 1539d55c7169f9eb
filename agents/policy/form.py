"""What a policy was trained with: the shape of its observations and actions, kept beside its weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import pieces
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import Rules, Ruleset

CELLS = pieces.CELLS
NATIONS = pieces.NATIONS
WHOLE = ("own", "stocks", "clock", "market", "counts", "corps", "fleets")  # read as one long row
LISTS = ("cells", "nations", "units", "ships")  # read entry by entry
READ = (*WHOLE, *LISTS)
"""The pieces of an observation that the network reads; trade and bonds are left out: weights outlive them."""


@dataclass(frozen=True)
class Form:
    """How a policy sees and acts.

    Attributes:
        verbs: names of the verbs of its actions, in order.
        commands_per_turn: commands in an action.
    """

    verbs: tuple[str, ...]
    commands_per_turn: int = 8

    @classmethod
    def of(cls, space: PlanSpace) -> Form:
        """The form of an action space's actions."""
        return cls(tuple(verb.name for verb in space.menu.verbs), space.commands_per_turn)

    def menu(self, rules: Ruleset | Rules, seats: int) -> Menu:
        """The menu that its actions refer to.

        Raises:
            ValueError: a verb of its is not known any more.
        """
        return Menu(rules, seats, self.verbs)

    @property
    def length(self) -> int:
        """Numbers in an action."""
        return 1 + HEADS * self.commands_per_turn

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for a file."""
        return asdict(self)
