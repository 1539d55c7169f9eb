"""The page on tournaments: its module is one, its commands run, its patterns are the patterns."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("scipy", reason="the extra `tournament` is not installed")
pytest.importorskip("choix", reason="the extra `tournament` is not installed")

from hakoenv.experiments.tournament import fields, standings

from hakoenv.cli import main

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "tournaments.md").read_text(encoding="utf-8")
SHORT = {"tournament": ["--seasons", "3"], "evaluate": ["--seasons", "2"], "fairness": ["--seasons", "2"]}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE, re.S)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = blocks("python")
    (tmp_path / "my_bots.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setitem(sys.modules, "my_bots", None)
    del sys.modules["my_bots"]


@pytest.mark.slow
@pytest.mark.parametrize("line", blocks("bash")[0].splitlines())
def test_the_commands_run(module: None, line: str) -> None:
    words = shlex.split(line)
    done = CliRunner().invoke(
        main, [*words[1:], "--workers", "0", "--turns", "3", "--scenario", "duel", *SHORT[words[1]]]
    )
    assert done.exit_code == 0, done.output
    assert "forfeits" not in done.stderr


@pytest.mark.slow
def test_all_of_the_module_can_play(module: None, tmp_path: Path) -> None:
    names = ["patient", "careful", "Farmer"]
    entrants: list[Any] = [word for name in names for word in ("--entrant", f"{name}=my_bots:{name}")]
    done = CliRunner().invoke(
        main,
        ["tournament", *entrants, "--scenario", "duel", "--turns", "4", "--seasons", "3", "--workers", "0"],
    )
    assert done.exit_code == 0, done.output
    assert '"forfeits": []' in (tmp_path / "runs" / "tournament" / "table.json").read_text(encoding="utf-8")


def test_numbers_and_names_are_those_of_the_code() -> None:
    from hakoenv.experiments.tournament import ratings, seat, workers

    for field in fields.FIELDS:
        assert field in PAGE
    for number in (standings.FEWEST, seat.PREPARING_SECONDS, workers.hard_limit(0)):
        assert f" {number:g} s" in PAGE
    assert f"{ratings._DRAWS:,} times" in PAGE


def test_all_who_can_enter_by_name_are_listed() -> None:
    from hakoenv import controllers

    listed = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    for name in {*controllers.names()} - {controllers.EXTERNAL}:
        assert f"`{name}`" in listed or f"`{name}:" in listed, name


@pytest.mark.parametrize("page", ["README.md", "docs/training.md"])
def test_what_is_shown_runs_after_the_install_that_is_shown(page: str) -> None:
    """A command that plays on Ray stands behind an install that brings it, or plays without."""
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    shown = 0
    for section in re.split(r"^## ", text, flags=re.M):
        installs = "".join(re.findall(r"pip install [^`\n]*", section))
        for line in re.findall(r"^(?:\$ )?hakoenv (?:tournament|evaluate|fairness) .*", section, re.M):
            assert "tournament" in installs or "--workers 0" in line.partition("#")[0], line
            shown += 1
    assert shown


def test_long_runs_are_installed_with_ray() -> None:
    makefile = (DOCS.parent / "Makefile").read_text(encoding="utf-8")
    (needs,) = re.findall(r"^soak: (.*?) ##", makefile, re.M)
    (extras,) = re.findall(r"^\$\(VENV\)/\.trainers:.*?-e '\.\[(.*?)\]'", makefile, re.M | re.S)
    assert "$(VENV)/.trainers" in needs and "tournament" in extras.split(",")


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (DOCS / target).exists(), target
