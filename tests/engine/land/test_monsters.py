"""Monsters beyond what cases say: how often they come, of which kind, where they go (DIS-018, TURN-057)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import happenings, hexgrid, soundness
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.economy import meteors
from hakoenv.engine.land import monsters
from hakoenv.engine.navy import neutral
from hakoenv.engine.season import Season
from hakoenv.ruleset import codes, load_ruleset
from hakoenv.testing import SmallWorld

ALWAYS = {"disasters.monster_spawn.percent_per_turn": 100}
KINDS = ("mecha_inora", "inora", "sanjira", "red_inora", "dark_inora", "inora_ghost", "whale", "king_inora")
INORA, SANJIRA, DARK, GHOST, WHALE = 1, 2, 4, 5, 6


def beasts(w: SmallWorld) -> dict[int, tuple[int, int]]:
    """Cells of the monsters, with kind and hit points."""
    cells = w.world.cells.reshape(-1)
    found = np.flatnonzero(cells["terrain"] == terrain.MONSTER).tolist()
    return {cell: divmod(int(cells["level"][cell]), 10) for cell in found}


def events(w: SmallWorld) -> list[tuple[str, int, int, int, int]]:
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    fields = ("nation", "other", "cell", "amount")
    return [(event.NAMES[int(e["kind"])], *(int(e[name]) for name in fields)) for e in listed]  # type: ignore[misc]


def land(size: int = 9, owner: int | None = None, **rules: Any) -> SmallWorld:
    w = SmallWorld(size, size, 2, rules=rules)
    for y in range(size):
        for x in range(size):
            w.cell(x, y, terrain="plains", owner=owner)
    return w


# ---------------------------------------------------------------- the tables


@pytest.mark.rule("DIS-018", "DIS-001", "TURN-057")
def test_the_chances_of_the_table() -> None:
    """That of monsters is tuned (docs/balance.md)."""
    rows = {row["id"]: row for row in load_ruleset("season").table("disasters")}
    for name, percent in (("monster_spawn", 0.1), ("whale_spawn", 1.0)):
        assert (rows[name]["percent_per_turn"], rows[name]["default_on"]) == (percent, 1)
    assert rows["whale_spawn"]["effect.whales_max"] == 3


@pytest.mark.rule("DIS-018")
def test_the_table_of_kinds() -> None:
    """Least and drawn HP, experience, value, moves, hardening, people it wants, where, whether it comes."""
    columns = ("hp_min", "hp_random", "experience", "value", "moves", "hardening", "min_population_units",
               "domain", "spawns")  # fmt: skip
    rows = load_ruleset("season").table("monsters")
    assert {row["name"]: tuple(row[column] for column in columns) for row in rows} == {
        "mecha_inora": (2, 0, 5, 0, 1, "none", 0, "land", 0),
        "inora": (1, 2, 5, 400, 1, "none", 1000, "land", 1),
        "sanjira": (1, 2, 7, 500, 1, "odd_turns", 1000, "land", 1),
        "red_inora": (3, 2, 12, 1000, 1, "none", 2500, "land", 1),
        "dark_inora": (2, 2, 15, 800, 2, "none", 2500, "land", 1),
        "inora_ghost": (1, 0, 10, 300, 9, "none", 2500, "land", 1),
        "whale": (4, 2, 20, 1500, 2, "even_turns", 0, "sea", 1),
        "king_inora": (5, 2, 30, 2000, 1, "none", 4000, "land", 1),
    }
    assert tuple(row["name"] for row in rows) == KINDS


# ---------------------------------------------------------------- appearing


def nations_in_a_row(count: int = 10, **rules: Any) -> SmallWorld:
    """Nations with a capital and a town, of 1000 people by decree."""
    w = SmallWorld(9, 4 * count, count, rules=rules)
    for n in range(count):
        w.cell(4 * n, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(4 * n + 1, 4, terrain="town", owner=n, population=50)
    w.phase("neutral_spawn")
    w.world.nations["population"] = 1000
    return w


@pytest.mark.rule("DIS-018", "DIS-001", "TURN-008")
def test_each_nation_draws_once_a_turn() -> None:
    """10 nations, 2,000 turns at 4%, 800 expected; whales at 5%, 100 expected and as many as may be.

    False alarm below 1e-6 each: more than 5 deviations.
    """
    w = nations_in_a_row(**{
        "disasters.monster_spawn.percent_per_turn": 4.0, "disasters.whale_spawn.percent_per_turn": 5.0,
        "disasters.whale_spawn.effect.whales_max": 9999,
    })  # fmt: skip
    fresh = w.world.cells.copy()
    came = np.zeros(len(KINDS), np.int64)
    for turn in range(2000):
        w.world.clock["turn"] = turn
        happenings.clear(w.world)
        neutral.appear(w.world, w.rules)
        for name, nation, other, cell, kind in events(w):
            assert name == "monster_appeared" and other == -1
            owner = int(fresh["owner"].reshape(-1)[cell])
            assert nation == owner and (owner >= 0) == (kind != WHALE)
            came[kind] += 1
        w.world.cells[...] = fresh
    assert abs(came.sum() - came[WHALE] - 800) <= 5 * (20_000 * 0.04 * 0.96) ** 0.5
    assert abs(came[WHALE] - 100) <= 5 * (2000 * 0.05 * 0.95) ** 0.5


@pytest.mark.rule("DIS-018")
@pytest.mark.parametrize(
    ("people", "kinds"),
    [
        (999, ()), (1000, (1, 2)), (2499, (1, 2)), (2500, (1, 2, 3, 4, 5)), (3999, (1, 2, 3, 4, 5)),
        (4000, (1, 2, 3, 4, 5, 7)), (30000, (1, 2, 3, 4, 5, 7)),
    ],
)  # fmt: skip
def test_the_bands_of_population(people: int, kinds: tuple[int, ...]) -> None:
    """1,800 monsters: the kinds of the own band and all lower ones are equally likely, and so are their HP.

    False alarm below 1e-6 each: chi-squared above 40 (at most 5 degrees of freedom).
    """
    w = nations_in_a_row(2, **ALWAYS)
    w.world.nations["alive"][1] = 0
    w.world.nations["population"] = people
    fresh = w.world.cells.copy()
    found = np.zeros((len(KINDS), 10), np.int64)
    for turn in range(1800 if kinds else 50):
        w.world.clock["turn"] = turn
        neutral.appear(w.world, w.rules)
        for kind, points in beasts(w).values():
            found[kind, points] += 1
        w.world.cells[...] = fresh
    assert tuple(np.flatnonzero(found.sum(axis=1)).tolist()) == kinds
    if not kinds:
        return
    each = 1800 / len(kinds)
    assert ((found.sum(axis=1)[list(kinds)] - each) ** 2 / each).sum() < 40
    rows = load_ruleset("season").table("monsters")
    for kind in kinds:
        low, spread = int(str(rows[kind]["hp_min"])), int(str(rows[kind]["hp_random"]))
        points = found[kind, low : low + spread + 1]
        assert points.sum() == found[kind].sum()
        even = points.sum() / len(points)
        assert ((points - even) ** 2 / even).sum() < 40


@pytest.mark.rule("DIS-018")
def test_every_town_but_the_capital_is_equally_likely() -> None:
    """1,200 monsters, 6 towns of every kind. False alarm below 1e-6: chi-squared above 37 (5 degrees)."""
    w = SmallWorld(9, 9, 2, rules=ALWAYS)
    w.cell(4, 4, terrain="town", owner=0, population=50, capital=True)
    names = ("town", "town", "town", "new_town", "metropolis", "modern_city")
    for k, name in enumerate(names):
        w.cell(k, 0, terrain=name, owner=0, population=50)
    w.cell(7, 7, terrain="town", owner=1, population=50)
    w.cell(8, 8, terrain="town", owner=None, population=50)
    w.phase("neutral_spawn")
    w.world.nations["population"] = 1000
    fresh = w.world.cells.copy()
    counts = np.zeros(81, np.int64)
    for turn in range(1200):
        w.world.clock["turn"] = turn
        neutral.appear(w.world, w.rules)
        counts[list(beasts(w))] += 1
        w.world.cells[...] = fresh
    assert counts[:6].sum() == counts.sum() == 1200
    assert ((counts[:6] - 200) ** 2 / 200).sum() < 37


@pytest.mark.rule("DIS-018")
def test_a_whale_comes_anywhere_on_deep_sea() -> None:
    """960 whales, 24 cells. False alarm below 1e-6: chi-squared above 80 (23 degrees of freedom)."""
    w = SmallWorld(5, 5, 1, rules={"disasters.whale_spawn.percent_per_turn": 100})
    w.cell(2, 2, terrain="shallows")
    fresh = w.world.cells.copy()
    counts = np.zeros(25, np.int64)
    for turn in range(960):
        w.world.clock["turn"] = turn
        neutral.appear(w.world, w.rules)
        counts[list(beasts(w))] += 1
        w.world.cells[...] = fresh
    assert counts[12] == 0 and counts.sum() == 960
    assert ((np.delete(counts, 12) - 40) ** 2 / 40).sum() < 80


@pytest.mark.rule("DIS-018")
def test_monsters_know_nothing_of_the_numbers_of_nations() -> None:
    seen = []
    for first, second in ((0, 2), (2, 0)):
        w = SmallWorld(9, 12, 3, rules={"disasters.monster_spawn.percent_per_turn": 50})
        for n, x in ((first, 0), (second, 6)):
            w.cell(x, 4, terrain="town", owner=n, population=50, capital=True)
            for k in range(1, 5):
                w.cell(x + k, 4, terrain="town", owner=n, population=50)
        w.phase("neutral_spawn")
        w.world.nations["population"] = 5000
        found = []
        for turn in range(30):
            w.world.clock["turn"] = turn
            neutral.appear(w.world, w.rules)
            found.append(beasts(w))
        seen.append(found)
    assert seen[0] == seen[1] and seen[0][-1]


# ---------------------------------------------------------------- roaming


@pytest.mark.rule("DIS-018", "TURN-024")
def test_a_step_goes_to_any_open_neighbour_alike() -> None:
    """1,000 steps, 4 open neighbours. False alarm below 1e-6: chi-squared above 31 (3 degrees)."""
    w = land(5)
    w.cell(2, 2, terrain="monster", owner=None, level=13)
    ways = [(2, 1), (3, 2), (2, 3), (1, 3), (1, 2), (1, 1)]
    assert all(hexgrid.distance(5, 12, y * 5 + x) == 1 for x, y in ways)
    w.cell(3, 2, terrain="mountain")
    w.cell(1, 2, terrain="shallows")
    fresh = w.world.cells.copy()
    counts = np.zeros(25, np.int64)
    for turn in range(1000):
        w.world.clock["turn"] = turn
        assert monsters.roam(w.world, w.rules, 12) in beasts(w)
        counts[list(beasts(w))] += 1
        w.world.cells[...] = fresh
    open_ways = [y * 5 + x for x, y in ways if (x, y) not in ((3, 2), (1, 2))]
    assert counts[open_ways].sum() == counts.sum() == 1000
    assert ((counts[open_ways] - 250) ** 2 / 250).sum() < 31


@pytest.mark.rule("DIS-018", "TURN-024")
@pytest.mark.parametrize(("kind", "moves"), [(INORA, 1), (SANJIRA, 1), (DARK, 2), (GHOST, 9)])
def test_a_monster_makes_its_steps_once_a_turn(kind: int, moves: int) -> None:
    """On open plains it is never stuck; the trail of waste that it leaves is no longer than its steps."""
    longest = 0
    for seed in range(40):
        w = land(21)
        w.world.clock["seed"] = seed
        start = 10 * 21 + 10
        w.cell(10, 10, terrain="monster", owner=None, level=10 * kind + 2)
        w.phase("hex_growth")
        ((cell, there),) = beasts(w).items()
        assert there == (kind, 2)
        waste = np.flatnonzero(w.world.cells["terrain"].reshape(-1) == terrain.WASTELAND)
        assert start in [*waste, cell] and 1 <= len(waste) <= moves
        assert hexgrid.distance(21, start, cell) <= moves
        for trodden in waste.tolist():
            assert hexgrid.distance(21, start, trodden) < moves
        longest = max(longest, len(waste))
    assert longest >= min(moves, 4)


@pytest.mark.rule("DIS-018")
def test_a_whale_swims_two_cells() -> None:
    far = set()
    for seed in range(30):
        w = SmallWorld(11, 11, 1, seed=seed)
        w.cell(5, 5, terrain="monster", owner=None, level=65)
        w.phase("hex_growth")
        ((cell, there),) = beasts(w).items()
        assert there == (WHALE, 5)
        assert (w.world.cells["terrain"] == terrain.SEA).sum() == 120
        far.add(int(hexgrid.distance(11, 5 * 11 + 5, cell)))
    assert far == {0, 1, 2}


@pytest.mark.rule("DIS-018", "TURN-024")
def test_many_monsters_never_share_a_cell() -> None:
    w = land(9, owner=0)
    for k in range(12):
        w.cell(k % 4 * 2, k // 4 * 2, terrain="monster", owner=0, level=10 * (GHOST if k % 3 else DARK) + 1)
    for turn in range(20):
        w.world.clock["turn"] = 100 + turn
        w.phase("hex_growth")
        assert len(beasts(w)) == 12
        assert set(w.world.cells["owner"].reshape(-1).tolist()) == {0}


@pytest.mark.rule("DIS-018", "LIMIT-018")
def test_a_monster_that_blows_up_is_told_and_gives_no_bounty() -> None:
    w = SmallWorld(9, 9, 2)
    w.cell(4, 4, terrain="monster", owner=1, level=13)
    w.cell(5, 4, terrain="defense_facility", owner=0)
    w.cell(0, 0, terrain="town", owner=0, population=30, capital=True)
    w.phase("hex_growth")
    here = 4 * 9 + 5
    assert beasts(w) == {} and w.nation(0).funds == w.nation(1).funds == 0
    flooded = 7  # the cell and its neighbours; further out is sea
    assert events(w) == [("monster_killed", -1, 0, here, INORA), ("self_destructed", 0, -1, here, flooded)]


@pytest.mark.rule("DIS-018")
def test_the_owner_of_what_is_trampled_is_told() -> None:
    w = SmallWorld(9, 9, 2)
    w.cell(4, 4, terrain="monster", owner=None, level=13)
    w.cell(5, 4, terrain="farm", owner=1, level=10)
    w.phase("hex_growth")
    assert events(w) == [("monster_trampled", 1, -1, 4 * 9 + 5, INORA)]
    w.world.clock["turn"] = 101
    happenings.clear(w.world)
    w.phase("hex_growth")  # back to the waste it left, which is nobody's
    assert beasts(w) == {4 * 9 + 4: (INORA, 3)} and events(w) == []


# ---------------------------------------------------------------- being hurt


@pytest.mark.rule("DIS-018")
@pytest.mark.parametrize("name", KINDS)
def test_hardening_by_the_parity_of_the_turn(name: str) -> None:
    """Sanjira on odd turns, the whale on even ones, nobody else."""
    w = SmallWorld(9, 9, 1)
    kind = KINDS.index(name)
    w.cell(4, 4, terrain="monster", owner=None, level=10 * kind + 2)
    for turn in (31, 32):
        w.world.clock["turn"] = turn
        hard = name == ("sanjira" if turn % 2 else "whale")
        assert monsters.is_hardened(w.world, w.rules, 40, turn) == hard
        before = beasts(w)
        assert not monsters.hurt(w.world, w.rules, 40, 1, 0) or not hard
        assert (beasts(w) == before) == hard
        w.cell(4, 4, terrain="monster", owner=None, level=10 * kind + 2)
    assert {codes.HARDENING[code] for code in w.rules.monsters["hardening"]} == {*codes.HARDENING}


@pytest.mark.rule("DIS-018")
def test_a_whale_hit_by_a_battleship() -> None:
    """HP 5, damage 3: on an odd turn 2 are left, on an even one nothing happens."""
    w = SmallWorld(9, 9, 1, turn=31)
    w.cell(4, 4, terrain="monster", owner=None, level=65)
    assert not monsters.hurt(w.world, w.rules, 40, 3, 0)
    assert w.cell(4, 4).level == 62
    w.world.clock["turn"] = 32
    assert not monsters.hurt(w.world, w.rules, 40, 3, 0)
    assert w.cell(4, 4).level == 62


@pytest.mark.rule("DIS-018")
def test_nobody_s_kill_pays_nobody() -> None:
    w = SmallWorld(9, 9, 2)
    w.cell(4, 4, terrain="monster", owner=1, level=13)
    assert monsters.hurt(w.world, w.rules, 40, 3, -1)
    assert (w.cell(4, 4).terrain, w.cell(4, 4).owner) == ("wasteland", 1)
    assert events(w) == [("monster_killed", -1, 1, 40, INORA)]


@pytest.mark.rule("DIS-018", "ARMY-055")
def test_items_drop_now_and_then() -> None:
    """2,000 kills, 5 items at 2% each: 200 expected. False alarm below 1e-6: more than 5 deviations (14)."""
    w = SmallWorld(9, 9, 2)
    for turn in range(2000):
        w.world.clock["turn"] = 2 * turn
        happenings.clear(w.world)
        w.cell(4, 4, terrain="monster", owner=None, level=13)
        w.nation(0, funds=0)
        assert monsters.hurt(w.world, w.rules, 40, 3, 0)
        assert w.nation(0).funds == 400
        won = [e for e in events(w) if e[0] == "item_won"]
        assert events(w) == [("monster_killed", 0, -1, 40, INORA), *won]
        assert all(nation == 0 and 1 <= what <= 5 for _, nation, _, _, what in won)
    store = w.nation(0).items
    assert abs(sum(store.values()) - 200) <= 70 and min(store.values()) > 0
    assert sum(w.nation(1).items.values()) == 0
    assert load_ruleset("season")["items.weak_shield.drop_percent_monster"] == 2


@pytest.mark.rule("DIS-018", "DIS-019")
def test_nature_kills_monsters_too() -> None:
    """A huge meteor floods the cell of a beast; a whale's sea keeps its oil where it stays open water."""
    w = land(9)
    w.cell(4, 4, terrain="monster", owner=None, level=13)
    w.cell(5, 4, terrain="monster", owner=None, level=65, deposit="oil", richness=300)
    meteors.crater(w.world, w.rules, 40)
    assert (w.cell(4, 4).terrain, w.cell(5, 4).terrain) == ("sea", "shallows")
    assert (w.cell(5, 4).deposit, w.cell(5, 4).richness) == ("oil", 300)


@pytest.mark.rule("DIS-018")
def test_a_quiet_world_has_no_monsters() -> None:
    w = nations_in_a_row()
    for turn in range(200):
        w.world.clock["turn"] = turn
        neutral.appear(w.world, w.rules)
    assert beasts(w) == {}


@pytest.mark.rule("DIS-018", "ARMY-070")
@pytest.mark.parametrize("seed", range(3))
def test_a_haunted_season_stays_sound(seed: int) -> None:
    """Monsters of every kind in every nation every turn: books, numbers and cells stay in order."""
    rules: dict[str, object] = {f"monsters.{name}.min_population_units": 0 for name in KINDS}
    rules |= {**ALWAYS, "disasters.whale_spawn.percent_per_turn": 100.0}
    season = Season.new("duel", seed=seed, rules=rules, agents="rule_ai", audit=True)
    seen: set[int] = set()
    for turn in range(1, 16):
        season.run(until=turn)
        cells = season.world.cells.reshape(-1)
        here = cells[cells["terrain"] == terrain.MONSTER]
        assert (here["unit"] == -1).all() and (here["ship"] == -1).all() and (here["population"] == 0).all()
        at_sea = here["level"] // 10 == WHALE
        assert (here["below"] == np.where(at_sea, terrain.SEA, terrain.WASTELAND)).all()
        assert at_sea.sum() <= 3 and soundness.faults(season.world, season.rules) == []
        seen |= set((here["level"] // 10).tolist())
    assert season.world.clock["discrepancies"][0] == 0 and len(seen) >= 3
