"""What nations are told of factions, trade leagues and the containment, and of their own part in them."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import relation, war_origin
from hakoenv.engine.names import NationName, nation_names
from hakoenv.obs import pieces
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld

TURN = 50


def five_nations(**settings: Any) -> SmallWorld:
    w = SmallWorld(height=9, width=25, nations=5, turn=TURN, **settings)
    for n in range(5):
        w.cell(5 * n, 4, terrain="town", owner=n, population=50, capital=True)
    return w


def seen(w: SmallWorld, nation: int = 0) -> dict[str, Any]:
    """One nation's pieces, records by the names of their columns."""
    spec = Spec(w.ruleset, w.nations)
    buffers = spec.buffers()
    spec.fill(w.counted(), w.rules, buffers)
    found = spec.of(buffers, nation)
    assert spec.space().contains(found)
    return {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in found.items()
    }


def bond(w: SmallWorld, observer: int, other: int) -> dict[str, int]:
    row = seen(w, observer)["bonds"][(other - observer) % w.nations]
    return {name: int(row[name]) for name in row.dtype.names}


def own(w: SmallWorld, nation: int = 0) -> dict[str, int]:
    row = seen(w, nation)["diplomacy"]
    return {name: int(row[name]) for name in row.dtype.names}


def said(w: SmallWorld, nation: int = 0, section: str = "Factions, leagues, containment") -> list[str]:
    parts = text(w.counted(), w.rules, w.ruleset, nation).split("## ")
    return next((part.splitlines()[1:] for part in parts if part.startswith(section)), [])


@pytest.mark.rule("FAC-003", "FAC-014")
def test_members_are_told_with_the_age_of_their_membership() -> None:
    w = five_nations()
    w.faction("North", leader=1, members=[[1, 20], [2, 49]], created=20)
    assert bond(w, 0, 1)["faction_age"] == 30 and bond(w, 3, 2)["faction_age"] == 1
    assert bond(w, 0, 3)["faction_age"] == 0
    assert [bond(w, 2, n)["mate"] for n in range(5)] == [0, 1, 0, 0, 0]
    row = seen(w)["factions"][0]
    assert (int(row["members"]), int(row["land"])) == (2, 2)


@pytest.mark.rule("FAC-004", "FAC-015")
def test_an_application_is_known_to_the_applicant_and_the_leader() -> None:
    """Made on turn 40 it may be approved on turns 41..52: after turn 50 in two more; on 52 it is over."""
    w = five_nations()
    w.faction("North", leader=1, members=[1, 2], applications=[[3, 40]])
    assert [bond(w, n, 3)["applies"] for n in range(5)] == [0, 2, 0, 0, 0]
    assert own(w, 1)["applications"] == 1 and own(w, 2)["applications"] == 0
    assert (own(w, 3)["applied_to"], own(w, 3)["application_left"]) == (0, 2)
    assert any("applies to your faction, for 2 turns more" in line for line in said(w, 1))
    assert any("may still be accepted for 2 turns" in line for line in said(w, 3))
    w.world.nations["applied"][3] = 38
    assert bond(w, 1, 3)["applies"] == own(w, 1)["applications"] == own(w, 3)["application_left"] == 0
    assert own(w, 3)["applied_to"] == -1


@pytest.mark.rule("FAC-007")
@pytest.mark.parametrize(("left", "wait"), [(0, 0), (44, 0), (45, 0), (46, 1), (50, 5)])
def test_who_left_knows_how_long_it_waits(left: int, wait: int) -> None:
    """Left on turn 46 the earliest application is on turn 52, one turn after the coming one."""
    w = five_nations()
    w.world.nations["faction_left"][0] = left
    assert own(w)["may_apply_in"] == wait


@pytest.mark.rule("FAC-008", "FAC-009", "FAC-015")
def test_offered_leadership_and_waits_are_the_leaders_and_the_heirs() -> None:
    """Offered on turn 48, it may be accepted on 49..51; renamed on 45, the next time is turn 57."""
    w = five_nations()
    w.faction("North", leader=1, members=[1, 2, 3], handover={"to": 2, "turn": 48}, renamed=45)
    assert [bond(w, 1, n)["leadership"] for n in range(5)] == [0, 0, 1, 0, 0]
    assert bond(w, 2, 1)["leadership"] == 1 and own(w, 2)["leadership_left"] == 1
    assert all(bond(w, 3, n)["leadership"] == bond(w, 0, n)["leadership"] == 0 for n in range(5))
    assert (own(w, 1)["may_rename_in"], own(w, 2)["may_rename_in"]) == (6, 0)
    assert any("faction_handover:accept" in line for line in said(w, 2))


@pytest.mark.rule("FAC-010", "FAC-011", "FAC-015")
def test_demands_are_known_to_members_only() -> None:
    """Of a leader and four others more than half of the four, so three, make another leader."""
    w = five_nations()
    w.faction("All", leader=0, members=[0, 1, 2, 3, 4], dissolving=2, demands=[3, 4])
    assert own(w, 1)["demands"] == 2 and own(w, 1)["demands_needed"] == 3
    assert [bond(w, 1, n)["demands"] for n in range(5)] == [0, 0, 0, 1, 1]
    assert any("by 2 of the 3 members" in line for line in said(w, 1))
    w.world.nations["faction"][1] = -1
    assert own(w, 1)["demands"] == 0 and not any(bond(w, 1, n)["demands"] for n in range(5))


@pytest.mark.rule("FAC-019", "FAC-020")
def test_breaches_are_public_and_counted_for_the_coming_turn() -> None:
    """An event of turn 4 counts to turn 51, one of turn 3 to turn 50."""
    w = five_nations()
    for turn in (3, 4, 50):
        w.world.nations["breaches"][2, turn % 48] += 1
    assert bond(w, 0, 2)["breaches"] == 2


@pytest.mark.rule("TRD-002", "TRD-005", "TRD-006")
def test_leagues_are_public() -> None:
    w = five_nations()
    w.league("Hansa", [[1, 10], [4, 49]], number=3)
    w.world.nations["league_left"][0] = 45
    assert [bond(w, 0, n)["league"] for n in range(5)] == [0, 3, 0, 0, 3]
    assert (bond(w, 0, 1)["representative"], bond(w, 0, 4)["representative"]) == (1, 0)
    assert bond(w, 2, 4)["league_age"] == 1
    rows = seen(w, 2)["leagues"]
    assert rows["active"].tolist()[:4] == [0, 0, 1, 0] and rows["active"].sum() == 1
    assert (int(rows[2]["representative"]), int(rows[2]["members"])) == (4, 2)  # 1 is at place 4 of 2
    assert (own(w, 0)["may_join_league_in"], own(w, 1)["may_join_league_in"]) == (4, 0)  # on turn 55
    assert any(line.startswith("Trade league 3 (name") for line in said(w, 2))


def hegemony(**settings: Any) -> SmallWorld:
    """Nation 0 owns 8 of 13 land cells, the next one 2."""
    w = five_nations(**settings)
    for x in range(1, 8):
        w.cell(x, 6, terrain="plains", owner=0)
    w.cell(6, 4, terrain="plains", owner=1)
    w.nation(0, founded=0)
    return w


@pytest.mark.rule("CONT-001", "CONT-003", "CONT-004")
def test_hegemon_and_points_are_public() -> None:
    """On turn 51: a declaration of turn 50 counts 47/48 of 10, 3 cells of turn 27 24/48 each: 470 + 72."""
    w = hegemony()
    w.world.nations["declarations"][0, 50 % 48] = 1
    w.world.nations["conquests"][0, 27 % 48] = 3
    assert bond(w, 3, 0)["points"] == 542 and bond(w, 3, 0)["land"] == 8
    row = seen(w, 3)["containment"]
    assert (int(row["hegemon"]), int(row["target"]), int(row["threshold"])) == (2, -1, 1440)
    assert any("11.3 points as a conqueror of the 30" in line for line in said(w, 3))
    w.cell(7, 4, terrain="plains", owner=1)
    w.cell(8, 4, terrain="plains", owner=1)
    w.cell(9, 4, terrain="plains", owner=1)  # 5 of 16, and 8 is less than twice that
    assert int(seen(w, 3)["containment"]["hegemon"]) == -1


@pytest.mark.rule("CONT-006", "CONT-010")
def test_those_outside_who_may_join_are_invited() -> None:
    """Nation 2 has amity with the hegemon, nation 4 is a rule AI, nation 1 belongs already."""
    w = hegemony()
    w.containment(0, [1], formed=41)
    w.relation(0, 2, state="amity")
    w.nation(4, controller="rule_ai")
    assert [own(w, n)["invited"] for n in range(5)] == [0, 0, 0, 1, 0]
    assert [bond(w, 3, n)["contained"] for n in range(5)] == [0, 1, 0, 0, 0]
    row = seen(w, 3)["containment"]
    assert (int(row["target"]), int(row["age"]), int(row["members"]), int(row["joint_age"])) == (2, 9, 1, -1)
    assert any("containment_join" in line for line in said(w, 3))
    assert not any("containment_join" in line for line in said(w, 2))


@pytest.mark.rule("CONT-014", "CONT-020")
def test_external_members_are_told_of_a_joint_declaration() -> None:
    w = hegemony()
    w.containment(0, [1, 4], formed=41, last_joint=TURN)
    w.world.containment["announced"] = TURN
    w.nation(4, controller="rule_ai")
    assert [own(w, n)["notice_age"] for n in range(5)] == [-1, 0, -1, -1, -1]
    assert int(seen(w, 2)["containment"]["joint_age"]) == 0
    assert any("War was declared jointly by" in line for line in said(w, 1))
    w.world.clock["turn"] += 3
    assert own(w, 1)["notice_age"] == 3 and not any("jointly" in line for line in said(w, 1))


@pytest.mark.rule("CONT-011", "CONT-016")
def test_how_a_war_came_about_is_told() -> None:
    w = five_nations()
    w.war(0, 1)
    w.world.relations["origin"][[0, 1], [1, 0]] = war_origin.JOINT
    assert (bond(w, 0, 1)["origin"], bond(w, 1, 0)["origin"], bond(w, 2, 1)["origin"]) == (1, 1, 0)
    w.world.relations["state"][[0, 1], [1, 0]] = relation.PEACE
    assert bond(w, 0, 1)["origin"] == 0


@pytest.mark.rule("AID-013")
def test_reserves_aboard_are_told_to_their_nation() -> None:
    w = five_nations()
    w.ship(0, "destroyer", 3, 7, aid_reserves=70, aid_to=1)
    w.ship(0, "destroyer", 3, 8, aid_reserves=30, aid_to=1)
    assert [own(w, n)["reserves_afloat"] for n in range(5)] == [100, 0, 0, 0, 0]
    assert "Reserves aboard your warships, for mates or on the way back: 100." in said(w)


def test_the_dead_are_told_nothing_and_have_no_bonds() -> None:
    w = five_nations()
    w.faction("North", leader=1, members=[1, 2])
    w.league("Hansa", [1, 3])
    w.world.nations["alive"][[0, 3]] = 0
    told = seen(w)
    assert not np.array(told["bonds"][3].tolist()).any()
    assert own(w)["applied_to"] == own(w)["notice_age"] == -1 and own(w)["power"] == 0
    assert int(told["leagues"][0]["members"]) == 1


@pytest.mark.rule("FAC-018")
def test_heads_of_state_have_names() -> None:
    names = nation_names(48, 7)
    assert len({name.head for name in names}) == 48 and all(name.head for name in names)
    assert NationName("何国", "Nani").head == ""
