"""A call of an OpenAI-compatible endpoint: what it can do is found out once and remembered."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import openai
from hakoenv.agents.llm import keys, limiter
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

RUNGS = ("json_schema:shapes", "json_schema:flat", "json_object", "text")
"""How the form of an answer is asked for, the strictest first; what is refused is not tried again."""
_FIRST = {"auto": 0, "json_schema": 0, "json_object": 2, "text": 3}
_TOLD = 300  # characters of an error that are kept
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

        Raises:
            CallError: there is no answer.
        """
        while True:
            rung = self._manners.rung
            try:
                return await self._call(request, deadline, RUNGS[rung])
            except openai.APIStatusError as error:
                failure = self._status(error)
                if error.status_code not in _REFUSALS or not self._adapt(error, request, rung):
                    raise failure from None

    async def _call(self, request: Request, deadline: Deadline, rung: str) -> Reply:
        began = time.monotonic()
        try:
            async with self._limiter.place(deadline), asyncio.timeout(deadline.left()):
                made = await self._client.chat.completions.create(
                    **self._arguments(request, rung), timeout=deadline.left()
                )
        except limiter.PauseTooLongError:
            raise CallError(RATE_LIMITED, "the endpoint wants a pause beyond the deadline") from None
        except (TimeoutError, openai.APITimeoutError):
            raise CallError(TIMEOUT, f"no answer in {time.monotonic() - began:.1f} s") from None
        except openai.APIStatusError:
            raise
        except openai.APIConnectionError as error:
            raise CallError(REFUSED, _told(error.__cause__ or error)) from None
        except (openai.OpenAIError, ValueError) as error:  # no JSON, no completion
            raise CallError(SERVER_ERROR, _told(error)) from None
        return self._reply(made, request, rung, time.monotonic() - began)

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
        for call in getattr(message, "tool_calls", None) or ():
            function = getattr(call, "function", None)
            if function is not None:
                tool_calls.append(ToolCall(str(call.id), str(function.name), str(function.arguments)))
        counted = getattr(made, "usage", None)
        prompt, answer = (_count(counted, name) for name in ("prompt_tokens", "completion_tokens"))
        estimated = 0
        if prompt is None or answer is None:
            prompt, answer = estimate(request.characters), estimate(len(str(content or "")))
            estimated = prompt + answer
        cost = self._prices.of_usage(prompt, answer)
        return Reply(
            content if content is None or isinstance(content, str) else str(content),
            str(getattr(choices[0], "finish_reason", None) or "stop"),
            tuple(tool_calls),
            Usage(1, prompt, answer, seconds, cost, estimated),
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
        return CallError(SERVER_ERROR if error.status_code >= 500 else BAD_REQUEST, told)


@lru_cache(maxsize=256)
def _manners(base_url: str, model: str, first: int) -> Manners:
    """What is remembered of an endpoint's model."""
    return Manners(first)


def _client_of(client: openai.OpenAI | openai.AsyncOpenAI | str | None, variable: str) -> openai.AsyncOpenAI:
    """A client for our loop, without retries of its own."""
    if isinstance(client, openai.AsyncOpenAI):
        keys.remember(client.api_key)
        return client.with_options(max_retries=0)
    if isinstance(client, openai.OpenAI):
        keys.remember(client.api_key)
        return openai.AsyncOpenAI(
            api_key=client.api_key,
            base_url=str(client.base_url),
            organization=client.organization,
            project=client.project,
            default_headers=dict(client._custom_headers),
            max_retries=0,
        )
    return openai.AsyncOpenAI(api_key=keys.key(variable), base_url=client, max_retries=0)


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value >= 0 else None


def _told(error: BaseException) -> str:
    text = ""
    with contextlib.suppress(Exception):  # whatever an exception does when it is printed
        text = str(error)
    return keys.scrubbed_error(" ".join((text or type(error).__name__).split()))[:_TOLD]


def _words(error: openai.APIStatusError) -> str:
    with contextlib.suppress(Exception):
        return f"{error.message} {error.response.text}".lower()
    return str(error).lower()
