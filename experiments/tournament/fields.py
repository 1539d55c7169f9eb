"""Named fields: who sits in the seats that no entrant has, so that points of two runs compare."""

from __future__ import annotations

from typing import NamedTuple


class FieldError(ValueError):
    """There is no such field; one sentence."""


class Field(NamedTuple):
    """A field of opponents.

    Attributes:
        name: what results call it.
        driver: the controller of its seats.
        words: what it is.
    """

    name: str
    driver: str
    words: str


FIELDS = {
    field.name: field
    for field in (Field("standard-1", "rule_ai", "the rule AI as it stands in this version of the rules"),)
}
STANDARD = "standard-1"


def get(name: str) -> Field:
    """A field by its name.

    Raises:
        FieldError: there is none of that name.
    """
    if name not in FIELDS:
        raise FieldError(f"--field: unknown field {name!r}; there is {', '.join(FIELDS)}")
    return FIELDS[name]
