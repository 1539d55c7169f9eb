"""The page on language models: its file is one, its defaults are the defaults, its program runs."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hakoenv.agents.llm import Budget, Prices, Settings, config

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "llm.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE, re.S)


def test_the_file_shows_the_defaults(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    said = tomllib.loads(text)
    assert Settings.of(said["settings"]) == Settings()
    assert Budget.of(said["budget"]) == Budget() and Prices.of(said["prices"]) == Prices()
    optional = {"temperature", "seed"}
    assert said["settings"].keys() == Settings().as_dict().keys() - optional
    (tmp_path / "llm.toml").write_text(text, encoding="utf-8")
    read = config.read(tmp_path / "llm.toml")
    assert read.nation("big-one").budget.seconds_per_turn == 120


def test_every_limit_and_failure_is_named() -> None:
    for name in (*Budget().as_dict(), *Settings().as_dict()):
        assert name in PAGE, name
    for kind in ("truncated", "empty", "unparsable", "illegal", "refused", "rate_limited", "server_error",
                 "timeout", "bad_request", "deadline", "budget"):  # fmt: skip
        assert f"`{kind}`" in PAGE, kind


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_program_runs_as_shown(capsys: Any) -> None:
    (program,) = blocks("python")
    exec(compile(program, "docs/llm.md", "exec"), {})
    assert "'asked': 2" in capsys.readouterr().out
