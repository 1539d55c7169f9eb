"""The ledger as data: ids, areas, phases, pages."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from hakoenv.rulebook import RulebookError, areas, expand, find, phases, rules
from hakoenv.rulebook.pages import AREA_TITLES, write_docs


def test_every_id_is_unique_and_numbered() -> None:
    ids = [
        rule["id"]
        for file in (files("hakoenv.rulebook") / "ledger").iterdir()
        if file.name.endswith(".toml")
        for rule in tomllib.loads(file.read_text(encoding="utf-8"))["rule"]
    ]
    assert len(ids) == len(set(ids)) == len(rules()) == 1121
    for area, listed in areas().items():
        assert [rule.id for rule in listed] == [f"{area}-{n:03d}" for n in range(1, len(listed) + 1)]


def test_every_rule_is_complete() -> None:
    for rule in rules().values():
        assert rule.title and rule.statement and rule.source and rule.kind in {"stated", "open"}
        assert rule.area in AREA_TITLES


def test_phases() -> None:
    assert len(phases()) == 41 and phases()["6"] == "natural_stock"
    assert rules()["DEV-013"].phase == "6" and rules()["DEV-013"].phase_text == "6 natural_stock"
    assert rules()["MAP-003"].phase == "static"
    assert rules()["AUC-004"].phase_text == "after 14 plans"
    assert rules()["NAVY-082"].phase_text == "20 port_handling_1, 22 port_handling_2, 25 port_handling_3"
    assert rules()["TURN-006"].phase_text == "5 turn_state"
    assert rules()["TRPG-001"].phase_text == "not part of the turn"


def test_every_rule_outside_turn_and_tabletop_has_a_phase() -> None:
    assert {r.area for r in rules().values() if not r.phase} <= {"TURN", "TRPG"}


def test_phase_lists_name_rules_that_exist_once() -> None:
    listed = [name for text in rules()["TURN-058"].values.values() for name in expand(text)]
    assert len(listed) == len(set(listed))
    assert set(listed) <= set(rules())


def test_find() -> None:
    assert find("DEV-013") == find("dev-013") == (rules()["DEV-013"],)
    assert len(find("EMBARK")) == 11
    with pytest.raises(RulebookError, match="nearest: DEV-0"):
        find("DEVV-013")


def test_docs_have_a_page_per_area(tmp_path: Path) -> None:
    written = write_docs(tmp_path)
    assert len(written) == len(areas()) + 1
    page = (tmp_path / "DEV.md").read_text(encoding="utf-8")
    assert page.count("\n## DEV-") == len(areas()["DEV"])
    assert "constant `mine.pile_per_level` = 10 pile" in page
    assert "phase: 6 natural_stock" in page
    assert "[DEV](DEV.md)" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_docs_explain_themselves(tmp_path: Path) -> None:
    write_docs(tmp_path)
    key = (tmp_path / "README.md").read_text(encoding="utf-8")
    for word in ("stated", "open", "Reading:", "Missing:", "`S:176`", "seed", "14. `plans`"):
        assert word in key
    assert "| `map.width` | 30 | 40 | 90 | 90 |" in key
    assert "| nations | 2 | 4 | 20 | 40 |" in key


def test_every_page_leads_back_and_links_to_files_that_exist(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    for path in write_docs(tmp_path):
        text = path.read_text(encoding="utf-8")
        assert path.name == "README.md" or "(README.md)" in text.split("\n## ", 1)[0]
        assert "constants.csv" not in text and "tables/" not in text
        for target in re.findall(r"\]\(([^)]+)\)", text):
            if not target.startswith("../../hakoenv/ruleset/data"):
                assert (tmp_path / target).exists(), target
            else:
                assert (root / target.removeprefix("../../")).exists(), target
