"""From an answer to what it gives as its plan: one JSON document, or one marked block of lines.

A plan is never looked for in prose. Around a document may stand blanks, a byte order mark, one code fence,
and before it a block of reasoning in tags; anything else makes the answer unparsable. A block of lines
begins with a line ``PLAN keep|front|replace`` (without a word: replace) and ends with a line ``END``; what
lies outside is not read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

KEEP, FRONT, REPLACE = MODES = ("keep", "front", "replace")
LONGEST = 1_000_000  # characters of an answer
TRUNCATED, EMPTY, UNPARSABLE, ILLEGAL = FAILURES = ("truncated", "empty", "unparsable", "illegal")
_BLANK = " \t\r\n\f\v\ufeff"
_OPEN = re.compile(r"<(think|thinking|thought|reasoning)>", re.I)
_CLOSED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.I)
_FENCE = re.compile(r"```[\w+-]*[ \t]*(?:\r?\n|(?=[{\[]))")
_BEGIN = re.compile(r"^[ \t>*`#]{0,9}PLAN\b[ \t:]{0,9}([A-Za-z]{0,9})[ \t:.*`\r]{0,9}$", re.M)
_END = re.compile(r"^[ \t>*`]{0,9}END[ \t.*`\r]{0,9}$", re.M)
_DOCUMENT_SIGNS = ("{", "[", "```")


class Extracted(NamedTuple):
    """What an answer gives.

    Attributes:
        text: the document or the lines; empty if there is none.
        mode: of a block of lines; empty for a document, which says it itself.
        failure: why there is nothing, one of `FAILURES`, or empty.
        why: the failure in one sentence.
        first: number of the line within the answer at which `text` begins, 1 being its first line.
    """

    text: str = ""
    mode: str = ""
    failure: str = ""
    why: str = ""
    first: int = 1


def extract(answer: object, lines: bool = False, truncated: bool = False) -> Extracted:
    """What an answer gives as its plan.

    Args:
        answer: what a model said; None counts as empty.
        lines: whether a block of lines is taken, too.
        truncated: whether the model was stopped before it had finished; then nothing in the answer counts.
    """
    if truncated:
        return Extracted(failure=TRUNCATED, why="the answer was cut off before its end")
    if answer is None:
        return Extracted(failure=EMPTY, why="the answer is empty")
    if not isinstance(answer, str):
        return Extracted(failure=UNPARSABLE, why="the answer is no text")
    if len(answer) > LONGEST:
        return Extracted(failure=UNPARSABLE, why=f"the answer has more than {LONGEST} characters")
    start = _after_reasoning(answer)
    if start is None:
        return Extracted(failure=TRUNCATED, why="the answer ends within its reasoning")
    said = answer[start:].strip(_BLANK)
    if not said:
        return Extracted(failure=EMPTY, why="the answer is empty")
    inside = _without_fence(said)
    if not inside:
        return Extracted(failure=EMPTY, why="the answer's code fence is empty")
    if lines and not inside.startswith("{"):
        return _block(answer[start:], answer.count("\n", 0, start) + 1)
    return Extracted(inside)


def _after_reasoning(answer: str) -> int | None:
    """Where an answer begins behind its reasoning; None if that never ends."""
    place = _skip_blank(answer, 0)
    while opened := _OPEN.match(answer, place):
        closed = re.compile(f"</{opened[1]}>", re.I).search(answer, opened.end())
        if closed is None:
            return None
        place = _skip_blank(answer, closed.end())
    if not answer.startswith(_DOCUMENT_SIGNS, place):
        closed = _CLOSED.search(answer, place)  # some servers give away the opening tag
        if closed is not None:
            place = _skip_blank(answer, closed.end())
    return place


def _skip_blank(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANK:
        place += 1
    return place


def _without_fence(said: str) -> str:
    """What stands in a code fence around all of it, or all of it if there is none."""
    opened = _FENCE.match(said)
    if opened is None:
        return said
    inside = said[opened.end() :].rstrip(_BLANK)
    return inside.removesuffix("```").strip(_BLANK)


def _block(said: str, first: int) -> Extracted:
    """The one block of lines of a text whose first line has the number ``first``."""
    begins = list(_BEGIN.finditer(said))
    if not begins:
        why = "there is neither a JSON document nor a block of lines from PLAN to END"
        return Extracted(failure=UNPARSABLE, why=why)
    if len(begins) > 1:
        return Extracted(failure=UNPARSABLE, why="there is more than one line PLAN, so the plan is not clear")
    begin = begins[0]
    mode = begin[1].lower() or REPLACE
    if mode not in MODES:
        why = f"the line PLAN must say one of {', '.join(MODES)}, such as: PLAN replace"
        return Extracted(failure=UNPARSABLE, why=why)
    end = _END.search(said, begin.end())
    if end is None:
        return Extracted(failure=TRUNCATED, why="the block of lines has no line END")
    return Extracted(said[begin.end() : end.start()], mode, first=first + said.count("\n", 0, begin.end()))
