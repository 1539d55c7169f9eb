"""Environments: PettingZoo for all nations at once, Gymnasium for one nation.

`parallel_env` and `env` (its AEC form) are also `hakoenv.parallel_env` and `hakoenv.env`. Importing this
package registers `hakoenv/Duel-v0`, `Skirmish-v0`, `Season-v0` and `Grand-v0` with Gymnasium.
"""

from importlib import import_module
from typing import Any

from hakoenv.envs.registration import register_all

_PLACES = {
    "FlatCommands": "hakoenv.envs.flat_commands",
    "FlatEnv": "hakoenv.envs.vectors",
    "FlatNationEnv": "hakoenv.envs.vectors",
    "NationEnv": "hakoenv.envs.single",
    "NationsEnv": "hakoenv.envs.parallel",
    "PlanSpace": "hakoenv.envs.plan_space",
    "PolicyController": "hakoenv.envs.policies",
    "env": "hakoenv.envs.parallel",
    "flat": "hakoenv.envs.vectors",
    "parallel_env": "hakoenv.envs.parallel",
}
__all__ = [*_PLACES, "register_all"]

register_all()


def __getattr__(name: str) -> Any:
    """Import what is asked for: an action space needs no environment."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
