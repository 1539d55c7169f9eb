"""One nation's turn with its model: asked until an answer holds, or a deadline or a budget ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hakoenv.agents.llm import keys
from hakoenv.agents.llm.budget import Meter, Usage
from hakoenv.agents.llm.calls import (
    AGAIN,
    Backend,
    CallError,
    RecordEndError,
    Reply,
    Request,
    ToolCall,
    sendable,
)
from hakoenv.agents.llm.deadline import Deadline
from hakoenv.agents.llm.memory import PLAN

from hakoenv.obs.language.answers import EMPTY, ILLEGAL, TRUNCATED, UNPARSABLE, ParseResult, feedback

DEADLINE, BUDGET = "deadline", "budget"
_LATE = 0.2
_PAUSES = (0.25, 0.5, 1.0)  # seconds before a call is tried again
MOST_REASONS = 10

RETRY = {
    TRUNCATED: "It was cut off before its end, so nothing of it counts. Answer again, much shorter: at most "
    "5 commands, short notes or none, no explanation.",
    EMPTY: "It was empty. Answer with one JSON object as described, and nothing else.",
    UNPARSABLE: "It could not be read as a plan. Answer with exactly one JSON object with mode, commands and "
    "notes, without any text around it.",
    ILLEGAL: "None of its commands is legal now. Choose commands, cells and numbers that are legal, for "
    "instance among those listed above; fundraise is always legal.",
}
"""What a model is told after each class of failure."""


@dataclass
class Task:
    """What one nation's model is asked for a turn.

    Attributes:
        nation: its seat.
        system, user: the prompt.
        schemas: of the answer by form.
        tools: descriptions for the endpoint.
        use_tool: uses one, by name and JSON arguments, and tells what it says.
        read: reads an answer (content, truncated).
        tool_calls, answers, tries: as in `Settings`.
        pauses: whether to wait before a call is tried again.
    """

    nation: int
    system: str
    user: str
    schemas: dict[str, dict[str, Any]]
    tools: tuple[dict[str, Any], ...]
    use_tool: Callable[[str, str], str]
    read: Callable[[str | None, bool], ParseResult]
    tool_calls: int
    answers: int
    tries: int
    pauses: bool = True


@dataclass
class Answer:
    """How a turn's asking ended.

    Attributes:
        outcome: `plan`, a class of failure, a failure of transport, `deadline` or `budget`.
        why: more of it in a sentence.
        result: the last answer that was read, if any.
        calls: every call as plain data, for the transcript.
        under_way: what is asked just now.
    """

    outcome: str = DEADLINE
    why: str = ""
    result: ParseResult | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    under_way: Request | None = None

    def give_up(self, failure: str) -> None:
        """Note the call that is under way, if there is one: it was sent, whatever comes of it."""
        request, self.under_way = self.under_way, None
        if request is not None and request.spent.calls:
            self.calls.append(_entry(request, request.spent, failure, ""))


async def ask(backend: Backend, task: Task, deadline: Deadline, meter: Meter, answer: Answer) -> None:
    """Ask a nation's model; ``answer`` is filled as it goes, so that it is of use if this is cancelled."""
    try:
        async with asyncio.timeout(deadline.left() + _LATE):  # a call notices the deadline by itself
            await _talk(backend, task, deadline, meter, answer)
    except TimeoutError:
        answer.outcome, answer.why = DEADLINE, f"{deadline.passed():.1f} s have passed"
        answer.give_up(DEADLINE)
    except RecordEndError as end:
        answer.outcome, answer.why = str(end.args[0]), str(end.args[1])
        answer.give_up(DEADLINE)


async def _talk(backend: Backend, task: Task, deadline: Deadline, meter: Meter, answer: Answer) -> None:
    exchange: list[dict[str, Any]] = []
    told = ""
    tries = answers = tools_used = 0
    while True:
        offered = task.tools if tools_used < task.tool_calls else ()
        request = _request(task, told, exchange, offered)
        refusal = meter.refusal(request.characters)
        if refusal:
            answer.outcome, answer.why = (
                (answer.result.failure or BUDGET) if answer.result else BUDGET,
                refusal,
            )
            return
        most = meter.answer_tokens(request.characters)
        answer.under_way = request = replace(request, max_tokens=most, calls=meter.calls())
        try:
            reply = await backend.complete(request, deadline)
        except CallError as error:
            _note(answer, meter, request, request.spent, error.kind, keys.scrubbed(error.told))
            answer.outcome, answer.why = error.kind, error.told
            tries += 1
            if error.kind not in AGAIN or tries >= task.tries:
                return
            if task.pauses:
                await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES)) - 1])
            continue
        tries = 0
        reply = _without_secrets(reply)  # as a transcript keeps it, so that a replay reads the same
        if reply.tool_calls and offered:
            call = _note(answer, meter, request, reply, "")
            exchange += _use_tools(task, reply, call, task.tool_calls - tools_used)
            tools_used += len(reply.tool_calls)
            continue
        result = task.read(reply.content, reply.finish == "length")
        failure = result.failure or ""
        _note(answer, meter, request, reply, failure, result.why)
        answer.result = result
        answer.outcome, answer.why = failure or PLAN, result.why
        answers += 1
        if not failure or answers >= task.answers:
            return
        told = retry_text(result)


def _without_secrets(reply: Reply) -> Reply:
    content = None if reply.content is None else keys.scrubbed(reply.content)
    called = (ToolCall(*map(keys.scrubbed, (t.id, t.name, t.arguments))) for t in reply.tool_calls)
    return replace(reply, content=content, finish=keys.scrubbed(reply.finish), tool_calls=tuple(called))


def retry_text(result: ParseResult) -> str:
    """What a model is told about an answer that can't be played; never the cut answer itself."""
    lines = ["## Your last answer was not played", RETRY[str(result.failure)]]
    if result.failure in {UNPARSABLE, ILLEGAL}:
        lines += feedback(result, MOST_REASONS)
    return "\n".join(lines)


def _request(
    task: Task, told: str, exchange: list[dict[str, Any]], tools: tuple[dict[str, Any], ...]
) -> Request:
    user = f"{task.user}\n\n{told}" if told else task.user
    messages = (
        {"role": "system", "content": task.system},
        {"role": "user", "content": sendable(user)},
        *exchange,
    )
    return Request(messages, task.schemas, tools)


def _use_tools(task: Task, reply: Reply, call: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """Use the tools that a reply asks for, at most so many; the messages that tell of it."""
    reply = replace(reply, tool_calls=reply.tool_calls[:most])
    asked = [
        {
            "id": sendable(tool.id),
            "type": "function",
            "function": {"name": sendable(tool.name), "arguments": sendable(tool.arguments)},
        }
        for tool in reply.tool_calls
    ]
    content = None if reply.content is None else sendable(reply.content)
    messages: list[dict[str, Any]] = [{"role": "assistant", "content": content, "tool_calls": asked}]
    call["tools"] = [[tool.id, tool.name, tool.arguments] for tool in reply.tool_calls]
    for tool in reply.tool_calls:
        said = task.use_tool(tool.name, tool.arguments)
        messages.append({"role": "tool", "tool_call_id": sendable(tool.id), "content": sendable(said)})
    return messages


def _note(
    answer: Answer, meter: Meter, request: Request, came: Reply | Usage, failure: str, why: str = ""
) -> dict[str, Any]:
    """Note a call: what came of it, or what it used without an answer."""
    answer.under_way = None
    meter.turn.add(came.usage if isinstance(came, Reply) else came)
    answer.calls.append(_entry(request, came, failure, why))
    return answer.calls[-1]


def _entry(request: Request, came: Reply | Usage, failure: str, why: str) -> dict[str, Any]:
    """A call as plain data."""
    reply = came if isinstance(came, Reply) else None
    usage = came.usage if isinstance(came, Reply) else came
    return {
        "request": request.digest,
        "failure": failure,
        "why": why,
        "rung": reply.rung if reply is not None else "",
        "finish": reply.finish if reply is not None else "",
        "content": reply.content if reply is not None else None,
        "tools": [],
        "usage": usage.as_dict(),
    }
