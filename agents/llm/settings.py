"""How a language model is asked: all that decides the bytes of a prompt and when there is one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hakoenv.agents.llm import wake

from hakoenv.controllers import ControllerError
from hakoenv.obs.language.answers import NOTES_LONGEST

HINTS = ("none", "names", "full")
STRUCTURED = ("auto", "json_schema", "json_object", "text")


class SettingsError(ControllerError):
    """A setting that can't be; one sentence that names it and what is allowed."""


@dataclass(frozen=True)
class Settings:
    """How a model is asked.

    Attributes:
        hints: what the prompt says is legal now: `none`, `names` of commands, or `full`, with examples.
        commands: groups, commands or verbs that may be used, with commas: `all`, `economy`, `farm,research`.
        text_characters: most characters of the text view in a prompt.
        notes_characters: most characters that a model may note for itself; 0 for no notes.
        decide_every: a model is asked every so many turns; in between its plan goes on.
        wake_on: for what it is asked besides (`wake.REASONS`).
        tool_calls: most calls of tools in a turn; 0 offers none.
        answers_per_turn: how often a model may answer in a turn until a command of it is legal.
        transport_tries: how often a call that fails on the way is tried.
        structured: the first rung of structured output that is tried; `auto` begins with json_schema.
        temperature, seed: given to the endpoint; None leaves them out.
        japanese: whether terms stand in Japanese behind the English ones.
    """

    hints: str = "full"
    commands: str = "all"
    text_characters: int = 24_000
    notes_characters: int = 1_000
    decide_every: int = 1
    wake_on: tuple[str, ...] = wake.REASONS
    tool_calls: int = 0
    answers_per_turn: int = 2
    transport_tries: int = 3
    structured: str = "auto"
    temperature: float | None = None
    seed: int | None = None
    japanese: bool = False

    def __post_init__(self) -> None:
        _one_of("hints", self.hints, HINTS)
        _one_of("structured", self.structured, STRUCTURED)
        for reason in self.wake_on:
            _one_of("wake_on", reason, wake.REASONS)
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise SettingsError(f"{name}={value!r} must be a whole number of {least}..{most}")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """Settings from a mapping, as it stands in a file.

        Raises:
            SettingsError: a name or value that can't be.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        for name in given:
            if name not in known:
                raise SettingsError(f"{name!r} is no setting; there are {', '.join(sorted(known))}")
        values = dict(given)
        if "wake_on" in values:
            reasons = values["wake_on"]
            values["wake_on"] = (reasons,) if isinstance(reasons, str) else tuple(reasons)
        if isinstance(values.get("commands"), list | tuple):
            values["commands"] = ",".join(values["commands"])
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {**dataclasses.asdict(self), "wake_on": list(self.wake_on)}


_RANGES = (
    ("text_characters", 500, 1_000_000),
    ("notes_characters", 0, NOTES_LONGEST),
    ("decide_every", 1, 1_000),
    ("tool_calls", 0, 100),
    ("answers_per_turn", 1, 10),
    ("transport_tries", 1, 10),
)


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingsError(f"{name}={value!r} must be one of {', '.join(allowed)}")
