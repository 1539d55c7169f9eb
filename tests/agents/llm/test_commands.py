"""`hakoenv season --agents llm:...`, `llm-bench` and `stub-model` as a user meets them."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hakoenv.cli import main
from hakoenv.testing.stub_model import BEHAVIOURS, StubModel

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def configured(stub: StubModel, tmp_path: Path) -> Path:
    path = tmp_path / "llm.toml"
    path.write_text(
        f'base_url = "{stub.url}"\n[budget]\nseconds_per_turn = 30\n[settings]\ntext_characters = 6000\n'
        "[prices]\nprompt_per_million = 1.0\nanswer_per_million = 4.0\n",
        encoding="utf-8",
    )
    return path


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments, standalone_mode=False)
    if isinstance(result.exception, Exception) and hasattr(result.exception, "exit_code"):
        assert result.exception.exit_code == code, result.exception
    else:
        assert (result.exception is None or code) and (result.return_value or 0) == code, result
    return result


def season(*arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(
        run("season", "--scenario", "duel", "--seed", "3", "--json", *arguments).stdout
    )
    return result


def test_a_season_with_models_is_played_told_kept_and_replayed(
    configured: Path, stub: StubModel, tmp_path: Path, secret: str
) -> None:
    agents = ("--agents", "llm:stub-sane,llm:stub-sometimes")
    out = tmp_path / "out"
    first = season(*agents, "--llm-config", str(configured), "--turns", "3", "--out", str(out))
    sane, sometimes = first["llm"]
    assert (sane["model"], sane["calls"], sane["failures"]) == ("stub-sane", 3, {})
    assert sometimes["calls"] == 6 and sometimes["failures"] == {"unparsable": 3}
    assert sane["cost"] > 0 and sane["proxy_share"] == 0.0
    stub.close()
    replayed = season(*agents, "--turns", "3", "--replay-transcript", str(out / "transcript.jsonl"))
    assert replayed["state_hash"] == first["state_hash"]
    assert [entry["calls"] for entry in replayed["llm"]] == [3, 6]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        assert secret.encode() not in path.read_bytes(), path
    assert stub.headers[0]["authorization"] == f"Bearer {secret}"  # it was sent, of course


def test_a_season_goes_on_with_its_models_and_their_transcript(configured: Path, tmp_path: Path) -> None:
    agents = ("--agents", "llm:stub-sane,rule_ai", "--llm-config", str(configured))
    whole = season(*agents, "--turns", "4")
    save = str(tmp_path / "a.save")
    season(*agents, "--turns", "2", "--save", save)
    rest = json.loads(
        run(
            "season",
            "--resume",
            save,
            "--save",
            save,
            "--llm-config",
            str(configured),
            "--turns",
            "4",
            "--json",
        ).stdout
    )
    assert rest["state_hash"] == whole["state_hash"]
    assert rest["llm"][0]["calls"] == whole["llm"][0]["calls"] == 4
    lines = (tmp_path / "a.save.transcript.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["turn"] for line in lines if json.loads(line)["kind"] == "turn"] == [1, 2, 3, 4]


def test_the_table_names_calls_tokens_cost_failures_and_the_proxys_share(configured: Path) -> None:
    shown = run(
        "season", "--scenario", "duel", "--agents", "llm:stub-prose,rule_ai", "--llm-config", str(configured),
        "--turns", "1",
    ).output  # fmt: skip
    assert "Language models" in shown and "stub-prose" in shown and "100%" in shown
    assert "nation_0 failures: unparsable 2" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--agents", "llm"], "no model is named"),
        (["--agents", "rule_ai", "--llm-config", "x.toml"], "--llm-config: no nation has a language model"),
        (["--agents", "llm:x", "--llm-config", "x.toml"], "x.toml: can't be read"),
        (["--agents", "llm:x", "--replay-transcript", "none.jsonl"], "no such transcript"),
        (["--agents", "llm:x", "--transcript", "a", "--replay-transcript", "b"], "nothing new is asked"),
        (["--agents", "llm:x", "--transcript", ""], "--transcript is empty"),
        (["--agents", "lim:x"], "unknown controller 'lim:x'"),
    ],
)
def test_what_a_user_gets_wrong_is_one_sentence(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HAKOENV_LLM_CONFIG", raising=False)
    result = run("season", "--scenario", "duel", "--turns", "1", *arguments, code=2)
    assert said in str(result.exception)


@pytest.mark.slow
def test_ctrl_c_stops_within_two_seconds_and_the_season_can_be_resumed(
    configured: Path, stub: StubModel, tmp_path: Path, secret: str
) -> None:
    """The model answers two turns, then it hangs; the stop comes while it does."""
    stub.behaviour = lambda body, number: BEHAVIOURS["sane" if number < 2 else "hang"](body, number)
    save = tmp_path / "a.save"
    arguments = [
        "season",
        "--scenario",
        "duel",
        "--seed",
        "3",
        "--agents",
        "llm:x,rule_ai",
        "--save",
        str(save),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "hakoenv", *arguments, "--llm-config", str(configured)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "OPENAI_API_KEY": secret},
        text=True,
    )
    end = time.monotonic() + 400
    while len(stub.requests) < 3 and time.monotonic() < end and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 2
    assert process.returncode == 130
    assert "stopped after turn 2; continue with: hakoenv season --resume" in err
    assert secret not in out + err
    stub.behaviour = None
    stub.behaviour = lambda body, number: BEHAVIOURS["sane"](body, number)
    resumed = (
        "--resume",
        str(save),
        "--save",
        str(save),
        "--llm-config",
        str(configured),
        "--turns",
        "4",
        "--json",
    )
    rest = json.loads(run("season", *resumed).stdout)
    whole = season("--agents", "llm:x,rule_ai", "--llm-config", str(configured), "--turns", "4")
    assert rest["state_hash"] == whole["state_hash"]


def test_the_bench_plays_model_rule_ai_and_random_in_the_same_seats_and_seeds(
    configured: Path, tmp_path: Path
) -> None:
    arguments = ["llm-bench", "--llm-config", str(configured), "--seeds", "3,5", "--turns", "2", "--json"]
    arguments += [
        "--decide-every",
        "2",
        "--hints",
        "full",
        "--with-proxy",
        "--transcripts",
        str(tmp_path / "t"),
    ]
    told = json.loads(run(*arguments, "--model", "stub-sometimes").stdout)
    names = [entry["contestant"] for entry in told["contestants"]]
    assert names == ["model", "model_with_proxy", "rule_ai", "random"]
    by_name = {entry["contestant"]: entry for entry in told["contestants"]}
    assert all(len(entry["points"]) == entry["seasons"] == 2 for entry in told["contestants"])
    assert by_name["model"]["llm"]["calls"] == 4 and by_name["model"]["llm"]["failures"] == {"unparsable": 2}
    assert by_name["model"]["llm"]["asked"] == 2 and by_name["model"]["llm"]["turns"] == 4
    low, high = by_name["model"]["interval"]
    assert low <= by_name["model"]["mean"] <= high
    assert "against_rule_ai" in by_name["random"] and "against_rule_ai" not in by_name["rule_ai"]
    assert told["prompt_id"].startswith("v4-") and told["settings"]["decide_every"] == 2
    assert (told["scenario"], told["seeds"], told["field"], told["rules_version"]) == (
        "duel",
        [3, 5],
        ["rule_ai"],
        "0.1",
    )
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == [
        "model-3.jsonl", "model-5.jsonl", "model_with_proxy-3.jsonl", "model_with_proxy-5.jsonl",
    ]  # fmt: skip


def test_the_bench_without_a_plan_fundraises(configured: Path) -> None:
    arguments = ["--model", "stub-prose", "--llm-config", str(configured), "--seeds", "3", "--turns", "1"]
    shown = run("llm-bench", *arguments).output
    assert "without a plan 100%" in shown and "by the proxy 0%" in shown and "against rule AI" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seeds", "a"], "must be whole numbers"),
        (["--seeds", "3-1"], "must give 1 to"),
        (["--seat", "7"], "has 2 nations"),
        (["--field", "rule_ai,random"], "has 2 nations"),
        (["--hints", "all"], "hints='all'"),
        (["--field", "nobody"], "unknown controller"),
    ],
)
def test_what_the_bench_refuses(arguments: list[str], said: str, configured: Path) -> None:
    full = ["llm-bench", "--model", "stub-sane", "--llm-config", str(configured), "--turns", "1", *arguments]
    assert said in str(run(*full, code=2).exception)


def test_a_model_whose_name_looks_like_markup_is_told_by_its_name(configured: Path) -> None:
    arguments = ["--llm-config", str(configured), "--turns", "1"]
    told = run("season", "--scenario", "duel", "--agents", "llm:m[/q4],rule_ai", *arguments).stdout
    assert "m[/q4]" in told
    assert "m[/q4]" in run("llm-bench", "--model", "m[/q4]", "--seeds", "0", *arguments).stdout


def test_a_replay_that_was_stopped_is_continued_as_it_says(
    configured: Path, stub: StubModel, tmp_path: Path
) -> None:
    agents = ("--scenario", "duel", "--seed", "3", "--agents", "llm:stub-sane,rule_ai")
    kept, save = tmp_path / "t.jsonl", tmp_path / "again.save"
    whole = season(*agents[4:], "--llm-config", str(configured), "--turns", "3", "--transcript", str(kept))
    asked = len(stub.requests)
    replay = ("--replay-transcript", str(kept), "--save", str(save))
    told = run("season", *agents, *replay, "--turns", "2").stderr
    words = shlex.split(told.partition("continue with: ")[2])
    assert words[:2] == ["hakoenv", "season"] and str(kept) in words
    rest = json.loads(run(*words[1:], "--turns", "3", "--json").stdout)
    assert rest["state_hash"] == whole["state_hash"] and len(stub.requests) == asked


def test_a_second_run_into_the_same_files_is_refused_before_it_spoils_anything(
    configured: Path, stub: StubModel, tmp_path: Path
) -> None:
    """The first waits for its model when the second begins."""
    save, saved = tmp_path / "a.save", tmp_path / "a.save.transcript.jsonl"
    arguments = ["season", "--scenario", "duel", "--agents", "llm:x,rule_ai", "--save", str(save)]
    arguments += ["--llm-config", str(configured)]
    stub.behaviour = lambda body, number: BEHAVIOURS["sane" if number < 1 else "hang"](body, number)
    first = subprocess.Popen([sys.executable, "-m", "hakoenv", *arguments], stderr=subprocess.DEVNULL)
    try:
        while len(stub.requests) < 2 and first.poll() is None:
            time.sleep(0.05)
        before = [path.read_bytes() for path in (save, saved)]
        result = run(*arguments, code=2)
        assert "another program is writing this transcript" in str(result.exception)
        assert [path.read_bytes() for path in (save, saved)] == before
    finally:
        first.kill()
        first.wait()
