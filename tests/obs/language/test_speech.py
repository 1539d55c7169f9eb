"""Messages in answers: how they are written, which are posted, which come back."""

import json
from typing import Any

import pytest

from hakoenv.engine.board import Board, Message
from hakoenv.engine.codes import ending
from hakoenv.engine.world import copy_world
from hakoenv.obs.language import answers
from hakoenv.obs.language.answers import ParseResult


def parsed(scene: Any, answer: str) -> ParseResult:
    w = scene.world
    return answers.parse(answer, w.world, w.rules, 0, scene.vocabulary, text=True)


def saying(*messages: Any, **others: Any) -> str:
    return json.dumps({"mode": "keep", "commands": [], "messages": messages, **others})


@pytest.mark.parametrize(
    ("to", "meant"),
    [
        ("nation_1", "nation_1"), ("Nation 1", "nation_1"), (1, "nation_1"), ("1", "nation_1"),
        ("all", "all"), (" ALL ", "all"), ("\uff41\uff4c\uff4c", "all"),
    ],
)  # fmt: skip
def test_whom_a_message_is_for(scene: Any, to: Any, meant: str) -> None:
    result = parsed(scene, saying({"to": to, "text": "peace?"}))
    assert result.failure is None and not result.rejected
    assert result.messages == (Message(meant, "peace?"),)


def test_a_message_to_the_faction_needs_one(scene: Any) -> None:
    result = parsed(scene, saying({"to": "faction", "text": "x"}))
    assert "full member of no faction" in result.rejected[0].reason


def test_lines_say_messages_too(scene: Any) -> None:
    block = """PLAN replace
fundraise
- say nation_1: Peace # now: "or" never
Say to all: hello
say nobody: x
say all:
NOTES: wait
END"""
    result = parsed(scene, block)
    assert result.lines == ("fundraise",) and result.notes.strip() == "wait"
    assert result.messages == (
        Message("nation_1", ' Peace # now: "or" never'), Message("all", " hello")
    )  # fmt: skip
    assert [entry.place for entry in result.rejected] == ["line 5", "line 6"]
    assert "to=nobody must be nation_0" in result.rejected[0].reason
    assert result.rejected[1].reason == "the message is empty"


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("peace?", "a message is an object such as"),
        (7, "a message is an object such as"),
        ({"to": "all"}, "text=null must be a text"),
        ({"to": "all", "text": ["x"]}, "text=a list must be a text"),
        ({"text": "x"}, "to=null must be nation_0 .. nation_"),
        ({"to": "nation_40", "text": "x"}, "to=nation_40 must be"),
        ({"to": "nation_0", "text": "x"}, "a nation can't write to itself"),
        ({"to": "all", "text": "x", "from": "nation_1"}, "a message has no from; it has to and text"),
        ({"to": "all", "text": "x" * 281}, "the message has 281 characters; at most 280"),
    ],
)
def test_what_is_no_message_comes_back_and_the_rest_is_posted(scene: Any, entry: Any, why: str) -> None:
    result = parsed(scene, saying(entry, {"to": "all", "text": "hello"}))
    assert result.failure is None and result.messages == (Message("all", "hello"),)
    (refused,) = result.rejected
    assert refused.place == "messages[0]" and why in refused.reason and len(str(refused)) < 400


def test_no_more_is_posted_than_a_turn_allows(scene: Any) -> None:
    result = parsed(scene, saying(*[{"to": "all", "text": f"{k}"} for k in range(60)]))
    assert [message.text for message in result.messages] == ["0", "1", "2", "3"]
    assert result.rejected[0].reason == "a nation may post 4 messages a turn"
    assert result.rejected[-1].place == "messages[50] to messages[59]"


def test_null_and_what_is_no_list(scene: Any) -> None:
    assert parsed(scene, saying(messages=None)).messages == ()
    odd = parsed(scene, saying(messages="hello"))
    assert odd.failure is None and str(odd.rejected[0]) == "messages: hello: messages must be a list"
    doubled = '{"mode": "keep", "messages": [{"to": "all", "to": "nation_1", "text": "x"}]}'
    assert "is given twice" in parsed(scene, doubled).rejected[0].reason


def test_an_answer_that_fails_says_nothing(scene: Any) -> None:
    said = {"to": "all", "text": "hello"}
    answer = json.dumps({"mode": "replace", "commands": ["farm at (0,0)"], "messages": [said]})
    result = parsed(scene, answer)
    assert result.failure == "illegal" and result.messages == ()


def test_what_an_answer_says_is_posted(scene: Any) -> None:
    w, board = scene.world, Board()
    result = parsed(scene, saying({"to": "nation_1", "text": "peace?"}))
    answers.post(board, w.world, w.rules, 0, result)
    assert [(post.author, post.to, post.text) for post in board.waiting] == [(0, 1, "peace?")]
    over = copy_world(w.world)
    over.clock["ending"] = ending.TURN_LIMIT
    answers.post(board, over, w.rules, 0, result)
    assert len(board.waiting) == 1
