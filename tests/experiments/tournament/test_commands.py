"""`hakoenv tournament`, `evaluate` and `fairness` as a user calls them, and the report that comes of it."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("scipy", reason="the extra `tournament` is not installed")
pytest.importorskip("choix", reason="the extra `tournament` is not installed")

from hakoenv.experiments.tournament import extras, ratings, report

from hakoenv.cli import main
from hakoenv.engine import season
from hakoenv.engine.mapgen import ScenarioError

SHORT = ["--scenario", "duel", "--turns", "8", "--workers", "0"]
IDLE = ["--entrant", "a=idle", "--entrant", "b=idle"]
THREE = ["--entrant", "rule_ai", "--entrant", "random", "--entrant", "lazy=idle"]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def files(folder: Path) -> dict[str, bytes]:
    """What is compared: everything but machine facts and the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("machine.json", ".lock")
    }


def test_a_tournament_and_its_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call("tournament", *THREE, *SHORT, "--seasons", "6", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "season points" in done.stdout and "standard-1" not in done.stdout  # three in a duel: no field
    table = json.loads((out / "table.json").read_text(encoding="utf-8"))
    assert (table["scenario"], table["field"]["name"], table["seeds"]) == (
        "duel",
        "standard-1",
        [2**62, 2**62 + 5],
    )
    assert [row["seasons"] for row in table["standings"]] == [4, 4, 4]
    assert sum(row["mean"] * row["seasons"] for row in table["standings"]) == pytest.approx(600, abs=0.01)
    records = [json.loads(line) for line in (out / "seasons.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["id"] for record in records] == [f"{k:06d}" for k in range(6)]
    assert [record["seats"] for record in records[:3]] == [
        ["rule_ai", "random"],
        ["random", "lazy"],
        ["lazy", "rule_ai"],
    ]
    assert json.loads((out / "machine.json").read_text(encoding="utf-8"))["seasons_played_now"] == 6

    before = files(out)
    (out / "seasons" / "000002.json").unlink()
    cut = out / "seasons" / "000004.json"
    cut.write_bytes(cut.read_bytes()[:30])
    (out / "table.json").unlink()
    again = call("tournament", *THREE, *SHORT, "--seasons", "6", "--out", str(out))
    assert again.exit_code == 0, again.output
    assert files(out) == before
    assert json.loads((out / "machine.json").read_text(encoding="utf-8"))["seasons_played_now"] == 2


def test_parquet_has_a_row_a_season_and_seat(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = call("tournament", *THREE, *SHORT, "--seasons", "3", "--out", str(tmp_path), "--parquet", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["seasons"] == 3
    rows = parquet.read_table(tmp_path / "seasons.parquet").to_pylist()
    assert [(row["id"], row["seat"], row["entrant"]) for row in rows[:3]] == [
        ("000000", 0, "rule_ai"), ("000000", 1, "random"), ("000001", 0, "random")]  # fmt: skip
    assert rows[0]["seed"] == 2**62


@pytest.fixture
def without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second evaluation seed has a map with too few sites."""
    make = season.make_world

    def too_few(setup: Any) -> Any:
        if setup.seed == 2**62 + 1:
            raise ScenarioError("too few sites")
        return make(setup)

    monkeypatch.setattr(season, "make_world", too_few)


def test_a_seed_without_room_does_not_end_a_run(
    without_room: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "_DRAWS", 10)  # intervals of ratings are not what this is about
    out = tmp_path / "out"
    words = ["tournament", *THREE, *SHORT, "--seasons", "3", "--out", str(out)]
    done = call(*words)
    assert done.exit_code == 0, done.output
    assert "too few sites, so that others stood in: 1" in done.stdout
    table = json.loads((out / "table.json").read_text(encoding="utf-8"))
    assert (table["seeds"], table["stand_ins"]) == ([2**62, 2**62 + 2], 1)
    records = [json.loads(line) for line in (out / "seasons.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["seed"] for record in records] == [2**62, 2**62 + 1 + 2**54, 2**62 + 2]
    assert [record["seats"][0] for record in records] == ["rule_ai", "random", "lazy"]
    assert "1 of their maps have too few sites" in (out / "report.html").read_text(encoding="utf-8")

    before = files(out)
    (out / "seasons" / "000001.json").unlink()
    assert call(*words).exit_code == 0
    assert files(out) == before
    assert json.loads((out / "machine.json").read_text(encoding="utf-8"))["seasons_played_now"] == 1


def test_both_seasons_of_a_pair_have_the_seed_that_stands_in(without_room: None, tmp_path: Path) -> None:
    out = str(tmp_path)
    done = call("evaluate", "idle", "--against", "random", "--seasons", "4", *SHORT, "--out", out, "--json")
    assert json.loads(done.stdout)["stand_ins"] == 1
    kept = [json.loads(path.read_bytes()) for path in sorted((tmp_path / "seasons").iterdir())]
    assert [record["seed"] - 2**62 for record in kept] == [0, 0, 1 + 2**54, 1 + 2**54]


class Page(HTMLParser):
    """Sees that tags close in order and that nothing is loaded."""

    VOID = ("meta", "br", "hr", "img", "input", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        assert tag not in ("script", "link", "iframe", "img", "object", "base")
        for name, _ in attributes:
            assert name not in ("src", "href", "xlink:href", "srcset", "data") and not name.startswith("on")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_report_is_one_page_that_says_what_was_played(tmp_path: Path) -> None:
    strange = '<b>&"x'
    done = call(
        "tournament",
        "--entrant",
        "rule_ai",
        "--entrant",
        f"{strange}=random",
        "--scenario",
        "skirmish",
        "--seasons",
        "4",
        "--turns",
        "6",
        "--workers",
        "0",
        "--rules",
        "mine.pile_per_level=20",
        "--seed",
        "9",
        "--out",
        str(tmp_path),
    )
    assert done.exit_code == 0, done.output
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    assert page.seen["svg"] >= 4 and page.seen["table"] >= 4 and "b" not in page.seen
    assert "url(" not in text and "@import" not in text and "http" not in text
    words = " ".join(page.text)
    for said in ("skirmish", "standard-1: the rule AI", "version 0.1", '"mine.pile_per_level": 20', strange,
                 f"{2**62 + 9} to {2**62 + 12}", "100 season points in all", "truncated"):  # fmt: skip
        assert said in words, said
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    records = [
        json.loads(line) for line in (tmp_path / "seasons.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert report.page(table, records) == text


def test_points_of_those_who_never_met_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four in two seats: a and c, b and d never meet; three all do."""
    monkeypatch.setattr(ratings, "_DRAWS", 10)
    for names, told in (("abcd", True), ("abc", False)):
        entrants = [word for name in names for word in ("--entrant", f"{name}=idle")]
        out = tmp_path / names
        done = call("tournament", *entrants, *SHORT, "--seasons", str(len(names)), "--out", str(out))
        assert ("not all entrants met each other" in done.stdout) == told
        page = (out / "report.html").read_text(encoding="utf-8")
        assert ("Not all of these entrants met" in page) == told


def test_seasons_are_kept_whatever_they_award(tmp_path: Path) -> None:
    rules = ["--rules", "season.standing_points_total=7"]
    arguments = [*IDLE, *SHORT, *rules, "--turns", "2", "--seasons", "2", "--out", str(tmp_path)]
    for played in (2, 0):
        done = call("tournament", *arguments)
        assert done.exit_code == 0, done.output
        machine = json.loads((tmp_path / "machine.json").read_text(encoding="utf-8"))
        assert machine["seasons_played_now"] == played


def test_an_interval_that_stays_too_wide_is_told(tmp_path: Path) -> None:
    arguments = [*IDLE, *SHORT, "--turns", "2", "--seasons", "2", "--out", str(tmp_path)]
    done = call("tournament", *arguments, "--until", "0.5", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["seasons"] == 2
    assert done.stderr == "--until 0.5 is not met after 2 seasons: give more --seasons\n"


def test_until_stops_after_whole_blocks(tmp_path: Path) -> None:
    """Thirty duels of two idle nations: their points differ little."""
    done = call(
        "tournament",
        "--entrant",
        "a=idle",
        "--entrant",
        "b=idle",
        *SHORT,
        "--seasons",
        "200",
        "--until",
        "20",
        "--out",
        str(tmp_path),
        "--json",
    )
    assert done.exit_code == 0, done.output
    table = json.loads(done.stdout)
    assert table["seasons"] == 30 and "--until" not in done.stderr
    assert all(row["half_width"] <= 20 for row in table["standings"])


def test_evaluate_swaps_seats_and_prints_the_difference() -> None:
    done = call("evaluate", "rule_ai", "--against", "random", "--seasons", "6", *SHORT, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["seeds"], found["entrant"]["seasons"], found["together"]) == (3, 6, True)
    assert found["entrant"]["mean"] + found["against"]["mean"] == pytest.approx(100, abs=0.001)
    assert found["difference"]["mean"] == pytest.approx(2 * found["entrant"]["mean"] - 100, abs=0.001)
    done = call("evaluate", "rule_ai", "--against", "random", "--seasons", "2", *SHORT)
    assert "difference" in done.stdout and "rule_ai won" in done.stdout


def test_evaluate_among_a_field() -> None:
    done = call(
        "evaluate",
        "rule_ai",
        "--against",
        "idle",
        "--seasons",
        "4",
        "--scenario",
        "skirmish",
        "--turns",
        "6",
        "--workers",
        "0",
        "--json",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["together"], found["entrant"]["seasons"], found["against"]["seasons"]) == (False, 2, 2)


def test_fairness_prints_a_table_and_one_test() -> None:
    done = call(
        "fairness",
        "rule_ai",
        "--scenario",
        "duel",
        "--seasons",
        "4",
        "--turns",
        "6",
        "--workers",
        "0",
        "--json",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [entry["seat"] for entry in found["seats"]] == [0, 1]
    assert sum(entry["mean"] for entry in found["seats"]) == pytest.approx(100, abs=0.001)
    assert 0 < found["test"]["p"] <= 1 and found["test"]["permutations"] == 10_000
    done = call("fairness", "idle", "--scenario", "duel", "--seasons", "2", "--turns", "2", "--workers", "0")
    assert "joint permutation test: p = " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tournament", "--entrant", "rule_ai"], "--entrant: 1 are too few"),
        (["tournament", "--entrant", "rule_ai", "--entrant", "rule_ai"], "named twice"),
        (["tournament", "--entrant", "rule_ai", "--entrant", "nobody"], "no controller is called 'nobody'"),
        (
            ["tournament", *THREE, "--entrant", "mine=policy:p\udcff.pt"],  # as a byte 0xff reaches Python
            "entrant 'mine': 'policy:p\\udcff.pt' is no UTF-8",
        ),
        (["tournament", *THREE, "--field", "x"], "--field: unknown field 'x'; there is standard-1"),
        (["tournament", *THREE, "--scenario", "x"], "unknown scenario 'x'"),
        (["tournament", *THREE, "--until", "0"], "--until: '0' is not a number greater than 0"),
        (["tournament", *THREE, "--turn-seconds", "nan"], "--turn-seconds: 'nan' is not a number"),
        (
            ["tournament", *THREE, "--turn-seconds", "1e10"],
            "--turn-seconds: '1e10' is not a number greater than 0 and at most 86400",
        ),
        (["tournament", *THREE, "--seasons", "0"], "--seasons: '0' is not a whole number"),
        (["tournament", *THREE, "--rules", "x=1"], "--rules: unknown key 'x'"),
        (
            ["tournament", *THREE, "--workers", "0", "--address", "auto"],
            "--address can't be given with --workers 0",
        ),
        (["evaluate", "rule_ai", "--against", "random", "--seasons", "3"], "--seasons: 3 is odd"),
        (["evaluate", "rule_ai", "--against", "rule_ai"], "named twice"),
        (["fairness", "external"], "nobody can give the plans of an external nation"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    tmp_path: Path, monkeypatch: Any, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*arguments, *([] if "--workers" in arguments else ["--workers", "0"]))
    assert done.exit_code == 2
    assert words in done.stderr and len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []  # nothing was made


def test_what_entrants_print_is_no_result(tmp_path: Path, monkeypatch: Any) -> None:
    name = f"prints_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(
        "print('HELLO')\n\n\ndef play(observation):\n    print('HELLO')\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    words = ("evaluate", f"x={name}:play", "--against", "idle", "--seasons", "2", *SHORT[:2], "--turns", "1")
    done = call(*words, "--workers", "0", "--json")
    assert json.loads(done.stdout)["entrant"]["seasons"] == 2
    assert done.stderr.count("HELLO") == 3


def test_a_folder_in_the_place_of_the_report_is_named(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    done = call("tournament", *THREE, *SHORT, "--seasons", "3", "--out", str(tmp_path))
    assert done.exit_code == 2
    assert "report.html can't be written" in done.stderr and "Traceback" not in done.output


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    call("tournament", *THREE, *SHORT, "--seasons", "3", "--out", str(tmp_path))
    done = call("tournament", *THREE[:4], *SHORT, "--seasons", "3", "--out", str(tmp_path))
    assert done.exit_code == 2
    assert "holds another run (entrants: rule_ai=rule_ai, random=random, lazy=idle, now" in done.stderr


@pytest.mark.parametrize(
    ("module", "extra"), [("ray", "tournament"), ("choix", "tournament"), ("pyarrow", "parquet")]
)
def test_a_missing_library_is_one_sentence(monkeypatch: Any, tmp_path: Path, module: str, extra: str) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == module else "there")
    done = call(
        "tournament",
        *THREE,
        "--scenario",
        "duel",
        "--parquet",
        "--out",
        str(tmp_path / "x"),
        "--workers",
        "1",
    )
    assert done.exit_code == 2
    assert f"{module} is not installed: pip install 'hakoenv[{extra}]'" in done.stderr
    assert not (tmp_path / "x").exists()
