"""What a nation remembers of foreign units and warships."""

import numpy as np
import pytest

from hakoenv.engine import sightings, soundness
from hakoenv.engine.world import SIGHTINGS, copy_world
from hakoenv.testing import SmallWorld


def small(**settings: object) -> SmallWorld:
    """Nation 0 owns a row of land from (2, 4) to (4, 4); nation 1 is far away."""
    w = SmallWorld(height=9, width=20, nations=2, turn=50, **settings)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    for x in (3, 4):
        w.cell(x, 4, terrain="plains", owner=0)
    w.cell(18, 4, terrain="town", owner=1, population=50, capital=True)
    for x in range(5, 15):
        w.cell(x, 4, terrain="plains", owner=None)
    return w


def memory(w: SmallWorld, nation: int = 0) -> list[tuple[int, ...]]:
    """(what, x, y, owner, type, strength, turn), sorted."""
    width = w.world.cells.shape[1]
    rows = w.world.sightings[nation]
    return sorted(
        (
            int(row["what"]), int(row["cell"]) % width, int(row["cell"]) // width,
            int(row["owner"]), int(row["type"]), int(row["strength"]), int(row["turn"]),
        )
        for row in rows[rows["what"] > 0]
    )  # fmt: skip


def march(w: SmallWorld, index: int, x: int, y: int) -> None:
    cells, unit = w.world.cells, w.world.units[index : index + 1]
    cells.reshape(-1)["unit"][int(unit["cell"][0])] = -1
    cells["unit"][y, x] = index
    unit["cell"] = y * w.width + x


def later(w: SmallWorld, turns: int = 1) -> None:
    w.world.clock["turn"] += turns
    w.phase("sightings")


@pytest.mark.rule("ARMY-058")
def test_a_unit_beside_own_land_is_noted_and_one_two_cells_away_is_not() -> None:
    w = small()
    w.unit(1, "armor", 5, 4, strength=70)  # beside (4, 4): army.land_cell_search is 1
    w.unit(1, "infantry", 6, 4)
    w.phase("sightings")
    assert memory(w) == [(sightings.UNIT, 5, 4, 1, 2, 70, 50)]
    assert memory(w, 1) == []  # its own


@pytest.mark.rule("NAVY-020", "NAVY-021", "NAVY-022")
def test_warships_are_noted_and_ships_that_everybody_sees_are_not() -> None:
    w = small()
    w.ship(1, "destroyer", 2, 3, hp=2)
    w.ship(1, "submarine", 3, 3, hp=1)
    w.ship(1, "merchant", 2, 5)
    w.ship(None, "pirate", 3, 5)
    w.ship(1, "cruiser", 2, 1)  # too far away
    w.phase("sightings")
    assert memory(w) == [(2, 2, 3, 1, 1, 2, 50), (2, 3, 3, 1, 5, 1, 50)]


def test_what_goes_out_of_sight_is_remembered_where_it_was_and_as_it_was() -> None:
    w = small()
    index = w.unit(1, "armor", 5, 4, strength=70)._where
    w.phase("sightings")
    w.world.cells["owner"][4, 4] = -1  # (4, 4) is lost: (5, 4) is no longer in sight
    w.world.units["strength"][index] = 10
    march(w, index, 8, 4)
    later(w, 3)
    assert memory(w) == [(1, 5, 4, 1, 2, 70, 50)]


def test_an_entry_goes_when_its_place_is_in_sight_without_it() -> None:
    w = small()
    index = w.unit(1, "armor", 5, 4)._where
    w.phase("sightings")
    march(w, index, 8, 4)
    later(w)
    assert memory(w) == []


def test_a_thing_seen_again_elsewhere_has_one_entry() -> None:
    w = small()
    index = w.unit(1, "armor", 5, 4, strength=70)._where
    w.phase("sightings")
    w.world.cells["owner"][4, 4] = -1
    march(w, index, 3, 3)  # beside (3, 4)
    w.world.units["strength"][index] = 60
    later(w)
    assert memory(w) == [(1, 3, 3, 1, 2, 60, 51)]


def test_another_thing_under_the_same_number_is_another_thing() -> None:
    w = small()
    index = w.unit(1, "armor", 5, 4, strength=70)._where
    w.phase("sightings")
    w.world.cells["owner"][4, 4] = -1
    march(w, index, 3, 3)
    w.world.units["type"][index] = 0  # the tank fell unseen, its number went to an infantry
    later(w)
    assert memory(w) == [(1, 3, 3, 1, 0, 70, 51), (1, 5, 4, 1, 2, 70, 50)]


def test_another_ship_under_the_same_number_is_another_ship() -> None:
    w = small()
    index = w.ship(1, "destroyer", 4, 3, hp=4)._where
    w.phase("sightings")
    cells, ship = w.world.cells, w.world.ships[index : index + 1]
    w.world.cells["owner"][4, 4] = -1  # (4, 3) goes out of sight, and the destroyer sinks unseen
    cells["ship"][3, 4], cells["ship"][3, 2] = -1, index
    ship["cell"], ship["kind"], ship["hp"] = 3 * w.width + 2, 2, 6  # its number went to a cruiser
    later(w)
    assert memory(w) == [(2, 2, 3, 1, 2, 6, 51), (2, 4, 3, 1, 1, 4, 50)]


def test_the_dead_remember_nothing() -> None:
    w = small()
    w.unit(1, "armor", 5, 4)
    w.phase("sightings")
    w.world.nations["alive"][0] = 0
    later(w)
    assert memory(w) == [] and not w.world.sightings[0].tobytes().strip(b"\0")


def crowd(seed: int = 0) -> SmallWorld:
    """100 units of nation 1, placed in random order, each beside a cell of nation 0."""
    w = SmallWorld(height=40, width=20, nations=2, turn=50)
    for y in range(10):
        for x in range(20):
            w.cell(x, y, terrain="plains", owner=0 if x % 2 == 0 else None)
    places = [(x, y) for y in range(10) for x in range(1, 20, 2)]
    for k in np.random.default_rng(seed).permutation(len(places)):
        w.unit(1, "infantry", *places[k], strength=1 + places[k][0])
    return w


def test_sixty_four_are_kept_and_the_choice_does_not_show_the_numbering() -> None:
    kept = []
    for seed in (0, 1):
        w = crowd(seed)
        w.phase("sightings")
        kept.append(memory(w))
        assert len(kept[-1]) == SIGHTINGS == 64
    assert kept[0] == kept[1]
    assert min(y for _, _, y, *_ in kept[0]) == 3  # of one turn, the higher cells: 100 - 64 = 36 fall away


def test_the_longest_unseen_are_forgotten_first() -> None:
    w = crowd()
    w.phase("sightings")
    w.world.sightings["turn"][0, :10] = 20  # ten old ones, out of sight ...
    old = w.world.sightings["cell"][0, :10].copy()
    cells = w.world.cells.reshape(-1)
    cells["owner"][:] = -1
    cells["owner"][0] = (
        0  # ... as is everything but what lies around (0, 0): a unit on (1, 0), none on (0, 1)
    )
    later(w)
    after = w.world.sightings[0]
    assert int((after["turn"] == 51).sum()) == 1
    lost = set(old.tolist()) - set(after["cell"][after["what"] > 0].tolist())
    assert lost == {int(old.min())}  # of the oldest, the lowest cell


def test_whole_turns_remember_and_hashes_see_it() -> None:
    w = small()
    w.unit(1, "armor", 5, 4, strength=70)
    w.run(1)
    assert [row[:4] for row in memory(w)] == [(1, 5, 4, 1)]
    assert memory(w)[0][6] == w.turn


@pytest.mark.rule("SAVE-002")
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("cell", 180, "sightings.cell is 180, outside 0..179"),
        ("cell", -1, "sightings.cell is -1, outside 0..179"),
        ("owner", 2, "sightings.owner is 2, outside -1..1"),
        ("what", 3, "sightings.what is 3, outside 0..2"),
        ("type", 11, "sightings.type is 11, outside 0..10"),
        ("record", 64, "sightings.record is 64, outside 0..63"),
        ("turn", -1, "sightings.turn is -1, outside 0..1073741824"),
    ],
)
def test_a_save_with_an_impossible_memory_is_refused(field: str, value: int, said: str) -> None:
    w = small()
    w.unit(1, "armor", 5, 4)
    w.phase("sightings")
    world = copy_world(w.world)
    assert not soundness.faults(world, w.rules)
    world.sightings[field][0, 0] = value
    assert said in soundness.faults(world, w.rules)
