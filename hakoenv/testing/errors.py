"""The error of a case or small world that can't be built or read."""

from __future__ import annotations


class CaseError(ValueError):
    """Something is wrong with a case or a call of `SmallWorld`: the message names the key and the value."""
