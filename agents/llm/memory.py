"""What is remembered of a nation's turns: enough to go on from a transcript as if nothing had stopped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hakoenv.agents.llm.budget import Usage
from hakoenv.agents.llm.wake import Outlook

ABANDONED = "abandoned"  # outcome of a turn that was stopped while the model was asked
NOT_ASKED = "not_asked"
PLAN = "plan"


@dataclass
class Remembered:
    """What a turn left behind.

    Attributes:
        asked: whether the model was asked for it.
        notes: the model's notes after it.
        told: what of its answer was not played; it hears of that when it is asked again.
        outlook: how the nation stood before it.
    """

    asked: bool
    notes: str
    told: list[str]
    outlook: Outlook


@dataclass
class Memory:
    """One nation's memory.

    Attributes:
        turns: what each turn left, by turn.
        used: all that was ever used, turns taken back or stopped included.
        outcomes: how often turns ended how.
        failures: how often answers and calls failed how.
        empty, queued, planned: turns that began with no plan, on the queue, and with a plan just given.
        refused: commands of answers that were not played.
    """

    turns: dict[int, Remembered] = field(default_factory=dict)
    used: Usage = field(default_factory=Usage)
    outcomes: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    planned: int = 0
    queued: int = 0
    empty: int = 0
    commands: int = 0
    refused: int = 0

    def before(self, coming: int) -> Remembered:
        """What the turn before the coming one left."""
        return self.turns.get(coming - 1, Remembered(False, "", [], Outlook()))

    def last_asked(self, coming: int) -> int | None:
        """The last turn before the coming one for which the model was asked."""
        return max((turn for turn, kept in self.turns.items() if kept.asked and turn < coming), default=None)

    def forget_from(self, coming: int) -> None:
        """Forget what turns left that are to be played again."""
        self.turns = {turn: kept for turn, kept in self.turns.items() if turn < coming}

    def take(self, line: Mapping[str, Any]) -> None:
        """Take in what a line of a transcript says of a turn."""
        for call in line["calls"]:
            self.used.add(usage_of(call))
            if call["failure"]:
                self.failures[call["failure"]] = self.failures.get(call["failure"], 0) + 1
        outcome = line["outcome"]
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        if outcome == ABANDONED:
            return
        given = outcome == PLAN and line["mode"] != "keep"
        self.planned += given and line["queue"] > 0
        self.queued += not given and line["queue"] > 0
        self.empty += line["queue"] == 0
        self.commands += len(line["commands"])
        self.refused += len(line["rejected"])
        self.turns[line["turn"]] = Remembered(
            line["asked"],
            line["notes"],
            list(line["told"]),
            Outlook(frozenset(line["enemies"]), frozenset(line["offers"])),
        )

    @classmethod
    def of(cls, lines: Iterable[Mapping[str, Any]]) -> Memory:
        """The memory that these lines leave."""
        memory = cls()
        for line in lines:
            memory.take(line)
        return memory


def usage_of(call: Mapping[str, Any]) -> Usage:
    """What a call of a transcript has used."""
    return Usage(**call["usage"])
