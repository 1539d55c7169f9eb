"""The season driver: seeds, controllers, results, and equality of runs."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hakoenv.engine.warm as warming
from hakoenv import controllers
from hakoenv.controllers import ControllerError
from hakoenv.engine.codes import author, command
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.mapgen import ScenarioError
from hakoenv.engine.names import NAMES, nation_names
from hakoenv.engine.season import Season, SeasonError, SeedError
from hakoenv.engine.world import World
from hakoenv.render.fonts import CHARACTERS
from hakoenv.ruleset import Rules, RulesetError


def duel(seed: Any = 5, **options: Any) -> Season:
    return Season.new("duel", seed=seed, **{"agents": "rule_ai", **options})


@pytest.mark.parametrize("seed", [0, 3, np.int64(3), np.uint8(0), 2**63, np.uint64(2**63), 2**64 - 1])
def test_every_whole_number_is_a_seed(seed: Any) -> None:
    season = duel(seed)
    season.run(until=3)
    assert season.seed == season.result()["seed"] == int(seed)


def test_equal_seeds_are_equal_games_and_others_are_not() -> None:
    hashes = []
    for seed in (3, np.int64(3), 0, 2**63):
        season = duel(seed)
        season.run(until=20)
        hashes.append(season.state_hash())
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize("seed", [True, np.True_, 1.0, np.float64(2), "7", -1, 2**64, None, [3]])
def test_other_seeds_are_refused_in_one_sentence(seed: Any) -> None:
    with pytest.raises(SeedError, match=r"^seed is .*must be a whole number of 0\.\.18446744073709551615$"):
        duel(seed)


@pytest.mark.parametrize("nations", [0, 4, 41, -1, True, 2.0, "2"])
def test_a_number_of_nations_the_map_cant_hold_is_refused(nations: Any) -> None:
    with pytest.raises(ScenarioError, match=r"nations="):
        duel(nations=nations)


@pytest.mark.parametrize(
    "agents", [5, ["rule_ai", 5], ["rule_ai", None], [["idle"], "idle"], iter(["idle"]), b"idle"]
)
def test_agents_that_are_no_names_are_refused(agents: Any) -> None:
    with pytest.raises((SeasonError, ControllerError)):
        Season.new("duel", agents=agents)


@pytest.mark.parametrize("array", [np.array([3]), np.array([1, 2])])
def test_arrays_are_no_whole_numbers(array: NDArray[Any]) -> None:
    with pytest.raises(SeedError):
        Season.new("duel", seed=array)  # type: ignore[arg-type]
    with pytest.raises(ScenarioError):
        Season.new("duel", nations=array)  # type: ignore[arg-type]


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(RulesetError, match="duel"):
        Season.new("dual")
    with pytest.raises(RulesetError, match=r"mine\.pile_per_level"):
        duel(rules={"mine.pile_per_levl": 3})
    with pytest.raises(ControllerError, match=r"unknown controller 'rul_ai'; did you mean rule_ai"):
        duel(agents="rul_ai")
    with pytest.raises(SeasonError, match="names 3 controllers for 2 nations"):
        duel(agents=["idle"] * 3)


def test_a_new_season_stands_before_turn_1_with_all_nations_founded() -> None:
    season = duel()
    assert (season.turn, season.ended) == (0, False)
    assert season.world.nations["alive"].tolist() == [1, 1]
    assert season.event_totals == {"founded": 2}
    assert season.world.nations["controller"].tolist() == [kinds.RULE_AI] * 2
    assert len(season.statistics.log) == 0


@pytest.mark.rule("TURN-002", "SEASON-001")
def test_plans_of_external_nations_are_left_as_they_are() -> None:
    season = duel(agents=["external", "rule_ai"])
    for n in range(2):
        season.world.plans["command"][n, :2] = command.FUNDRAISE
        season.world.nations["plan_length"][n] = 2
    before = season.world.plans[0].copy()
    season.fill_plans()
    assert season.turn == 0  # the number of the turn before
    assert season.world.nations["plan_length"][0] == 2
    assert np.array_equal(season.world.plans[0], before)
    assert season.world.nations["author"].tolist() == [author.EXTERNAL, author.RULE_AI]


def test_the_rule_ai_drives_unless_somebody_else_is_named() -> None:
    assert Season.new("duel").controllers == ["rule_ai", "rule_ai"]
    assert Season.new("duel", agents="external").controllers == ["external", "external"]


def test_compiling_is_announced_once_a_process_and_only_if_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warming, "_announced", False)
    monkeypatch.setattr(warming, "is_warm", lambda: False)
    for _ in range(2):
        duel().play_turn()
    assert capsys.readouterr().err == (
        "hakoenv: compiling the rules (first use of this installation), some minutes; "
        "`hakoenv warm` does it ahead with a progress bar\n"
    )
    monkeypatch.setattr(warming, "_announced", False)
    monkeypatch.setattr(warming, "is_warm", lambda: True)
    duel()
    monkeypatch.setattr(warming, "is_warm", lambda: False)
    duel()  # warm once is warm for the whole process
    assert capsys.readouterr().err == ""


def test_an_idle_nation_never_orders_anything() -> None:
    season = duel(agents=["idle", "rule_ai"])
    season.world.nations["plan_length"][0] = 3
    season.fill_plans()
    assert season.world.nations["plan_length"][0] == 0


class Scripted:
    """A controller for tests: notes whom it is asked for, and fails when told to."""

    code = kinds.EXTERNAL

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.fails_at = -1

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        self.asked.append(nations.tolist())
        world.nations["reserves"][nations] += 1  # a trace of what was done before the fault
        if world.clock["turn"][0] == self.fails_at:
            raise RuntimeError("no plan today")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    made = Scripted()
    known = controllers.get
    monkeypatch.setattr(controllers, "get", lambda name: made if name == "scripted" else known(name))
    return made


def test_a_controller_is_asked_once_a_turn_for_all_its_living_nations(scripted: Scripted) -> None:
    season = duel(agents="scripted")
    season.play_turn()
    season.world.nations["alive"][0] = 0
    season.fill_plans()
    assert scripted.asked == [[0, 1], [1]]


@pytest.mark.rule("SAVE-002")
def test_a_turn_that_fails_leaves_the_season_as_it_was(scripted: Scripted) -> None:
    season = duel(agents=["scripted", "rule_ai"])
    season.run(until=4)
    before, events, rows = season.state_hash(), dict(season.event_totals), len(season.statistics.log)
    scripted.fails_at = 4
    with pytest.raises(RuntimeError, match="no plan today"):
        season.play_turn()
    assert (season.state_hash(), season.event_totals, len(season.statistics.log)) == (before, events, rows)
    scripted.fails_at = -1
    season.play_turn()
    assert season.turn == 5


@pytest.mark.rule("SAVE-008", "SEASON-015")
def test_deleting_the_statistics_changes_no_game() -> None:
    kept, deleted = duel(), duel()
    kept.run()
    deleted.run(progress=lambda season: season.statistics.forget())
    assert kept.result() == deleted.result()


@pytest.mark.rule("SEASON-002")
def test_the_length_of_a_turn_in_real_time_changes_nothing() -> None:
    hashes = set()
    for hours in (12, 24):
        season = duel(rules={"season.update_hours": hours})
        season.run(until=15)
        hashes.add(season.state_hash())
        assert season.result()["game_hours"] == 15 * hours  # only reported
    assert len(hashes) == 1


@pytest.mark.rule("SEASON-003")
def test_a_season_runs_to_its_last_turn_and_no_further() -> None:
    season = duel(rules={"season.max_turns": 6})
    season.run()
    result = season.result()
    assert (result["turns"], result["ending"]) == (6, "turn_limit")
    assert result["winners"] == [n for n in range(2) if result["scores"][n] == max(result["scores"])]
    assert sum(result["points"]) == pytest.approx(100, abs=1e-9)
    assert sorted(result["ranks"]) in ([1, 1], [1, 2])
    assert season.event_totals["season_ended"] == 1
    with pytest.raises(SeasonError, match="has ended at turn 6"):
        season.play_turn()


def test_a_callers_limit_leaves_the_season_open_and_is_called_truncated() -> None:
    season = duel()
    season.run(until=3)
    assert not season.ended
    assert season.result()["ending"] == "truncated"
    assert season.result()["winners"] == []
    whole = duel()
    whole.run(until=5)
    season.run(until=5)
    assert season.state_hash() == whole.state_hash()


def test_progress_is_called_every_turn_and_can_stop() -> None:
    seen = []

    def watch(season: Season) -> bool:
        seen.append(season.turn)
        return season.turn == 3

    season = duel()
    season.run(progress=watch)
    assert seen == [1, 2, 3]


@pytest.mark.rule("TURN-041")
def test_one_row_of_statistics_a_turn() -> None:
    season = duel()
    season.run(until=12)
    assert [row.turn for row in season.statistics.log] == list(range(1, 13))
    row = season.statistics.row(12)
    assert row is not None
    assert row.values[:, 1].tolist() == season.world.nations["population"].tolist()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda season: pickle.loads(pickle.dumps(season))])
def test_a_copy_goes_on_identically_and_apart(copied: Any) -> None:
    season = duel()
    season.run(until=5)
    twin = copied(season)
    season.run(until=12)
    assert twin.turn == 5
    twin.run(until=12)
    assert twin.state_hash() == season.state_hash()
    assert twin.result() == season.result()


def test_overrides_reach_the_game_and_the_result() -> None:
    season = duel(rules={"season": {"max_turns": 4}})
    season.run()
    assert season.turn == 4
    assert season.result()["overrides"] == {"season.max_turns": 4}


def test_names_are_unique_follow_the_seed_and_have_glyphs() -> None:
    assert len({name.kanji for name in NAMES}) == len({name.romaji for name in NAMES}) == len(NAMES) >= 40
    glyphs = set(CHARACTERS.read_text(encoding="utf-8"))
    assert not {letter for name in NAMES for letter in str(name)} - glyphs
    assert nation_names(20, 7) == nation_names(20, 7) == nation_names(40, 7)[:20]
    assert nation_names(20, 7) != nation_names(20, 8)
    assert len(set(nation_names(40, 2**64 - 1))) == 40


def test_a_season_makes_each_of_its_controllers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    get, made = controllers.get, []
    monkeypatch.setattr(controllers, "get", lambda name: made.append(name) or get(name))
    first = Season.new("duel", agents=["rule_ai", "idle"])
    assert sorted(made) == ["idle", "rule_ai"]
    assert first.world.nations["controller"].tolist() == [get("rule_ai").code, get("idle").code]
    Season.new("duel", agents="idle")
    assert sorted(made) == ["idle", "idle", "rule_ai"]  # another season, another controller


def test_every_named_controller_can_be_made() -> None:
    assert {"external", "idle", "rule_ai"} <= set(controllers.names())
    for name in controllers.names():
        if name != "policy":  # whose file must be named: tests/agents/policy
            assert callable(controllers.get(name).fill)


@pytest.mark.rule("ARMY-002", "CMD-014", "NAVY-102")
@pytest.mark.parametrize("kind", ["corps", "fleet"])
def test_a_nation_names_and_colours_its_corps_and_fleets_without_effect_on_the_game(
    tmp_path: Path, kind: str
) -> None:
    season, plain = duel(), duel()
    label = getattr(season, f"label_{kind}")
    label(1, 3, name=417, colour=5)
    label(1, 3, colour=6)  # the name is kept
    records = {"corps": season.world.corps, "fleet": season.world.fleets}[kind]
    assert (int(records["name"][1, 3]), int(records["colour"][1, 3])) == (417, 6)
    assert (int(records["name"][1, 4]), int(records["colour"][0, 3])) == (4, 3), "the others keep theirs"
    for game in (season, plain):
        game.run(until=12)
    season.save(tmp_path / "a.save")
    loaded = Season.load(tmp_path / "a.save")[0].world
    assert int({"corps": loaded.corps, "fleet": loaded.fleets}[kind]["name"][1, 3]) == 417
    for name in ("name", "colour"):
        records[name][1, 3] = 3
    assert season.state_hash() == plain.state_hash()


@pytest.mark.parametrize(
    "wrong",
    [{"nation": 2}, {"corps": 32}, {"corps": -1}, {"fleet": 16}, {"fleet": -1}, {"name": 1000},
     {"colour": 32}, {"name": "x"}],
    ids=str,
)  # fmt: skip
def test_labels_that_can_not_be_are_refused_by_name(wrong: dict[str, Any]) -> None:
    season = duel()
    kinds = [kind for kind in ("corps", "fleet") if kind in wrong] or ["corps", "fleet"]
    for kind in kinds:
        with pytest.raises(SeasonError, match=rf"^{next(iter(wrong))}=.* must lie in 0\.\."):
            getattr(season, f"label_{kind}")(**{"nation": 0, kind: 0, **wrong})
