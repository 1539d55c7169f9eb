"""A key that the endpoint gives back is in no file, and disturbs no replay."""

import json
from pathlib import Path

import pytest
from hakoenv.agents.llm import LLMNation, Transcript, keys

from hakoenv import Season
from hakoenv.testing.stub_model import Play, StubModel

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize(
    "key",
    [
        "sk-TOPSECRETKEY123456",
        'a+Key/with="quotes"\\zz9',
        "outcome",
        "content",
        "replace",
        "fundraise",
        "llm:m",
    ],
)
def test_a_key_in_an_answer_is_kept_nowhere_and_the_season_replays(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_KNOWN", set())  # such a key would spoil other tests
    monkeypatch.setenv("OPENAI_API_KEY", key)
    answer = json.dumps(
        {"mode": "replace", "commands": ["fundraise", f"steal {key}"], "notes": f"it is {key}"}
    )
    path = tmp_path / "t.jsonl"
    with StubModel(lambda body, number: Play(answer)) as stub:
        live = Season.new("duel", seed=1, agents=[LLMNation(stub.url, "m", transcript=path), "rule_ai"])
        live.run(until=3)
    for form in (key, json.dumps(key)[1:-1], json.dumps(json.dumps(key)[1:-1])[1:-1]):
        assert len(form) < 10 or form not in path.read_text(encoding="utf-8")
    again = LLMNation(model="m", replay=Transcript.existing(path))
    replayed = Season.new("duel", seed=1, agents=[again, "rule_ai"])
    replayed.run(until=3)
    assert replayed.state_hash() == live.state_hash()
