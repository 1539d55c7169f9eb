"""The page on case files: its example runs, and the names it gives are those that the cases know."""

import copy
import json
import re
from pathlib import Path

import pytest

from hakoenv.testing import load_cases, run_case
from hakoenv.testing.case_world import LATER_SECTIONS, SIZES
from hakoenv.testing.expect import ENTRIES
from hakoenv.testing.small_world import KINDS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```json\n(.*?)```", PAGE, re.S)[1]


@pytest.fixture
def example(tmp_path):
    path = tmp_path / "example.json"
    path.write_text(EXAMPLE, encoding="utf-8")
    return load_cases(path)


def test_the_example_passes(example):
    assert [run_case(case) for case in example] == [[]]


def test_the_example_fails_as_the_page_says(example):
    case = copy.deepcopy(example[0])
    case["expect"][1]["funds"] = 600
    assert run_case(case) == ["nation 0: funds is 700, expected 600"]
    assert "`nation 0: funds is 700, expected 600`" in PAGE


def test_an_unknown_field_reads_as_the_page_says(example):
    case = copy.deepcopy(example[0])
    case["world"]["cells"][1]["levle"] = 1
    (failure,) = run_case(case)
    assert failure.startswith('cells[1]: unknown cell field "levle"; nearest: level')


def test_every_entry_section_and_size_is_on_the_page():
    for name in ENTRIES:
        assert f'`{{"{name}":' in PAGE, name
    deals = ("auctions", "shipments", "transports", "contracts", "bonded")
    bonds = ("factions", "leagues", "containment", "messages")
    sections = ("cells", "founding", "nation", "ships", "fleets", "units", "relations", *deals, *bonds)
    for name in (*SIZES, "rules", "weather", *sections):
        assert f"`{name}`" in PAGE, name


def test_every_field_of_the_table_exists():
    table = PAGE.split("### Fields")[1].split("Names come from")[0]
    known = {kind.name: table for table, kind in KINDS.items()}
    for row in table.splitlines():
        cells = row.split("|")
        if len(cells) < 4 or cells[1].strip() not in known:
            continue
        kind = KINDS[known[cells[1].strip()]]
        outside = [re.sub(r"\([^)]*\)", "", cell) for cell in cells[2:4]]  # values stand in parentheses
        for name in re.findall(r"`([a-z_]+)`", " ".join(outside)):
            assert name in kind.fields, (kind.name, name)


def test_what_is_not_built_is_still_not_built():
    listed = re.search(r"rules are to come: (.*?), and the fields", PAGE)[1].split(", ")
    assert set(listed) <= LATER_SECTIONS


def test_links_lead_to_files():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_json_of_the_example_is_what_a_reader_copies():
    assert json.loads(EXAMPLE)["format"] == 1
