"""What a model is asked in a call and what comes back, over the network or from a transcript."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Protocol

from hakoenv.agents.llm.budget import Usage
from hakoenv.agents.llm.deadline import Deadline

TIMEOUT, REFUSED, RATE_LIMITED, SERVER_ERROR, BAD_REQUEST = TRANSPORT = (
    "timeout",
    "refused",
    "rate_limited",
    "server_error",
    "bad_request",
)
"""How a call can fail on the way: no answer in time, no connection, too many calls, its fault, ours."""
AGAIN = frozenset({REFUSED, RATE_LIMITED, SERVER_ERROR})
"""Failures after which the same call may succeed."""


class CallError(Exception):
    """A call that brought no answer.

    Attributes:
        kind: one of `TRANSPORT`.
        told: what was said of it, without secrets.
    """

    def __init__(self, kind: str, told: str = "") -> None:
        super().__init__(f"{kind}: {told}" if told else kind)
        self.kind = kind
        self.told = told


class RecordEndError(Exception):
    """A transcript has no further call for this turn."""


@dataclass(frozen=True)
class Request:
    """What is asked.

    Attributes:
        messages: system, user, and what tools have said.
        schemas: of the answer by form: `shapes` and `flat`.
        tools: as the endpoint wants them described.
        max_tokens: most tokens of the answer.
        calls: most calls of the endpoint that may be made for it.
        spent: what it has used so far; whoever answers it keeps this up, so that it is known of a call that
            is broken off, too.
    """

    messages: tuple[dict[str, Any], ...]
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    tools: tuple[dict[str, Any], ...] = ()
    max_tokens: int = 2_000
    calls: int = 1
    spent: Usage = field(default_factory=Usage, compare=False)

    @property
    def digest(self) -> str:
        """A short digest of the messages: what a replay compares."""
        text = json.dumps(self.messages, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    @property
    def characters(self) -> int:
        """The length of the messages."""
        return sum(len(str(message.get("content") or "")) for message in self.messages)


@dataclass(frozen=True)
class ToolCall:
    """A tool that a model wants to use.

    Attributes:
        id: the endpoint's name of the call.
        name: of the tool.
        arguments: JSON as the model wrote it.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """What came back.

    Attributes:
        content: the answer; None if there is none.
        finish: why it ends there: `stop`, `length`, `tool_calls`...
        tool_calls: tools to use before there is an answer.
        usage: of this call.
        rung: how the answer's form was asked for.
    """

    content: str | None
    finish: str = "stop"
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    rung: str = ""


def sendable(text: str) -> str:
    """A text without what no UTF-8 can hold (halves of surrogate pairs, which JSON lets through)."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Backend(Protocol):
    """Who answers calls."""

    async def complete(self, request: Request, deadline: Deadline) -> Reply:
        """Answer a request before a deadline, and note in it what that has used.

        Raises:
            CallError: there is no answer.
            RecordEndError: of a transcript.
        """
