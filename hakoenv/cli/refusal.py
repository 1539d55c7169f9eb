"""How a command refuses: one sentence on stderr, exit code 2."""

from __future__ import annotations

from typing import Any

import click


class Refusal(click.ClickException):
    """What a user got wrong, in one sentence that names the value and what is allowed."""

    exit_code = 2


class WholeNumber(click.ParamType):
    """A whole number of an option, refused by the option's name.

    Args:
        low, high: the least and greatest allowed.
        allowed: the allowed numbers in words.
    """

    name = "N"

    def __init__(self, low: int | None, high: int | None, allowed: str) -> None:
        self.low, self.high, self.allowed = low, high, allowed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """A text as a number.

        Raises:
            Refusal: it is none, or out of range.
        """
        try:
            number = int(value)
        except ValueError:
            number = None
        if number is None or not self._holds(number):
            option = "" if param is None else f"{param.opts[-1]}: "
            raise Refusal(f"{option}'{value}' is not {self.allowed}")
        return number

    def _holds(self, number: int) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)
