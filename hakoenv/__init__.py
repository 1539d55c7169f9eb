"""hakoenv: a Japanese shared-map nation game as an environment for AI research.

`hakoenv.parallel_env(...)` makes the PettingZoo environment, `hakoenv.env(...)` its turn-taking form,
`hakoenv.vec(...)` many seasons side by side; `hakoenv.Season` plays seasons without observations.
Gymnasium's ids `hakoenv/Duel-v0`... are registered if Gymnasium was imported before, else by
`import hakoenv.envs`.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hakoenv.engine.season import Season
    from hakoenv.envs.parallel import env, parallel_env
    from hakoenv.envs.vec import vec

__version__ = "0.1.0"
__all__ = ["Season", "__version__", "env", "parallel_env", "vec"]
_HOMES = {
    "Season": "engine.season",
    "env": "envs.parallel",
    "parallel_env": "envs.parallel",
    "vec": "envs.vec",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is: `import hakoenv` loads nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"hakoenv.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names, whether they have been imported yet or not."""
    return sorted(__all__)


if "gymnasium" in sys.modules:
    import_module("hakoenv.envs.registration").register_all()
