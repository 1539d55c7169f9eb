"""Secrets: taken from the environment only, and taken out of every text that is kept or shown."""

from __future__ import annotations

import json
import os
import re
import threading
from typing import Any

DEFAULT = "OPENAI_API_KEY"
NONE = "no-key"  # what an endpoint that wants no key is given
HIDDEN = "[key]"
_SHORTEST = 6
_OURS = frozenset(
    {"commands", "controller", "digest", "failure", "kind", "mode", "outcome", "prompt", "prompt_id"}
    | {"request", "ruleset", "rung", "why_asked"}
)  # members whose words are our own, so that a key such as "timeout" spoils no record
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
    bare = secret.strip()  # and as it stands in quotes, where an error repeats it
    for form in (secret, bare, repr(bare)[1:-1], repr(secret)[1:-1], json.dumps(bare)[1:-1]):
        if len(form) >= _SHORTEST and form != NONE:
            with _LOCK:
                _KNOWN.add(form)


def scrubbed(text: str) -> str:
    """A text without known secrets."""
    with _LOCK:
        known = sorted(_KNOWN, key=len, reverse=True)
    for secret in known:
        text = text.replace(secret, HIDDEN)
    return text


def scrubbed_all(value: Any) -> Any:
    """Plain data with every text in it scrubbed; names of members stay, and what is in our words anyway."""
    if isinstance(value, str):
        return scrubbed(value)
    if isinstance(value, dict):
        return {name: part if name in _OURS else scrubbed_all(part) for name, part in value.items()}
    return [scrubbed_all(part) for part in value] if isinstance(value, list | tuple) else value


def scrubbed_error(text: str) -> str:
    """An endpoint's or a library's words without known secrets, and without what looks like one."""
    return _LOOKS_LIKE_ONE.sub(HIDDEN, scrubbed(text))
