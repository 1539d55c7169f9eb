"""``hakoenv season``: what it prints and writes, how it refuses, how it stops and goes on."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from hakoenv import controllers
from hakoenv.cli import LazyGroup, main
from hakoenv.cli.season_table import Pace, Progress
from hakoenv.engine.save import peek
from hakoenv.engine.season import Season
from hakoenv.ruleset.loader import scenarios

RULES = ("--rules", "season.max_turns=6")
DUEL = ("--scenario", "duel", "--seed", "5")


@pytest.fixture(autouse=True)
def _without_warming(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels compile when they are used, not all at once, and silently."""
    monkeypatch.setattr("hakoenv.cli.warm.ensure", lambda: None)
    monkeypatch.setattr("hakoenv.engine.warm._announced", True)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["season", *arguments], prog_name="hakoenv")


def as_json(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_json_is_one_object_with_the_whole_result() -> None:
    found = as_json(*DUEL, *RULES)
    season = Season.new("duel", seed=5, agents="rule_ai", rules={"season.max_turns": 6})
    season.run()
    assert {key: found[key] for key in season.result()} == season.result()
    assert found["turns"] == 6
    assert found["ending"] == "turn_limit"
    assert found["seconds"] > 0
    assert found["turns_per_second"] > 0
    assert found["overrides"] == {"season.max_turns": 6}
    assert found["events"]["founded"] == 2
    assert not found["interrupted"]


def test_a_season_plays_rule_ais_by_default_and_quietly() -> None:
    result = run(*DUEL, *RULES)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "turn 6, decided by score at the last turn" in result.stdout
    season = Season.new("duel", seed=5, agents="rule_ai", rules={"season.max_turns": 6})
    season.run()
    for name in season.names:
        assert name.romaji in result.stdout
    assert season.state_hash() in result.stdout


def test_turns_is_the_callers_limit() -> None:
    found = as_json(*DUEL, "--turns", "4")
    assert (found["turns"], found["ending"], found["winners"]) == (4, "truncated", [])


def test_out_gets_map_curves_result_and_save(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = run(*DUEL, *RULES, "--out", str(tmp_path / "new" / "out"))
    assert result.exit_code == 0, result.output
    out = tmp_path / "new" / "out"
    names = sorted(path.name for path in out.iterdir())
    assert names == ["curves.png", "map.png", "result.json", "season.save"]
    for picture in ("map.png", "curves.png"):
        assert (out / picture).read_bytes().startswith(b"\x89PNG")
        assert str(out / picture) in result.stdout
    kept = json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert Season.load(out / "season.save")[0].state_hash() == kept["state_hash"]
    assert run(*DUEL, *RULES, "--out", str(out)).exit_code == 0  # again, over it


def test_without_matplotlib_curves_are_skipped_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hakoenv.render.curves.save_curves_png", lambda *_, **__: False)
    result = run(*DUEL, *RULES, "--out", str(tmp_path))
    assert result.exit_code == 0
    assert "no curves.png: matplotlib is missing" in result.stderr
    assert not (tmp_path / "curves.png").exists()


@pytest.mark.rule("SAVE-001")
def test_a_resumed_season_ends_like_an_unbroken_one(tmp_path: Path) -> None:
    place = str(tmp_path / "a.save")
    as_json(*DUEL, "--turns", "7", "--save", place)
    resumed = as_json("--resume", place, "--turns", "15")
    straight = as_json(*DUEL, "--turns", "15")
    for key in set(straight) - {"seconds", "turns_per_second"}:
        assert resumed[key] == straight[key]


def test_a_folder_of_saves_goes_on_in_place(tmp_path: Path) -> None:
    place = str(tmp_path / "runs")
    as_json(*DUEL, "--turns", "7", "--save", place)
    as_json("--resume", place, "--save", place, "--turns", "9")
    assert Season.load(place)[0].turn == 9
    assert len(list((tmp_path / "runs").glob("backup-*.save"))) == 6
    refused = run(*DUEL, "--save", place)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "holds a season already" in refused.stderr


def test_resuming_a_broken_folder_says_what_was_taken(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    as_json(*DUEL, "--turns", "5", "--save", str(place))
    (place / "season.save").write_bytes(b"HAKOENV-SAVE 2\n")
    result = run("--resume", str(place), "--turns", "6", "--json")
    assert result.exit_code == 0
    assert "backup-000004.save (turn 4) instead" in result.stderr
    assert json.loads(result.stdout)["turns"] == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--scenario", "dual"], "unknown scenario 'dual'"),
        (["--seed", "seven"], "--seed: 'seven' is not a whole number of 0..2**64-1"),
        (["--seed", "1.0"], "--seed: '1.0' is not a whole number of 0..2**64-1"),
        (["--seed", "-1"], "--seed: '-1' is not a whole number of 0..2**64-1"),
        (["--seed", str(2**64)], "--seed: '18446744073709551616' is not a whole number"),
        (
            ["--agents", "rul_ai"],
            "--agents: unknown controller 'rul_ai'; did you mean rule_ai? there are idle,",
        ),
        (["--agents", "external"], "--agents: nobody can give the plans of external nations here; use idle,"),
        (["--agents", "idle, external"], "--agents: nobody can give the plans"),
        (["--agents", "idle,idle,idle"], "names 3 controllers for 2 nations"),
        (["--nations", "30"], "nations=30 is too many"),
        (["--nations", "0"], "nations=0"),
        (["--nations", "two"], "--nations: 'two' is not a whole number"),
        (["--rules", "mine.pile_per_level"], "expected KEY=VALUE"),
        (["--rules", "mine.pile=2"], "--rules: unknown key 'mine.pile'"),
        (["--rules", "mine.pile_per_level=many"], "must be an integer"),
        (["--rules", "mine.pile_per_level=" + "[" * 20000], "must be an integer"),
        (["--rules-file", "/nonexistent.toml"], "can't be read"),
        (["--turns", "0"], "--turns: '0' is not a whole number of 1 or more"),
        (["--turns", "ten"], "--turns: 'ten' is not a whole number of 1 or more"),
        (["--resume", ""], "--resume is empty"),
        (["--out", ""], "--out is empty"),
        (["--save", ""], "--save is empty"),
        (["--rules-file", ""], "--rules-file is empty"),
        (["--sed", "3"], "--sed"),
        (["--resume", "/nonexistent"], "can't be read"),
        (["--resume", "/nonexistent", "--nations", "2"], "--scenario can't be given with --resume"),
    ],
)
def test_what_a_user_gets_wrong_is_one_sentence_and_exit_2(arguments: list[str], words: str) -> None:
    decided = "--scenario" in arguments or arguments == ["--resume", "/nonexistent"]
    scenario = [] if decided else ["--scenario", "duel"]
    result = run(*scenario, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_output_folder_that_cant_be_made_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("", encoding="utf-8")
    for option, place in (("--out", blocker), ("--out", blocker / "out"), ("--save", blocker / "a.save")):
        result = run(*DUEL, option, str(place))
        assert result.exit_code == 2
        assert result.stderr == f"hakoenv: {option}: {blocker} is a file, not a folder\n"


def test_resuming_up_to_a_turn_that_is_over_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.save"
    as_json(*DUEL, "--turns", "3", "--save", str(place))
    for turns in ("2", "3"):
        result = run("--resume", str(place), "--turns", turns)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"hakoenv: --turns: {turns} is over, {place} stands at turn 3; give a later one\n"
        )


def test_a_saved_season_with_an_external_nation_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.save"
    Season.new("duel", agents=["rule_ai", "external"]).save(place)
    result = run("--resume", str(place))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nation 1 is external" in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_season_stopped_by_turns_says_how_to_go_on(tmp_path: Path) -> None:
    place = str(tmp_path / "a.save")
    stopped = run(*DUEL, *RULES, "--turns", "3", "--save", place)
    assert stopped.exit_code == 0
    assert stopped.stderr == (
        f"stopped after turn 3; continue with: hakoenv season --resume {place} --save {place}\n"
    )
    ended = run("--resume", place, "--save", place)
    assert "continue with" not in ended.stderr and "turn 6, decided" in ended.stdout


def test_help_names_the_choices() -> None:
    words = " ".join(run("--help").stdout.split())
    assert f"--scenario [{'|'.join(scenarios())}]" in words
    built_in = {"idle", *controllers._BUILT_IN}
    named = re.search(r"one each: (.+?), or one of an installed", words)
    assert named is not None and set(named[1].split(", ")) == built_in
    assert "--out saves too" in words and "mine.level_max = 5. --rules wins over it" in words


def test_the_rate_is_counted_from_the_end_of_the_first_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter([60.0, 60.5, 61.0])  # the first turn loads the compiled code
    monkeypatch.setattr("hakoenv.cli.season_table.time.perf_counter", lambda: next(ends))
    pace = Pace()
    rates = []
    for turn in (8, 9, 10):
        pace.note(turn)
        rates.append(pace.rate)
    assert rates == [0.0, 2.0, 2.0]


def test_the_progress_line_fits_80_columns() -> None:
    game = Season.new("grand", rules={"season.max_turns": 100000})
    game.world.clock["turn"][0] = 99999
    progress = Progress(game, None, quiet=False)
    progress._bar.disable = False
    progress.show(game, 99999)
    shown = io.StringIO()
    Console(file=shown, width=80, force_terminal=False).print(progress._bar.get_renderable())
    (line,) = shown.getvalue().splitlines()
    assert len(line) <= 80
    for part in ("turn 99999/100000", "99,999 turns/s", "40 nations", "% taken", "0:00:0"):
        assert part in line


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", [["--help"], [], ["rules", "DEV-013"], ["season", *DUEL, "--turns", "1", "--json"]]
)
def test_output_that_cant_be_written_is_one_sentence_and_exit_2(arguments: list[str]) -> None:
    script = "import hakoenv.cli.warm as w; w.ensure = lambda: None; from hakoenv.cli import main; main()"
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [sys.executable, "-c", script, *arguments], stdout=full, stderr=subprocess.PIPE
        )
    assert found.returncode == 2
    (sentence,) = found.stderr.decode().splitlines()[-1:]
    assert sentence == "hakoenv: the output can't be written (No space left on device)"
    assert b"Traceback" not in found.stderr


def test_a_closed_output_is_one_sentence_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main(["rules"])
    assert left.value.code == 2
    assert capfd.readouterr().err.startswith("hakoenv: standard output is closed")


def test_a_rules_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text("[season]\nmax_turns = 3\n", encoding="utf-8")
    short = ("--rules-file", str(tmp_path / "short.toml"))
    assert as_json(*DUEL, *short)["turns"] == 3
    assert as_json(*DUEL, *short, "--rules", "season.max_turns=2")["turns"] == 2


def test_help_lists_the_commands_without_importing_the_engine() -> None:
    script = (
        "import sys; from hakoenv.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    for name in ("season", "rules", "case", "bench", "warm"):
        assert name in found.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_stops_at_a_turns_end_and_says_how_to_go_on(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    place = tmp_path / "a.save"
    script = "import hakoenv.cli.warm as w; w.ensure = lambda: None; from hakoenv.cli import main; main()"
    options = ["season", "--scenario", "season", "--save", str(place), "--rules", "season.max_turns=100000"]
    child = subprocess.Popen(
        [sys.executable, "-c", script, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while child.poll() is None and (peek(place) or {}).get("turn", 0) < 3:
        time.sleep(0.02)
    child.send_signal(sent)
    output, errors = child.communicate()
    assert child.returncode == code, errors
    saved = Season.load(place)[0]
    assert f"stopped after turn {saved.turn}; continue with: hakoenv season --resume {place}" in errors
    assert "stopped before its end" in output
    unbroken = Season.new("season", agents="rule_ai", rules={"season.max_turns": 100000})
    unbroken.run(until=saved.turn)
    assert unbroken.state_hash() == saved.state_hash()


def test_a_controller_may_have_an_argument(tmp_path: Path) -> None:
    """Whether the extra is installed or not, it is the policy's own sentence that refuses."""
    refused = run("--scenario", "duel", "--agents", f"policy:{tmp_path}/none.pt,rule_ai")
    assert refused.exit_code == 2
    assert "unknown controller" not in refused.stderr
    assert "there is no such file" in refused.stderr or "torch" in refused.stderr
    assert "takes no argument" in run("--scenario", "duel", "--agents", "rule_ai:x").stderr


def test_a_path_whose_bytes_are_no_utf8_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python reads such bytes of a command line or folder."""

    @click.command()
    def tell() -> None:
        click.echo("runs/\udcff")

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: tell)
    done = CliRunner().invoke(main, ["tell"])
    assert (done.exit_code, done.stdout) == (0, "runs/\\udcff\n")
