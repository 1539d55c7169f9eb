"""Libraries that are not everybody's: which extra of the package brings them."""

from __future__ import annotations

from importlib.util import find_spec

_EXTRAS = {"ray": "tournament", "choix": "tournament", "pyarrow": "parquet"}


class MissingError(ImportError):
    """A library is not installed; one sentence that names the extra."""


def require(module: str, otherwise: str = "") -> None:
    """See that a library is there, without importing it.

    Raises:
        MissingError: it is not.
    """
    if find_spec(module) is None:
        more = f" ({otherwise})" if otherwise else ""
        raise MissingError(f"{module} is not installed: pip install 'hakoenv[{_EXTRAS[module]}]'{more}")
