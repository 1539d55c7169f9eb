"""The page on plans: its examples are read as it says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hakoenv.engine.commands.table import Packed
from hakoenv.obs.language import answers, forms, lines
from hakoenv.obs.language.building import Problem
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import load_ruleset

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "plans.md").read_text(encoding="utf-8")
WORDS = Vocabulary(load_ruleset("season"), 20, 90, 90, "everything")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE, re.S)


@pytest.mark.parametrize("line", blocks("plan")[0].split("\n"))
def test_the_lines_are_canonical(line: str) -> None:
    found = lines.read(WORDS, line)
    assert isinstance(found, Packed), found
    assert forms.line(found) == line


@pytest.mark.parametrize("line", blocks("plan")[1].split("\n"))
def test_the_other_spellings_mean_the_first_line(line: str) -> None:
    assert lines.read(WORDS, line) == lines.read(WORDS, "farm at (12,7)")


@pytest.mark.parametrize("line", blocks("refused")[0].split("\n"))
def test_what_is_refused_is_refused(line: str) -> None:
    assert isinstance(lines.read(WORDS, line), Problem)


def test_the_reason_is_the_one_on_the_page() -> None:
    said = " ".join(PAGE.split())
    assert str(lines.read(WORDS, "farm at (120,7)")) in said


def test_the_document_and_the_block_are_read() -> None:
    draft = answers.read(blocks("json")[0], WORDS)
    assert (draft.mode, draft.notes, draft.rejected) == ("front", "a port next", [])
    assert len(draft.entries) == len(json.loads(blocks("json")[0])["commands"])
    assert all(isinstance(order, Packed) for _, _, order in draft.entries)
    draft = answers.read(blocks("answer")[0], WORDS, text=True)
    assert (draft.mode, draft.notes, len(draft.entries)) == ("front", "a port next", 2)


@pytest.mark.slow
def test_the_program_runs_as_shown(capsys: Any) -> None:
    (program,) = blocks("python")
    exec(compile(program, "docs/plans.md", "exec"), {})
    assert "fundraise" in capsys.readouterr().out


def test_every_failure_is_on_the_page() -> None:
    for failure in answers.FAILURES:
        assert f"| `{failure}` |" in PAGE


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
