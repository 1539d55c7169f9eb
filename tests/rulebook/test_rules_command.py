"""`hakoenv rules` on the command line, and the index of tests."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hakoenv.cli import main
from hakoenv.rulebook import RulebookError, areas, rules
from hakoenv.rulebook import collect as collecting
from hakoenv.rulebook.coverage import brought_by, index, report, unfinished
from hakoenv.ruleset import load_ruleset


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments], prog_name="hakoenv")


def test_a_rule() -> None:
    result = run("dev-013")
    assert result.exit_code == 0
    for part in (
        "DEV-013",
        "Phase: 6 natural_stock",
        "mine.pile_per_level = 10 pile",
        "Tables: mines",
        "Tests",
    ):
        assert part in result.output
    assert "Commands: mine_level_up" in run("CMD-035").output or "Commands:" in run("CMD-035").output


def test_a_rule_as_json() -> None:
    about = json.loads(run("DEV-013", "--json").output)
    assert about["id"] == "DEV-013" and about["values"]["per_level"] == 10
    assert {"key": "mine.pile_per_level", "value": 10, "unit": "pile"} in about["constants"]


def test_a_rule_says_whether_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Not built yet" not in run("DEV-013").output
    assert json.loads(run("DEV-013", "--json").output)["comes_with"] is None
    monkeypatch.setattr("hakoenv.rulebook.pages.index", dict)
    assert "Not built yet, or not whole: comes with economy" in run("DEV-013").output
    assert json.loads(run("DEV-013", "--json").output)["comes_with"] == "economy"


def test_an_area() -> None:
    lines = run("EMBARK").output.splitlines()
    assert len(lines) == 11 and lines[0].startswith("EMBARK-001")
    assert len(json.loads(run("EMBARK", "--json").output)) == 11


def test_all_areas() -> None:
    assert [line.split()[0] for line in run().output.splitlines()] == list(areas())


def test_unknown_names_fail_with_one_sentence() -> None:
    for arguments in (("DEVV-013",), ("NOPE", "--missing"), ("NOPE", "--json"), ("NOPE", "--constants")):
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stdout == "" and len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith("hakoenv: no ") and "nearest:" in result.stderr


def test_what_excludes_each_other_is_refused() -> None:
    result = run("--missing", "--constants", "mine")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "hakoenv: --missing and --constants exclude each other\n"


def test_coverage_as_json_is_the_report() -> None:
    assert json.loads(run("--coverage", "--json").output) == json.loads(json.dumps(report()))
    narrowed = json.loads(run("EMBARK", "--coverage", "--json").output)
    assert {rule["id"] for rule in narrowed["rules"]} == {rule.id for rule in areas()["EMBARK"]}


def test_coverage_adds_up() -> None:
    last = run("--coverage").output.splitlines()[-1].split()
    assert last[0] == "all" and int(last[1]) + int(last[2]) == int(last[3]) == len(rules())


def test_report_of_given_tests() -> None:
    found = report({"DEV-013": ["tests/a.py::test_b"]})
    assert found["tested_ids"] == ["DEV-013"]
    assert len(found["missing_ids"]) == len(rules()) - 1
    assert {"id": "DEV-013", "kind": "stated", "tests": ["tests/a.py::test_b"]} in found["rules"]


def test_missing_says_what_brings_it() -> None:
    output = run("TRPG", "--missing").output
    assert "comes with: tabletop" in output or output == "no rule of TRPG is missing\n"
    assert all(brought_by(name) for name in rules())


def test_where_nothing_is_missing_it_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hakoenv.rulebook.cli.report", lambda: {"missing_ids": ["TRPG-001"]})
    assert run("season", "--missing").output == "no rule of SEASON is missing\n"
    assert run("DEV-013", "--missing").output == "DEV-013 is not missing: it has a test\n"
    monkeypatch.setattr("hakoenv.rulebook.cli.report", lambda: {"missing_ids": []})
    assert run("--missing").output == "Every rule has a test.\n"


def test_constants_by_part_of_their_key() -> None:
    assert run("--constants", "MINE.PILE").output == (
        "mine.pile_per_level = 10 pile; an integer from 0 to 100; seed S:143; DEV-013\n"
    )
    keys = [line.split(" = ")[0] for line in run("--constants", "mine.*").output.splitlines()]
    assert "mine.level_max" in keys and all(key.startswith("mine.") for key in keys)
    assert len(run("--constants").output.splitlines()) == len(load_ruleset().keys())


def test_constants_as_json() -> None:
    (about,) = json.loads(run("--constants", "mine.pile_per_level", "--json").output)
    assert (about["key"], about["value"], about["unit"]) == ("mine.pile_per_level", 10, "pile")
    assert (about["low"], about["high"], about["provenance"]) == (0, 100, "seed")
    assert about["rules"] == ["DEV-013"]


def test_the_index_names_rules_that_exist() -> None:
    assert set(index()) <= set(rules())


SUITE = """
import pytest

@pytest.mark.rule("DEV-013", "DEV-014")
def test_one(): ...

@pytest.mark.parametrize("case", [pytest.param(1, marks=pytest.mark.rule("DEV-013"), id="a"), 2])
def test_cases(case): ...
"""


def suite(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = "--strict-markers"\n', encoding="utf-8"
    )
    tests = folder / "tests"
    tests.mkdir()
    (tests / "test_it.py").write_text(text, encoding="utf-8")
    return tests


def test_collecting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = suite(tmp_path, SUITE)
    found = collecting.collect(tests)
    assert found == {
        "DEV-013": ["tests/test_it.py::test_cases[a]", "tests/test_it.py::test_one"],
        "DEV-014": ["tests/test_it.py::test_one"],
    }
    monkeypatch.setattr(collecting, "index", lambda: {**found, "DEV-014": []})
    assert collecting.stale(tests) == ["DEV-014"]
    monkeypatch.setattr(collecting, "index", lambda: found)
    assert collecting.stale(tests) == []
    assert json.loads(collecting.dump(found)) == found


def test_tests_of_a_part_of_a_rule_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = SimpleNamespace(args=("DEV-013", "DEV-014"))
    item: Any = SimpleNamespace(nodeid="tests/test_it.py::test_one", iter_markers=lambda name: [mark])
    monkeypatch.setattr(collecting, "unfinished", lambda: frozenset({"DEV-014"}))
    assert collecting.index_of([item]) == {"DEV-013": ["tests/test_it.py::test_one"]}


def test_unfinished_rules_are_of_the_ledger_and_not_in_the_index() -> None:
    assert unfinished() <= set(rules())
    assert not unfinished() & set(index())


def test_a_mark_with_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    tests = suite(tmp_path, SUITE.replace("DEV-014", "DEV-999"))
    with pytest.raises(RulebookError, match="DEV-999"):
        collecting.collect(tests)


def test_a_folder_that_cant_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    result = run("--write-docs", str(tmp_path / "file" / "docs"))
    assert result.exit_code == 2
    assert "can't be written" in result.output and len(result.output.splitlines()) == 1
