"""Cases: what they may say, how failures read, and how pytest and the command collect them."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hakoenv.cli import main
from hakoenv.cli.case import case as case_command
from hakoenv.testing import CaseError, SmallWorld, load_cases, run_case
from hakoenv.testing.expect import matches

CASES = Path(__file__).parent / "cases"

GOOD = {
    "id": "X-1",
    "rules": ["CMD-050"],
    "title": "a farm for 20 funds",
    "world": {
        "height": 9, "width": 9, "nations": 2, "turn": 40, "seed": 0,
        "cells": [
            {"x": 4, "y": 4, "terrain": "plains", "owner": 0},
            {"x": 3, "y": 4, "terrain": "town", "owner": 0, "population": 40, "capital": True},
        ],
        "nation": {"0": {"funds": 100}},
        "units": [{"owner": 1, "type": "armor", "x": 7, "y": 7, "strength": 30}],
        "ships": [], "relations": [], "rules": {},
    },
    "orders": [{"nation": 0, "command": "farm", "x": 4, "y": 4}],
    "run": {"phases": ["plans"]},
    "expect": [
        {"cell": [4, 4], "terrain": "farm", "unit": None},
        {"nation": 0, "funds": 80, "population": {"min": 40, "max": 40}},
        {"unit": {"owner": 1}, "strength": {"in": [29, 30]}, "type": {"not": "infantry"}},
        {"unit": {"owner": 0}, "count": 0},
        {"result": 0, "nation": 0, "done": True},
        {"result": 0, "nation": 1, "command": "fundraise"},
        {"account": {"nation": 0, "item": "funds", "cause": "command_cost"}, "amount": -20},
        {"cell": [7, 7], "unit": {"owner": 1, "type": "armor"}},
        {"season": True, "ended": False},
        {"relation": [0, 1], "state": "peace"},
        {"plan_has": {"nation": 0, "command": "mine"}, "value": False},
        {"mask": {"nation": 0, "command": "farm", "x": 4, "y": 4}, "legal": True},
        {"sees": {"nation": 1, "x": 4, "y": 4}, "terrain": "farm", "owner": 0, "level": 10, "ship": None},
    ],
}  # fmt: skip


def changed(**parts):
    case = copy.deepcopy(GOOD)
    for path, value in parts.items():
        *way, last = path.split("__")
        node = case
        for key in way:
            node = node[key]
        node[last] = value
    return case


def test_a_good_case_passes():
    assert run_case(GOOD) == []


def test_running_a_case_does_not_change_it():
    case = copy.deepcopy(GOOD)
    run_case(case)
    assert case == GOOD


@pytest.mark.parametrize(
    ("entry", "failure"),
    [
        ({"nation": 0, "funds": 81}, "nation 0: funds is 80, expected 81"),
        ({"nation": 0, "funds": {"min": 81}}, "nation 0: funds is 80, expected {'min': 81}"),
        ({"nation": 0, "alive": 1}, "nation 0: alive is True, expected 1"),
        ({"cell": [4, 4], "owner": None}, "cell (4, 4): owner is 0, expected None"),
        ({"unit": {"owner": 0}, "strength": 3}, "unit {'owner': 0}: 0 match, expected one"),
        ({"unit": {"owner": 1}, "count": 2}, "unit {'owner': 1}: 1 match, expected 2"),
        ({"ship": {"owner": 1}}, "ship {'owner': 1}: none matches"),
        ({"result": 3, "nation": 0, "done": True}, "result 3 of nation 0: only 1 commands were handled"),
        ({"faction": {"leader": 0}, "due": None}, "faction {'leader': 0}: 0 match, expected one"),
        ({"season": True, "ending": "turn_limit"}, "season: ending is None, expected 'turn_limit'"),
    ],
)
def test_what_does_not_hold_is_said(entry, failure):
    assert run_case(changed(expect=[entry])) == [failure]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (changed(colour=1), 'unknown key "colour"'),
        (changed(chance=[]), 'section "chance" belongs to rules that are not built yet'),
        (changed(world__leagues=[{"members": []}]), 'leagues[0]: league "1" has no members'),
        (changed(world__leagues=[{"members": [0], "fee": 1}]), 'leagues[0]: unknown league field "fee"'),
        (changed(world__containment={"target": 0}), 'containment: "members" is missing'),
        (changed(world__messages=[{"faction": "A"}]), 'messages[0]: unknown faction "A"'),
        (changed(world__towns=[]), 'unknown key "towns"'),
        (changed(world__height="9"), "height: '9' is not a whole number"),
        (changed(world__nation={"0": {"hegemon": True}}),
         'nation 0: nation field "hegemon" can\'t be set: it follows from the world'),
        (changed(world__nation={"0": {"ai": {"overseas_since": 3}}}),
         'ai field "overseas_since" belongs to rules that are not built yet'),
        (changed(world__relations=[{"between": [0, 1], "joint": 1}]),
         'relations[0]: relation field "joint": 1 is neither true nor false'),
        (changed(world__cells=[{"x": 1, "y": 1, "wrecks": [{"class": "carrier", "old": 1}]}]),
         'cells[0]: cell field "wrecks": unknown key "old"'),
        (changed(world__cells=[{"x": 1, "y": 1, "wreck": {"class": "merchant"}}]),
         "cells[0]: cell field \"wreck\": 'merchant' leaves no wreck"),
        (changed(world__ships=[{"owner": 0, "class": "cruiser", "x": 1, "y": 1, "cargo": {"fuel": 1}}]),
         'ships[0]: ship field "cargo": only private ships carry goods'),
        (changed(world__ships=[{"owner": 0, "class": "cruiser", "x": 1, "y": 1, "home": [1, 1]}]),
         'ships[0]: ship field "home": only private ships have it'),
        (changed(world__ships=[{"owner": 0, "class": "cruiser", "x": 1, "y": 1, "aid_to": 0}]),
         'ships[0]: ship field "aid_to": 0: only a warship carries reserves to another nation'),
        (changed(world__ships=[{"owner": None, "class": "pirate", "x": 1, "y": 1, "fleet": 0}]),
         'ships[0]: ship field "fleet": 0: only a nation\'s warships sail in fleets'),
        (changed(world__ships=[{"owner": 0, "class": "cruiser", "x": 7, "y": 7}],
                 world__units=[{"owner": 1, "type": "armor", "x": 7, "y": 7}]),
         "units[0]: a warship and a unit on cell (7, 7)"),
        (changed(world__ships=[{"owner": 0, "class": "submarine", "x": 1, "y": 1,
                                "troops": {"type": "armor"}}]),
         "ship 0 is a submarine and carries no unit"),
        (changed(world__fleets=[{"nation": 0, "fleet": 16}]), "fleets[0]: fleet: 16 is not between 0 and 15"),
        (changed(world__fleets=[{"nation": 0, "fleet": 1, "course": 1}]),
         'fleets[0]: unknown fleet field "course"'),
        (changed(world__fleets=[{"nation": 0, "fleet": 1, "flagship": 0}]),
         'fleets[0]: fleet field "flagship": ship 0 is none of the fleet\'s'),
        (changed(world__fleets=[{"nation": 0, "fleet": 1, "mode": "hunt"}]),
         'fleets[0]: fleet field "mode": the fleet has no ships'),
        (changed(world__fleets=[{"nation": 0, "fleet": 1, "target": [40, 1]}]),
         'fleets[0]: fleet field "target": cell (40, 1) lies outside the map'),
        (changed(world__cells=[{"x": 1, "terrain": "farm"}]), 'cells[0]: "y" is missing'),
        (changed(world__nation={"0": {"gold": 1}}), 'nation 0: unknown nation field "gold"'),
        (changed(world__nation={"5": {"funds": 1}}), "nation 5: unknown nation 5; there are 0..1"),
        (changed(world__rules={"mine.pile": 1}), 'section "rules": override: unknown key \'mine.pile\''),
        (changed(world__weather={"temperate": "sun"}), "unknown weather 'sun'"),
        (changed(orders=[{"nation": 0, "command": "fly"}]), "orders[0]: unknown command 'fly'"),
        (changed(orders=[{"nation": 0, "command": "farm", "z": 1}]), "orders[0]: unknown key \"z\""),
        (changed(run={"phases": ["lunch"]}), 'unknown phase "lunch"'),
        (changed(run={}), 'run needs one of "phases", "turns" and "none"'),
        (changed(expect=[{"nation": 0, "gold": 1}]), 'expect[0]: unknown nation field "gold"'),
        (changed(expect=[{"league": {"rank": 1}}]), 'expect[0]: unknown key "rank"'),
        (changed(expect=[{"fleet": {"nation": 0}, "mode": None}]), 'expect[0]: "fleet" is missing'),
        (changed(expect=[{"fleet": {"nation": 0, "fleet": 1}, "mood": None}]), 'unknown fleet field "mood"'),
        (changed(expect=[{"mask": {"nation": 0, "command": "farm", "x": "a"}, "legal": True}]),
         "expect[0]: 'a' is not a whole number"),
        (changed(expect=[{"colour": 1}]), "expect[0]: entry ['colour'] is about nothing known"),
        (changed(expect=[{"nation": 0, "funds": {"min": 1, "most": 2}}]), 'unknown condition "most"'),
    ],
)  # fmt: skip
def test_unknown_and_unbuilt_things_are_errors_that_name_them(case, message):
    (failure,) = run_case(case)
    assert message in failure
    if not failure.startswith(("expect", "unknown phase", "run", 'unknown key "colour"', 'section "chance"')):
        with pytest.raises(CaseError) as error:
            SmallWorld.from_case(case)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (changed(rules=[5]), '"rules" is not a list'),
        (changed(world__ships=None), "None is not a list"),
        (changed(world__nation={"9" * 5000: {}}), "unknown nation"),
        (changed(world__nation={"0": {"private_funds": 10**30}}), 'nation field "private_funds"'),
        (changed(world__nation={"0": {"private_funds": float("nan")}}), 'nation field "private_funds"'),
        (changed(world__rules={"mine.pile_per_level": {}}), "mine.pile_per_level"),
        (changed(world__cells=[{"x": 3, "y": 4, "owner": 0, "capital": "no"}]), "neither true nor false"),
        (changed(world__factions=[{"name": "f", "leader": 0, "members": 3}]), "not a list of members"),
        (changed(world__factions=[{"name": "f", "leader": 0, "members": [[1]]}]), "no nation and no pair"),
        (changed(world__factions=[{"name": "f", "leader": 0, "created": 2**40}]), "created: "),
        (changed(world__factions=[{"name": "f", "leader": 0, "due": 2**40}]), "dissolving: "),
        (changed(run={"phases": [[]]}), "unknown phase"),
        (changed(expect=[{"nation": 0, "funds": {"min": None}}]), 'condition "min"'),
        (changed(expect=[{"nation": 0, "funds": {"max": float("nan")}}]), 'condition "max"'),
        (changed(expect=[{"unit": {"owner": 1}, "count": None}]), "None is not a whole number"),
        (changed(expect=[{"mask": {"nation": 0, "command": "farm"}}]), "does not say what should hold"),
        (changed(expect=[{"cell": [4, 4]}]), "does not say what should hold"),
    ],
)
def test_nothing_malformed_is_an_engine_error_or_passed_over(case, message):
    (failure,) = run_case(case)
    assert message in failure and "engine error" not in failure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": 1, "format": 1, "cases": []}', 'key "format" stands twice'),
        ('{"format": 1, "cases": [{"id": "a", "expect": NaN}]}', "NaN is no number of JSON"),
        ('{"format": ' + "9" * 5000 + "}", "is not valid JSON"),
        ('{"format": ' + "[" * 100000, "is not valid JSON"),
    ],
)
def test_json_that_hides_or_breaks_something_is_refused(tmp_path, text, message):
    file = tmp_path / "odd.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError, match=message):
        load_cases(file)


def test_an_error_of_the_engine_is_a_failure(monkeypatch):
    def broken(small, name):
        raise ZeroDivisionError("ouch")

    monkeypatch.setattr(SmallWorld, "phase", broken)
    assert run_case(GOOD) == ["engine error: ZeroDivisionError: ouch"]


@pytest.mark.parametrize(
    ("actual", "wanted", "same"),
    [
        (3, 3, True), (3, 4, False), (1, True, False), (True, True, True), (None, None, True),
        (0, None, False), (3, {"min": 3}, True), (3, {"max": 2}, False), (None, {"min": 0}, False),
        (3, {"not": None}, True), ("a", {"in": ["a", "b"]}, True), (2, {"in": [{"min": 2}]}, True),
        (0.1 + 0.2, 0.3, True), ({"a": 1, "b": 2}, {"a": 1}, True), ({"a": 1}, {"c": 1}, False),
        ([1, 2], [1, 2], True), (7, {"a": 1}, False),
    ],
)  # fmt: skip
def test_values_match_as_the_format_says(actual, wanted, same):
    assert matches(actual, wanted) is same


@pytest.mark.rule("CMD-001")
def test_an_order_too_many_is_cut_and_counted():
    case = changed(orders=[{"nation": 0, "command": "fundraise"}] * 53, run={"none": True}, expect=[])
    w = SmallWorld.from_case(case)
    assert (w.nation(0).plan_length, w.nation(0).cut) == (50, 3)


@pytest.mark.rule("TURN-039")
def test_a_phase_may_be_named_twice_and_results_go_on():
    orders = [
        {"nation": 0, "command": "farm", "x": 4, "y": 4},
        {"nation": 0, "command": "reclaim", "x": 4, "y": 4},
    ]
    run = {"phases": ["plans", "commit", "clock", "plans", "commit"]}
    expect = [
        {"result": 0, "nation": 0, "command": "farm", "done": True, "turn": 40},
        {"result": 1, "nation": 0, "command": "reclaim", "done": False, "turn": 41},
        {"result": 2, "nation": 0, "command": "fundraise", "done": True},
        {"nation": 0, "plan_length": 0, "funds": 90},
    ]
    assert run_case(changed(orders=orders, run=run, expect=expect)) == []


# ---------------------------------------------------------------- files


def written(path, cases, **more):
    path.write_text(json.dumps({"format": 1, "cases": cases, **more}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("[]", "the file is not an object"),
        ('{"cases": []}', '"format" is None; this version reads 1'),
        ('{"format": 1, "cases": {}}', "is not a list of cases"),
        ('{"format": 1, "cases": [], "more": 1}', 'unknown key "more"'),
        ('{"format": 1, "cases": [{"title": "x"}]}', 'cases[0]: "id" is missing'),
        ('{"format": 1, "cases": [{"id": "a"}, {"id": "a"}]}', 'two cases have the id "a"'),
        ('{"format": 1, "cases": [{"id": "a", "rules": "CMD-001"}]}', "is not a list of rule ids"),
    ],
)
def test_a_file_that_is_no_case_file_is_refused_by_name(tmp_path, text, message):
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as error:
        load_cases(path)
    assert message in str(error.value) and str(path) in str(error.value)
    done = CliRunner().invoke(case_command, [str(path)])
    assert done.exit_code == 2 and message in done.output and len(done.output.strip().splitlines()) == 1


def test_the_command_says_what_passes(tmp_path):
    path = written(tmp_path / "one.json", [GOOD])
    done = CliRunner().invoke(case_command, [str(path)])
    assert done.exit_code == 0 and "1 of 1 cases pass" in done.output


def test_the_command_gives_json_and_exits_1_for_a_failure(tmp_path):
    bad = changed(id="X-2", expect=[{"nation": 0, "funds": 81}])
    path = written(tmp_path / "two.json", [GOOD, bad])
    done = CliRunner().invoke(case_command, [str(path), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.output) == {
        "results": [
            {"id": "X-1", "passed": True, "failures": []},
            {"id": "X-2", "passed": False, "failures": ["nation 0: funds is 80, expected 81"]},
        ]
    }
    table = CliRunner().invoke(case_command, [str(path)])
    assert table.exit_code == 1 and "X-2" in table.output and "1 of 2 cases pass" in table.output


def test_a_missing_file_is_one_sentence(tmp_path):
    done = CliRunner().invoke(case_command, [str(tmp_path / "none.json")])
    assert done.exit_code == 2 and "can't be read" in done.output


def test_a_file_or_folder_without_cases_is_one_sentence(tmp_path):
    empty = written(tmp_path / "empty.json", [])
    for place, message in ((empty, "has no cases"), (tmp_path / "none", "has no case files (*.json)")):
        (tmp_path / "none").mkdir(exist_ok=True)
        done = CliRunner().invoke(main, ["case", str(place)])
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"hakoenv: {place}: {message}\n"


def test_the_command_runs_all_files_of_a_folder_and_below(tmp_path):
    (tmp_path / "below").mkdir()
    written(tmp_path / "b.json", [GOOD])
    written(tmp_path / "below" / "a.json", [GOOD])
    (tmp_path / "notes.txt").write_text("no case", encoding="utf-8")
    done = CliRunner().invoke(main, ["case", str(tmp_path)])
    assert done.exit_code == 0 and "2 of 2 cases pass" in done.output


def test_all_ready_cases_can_be_read_and_the_active_files_exist():
    ready = CASES / "spec"
    files = sorted(ready.glob("*.json"))
    assert sum(len(load_cases(path)) for path in files) == 270
    active = (ready / "active.txt").read_text(encoding="utf-8").split()
    assert active and {ready / name for name in active} <= set(files)


def test_pytest_collects_each_case_of_the_active_files_as_a_test():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(CASES)]
    listed = subprocess.run(
        command, cwd=CASES.parent.parent, capture_output=True, text=True, check=False
    ).stdout
    assert "tests/cases/spec/01-frame.json::CMD-004-a" in listed.splitlines()
    assert "09-ai.json" not in listed or "09-ai.json" in (CASES / "spec" / "active.txt").read_text(
        encoding="utf-8"
    )
