"""Small worlds and cases, and checks for environments and agents: for tests, bug reports and examples.

`SmallWorld` is a quiet world built and read by name; a case is the same as data (docs: case files).
`run_case` returns the failures of one, `load_cases` reads a file of them, `CaseError` says what is wrong.
`check_env` and `check_agent` look for faults in an environment, wrapper or agent; `compare_runs` tells
where two runs with one seed part.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hakoenv.testing.errors import CaseError
from hakoenv.testing.runner import load_cases, run_case
from hakoenv.testing.small_world import SmallWorld

if TYPE_CHECKING:
    from hakoenv.testing.agents_check import check_agent, check_env
    from hakoenv.testing.determinism import compare_runs

_LATER = {
    "check_agent": "hakoenv.testing.agents_check",
    "check_env": "hakoenv.testing.agents_check",
    "compare_runs": "hakoenv.testing.determinism",
}
__all__ = [
    "CaseError",
    "SmallWorld",
    "check_agent",
    "check_env",
    "compare_runs",
    "load_cases",
    "run_case",
]


def __getattr__(name: str) -> Any:
    """Import the checks when they are asked for: small worlds need no environments."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
