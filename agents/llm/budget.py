"""Budgets are rules: how many calls, tokens and seconds a nation's model may take, and what they cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hakoenv.agents.llm.settings import SettingsError

CHARACTERS_PER_TOKEN = 4  # where the endpoint counts none
_MOST = 10**12


@dataclass(frozen=True)
class Budget:
    """Limits of one nation; None is no limit.

    Attributes:
        seconds_per_turn: from the head of a turn, over all tries of it.
        calls_per_turn: calls of the endpoint, those for tools and retries included.
        tokens_per_answer: most tokens of one answer.
        tokens_per_turn: of prompts and answers together.
        calls_per_season, tokens_per_season, seconds_per_season, cost_per_season: over the season.
    """

    seconds_per_turn: float = 60.0
    calls_per_turn: int = 6
    tokens_per_answer: int = 2_000
    tokens_per_turn: int | None = None
    calls_per_season: int | None = None
    tokens_per_season: int | None = None
    seconds_per_season: float | None = None
    cost_per_season: float | None = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            whole = "int" in str(field.type)
            good = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
            if not good or not 0 < value <= _MOST:
                kind = "whole number" if whole else "number"
                raise SettingsError(f"{field.name}={value!r} must be a {kind} above 0")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Budget:
        """A budget from a mapping, as it stands in a file.

        Raises:
            SettingsError: a name or value that can't be.
        """
        return cls(**_known(cls, given))

    def as_dict(self) -> dict[str, Any]:
        """The limits as plain data."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Prices:
    """What a million tokens of a prompt and of an answer cost, in any currency."""

    prompt_per_million: float = 0.0
    answer_per_million: float = 0.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _MOST:
                raise SettingsError(f"{field.name}={value!r} must be a number of 0 or more")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Prices:
        """Prices from a mapping.

        Raises:
            SettingsError: a name or value that can't be.
        """
        return cls(**_known(cls, given))

    def of_usage(self, prompt: int, answer: int) -> float:
        """The cost of so many tokens."""
        return (prompt * self.prompt_per_million + answer * self.answer_per_million) / 1_000_000


@dataclass
class Usage:
    """What was used.

    Attributes:
        calls: of the endpoint.
        prompt, answer: tokens.
        seconds: waited.
        cost: by the prices.
        estimated: tokens among these that the endpoint did not count, taken from the characters.
    """

    calls: int = 0
    prompt: int = 0
    answer: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    estimated: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.prompt + self.answer

    def add(self, other: Usage) -> None:
        """Add what was used elsewhere."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {**dataclasses.asdict(self), "seconds": round(self.seconds, 3), "cost": round(self.cost, 6)}


class Meter:
    """What a nation may still use in a turn.

    Args:
        budget: its limits.
        season: what it has used before this turn.
    """

    def __init__(self, budget: Budget, season: Usage) -> None:
        self.budget = budget
        self.turn = Usage()
        self._season = season

    def seconds(self) -> float:
        """How long the turn may take."""
        left = self.budget.seconds_per_season
        return min(self.budget.seconds_per_turn, max(0.0, left - self._season.seconds) if left else _MOST)

    def refusal(self, prompt_characters: int) -> str:
        """Which limit forbids another call with a prompt of this length; empty if none does."""
        budget, turn, season = self.budget, self.turn, self._season
        if turn.calls >= budget.calls_per_turn:
            return "calls_per_turn"
        if self.calls() <= 0:
            return "calls_per_season"
        if self._tokens_left() <= estimate(prompt_characters):
            return (
                "tokens_per_turn"
                if self._turn_tokens_left() <= self._season_tokens_left()
                else "tokens_per_season"
            )
        if budget.cost_per_season is not None and season.cost + turn.cost >= budget.cost_per_season:
            return "cost_per_season"
        if budget.seconds_per_season is not None and season.seconds >= budget.seconds_per_season:
            return "seconds_per_season"
        return ""

    def calls(self) -> int:
        """How many more calls may be made."""
        limit = self.budget.calls_per_season
        season = _MOST if limit is None else limit - self._season.calls
        return min(self.budget.calls_per_turn, season) - self.turn.calls

    def answer_tokens(self, prompt_characters: int) -> int:
        """The most tokens that the next answer may have."""
        left = self._tokens_left() - estimate(prompt_characters)
        return max(1, min(self.budget.tokens_per_answer, left))

    def _tokens_left(self) -> int:
        return min(self._turn_tokens_left(), self._season_tokens_left())

    def _turn_tokens_left(self) -> int:
        limit = self.budget.tokens_per_turn
        return _MOST if limit is None else limit - self.turn.tokens

    def _season_tokens_left(self) -> int:
        limit = self.budget.tokens_per_season
        return _MOST if limit is None else limit - self._season.tokens - self.turn.tokens


def estimate(characters: int) -> int:
    """Tokens of so many characters, where nobody has counted them."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def _known(kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    names = [field.name for field in dataclasses.fields(kind)]
    for name in given:
        if name not in names:
            raise SettingsError(f"{name!r} is unknown here; there are {', '.join(names)}")
    return dict(given)
