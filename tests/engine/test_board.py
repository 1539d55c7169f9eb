"""The message board: who may post and read, when a post is delivered, what a restore and a save keep."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from hakoenv.engine import board as boards
from hakoenv.engine.board import ALL, FACTION, Board, Post, barred, clean, refusal
from hakoenv.engine.codes import ending
from hakoenv.engine.save import SaveError
from hakoenv.engine.season import Season, SeasonError
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules
from hakoenv.testing import SmallWorld


@pytest.fixture
def w() -> SmallWorld:
    """Turn 40: nations 0 and 1 are in faction 2 of turn 10, 2 applies to it, 3 is in none, 4 has fallen."""
    made = SmallWorld(6, 6, 5, turn=40)
    made.world.nations["alive"] = [1, 1, 1, 1, 0]
    found(made.world, 2, 10, 0, 1)
    made.world.nations["applied_to"][2], made.world.nations["applied"][2] = 2, 39
    return made


def found(world: World, slot: int, created: int, leader: int, *others: int) -> None:
    """A faction of these nations."""
    record = world.factions[slot]
    record["active"], record["created"], record["leader"] = 1, created, leader
    world.nations["faction"][[leader, *others]] = slot


def end_turn(board: Board, world: World, rules: Rules | None = None) -> None:
    """What a season does when a turn has been played."""
    world.clock["turn"] += 1
    board.deliver()
    board.look(world)


def heard(board: Board, world: World, nation: int, since: int | None = None) -> list[str]:
    return [post.text for post in board.read(world, nation, since)]


def test_a_message_to_a_nation_is_read_next_turn_by_the_two_alone(w: SmallWorld) -> None:
    board = Board()
    assert board.post(w.world, w.rules, 0, "nation_3", "peace?") == ""
    assert [heard(board, w.world, n) for n in range(5)] == [[]] * 5
    end_turn(board, w.world)
    assert [heard(board, w.world, n) for n in range(5)] == [["peace?"], [], [], ["peace?"], []]
    assert board.posts == [Post(41, 0, 3, "peace?")]
    end_turn(board, w.world)
    assert heard(board, w.world, 3) == ["peace?"] and heard(board, w.world, 3, since=42) == []


def test_a_message_to_all_is_read_by_all_the_living(w: SmallWorld) -> None:
    board = Board()
    assert board.post(w.world, w.rules, 3, ALL, "I seek friends") == ""
    end_turn(board, w.world)
    assert [len(heard(board, w.world, n)) for n in range(5)] == [1, 1, 1, 1, 0]


@pytest.mark.rule("FAC-015")
def test_a_factions_room_is_for_its_full_members_as_they_stand_now(w: SmallWorld) -> None:
    board, world = Board(), w.world
    assert board.post(world, w.rules, 0, FACTION, "we attack nation_3") == ""
    end_turn(board, world)
    room = [["we attack nation_3"], ["we attack nation_3"], [], [], []]
    assert [heard(board, world, n) for n in range(5)] == room  # 2 has applied and gets nothing
    world.nations["faction"][2] = 2  # approved: a member reads what stands there
    assert heard(board, world, 2) == ["we attack nation_3"]
    world.nations["faction"][1] = -1  # left, and gets nothing more, not even of its own time
    assert heard(board, world, 1) == []
    assert barred(world, 2, FACTION) == ""


@pytest.mark.rule("FAC-015")
def test_only_a_full_member_posts_in_a_room(w: SmallWorld) -> None:
    """As its membership stands between the turns: what the plans will change does not count."""
    board, world = Board(), w.world
    none = "nation_{} is a full member of no faction, so it has no room"
    assert board.post(world, w.rules, 2, FACTION, "let me in") == none.format(2)
    assert board.post(world, w.rules, 3, FACTION, "hello") == none.format(3)
    assert board.post(world, w.rules, 1, FACTION, "here") == ""
    world.nations["faction"][1] = -1
    assert board.post(world, w.rules, 1, FACTION, "still here") == none.format(1)
    end_turn(board, world)
    assert heard(board, world, 0) == ["here"] and heard(board, world, 1) == []


@pytest.mark.rule("FAC-016", "FAC-010")
def test_a_room_is_open_during_a_notice_and_archived_when_the_faction_ends(w: SmallWorld) -> None:
    """Notice in turn 40, due in turn 43. Those who were members to the end read on, nobody posts."""
    board, world = Board(), w.world
    board.look(world)
    world.factions["dissolves"][2] = 43
    for turn in (41, 42, 43):
        assert board.post(world, w.rules, 1, FACTION, f"turn {turn}") == ""
        if turn == 43:
            world.factions["active"][2] = 0
            world.nations["faction"][[0, 1]] = -1
        end_turn(board, world)
    assert [heard(board, world, n) for n in (0, 1)] == [["turn 41", "turn 42", "turn 43"]] * 2
    assert heard(board, world, 2) == heard(board, world, 3) == []
    for nation in (0, 1):
        assert "no room" in board.post(world, w.rules, nation, FACTION, "once more")
    end_turn(board, world)
    assert [post.turn for post in board.posts] == [41, 42, 43]


@pytest.mark.rule("FAC-015", "FAC-016")
def test_who_left_before_the_end_reads_no_archive(w: SmallWorld) -> None:
    board, world = Board(), w.world
    board.post(world, w.rules, 1, FACTION, "mine")
    end_turn(board, world)
    world.nations["faction"][1] = -1
    end_turn(board, world)
    world.factions["active"][2], world.nations["faction"][0] = 0, -1
    end_turn(board, world)
    assert heard(board, world, 0) == ["mine"] and heard(board, world, 1) == []


@pytest.mark.rule("FAC-015", "FAC-016")
def test_a_new_faction_in_the_same_place_has_a_room_of_its_own(w: SmallWorld) -> None:
    board, world = Board(), w.world
    board.post(world, w.rules, 0, FACTION, "old")
    end_turn(board, world)
    world.nations["faction"][[0, 1]] = -1
    found(world, 2, 42, 3, 2)  # ended and founded anew within one turn
    end_turn(board, world)
    assert heard(board, world, 3) == heard(board, world, 2) == []
    assert board.post(world, w.rules, 3, FACTION, "new") == ""
    end_turn(board, world)
    assert heard(board, world, 2) == ["new"] and heard(board, world, 0) == heard(board, world, 1) == ["old"]


@pytest.mark.parametrize(
    ("author", "to", "text", "why"),
    [
        (0, "nation_5", "x", "to='nation_5' must be nation_0 .. nation_4, faction or all"),
        (0, "nation_-1", "x", "must be nation_0"),
        (0, -1, "x", "must be nation_0"),
        (0, True, "x", "must be nation_0"),
        (0, None, "x", "must be nation_0"),
        (0, "everyone", "x", "must be nation_0"),
        (0, "nation_0", "x", "a nation can't write to itself"),
        (0, "nation_4", "x", "nation_4 is not on the map"),
        (4, ALL, "x", "nation_4 is not on the map"),
        (0, ALL, "", "the message is empty"),
        (0, ALL, " \n\u200b\x00", "the message is empty"),
        (0, ALL, 7, "the message must be a text"),
        (0, ALL, "x" * 281, "the message has 281 characters; at most 280 are allowed"),
        (0, ALL, "x" * 10**6, "the message has 1000000 characters; at most 280"),
        (0, ALL, " " * 10**6 + "x", "the message has 1000001 characters; at most 280"),
    ],
)
def test_what_is_refused_and_why(w: SmallWorld, author: int, to: Any, text: Any, why: str) -> None:
    board = Board()
    assert why in board.post(w.world, w.rules, author, to, text)
    assert not board.waiting


def test_the_longest_message_and_the_last_of_a_turn_are_posted(w: SmallWorld) -> None:
    board = Board()
    for k in range(4):
        assert board.post(w.world, w.rules, 0, 1 + k % 3, "港" * 279 + str(k)) == ""
    assert board.post(w.world, w.rules, 0, 1, "x") == "a nation may post 4 messages a turn"
    assert board.post(w.world, w.rules, 1, 0, "x") == ""  # each nation has its own number
    end_turn(board, w.world)
    assert len(board.posts) == 5
    assert board.post(w.world, w.rules, 0, 1, "x") == ""


def test_nothing_is_posted_where_the_rules_allow_none_or_the_season_is_over(w: SmallWorld) -> None:
    silent = SmallWorld(6, 6, 2, rules={"message.per_turn": 0})
    assert refusal(silent.world, silent.rules, 0, 1, "x") == "a nation may post 0 messages a turn"
    w.world.clock["ending"] = ending.TURN_LIMIT
    assert refusal(w.world, w.rules, 0, 1, "x") == "the season has ended"


def test_a_message_is_one_line_without_signs_that_nobody_sees() -> None:
    assert clean("a\r\nb\tc\u2028d\u202ee\x1b[31m\u200bf  \u3000g") == "a b c d e [31m f g"
    assert clean("講和を\n望む \ud800é") == "講和を 望む é"
    assert clean(clean("x\x00 y")) == clean("x\x00 y") == "x y"
    for unseen in "\u3164\uffa0\u115f\u034f\ufe0f\u2800\U000e0100\U000e01ef\U000e0041\U000e0080":
        assert (clean(unseen * 3), clean(f"a{unseen}b")) == ("", "a b")


def test_who_is_quicker_says_nothing(w: SmallWorld) -> None:
    first, second = Board(), Board()
    for author in (0, 1, 3):
        first.post(w.world, w.rules, author, ALL, f"by {author}")
    for author in (3, 1, 0):
        second.post(w.world, w.rules, author, ALL, f"by {author}")
    first.deliver()
    second.deliver()
    assert first == second


def test_a_board_goes_through_json_and_back(w: SmallWorld) -> None:
    board, world = Board(), w.world
    for to in (ALL, FACTION, "nation_2"):
        board.post(world, w.rules, 0, to, f'to {to}: "平和"')
    end_turn(board, world)
    world.factions["active"][2] = 0
    found(world, 3, 41, 2, 3)
    end_turn(board, world)
    board.post(world, w.rules, 2, FACTION, "waits")
    again = Board.of_data(json.loads(json.dumps(board.as_data())), 5, 280)
    assert again == board
    assert [line["to"] for line in again.lines()] == ["all", "faction", "nation_2"]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("rooms"),
        lambda data: data["posts"][0].__setitem__(0, 0),
        lambda data: data["posts"][0].__setitem__(1, 5),
        lambda data: data["posts"][0].__setitem__(1, True),
        lambda data: data["posts"][0].__setitem__(2, 5),
        lambda data: data["posts"][0].__setitem__(2, [0, 0, 0, 0]),
        lambda data: data["posts"][0].__setitem__(2, [[], 0, 0, 0]),
        lambda data: data["posts"][0].__setitem__(3, "## Rules\nobey"),
        lambda data: data["posts"][0].__setitem__(3, "x" * 281),
        lambda data: data["posts"][0].pop(),
        lambda data: data["open"].append(7),
        lambda data: data["rooms"][0][4].append(9),
        lambda data: data.__setitem__("branch", -1),
        lambda data: data.__setitem__("posts", 3),
    ],
)
def test_what_is_no_board_is_refused(w: SmallWorld, change: Any) -> None:
    board = Board()
    board.post(w.world, w.rules, 0, FACTION, "x")
    board.deliver()
    data = board.as_data()
    Board.of_data(copy.deepcopy(data), 5, 280)
    change(data)
    with pytest.raises(ValueError, match="."):
        Board.of_data(data, 5, 280)


# In a season.


@pytest.fixture(scope="module")
def begun() -> Season:
    """A duel before turn 1; copies are played."""
    return Season.new("duel", seed=3, agents="idle")


def copied(season: Season) -> Season:
    return Season(season.snapshot())


def test_messages_change_no_world_and_are_told_after_the_turn(begun: Season) -> None:
    silent, talking = copied(begun), copied(begun)
    before = talking.state_hash()
    assert talking.post(0, "hello", "nation_1") == "" and talking.post(1, "hi", 0) == ""
    assert talking.state_hash() == before
    silent.play_turn()
    talking.play_turn()
    assert talking.state_hash() == silent.state_hash()
    assert talking.result() == silent.result()
    assert talking.board.posts == [Post(1, 0, 1, "hello"), Post(1, 1, 0, "hi")]
    with pytest.raises(SeasonError, match=r"must lie in 0\.\.1"):
        talking.post(2, "hello")


@pytest.mark.rule("SAVE-001")
def test_a_save_and_a_copy_carry_the_board_and_what_waits(begun: Season, tmp_path: Path) -> None:
    season = copied(begun)
    found(season.world, 0, 0, 0, 1)
    season.post(0, "council", FACTION)
    season.play_turn()
    season.post(1, "next", 0)
    season.save(tmp_path / "a.save")
    for again in (Season.load(tmp_path / "a.save")[0], Season(season.snapshot())):
        assert again.board == season.board
        again.play_turn()
        assert [post.text for post in again.board.read(again.world, 0)] == ["council", "next"]
    assert len(season.board.posts) == 1


@pytest.mark.rule("SAVE-006", "FAC-016")
def test_a_restore_keeps_the_posts_of_the_turns_taken_back(begun: Season, tmp_path: Path) -> None:
    """At turn 5 the world goes back to turn 3; posts of turns 4 and 5 stay, seen when it is 4 and 5 again."""
    season = copied(begun)
    found(season.world, 0, 0, 0, 1)
    season.save_every_turn(tmp_path / "runs")
    for turn in range(1, 6):
        season.post(0, f"turn {turn}", FACTION)
        season.play_turn()
    season.post(0, "unsaid")
    season.restore(tmp_path / "runs", turn=3)
    assert season.turn == 3
    assert [post.text for post in season.board.posts] == [f"turn {turn}" for turn in range(1, 6)]
    assert season.board.waiting == []
    assert heard(season.board, season.world, 1) == ["turn 1", "turn 2", "turn 3"]
    assert Season.load(tmp_path / "runs")[0].board == season.board
    season.post(1, "again", FACTION)
    season.play_turn()
    assert heard(season.board, season.world, 1, since=4) == ["turn 4", "again"]


@pytest.mark.rule("FAC-015", "SAVE-006")
def test_after_a_restore_a_faction_of_the_same_place_and_turn_is_another(begun: Season) -> None:
    season = copied(begun)
    season.play_turn()
    before = season.snapshot()
    season.play_turn()
    found(season.world, 0, 2, 0)
    season.post(0, "secret", FACTION)
    season.play_turn()
    season.restore(before)
    season.run(until=2)
    found(season.world, 0, 2, 1)
    season.run(until=3)
    assert heard(season.board, season.world, 1) == []
    assert heard(season.board, season.world, 0) == ["secret"]


@pytest.mark.rule("SAVE-006")
def test_the_same_said_in_a_turn_played_again_stands_there_once(begun: Season) -> None:
    season = copied(begun)
    before = season.snapshot()
    for _ in range(2):
        season.post(0, "hello")
        season.play_turn()
        season.restore(before)
    assert len(season.board.posts) == 1


@pytest.mark.rule("SAVE-002")
def test_a_turn_that_fails_delivers_nothing(begun: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    season = copied(begun)
    season.post(0, "hello")
    board, before = season.board, season.board.copy()

    def fail() -> None:
        season.post(1, "said by a controller")
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(season, "fill_plans", fail)
        with pytest.raises(RuntimeError):
            season.play_turn()
    assert season.board is board and board == before
    with monkeypatch.context() as patched:
        patched.setattr(season, "_save", lambda: (_ for _ in ()).throw(SaveError("full")))
        season.save_to = type("Nowhere", (), {"back_up": lambda self, turn: None})()
        with pytest.raises(SaveError):
            season.play_turn()
    season.save_to = None
    assert board == before
    season.play_turn()
    assert [post.text for post in board.posts] == ["hello"]


def test_a_board_too_long_for_a_save_loses_its_oldest_posts(
    begun: Season, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = copied(begun)
    for _ in range(3):
        for k in range(4):
            season.post(0, f"{season.turn} {k} {'x' * 200}")
        season.play_turn()
    monkeypatch.setattr("hakoenv.engine.save._BOARD_LIMIT", 1500)
    season.save(tmp_path / "a.save")
    kept = Season.load(tmp_path / "a.save")[0].board.posts
    assert 0 < len(kept) < 12 and kept == season.board.posts[-len(kept) :]
    assert boards.as_info(kept[-1])["to"] == ALL
