"""Who may trade with whom, one pair at a time and for all in one pass (MER-064)."""

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import terrain
from hakoenv.engine.diplomacy import carriers
from hakoenv.engine.navy import waters
from hakoenv.engine.shipping import charts, harbours
from hakoenv.engine.trade import partners, reach
from hakoenv.testing import SmallWorld, names

CLOSED, FRIENDS, OPEN = "closed", "friends", "open"


def pair(**relation: object) -> SmallWorld:
    """Two nations whose land touches."""
    small = SmallWorld(5, 9, 2)
    small.cell(3, 2, terrain="town", owner=0, population=50, capital=True)
    small.cell(4, 2, terrain="plains", owner=1)
    small.cell(5, 2, terrain="town", owner=1, population=50, capital=True)
    if relation:
        small.relation(0, 1, **relation)
    return small


def land(small: SmallWorld, a: int = 0, b: int = 1) -> bool:
    """Whether two nations may trade by land; both ways of finding it, and both orders, agree."""
    world, rules = small.world, small.rules
    territory.index(world, rules)
    rows = np.zeros(small.nations, np.int64)
    reach.note_borders(world, rules)
    reach.add_land(world, rows)
    found = {bool(partners.by_land(world, rules, a, b)), bool(partners.by_land(world, rules, b, a))}
    found |= {bool(reach.has(int(rows[a]), b)), bool(reach.has(int(rows[b]), a))}
    assert len(found) == 1
    return found.pop()


def sea(small: SmallWorld) -> bool:
    """Whether nations 0 and 1 may trade by sea; both orders agree."""
    found = {bool(partners.by_sea(small.world, 0, 1)), bool(partners.by_sea(small.world, 1, 0))}
    assert len(found) == 1
    return found.pop()


@pytest.mark.rule("CONT-013", "MER-064")
@pytest.mark.parametrize(
    ("target", "members", "allowed"),
    [(0, [1], False), (1, [0], False), (0, [2], True), (2, [0, 1], True), (0, [], True)],
)
def test_the_hegemon_and_the_members_of_its_containment_do_not_deal(
    target: int, members: list[int], allowed: bool
) -> None:
    """Private trade, calls at ports and land routes stop, both ways; among members they go on."""
    small = SmallWorld(5, 9, 3)
    small.cell(3, 2, terrain="town", owner=0, population=50, capital=True)
    small.cell(4, 2, terrain="town", owner=1, population=50, capital=True)
    small.cell(7, 2, terrain="town", owner=2, population=50, capital=True)
    small.league("L", [0, 1])  # it goes before a league, too
    small.containment(target, members)
    world, rules = small.world, small.rules
    assert land(small) == sea(small) == allowed
    for a, b in ((0, 1), (1, 0)):
        assert partners.may_deal(world, a, b) == allowed
        assert partners.may_call(world, a, b) == allowed
        assert partners.gates_open(world, a, b) == allowed
        assert partners.share_league(world, a, b) == allowed
        assert carriers.is_possible(world, rules, a, b, carriers.NEAREST) == allowed
        assert partners.may_call(world, a, a)


@pytest.mark.rule("CONT-013", "NAVY-077", "MER-029")
@pytest.mark.parametrize("kind", ["destroyer", "merchant", "fishing_boat", "cruise_ship"])
@pytest.mark.parametrize("port", ["port", "naval_port"])
def test_neither_side_s_ships_cross_the_other_s_ports(kind: str, port: str) -> None:
    small = SmallWorld(5, 9, 3)
    for n, x in ((0, 2), (1, 4), (2, 6)):
        small.cell(x, 2, terrain=port, owner=n)
    small.containment(0, [1])
    number = names.ship_classes().number(kind)
    ways = [
        [waters.way(small.world, small.rules, n, n, number, small.place(x, 2)) for x in (2, 4, 6)]
        for n in range(3)
    ]
    shut, over = waters.CLOSED, waters.PASSAGE
    assert ways == [[over, shut, over], [shut, over, over], [over, over, over]]
    small.containment(0, [2])
    assert waters.way(small.world, small.rules, 0, 0, number, small.place(6, 2)) == shut
    small.cell(6, 2, owner=None)  # nobody's port is no member's
    assert waters.way(small.world, small.rules, 0, 0, number, small.place(6, 2)) == over


@pytest.mark.rule("TRD-007", "TRD-011", "TRD-001", "MER-064")
@pytest.mark.parametrize(
    ("policy", "relation", "allowed"),
    [
        (FRIENDS, {}, True),
        (OPEN, {}, True),
        (CLOSED, {}, False),  # war, embargo and closed ports go before the league
        (FRIENDS, {"state": "war"}, False),
        (FRIENDS, {"state": "pending", "turns_left": 3}, False),
        (FRIENDS, {"embargo": [0]}, False),
        (FRIENDS, {"embargo": [1]}, False),
    ],
)
def test_partners_in_a_league_are_friends(policy: str, relation: dict[str, object], allowed: bool) -> None:
    small = pair(**relation)
    small.nation(0, port_policy=policy)
    small.nation(1, port_policy=FRIENDS)
    assert not sea(small)
    small.league("L", [0, 1])
    assert sea(small) == allowed
    assert partners.may_call(small.world, 0, 1) == allowed
    small.world.nations["league"][1] = -1
    assert not sea(small)


@pytest.mark.rule("TRD-001", "MER-064")
def test_mates_of_a_faction_are_no_partners_in_trade() -> None:
    small = pair()
    small.nation(0, port_policy=FRIENDS)
    small.faction("F", 0, [1])
    assert not sea(small)


@pytest.mark.rule("MER-064")
@pytest.mark.parametrize(
    ("relation", "allowed"),
    [
        ({}, True),
        ({"state": "amity"}, True),
        ({"state": "war"}, False),
        ({"state": "pending", "turns_left": 3}, False),
        ({"embargo": [0]}, False),
        ({"embargo": [1]}, False),
    ],
)
def test_war_and_embargo_stop_trade_by_land_and_sea(relation: dict[str, object], allowed: bool) -> None:
    small = pair(**relation)
    assert land(small) == allowed
    assert sea(small) == allowed


@pytest.mark.rule("MER-064")
def test_only_living_nations_trade_and_none_with_itself() -> None:
    small = pair()
    assert not partners.may_deal(small.world, 0, 0)
    small.world.nations["alive"][1] = 0
    assert not land(small)
    assert not sea(small)


@pytest.mark.rule("MER-064", "MKT-001")
@pytest.mark.parametrize(
    ("first", "second", "amity", "allowed"),
    [
        (OPEN, OPEN, False, True),
        (OPEN, FRIENDS, False, False),
        (OPEN, FRIENDS, True, True),
        (FRIENDS, FRIENDS, True, True),
        (FRIENDS, FRIENDS, False, False),
        (OPEN, CLOSED, True, False),  # a closed port stops its owner's exports as well
        (CLOSED, OPEN, True, False),
    ],
)
def test_both_port_policies_must_admit(first: str, second: str, amity: bool, allowed: bool) -> None:
    small = pair()
    small.nation(0, port_policy=first)
    small.nation(1, port_policy=second)
    if amity:
        small.relation(0, 1, state="amity")
    assert sea(small) == allowed
    assert land(small)  # ports are none of its business


@pytest.mark.rule("MER-064")
def test_a_policy_toward_one_nation_goes_before_that_for_all() -> None:
    small = pair()
    small.nation(1, port_policy=CLOSED)
    small.relation(0, 1, port_policy={"1": OPEN})
    assert sea(small)
    small.nation(1, port_policy=OPEN)
    small.relation(0, 1, port_policy={"1": CLOSED})
    assert not sea(small)


@pytest.mark.rule("MER-064", "MER-046")
def test_for_refuge_the_owner_of_the_port_alone_is_asked() -> None:
    small = pair()
    small.nation(0, port_policy=CLOSED)
    assert partners.may_call(small.world, 1, 0)
    assert not partners.may_call(small.world, 0, 1)
    assert partners.may_call(small.world, 0, 0)  # an own port
    assert not partners.may_call(small.world, -1, 0)
    small.relation(0, 1, embargo=[0])
    assert not partners.may_call(small.world, 1, 0)


@pytest.mark.rule("MER-064")
@pytest.mark.parametrize("closed_by", [0, 1])
def test_both_land_gates_must_be_open(closed_by: int) -> None:
    small = pair()
    small.world.nations["land_gate"][closed_by] = 0
    assert not land(small)
    small.world.relations[closed_by, 1 - closed_by]["land_gate"] = 1  # open to this one
    assert land(small)
    small.world.nations["land_gate"][closed_by] = 1
    small.world.relations[closed_by, 1 - closed_by]["land_gate"] = 0
    assert not land(small)
    assert sea(small)


@pytest.mark.rule("MER-064")
@pytest.mark.parametrize(
    ("between", "touches"),
    [("plains", True), ("town", True), ("mountain", True), ("port", False), ("sea", False),
     ("shallows", False),
     ("offshore_oil", False), ("fish_farm", False), ("naval_mine", False)],
)  # fmt: skip
def test_land_must_touch_land(between: str, touches: bool) -> None:
    """The cell of nation 1 that lies beside nation 0's; what counts as land is a column of the terrains."""
    small = pair()
    small.cell(4, 2, terrain=between, owner=1)
    assert bool(small.rules.terrains[small.world.cells[2, 4]["terrain"]]["counts_as_land"]) == touches
    assert land(small) == touches


@pytest.mark.rule("MER-064")
@pytest.mark.parametrize(("x", "y", "touches"), [(3, 1, True), (4, 1, False), (3, 3, True), (2, 1, True)])
def test_land_touches_in_the_six_directions(x: int, y: int, touches: bool) -> None:
    """Row 2 is even: cell (3, 2) has (2, 1), (3, 1), (2, 3) and (3, 3) above and below."""
    small = SmallWorld(5, 9, 2)
    small.cell(3, 2, terrain="plains", owner=0)
    small.cell(x, y, terrain="plains", owner=1)
    assert land(small) == touches


@pytest.mark.rule("MER-064", "LIMIT-010")
def test_a_cell_that_changed_hands_in_this_turn_counts_for_its_new_owner() -> None:
    small = SmallWorld(5, 9, 3)
    small.cell(3, 2, terrain="plains", owner=0)
    small.cell(4, 2, terrain="plains", owner=1)
    territory.index(small.world, small.rules)
    small.world.cells["owner"][2, 4] = 2
    rows = np.zeros(3, np.int64)
    reach.note_borders(small.world, small.rules)
    reach.add_land(small.world, rows)
    assert rows.tolist() == [1 << 2, 0, 1 << 0]
    for a, b, found in ((0, 2, True), (2, 0, True), (0, 1, False), (1, 0, False)):
        assert partners.touch(small.world, small.rules, a, b) == found


@pytest.mark.rule("MER-064", "MER-083")
def test_one_pass_over_the_land_finds_what_each_pair_would() -> None:
    random = np.random.default_rng(5)
    small = SmallWorld(9, 9, 6)
    grounds = [terrain.SEA, terrain.PLAINS, terrain.MOUNTAIN, terrain.SHALLOWS, terrain.PORT]
    small.world.cells["terrain"] = random.choice(grounds, (9, 9))
    small.world.cells["owner"] = random.integers(-1, 6, (9, 9))
    small.relation(0, 1, state="war")
    small.relation(2, 3, embargo=[3])
    small.world.nations["land_gate"][5] = 0
    land_pairs = [land(small, a, b) for a in range(6) for b in range(a)]
    assert True in land_pairs and False in land_pairs


def coasts(merchant: str | None = "merchant") -> SmallWorld:
    """Two ports with sea between them, nation 0's charted, and nation 1's; a merchant of nation 0."""
    small = SmallWorld(5, 9, 2)
    for owner, town, port in ((0, 1, 2), (1, 7, 6)):
        small.cell(town, 2, terrain="town", owner=owner, population=50, capital=True)
        small.cell(port, 2, terrain="port", owner=owner, level=1)
    if merchant:
        small.ship(0, merchant, 4, 1)
    harbours.enlist(small.world)
    chart(small, 0)
    chart(small, 1)
    return small


def chart(small: SmallWorld, owner: int) -> None:
    """Make the chart of a nation's only port."""
    for h in range(small.world.harbours.shape[0]):
        if small.world.harbours[h]["cell"] >= 0 and harbours.owner(small.world, h) == owner:
            charts.make(small.world, h)


def overseas(small: SmallWorld) -> list[list[int]]:
    """Whom each nation reaches by sea with its merchants."""
    rows = np.zeros(small.nations, np.int64)
    reach.add_sea(small.world, small.rules, rows)
    return [[b for b in range(small.nations) if reach.has(int(row), b)] for row in rows]


@pytest.mark.rule("MER-071", "MER-064")
@pytest.mark.parametrize(
    ("ship", "reached"),
    [("merchant", [[1], []]), ("large_merchant", [[1], []]), ("fishing_boat", [[], []]), (None, [[], []])],
)
def test_the_sea_is_open_to_owners_of_merchants(ship: str | None, reached: list[list[int]]) -> None:
    assert overseas(coasts(ship)) == reached


@pytest.mark.rule("MER-071", "MER-067")
def test_a_partner_over_the_sea_needs_a_remembered_route() -> None:
    small = coasts()
    small.world.distances[:] = 255
    assert overseas(small) == [[], []]
    chart(small, 0)  # that of the own port leads home
    assert overseas(small) == [[], []]
    chart(small, 1)
    assert overseas(small) == [[1], []]


@pytest.mark.rule("MER-071", "MER-065")
def test_a_port_without_water_for_merchants_is_not_used() -> None:
    small = coasts()
    for x, y in ((3, 2), (1, 1), (2, 1), (1, 3), (2, 3)):
        small.cell(x, y, terrain="plains")
    chart(small, 1)
    assert overseas(small) == [[], []]


@pytest.mark.rule("MER-071", "MER-064")
@pytest.mark.parametrize("policy", [CLOSED, FRIENDS])
def test_a_partner_over_the_sea_must_let_ships_in(policy: str) -> None:
    small = coasts()
    small.nation(1, port_policy=policy)
    assert overseas(small) == [[], []]


@pytest.mark.rule("MER-071")
def test_all_ports_and_merchants_of_a_nation_are_thought_of() -> None:
    small = coasts(None)
    small.cell(8, 4, terrain="port", owner=0, level=1)
    small.ship(1, "merchant", 4, 1)
    harbours.enlist(small.world)
    assert overseas(small) == [[], [0]]
