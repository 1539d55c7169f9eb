"""A call of an OpenAI-compatible endpoint: what it can do is found out once and remembered."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import openai
from hakoenv.agents.llm import bounded, keys, limiter
from hakoenv.agents.llm.budget import Prices, Usage, estimate
from hakoenv.agents.llm.calls import (
    BAD_REQUEST,
    RATE_LIMITED,
    REFUSED,
    SERVER_ERROR,
    TIMEOUT,
    CallError,
    Reply,
    Request,
    ToolCall,
)
from hakoenv.agents.llm.deadline import Deadline
from hakoenv.agents.llm.settings import SettingsError, check_address

from hakoenv.obs.language.extraction import LONGEST

RUNGS = ("json_schema:shapes", "json_schema:flat", "json_object", "text")
"""How the form of an answer is asked for, the strictest first; what is refused is not tried again."""
_FIRST = {"auto": 0, "json_schema": 0, "json_object": 2, "text": 3}
_MOST_TOKENS = 10**9  # of a call; who counts more counts wrong
_TOLD = 300  # characters of an error that are kept
_TOOL = 20_000  # characters of a tool's name or arguments that are kept
_NOT_REACHED = frozenset(
    {"ConnectError", "ConnectTimeout", "LocalProtocolError", "PoolTimeout", "ProxyError"}
    | {"UnsupportedProtocol"}
)
_ADDRESS = "OPENAI_BASE_URL"
_BUSY = frozenset({429, 503, 529})
_REFUSALS = frozenset({400, 404, 415, 422, 501})  # of something in the request, perhaps
_DROPPABLE = ("temperature", "seed", "tools")


@dataclass
class Manners:
    """What an endpoint has turned out to want from a model.

    Attributes:
        rung: place in `RUNGS`.
        dropped: parameters that it refuses.
        token_parameter: how it calls the most tokens of an answer.
    """

    rung: int = 0
    dropped: set[str] = field(default_factory=set)
    token_parameter: str = "max_tokens"


class Endpoint:
    """Calls one model of one endpoint. It is used on our event loop only.

    Args:
        client: an openai client, used with its address and key (its own retries are not), or a base URL;
            None: what OPENAI_BASE_URL says, or OpenAI's own.
        model: the name that the endpoint knows the model by.
        key_variable: the environment variable with the key, for a base URL or None.
        prices: of its tokens.
        structured, temperature, seed: see `Settings`.
        concurrent: calls at a time, over all models of the endpoint.

    Raises:
        SettingsError: no client can be made of this; one sentence.
    """

    def __init__(
        self,
        client: openai.OpenAI | openai.AsyncOpenAI | str | None,
        model: str,
        *,
        key_variable: str = keys.DEFAULT,
        prices: Prices | None = None,
        structured: str = "auto",
        temperature: float | None = None,
        seed: int | None = None,
        concurrent: int = 8,
    ) -> None:
        self.model = model
        self._client = _client_of(client, key_variable)
        self._prices = prices or Prices()
        self._options = {"temperature": temperature, "seed": seed}
        self.base_url = str(self._client.base_url)
        self._limiter = limiter.of_endpoint(self.base_url, concurrent)
        self._manners = _manners(self.base_url, model, _FIRST[structured])

    async def complete(self, request: Request, deadline: Deadline) -> Reply:
        """Answer a request before a deadline; forms and parameters that are refused are left out.

        Every request that is sent counts as a call; there are no more than `Request.calls`.

        Raises:
            CallError: there is no answer.
        """
        began = time.monotonic()
        try:
            while True:
                rung = self._manners.rung
                try:
                    return await self._call(request, deadline, RUNGS[rung])
                except openai.APIStatusError as error:
                    self._count_prompt(request, False)
                    failure = self._status(error)
                    adapted = error.status_code in _REFUSALS and self._adapt(error, request, rung)
                    if not adapted or request.spent.calls >= request.calls:
                        raise failure from None
        finally:
            request.spent.seconds = time.monotonic() - began

    async def _call(self, request: Request, deadline: Deadline, rung: str) -> Reply:
        began, sent = time.monotonic(), False
        try:
            async with self._limiter.place(deadline), asyncio.timeout(deadline.left()):
                sent = True
                request.spent.calls += 1
                self._count_prompt(request, True)
                made = await self._client.chat.completions.create(
                    **self._arguments(request, rung), timeout=deadline.left()
                )
        except limiter.PauseTooLongError:
            raise CallError(RATE_LIMITED, "the endpoint wants a pause beyond the deadline") from None
        except (TimeoutError, openai.APITimeoutError) as error:
            self._count_prompt(request, sent and not _not_reached(error))
            missed = "answer" if sent else "place among the calls"
            raise CallError(TIMEOUT, f"no {missed} in {time.monotonic() - began:.1f} s") from None
        except openai.APIStatusError:
            raise
        except openai.APIConnectionError as error:
            self._count_prompt(request, not _not_reached(error))
            raise CallError(REFUSED, _told(error.__cause__ or error)) from None
        except (openai.OpenAIError, ValueError, RecursionError) as error:  # no JSON, no completion
            raise CallError(SERVER_ERROR, _told(error)) from None
        try:
            return self._reply(made, request, rung, time.monotonic() - began)
        except RecursionError:
            raise CallError(SERVER_ERROR, "the endpoint's answer is nested too deep") from None

    def _count_prompt(self, request: Request, whether: bool) -> None:
        """Count the prompt of the last call among what was used, as estimated, until its answer says more."""
        spent = request.spent
        spent.prompt = spent.estimated = estimate(request.characters) if whether else 0
        spent.cost = self._prices.of_usage(spent.prompt, 0)

    def _arguments(self, request: Request, rung: str) -> dict[str, Any]:
        manners = self._manners
        given: dict[str, Any] = {name: value for name, value in self._options.items() if value is not None}
        if request.tools:
            given["tools"] = list(request.tools)
        given = {name: value for name, value in given.items() if name not in manners.dropped}
        given[manners.token_parameter] = request.max_tokens
        form = rung.partition(":")[2]
        if form and form in request.schemas:
            schema = {"name": "plan", "strict": True, "schema": request.schemas[form]}
            given["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif rung == "json_object":
            given["response_format"] = {"type": "json_object"}
        return {"model": self.model, "messages": list(request.messages), **given}

    def _reply(self, made: Any, request: Request, rung: str, seconds: float) -> Reply:
        """A completion in our words, whatever shape the endpoint gave it."""
        choices = getattr(made, "choices", None)
        if not isinstance(choices, list) or not choices:
            raise CallError(SERVER_ERROR, "the endpoint's answer has no choice")
        message = getattr(choices[0], "message", None)
        content = getattr(message, "content", None)
        tool_calls = []
        called = getattr(message, "tool_calls", None)
        for call in called if isinstance(called, list) else ():
            function: Any = getattr(call, "function", None)
            if hasattr(function, "name"):
                said = (getattr(call, "id", ""), function.name, getattr(function, "arguments", ""))
                tool_calls.append(ToolCall(*(str(part)[:_TOOL] for part in said)))
        counted = getattr(made, "usage", None)
        prompt, answer = (_count(counted, name) for name in ("prompt_tokens", "completion_tokens"))
        estimated = 0
        if prompt is None or answer is None:
            prompt, answer = estimate(request.characters), estimate(len(str(content or "")))
            estimated = prompt + answer
        cost = self._prices.of_usage(prompt, answer)
        return Reply(
            content if content is None else str(content)[: LONGEST + 1],  # enough to see that it is too long
            str(getattr(choices[0], "finish_reason", None) or "stop")[:_TOLD],
            tuple(tool_calls),
            Usage(request.spent.calls, prompt, answer, seconds, cost, estimated),
            rung,
        )

    def _adapt(self, error: openai.APIStatusError, request: Request, rung: int) -> bool:
        """Leave out what a refusal is about; whether there was something to leave out."""
        manners, said = self._manners, _words(error)
        if "max_completion_tokens" in said and manners.token_parameter == "max_tokens":
            manners.token_parameter = "max_completion_tokens"
            return True
        for name in _DROPPABLE:
            sent = bool(request.tools) if name == "tools" else self._options[name] is not None
            if sent and name not in manners.dropped and name in said:
                manners.dropped.add(name)
                return True
        if "model" in said and ("not found" in said or "not exist" in said) or rung == len(RUNGS) - 1:
            return False
        manners.rung = max(manners.rung, rung + 1)
        return True

    def _status(self, error: openai.APIStatusError) -> CallError:
        headers: Mapping[str, str] = error.response.headers
        pause = limiter.retry_after(headers)
        told = f"status {error.status_code}: {_told(error)}"
        if error.status_code in _BUSY:
            if pause is not None:
                self._limiter.pause(pause)
            return CallError(RATE_LIMITED if error.status_code == 429 else SERVER_ERROR, told)
        if error.status_code < 400:
            told = f"status {error.status_code}: it points to another address; only base_url is asked"
        ours = 400 <= error.status_code < 500
        return CallError(BAD_REQUEST if ours else SERVER_ERROR, told)


@lru_cache(maxsize=256)
def _manners(base_url: str, model: str, first: int) -> Manners:
    """What is remembered of an endpoint's model."""
    return Manners(first)


def _client_of(client: openai.OpenAI | openai.AsyncOpenAI | str | None, variable: str) -> openai.AsyncOpenAI:
    """A client for our loop, without retries and redirects of its own."""
    try:
        if client is None and _ADDRESS in os.environ:
            check_address(os.environ[_ADDRESS], _ADDRESS)
        made = _made(client, variable)
        check_address(str(made.base_url))
        return made.with_options(max_retries=0, http_client=bounded.Bounded(made._client))
    except SettingsError:
        raise
    except Exception as error:  # of addresses, proxies, certificates, packages that these want
        raise SettingsError(f"no endpoint can be asked with these settings: {_told(error)}") from None


def _made(client: openai.OpenAI | openai.AsyncOpenAI | str | None, variable: str) -> openai.AsyncOpenAI:
    if isinstance(client, openai.AsyncOpenAI):
        keys.remember(client.api_key)
        return client
    if isinstance(client, openai.OpenAI):
        keys.remember(client.api_key)
        return openai.AsyncOpenAI(
            api_key=client.api_key,
            base_url=str(client.base_url),
            organization=client.organization,
            project=client.project,
            default_headers=dict(client._custom_headers),
        )
    return openai.AsyncOpenAI(api_key=keys.key(variable), base_url=client)


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None


def _not_reached(error: BaseException) -> bool:
    """Whether no prompt can have come to the endpoint."""
    return type(error.__cause__).__name__ in _NOT_REACHED


def _told(error: BaseException) -> str:
    text = ""
    with contextlib.suppress(Exception):  # whatever an exception does when it is printed
        text = str(error)
    return keys.scrubbed_error(" ".join((text or type(error).__name__).split()))[:_TOLD]


def _words(error: openai.APIStatusError) -> str:
    with contextlib.suppress(Exception):
        return f"{error.message} {error.response.text}".lower()
    return str(error).lower()
