"""Arguments that are a caller's own objects, on their way into a pickle or a copy of an environment."""

from __future__ import annotations

import copy
import pickle
from typing import Any


class Carried:
    """A reward and controllers, pickled by cloudpickle: functions of a notebook or a closure travel, too.

    Attributes:
        arguments: `reward` and `controllers` as the environment was given them.
    """

    def __init__(self, reward: Any, controllers: dict[str, Any]) -> None:
        self.arguments: dict[str, Any] = {"reward": reward, "controllers": controllers}

    def __getstate__(self) -> bytes:
        """The arguments as bytes.

        Raises:
            pickle.PicklingError: one of them can't be pickled; the message names it.
        """
        try:
            return _dumps(self.arguments)
        except Exception:
            fields = {"reward": self.arguments["reward"]}
            fields |= {f"controllers[{seat!r}]": who for seat, who in self.arguments["controllers"].items()}
            for field, value in fields.items():
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
        return Carried(**copy.deepcopy(self.arguments, memo))


def _dumps(value: Any) -> bytes:
    import cloudpickle  # type: ignore[import-untyped]  # Gymnasium brings it

    found: bytes = cloudpickle.dumps(value)
    return found
