"""From a model's answer to the commands of its nation's plan.

A structured answer is final: its legal commands are played, its illegal ones come back with reasons. Prose
is never searched for something legal, and nothing is played that the answer does not say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from hakoenv.engine import board
from hakoenv.engine.board import Board, Message
from hakoenv.engine.commands import plans, table
from hakoenv.engine.commands.table import Packed
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs.language import documents, forms, lines, speech
from hakoenv.obs.language.booking import Booking
from hakoenv.obs.language.building import Problem, plain, show
from hakoenv.obs.language.extraction import (
    EMPTY,
    FAILURES,
    ILLEGAL,
    KEEP,
    MODES,
    REPLACE,
    TRUNCATED,
    UNPARSABLE,
    Extracted,
    extract,
)
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import Rules

NOTES_LONGEST = 2000  # characters of the notes that are kept
MEMBERS = ("mode", "commands", "messages", "notes")
_OTHERS_TOLD = 3  # other members of a document that are reported
_NOTES = "notes:"
_MEMBERS_TOLD = 8  # members of a rejected command that are repeated
_LINE = 4000  # characters of a line; what is longer is a command that is too long, whatever it says
_TEXT = 120  # characters of a rejected command that are repeated


class Rejected(NamedTuple):
    """A part of an answer that is not played.

    Attributes:
        place: where it stands: `commands[2]`, `messages[0]`, `line 7`, `notes`.
        text: what it says, shortened and made harmless.
        reason: why, and the nearest valid form.
    """

    place: str
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}: {self.reason}" if self.text else f"{self.place}: {self.reason}"


@dataclass(frozen=True)
class ParseResult:
    """What an answer says.

    Attributes:
        raw: the answer as it came.
        extracted: the document or the lines that were read; empty if there are none.
        mode: `keep`, `front` or `replace`; empty if the answer gives no plan.
        commands: the legal commands in order, as the engine takes them.
        places: where each of them stands in the answer.
        rejected: what is not played, with reasons.
        failure: None, or `truncated`, `empty`, `unparsable`, `illegal` (no command is legal).
        why: the failure in one sentence.
        notes: the notes, cut to `NOTES_LONGEST`.
        messages: what may be posted of its messages; none if the answer fails.
    """

    raw: str
    extracted: str = ""
    mode: str = ""
    commands: tuple[Packed, ...] = ()
    places: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    failure: str | None = None
    why: str = ""
    notes: str = ""
    messages: tuple[Message, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The legal commands as lines."""
        return tuple(forms.line(order) for order in self.commands)


@dataclass
class Draft:
    """An answer as it is read, before anybody has asked what is legal.

    Attributes:
        extracted, mode, rejected, failure, why, notes: as in `ParseResult`.
        entries: place, text, and the command or what is wrong, of each command given.
        messages: likewise of each message.
    """

    extracted: str = ""
    mode: str = ""
    entries: list[tuple[str, str, Packed | Problem]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    failure: str = ""
    why: str = ""
    notes: str = ""
    messages: list[tuple[str, str, Message | Problem]] = field(default_factory=list)


def parse(
    answer: object,
    world: World,
    rules: Rules,
    nation: int,
    vocabulary: Vocabulary,
    *,
    text: bool = False,
    truncated: bool = False,
) -> ParseResult:
    """The legal commands of an answer, and why the others are not; never raises, whatever the answer is.

    Each command is judged on what the nation can know, for the coming turn, after booking the legal ones
    before it (`Booking`); each message as if those before it were posted (`board.refusal`).

    Args:
        answer: what the model said; None counts as empty.
        world: between two turns; not changed.
        rules: its rules.
        nation: who asks, 0..N-1.
        vocabulary: the words that may be used, of the same world.
        text: whether a block of lines (``PLAN replace`` ... ``END``) is taken as well as JSON.
        truncated: whether the model was stopped before it had finished (`finish_reason` "length").
    """
    raw = answer if isinstance(answer, str) else ""
    draft = read(answer, vocabulary, text=text, truncated=truncated)
    if draft.failure:
        return ParseResult(raw, draft.extracted, failure=draft.failure, why=draft.why)
    booking = Booking(world, rules, vocabulary.ruleset, nation)
    legal: list[tuple[str, Packed]] = []
    refused = []
    for place, said, order in draft.entries:
        refusal = str(order) if isinstance(order, Problem) else _booked(booking, order)
        if isinstance(order, Problem) or refusal:
            refused.append(Rejected(place, said, refusal))
        else:
            legal.append((place, order))
    messages: list[Message] = []
    for place, said, message in draft.messages:
        barred = str(message) if isinstance(message, Problem) else ""
        if isinstance(message, Message):
            barred = board.refusal(world, rules, nation, *message, len(messages))
        if barred:
            refused.append(Rejected(place, said, barred))
        elif isinstance(message, Message):
            messages.append(message)
    illegal = bool(draft.entries) and not legal
    return ParseResult(
        raw,
        draft.extracted,
        draft.mode,
        tuple(order for _, order in legal),
        tuple(place for place, _ in legal),
        (*refused, *draft.rejected),
        ILLEGAL if illegal else None,
        "none of the commands is legal" if illegal else "",
        draft.notes,
        () if illegal else tuple(messages),
    )


def read(answer: object, vocabulary: Vocabulary, *, text: bool = False, truncated: bool = False) -> Draft:
    """What an answer says, without asking whether it is legal. Arguments as for `parse`."""
    found = extract(answer, lines=text, truncated=truncated)
    if found.failure:
        return Draft(failure=found.failure, why=found.why)
    if found.mode:
        return _of_lines(found, vocabulary)
    try:
        document = documents.load(found.text)
    except documents.DocumentError as error:
        failure = TRUNCATED if error.cut and found.text.startswith("{") else UNPARSABLE
        return Draft(found.text, failure=failure, why=f"the answer is no JSON document: {error}")
    return _of_document(found.text, document, vocabulary)


def enter(world: World, rules: Rules, nation: int, result: ParseResult) -> int:
    """Put a result's commands into the nation's plan by its mode; a failure leaves the plan as it is.

    Returns:
        How many commands were cut because the plan was full (CMD-001).
    """
    if result.failure:
        return 0
    limit = int(rules.scalars["plan_max_commands"][0])
    return plans.set_plan(world, nation, result.commands, result.mode, limit)


def post(said: Board, world: World, rules: Rules, nation: int, result: ParseResult) -> None:
    """Post a result's messages, beside the plan that `enter` puts into the World."""
    for message in result.messages:
        said.post(world, rules, nation, *message)


def feedback(result: ParseResult, most: int = 10) -> list[str]:
    """What to tell a model about its answer: the failure, then what is not played, at most so many lines."""
    told = [f"{result.failure}: {result.why}"] if result.failure else []
    told += [str(entry) for entry in result.rejected[:most]]
    rest = len(result.rejected) - most
    return [*told, f"... and {rest} more"] if rest > 0 else told


def _of_document(text: str, document: Any, vocabulary: Vocabulary) -> Draft:
    """The plan of a document: ``{"mode": ..., "commands": [...], "messages": [...], "notes": ...}``."""
    draft = Draft(text)
    if not isinstance(document, documents.Members):
        return _unparsable(draft, f"the document must be an object with {', '.join(MEMBERS)}")
    if document.doubled:
        return _unparsable(draft, f"{', '.join(map(show, document.doubled))} is given twice")
    mode = document.get("mode")
    mode = REPLACE if mode is None else mode
    if not isinstance(mode, str) or mode.strip().casefold() not in MODES:
        return _unparsable(draft, f"mode={show(mode)} must be one of {', '.join(MODES)}")
    draft.mode = mode.strip().casefold()
    given = document.get("commands")
    if given is None and draft.mode == KEEP:
        given = []
    if not isinstance(given, list):
        return _unparsable(draft, f"commands must be a list, not {show(given)}")
    _take(draft, vocabulary, [(f"commands[{k}]", entry) for k, entry in enumerate(given)])
    messages = document.get("messages")
    if isinstance(messages, list):
        _hear(
            draft,
            [(f"messages[{k}]", _repeated(entry), entry) for k, entry in enumerate(messages)],
            vocabulary,
        )
    elif messages is not None:
        draft.rejected.append(Rejected("messages", show(messages), "messages must be a list"))
    notes = document.get("notes")
    if isinstance(notes, str):
        draft.notes = _harmless(notes)
    elif notes is not None:
        draft.rejected.append(Rejected("notes", show(notes), "notes must be a text"))
    others = [key for key in document if key not in MEMBERS]
    for key in others[:_OTHERS_TOLD]:
        reason = f"is no part of a plan, which has {', '.join(MEMBERS)}"
        draft.rejected.append(Rejected(show(key), "", reason))
    return draft


def _of_lines(found: Extracted, vocabulary: Vocabulary) -> Draft:
    """The plan of a block of lines."""
    draft = Draft(found.text.strip(), found.mode)
    given = []
    spoken = []
    notes = []
    for k, said in enumerate(found.text.split("\n")):
        if said.strip().casefold().startswith(_NOTES):
            notes.append(said.strip()[len(_NOTES) :])
        elif len(said) <= _LINE and speech.of_line(vocabulary, said.strip()) is not None:
            spoken.append((f"line {found.first + k}", _repeated(said.strip()), said.strip()))
        elif len(said.strip()) > _LINE or lines.bare(said):
            given.append((f"line {found.first + k}", said.rstrip("\r")))
    draft.notes = _harmless("\n".join(filter(str.strip, notes)).strip())
    _take(draft, vocabulary, given)
    _hear(draft, spoken, vocabulary)
    return draft


def _hear(draft: Draft, given: list[tuple[str, str, Any]], vocabulary: Vocabulary) -> None:
    """Read messages one by one; those beyond what anybody may post are rejected unread."""
    for place, said, entry in given[: speech.MOST_READ]:
        message = speech.of_line(vocabulary, entry) if isinstance(entry, str) else None
        draft.messages.append((place, said, message or speech.of_object(vocabulary, entry)))
    if len(given) > speech.MOST_READ:
        place = f"{given[speech.MOST_READ][0]} to {given[-1][0]}"
        draft.rejected.append(Rejected(place, "", f"at most {speech.MOST_READ} messages are read"))


def _take(draft: Draft, vocabulary: Vocabulary, given: list[tuple[str, Any]]) -> None:
    """Read commands one by one; those beyond the longest plan are rejected unread."""
    most = min(PLAN_LENGTH, int(vocabulary.ruleset.rules.scalars["plan_max_commands"][0]))
    for place, entry in given[:most]:
        said = _repeated(entry)
        kept = Problem("the mode keep takes no commands; use front or replace")
        order = kept if draft.mode == KEEP else _command(vocabulary, entry)
        draft.entries.append((place, said, order))
    if len(given) > most:
        place = f"{given[most][0]} to {given[-1][0]}"
        draft.rejected.append(Rejected(place, "", f"a plan has at most {most} commands"))


def _booked(booking: Booking, order: Packed) -> str:
    """Book a command if it is legal; else why it is not."""
    meaning = table.unpack(*order)
    if meaning is None:
        return "it means nothing"
    refusal = booking.refusal(meaning.verb, order)
    if not refusal:
        booking.book(meaning.verb, order)
    return refusal


def _command(vocabulary: Vocabulary, entry: Any) -> Packed | Problem:
    if isinstance(entry, documents.Members):
        return documents.read(vocabulary, entry)
    if isinstance(entry, str):
        return lines.read(vocabulary, entry)
    return Problem(f'a command is an object such as {{"command": "fundraise"}}, not {show(entry)}')


def _repeated(entry: Any) -> str:
    """What stands at a command's place, on one line."""
    if isinstance(entry, dict):
        members = [f"{show(key)}={show(value)}" for key, value in islice(entry.items(), _MEMBERS_TOLD)]
        text = " ".join(members)
    else:
        text = entry if isinstance(entry, str) else show(entry)
    text = plain(text[: _TEXT + 1])
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}..."


def _unparsable(draft: Draft, why: str) -> Draft:
    draft.failure, draft.why = UNPARSABLE, why
    return draft


def _harmless(notes: str) -> str:
    """Notes within bounds, without control characters other than line breaks."""
    return "\n".join(plain(row) for row in notes[:NOTES_LONGEST].replace("\r\n", "\n").split("\n"))


__all__ = [
    "EMPTY",
    "FAILURES",
    "ILLEGAL",
    "TRUNCATED",
    "UNPARSABLE",
    "Draft",
    "ParseResult",
    "Rejected",
    "enter",
    "feedback",
    "parse",
    "post",
    "read",
]
