"""Saves: whole or refused, whatever happens to the file or the process."""

import json
import os
import random
import signal
import time
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hakoenv.engine import save, save_target
from hakoenv.engine.codes import item, lot, parcel, ship_class, terrain
from hakoenv.engine.navy import fleets, vessels, wrecks
from hakoenv.engine.save import SaveError, read_save
from hakoenv.engine.season import Season
from hakoenv.engine.shipping import parcels
from hakoenv.engine.world import World, assign_world, copy_world, new_world, state_hash

Change: TypeAlias = Callable[[bytes], bytes]


def duel(**options: Any) -> Season:
    return Season.new("duel", seed=5, agents="rule_ai", **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of a duel at turn 8."""
    path = tmp_path_factory.mktemp("saves") / "duel.save"
    season = duel()
    season.run(until=8)
    season.save(path)
    return path


@pytest.mark.rule("SAVE-001")
def test_a_loaded_season_is_the_saved_one(whole: Path) -> None:
    season, report = Season.load(whole)
    again = duel()
    again.run(until=8)
    assert season.state_hash() == again.state_hash()
    assert season.result() == again.result()
    assert season.turn == report.turn == 8
    assert (season.controllers, season.event_totals) == (again.controllers, again.event_totals)
    assert [row.turn for row in season.statistics.log] == list(range(1, 9))


@pytest.mark.rule("SAVE-001")
def test_fleets_and_wrecks_go_on_from_a_save(tmp_path: Path) -> None:
    season = Season.new("duel", seed=5, agents="idle")
    season.run(until=4)
    world, rules = season.world, season.rules
    terrains = np.asarray(world.cells["terrain"]).reshape(-1)
    free = [
        cell
        for cell in range(0, 900, 7)
        if terrains[cell] == terrain.SEA and world.cells.flat[cell]["ship"] < 0
    ]
    for nation, cell in enumerate(free[:2]):
        vessels.place(world, rules, nation, ship_class.DESTROYER, cell, 3)
        world.fleets[nation, 3]["target"] = free[-1]
        fleets.append_waypoint(world.fleets[nation, 3], free[5])
    wrecks.leave(world, free[4], ship_class.CARRIER)
    season.save(tmp_path / "navy.save")
    resumed, _ = Season.load(tmp_path / "navy.save")
    assert resumed.state_hash() == season.state_hash()
    assert int(resumed.world.fleets[1, 3]["flagship"]) == int(world.cells.flat[free[1]]["ship"])
    for game in (season, resumed):
        game.run(until=8)
    assert resumed.state_hash() == season.state_hash()
    assert (np.asarray(world.ships["cell"])[:2] != free[:2]).all(), "the ships have sailed"


@pytest.mark.rule("SAVE-001")
def test_a_resumed_season_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    straight = duel()
    straight.run(until=40)
    straight.save(tmp_path / "a.save")
    straight.run(until=60)
    resumed, _ = Season.load(tmp_path / "a.save")
    resumed.run(until=60)
    assert resumed.state_hash() == straight.state_hash()
    assert resumed.result() == straight.result()
    assert np.array_equal(resumed.statistics.curves().values, straight.statistics.curves().values)


@pytest.mark.rule("SAVE-009")
def test_records_that_rules_read_are_saved_with_the_world(tmp_path: Path) -> None:
    season = duel()
    season.run(until=28)
    assert season.world.nations["assets_recorded"].tolist() == [3, 3]  # turns 26, 27, 28
    season.save(tmp_path / "a.save")
    loaded, _ = Season.load(tmp_path / "a.save")
    assert np.array_equal(loaded.world.nations["assets"], season.world.nations["assets"])
    earlier = season.snapshot()
    season.run(until=31)
    season.restore(earlier)
    assert season.result()["assets"] == loaded.result()["assets"]


@pytest.mark.rule("SAVE-001")
def test_trade_goes_on_from_a_save(tmp_path: Path) -> None:
    """A lot with a bid, goods in bond and a ship with a home: all there, and the same turns follow."""
    season = Season.new("duel", seed=5, agents="idle")
    season.run(until=4)
    world, rules = season.world, season.rules
    capital = int(world.nations[0]["capital"])
    terrains = np.asarray(world.cells["terrain"]).reshape(-1)
    sea = [
        cell for cell in range(900) if terrains[cell] == terrain.SEA and world.cells.flat[cell]["ship"] < 0
    ]
    ship = int(vessels.place(world, rules, 0, ship_class.MERCHANT, sea[3], -1))
    world.jobs[ship]["home"] = capital
    assert parcels.put(world, parcel.BOND, item.STEEL, 6, 1, 1, -1, capital) == 0
    offer = world.lots[5]
    offer["number"], offer["state"], offer["quantity"], offer["what"] = 1, lot.OPEN, 8, item.ORE
    offer["deadline"], offer["bid"], offer["seller"], offer["bidder"] = 7, 20, 0, 1
    world.clock["lots_made"] = 1
    season.save(tmp_path / "trade.save")
    resumed, _ = Season.load(tmp_path / "trade.save")
    assert resumed.state_hash() == season.state_hash()
    assert (int(resumed.world.lots[5]["bid"]), int(resumed.world.parcels[0]["quantity"])) == (20, 6)
    for game in (season, resumed):
        game.run(until=8)
    assert resumed.state_hash() == season.state_hash()


@pytest.mark.parametrize("name", World._fields)
def test_a_copy_is_of_every_array_and_the_digest_of_every_byte(name: str) -> None:
    world = new_world(12, 12, 2, seed=3)
    copy = copy_world(world)
    assert state_hash(copy) == state_hash(world)
    last = getattr(copy, name).reshape(-1).view(np.uint8)
    last[-1] ^= 1
    assert state_hash(copy) != state_hash(world)
    assign_world(world, copy)
    assert state_hash(copy) == state_hash(world)


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=150, deadline=None)
def test_a_flipped_bit_anywhere_is_refused(whole: Path, place: float, bit: int) -> None:
    data = bytearray(whole.read_bytes())
    data[int(place * len(data))] ^= 1 << bit
    assert_refused(whole, bytes(data))


@given(part=st.floats(0, 1, exclude_max=True))
@settings(max_examples=60, deadline=None)
def test_a_cut_off_file_is_refused(whole: Path, part: float) -> None:
    data = whole.read_bytes()
    assert_refused(whole, data[: int(part * len(data))])


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_other_bytes_are_refused(whole: Path, data: bytes) -> None:
    assert_refused(whole, data)
    assert_refused(whole, save.MAGIC + b"2\n" + data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"\x89PNG\r\n" + data, "is not a hakoenv save"),
        (lambda data: data[:-1], "is cut off"),
        (lambda data: data[:200], "is cut off or damaged"),
        (lambda data: data + b"x", "is damaged"),
        (lambda data: data.replace(b"SAVE 3\n", b"SAVE 1\n", 1), "has format 1, and this hakoenv reads"),
    ],
)
def test_refusals_name_the_file_and_the_fault(whole: Path, change: Change, words: str) -> None:
    message = assert_refused(whole, change(whole.read_bytes()))
    assert "broken.save" in message
    assert words in message


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"none\.save: can't be read \(No such file or directory\)"):
        Season.load(tmp_path / "none.save")
    with pytest.raises(SaveError, match="no whole save"):
        Season.load(tmp_path)


def resealed(data: bytes, change: Callable[[dict[str, Any]], None], world: bytes | None = None) -> bytes:
    """The same save with another header or world, and a checksum that is right."""
    first, header, contents = data.split(b"\n", 2)
    fields = json.loads(header)
    rest = contents[:-32]
    if world is not None:
        rest = world + rest[fields["world_bytes"] :]
        fields["world_bytes"] = len(world)
    change(fields)
    body = b"\n".join([first, json.dumps(fields).encode(), rest])
    return body + save._checksum(body)


def setting(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.update(values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rules_version": "0.0"}, "was played by rules 0.0"),
        ({"ruleset": "00"}, "was played by other numbers of rules"),
        ({"scenario": "dual"}, "unknown scenario 'dual'"),
        ({"scenario": ["duel"]}, "names no scenario"),
        ({"overrides": {"mine.none": 3}}, "unknown key 'mine.none'"),
        ({"nations": 10**12}, "allowed 1..40"),
        ({"nations": True}, "has no nations"),
        ({"layout": [["clock", [10**9], "|u1"]]}, "another layout"),
        ({"records": 10**15}, "statistics are too long"),
        ({"records": 7}, "another size than its rules say"),
        ({"controllers": ["rule_ai"]}, "who drives its nations"),
        ({"controllers": [1, 2]}, "who drives its nations"),
        ({"events": {"fell": "x"}}, "no counts of events"),
        ({"world_bytes": -1}, "has no world_bytes"),
        ({"world_bytes": 10**18}, "is cut off"),
        ({"state_hash": "00"}, "its world is not the one it was"),
        ({"turn": 7}, "another turn or seed"),
        ({"seed": None}, "another turn or seed"),
        ({"history_turns": -1}, "statistics are too long"),
        ({"board": 10**12}, "board is too long"),
        ({"board": 3}, "its board"),
        ({"board_bytes": None}, "has no board_bytes"),
    ],
)
def test_a_hostile_header_with_a_right_checksum_is_refused(
    whole: Path, values: dict[str, Any], words: str
) -> None:
    assert words in assert_refused(whole, resealed(whole.read_bytes(), setting(**values)))


def test_deep_and_endless_headers_are_refused(whole: Path) -> None:
    for header in (b"[" * 100_000, b'{"a":' * 50_000, b"1" * 5_000, b"x" * (2 << 20)):
        assert_refused(whole, save.MAGIC + b"2\n" + header + b"\n" + bytes(64))


def test_a_bomb_is_not_unpacked(whole: Path) -> None:
    bomb = zlib.compress(bytes(200_000_000), 9)
    data = resealed(whole.read_bytes(), setting(), bomb)
    tracemalloc.start()
    assert "another size" in assert_refused(whole, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 << 20


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [("cells", "owner", 2), ("cells", "unit", 30_000), ("cells", "terrain", 200),
     ("nations", "capital", 900), ("nations", "first", 899), ("nations", "plan_length", 51),
     ("units", "cell", 900), ("clock", "weather", 9), ("cells", "ship", 0), ("ships", "kind", 11),
     ("ships", "mode", 4), ("ships", "serial", -1), ("fleets", "target", 900), ("fleets", "waypoints", 900),
     ("fleets", "legs", 9), ("fleets", "salvo", -2), ("fleets", "flagship", 0), ("wrecks", "cell", 900),
     ("jobs", "home", 900), ("parcels", "ship", 900), ("parcels", "deal", 512), ("harbours", "cell", 900),
     ("lots", "seller", 2), ("contracts", "buyer", 2), ("transports", "deal", 256),
     ("clock", "parcels", 2000)],
)  # fmt: skip
def test_numbers_that_would_lead_the_engine_astray_are_refused(
    tmp_path: Path, array: str, field: str, value: int
) -> None:
    season = duel()
    getattr(season.world, array)[field] = value
    season.save(tmp_path / "broken.save")
    with pytest.raises(SaveError, match=f"impossible world: .*{field}"):
        read_save(tmp_path / "broken.save")


def assert_refused(whole: Path, data: bytes) -> str:
    """Whatever a file holds, reading it raises SaveError with one sentence, which is returned."""
    path = whole.with_name("broken.save")
    path.write_bytes(data)
    with pytest.raises(SaveError) as caught:
        read_save(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message


def test_saving_never_replaces_a_file_that_is_no_save(tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("three years", encoding="utf-8")
    with pytest.raises(SaveError, match="no hakoenv save, so it isn't overwritten"):
        duel().save(thesis)
    assert thesis.read_text(encoding="utf-8") == "three years"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_places_that_can_hold_no_save_are_refused(whole: Path, tmp_path: Path) -> None:
    season, _ = Season.load(whole)
    os.symlink("ring", tmp_path / "ring")
    os.mkfifo(tmp_path / "pipe")
    for name in ("ring", "pipe", "nul\0.save", "nul\0", "x" * 5000, "x" * 5000 + ".save"):
        place = f"{tmp_path}/{name}"
        for attempt in (season.save, season.save_every_turn, Season.load):
            with pytest.raises(SaveError) as refused:
                attempt(place)
            assert str(refused.value).startswith(place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "ring"]


def test_only_its_own_leftovers_are_removed(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / ".a1.save.1.tmp"
    other.write_bytes(b"somebody is writing this")
    Season.load(whole)[0].save(tmp_path / "a[0-9].save")
    assert other.exists()


@pytest.mark.rule("SAVE-002")
def test_a_failed_write_leaves_the_old_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    season = duel()
    season.save(tmp_path / "a.save")
    before = (tmp_path / "a.save").read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveError, match="No space left"):
        season.save(tmp_path / "a.save")
    assert (tmp_path / "a.save").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.save"]


@pytest.mark.rule("SAVE-002", "SAVE-010", "TURN-040", "TURN-041", "TURN-046")
def test_a_turn_that_cant_be_saved_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    season = duel(save_to=tmp_path / "folder")
    season.run(until=5)
    before, rows, events = season.state_hash(), len(season.statistics.log), dict(season.event_totals)
    with monkeypatch.context() as broken:
        broken.setattr(save_target, "write_save", _raise)
        with pytest.raises(SaveError):
            season.play_turn()
    assert season.state_hash() == before  # plans included
    assert (len(season.statistics.log), season.event_totals) == (rows, events)
    assert Season.load(tmp_path / "folder")[0].turn == 5
    season.play_turn()
    undisturbed = duel()
    undisturbed.run(until=6)
    assert season.state_hash() == undisturbed.state_hash()
    assert [row.turn for row in season.statistics.log] == [1, 2, 3, 4, 5, 6]


def _raise(*_: object, **__: object) -> None:
    raise SaveError("season.save: can't be written")


@pytest.mark.rule("SAVE-003", "SAVE-004", "SAVE-005", "TURN-035")
def test_six_backups_hold_the_worlds_before(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "runs")
    folder = save_target.SaveFolder(tmp_path / "runs")
    hashes = {0: season.state_hash()}
    for turn in range(1, 32):
        season.play_turn()
        hashes[turn] = season.state_hash()
        if turn == 3:  # as many as turns
            assert turns_of(folder.backups()) == [2, 1, 0]
    assert turns_of(folder.backups()) == [30, 29, 28, 27, 26, 25]
    assert turns_of([folder.current]) == [31]
    for path in [folder.current, *folder.backups()]:
        loaded, _ = Season.load(path)
        assert loaded.state_hash() == hashes[loaded.turn]


@pytest.mark.rule("TURN-042", "SAVE-010")
def test_nothing_changes_after_the_save(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "a.save")
    for _ in range(5):
        season.play_turn()
        header = save.peek(tmp_path / "a.save") or {}
        assert header["state_hash"] == season.state_hash()


@pytest.mark.rule("SAVE-012")
def test_interval_and_number_of_backups_are_settings(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "runs", rules={"backup.every": 3, "backup.keep": 2})
    season.run(until=10)
    assert turns_of(save_target.SaveFolder(tmp_path / "runs").backups()) == [8, 5]  # taken in turns 9 and 6
    none = duel(save_to=tmp_path / "none", rules={"backup.keep": 0})
    none.run(until=3)
    assert [path.name for path in (tmp_path / "none").iterdir()] == ["season.save"]


def turns_of(paths: list[Path]) -> list[int]:
    return [Season.load(path)[0].turn for path in paths]


@pytest.mark.rule("SAVE-002")
def test_a_folder_falls_back_to_its_newest_whole_file_and_says_so(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "runs")
    season.run(until=9)
    folder = save_target.SaveFolder(tmp_path / "runs")
    newest = folder.backups()[0]
    folder.current.write_bytes(folder.current.read_bytes()[:-40])
    loaded, report = Season.load(tmp_path / "runs", save_to=tmp_path / "runs")
    assert loaded.turn == report.turn == 8
    assert report.path == newest
    assert f"{folder.current}: is cut off" in str(report)
    assert str(report).endswith(f"loaded {newest} (turn 8) instead")
    loaded.run(until=9)
    assert loaded.state_hash() == season.state_hash()
    assert Season.load(folder.current)[0].turn == 9


def test_a_named_file_never_falls_back(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "runs")
    season.run(until=3)
    current = tmp_path / "runs" / "season.save"
    current.write_bytes(b"")
    with pytest.raises(SaveError, match="is empty"):
        Season.load(current)


def test_a_folder_with_a_season_is_not_taken_for_another(tmp_path: Path) -> None:
    duel(save_to=tmp_path / "runs").run(until=2)
    with pytest.raises(SaveError, match="holds a season already"):
        duel(save_to=tmp_path / "runs")


@pytest.mark.rule("SAVE-006", "SAVE-007")
def test_restoring_takes_the_world_back_and_not_the_statistics(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "runs")
    hashes = {}
    for turn in range(1, 32):
        season.play_turn()
        hashes[turn] = season.state_hash()
    season.restore(tmp_path / "runs", turn=28)
    assert (season.turn, season.state_hash()) == (28, hashes[28])
    assert [row.turn for row in season.statistics.log] == list(range(1, 32))
    assert Season.load(tmp_path / "runs")[0].turn == 28
    season.play_turn()
    assert season.state_hash() == hashes[29]
    assert [row.turn for row in season.statistics.log] == [*range(1, 32), 29]
    assert season.statistics.curves().turns.tolist() == list(range(1, 32))


def test_a_snapshot_of_another_game_is_not_restored() -> None:
    other = Season.new("duel", seed=5, agents="rule_ai", rules={"mine.level_max": 9}).snapshot()
    with pytest.raises(SaveError, match="another game"):
        duel().restore(other)


@pytest.mark.rule("SAVE-011", "SEASON-003")
def test_the_end_of_a_season_is_in_its_last_save(tmp_path: Path) -> None:
    season = duel(save_to=tmp_path / "a.save", rules={"season.max_turns": 4})
    season.run()
    loaded, _ = Season.load(tmp_path / "a.save")
    assert loaded.ended
    assert loaded.result() == season.result()
    assert loaded.result()["ending"] == "turn_limit"
    assert loaded.result()["winners"]


def test_leftovers_of_a_killed_writer_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".a.save.4711.tmp").write_bytes(b"half")
    duel().save(tmp_path / "a.save")
    assert [path.name for path in tmp_path.iterdir()] == ["a.save"]


def kill_while_saving(folder: Path, times: int) -> None:
    """Kill a process that plays and saves, at random moments; what is left is always a complete turn."""
    reference = duel()
    hashes = {0: reference.state_hash()}
    while not reference.ended:
        reference.play_turn()
        hashes[reference.turn] = reference.state_hash()
    duel(save_to=folder)
    moments = random.Random(0)
    for _ in range(times):
        child = os.fork()
        if child == 0:
            try:
                Season.load(folder, save_to=folder)[0].run()
            finally:
                os._exit(0)
        time.sleep(moments.uniform(0.002, 0.25))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        loaded, report = Season.load(folder)
        assert not report.refused
        assert loaded.state_hash() == hashes[loaded.turn]
        if loaded.ended:
            for path in folder.iterdir():
                path.unlink()
            duel(save_to=folder)


@pytest.mark.rule("SAVE-001", "SAVE-002")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_moment_a_complete_turn_remains(tmp_path: Path) -> None:
    kill_while_saving(tmp_path / "runs", 12)


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_two_hundred_moments_a_complete_turn_remains(tmp_path: Path) -> None:
    kill_while_saving(tmp_path / "runs", 200)
