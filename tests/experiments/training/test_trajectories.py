"""Seasons as arrays: they are the seasons that are played, each file once and whole."""

from __future__ import annotations

import json
import shutil
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hakoenv.experiments.folder_lock import FolderLock
from hakoenv.experiments.training import trajectories, trajectories_command
from hakoenv.experiments.training.trajectories import READ, TrajectoryError, Wish, export, load

from hakoenv import controllers
from hakoenv.cli import main
from hakoenv.engine.commands.plans import plan_of
from hakoenv.engine.mapgen import ScenarioError
from hakoenv.engine.season import Season
from hakoenv.envs import vec
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import pieces
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import MODE, REPLACE

RULES = {"season.max_turns": 5}
WISH = Wish(agents=("rule_ai", "random"), pieces=("own", "clock", "cells", "action_mask"), rules=RULES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seasons from seed 7 on."""
    path = tmp_path_factory.mktemp("trajectories")
    assert export(path, WISH, 3, first=7) == (3, 3, 3 * 5 * 2)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != ".lock"}


def test_they_are_the_seasons_that_are_played(folder: Path) -> None:
    """The same orders, points and end as a season with the same seed and agents."""
    seasons = list(load(folder))
    assert [season.seed for season in seasons] == [7, 8, 9]
    for found in seasons:
        season = Season.new("duel", seed=found.seed, agents=["rule_ai", "random"], rules=RULES)
        for turn in range(5):
            season.fill_plans()
            for n in range(2):
                plan = found.orders[turn, n, : found.order_count[turn, n]].tolist()
                assert plan == [list(order) for order in plan_of(season.world, n)]
            assert found.seen["clock"][turn, 0, 0] == turn
            season.play_turn()
        result = season.result()
        assert found.points == pytest.approx(np.array(result["points"]))
        assert found.ranks.tolist() == result["ranks"]
        assert found.alive.all() and found.reward.shape == (5, 2)


def test_rewards_sum_to_the_change_of_points(folder: Path) -> None:
    """Two equal nations begin with about 50 points each; what one wins the other loses."""
    for season in load(folder):
        begun = season.points - season.reward.sum(axis=0)
        assert begun.sum() == pytest.approx(100)
        assert season.reward.sum(axis=1) == pytest.approx(np.zeros(5))
        assert season.points.sum() == pytest.approx(100)


def test_actions_say_the_orders_and_are_legal(folder: Path) -> None:
    index = trajectories.read_index(folder)
    season = next(load(folder))
    menu = Menu(Season.new("duel", seed=7).ruleset, 2, tuple(index["form"]["verbs"]))
    space = PlanSpace(menu, index["form"]["commands_per_turn"])
    assert season.actions.shape == (5, 2, *space.shape)
    assert (season.actions[..., MODE] == REPLACE).all()
    names = [name for name in season.seen if name.startswith("action_mask/")]
    masks = {
        name.removeprefix("action_mask/"): season.seen[name].reshape(10, *season.seen[name].shape[2:])
        for name in names
    }
    rows = season.actions.reshape(10, -1).astype(np.int64)
    assert (space.faults(masks, np.arange(10), rows) == -1).all()
    said = [menu.verbs[verb - 1].command for verb in rows[2, 1::7] if verb]  # of the rule AI in turn 2
    assert said == season.orders[1, 0, : season.order_count[1, 0], 0].tolist()


def test_lists_are_filled_up_to_the_shapes_of_the_index(folder: Path) -> None:
    forms = trajectories.read_index(folder)["pieces"]
    whole, short = next(load(folder)), next(load(folder, padded=False))
    assert set(whole.seen) == set(forms)
    for name, array in whole.seen.items():
        assert list(array.shape) == [5, 2, *forms[name]["shape"]]
        assert str(array.dtype) == forms[name]["dtype"]
    listed = [column.name for column in pieces.CELL].index("listed")
    used = int(whole.seen["cells"][..., listed].sum(axis=-1).max())
    assert short.seen["cells"].shape[2] == used < 256
    assert np.array_equal(whole.seen["cells"][:, :, :used], short.seen["cells"])
    assert not whole.seen["cells"][:, :, used:].any()


def test_files_do_not_depend_on_what_is_played_beside(folder: Path, tmp_path: Path) -> None:
    export(tmp_path, WISH._replace(worlds=2), 4, first=6)
    here, there = files(folder), files(tmp_path)
    assert len(there) == len(here) + 1
    assert {name: there[name] for name in here} == here


def test_those_that_are_there_are_not_played_again(folder: Path, tmp_path: Path) -> None:
    told: list[int] = []
    assert export(tmp_path, WISH, 2, first=7).played == 2
    (tmp_path / f"{7:019d}.npz").unlink()
    kept = tmp_path / f"{8:019d}.npz"
    with np.load(kept) as whole:
        np.savez(kept, **{**whole, "note": 1})
    noted = kept.read_bytes()
    assert export(tmp_path, WISH, 2, first=7, tell=told.append) == (2, 1, 10)
    assert told == [1, 2]
    assert files(tmp_path)[f"{7:019d}.npz"] == files(folder)[f"{7:019d}.npz"]
    assert files(tmp_path)[f"{8:019d}.npz"] == noted


def test_what_is_no_whole_season_is_played_again(folder: Path, tmp_path: Path) -> None:
    """A full disk or a power cut leaves such."""
    export(tmp_path, WISH, 3, first=7)
    one, two, three = sorted(tmp_path.glob("*.npz"))
    one.write_bytes(b"")
    two.write_bytes(two.read_bytes()[:-100])
    np.savez(three, seed=9)
    assert export(tmp_path, WISH, 3, first=7).played == 3
    assert files(tmp_path) == files(folder)
    one.unlink()
    one.mkdir()
    with pytest.raises(TrajectoryError, match="can't be written"):
        export(tmp_path, WISH, 1, first=7)


def test_seasons_without_an_index_are_not_joined(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*.npz"):
        shutil.copy(path, tmp_path)
    with pytest.raises(TrajectoryError, match="holds seasons without their index.json"):
        export(tmp_path, WISH._replace(agents=("idle",)), 1)
    assert not (tmp_path / "index.json").exists()


def test_without_verbs_actions_say_nothing_and_orders_all(tmp_path: Path) -> None:
    export(tmp_path, Wish(pieces=(), commands=(), max_turns=2), 1)
    (season,) = load(tmp_path)
    assert season.seen == {} and season.order_count.all()
    assert not season.actions[..., 1:].any()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    refused = pytest.raises(TrajectoryError, match="another process is exporting in")
    with FolderLock(tmp_path, "exporting"), refused:
        export(tmp_path, WISH, 1)
    assert export(tmp_path, WISH, 1).played == 1


def test_a_write_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*rest: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np.lib.format, "write_array", stop)
    with pytest.raises(KeyboardInterrupt):
        export(tmp_path, WISH, 1)
    assert {path.name for path in tmp_path.iterdir()} == {".lock", "index.json"}


def test_a_nation_that_falls_sees_nothing_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a skirmish of four, nation 2 falls at the end of turn 2; the caller's limit is 4."""
    plan = trajectories._Watched._plan

    def falling(self: Any) -> None:
        plan(self)
        self.worlds.nations["abandoning"][:, 2] = self.worlds.clock["turn"][:, 0] == 1

    monkeypatch.setattr(trajectories._Watched, "_plan", falling)
    wish = Wish(scenario="skirmish", agents=("idle",), pieces=("own", "cells"), max_turns=4)
    assert export(tmp_path, wish, 1).agent_steps == 4 * 3 + 2
    season = next(load(tmp_path))
    assert season.alive[:, 2].tolist() == [True, True, False, False]
    assert season.seen["own"][1, 2].any() and not season.seen["own"][2:, 2].any()
    assert season.actions[1, 2, MODE] == REPLACE and not season.actions[2:, 2].any()
    assert season.ending == 0 and season.points[2] == 0


def test_what_cannot_be_is_refused(folder: Path, tmp_path: Path) -> None:
    for wish, message in (
        (WISH._replace(agents=("rule_ai",)), "holds trajectories of another agents; take another folder"),
        (WISH._replace(pieces=READ), "another pieces"),
        (WISH._replace(rules={"season.max_turns": 6}), "another overrides"),
        (WISH._replace(pieces=("onw",)), "pieces: 'onw' is none of"),
        (WISH._replace(agents=("rule_ia", "idle")), "unknown controller 'rule_ia'"),
        (WISH._replace(agents=("idle", "idle", "idle")), "agents names 3 controllers for 2 nations"),
        (WISH._replace(agents=("rule_ai", "external")), "nobody can give the plans of an external nation"),
        (WISH._replace(agents=("policy:p\udcff.pt",)), "is no UTF-8; give the file another name"),
        (WISH._replace(scenario="duell"), "unknown scenario 'duell'"),
    ):
        with pytest.raises(ValueError, match=message):
            export(folder, wish, 1)
    with pytest.raises(TrajectoryError, match="another ruleset"):
        trajectories._claim(folder, trajectories.read_index(folder) | {"ruleset": "of other constants"})
    (tmp_path / "index.json").write_text('{"kind": "another"}', encoding="utf-8")
    with pytest.raises(TrajectoryError, match="is no index of trajectories"):
        next(load(tmp_path))
    with pytest.raises(TrajectoryError, match="can't be read"):
        next(load(tmp_path / "nowhere"))


FILED = """
from hakoenv.controllers import get

def filed(path):
    with open(path, encoding="utf-8") as file:
        return get(file.read())
"""


def test_two_policies_are_never_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is trained on between two exports is another agent, and one in the middle of one is not."""
    (tmp_path / "of_files.py").write_text(FILED, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    places = {**controllers._places(), "filed": "of_files:filed"}
    monkeypatch.setattr(controllers, "_places", lambda: places)
    policy, out = tmp_path / "policy.pt", tmp_path / "out"
    policy.write_text("rule_ai", encoding="utf-8")
    agents = (f"filed:{policy}", "random")
    wish = WISH._replace(agents=agents, pieces=("own",), worlds=2)

    def train_on(there: int) -> None:
        policy.write_text("idle", encoding="utf-8")

    assert export(out, wish, 3, first=7, tell=train_on).played == 3
    plain = tmp_path / "plain"
    export(plain, wish._replace(agents=("rule_ai", "random")), 3, first=7)
    for one, other in zip(load(out), load(plain), strict=True):
        assert np.array_equal(one.orders, other.orders)
    assert trajectories.read_index(out)["agents"] == list(agents)
    with pytest.raises(TrajectoryError, match=r"of filed:.*policy\.pt as it was before its file"):
        export(out, wish, 4, first=7)
    policy.write_text("rule_ai", encoding="utf-8")
    assert export(out, wish, 4, first=7).played == 1


def test_as_many_worlds_as_memory_allows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One turn of a nation: `clock` as int32 and 57 heads as int16; 50 orders of 5 numbers as int64."""
    wish = WISH._replace(pieces=("clock",))
    env = trajectories._Watched(wish, trajectories._checked(wish), 1)
    (length,) = env.single_observation_space["clock"].shape
    assert env.single_action_space.nvec.size == 57
    assert trajectories._bytes_of_a_season(env, wish) == 5 * 2 * (4 * length + 57 * 2 + 50 * 5 * 8)
    short = wish._replace(max_turns=2)
    assert trajectories._bytes_of_a_season(env, short) == 2 * 2 * (4 * length + 57 * 2 + 50 * 5 * 8)
    assert [trajectories.worlds_for(size) for size in (1, 2**26, 2**28, 2**30, 2**31)] == [32, 16, 4, 1, 1]
    made: list[int] = []
    play = trajectories._play

    def noted(env: Any, *rest: Any) -> Any:
        made.append(env.num_envs)
        return play(env, *rest)

    monkeypatch.setattr(trajectories, "_play", noted)
    monkeypatch.setattr(trajectories, "MOST_BYTES", 2 * trajectories._bytes_of_a_season(env, wish))
    export(tmp_path, wish, 3)
    assert made == [2, 1]


def test_a_season_that_is_over_takes_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """World 0 of two is over after turn 1: what was noted of it is let go, and nothing more is noted."""
    plan, used = trajectories._Watched._plan, trajectories._used
    noted: list[weakref.ref[Any]] = []
    begun: list[bool] = []

    def falling(self: Any) -> None:
        plan(self)
        if self.num_envs == 2 and not begun:
            begun.append(True)
            self.worlds.nations["abandoning"][0, 0] = 1

    def noting(array: Any, alive: Any) -> Any:
        kept = used(array, alive)
        noted.append(weakref.ref(kept))
        return kept

    monkeypatch.setattr(trajectories._Watched, "_plan", falling)
    monkeypatch.setattr(trajectories, "_used", noting)
    wish = WISH._replace(agents=("idle",), pieces=("own",), worlds=2)
    left: list[int] = []
    export(tmp_path, wish, 2, first=7, tell=lambda _: left.append(sum(ref() is not None for ref in noted)))
    assert len(noted) == 1 + 5
    assert left == [0, 1, 0]


def test_a_world_without_room_is_stood_in_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = vec.make_world

    def too_few(setup: Any) -> Any:
        if setup.seed == 8:
            raise ScenarioError("too few sites")
        return make(setup)

    monkeypatch.setattr(vec, "make_world", too_few)
    wish = WISH._replace(pieces=("own",))
    assert export(tmp_path / "all", wish, 3, first=7).played == 3
    assert [season.seed for season in load(tmp_path / "all")] == [7, 8 + 2**54, 9]
    assert export(tmp_path / "all", wish, 3, first=7).played == 0
    export(tmp_path / "one", wish, 1, first=8)
    name = f"{8:019d}.npz"
    assert files(tmp_path / "one")[name] == files(tmp_path / "all")[name]


@pytest.mark.parametrize("broken", ["empty", "cut", "bytes", "array", "other"])
def test_a_broken_file_is_named(folder: Path, tmp_path: Path, broken: str) -> None:
    whole = (folder / f"{7:019d}.npz").read_bytes()
    path = tmp_path / f"{7:019d}.npz"
    (tmp_path / "index.json").write_bytes((folder / "index.json").read_bytes())
    if broken == "array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif broken == "other":
        np.savez(path, seed=np.array(7))
    else:
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2], "bytes": b"no season"}[broken])
    with pytest.raises(TrajectoryError, match=rf"{path.name}: is no whole season .*; remove it and export"):
        next(load(tmp_path))


def test_the_usual_pieces_are_those_that_policies_read() -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    from hakoenv.agents.policy import form

    assert READ == form.READ


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["trajectories", "--rules", "season.max_turns=4", *arguments])


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path / "out")
    done = call("--seasons", "2", "--seed", "5", "--out", out)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"2 seasons in {out}, 2 of them played now: ")
    assert "seasons/s" in done.stdout and "agent-steps/s" in done.stdout
    index = json.loads((tmp_path / "out" / "index.json").read_text(encoding="utf-8"))
    assert index["agents"] == ["rule_ai", "rule_ai"]
    assert list(index["pieces"]) == list(READ)
    assert [season.seed for season in load(out)] == [5, 6]

    play = trajectories._play

    def stop(*rest: Any) -> Any:
        yield next(play(*rest))
        raise KeyboardInterrupt

    monkeypatch.setattr(trajectories, "_play", stop)
    halted = call("--seasons", "5", "--seed", "5", "--out", out, "--worlds", "1")
    assert halted.exit_code == 130
    assert "stopped; the same command goes on" in halted.stderr
    monkeypatch.undo()
    again = call("--seasons", "5", "--seed", "5", "--out", out)
    assert again.stdout.startswith(f"5 seasons in {out}, 2 of them played now: ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--agents", "rule_ia"], "unknown controller 'rule_ia'"),
        (["--agents", "llm:m"], "needs a season of its own"),
        (["--seasons", "0"], "--seasons: '0' is not a whole number"),
        (["--pieces", "own,cell"], "pieces: 'cell' is none of"),
        (["--commands", "nope"], "commands="),
        (["--rules", "season.max_turnz=3"], "unknown key"),
    ],
)
def test_the_command_refuses(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = call(*arguments, "--out", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_parquet_has_a_row_a_nation_and_turn(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")
    out = str(tmp_path)
    done = call("--seasons", "2", "--agents", "rule_ai,idle", "--out", out, "--parquet")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == str(tmp_path / "steps.parquet")
    rows = parquet.read_table(tmp_path / "steps.parquet").to_pylist()
    assert len(rows) == 2 * 4 * 2
    assert [(row["seed"], row["turn"], row["nation"], row["agent"]) for row in rows[:3]] == [
        (0, 1, 0, "rule_ai"), (0, 1, 1, "idle"), (0, 2, 0, "rule_ai")]  # fmt: skip
    season = next(load(tmp_path))
    assert rows[0]["reward"] == season.reward[0, 0] and rows[0]["points"] == season.points[0]
    assert rows[0]["action"] == season.actions[0, 0].tolist()
    assert rows[0]["orders"] == season.orders[0, 0, : season.order_count[0, 0]].tolist()
    assert rows[1]["orders"] == []
    assert rows[0]["own"] == season.seen["own"][0, 0].tolist()
    assert "cells" not in rows[0]


def test_what_is_no_agent_is_refused_before_it_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    monkeypatch.setattr(trajectories, "digest_of", None)
    for path in (tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(ValueError, match="can't be read as a policy"):
            export(tmp_path / "out", WISH._replace(agents=(f"policy:{path}",)), 1)
    assert not (tmp_path / "out").exists()


def test_a_comma_in_a_path_parts_no_names(tmp_path: Path) -> None:
    file = tmp_path / "odd,dir" / "a,b.pt"
    file.parent.mkdir()
    file.touch()
    assert trajectories_command._agents(f"policy:{file}, rule_ai,policy:{file}") == (
        f"policy:{file}",
        "rule_ai",
        f"policy:{file}",
    )
    assert trajectories_command._agents("policy:no,where,idle,") == ("policy:no", "where", "idle")
