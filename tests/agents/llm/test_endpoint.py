"""Calls over a real socket: what an endpoint can do to us, and what we remember of it."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import openai
import pytest
from hakoenv.agents.llm import bounded
from hakoenv.agents.llm.asking import Answer, Task, ask
from hakoenv.agents.llm.budget import Budget, Meter, Prices, Usage
from hakoenv.agents.llm.calls import CallError, Reply, Request
from hakoenv.agents.llm.deadline import Deadline, start
from hakoenv.agents.llm.endpoint import Endpoint
from hakoenv.agents.llm.limiter import Limiter, retry_after
from hakoenv.agents.llm.settings import SettingsError

from hakoenv.obs.language.extraction import LONGEST
from hakoenv.testing.stub_model import BEHAVIOURS, Play, StubModel, sane

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def call(endpoint: Endpoint, task: Task, seconds: float = 10.0, tools: tuple[Any, ...] = ()) -> Reply:
    messages = ({"role": "system", "content": task.system}, {"role": "user", "content": task.user})
    request = Request(messages, task.schemas, tools, calls=9)
    return start(endpoint.complete(request, Deadline(seconds))).result(30)


def outcome(
    stub: StubModel, model: str, task: Task, seconds: float = 10.0, **limits: Any
) -> tuple[Answer, float]:
    began, answer = time.monotonic(), Answer()
    meter = Meter(Budget(**limits), Usage())
    start(ask(Endpoint(stub.url, model), task, Deadline(seconds), meter, answer)).result(60)
    return answer, time.monotonic() - began


@pytest.mark.parametrize(
    ("model", "ends", "calls"),
    [
        ("sane", "plan", 1),
        ("sometimes", "plan", 2),
        ("no-schema", "plan", 1),
        ("only-text", "plan", 1),
        ("hang", "timeout", 1),
        ("drip", "timeout", 1),
        ("hang-up", "refused", 3),
        ("cut-off", "refused", 3),
        ("rate-limit", "rate_limited", 3),
        ("wait-a-second", "plan", 3),
        ("server-error", "server_error", 3),
        ("no-key", "bad_request", 1),
        ("unknown", "bad_request", 1),
        ("truncated", "truncated", 2),
        ("truncated-whole", "truncated", 2),
        ("empty", "empty", 2),
        ("nothing", "empty", 2),
        ("reasoning", "empty", 2),
        ("prose", "unparsable", 2),
        ("lines", "plan", 1),
        ("fenced", "plan", 1),
        ("illegal", "illegal", 2),
        ("many", "plan", 1),
        ("no-json", "server_error", 3),
        ("no-choices", "server_error", 3),
        ("no-usage", "plan", 1),
    ],
)
def test_whatever_an_endpoint_does_ends_in_a_plan_or_a_class_of_failure(
    model: str, ends: str, calls: int, stub: StubModel, task: Callable[..., Task]
) -> None:
    seconds = 1.5 if model in {"hang", "drip"} else 8.0
    answer, took = outcome(stub, f"stub-{model}", task(), seconds)
    assert (answer.outcome, len(answer.calls)) == (ends, calls), answer
    assert took < seconds + 1
    if model == "many":
        assert answer.result is not None and len(answer.result.commands) <= 50


def test_a_port_where_nobody_listens_is_refused(stub: StubModel, task: Callable[..., Task]) -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "x")
    with pytest.raises(CallError, match="refused"):
        call(endpoint, task())


@pytest.mark.parametrize(
    ("model", "forms"),
    [("stub-no-schema", ["json_schema", "json_schema", "json_object"]),
     ("stub-only-text", ["json_schema", "json_schema", "json_object", None])],
)  # fmt: skip
def test_the_ladder_is_climbed_down_once_and_remembered(
    model: str, forms: list[str | None], stub: StubModel, task: Callable[..., Task]
) -> None:
    endpoint = Endpoint(stub.url, model)
    call(endpoint, task())
    seen = [body.get("response_format", {}).get("type") for body in stub.requests]
    assert seen == forms
    reply = call(Endpoint(stub.url, model), task())  # another object, the same endpoint and model
    seen = [body.get("response_format", {}).get("type") for body in stub.requests]
    assert seen == [*forms, forms[-1]] and reply.rung == (forms[-1] or "text")
    assert call(Endpoint(stub.url, "stub-sane"), task()).rung == "json_schema:shapes"


def test_parameters_that_are_refused_are_left_out_and_remembered(
    secret: str, task: Callable[..., Task]
) -> None:
    def picky(body: dict[str, Any], number: int) -> Play:
        for name in ("temperature", "seed", "max_tokens", "tools"):
            if name in body:
                hint = "; use max_completion_tokens" if name == "max_tokens" else ""
                return Play(f"{name} is not supported{hint}", status=400)
        return sane(body)

    with StubModel(picky) as stub:
        endpoint = Endpoint(stub.url, "x", temperature=0.5, seed=3)
        tool = {"type": "function", "function": {"name": "map", "parameters": {}}}
        call(endpoint, task(), tools=(tool,))
        last = stub.requests[-1]
        assert last["max_completion_tokens"] == 2000 and last["response_format"]["type"] == "json_schema"
        count = len(stub.requests)
        call(endpoint, task(), tools=(tool,))
        assert len(stub.requests) == count + 1


def test_tokens_are_counted_and_priced_or_estimated(stub: StubModel, task: Callable[..., Task]) -> None:
    reply = call(Endpoint(stub.url, "stub-sane", prices=Prices(2.0, 10.0)), task())
    usage = reply.usage
    assert usage.prompt > 0 and usage.answer > 0 and usage.estimated == 0 and usage.calls == 1
    assert usage.cost == pytest.approx((2 * usage.prompt + 10 * usage.answer) / 1e6)
    guessed = call(Endpoint(stub.url, "stub-no-usage"), task()).usage
    assert guessed.estimated == guessed.prompt + guessed.answer > 0


@pytest.mark.parametrize("kind", [openai.OpenAI, openai.AsyncOpenAI])
def test_an_openai_client_is_taken_with_its_key_and_without_its_retries(
    kind: Any, task: Callable[..., Task]
) -> None:
    with StubModel(key="an-own-key-123") as stub:
        client = kind(api_key="an-own-key-123", base_url=stub.url)
        call(Endpoint(client, "stub-sane"), task())
        with pytest.raises(CallError, match="server_error"):
            call(Endpoint(client, "stub-server-error"), task())
        assert len(stub.requests) == 2
        with pytest.raises(CallError) as raised:
            call(Endpoint(kind(api_key="another-key-456", base_url=stub.url), "stub-sane"), task())
        assert "another-key-456" not in str(raised.value) and "[key]" in str(raised.value)


def test_a_limit_of_calls_holds_everybody_back_until_the_pause_is_over(
    secret: str, task: Callable[..., Task]
) -> None:
    times: list[float] = []

    def busy(body: dict[str, Any], number: int) -> Play:
        times.append(time.monotonic())
        return Play("slow down", status=429, headers={"Retry-After": "1"}) if number < 5 else sane(body)

    with StubModel(busy) as stub:
        endpoint, made = Endpoint(stub.url, "x", concurrent=5), [Answer() for _ in range(12)]

        async def everybody() -> None:
            deadline = Deadline(20)
            await asyncio.gather(
                *(ask(endpoint, task(), deadline, Meter(Budget(), Usage()), answer) for answer in made)
            )

        start(everybody()).result(60)
    assert [answer.outcome for answer in made] == ["plan"] * 12
    assert sum(call["failure"] == "rate_limited" for answer in made for call in answer.calls) == 5
    times.sort()
    assert times[5] - times[4] > 0.9  # nobody called in the pause


def test_a_pause_beyond_the_deadline_is_not_waited_for(stub: StubModel, task: Callable[..., Task]) -> None:
    _, took = outcome(stub, "stub-rate-limit", task(), 20.0)
    assert took < 3


def test_what_retry_after_says() -> None:
    assert retry_after({"retry-after": "2"}) == 2.0
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert retry_after({}) is None and retry_after({"retry-after": "soon"}) is None
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    assert retry_after({"retry-after": "-4"}) is None


def completion(**members: Any) -> str:
    message = {"role": "assistant", "content": None, **members}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice]})


@pytest.mark.parametrize(
    "raw",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"choices": [{"message": {"content": "x", "more": ' + "[" * 100_000 + "]" * 100_000 + "}}]}",
        completion(tool_calls=5),
        completion(tool_calls=True),
        completion(tool_calls=[{"id": "x", "type": "function", "function": "inspect"}]),
        completion(tool_calls=[{"function": 5}, {"function": ["map"]}, None, [1]]),
        '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 1'
        + "0" * 400
        + ', "completion_tokens": true}}',
    ],
)
def test_no_shape_of_a_body_is_more_than_a_failure(
    raw: str, stub: StubModel, task: Callable[..., Task]
) -> None:
    stub.behaviour = lambda body, number: Play(raw=raw)
    answer, _ = outcome(stub, "any-shape", task(tries=1, pauses=False))
    assert answer.outcome in {"server_error", "empty", "unparsable"}
    assert all(call["usage"]["prompt"] < 10**9 for call in answer.calls)


@pytest.mark.parametrize(
    "said",
    ["Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "Mon, 01 Jan 2030 00:00:00 +99999999999999999999"],
)
def test_an_absurd_date_to_come_back_says_nothing(said: str) -> None:
    assert retry_after({"retry-after": said}) is None


def test_no_pause_is_longer_than_ten_minutes() -> None:
    for seconds in (1e9, float("inf")):
        limiter = Limiter(1)
        limiter.pause(seconds)
        assert limiter._open_at <= time.monotonic() + 600


def used(answer: Answer, what: str = "calls") -> int:
    return sum(call["usage"][what] for call in answer.calls)


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_every_request_that_is_sent_counts_and_none_goes_beyond_the_budget(
    calls: int, stub: StubModel, task: Callable[..., Task]
) -> None:
    stub.behaviour = lambda body, number: Play("bad", status=400)
    answer, _ = outcome(stub, f"refuses-{calls}", task(), calls_per_turn=calls)
    assert answer.outcome == "bad_request" and len(stub.requests) == used(answer) == calls
    assert used(answer, "prompt") == 0  # who refuses, bills nothing
    stub.behaviour = BEHAVIOURS["only-text"]
    answer, _ = outcome(stub, "takes-text", task(), calls_per_turn=4)
    assert answer.outcome == "plan" and used(answer) == 4 and len(answer.calls) == 1


def test_no_redirect_is_followed(stub: StubModel, task: Callable[..., Task]) -> None:
    with StubModel() as other:
        there = {"Location": f"{other.url}/chat/completions"}
        stub.behaviour = lambda body, number: Play("", status=307, headers=there)
        answer, _ = outcome(stub, "elsewhere", task(tries=2))
        assert answer.outcome == "server_error" and "another address" in answer.why
        assert len(stub.requests) == used(answer) == 2 and not other.requests


def test_a_call_that_is_never_sent_is_none(stub: StubModel, task: Callable[..., Task]) -> None:
    stub.behaviour = BEHAVIOURS["rate-limit"]
    answer, _ = outcome(stub, "m", task(), 2.0)
    assert [call["failure"] for call in answer.calls] == ["rate_limited"] * 3
    assert len(stub.requests) == used(answer) == 1
    stub.behaviour = BEHAVIOURS["hang"]
    with StubModel(stub.behaviour) as one_at_a_time:
        endpoint = Endpoint(one_at_a_time.url, "m", concurrent=1)
        answers = [Answer(), Answer()]
        waiting = [
            start(ask(endpoint, task(), Deadline(seconds), Meter(Budget(), Usage()), answer))
            for answer, seconds in zip(answers, (1.5, 0.7), strict=True)
        ]
        for future in waiting:
            future.result(30)
        assert [used(answer) for answer in answers] == [1, 0] and len(one_at_a_time.requests) == 1
        assert "no place" in answers[1].why and used(answers[1], "prompt") == 0


@pytest.mark.parametrize("model", ["hang", "drip", "cut-off", "no-json"])
def test_a_call_without_an_answer_counts_its_prompt(
    model: str, stub: StubModel, task: Callable[..., Task]
) -> None:
    answer, _ = outcome(stub, f"stub-{model}", task(tries=1), 1.0)
    assert used(answer, "prompt") == used(answer, "estimated") > 0 == used(answer, "answer")


def test_a_prompt_that_came_nowhere_is_not_counted(task: Callable[..., Task]) -> None:
    answer = Answer()
    meter = Meter(Budget(), Usage())
    endpoint = Endpoint("http://127.0.0.1:9/v1", "x")
    start(ask(endpoint, task(pauses=False), Deadline(5), meter, answer)).result(30)
    assert answer.outcome == "refused" and used(answer) == 3 and used(answer, "prompt") == 0


@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_response_that_is_too_large_is_not_read(
    status: int, stub: StubModel, task: Callable[..., Task]
) -> None:
    stub.behaviour = lambda body, number: Play(raw="x" * (bounded.LARGEST + 1), status=status)
    answer, _ = outcome(stub, "large", task(tries=1))
    assert answer.outcome == "server_error" and "more than 8388608 bytes" in answer.why
    small = completion(content="y" * (LONGEST + 5), finish_reason="z" * 5000)
    stub.behaviour = lambda body, number: Play(raw=small)
    answer, _ = outcome(stub, "large", task(answers=1))
    assert answer.outcome == "unparsable" and len(answer.calls[0]["content"]) == LONGEST + 1


def test_no_more_of_a_tool_is_kept_than_is_of_use(stub: StubModel, task: Callable[..., Task]) -> None:
    function = {"name": "n" * 50_000, "arguments": "a" * 50_000}
    stub.behaviour = lambda body, number: Play(
        raw=completion(tool_calls=[{"id": "i" * 50_000, "function": function}])
    )
    answer, _ = outcome(stub, "m", task(tools=({"type": "function"},), tool_calls=1))
    assert [len(part) for part in answer.calls[0]["tools"][0]] == [20_000] * 3


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HTTP_PROXY", "nosuch://x"),
        ("ALL_PROXY", "nosuch://x"),
        ("SSL_CERT_FILE", "/nonexistent"),
        ("OPENAI_BASE_URL", "http://[bad"),
        ("OPENAI_BASE_URL", "not a url"),
        ("OPENAI_BASE_URL", "file:///etc/passwd"),
    ],
)
def test_a_client_that_cannot_be_made_is_one_sentence(
    variable: str, value: str, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL|no endpoint can be asked"):
        Endpoint(None, "m")


def test_a_clients_own_way_of_sending_is_kept(task: Callable[..., Task], secret: str) -> None:
    class Own(openai.DefaultAsyncHttpxClient):
        sent = 0

        async def send(self, *given: Any, **named: Any) -> Any:
            self.sent += 1
            return await super().send(*given, **named)

    with StubModel() as stub:
        own = Own(headers={"x-own": "yes"})
        client = openai.AsyncOpenAI(api_key="an-own-key-123", base_url=stub.url, http_client=own)
        call(Endpoint(client, "stub-sane"), task())
        assert own.sent == 1 and stub.headers[0]["x-own"] == "yes"
