"""What a nation's sight says of a cell (first form)."""

import pytest

from hakoenv.obs.sight import sees
from hakoenv.testing import SmallWorld


def look(w, nation, x, y):
    return sees(w.world, w.rules, nation, w.place(x, y))


@pytest.mark.rule("MAP-015")
def test_land_oil_is_seen_as_a_kind_of_its_own():
    w = SmallWorld()
    w.cell(1, 1, terrain="land_oil", owner=0, level=2)
    w.cell(2, 1, terrain="offshore_oil", owner=0)
    assert [look(w, 1, x, 1)["terrain"] for x in (1, 2)] == ["land_oil", "offshore_oil"]


@pytest.mark.rule("MAP-027")
def test_a_seabed_base_hides_its_deposit_from_others_and_a_disguised_site_its_level():
    w = SmallWorld()
    w.cell(1, 1, terrain="seabed_base", owner=0, deposit="oil")
    w.cell(3, 1, terrain="missile_base", owner=0, level=4)
    assert [look(w, n, 1, 1)["deposit"] for n in (0, 1)] == ["oil", None]
    assert [look(w, n, 3, 1)["level"] for n in (0, 1)] == [4, 0]


def test_foreign_units_are_seen_on_and_next_to_own_land_only():
    w = SmallWorld()
    w.cell(4, 4, terrain="plains", owner=0)
    w.unit(1, "infantry", 4, 4, strength=70)
    w.unit(1, "armor", 5, 4, strength=80, corps=3, items=["weak_shield"], experience=9)
    w.unit(1, "marines", 6, 4)
    assert look(w, 0, 4, 4)["unit"] == {"owner": 1, "type": "infantry", "strength": 70}
    assert look(w, 0, 5, 4)["unit"] == {"owner": 1, "type": "armor", "strength": 80}
    assert look(w, 0, 6, 4)["unit"] is None
    own = {"owner": 1, "type": "armor", "strength": 80, "experience": 9, "corps": 3, "items": ["weak_shield"]}
    assert look(w, 1, 5, 4)["unit"] == own


def test_warships_out_of_sight_are_hidden_and_other_ships_are_not():
    w = SmallWorld()
    w.ship(1, "destroyer", 4, 4, hp=3, fleet=2)
    w.ship(None, "pirate", 6, 6)
    assert look(w, 0, 4, 4)["ship"] is None
    assert look(w, 0, 6, 6)["ship"]["class"] == "pirate" and look(w, 0, 6, 6)["ship"]["owner"] is None
    assert look(w, 1, 4, 4)["ship"] == {
        "owner": 1,
        "class": "destroyer",
        "hp": 3,
        "experience": 0,
        "fleet": 2,
    }
    w.cell(5, 4, terrain="plains", owner=0)
    assert look(w, 0, 4, 4)["ship"] == {"owner": 1, "class": "destroyer", "hp": 3}
