"""What a nation is told of the sea: its ships and fleets, mines and shallows, wrecks, who may go where."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import fleet_mode, terrain
from hakoenv.engine.navy import fleets, wrecks
from hakoenv.obs import pieces, sight
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld

BOTH = ("cells", "planes")


def coast(width: int = 30) -> SmallWorld:
    """Nation 0 has a capital at (2, 4) and a naval port at (3, 4), nation 1 a capital at the other end."""
    w = SmallWorld(height=9, width=width, nations=2, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="naval_port", owner=0)
    w.cell(width - 2, 4, terrain="town", owner=1, population=50, capital=True)
    return w


def seen(w: SmallWorld, nation: int = 0, **settings: Any) -> dict[str, Any]:
    """One nation's pieces, records by the names of their columns."""
    w.phase("sightings")
    spec = Spec(w.ruleset, w.nations, **settings)
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    return {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in spec.of(buffers, nation).items()
    }


def listed(told: dict[str, Any]) -> list[tuple[int, int]]:
    rows = told["cells"][told["cells"]["listed"] == 1]
    return [(int(row["x"]), int(row["y"])) for row in rows]


def plane(told: dict[str, Any], name: str) -> Any:
    return told["planes"][[column.name for column in pieces.PLANES].index(name)]


@pytest.mark.rule("NAVY-013", "NAVY-040", "NAVY-059", "NAVY-060", "NAVY-105")
def test_own_ships_tell_what_they_can_and_do() -> None:
    w = coast()
    w.nation(0, shipping=5)
    w.ship(0, "destroyer", 8, 4, hp=3, fleet=2, experience=30)
    w.ship(0, "battleship", 10, 4, hp=9, fleet=2)
    w.world.ships["mode"][1], w.world.ships["escort"][1] = fleet_mode.HUNT, 1
    w.set_weather("temperate", "heavy_rain")
    first, second = seen(w)["ships"][:2]
    names = ("hp", "hp_max", "experience", "fleet", "flagship", "mode", "escort", "speed")
    # speed 5 and 3 with 115%: 5 and 3, heavy rain takes 1; a destroyer of two ranks has 4 + 2
    assert [int(first[name]) for name in names] == [3, 6, 30, 2, 1, 0, 0, 4]
    assert [int(second[name]) for name in names] == [9, 10, 0, 2, 0, 1, 1, 2]


@pytest.mark.rule("NAVY-001", "NAVY-049", "NAVY-056", "NAVY-057")
def test_fleets_tell_where_they_are_and_where_they_are_bound() -> None:
    w = coast()
    w.ship(0, "destroyer", 8, 4, fleet=2)
    w.ship(0, "cruiser", 10, 5, fleet=2)
    w.ship(1, "cruiser", 20, 5, fleet=15)
    banner = w.world.fleets[0, 2]
    banner["target"], banner["name"], banner["colour"] = 3 * 30 + 25, 700, 9
    fleets.append_waypoint(banner, 6 * 30 + 12)
    fleets.append_waypoint(banner, 7 * 30 + 13)
    rows = seen(w)["fleets"]
    assert rows.shape == (16,)
    assert rows[2].tolist() == (2, 8, 4, 25, 3, 12, 6, 2, 700, 9)
    assert rows[15].tolist() == (0, -1, -1, -1, -1, -1, -1, 0, 15, 15)  # the other's is not told
    assert seen(w, 1)["fleets"][2].tolist() == (0, -1, -1, -1, -1, -1, -1, 0, 2, 2)


@pytest.mark.rule("NAVY-037", "NAVY-038", "NAVY-041", "NMINE-012")
@pytest.mark.parametrize(
    ("ports", "ships", "more"), [(0, 0, 0), (0, 2, 0), (1, 0, 5), (1, 4, 1), (1, 7, 0), (4, 13, 2)]
)
def test_limits_of_the_navy_are_told(ports: int, ships: int, more: int) -> None:
    w = SmallWorld(height=9, width=20, nations=2, turn=50)
    w.cell(0, 0, terrain="town", owner=0, population=50, capital=True)
    for k in range(ports):
        w.cell(k, 1, terrain="naval_port", owner=0)
    for k in range(ships):
        w.ship(0, "destroyer", k, 4)
    w.ship(0, "merchant", 3, 7)  # is no warship
    w.cell(5, 8, terrain="naval_mine", owner=0, level=1)
    w.cell(6, 8, terrain="naval_mine", owner=1, level=1)
    own = seen(w)["own"]
    names = ("naval_ports", "warships", "warships_more", "naval_mines", "naval_mines_more")
    assert [int(own[name]) for name in names] == [ports, ships, more, 1, 9]


@pytest.mark.rule("NAVY-005", "NAVY-007", "NAVY-008")
def test_the_own_class_table_shows_research_applied() -> None:
    w = coast()
    w.nation(0, military=5, shipping=5)
    rows = seen(w)["ship_classes"]
    damage = [0, 1, 2, 3, 2, 2, 0, 0, 0, 0, 0]  # 115% of 0 1 2 3 2 2, cut; private ships have no guns
    assert rows["damage"].tolist() == damage
    # speed 0 5 4 3 3 3 7 3 2 5 4: 115% cut, a cruise ship's is as it is; containers 0 32 32 32 128 8 128 0 0
    # of a large merchant 1024, of a fishing boat 50
    assert rows["speed"].tolist() == [0, 5, 4, 3, 3, 3, 8, 3, 2, 5, 4]
    assert rows["containers"].tolist() == [0, 36, 36, 36, 147, 9, 147, 0, 0, 1177, 57]
    assert seen(w, 1)["ship_classes"]["containers"].tolist() == [0, 32, 32, 32, 128, 8, 128, 0, 0, 1024, 50]


@pytest.mark.rule("NAVY-007", "NAVY-005")
def test_effective_damage_is_cut_once() -> None:
    w = SmallWorld(height=9, width=9, nations=2, rules={
        "ship_classes.destroyer.damage": 7, "ship_classes.cruiser.damage": 6,
    })  # fmt: skip
    w.nation(0, military=5)
    w.cell(2, 4, terrain="naval_port", owner=0)
    told = seen(w)["ship_classes"]["damage"]
    assert (told[1], told[2]) == (8, 6)  # the examples of NAVY-005
    words = text(w.world, w.rules, w.ruleset, 0)
    assert "destroyer 7/8, 5/5, 32/32; cruiser 6/6, 4/4, 32/32" in words


@pytest.mark.rule("NAVY-042")
def test_everybody_sees_the_oldest_wreck_of_a_cell_and_how_old_it_is() -> None:
    w = coast()
    w.world.clock["turn"] = 47
    wrecks.leave(w.world, 2 * 30 + 14, 2)
    w.world.clock["turn"] = 44
    wrecks.leave(w.world, 2 * 30 + 14, 4)
    w.world.clock["turn"] = 50
    wrecks.leave(w.world, 2 * 30 + 15, 5)
    for nation in (0, 1):
        told = seen(w, nation, views=BOTH, cells="all")
        rows = told["cells"]
        found = [rows[2 * 30 + x][["wreck", "wreck_age"]].tolist() for x in (13, 14, 15)]
        assert found == [(0, -1), (4, 6), (5, 0)]
        assert plane(told, "wreck")[2, 13:16].tolist() == [0, 4, 5]
        assert plane(told, "wreck_age")[2, 13:16].tolist() == [0, 7, 1]


@pytest.mark.rule("NMINE-012", "NAVY-020", "NAVY-017")
def test_mines_and_shallows_look_like_sea_out_of_sight_in_every_view() -> None:
    w = coast()
    w.ship(0, "destroyer", 10, 4)  # searches 2
    for x in (12, 13):
        w.cell(x, 4, terrain="naval_mine", owner=1, level=2)
        w.cell(x, 6, terrain="shallows", owner=None)
    told = seen(w, views=BOTH, cells="all")
    rows = told["cells"]
    mine, water, sea = terrain.NAVAL_MINE, terrain.SHALLOWS, terrain.SEA
    # (12, 4) lies 2 away, (13, 4) 3; of row 6, (12, 6) lies 3 away
    assert plane(told, "terrain")[4, 12:14].tolist() == [mine, sea]
    assert plane(told, "owner")[4, 12:14].tolist() == [2, 0]
    assert plane(told, "level")[4, 12:14].tolist() == [2, 0]
    assert plane(told, "terrain")[6, 12:14].tolist() == [sea, sea]
    at = [4 * 30 + 12, 4 * 30 + 13, 6 * 30 + 12]
    assert [int(rows[i]["terrain"]) for i in at] == [mine, sea, sea]
    assert [(int(rows[i]["owner"]), int(rows[i]["level"])) for i in at] == [(1, 2), (-1, 0), (-1, 0)]
    w.cell(11, 5, terrain="shallows", owner=None)
    told = seen(w, views=BOTH, cells="all")
    assert plane(told, "terrain")[5, 11] == water == told["cells"][5 * 30 + 11]["terrain"]
    assert seen(w, 1, views=BOTH)["planes"][0, 4, 12:14].tolist() == [mine, mine]  # its own


@pytest.mark.rule("NMINE-012", "NAVY-020", "MAP-025", "MAP-026")
def test_the_lens_is_the_same_with_the_watch_over_the_map(make_random_world: Any) -> None:
    shown = hidden = 0
    for seed in range(6):
        w = make_random_world(seed)
        watch = np.zeros((2, 121), np.int64)
        view.watch_all(w.world, w.rules, watch)
        for viewer in (-2, view.TRUTH, 0, 1, 2):
            for i in range(121):
                watchers = int(watch[view.WARSHIPS, i])
                ground = view.terrain(w.world, w.rules, viewer, i)
                assert view.terrain_watched(w.world, w.rules, viewer, i, watchers) == ground
                level = view.level(w.world, w.rules, viewer, i)
                assert view.level_watched(w.world, w.rules, viewer, i, watchers) == level
                if w.world.cells.reshape(-1)["terrain"][i] in (terrain.SHALLOWS, terrain.NAVAL_MINE):
                    shown += ground != terrain.SEA
                    hidden += ground == terrain.SEA
        spec = Spec(w.ruleset, 3, BOTH, cells="all")
        buffers = spec.buffers()
        spec.fill(w.world, w.rules, buffers)
        for n in range(3):
            cells = buffers["cells"][n].view(pieces.cell_record)[..., 0]
            drawn = dict(
                zip(spec.plane_names, buffers["planes"][n].reshape(len(pieces.PLANES), -1), strict=True)
            )
            for i in range(121):
                for name, found in (
                    ("terrain", view.terrain(w.world, w.rules, n, i)),
                    ("level", view.level(w.world, w.rules, n, i)),
                ):
                    assert cells[name][i] == drawn[name][i] == found, (seed, n, i, name)
                owner = view.owner(w.world, w.rules, n, i)
                place = -1 if owner < 0 else (owner - n) % 3
                assert cells["owner"][i] == int(drawn["owner"][i]) - 1 == place, (seed, n, i)
    assert shown > 50 and hidden > 50


@pytest.mark.rule("NAVY-017", "NAVY-021", "NAVY-022")
@pytest.mark.parametrize(
    ("scout", "reach"),
    [("destroyer", 2), ("cruiser", 2), ("battleship", 3), ("carrier", 4), ("submarine", 2)],
)
@pytest.mark.parametrize("target", ["destroyer", "submarine"])
def test_a_warship_is_seen_within_the_search_range_of_a_class(scout: str, reach: int, target: str) -> None:
    w = SmallWorld(height=9, width=15, nations=2)
    w.ship(0, scout, 4, 4)
    w.ship(1, target, 4 + reach, 4, hp=2)
    w.ship(1, target, 5 + reach, 4, hp=2)
    near, far = (sight.sees(w.world, w.rules, 0, 4 * 15 + 4 + reach + k) for k in (0, 1))
    assert near["ship"] == {"owner": 1, "class": target, "hp": 2}
    assert (far["ship"], far["terrain"], far["owner"]) == (None, "sea", None)


@pytest.mark.rule("NAVY-017", "NAVY-019")
@pytest.mark.parametrize(
    ("what", "reach"), [("naval_port", 3), ("lighthouse", 4), ("port", 1), ("merchant", 2)]
)
def test_ports_lighthouses_and_merchants_see_warships(what: str, reach: int) -> None:
    w = SmallWorld(height=9, width=15, nations=2)
    if what == "merchant":
        w.ship(0, "merchant", 4, 4)
    else:
        w.cell(4, 4, terrain=what, owner=0)
    seen_at = [bool(view.sees_warships(w.world, w.rules, 0, 4 * 15 + 4 + k)) for k in range(1, 7)]
    assert seen_at == [k <= reach for k in range(1, 7)]


@pytest.mark.rule("NAVY-017")
@pytest.mark.parametrize(
    ("scout", "reach"), [("destroyer", 2), ("naval_port", 3), ("lighthouse", 4), ("cruise_ship", 0)]
)
def test_search_does_not_change_with_weather_and_research(scout: str, reach: int) -> None:
    w = SmallWorld(height=9, width=15, nations=2)
    w.nation(0, production=5, military=5, shipping=5)
    w.set_weather("temperate", "heavy_rain")
    if scout in ("naval_port", "lighthouse"):
        w.cell(4, 4, terrain=scout, owner=0)
    else:
        w.ship(0, scout, 4, 4)
    seen_at = [bool(view.sees_warships(w.world, w.rules, 0, w.place(4 + k, 4))) for k in range(1, 7)]
    assert seen_at == [k <= reach for k in range(1, 7)]


@pytest.mark.rule("MAP-015")
def test_oil_fields_on_land_and_at_sea_are_told_apart() -> None:
    w = coast()
    w.cell(5, 4, terrain="land_oil", owner=0, level=1)
    w.cell(7, 4, terrain="offshore_oil", owner=0, level=1)
    for nation in (0, 1):
        told = seen(w, nation, views=BOTH, cells="all")
        for x, ground in ((5, terrain.WASTELAND), (7, terrain.SEA)):
            row = told["cells"][4 * 30 + x]
            assert (int(row["terrain"]), int(row["base"])) == (terrain.OFFSHORE_OIL, ground)
            drawn = [int(plane(told, name)[4, x]) for name in ("terrain", "base")]
            assert drawn == [terrain.OFFSHORE_OIL, ground]


@pytest.mark.rule("NAVY-095", "NAVY-056", "NAVY-043", "BOMB-005")
def test_the_list_of_cells_holds_what_naval_commands_name() -> None:
    w = coast(width=60)
    w.war(0, 1)
    w.ship(0, "battleship", 40, 4, fleet=1)  # fires 3 far, sails 3
    w.cell(43, 4, terrain="farm", owner=1, level=12)
    w.cell(44, 4, terrain="farm", owner=1, level=12)
    w.cell(38, 4, terrain="naval_mine", owner=1, level=1)
    w.world.fleets[0, 1]["target"] = 8 * 60 + 55
    for x in (37, 36):  # 4 and 5 steps away
        wrecks.leave(w.world, 2 * 60 + x, 1)
    places = listed(seen(w))
    assert places[:3] == [(2, 4), (3, 4), (40, 4)]
    berths = {(4, 4), (3, 3), (3, 5), (2, 3), (2, 5)}  # water around (3, 4)
    assert set(places[3:8]) == berths
    assert places[8] == (55, 8)
    assert places[9:12] == [(38, 4), (43, 4), (37, 2)]
    # three steps straight ahead: north-east and on clockwise, east being (43, 4)
    assert places[12:17] == [(41, 1), (41, 7), (38, 7), (37, 4), (38, 1)]
    assert {(39, 4), (41, 4), (39, 3), (40, 3), (39, 5), (40, 5)} <= set(places)
    assert not {(44, 4), (36, 2)} & set(places)


@pytest.mark.rule("NAVY-020", "MAP-026")
def test_the_list_of_cells_tells_of_no_hidden_base_or_mine() -> None:
    w = coast(width=60)
    w.war(0, 1)
    w.ship(0, "carrier", 40, 4)  # fires 4 far, searches 4
    w.cell(44, 4, terrain="seabed_base", owner=1)
    w.cell(45, 4, terrain="naval_mine", owner=1, level=1)
    assert not {(44, 4), (45, 4)} & set(listed(seen(w)))


@pytest.mark.rule("NAVY-097", "EMBARK-007", "NAVY-020")
def test_what_a_ship_ran_into_is_noted_once() -> None:
    w = coast()
    hidden = w.ship(1, "destroyer", 15, 4, hp=3)._where
    w.world.ships["met"][hidden] = 1
    assert seen(w)["sightings"][0].tolist() == (2, 1, 15, 4, 1, 3, 0)
    w.world.clock["turn"] += 1
    w.world.cells["ship"][4, 15], w.world.cells["ship"][4, 20] = -1, hidden
    w.world.ships["cell"][hidden] = 4 * 30 + 20
    w.world.ships["met"][hidden] = 1  # once more, elsewhere
    told = seen(w)
    assert told["counts"]["sightings"] == 1
    assert told["sightings"][0].tolist() == (2, 1, 20, 4, 1, 3, 0)
    assert not w.world.ships["met"].any()
    w.world.clock["turn"] += 1
    assert seen(w)["sightings"][0].tolist() == (2, 1, 20, 4, 1, 3, 1)


@pytest.mark.rule("NAVY-007", "NAVY-059", "NAVY-060")
def test_the_text_tells_of_fleets_mines_and_wrecks() -> None:
    w = coast()
    w.ship(0, "destroyer", 8, 4, hp=3, fleet=2, experience=12)
    w.ship(0, "cruiser", 10, 4, hp=6, fleet=2)
    w.ship(0, "merchant", 5, 7, hp=2)
    w.world.ships["mode"][1], w.world.ships["escort"][1] = fleet_mode.HUNT, 1
    w.unit(0, "infantry", aboard=0, strength=40)
    w.world.fleets[0, 2]["target"] = 3 * 30 + 25
    w.cell(9, 5, terrain="naval_mine", owner=1, level=2)
    w.world.clock["turn"] = 48
    wrecks.leave(w.world, 3 * 30 + 9, 2)
    w.world.clock["turn"] = 50
    w.phase("sightings")
    lines = text(w.world, w.rules, w.ruleset, 0).split("\n")
    start = lines.index("## Your ships")
    assert lines[start + 1 : start + 5] == [
        "Naval ports 1; warships 2, 3 more may be built; naval mines 0, 10 more may be laid.",
        "fleet 2: 2 ships, bound for (25,3)",
        "- destroyer (8,4) hp 3 of 5, speed 5, experience 12, flagship, 40 strength aboard",
        "- cruiser (10,4) hp 6 of 6, speed 4, escort, mode hunt",
    ]
    assert "idle: merchant (5,7)" in lines
    start = lines.index("## Mines and wrecks")
    assert lines[start + 1 : start + 3] == [
        "naval mine (9,5) of nation_1, strength 2",
        "wreck of a cruiser (9,3), sunk 2 turns ago",
    ]
