"""Secrets: taken from the environment only, and taken out of every text that is kept or shown."""

from __future__ import annotations

import os
import re
import threading

DEFAULT = "OPENAI_API_KEY"
NONE = "no-key"  # what an endpoint that wants no key is given
HIDDEN = "[key]"
_SHORTEST = 6
_LOCK = threading.Lock()
_KNOWN: set[str] = set()
_LOOKS_LIKE_ONE = re.compile(r"(?i)\bbearer\s+\S+|\bsk-[A-Za-z0-9_*.-]{6,}")


def key(variable: str) -> str:
    """The key in an environment variable; `NONE` where it is not set."""
    found = os.environ.get(variable, "")
    if found:
        remember(found)
    return found or NONE


def remember(secret: str) -> None:
    """Take a text for a secret from now on; what is shorter than secrets are would spoil other texts."""
    if len(secret) >= _SHORTEST and secret != NONE:
        with _LOCK:
            _KNOWN.add(secret)


def scrubbed(text: str) -> str:
    """A text without known secrets."""
    with _LOCK:
        known = sorted(_KNOWN, key=len, reverse=True)
    for secret in known:
        text = text.replace(secret, HIDDEN)
    return text


def scrubbed_error(text: str) -> str:
    """An endpoint's or a library's words without known secrets, and without what looks like one."""
    return _LOOKS_LIKE_ONE.sub(HIDDEN, scrubbed(text))
