"""What was asked and answered, a line of JSON for each nation's turn; a season can be replayed from it.

A header comes first for each model, then lines in the order of turns and seats. A turn that was played again
(after a stop, or from an earlier save) has a later line, which counts. No line holds a secret.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from hakoenv.agents.llm import keys
from hakoenv.agents.llm.asking import DEADLINE
from hakoenv.agents.llm.calls import (
    TRANSPORT,
    CallError,
    RecordEndError,
    Reply,
    Request,
    ToolCall,
)
from hakoenv.agents.llm.deadline import Deadline
from hakoenv.agents.llm.memory import ABANDONED, Memory, usage_of

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
        headers: the last of each model, by the name of its controller.
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
        self._headers: dict[str, list[dict[str, Any]]] = {}  # all of the season, by their turns
        self._end: int | None = None  # where the file is cut before the next line is written
        self._glue = ""  # comes before the next line: a newline where only that of the last is missing
        self._claim: _Claim | None = None
        for line in self._read():
            self._take(line)

    @classmethod
    def fresh(cls, path: str | os.PathLike[str]) -> Transcript:
        """An empty transcript in place of an older one.

        Raises:
            TranscriptError: there is a file that is no transcript.
        """
        found = cls(path)
        found.headers, found.prompts, found.turns, found.lines, found._headers = {}, {}, {}, {}, {}
        found._end = 0 if Path(path).exists() else None  # the older one stays until something is written
        return found

    @classmethod
    def existing(cls, path: str | os.PathLike[str]) -> Transcript:
        """A transcript that must be there.

        Raises:
            TranscriptError: it is not there, or none.
        """
        if not Path(path).is_file():
            raise TranscriptError(f"{os.fspath(path)}: there is no such transcript")
        return cls(path)

    def claim(self) -> None:
        """See that no other program writes the file, and let none begin while this one does.

        Raises:
            TranscriptError: another does, or it can't be written.
        """
        if self.path is not None and self._claim is None:
            try:
                self._claim = _claim(self.path)
            except BlockingIOError:
                raise TranscriptError(f"{self.path}: another program is writing this transcript") from None
            except OSError as error:
                raise TranscriptError(f"{self.path}: can't be written ({error.strerror})") from error

    def header_of(self, name: str, coming: int) -> dict[str, Any]:
        """The header under which a model was asked for a turn.

        Raises:
            TranscriptError: there is no such model.
        """
        known = self._headers.get(name)
        if known is None:
            told = ", ".join(self.headers) or "no model"
            raise TranscriptError(f"the transcript knows {told}, not {name}")
        return next((line for line in reversed(known) if line["turn"] < coming), known[0])

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
            name, turn = line["controller"], line["turn"]
            self.headers[name] = line
            self._headers[name] = [old for old in self._headers.get(name, []) if old["turn"] < turn] + [line]
            if turn == 0:
                self.turns, self.lines = {}, {}
        elif line["kind"] == PROMPT:
            self.prompts[line["digest"]] = line["text"]
        elif line["kind"] == TURN:
            if line["outcome"] != ABANDONED:
                self.turns[line["turn"], line["nation"]] = line
            self.lines.setdefault(line["nation"], []).append(line)

    def _write(self, line: dict[str, Any]) -> None:
        text = json.dumps(keys.scrubbed_all(line), ensure_ascii=False)
        self.claim()
        self._take(json.loads(text))
        if self.path is None:
            return
        try:
            with self.path.open("ab") as file:
                if self._end is not None:
                    file.truncate(self._end)
                    file.seek(0, os.SEEK_END)
                self._end = file.tell()  # if this fails, a part of the line may stand there
                file.write(f"{self._glue}{text}\n".encode("utf-8", "backslashreplace"))
            self._end, self._glue = None, ""
        except OSError as error:
            raise TranscriptError(f"{self.path}: can't be written ({error.strerror})") from error

    def _read(self) -> Iterator[dict[str, Any]]:
        if self.path is None or not self.path.exists():
            return
        try:
            data = self.path.read_bytes()
            cut = data.rfind(b"\n") + 1
            text = data[:cut].decode("utf-8") + data[cut:].decode("utf-8", "replace")
        except (OSError, UnicodeDecodeError) as error:
            raise TranscriptError(f"{self.path}: can't be read as a transcript ({error})") from error
        rows = text.split("\n")
        for number, row in enumerate(rows, 1):
            if not row.strip():
                continue
            try:
                line = json.loads(row)
                known = line["kind"] in {HEADER, TURN, PROMPT} and line.get("format", FORMAT) == FORMAT
                if known:
                    _see_whole(line)
                self._glue = "\n" if number == len(rows) else ""  # all but its end was written
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                if number == len(rows) and (number > 1 or row.startswith('{"kind": "')):
                    self._end = cut  # the program was killed while it wrote
                    return
                raise TranscriptError(f"{self.path}: line {number} is no line of a transcript") from error
            if not known:
                raise TranscriptError(f"{self.path}: line {number} is of another format")
            yield line


class _Claim:
    """That this process writes a file: other programs can't as long as somebody here holds it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        try:
            import fcntl
        except ImportError:  # where there is none, nobody is kept out
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks
            return


_CLAIMS: WeakValueDictionary[tuple[int, str], _Claim] = WeakValueDictionary()


def _claim(path: Path) -> _Claim:
    """The claim of this process to a file, one for all transcripts in it."""
    place = (os.getpid(), os.path.realpath(path))
    claim = _CLAIMS.get(place)
    if claim is None:
        claim = _CLAIMS[place] = _Claim(path)
    return claim


def _see_whole(line: dict[str, Any]) -> None:
    """See that a line has what is read of it later.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: it has not.
    """
    texts, tables, numbers = {
        HEADER: (("controller",), ("settings",), ("turn",)),
        PROMPT: (("digest", "text"), (), ()),
        TURN: (("why_asked", "outcome", "why", "mode", "notes"), (), ("turn", "nation", "queue")),
    }[line["kind"]]
    for names, kind in ((texts, str), (tables, dict), (numbers, int)):
        if not all(isinstance(line[name], kind) for name in names):
            raise TypeError(names)
    if not isinstance(line.get("prices", {}), dict):
        raise TypeError("prices")
    if line["kind"] != TURN:
        return
    Memory.of([line])
    "".join(line["told"])
    for call in line["calls"]:
        content = "" if call["content"] is None else call["content"]
        tools = [text for tool in call["tools"] for text in (*tool, ToolCall(*tool).id)]
        said = [call[name] for name in ("request", "failure", "why", "rung", "finish")]
        "".join([*said, content, *tools])


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
            RecordEndError: there is no further call, or it was given up; with the turn's outcome and why.
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
        request.spent.add(usage_of(call))
        if call["failure"] == DEADLINE:
            raise RecordEndError(line["outcome"], line["why"])
        if call["failure"] in TRANSPORT:
            raise CallError(call["failure"], call["why"])
        tools = tuple(ToolCall(*tool) for tool in call["tools"])
        return Reply(call["content"], call["finish"], tools, usage_of(call), call["rung"])
