"""A pretended language model on a real socket, for tests and for trying things without a key.

It speaks the chat completions of OpenAI-compatible endpoints. What it does is named by the model that is
asked for: `stub-sane` answers with legal plans picked from the prompt, the others fail in their own ways
(`BEHAVIOURS`).
"""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

_HOST = "127.0.0.1"
_LEGAL = "## Legal now, with examples\n"
_FIRST_CHOICES = ("farm", "factory", "development", "levelling", "expand", "market", "forest", "research")
_LONGEST = 1 << 24  # bytes of a request that are read
_SLICE = 0.05  # seconds between looks at whether the server is closing


@dataclass(frozen=True)
class Play:
    """What the server does with a request.

    Attributes:
        content: of the answer; None for an answer without one.
        finish: its finish_reason.
        status: of the response; above 299 it is an error with `content` as its message.
        headers: besides the usual.
        wait: seconds before it answers.
        drip: seconds between the bytes of the response.
        cut: send only so many bytes of it, then hang up.
        raw: send this instead of a completion.
        members: further members of the message, such as `reasoning_content` or `tool_calls`.
        usage: whether tokens are counted.
    """

    content: str | None = None
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    raw: str | None = None
    members: dict[str, Any] = field(default_factory=dict)
    usage: bool = True


Behaviour = Callable[[dict[str, Any], int], Play]
"""From a request's body, and how many came before it, to what is done."""


def sane(body: dict[str, Any], number: int = 0) -> Play:
    """A plan of up to three commands that the prompt shows as legal, the same for the same prompt."""
    user = str(body["messages"][1]["content"])
    rows = user.partition(_LEGAL)[2].partition("\n\n")[0].split("\n")
    wanted = [row.split("`")[1] for row in rows if row.lstrip("`").startswith(_FIRST_CHOICES)]
    chosen = _picked(wanted, zlib.crc32(user.encode("utf-8", "replace")), 3)
    plan = {"mode": "replace", "commands": [*chosen, "fundraise"], "notes": f"planned {len(chosen)}"}
    return Play(json.dumps(plan))


def _picked(lines: list[str], number: int, most: int) -> list[str]:
    """Some of the lines, by a number."""
    left = list(lines)
    found: list[str] = []
    while left and len(found) < most:
        number, place = divmod(number, len(left))
        found.append(left.pop(place))
    return found


def _no_schema(body: dict[str, Any], number: int) -> Play:
    form = body.get("response_format", {}).get("type")
    if form == "json_schema":
        return Play("response_format json_schema is not supported", status=400)
    return sane(body)


def _only_text(body: dict[str, Any], number: int) -> Play:
    return Play("unknown field response_format", status=400) if "response_format" in body else sane(body)


def _tools(body: dict[str, Any], number: int) -> Play:
    """Uses each tool once, then answers."""
    used = sum(message["role"] == "tool" for message in body["messages"])
    offered = [tool["function"]["name"] for tool in body.get("tools", ())]
    if used >= len(offered):
        return sane(body)
    arguments = {
        "inspect": {"x": 3, "y": 3},
        "map": {"x": 0, "y": 0, "width": 12, "height": 8},
        "nation": {"id": 0},
        "history": {"stat": "area"},
        "rules": {"id": "DEV-010"},
        "messages": {"who": "all"},
        "check": {"plan": '{"commands": ["fundraise"]}'},
    }[offered[used]]
    function = {"name": offered[used], "arguments": json.dumps(arguments)}
    call = {"id": f"call_{used}", "type": "function", "function": function}
    return Play(None, "tool_calls", members={"tool_calls": [call]})


def _reasoning(body: dict[str, Any], number: int) -> Play:
    return Play(None, members={"reasoning_content": str(sane(body).content)})


def _sometimes(body: dict[str, Any], number: int) -> Play:
    """Every other answer is of use."""
    return sane(body) if number % 2 else Play("I would build a farm at (3,4).")


_ILLEGAL = '{"mode": "replace", "commands": [{"command": "farm", "x": 0, "y": 0}], "notes": null}'
_MANY = json.dumps({"mode": "replace", "commands": ["fundraise"] * 10_000})

BEHAVIOURS: dict[str, Behaviour] = {
    "sane": sane,
    "tools": _tools,
    "sometimes": _sometimes,
    "no-schema": _no_schema,
    "only-text": _only_text,
    "hang": lambda body, number: Play("", wait=600.0),
    "drip": lambda body, number: Play(sane(body).content, drip=0.2),
    "hang-up": lambda body, number: Play("", cut=0),
    "cut-off": lambda body, number: Play(sane(body).content, cut=200),
    "rate-limit": lambda body, number: Play("too many requests", status=429, headers={"Retry-After": "9999"}),
    "wait-a-second": lambda body, number: (
        Play("too many requests", status=429, headers={"Retry-After": "1"}) if number < 2 else sane(body)
    ),
    "server-error": lambda body, number: Play("out of order", status=500),
    "no-key": lambda body, number: Play("wrong key", status=401),
    "truncated": lambda body, number: Play('{"mode": "replace", "comm', "length"),
    "truncated-whole": lambda body, number: Play(sane(body).content, "length"),
    "empty": lambda body, number: Play(""),
    "nothing": lambda body, number: Play(None),
    "reasoning": _reasoning,
    "prose": lambda body, number: Play("Let us build a farm at (3,4), then fundraise."),
    "lines": lambda body, number: Play("PLAN replace\nfundraise\nEND"),
    "fenced": lambda body, number: Play(f"```json\n{sane(body).content}\n```"),
    "illegal": lambda body, number: Play(_ILLEGAL),
    "many": lambda body, number: Play(_MANY),
    "no-json": lambda body, number: Play(raw="<html>bad gateway</html>"),
    "no-choices": lambda body, number: Play(raw='{"id": "x", "object": "chat.completion", "choices": []}'),
    "no-usage": lambda body, number: Play(sane(body).content, usage=False),
}
"""What a model called `stub-NAME` does."""


class StubModel:
    """A server with pretended models, on a port of this machine; used as a context, or `start` and `close`.

    Args:
        behaviour: what it does; None: what the name of the model says.
        port: where; 0 takes a free one.
        key: the key that it wants; None: any, or none.

    Attributes:
        requests: the bodies that came, in order.
        headers: the headers of each.
    """

    def __init__(self, behaviour: Behaviour | None = None, port: int = 0, key: str | None = None) -> None:
        self.behaviour = behaviour
        self.key = key
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.closing = threading.Event()
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server = _Server((_HOST, port), self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_SLICE,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL for an openai client."""
        return f"http://{_HOST}:{self._server.server_address[1]}/v1"

    def start(self) -> StubModel:
        """Serve on a thread of its own."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop serving; whoever hangs is let go. It may be called again."""
        if self.closing.is_set():
            return
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> StubModel:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, body: dict[str, Any], headers: dict[str, str]) -> Play:
        """What is done with a request."""
        model = str(body.get("model", ""))
        with self._lock:
            number = self._counts.get(model, 0)
            self._counts[model] = number + 1
            self.requests.append(body)
            self.headers.append(headers)
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return Play(f"incorrect key {headers.get('authorization', '')}", status=401)
        behaviour = self.behaviour or BEHAVIOURS.get(model.removeprefix("stub-"))
        if behaviour is None:
            known = ", ".join(f"stub-{name}" for name in BEHAVIOURS)
            return Play(f"model {model!r} not found; there are {known}", status=404)
        return behaviour(body, number)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], stub: StubModel) -> None:
        self.stub = stub
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    close_connection = True

    def do_POST(self) -> None:
        """Answer a request for a completion."""
        length = min(int(self.headers.get("Content-Length") or 0), _LONGEST)
        try:
            body = json.loads(self.rfile.read(length))
            headers = {name.lower(): value for name, value in self.headers.items()}
            if not self.path.endswith("/chat/completions"):
                play = Play(f"no such path: {self.path}", status=404)
            else:
                play = self.server.stub.play(body, headers)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            play = Play(f"no request for a completion: {error}", status=400)
            body = {}
        self._send(play, body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def _send(self, play: Play, body: dict[str, Any]) -> None:
        if self._pause(play.wait):
            return
        data = _response(play, body).encode("utf-8")
        if play.cut != 0:
            self.send_response(play.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            for name, value in play.headers.items():
                self.send_header(name, value)
            self.end_headers()
        data = data if play.cut is None else data[: play.cut]
        if play.drip:
            for place in range(len(data)):
                self.wfile.write(data[place : place + 1])
                self.wfile.flush()
                if self._pause(play.drip):
                    return
        else:
            self.wfile.write(data)
        self.close_connection = True

    def _pause(self, seconds: float) -> bool:
        """Wait; whether the server is closing meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.server.stub.closing.wait(min(_SLICE, seconds)):
                return True
        return False


def _response(play: Play, body: dict[str, Any]) -> str:
    """The body of a response."""
    if play.raw is not None:
        return play.raw
    if play.status >= 300:
        return json.dumps({"error": {"message": play.content, "type": "stub", "code": None}})
    message = {"role": "assistant", "content": play.content, **play.members}
    choice = {"index": 0, "message": message, "finish_reason": play.finish, "logprobs": None}
    answer: dict[str, Any] = {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model", ""),
        "choices": [choice],
    }
    if play.usage:
        said = sum(
            len(str(message.get("content") or "")) for message in islice(body.get("messages", ()), 1000)
        )
        prompt, completion = said // 4, len(play.content or "") // 4
        answer["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return json.dumps(answer)
