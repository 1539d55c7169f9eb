"""How a language model is asked: all that decides the bytes of a prompt and when there is one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

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
    wake_on: tuple[str, ...] = wake.USUAL
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
        if not isinstance(self.commands, str):
            raise SettingsError(f"commands={self.commands!r} must be names of commands, with commas")
        for reason in self.wake_on:
            _one_of("wake_on", reason, wake.REASONS)
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise SettingsError(f"{name}={value!r} must be a whole number of {least}..{most}")
        heat, seed = self.temperature, self.seed
        number = isinstance(heat, int | float) and not isinstance(heat, bool)
        if heat is not None and not (number and 0 <= heat < 100):
            raise SettingsError(f"temperature={heat!r} must be a number of 0 or more, below 100")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise SettingsError(f"seed={seed!r} must be a whole number")
        if not isinstance(self.japanese, bool):
            raise SettingsError(f"japanese={self.japanese!r} must be true or false")

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
            if not isinstance(reasons, str | list | tuple):
                raise SettingsError(f"wake_on={reasons!r} must be a list of {', '.join(wake.REASONS)}")
            values["wake_on"] = (reasons,) if isinstance(reasons, str) else tuple(reasons)
        named = values.get("commands")
        if isinstance(named, list | tuple) and all(isinstance(name, str) for name in named):
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
_ADDRESS = 2000  # characters
_SHOWN = 60


def check_address(text: str, name: str = "base_url") -> None:
    """See that an endpoint's address can be one.

    Args:
        text: the address.
        name: where it was said.

    Raises:
        SettingsError: it can't.
    """
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets, a port that is none
        good = False
    odd = any(sign.isspace() or not sign.isprintable() or sign == "\\" for sign in text)
    if not good or odd or len(text) > _ADDRESS:
        shown = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
        raise SettingsError(f"{name}={shown} must be an address such as http://127.0.0.1:8011/v1")
    if parts.username or parts.password:
        raise SettingsError(f"{name} must be without a name and password: no key may stand in it")


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingsError(f"{name}={value!r} must be one of {', '.join(allowed)}")
