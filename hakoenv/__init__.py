"""hakoenv: a Japanese shared-map nation game as an environment for AI research.

`hakoenv.parallel_env(...)` makes the PettingZoo environment, `hakoenv.env(...)` its turn-taking form.
Gymnasium's ids `hakoenv/Duel-v0`... are registered if Gymnasium was imported before, else by
`import hakoenv.envs`.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hakoenv.envs.parallel import env, parallel_env

__version__ = "0.1.0"
__all__ = ["__version__", "env", "parallel_env"]


def __getattr__(name: str) -> Any:
    """Import the environments when they are asked for: `import hakoenv` loads nothing."""
    if name not in {"env", "parallel_env"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("hakoenv.envs.parallel"), name)


if "gymnasium" in sys.modules:
    import_module("hakoenv.envs.registration").register_all()
