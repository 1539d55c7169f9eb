"""Changed constants on the command line: ``--rules KEY=VALUE``."""

from __future__ import annotations

import json

from hakoenv.cli.refusal import Refusal


def as_overrides(pairs: tuple[str, ...]) -> dict[str, object]:
    """``KEY=VALUE`` as overrides; a value is a number, a list or a word."""
    found: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise Refusal(f"--rules {pair!r}: expected KEY=VALUE, for example mine.pile_per_level=20")
        try:
            found[key.strip()] = json.loads(text)
        except (ValueError, RecursionError):
            found[key.strip()] = text.strip()
    return found
