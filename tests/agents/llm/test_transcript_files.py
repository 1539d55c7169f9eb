"""Files of transcripts as they are found: cut off, broken, none at all, of an older season."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hakoenv.agents.llm import LLMNation, Transcript
from hakoenv.agents.llm.transcript import TranscriptError

from hakoenv import Season
from hakoenv.testing.stub_model import Play, StubModel

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def kept(stub: StubModel, tmp_path: Path) -> Path:
    notes = '{"mode": "replace", "commands": ["fundraise"], "notes": "\u6e2f\u3092\u4f5c\u308b"}'
    stub.behaviour = lambda body, number: Play(notes)
    path = tmp_path / "kept.jsonl"
    Season.new("duel", seed=1, agents=[LLMNation(stub.url, "m", transcript=path), "rule_ai"]).run(until=2)
    return path


def test_a_line_cut_anywhere_is_left_out_and_written_again(kept: Path, tmp_path: Path) -> None:
    data = kept.read_bytes()
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    line = json.loads(data[last:])
    letter = data.index("\u6e2f".encode(), last)
    for cut in (last + 1, letter + 1, letter + 2, len(data) - 2, len(data) - 1, len(data)):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(data[:cut])
        Transcript(path)
        assert path.read_bytes() == data[:cut]  # to read changes nothing
        Transcript(path).turn({**line, "turn": 3})
        whole = cut >= len(data) - 1
        assert sorted(turn for turn, _ in Transcript(path).turns) == ([1, 2, 3] if whole else [1, 3])


@pytest.mark.parametrize("content", ["one line of somebody's notes", '{"a": 1}', "", "one\ntwo\n"])
def test_a_file_that_is_no_transcript_stays_as_it_is(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    for read in (Transcript, Transcript.existing, Transcript.fresh):
        if content:
            with pytest.raises(TranscriptError, match="no line of a transcript"):
                read(path)
        else:
            read(path)
    assert path.read_text() == content


def test_an_older_transcript_stays_until_something_is_written(kept: Path) -> None:
    before = kept.read_bytes()
    fresh = Transcript.fresh(kept)
    assert not fresh.turns and kept.read_bytes() == before
    fresh.prompt("digest", "text")
    (line,) = kept.read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {"kind": "prompt", "digest": "digest", "text": "text"}


@pytest.mark.parametrize("value", [None, 5, "x", [[]], {"a": 1}, "left out"])
def test_a_line_of_another_shape_is_refused_in_a_sentence(value: Any, kept: Path) -> None:
    rows = kept.read_text(encoding="utf-8").splitlines()
    for name in ("turn", "calls", "outcome", "commands", "enemies", "told"):
        line = json.loads(rows[2])
        if value == "left out":
            del line[name]
        else:
            line[name] = value
        if (name, value) in [("turn", 5), ("outcome", "x"), ("commands", "x"), ("commands", [[]])]:
            continue
        if name in ("enemies", "told", "commands") and value in ("x", {"a": 1}):
            continue  # odd, and harmless
        kept.write_text("\n".join([*rows[:2], json.dumps(line), *rows[3:]]) + "\n", encoding="utf-8")
        with pytest.raises(TranscriptError, match="line 3 is no line of a transcript"):
            Transcript(kept)


OTHER = '{"mode": "replace", "commands": ["fundraise", "fundraise"], "notes": null}'


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.update(calls=[]),
        lambda line: line["calls"].append(line["calls"][0]),
        lambda line: line["calls"][0].update(content=OTHER),
        lambda line: line["calls"][0].update(content="no plan"),
        lambda line: line.update(outcome="unparsable"),
        lambda line: line.update(commands=[]),
        lambda line: line.update(mode="front"),
        lambda line: line["calls"][0].update(failure="timeout"),
    ],
)
def test_a_line_that_says_something_else_than_its_calls_is_refused(change: Any, kept: Path) -> None:
    rows = kept.read_text(encoding="utf-8").splitlines()
    line = json.loads(rows[2])
    change(line)
    kept.write_text("\n".join([*rows[:2], json.dumps(line), *rows[3:]]) + "\n", encoding="utf-8")
    model = LLMNation(model="m", replay=Transcript.existing(kept))
    season = Season.new("duel", seed=1, agents=[model, "rule_ai"])
    before = season.state_hash()
    with pytest.raises(
        TranscriptError, match="the transcript was changed: the answers to nation_0 for turn 1"
    ):
        season.play_turn()
    assert season.state_hash() == before


HOLDS = """
import sys
from hakoenv.agents.llm import Transcript
kept = Transcript(sys.argv[1])
kept.claim()
print("held", flush=True)
sys.stdin.read()
"""


def test_no_two_programs_write_one_transcript(kept: Path, stub: StubModel) -> None:
    before = kept.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(kept)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        model = LLMNation(stub.url, "m", transcript=Transcript.fresh(kept))
        with pytest.raises(TranscriptError, match="another program is writing this transcript"):
            Season.new("duel", seed=1, agents=[model, "rule_ai"]).play_turn()
        assert len(Transcript.existing(kept).turns) == 2  # it can be read
        other.communicate()
    assert kept.read_bytes() == before
    first, second = Transcript(kept), Transcript(kept)  # of one program several may
    first.claim()
    second.claim()
