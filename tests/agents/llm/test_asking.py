"""A turn with a model: retries by class of failure, budgets, deadlines, tools."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from hakoenv.agents.llm.asking import BUDGET, DEADLINE, RETRY, Answer, Task, ask
from hakoenv.agents.llm.budget import Budget, Meter, Usage
from hakoenv.agents.llm.calls import CallError, Reply, Request, ToolCall
from hakoenv.agents.llm.deadline import Deadline, start
from hakoenv.agents.llm.endpoint import Endpoint

from hakoenv.testing.stub_model import Play, StubModel, sane

GOOD = '{"mode": "replace", "commands": [{"command": "farm", "x": 3, "y": 4}], "notes": "n"}'
ILLEGAL = '{"mode": "replace", "commands": [{"command": "farm", "x": 0, "y": 0}], "notes": null}'


class Script:
    """Answers in order; the last one again and again."""

    def __init__(self, *said: Any, seconds: float = 0.0) -> None:
        self.said, self.seconds = list(said), seconds
        self.requests: list[Request] = []

    async def complete(self, request: Request, deadline: Deadline) -> Reply:
        self.requests.append(request)
        said = self.said[min(len(self.requests), len(self.said)) - 1]
        await asyncio.sleep(self.seconds)
        if isinstance(said, CallError):
            raise said
        return said if isinstance(said, Reply) else Reply(said, usage=Usage(1, 100, 10, 0.0, 0.5))


def asked(
    script: Script, task: Task, seconds: float = 5.0, used: Usage | None = None, **limits: Any
) -> tuple[Answer, Meter]:
    meter, answer = Meter(Budget(**limits), used or Usage()), Answer()
    asyncio.run(ask(script, task, Deadline(seconds), meter, answer))
    return answer, meter


def test_a_good_answer_ends_it(task: Callable[..., Task]) -> None:
    script = Script(GOOD)
    answer, meter = asked(script, task())
    assert answer.outcome == "plan" and answer.result is not None
    assert answer.result.lines == ("farm at (3,4)",) and answer.result.notes == "n"
    assert (meter.turn.calls, meter.turn.prompt, meter.turn.answer) == (1, 100, 10)
    assert [message["role"] for message in script.requests[0].messages] == ["system", "user"]


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (Reply(GOOD, "length"), "truncated"),  # however whole it looks
        (Reply('{"mode": "repl', "length"), "truncated"),
        ('{"mode": "replace", "commands": [', "truncated"),
        (None, "empty"),
        ("  ", "empty"),
        ("Let us build a farm at (3,4).", "unparsable"),
        ("[1, 2]", "unparsable"),
        (ILLEGAL, "illegal"),
    ],
)
def test_each_class_of_failure_has_its_own_retry(said: Any, failure: str, task: Callable[..., Task]) -> None:
    script = Script(said, GOOD)
    answer, _ = asked(script, task())
    assert answer.outcome == "plan" and [call["failure"] for call in answer.calls] == [failure, ""]
    first, second = (request.messages[-1]["content"] for request in script.requests)
    assert second.startswith(first) and RETRY[failure] in second
    assert sum(text in second for text in RETRY.values()) == 1
    cut = said.content if isinstance(said, Reply) else said
    if failure == "truncated":
        assert cut not in second  # a cut answer is never sent along
    if failure == "illegal":
        assert "farm at (0,0)" in second or "command=farm" in second
    answer, _ = asked(Script(said), task())
    assert answer.outcome == failure and len(answer.calls) == 2  # `answers` of the task


@pytest.mark.parametrize("calls", [1, 2, 3, 5])
def test_truncated_answers_take_just_the_calls_that_are_allowed(
    calls: int, task: Callable[..., Task]
) -> None:
    script = Script(Reply('{"mode":', "length"))
    answer, meter = asked(script, task(answers=9), calls_per_turn=calls)
    assert len(script.requests) == meter.turn.calls == calls
    assert answer.outcome == "truncated" and answer.why == "calls_per_turn"
    lengths = [request.characters for request in script.requests]
    assert max(lengths[1:], default=0) - lengths[0] < 400  # retries don't grow


def test_legal_commands_among_illegal_ones_are_final(task: Callable[..., Task]) -> None:
    script = Script('{"commands": ["farm at (3,4)", "farm at (0,0)"]}')
    answer, _ = asked(script, task())
    assert answer.outcome == "plan" and len(script.requests) == 1
    assert answer.result is not None and len(answer.result.rejected) == 1


def test_failures_on_the_way_are_tried_again_if_that_can_help(task: Callable[..., Task]) -> None:
    answer, _ = asked(Script(CallError("refused"), CallError("server_error"), GOOD), task())
    assert answer.outcome == "plan" and [c["failure"] for c in answer.calls] == [
        "refused",
        "server_error",
        "",
    ]
    for kind, tries in (("refused", 3), ("rate_limited", 3), ("timeout", 1), ("bad_request", 1)):
        script = Script(CallError(kind, "why"))
        answer, _ = asked(script, task())
        assert (answer.outcome, len(script.requests)) == (kind, tries)


def test_the_deadline_holds_over_all_tries(task: Callable[..., Task]) -> None:
    began = time.monotonic()
    answer, _ = asked(Script("no", seconds=0.2), task(answers=99), 0.5, calls_per_turn=99)
    assert time.monotonic() - began < 1.5
    assert answer.outcome == DEADLINE and answer.result is not None


@pytest.mark.parametrize(
    ("limits", "used", "why"),
    [
        ({"tokens_per_turn": 10}, Usage(), "tokens_per_turn"),
        ({"tokens_per_season": 1000}, Usage(prompt=990), "tokens_per_season"),
        ({"calls_per_season": 7}, Usage(calls=7), "calls_per_season"),
        ({"cost_per_season": 2.5}, Usage(cost=2.5), "cost_per_season"),
        ({"seconds_per_season": 9.0}, Usage(seconds=9.0), "seconds_per_season"),
    ],
)
def test_a_budget_that_is_used_up_forbids_the_call(
    limits: dict[str, Any], used: Usage, why: str, task: Callable[..., Task]
) -> None:
    script = Script(GOOD)
    answer, meter = asked(script, task(), used=used, **limits)
    assert (answer.outcome, answer.why, script.requests) == (BUDGET, why, [])
    assert meter.turn.calls == 0


def test_an_answer_may_be_as_long_as_what_is_left(task: Callable[..., Task]) -> None:
    script = Script(GOOD)
    asked(script, task(), tokens_per_turn=100, tokens_per_answer=5000)
    assert script.requests[0].max_tokens < 100
    asked(script, task(), tokens_per_answer=77)
    assert script.requests[1].max_tokens == 77


def test_tools_are_used_within_the_turns_budget(task: Callable[..., Task]) -> None:
    call = Reply(None, "tool_calls", (ToolCall("1", "map", "{}"), ToolCall("2", "rules", "{}")))
    script = Script(call, call, GOOD)
    answer, _ = asked(script, task(tools=({"type": "function"},), tool_calls=3))
    assert answer.outcome == "plan" and [len(c["tools"]) for c in answer.calls] == [2, 1, 0]
    assert [bool(request.tools) for request in script.requests] == [True, True, False]  # 3 are used up
    told = script.requests[2].messages
    assert [message["role"] for message in told[2:]] == ["assistant", "tool", "tool", "assistant", "tool"]
    assert told[3]["content"] == "map({})"
    answer, _ = asked(Script(call), task(tools=({"type": "function"},), tool_calls=99), calls_per_turn=4)
    assert (answer.outcome, answer.why, len(answer.calls)) == (BUDGET, "calls_per_turn", 4)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_no_more_tools_are_used_than_a_turn_may(stub: StubModel, task: Callable[..., Task]) -> None:
    called = {"type": "function", "function": {"name": "map", "arguments": "{}"}}
    flood = [{"id": f"c{k}", **called} for k in range(500)]
    stub.behaviour = lambda body, number: Play(members={"tool_calls": flood}) if number == 0 else sane(body)
    used: list[str] = []
    tools = ({"type": "function", "function": {"name": "map", "parameters": {"type": "object"}}},)
    many = task(tools=tools, tool_calls=3, use_tool=lambda name, arguments: used.append(name) or "said")
    answer = Answer()
    meter = Meter(Budget(), Usage())
    start(ask(Endpoint(stub.url, "m"), many, Deadline(10), meter, answer)).result()
    assert len(used) == 3 and len(answer.calls) == 2
