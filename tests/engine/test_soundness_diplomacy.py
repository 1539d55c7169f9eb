"""What is wrong with factions, leagues, the containment, relations and aid in a world from a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hakoenv.engine import soundness
from hakoenv.engine.codes import relation
from hakoenv.engine.world import World
from hakoenv.testing import SmallWorld


def bound() -> SmallWorld:
    """Nations 0..7; faction 0 of 0, 1, 2 with a notice, faction 1 of 3; league 2 of 1 and 4; 5 is dead.

    Nation 4 has applied to faction 0, 1 demands another leader, 2 is offered the leadership. Nation 3
    is contained by 4 and 6, at war with 4, in amity with 7. Ship 0 carries reserves for 1, ship 1 a unit.
    """
    w = SmallWorld(6, 24, 8, turn=40)
    for n in range(8):
        w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
    w.faction("A", 0, [1, 2], due=42, applications=[[4, 39]], demands=[1], handover={"to": 2, "turn": 40})
    w.faction("B", 3)
    w.league("L", [1, 4], number=3)
    w.containment(3, [4, 6])
    w.war(4, 3)
    w.relation(3, 7, state="amity")
    w.ship(0, "destroyer", 1, 3, aid_reserves=150, aid_to=1)
    w.ship(0, "destroyer", 3, 3, troops={"type": "infantry"})
    w.ship(0, "submarine", 5, 3)
    w.cell(16, 1, terrain="plains")
    w.nation(5, alive=False)
    return w


def test_a_world_with_alliances_is_sound() -> None:
    w = bound()
    assert soundness.faults(w.world, w.rules) == []


def both(world: World, a: int, b: int, name: str, value: int) -> None:
    world.relations[name][a, b] = world.relations[name][b, a] = value


def put(array: str, name: str, place: int, value: int) -> Callable[[World], None]:
    def spoil(world: World) -> None:
        getattr(world, array)[name][place] = value

    return spoil


LEADER = "factions.leader is no member of the faction"
HEIR = "factions.heir is no member that could lead"
DEMANDS = "nations.demands is set where there is no notice to object to"
SPEAKER = "leagues.representative is no member of the league"
CONTAINED = "nations.contained is set of a nation that can be no member of the containment"
ABOARD = "ships.aid and ships.aid_to tell differently whether there are reserves aboard"
DECLARER = "relations.declarer is neither of two nations that are at war"


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (put("nations", "faction", 5, 0), "nations.faction is set of a nation that is not alive"),
        (put("nations", "faction", 6, 4), "nations.faction names a faction that does not exist"),
        (put("nations", "faction", 3, -1), LEADER),
        (put("factions", "leader", 0, -1), LEADER),
        (put("factions", "leader", 1, 1), LEADER),
        (put("factions", "active", 5, 1), LEADER),
        (put("factions", "heir", 0, 0), HEIR),
        (put("factions", "heir", 0, 6), HEIR),
        (put("nations", "applied_to", 2, 1), "nations.applied_to is set of a member"),
        (put("nations", "applied_to", 5, 1), "nations.applied_to is set of a member"),
        (put("nations", "applied_to", 6, 7), "nations.applied_to names a faction that does not exist"),
        (put("nations", "demands", 0, 1), DEMANDS),
        (put("nations", "demands", 6, 1), DEMANDS),
        (put("factions", "dissolves", 0, 0), DEMANDS),
        (put("nations", "league", 5, 2), "nations.league is set of a nation that is not alive"),
        (put("nations", "league", 6, 0), "nations.league names a league that does not exist"),
        (put("leagues", "representative", 2, 6), SPEAKER),
        (put("leagues", "representative", 2, -1), SPEAKER),
        (put("leagues", "active", 6, 1), SPEAKER),
        (put("containment", "target", 0, 5), "containment.target is a nation that is not alive"),
        (put("containment", "target", 0, -1), CONTAINED),
        (put("nations", "contained", 3, 1), CONTAINED),
        (put("nations", "contained", 5, 1), CONTAINED),
        (put("ships", "aid", 0, 201), "ships.aid is more than the ship can carry"),
        (put("ships", "aid", 2, 1), "ships.aid is more than the ship can carry"),
        (put("ships", "aid", 1, 9), "ships.aid is set of a ship with a unit aboard"),
        (put("ships", "aid", 0, 0), ABOARD),
        (put("ships", "aid_to", 0, -1), ABOARD),
        (put("ships", "aid_to", 0, 0), ABOARD),
        (
            lambda w: both(w, 5, 6, "state", relation.AMITY),
            "relations.state is no peace with",
        ),
        (
            lambda w: both(w, 0, 2, "state", relation.PENDING),
            "relations.state is a war between",
        ),
        (lambda w: both(w, 6, 6, "state", relation.AMITY), "relations.state is that of a nation"),
        (lambda w: both(w, 3, 4, "declarer", 6), DECLARER),
        (lambda w: both(w, 3, 7, "declarer", 3), DECLARER),
    ],
)
def test_bonds_that_contradict_each_other_are_faults(spoil: Callable[[World], None], fault: str) -> None:
    w = bound()
    spoil(w.world)
    assert any(found.startswith(fault) for found in soundness.faults(w.world, w.rules))


@pytest.mark.parametrize("name", ["state", "turns_left", "truce", "declarer", "origin"])
def test_two_nations_are_to_each_other_what_the_other_is_to_them(name: str) -> None:
    w = bound()
    w.world.relations[name][6, 7] = 1
    assert f"relations.{name} is not the same both ways" in soundness.faults(w.world, w.rules)


@pytest.mark.parametrize(
    ("array", "name", "value"),
    [
        ("nations", "faction", 8), ("nations", "applied_to", 8), ("nations", "league", 8),
        ("nations", "conquests", -1), ("nations", "contained", 2), ("nations", "demands", 2),
        ("ships", "aid", -1), ("ships", "aid_to", 8), ("relations", "truce", -1), ("relations", "origin", 3),
        ("factions", "leader", 8), ("factions", "heir", -2), ("leagues", "representative", 8),
        ("containment", "target", 8), ("factions", "name", -1),
    ],
)  # fmt: skip
def test_a_number_that_names_nothing_is_a_fault(array: str, name: str, value: int) -> None:
    w = bound()
    np.asarray(getattr(w.world, array)[name]).flat[0] = value
    (fault,) = soundness.faults(w.world, w.rules)
    assert fault.startswith(f"{array}.{name} is {value}, outside")
