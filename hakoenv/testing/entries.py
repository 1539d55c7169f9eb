"""Reading objects of a case: what is required, what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hakoenv.testing import fields, names
from hakoenv.testing.errors import CaseError


def mapping(value: Any, what: str) -> dict[str, Any]:
    """A JSON object, or a CaseError that names it."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{what} is not an object: {value!r}")
    return dict(value)


def take(entry: Mapping[str, Any], required: tuple[str, ...]) -> tuple[list[Any], dict[str, Any]]:
    """The required values of an entry, in order, and the others.

    Raises:
        CaseError: one is missing.
    """
    for key in required:
        if key not in entry:
            raise CaseError(f'"{key}" is missing')
    others = {key: value for key, value in entry.items() if key not in required}
    return [entry[key] for key in required], others


def only(entry: Mapping[str, Any], allowed: tuple[str, ...], later: frozenset[str] = frozenset()) -> None:
    """Refuse keys that are not allowed; those of `later` as not built yet."""
    for key in entry:
        if key in later:
            raise CaseError(f'"{key}" belongs to rules that are not built yet')
        if key not in allowed:
            raise CaseError(f'unknown key "{key}"; {names.nearest(key, allowed)}')


def pair_of(value: Any) -> tuple[Any, Any]:
    """Two values in a list, or a CaseError."""
    pair = fields.listed(value, "two numbers")
    if len(pair) != 2:
        raise CaseError(f"{value!r} is not a list of two numbers")
    return pair[0], pair[1]
