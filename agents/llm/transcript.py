"""What was asked and answered, a line of JSON for each nation's turn; a season can be replayed from it.

A header comes first for each model, then lines in the order of turns and seats. A turn that was played again
(after a stop, or from an earlier save) has a later line, which counts. No line holds a secret.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hakoenv.agents.llm import keys
from hakoenv.agents.llm.calls import (
    TRANSPORT,
    CallError,
    RecordEndError,
    Reply,
    Request,
    ToolCall,
)
from hakoenv.agents.llm.deadline import Deadline
from hakoenv.agents.llm.memory import ABANDONED, usage_of

from hakoenv.controllers import ControllerError

FORMAT = 1
HEADER, TURN, PROMPT = "header", "turn", "prompt"


class TranscriptError(ControllerError):
    """A transcript can't be read, written or replayed; one sentence."""


class Transcript:
    """A file of lines, and what it says already.

    Args:
        path: the file; None keeps the lines in memory only. What stands in it stays and is read.

    Attributes:
        path: the file, or None.
        headers: by the name of the model's controller.
        prompts: system prompts by digest.
        turns: the lines of nations' turns that count, by (turn, nation).
        lines: all lines of nations' turns by nation, those that no longer count too.

    Raises:
        TranscriptError: the file can't be read or is none.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.headers: dict[str, dict[str, Any]] = {}
        self.prompts: dict[str, str] = {}
        self.turns: dict[tuple[int, int], dict[str, Any]] = {}
        self.lines: dict[int, list[dict[str, Any]]] = {}
        for line in self._read():
            self._take(line)

    @classmethod
    def fresh(cls, path: str | os.PathLike[str]) -> Transcript:
        """An empty transcript in place of an older one.

        Raises:
            TranscriptError: there is a file that is no transcript.
        """
        cls(path)
        place = Path(path)
        with suppress(FileNotFoundError):
            place.unlink()
        return cls(place)

    @classmethod
    def existing(cls, path: str | os.PathLike[str]) -> Transcript:
        """A transcript that must be there.

        Raises:
            TranscriptError: it is not there, or none.
        """
        if not Path(path).is_file():
            raise TranscriptError(f"{os.fspath(path)}: there is no such transcript")
        return cls(path)

    def header(self, name: str, about: dict[str, Any], turn: int = 0) -> None:
        """Say what stands behind a model's turns from the one after ``turn`` on.

        The same again is not repeated; before turn 1 it is: what stood in the transcript was another season.
        """
        line = {"kind": HEADER, "format": FORMAT, "controller": name, "turn": turn, **about}
        if turn == 0 or {**self.headers.get(name, {}), "turn": turn} != line:
            self._write(line)

    def prompt(self, digest: str, text: str) -> None:
        """Keep a system prompt, once."""
        if digest not in self.prompts:
            self._write({"kind": PROMPT, "digest": digest, "text": text})

    def turn(self, line: dict[str, Any]) -> None:
        """Keep a nation's turn."""
        self._write({"kind": TURN, **line})

    def _take(self, line: dict[str, Any]) -> None:
        if line["kind"] == HEADER:
            self.headers[line["controller"]] = line
            if line["turn"] == 0:
                self.turns, self.lines = {}, {}
        elif line["kind"] == PROMPT:
            self.prompts[line["digest"]] = line["text"]
        elif line["kind"] == TURN:
            if line["outcome"] != ABANDONED:
                self.turns[line["turn"], line["nation"]] = line
            self.lines.setdefault(line["nation"], []).append(line)

    def _write(self, line: dict[str, Any]) -> None:
        text = keys.scrubbed(json.dumps(line, ensure_ascii=False))
        self._take(json.loads(text))
        if self.path is None:
            return
        try:
            with self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                file.write(text + "\n")
        except OSError as error:
            raise TranscriptError(f"{self.path}: can't be written ({error.strerror})") from error

    def _read(self) -> Iterator[dict[str, Any]]:
        if self.path is None or not self.path.exists():
            return
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise TranscriptError(f"{self.path}: can't be read as a transcript ({error})") from error
        rows = text.split("\n")
        for number, row in enumerate(rows, 1):
            if not row.strip():
                continue
            try:
                line = json.loads(row)
                known = line["kind"] in {HEADER, TURN, PROMPT} and line.get("format", FORMAT) == FORMAT
            except (ValueError, KeyError, TypeError) as error:
                if number == len(rows):  # the program was killed while it wrote
                    self._cut(text, row)
                    return
                raise TranscriptError(f"{self.path}: line {number} is no line of a transcript") from error
            if not known:
                raise TranscriptError(f"{self.path}: line {number} is of another format")
            yield line

    def _cut(self, text: str, row: str) -> None:
        """Take a last line that was not finished out of the file, so that the next one begins anew."""
        assert self.path is not None
        self.path.write_text(text.removesuffix(row), encoding="utf-8", newline="\n")


class Recording:
    """Answers from a transcript's line instead of a model.

    Args:
        line: of a nation's turn.
    """

    def __init__(self, line: dict[str, Any]) -> None:
        self._line = line
        self._next = 0

    async def complete(self, request: Request, deadline: Deadline) -> Reply:
        """The next recorded answer.

        Raises:
            CallError: the call failed when it was recorded.
            RecordEndError: there is no further call; with the turn's outcome and why.
            TranscriptError: something else was asked then.
        """
        line = self._line
        if self._next >= len(line["calls"]):
            raise RecordEndError(line["outcome"], line["why"])
        call = line["calls"][self._next]
        self._next += 1
        if call["request"] != request.digest:
            raise TranscriptError(
                f"the transcript is of another game or prompt: call {self._next} of nation_{line['nation']} "
                f"in turn {line['turn']} asked something else"
            )
        if call["failure"] in TRANSPORT:
            raise CallError(call["failure"], call["why"])
        tools = tuple(ToolCall(*tool) for tool in call["tools"])
        return Reply(call["content"], call["finish"], tools, usage_of(call), call["rung"])
