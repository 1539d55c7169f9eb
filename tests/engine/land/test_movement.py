"""Movement of units: values by terrain, borders, zones of control, ways, retreat."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import event
from hakoenv.engine.land import movement, paths
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

UNITS = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")


def row(*grounds: Any, kind: str = "armor", order: str = "move", **given: Any) -> SmallWorld:
    """A unit of nation 0 at (2, 4) ordered east over these cells; each a terrain or (terrain, owner)."""
    settings = {name: given.pop(name) for name in ("rules", "weather") if name in given}
    w = SmallWorld(height=9, width=11, nations=3, **settings)
    for k, ground in enumerate(grounds):
        name, owner = ground if isinstance(ground, tuple) else (ground, 0)
        w.cell(2 + k, 4, terrain=name, owner=owner)
    w.unit(0, kind, 2, 4, **given)
    w.corps(0, 0, order=order, direction="east")
    w.nation(0, fuel=50)
    return w


def walk(w: SmallWorld) -> int:
    """Run the phase; how far east the first unit is now."""
    w.phase("army")
    return int(w.world.units[0]["cell"]) % w.width - 2


def value(w: SmallWorld, unit: int, start: tuple[int, int], goal: tuple[int, int], viewer: int = -1) -> int:
    a, b = w.place(*start), w.place(*goal)
    return int(movement.step_value(w.world, w.rules, viewer, unit, a, b))


# ---------------------------------------------------------------- terrain


@pytest.mark.rule("ARMY-020", "ARMY-021")
@pytest.mark.parametrize(
    ("first", "second", "cells"),
    [("plains", "plains", 2), ("plains", "town", 1), ("town", "plains", 1), ("mountain", "plains", 0)],
    ids=["2,2", "2,1", "1,2", "0,x"],
)
def test_steps_over_mixed_terrain(first: str, second: str, cells: int) -> None:
    assert walk(row("plains", first, second, "plains")) == cells


@pytest.mark.rule("ARMY-020")
@pytest.mark.parametrize(("kind", "cells"), [("infantry", 1), ("armor", 2), ("airborne", 2), ("battery", 0)])
def test_how_far_a_type_gets_on_plains(kind: str, cells: int) -> None:
    assert walk(row("plains", "plains", "plains", "plains", kind=kind)) == cells


@pytest.mark.rule("ARMY-020")
def test_a_value_of_0_is_refused() -> None:
    w = row("plains", "mountain", kind="infantry")
    assert walk(w) == 0 and w.cell(2, 4).unit is not None


@pytest.mark.rule("ARMY-004", "ARMY-022")
def test_the_clues_that_the_tables_keep_to() -> None:
    rules = load_ruleset().rules
    types, move = rules.unit_types, rules.unit_move
    assert types.shape == (7,) and move.shape == (7, 15)
    assert types["occupation"][0] in (1, 2) and types["occupation"][3] in (1, 2) and types["type_change"][3]
    assert 1 in types["artillery"] and 2 in types["artillery"]
    assert move[:, 14].tolist() == [1, 1, 2, 1, 1, move[5, 4], move[6, 4]]
    assert move[5, 4] > 0 and all(move[k, 4] < move[k, 14] for k in (0, 1, 2, 3, 4))
    assert not move[[0, 1, 2, 5, 6]][:, :2].any() and move[:, 0].any()
    assert not move[:, 2].any()  # nobody enters a monster's cell: ARMY-070


EQUAL = {
    "mountain": ("iron_mine", "quarry", "coal_mine", "open_pit", "uranium_mine", "large_mine"),
    "plains": ("reserved_land", "port", "lighthouse"),
    "farm": ("large_farm",),
    "town": ("market", "new_town", "modern_city", "metropolis"),
    "factory": ("refinery", "arsenal", "large_factory", "warehouse", "power_plant"),
    "missile_base": ("naval_port",),
    "sea": ("shallows", "offshore_oil", "seabed_city", "breakwater", "naval_mine", "fish_farm"),
    "wasteland": ("land_oil",),
}


@pytest.mark.rule("ARMY-029", "ARMY-030", "ARMY-031", "ARMY-032", "ARMY-033", "MAP-015")
@pytest.mark.parametrize(("like", "name"), [(a, b) for a, names in EQUAL.items() for b in names])
def test_terrains_that_are_entered_like_another(like: str, name: str) -> None:
    w = SmallWorld(height=9, width=11, nations=1, rules={"unit_move.infantry.sea": 2})
    w.cell(4, 4, terrain=name, owner=0)
    w.cell(2, 4, terrain=like, owner=0)
    for k, kind in enumerate(UNITS):
        w.unit(0, kind, k, 8)
        here, there = (movement.pace_on(w.world, w.rules, -1, k, w.place(x, 4)) for x in (4, 2))
        assert here == there, kind


@pytest.mark.rule("ARMY-020", "ARMY-022")
def test_values_of_every_type_on_every_terrain_are_the_tables() -> None:
    columns = ("sea", "seabed_base", "monument", "mountain", "wasteland", "plains", "town", "forest", "farm",
               "factory", "missile_base", "defense_facility", "depot")  # fmt: skip
    w = SmallWorld(height=9, width=16, nations=1)
    for x, name in enumerate(columns):
        w.cell(x, 4, terrain=name, owner=0)
    table = {line["unit"]: line for line in load_ruleset().table("unit_move")}
    for k, kind in enumerate(UNITS):
        w.unit(0, kind, k, 8)
        for x, name in enumerate(columns):
            assert movement.pace_on(w.world, w.rules, -1, k, w.place(x, 4)) == table[kind][name], (kind, name)


@pytest.mark.rule("MAP-031", "MAP-032", "MAP-033", "ARMY-022")
@pytest.mark.parametrize(
    ("kind", "cells"),
    [("infantry", 1), ("artillery", 1), ("armor", 2), ("marines", 1), ("airborne", 1),
     ("mountain_troops", 1), ("battery", 0)],
)  # fmt: skip
def test_who_gets_through_a_tunnel(kind: str, cells: int) -> None:
    w = row("plains", ("mountain", 1), ("mountain", 1), ("mountain", 1), kind=kind,
            rules={"unit_types.armor.foreign_to_foreign": 1})  # fmt: skip
    for x in (3, 4, 5):
        w.cell(x, 4, tunnel=True)
    assert walk(w) == 0  # the limits of territory hold in tunnels, too
    w.war(0, 1)
    assert walk(w) == cells


@pytest.mark.rule("MAP-031")
def test_mountain_troops_need_no_tunnel_and_no_mine_has_one() -> None:
    assert walk(row("plains", "mountain", "mountain", kind="mountain_troops")) == 1
    assert walk(row("plains", "mountain", kind="armor")) == 0
    w = row("plains", "iron_mine", kind="armor")
    w.cell(3, 4, tunnel=True)
    assert walk(w) == 0


@pytest.mark.rule("ARMY-023", "ARMY-032")
@pytest.mark.parametrize("water", ["sea", "shallows", "seabed_base", "offshore_oil", "seabed_city"])
def test_shoes_of_water_movement(water: str) -> None:
    ground = (water, 0)
    assert walk(row("plains", ground, ground, kind="infantry")) == 0
    shoes = {"items": ["shoes_of_water_movement"]}
    assert walk(row("plains", ground, ground, kind="infantry", **shoes)) == 1
    assert walk(row("plains", ground, ground, kind="airborne", **shoes)) == 2  # its own value is larger
    assert walk(row("plains", "mountain", kind="infantry", **shoes)) == 0


@pytest.mark.rule("ARMY-023", "ARMY-024", "EMBARK-006", "EMBARK-008")
@pytest.mark.parametrize("owner", [0, 1, None])
def test_nobody_walks_onto_a_ship(owner: int | None) -> None:
    w = row("plains", ("sea", None), kind="infantry", items=["shoes_of_water_movement"])
    w.ship(owner, "destroyer", 3, 4)
    assert walk(w) == 0
    assert w.units()[0].aboard is None


@pytest.mark.rule("ARMY-070", "ARMY-060")
@pytest.mark.parametrize("below", ["plains", "sea"])
def test_the_cell_of_a_monster_is_closed(below: str) -> None:
    w = row("plains", ("monster", None), kind="airborne", order="attack")
    w.cell(3, 4, level=12)
    w.nation(0, ammo=9)
    w.world.cells["below"].reshape(-1)[w.place(3, 4)] = {"plains": 6, "sea": 0}[below]
    assert walk(w) == 0
    assert (w.cell(3, 4).terrain, w.cell(3, 4).level, w.nation(0).ammo) == ("monster", 12, 9)


@pytest.mark.rule("ARMY-060")
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_a_cell_holds_one_unit(owner: int) -> None:
    w = row("plains", "plains", "plains", kind="armor")
    w.unit(owner, "infantry", 4, 4, corps=1)
    w.corps(owner, 1, order="move")
    assert walk(w) == 1  # and the second step is closed
    assert [u.strength for u in w.units()] == [100, 100]


@pytest.mark.rule("ARMY-063", "MAP-002")
@pytest.mark.parametrize(
    ("direction", "x", "y"),
    [(1, 4, 3), (2, 5, 4), (3, 4, 5), (4, 3, 5), (5, 3, 4), (6, 3, 3), (0, 4, 4)],
)
def test_a_step_goes_in_the_direction_of_the_corps(direction: int, x: int, y: int) -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    for a in range(11):
        for b in range(9):
            w.cell(a, b, terrain="plains", owner=0)
    w.unit(0, "infantry", 4, 4, corps=31)
    w.corps(0, 31, order="move", direction=direction)
    w.phase("army")
    assert (w.units()[0].x, w.units()[0].y) == (x, y)


@pytest.mark.rule("ARMY-063", "MAP-002")
def test_the_edge_of_the_map_ends_a_march() -> None:
    w = row("plains", kind="armor")
    for x in range(11):
        w.cell(x, 4, terrain="plains", owner=0)
    w.corps(0, 0, direction="west")
    assert walk(w) == -2
    assert walk(w) == -2


@pytest.mark.rule("ARMY-063")
def test_units_do_not_sidestep() -> None:
    w = row("plains", "mountain", "plains", kind="infantry")
    for x in (2, 3):
        for y in (3, 5):
            w.cell(x, y, terrain="plains", owner=0)
    assert walk(w) == 0 and w.units()[0].y == 4


# ---------------------------------------------------------------- whose land


@pytest.mark.rule("ARMY-059")
@pytest.mark.parametrize(
    ("state", "open_"), [("peace", False), ("pending", False), ("amity", False), ("war", True)]
)
def test_which_foreign_land_is_open(state: str, open_: bool) -> None:
    w = row("plains", ("plains", 1), kind="infantry")
    w.relation(0, 1, state=state)
    assert walk(w) == int(open_)


@pytest.mark.rule("ARMY-059", "ARMY-006")
def test_land_of_faction_mates_and_nobodys_is_open() -> None:
    w = row("plains", ("plains", 1), kind="infantry")
    w.faction("Us", 0, [1])
    assert walk(w) == 1
    assert (w.cell(3, 4).owner, w.cell(3, 4).resistance) == (1, 20)
    assert walk(row("plains", ("plains", None), kind="infantry")) == 1


@pytest.mark.rule("ARMY-059")
def test_who_stands_inside_after_a_war_may_walk_out() -> None:
    w = row(("plains", 1), ("plains", 1), ("plains", 2), ("plains", 1), kind="armor")
    w.cell(3, 4, resistance=7)
    assert walk(w) == 1  # over land of the same nation, not into another's
    assert (w.cell(3, 4).owner, w.cell(3, 4).resistance) == (1, 7)  # it does not occupy, nor let recover
    w = row(("plains", 1), ("plains", 2), kind="armor")
    assert walk(w) == 0
    w = row(("plains", 1), ("plains", None), ("plains", 1), kind="armor")
    assert walk(w) == 1  # onto open land, and then 1 is closed again
    w = row(("plains", 1), "plains", kind="infantry")
    assert walk(w) == 1


@pytest.mark.rule("ARMY-017")
@pytest.mark.parametrize(
    ("start", "goal", "allowed"),
    [(0, 1, True), (1, 0, True), (0, 0, True), (1, 1, False), (None, None, False), (None, 1, False),
     (1, None, False), (0, None, True)],
)  # fmt: skip
def test_types_that_cannot_step_from_foreign_to_foreign_land(
    start: int | None, goal: int | None, allowed: bool
) -> None:
    for kind, free in (("infantry", False), ("armor", True)):
        w = row(("plains", start), ("plains", goal), kind=kind, rules={"resistance.drop_strong": 0})
        w.war(0, 1)
        assert (walk(w) > 0) == (allowed or free), kind


@pytest.mark.rule("ARMY-017", "ARMY-004")
def test_which_types_may() -> None:
    types = load_ruleset().rules.unit_types
    assert types["foreign_to_foreign"].tolist() == [0, 0, 1, 0, 1, 0, 0]


@pytest.mark.rule("ARMY-018", "ARMY-032")
@pytest.mark.parametrize("water", ["sea", "shallows", "seabed_base", "seabed_city", "offshore_oil"])
@pytest.mark.parametrize("ashore", [True, False], ids=["ashore", "aboard"])
def test_the_sea_family_is_exempt(water: str, ashore: bool) -> None:
    grounds = [(water, 1), ("plains", 1)]
    w = row(*(grounds if ashore else reversed(grounds)), kind="marines")
    w.war(0, 1)
    assert walk(w) == 1
    w = row(("plains", 1), ("plains", 1), kind="marines")
    w.war(0, 1)
    assert walk(w) == 0


# ---------------------------------------------------------------- zones of control


def beside(enemy: str = "infantry", mover: str = "infantry", **given: Any) -> SmallWorld:
    """A unit of nation 0 at (4, 4), an enemy east of it; (4, 3) lies beside both, (3, 4) does not."""
    w = SmallWorld(height=9, width=11, nations=3)
    for x in range(2, 8):
        for y in range(2, 7):
            w.cell(x, y, terrain="plains", owner=0)
    w.unit(0, mover, 4, 4, **given)
    w.unit(1, enemy, 5, 4)
    w.war(0, 1)
    return w


@pytest.mark.rule("ARMY-014")
def test_no_step_from_one_cell_beside_an_enemy_to_another() -> None:
    w = beside()
    assert value(w, 0, (4, 4), (4, 3)) == 0
    assert value(w, 0, (4, 4), (4, 5)) == 0
    assert value(w, 0, (4, 4), (3, 4)) == 1  # away from it
    assert value(w, 0, (4, 4), (3, 3)) == 1
    w.unit(1, "infantry", 2, 3)  # a second enemy's zone does not block from outside it
    assert value(w, 0, (4, 4), (3, 4)) == 1
    w = beside()
    w.unit(0, "infantry", 3, 4)
    assert value(w, 2, (3, 4), (3, 3)) == 1 and value(w, 2, (3, 4), (3, 5)) == 1


@pytest.mark.rule("ARMY-014", "ARMY-021")
def test_the_second_step_is_held_too() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    for x in range(11):
        w.cell(x, 4, terrain="plains", owner=0)
        w.cell(x, 3, terrain="plains", owner=0)
    w.unit(0, "armor", 3, 4)
    w.unit(1, "infantry", 4, 3)  # beside (4, 4) and (5, 4), not beside (3, 4)
    w.war(0, 1)
    w.corps(0, 0, order="move", direction="east")
    w.phase("army")
    assert w.units(owner=0)[0].x == 4
    w.world.units[1]["type"] = 3  # marines make no zone
    w.world.units[0]["cell"] = w.place(3, 4)
    w.world.cells.reshape(-1)["unit"][w.place(4, 4)] = -1
    w.world.cells.reshape(-1)["unit"][w.place(3, 4)] = 0
    w.phase("army")
    assert w.units(owner=0)[0].x == 5


@pytest.mark.rule("ARMY-015", "ARMY-004")
@pytest.mark.parametrize(("enemy", "makes"), list(zip(UNITS, (1, 1, 1, 0, 0, 1, 0), strict=True)))
def test_which_types_make_a_zone(enemy: str, makes: int) -> None:
    assert (value(beside(enemy), 0, (4, 4), (4, 3)) == 0) == bool(makes)


@pytest.mark.rule("ARMY-015")
def test_who_ignores_zones() -> None:
    assert value(beside(mover="airborne"), 0, (4, 4), (4, 3)) == 2
    assert value(beside(items=["cloak_of_zoc_ignoring"]), 0, (4, 4), (4, 3)) == 1
    assert value(beside(items=["weak_shield"]), 0, (4, 4), (4, 3)) == 0


@pytest.mark.rule("ARMY-016", "EMBARK-004")
@pytest.mark.parametrize("state", ["peace", "pending", "amity"])
def test_only_units_of_nations_in_open_war_make_a_zone(state: str) -> None:
    w = beside()
    w.relation(0, 1, state=state)
    assert value(w, 0, (4, 4), (4, 3)) == 1
    w = SmallWorld(height=9, width=11, nations=2)
    for x, y in ((4, 4), (4, 3)):
        w.cell(x, y, terrain="plains", owner=0)
    w.war(0, 1)
    w.unit(0, "infantry", 4, 4)
    w.ship(1, "destroyer", 5, 4)
    w.unit(1, "infantry", aboard=0)
    assert value(w, 0, (4, 4), (4, 3)) == 1


@pytest.mark.rule("ARMY-016")
def test_unseen_enemies_make_a_zone_that_their_foe_does_not_know_of() -> None:
    w = SmallWorld(height=9, width=11, nations=2, rules={"unit_types.infantry.search_range": 0})
    w.unit(0, "infantry", 4, 4, items=["shoes_of_water_movement"])
    w.unit(1, "infantry", 5, 4)
    w.war(0, 1)
    assert value(w, 0, (4, 4), (4, 3)) == 0
    assert value(w, 0, (4, 4), (4, 3), viewer=0) == 1


@pytest.mark.rule("ARMY-016", "ARMY-014")
@pytest.mark.parametrize(
    ("direction", "told"), [(1, True), (5, False), (2, False)], ids=["held", "away", "occupied"]
)
def test_a_step_refused_for_a_zone_is_reported(direction: int, told: bool) -> None:
    """North-east of (4, 4) lies (4, 3), beside the enemy at (5, 4) too; the unit goes west freely."""
    w = beside()
    w.corps(0, 0, order="move", direction=direction)
    w.corps(1, 0, order="move")
    w.phase("army")
    assert (w.units(owner=0)[0].x == 3) == (direction == 5)
    found = w.world.events[w.world.events["kind"] == event.HELD_BY_ZONE]
    told_of = [(int(e["nation"]), int(e["other"]), int(e["cell"])) for e in found]
    assert told_of == ([(0, -1, w.place(4, 3))] if told else [])


@pytest.mark.rule("ARMY-016")
def test_a_zone_that_forbids_the_second_step_is_reported_if_there_is_one_to_make() -> None:
    """Armor comes to (4, 4), beside the enemy; plains ahead cost 1 more, a town would cost 2."""
    for ahead, told in (("plains", 1), ("town", 0)):
        w = SmallWorld(height=9, width=11, nations=2)
        for x in range(11):
            w.cell(x, 4, terrain="plains", owner=0)
        w.cell(5, 4, terrain=ahead)
        w.cell(4, 3, terrain="plains", owner=0)
        w.unit(0, "armor", 3, 4)
        w.unit(1, "infantry", 4, 3)
        w.corps(0, 0, order="move", direction="east")
        w.corps(1, 0, order="move")
        w.war(0, 1)
        w.phase("army")
        assert w.units(owner=0)[0].x == 4
        assert int(w.world.clock[0]["event_kinds"][event.HELD_BY_ZONE]) == told


# ---------------------------------------------------------------- fuel


@pytest.mark.rule("ARMY-067")
@pytest.mark.parametrize(("kind", "moves"), [("armor", False), ("airborne", False), ("infantry", True)])
def test_units_that_burn_fuel_stand_still_without_it(kind: str, moves: bool) -> None:
    w = row("plains", "plains", "plains", kind=kind, strength=100)
    w.nation(0, fuel=0, funds=99, stalled=0)
    w.phase("consumption")
    assert w.nation(0).stalled == (0 if moves else 1)
    assert (walk(w) > 0) == moves
    w.phase("turn_state")
    assert w.nation(0).stalled == 0


@pytest.mark.rule("ARMY-067", "ARMY-063")
def test_a_stalled_unit_still_fights_and_comes_home() -> None:
    w = row("plains", "plains", kind="armor", order="advance")
    w.nation(0, stalled=1, ammo=5)
    w.unit(1, "infantry", 2, 3)
    w.war(0, 1)
    assert walk(w) == 0
    assert w.units(owner=1)[0].strength < 100
    w = row("depot", kind="armor", order="retreat")
    w.nation(0, stalled=1)
    w.phase("army")
    assert w.units() == [] and w.nation(0).reserves == 100


# ---------------------------------------------------------------- ways and retreat


def field(width: int = 11, height: int = 9, **settings: Any) -> SmallWorld:
    w = SmallWorld(height=height, width=width, nations=2, **settings)
    for x in range(width):
        for y in range(height):
            w.cell(x, y, terrain="plains", owner=0)
    return w


def way(w: SmallWorld, x: int, y: int, limit: int = 99, viewer: int = view.TRUTH) -> tuple[int, int, int]:
    goals = np.zeros(w.world.cells.size, np.uint8)
    goals[w.place(x, y)] = 1
    return tuple(paths.find(w.world, w.rules, viewer, 0, goals, limit))  # type: ignore[return-value]


@pytest.mark.rule("AI-089", "ARMY-063")
def test_the_first_step_of_the_shortest_way() -> None:
    w = field()
    w.unit(0, "infantry", 4, 4)
    assert way(w, 4, 4) == (0, 0, w.place(4, 4))
    assert way(w, 7, 4) == (2, 3, w.place(7, 4))
    assert way(w, 4, 2) == (1, 2, w.place(4, 2))  # north-east or north-west: the smaller number
    assert way(w, 4, 6) == (3, 2, w.place(4, 6))
    assert way(w, 2, 4) == (5, 2, w.place(2, 4))
    assert way(w, 10, 0) == (1, 8, w.place(10, 0))


@pytest.mark.rule("AI-089", "ARMY-060")
def test_a_way_goes_round_what_is_closed() -> None:
    w = field()
    w.unit(0, "infantry", 4, 4)
    w.cell(5, 4, terrain="mountain", owner=0)
    assert way(w, 6, 4) == (1, 3, w.place(6, 4))
    w.unit(0, "infantry", 4, 3)
    assert way(w, 6, 4) == (3, 3, w.place(6, 4))
    assert way(w, 4, 3) == (0, -1, -1)  # a unit stands there
    for x, y in ((4, 5), (3, 5), (3, 4), (3, 3)):
        w.cell(x, y, terrain="sea")
    assert way(w, 6, 4) == (0, -1, -1)


@pytest.mark.rule("AI-089")
def test_a_way_longer_than_the_limit_is_none() -> None:
    w = field()
    w.unit(0, "infantry", 4, 4)
    assert way(w, 7, 4, limit=3) == (2, 3, w.place(7, 4))
    assert way(w, 7, 4, limit=2) == (0, -1, -1)
    assert way(w, 4, 4, limit=0) == (0, 0, w.place(4, 4))


@pytest.mark.rule("AI-089", "ARMY-063")
def test_the_nearest_of_several_goals() -> None:
    w = field()
    w.unit(0, "infantry", 4, 4)
    goals = np.zeros(w.world.cells.size, np.uint8)
    for x, y in ((9, 4), (6, 4), (2, 4)):
        goals[w.place(x, y)] = 1
    found = paths.find(w.world, w.rules, view.TRUTH, 0, goals, 99)
    assert tuple(found) == (5, 2, w.place(2, 4))  # (2, 4) and (6, 4) are as near: the lower cell


@pytest.mark.rule("AI-089")
def test_a_way_for_a_viewer_rests_on_what_it_knows() -> None:
    w = SmallWorld(height=9, width=11, nations=2, rules={"unit_types.armor.search_range": 1})
    for x in range(3, 8):
        w.cell(x, 4, terrain="plains")
    w.unit(0, "armor", 3, 4)  # it may go from foreign to foreign land
    w.unit(1, "infantry", 5, 4)
    w.war(0, 1)
    assert way(w, 7, 4) == (0, -1, -1)
    assert way(w, 7, 4, viewer=0) == (2, 4, w.place(7, 4))
    w.unit(0, "infantry", 6, 3)  # it sees two cells far
    assert way(w, 7, 4, viewer=0) == (0, -1, -1)


@pytest.mark.rule("ARMY-063", "ARMY-068", "TURN-068")
def test_a_retreat_leads_to_the_nearest_depot_and_into_the_reserves() -> None:
    w = field()
    w.cell(8, 4, terrain="depot", owner=0)
    w.cell(0, 4, terrain="depot", owner=0)
    w.unit(0, "infantry", 5, 4, strength=73, experience=40, items=["weak_shield"])
    w.corps(0, 0, order="retreat", direction="north_west")
    w.nation(0, reserves=20)
    for x in (6, 7):
        w.phase("army")
        assert (w.units()[0].x, w.units()[0].y) == (x, 4)
    w.phase("army")  # on the depot at the end of its action
    assert w.units() == [] and w.cell(8, 4).unit is None
    assert (w.nation(0).reserves, w.nation(0).wounded) == (93, 0)
    assert w.nation(0).items["weak_shield"] == 1


@pytest.mark.rule("ARMY-063")
def test_of_two_depots_as_near_the_lower_cell() -> None:
    w = field()
    w.cell(8, 4, terrain="depot", owner=0)
    w.cell(2, 4, terrain="depot", owner=0)
    w.unit(0, "infantry", 5, 4)
    w.corps(0, 0, order="retreat")
    w.phase("army")
    assert w.units()[0].x == 4


@pytest.mark.rule("ARMY-063", "ARMY-021")
def test_a_fast_unit_on_the_retreat_follows_the_way_for_two_cells() -> None:
    w = field()
    w.cell(7, 2, terrain="depot", owner=0)
    w.unit(0, "armor", 4, 4)
    w.nation(0, fuel=9)
    w.corps(0, 0, order="retreat")
    w.phase("army")
    assert (w.units()[0].x, w.units()[0].y) == (5, 2)
    w.phase("army")
    assert w.units() == [] and w.nation(0).reserves == 100


@pytest.mark.rule("ARMY-063")
@pytest.mark.parametrize("depot", ["none", "foreign", "cut_off", "occupied"])
def test_without_a_depot_in_reach_a_retreating_unit_stays(depot: str) -> None:
    w = field()
    if depot == "foreign":
        w.cell(8, 4, terrain="depot", owner=1)
        w.war(0, 1)
    elif depot == "cut_off":
        w.cell(8, 4, terrain="depot", owner=0)
        for y in range(9):
            w.cell(7, y, terrain="sea")
    elif depot == "occupied":
        w.cell(8, 4, terrain="depot", owner=0)
        w.unit(0, "battery", 8, 4, corps=1)
    w.unit(0, "infantry", 5, 4)
    w.corps(0, 0, order="retreat")
    w.phase("army")
    assert [(u.x, u.y) for u in w.units(type="infantry")] == [(5, 4)]


@pytest.mark.rule("ARMY-063", "ARMY-052")
def test_a_retreating_unit_does_not_attack() -> None:
    w = field()
    w.unit(0, "infantry", 5, 4)
    w.unit(1, "infantry", 6, 4)
    w.war(0, 1)
    w.nation(0, ammo=9)
    w.corps(0, 0, order="retreat")
    w.corps(1, 0, order="move")
    w.phase("army")
    assert [u.strength for u in w.units()] == [100, 100] and w.nation(0).ammo == 9
