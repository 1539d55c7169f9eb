"""Arguments that are a caller's own objects, on their way into a pickle or a copy of an environment."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any


class Carried:
    """A reward and controllers, pickled by cloudpickle: functions of a notebook or a closure travel, too.

    Attributes:
        arguments: `reward` and `controllers` as the environment was given them; more of them from `of`.
    """

    def __init__(self, reward: Any, controllers: dict[str, Any]) -> None:
        self.arguments: dict[str, Any] = {"reward": reward, "controllers": controllers}

    @classmethod
    def of(cls, reward: Any, controllers: dict[str, Any], **more: dict[str, Any]) -> Carried:
        """These and more objects together, so that one that is among them twice is so in the copy."""
        carried = cls(reward, controllers)
        carried.arguments |= more
        return carried

    def __getstate__(self) -> bytes:
        """The arguments as bytes.

        Raises:
            pickle.PicklingError: one of them can't be pickled; the message names it.
        """
        try:
            return _dumps(self.arguments)
        except Exception:
            for field, value in _fields(self.arguments):
                try:
                    _dumps(value)
                except Exception as error:
                    raise pickle.PicklingError(
                        f"{field} is {repr(value)[:100]}, which can't be pickled ({error}); "
                        "give a function or object without open files, locks and the like"
                    ) from error
            raise

    def __setstate__(self, state: bytes) -> None:
        self.arguments = pickle.loads(state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Carried:
        return Carried.of(**copy.deepcopy(self.arguments, memo))


def _fields(arguments: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each object with the name that an error calls it by."""
    for name, value in arguments.items():
        if isinstance(value, dict):
            yield from ((f"{name}[{key!r}]", who) for key, who in value.items())
        else:
            yield name, value


def _dumps(value: Any) -> bytes:
    import cloudpickle  # type: ignore[import-untyped]  # Gymnasium brings it

    found: bytes = cloudpickle.dumps(value)
    return found
