"""What is remembered of a nation's turns: enough to go on from a transcript as if nothing had stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hakoenv.agents.llm.budget import Usage
from hakoenv.agents.llm.wake import Outlook

ABANDONED = "abandoned"  # outcome of a turn that was stopped while the model was asked
NOT_ASKED = "not_asked"
PLAN = "plan"
PLANNED, QUEUED, EMPTY = "planned", "queued", "empty"  # how a turn began


@dataclass
class Remembered:
    """What a turn left behind.

    Attributes:
        asked: whether the model was asked for it.
        outcome: how the asking ended.
        began: `planned`, `queued` or `empty`: with a plan just given, on the queue, with none.
        commands: of the answer that were taken.
        refused: of the answer that were not.
        notes: the model's notes after it.
        told: what of its answer was not played; it hears of that when it is asked again.
        outlook: how the nation stood before it.
    """

    asked: bool
    notes: str
    told: list[str]
    outlook: Outlook
    outcome: str = ""
    began: str = ""
    commands: int = 0
    refused: int = 0


@dataclass
class Memory:
    """One nation's memory.

    A turn that was taken back and played again counts once, as it was played last; but what its calls have
    used was used, and how they failed stays.

    Attributes:
        turns: what each turn left, by turn.
        used: all that was ever used, turns taken back or stopped included.
        failures: how often answers and calls failed how, likewise.
        last_failure: what was said of the last of them.
    """

    turns: dict[int, Remembered] = field(default_factory=dict)
    used: Usage = field(default_factory=Usage)
    failures: dict[str, int] = field(default_factory=dict)
    last_failure: str = ""

    def outcomes(self) -> dict[str, int]:
        """How often turns that were asked about ended how."""
        return Counter(kept.outcome for kept in self.turns.values() if kept.asked)

    def began(self, how: str) -> int:
        """How many turns began `planned`, `queued` or `empty`."""
        return sum(kept.began == how for kept in self.turns.values())

    def before(self, coming: int) -> Remembered:
        """What the turn before the coming one left."""
        return self.turns.get(coming - 1, Remembered(False, "", [], Outlook()))

    def last_asked(self, coming: int) -> int | None:
        """The last turn before the coming one for which the model was asked."""
        return max((turn for turn, kept in self.turns.items() if kept.asked and turn < coming), default=None)

    def last_answered(self, coming: int) -> int | None:
        """The last turn before the coming one for which an answer held: what was told then has been read."""
        answered = (turn for turn, kept in self.turns.items() if kept.outcome == PLAN and turn < coming)
        return max(answered, default=None)

    def forget_from(self, coming: int) -> None:
        """Forget what turns left that are to be played again."""
        self.turns = {turn: kept for turn, kept in self.turns.items() if turn < coming}

    def take(self, line: Mapping[str, Any]) -> None:
        """Take in what a line of a transcript says of a turn."""
        for call in line["calls"]:
            self.used.add(usage_of(call))
            if call["failure"]:
                self.failures[call["failure"]] = self.failures.get(call["failure"], 0) + 1
                self.last_failure = call["why"]
        outcome = line["outcome"]
        if outcome == ABANDONED:
            return
        given = outcome == PLAN and line["mode"] != "keep"
        self.turns[line["turn"]] = Remembered(
            line["asked"],
            line["notes"],
            list(line["told"]),
            Outlook(frozenset(line["enemies"]), frozenset(line["offers"])),
            outcome,
            EMPTY if line["queue"] == 0 else PLANNED if given else QUEUED,
            len(line["commands"]),
            len(line["rejected"]),
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
