"""Masks of factions, leagues, the containment and reserves for mates, and what a command leaves of them."""

import itertools
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import census, territory
from hakoenv.engine.codes import reason
from hakoenv.engine.commands import execute, plans, table, validate
from hakoenv.engine.diplomacy import factions
from hakoenv.engine.shipping import harbours
from hakoenv.engine.world import copy_world
from hakoenv.envs.actions import REPLACE, apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import menu_deals
from hakoenv.obs.language.booking import Booking
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden

NATIONS = 6
WIDTH, HEIGHT = 12, 6
BONDS = ("faction_create", "faction_apply", "faction_decide", "faction_withdraw", "faction_leave",
         "faction_expel", "faction_handover", "faction_rename", "faction_dissolve", "faction_demand_leader",
         "league_join", "league_leave", "containment_join", "containment_leave", "aid_reserves",
         "national_aid")  # fmt: skip
OTHERS = ("declare_war", "ceasefire", "amity", "embargo", "exchange", "ship_step", "embark", "fundraise")
RULESET = load_ruleset("season")
MENU = Menu(RULESET, NATIONS, [*BONDS, *OTHERS], cells=WIDTH * HEIGHT)
SPACE = PlanSpace(MENU, 6)
ONE = PlanSpace(MENU, 1)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]
CELLS = np.tile(np.arange(WIDTH * HEIGHT, dtype=np.int32), (NATIONS, 1))
TURN = 100


def islands(**rules: Any) -> SmallWorld:
    """Nations 0, 1 touch by land; the others lie over the sea, 2 with a port. All are old and rich."""
    w = SmallWorld(HEIGHT, WIDTH, NATIONS, turn=TURN, rules=rules or None)
    for n in range(NATIONS):
        x = 2 * n if n else 1
        w.cell(x, 3, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, founded=0, funds=3000, reserves=150)
    w.cell(8, 2, terrain="port", owner=4, level=1)
    w.cell(1, 2, terrain="naval_port", owner=0, level=1)
    return w


def settled(w: SmallWorld) -> SmallWorld:
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)
    territory.index(w.world, w.rules)
    harbours.enlist(w.world)
    return w


def leader() -> SmallWorld:
    """Nation 0 leads 1 and 4, 2 and 3 apply; 5 leads another faction. A warship lies at the naval port."""
    w = islands()
    w.faction("North", leader=0, members=[0, 1, 4], applications=[[2, 95], [3, 99]], renamed=80)
    w.faction("South", leader=5, members=[5])
    w.ship(0, "destroyer", 1, 1, fleet=0)
    return settled(w)


def member() -> SmallWorld:
    """Nation 0 belongs to the faction of 1, whose end is announced; the leadership is offered to it."""
    w = islands()
    w.faction("North", leader=1, members=[0, 1, 4], dissolving=3, handover={"to": 0, "turn": 99}, demands=[4])
    w.league("Hansa", [0, 3])
    return settled(w)


def free() -> SmallWorld:
    """Nation 0 applies to 1; there are leagues 1 and 3."""
    w = islands()
    w.faction("North", leader=1, members=[1, 4], applications=[[0, 95]])
    w.faction("South", leader=5, members=[5, 2])
    w.league("Hansa", [3], number=1)
    w.league("Ganza", [4, 5], number=3)
    return settled(w)


def waiting() -> SmallWorld:
    """Nation 0 left a faction and a league lately, has no funds; all its demands and notices are others'."""
    w = islands()
    w.faction("North", leader=1, members=[1, 4], applications=[[0, 88]])
    w.league("Hansa", [3])
    w.nation(0, funds=999)
    w.world.nations["faction_left"][0], w.world.nations["league_left"][0] = 96, 92
    return settled(w)


def invited() -> SmallWorld:
    """Nation 5 is the hegemon; 1, 2 and 3 stand against it."""
    w = islands()
    for x, y in itertools.product(range(WIDTH), (0, 5)):
        w.cell(x, y, terrain="plains", owner=5)
    w.containment(5, [1, 2, 3], formed=90)
    return settled(w)


def contained() -> SmallWorld:
    """Nation 0 is the hegemon; 1, 2 and 3 stand against it, 4 is its mate."""
    w = islands()
    for x, y in itertools.product(range(WIDTH), (0, 5)):
        w.cell(x, y, terrain="plains", owner=0)
    w.containment(0, [1, 2, 3], formed=90)
    w.faction("North", leader=0, members=[0, 4], applications=[[3, 95]])
    return settled(w)


WORLDS = {
    "leader": leader, "member": member, "free": free, "waiting": waiting, "invited": invited,
    "contained": contained,
}  # fmt: skip


def filled(w: SmallWorld, menu: Menu = MENU) -> dict[str, Any]:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, CELLS, buffers)
    return buffers


def mask_of(w: SmallWorld, nation: int = 0) -> dict[str, Any]:
    return MENU.of(filled(w), nation)


def command(name: str, *picks: int, nation: int = 0, cell: int = 0) -> list[int]:
    return [NAMES.index(name), nation, cell, *picks, *[0] * (4 - len(picks))]


def allowed(mask: Any, *heads: Any) -> list[int]:
    """What may follow the first heads, whole commands given as lists."""
    prefix = [REPLACE, *itertools.chain.from_iterable(h if isinstance(h, list) else [h] for h in heads)]
    return np.flatnonzero(SPACE.next_mask(mask, prefix)).tolist()


def is_open(mask: Any, name: str, *before: list[int]) -> bool:
    return NAMES.index(name) in allowed(mask, *before)


def nations_for(mask: Any, name: str, *before: list[int]) -> set[int]:
    return set(allowed(mask, *before, NAMES.index(name))) if is_open(mask, name, *before) else set()


def decoded(w: SmallWorld, commands: Any, nation: int = 0) -> list[tuple[Any, ...]]:
    """Commands of an action as they stand in the plan."""
    action = np.array([REPLACE, *np.array(commands).reshape(-1)], np.int64)[np.newaxis]
    world = copy_world(w.world)
    apply(world, w.rules, MENU, np.array([nation]), action, CELLS)
    return [tuple(order) for order in plans.plan_of(world, nation)]


def ways_to_say(name: str) -> list[list[int]]:
    record = MENU.table.verbs[NAMES.index(name) - 1]
    values = [range(int(record["count"][k])) for k in range(int(record["factors"]))]
    return [
        command(name, *chosen, nation=who)
        for who in (range(NATIONS) if record["nation"] else [0])
        for chosen in itertools.product(*values)
    ]


@pytest.mark.rule("CMD-005", "CMD-020", "CMD-028", "CMD-029", "CMD-036", "CMD-037", "CMD-046")
@pytest.mark.parametrize("state", WORLDS)
@pytest.mark.parametrize("nation", [0, 1, 5])
def test_every_head_is_offered_if_and_only_if_its_command_is_accepted(state: str, nation: int) -> None:
    w = WORLDS[state]()
    buffers = filled(w)
    wrong = []
    for name in (name for name in NAMES if name.split(":")[0] in BONDS):
        ways = ways_to_say(name)
        actions = np.array([[REPLACE, *heads] for heads in ways], np.int64)
        offered = ONE.faults(buffers, np.full(len(ways), nation), actions) == -1
        orders = list(itertools.chain.from_iterable(
            decoded(w, ways[k : k + 50], nation) for k in range(0, len(ways), 50)
        ))  # fmt: skip
        assert len(orders) == len(ways)
        for heads, order, shown in zip(ways, orders, offered.tolist(), strict=True):
            if shown != validate.is_legal(w.world, w.rules, nation, *order):
                wrong.append((heads, order, shown))
    assert wrong == []


def test_every_verb_is_offered_somewhere() -> None:
    names: set[str] = set()
    for make in WORLDS.values():
        verbs = filled(make())["verbs"][:, 1:].any(axis=0)
        names |= {NAMES[k + 1] for k in np.flatnonzero(verbs)}
    assert {name for name in NAMES if name.split(":")[0] in BONDS} <= names


@pytest.mark.rule("FAC-003", "FAC-006")
def test_verbs_of_factions_name_those_whom_they_concern() -> None:
    mask = mask_of(leader())
    assert nations_for(mask, "faction_decide:accept") == nations_for(mask, "faction_decide:refuse") == {2, 3}
    assert nations_for(mask, "faction_expel") == nations_for(mask, "faction_handover:offer") == {1, 4}
    assert not is_open(mask, "faction_apply") and not is_open(mask, "faction_leave")
    assert nations_for(mask_of(free()), "faction_apply") == {1, 5}
    assert nations_for(mask_of(leader(), 2), "faction_apply") == {4, 3}  # 0 and 5, seen from 2


@pytest.mark.rule("FAC-003", "TURN-067")
def test_the_own_place_in_factions_changes_once_in_an_action() -> None:
    mask = mask_of(free())
    ways = (
        command("faction_create"),
        command("faction_apply", nation=5),
        command("faction_withdraw"),
    )
    for first, second in itertools.product(ways, ways):
        assert is_open(mask, NAMES[second[0]]) and not is_open(mask, NAMES[second[0]], first)
    mask = mask_of(member())
    ways = (
        command("faction_leave"),
        command("faction_handover:accept"),
        command("faction_demand_leader:demand"),
    )
    for first, second in itertools.product(ways, ways):
        assert is_open(mask, NAMES[second[0]]) and not is_open(mask, NAMES[second[0]], first)


@pytest.mark.rule("FAC-001")
def test_a_faction_is_paid_out_of_the_purse() -> None:
    """1000 funds found one, 999 do not."""
    assert is_open(mask_of(free()), "faction_create")
    assert not is_open(mask_of(waiting()), "faction_create")
    w = free()
    w.nation(0, funds=1000)
    mask = mask_of(w)
    assert is_open(mask, "faction_create")
    assert mask["prices"][mask["flat_price"][NAMES.index("faction_create") - 1], 9] == 1000


@pytest.mark.rule("FAC-006", "TURN-067")
def test_a_leader_names_each_nation_once() -> None:
    mask = mask_of(leader())
    accept = command("faction_decide:accept", nation=2)
    assert nations_for(mask, "faction_decide:accept", accept) == {3}
    assert nations_for(mask, "faction_decide:refuse", accept) == {3}
    offer = command("faction_handover:offer", nation=1)
    assert nations_for(mask, "faction_expel", offer) == {4}
    assert nations_for(mask, "faction_expel", offer, command("faction_expel", nation=4)) == set()
    assert 2 not in nations_for(mask, "declare_war", accept)
    war = command("declare_war", nation=2)
    assert nations_for(mask, "faction_decide:accept", war) == {3}
    for name, picks in (("faction_rename", (3,)), ("faction_dissolve:announce", ())):
        assert is_open(mask, name) and not is_open(mask, name, command(name, *picks))


@pytest.mark.rule("FAC-003", "TURN-067")
def test_of_applicants_at_war_with_each_other_one_is_let_in() -> None:
    w = leader()
    w.war(2, 3)
    mask = mask_of(w)
    accept = command("faction_decide:accept", nation=2)
    assert nations_for(mask, "faction_decide:accept") == {2, 3}
    assert not is_open(mask, "faction_decide:accept", accept)
    assert nations_for(mask, "faction_decide:refuse", accept) == {3}


@pytest.mark.rule("TRD-002", "TRD-004", "TRD-012")
def test_leagues_are_listed_by_number_and_joined_or_left_once() -> None:
    w = free()
    mask = mask_of(w)
    assert mask["trade"][menu_deals.LEAGUE, :4].tolist() == [1, 3, 0, 0]
    assert allowed(mask, command("league_join:join")[:3]) == [0, 1]
    assert MENU.source(NAMES.index("league_join:join") - 1, 0) == "leagues"
    assert decoded(w, [command("league_join:join", 1), command("league_join:found")]) == [
        (112, 0, 0, 3, 0),
        (112, 0, 0, 0, 0),
    ]
    assert not is_open(mask, "league_join:join", command("league_join:found"))
    assert not is_open(mask, "league_join:found", command("league_join:join", 1))
    assert not is_open(mask_of(member()), "league_join:found", command("league_leave"))


@pytest.mark.rule("TRD-012")
def test_a_place_without_a_league_founds_none() -> None:
    ((_, _, _, amount, _),) = decoded(free(), [command("league_join:join", 5)])
    assert amount == 10**9


@pytest.mark.rule("TRD-007", "CONT-013")
def test_who_leaves_a_league_or_joins_the_containment_deals_before() -> None:
    """Nation 3 is a fellow; after leaving the league its ports may be closed. 5 is the hegemon."""
    mask = mask_of(member())
    assert mask["deals"][3, menu_deals.TIES] == menu_deals.FELLOW
    mask = mask_of(invited())
    assert mask["deals"][:, menu_deals.TIES].tolist()[:6] == [0, 0, 0, 0, 0, menu_deals.HEGEMON]
    w = invited()
    w.cell(2, 0, terrain="plains", owner=5)
    w.cell(0, 1, terrain="plains", owner=0)  # touches the hegemon's land
    mask = mask_of(settled(w))
    assert 5 in nations_for(mask, "national_aid")
    assert 5 not in nations_for(mask, "national_aid", command("containment_join"))


@pytest.mark.rule("CONT-007")
def test_amity_with_the_hegemon_keeps_from_joining() -> None:
    w = invited()
    w.world.relations["offer_until"][5, 0] = TURN + 5
    mask = mask_of(w)
    assert is_open(mask, "containment_join")
    assert not is_open(mask, "containment_join", command("amity:offer", nation=5))
    assert not is_open(mask, "containment_leave", command("containment_join"))


@pytest.mark.rule("CONT-011")
def test_war_on_a_member_of_the_containment_is_war_with_all() -> None:
    """Nations 1, 2 and 3 stand against nation 0: after a declaration on 1 no treaty is made with 2 or 3."""
    mask = mask_of(contained())
    assert mask["deals"][:, menu_deals.TIES].tolist()[:6] == [0, *[menu_deals.PACT] * 3, 0, 0]
    war = command("declare_war", nation=1)
    assert nations_for(mask, "amity:offer", war) == {4, 5}
    assert nations_for(mask, "faction_decide:accept") == {3} and not is_open(
        mask, "faction_decide:accept", war
    )
    assert nations_for(mask, "amity:offer", command("declare_war", nation=5)) == {1, 2, 3, 4}


@pytest.mark.rule("AID-001", "AID-002", "CMD-020")
def test_reserves_go_over_land_once_a_turn() -> None:
    """Of 150 reserves: 25, 50, 100, and a quarter (37), a half (75) and all of them; 200 are not there."""
    w = leader()
    mask = mask_of(w)
    assert nations_for(mask, "aid_reserves") == {1}
    places = allowed(mask, command("aid_reserves", nation=1)[:3])
    assert [MENU.numbers(mask, command("aid_reserves", k, nation=1))[0] for k in places] == [
        25, 50, 100, 37, 75, 150,
    ]  # fmt: skip
    assert MENU.source(NAMES.index("aid_reserves") - 1, 0) == "reserves_cap"
    assert not is_open(mask, "aid_reserves", command("aid_reserves", 0, nation=1))
    w.nation(0, reserves=1000)
    mask = mask_of(w)
    whole = command("aid_reserves", 6, nation=1)
    assert MENU.numbers(mask, whole) == [200]


@pytest.mark.rule("AID-003", "AID-004", "AID-013", "AID-015")
def test_reserves_go_over_the_sea_by_ships_that_lie_at_a_naval_port() -> None:
    """To nation 4, which has a port, with the one destroyer; not to the mate by land, nor twice."""
    w = leader()
    mask = mask_of(w)
    item = command("national_aid", nation=4)[:3]
    assert 10 in allowed(mask, item)
    assert 10 not in allowed(mask, command("national_aid", nation=1)[:3])
    room = int(mask["trade"][menu_deals.AID_LEFT, 10])
    assert room == min(200, int(w.rules.ship_classes["capacity_strength"][1]))
    sent = command("national_aid", 10, 0, nation=4)
    assert 4 not in nations_for(mask, "national_aid", sent)
    step = command("ship_step", 1, cell=1 * WIDTH + 1)
    if is_open(mask, "ship_step"):
        assert 4 not in nations_for(mask, "national_aid", step)


@pytest.mark.rule("CMD-005", "TURN-067")
@pytest.mark.parametrize("state", WORLDS)
def test_no_command_is_refused_for_its_own_predecessors(state: str) -> None:
    """Plans of drawn legal commands: each is carried out, and still stands when factions are settled."""
    w = WORLDS[state]()
    buffers = filled(w)
    seeds = np.arange(25, dtype=np.uint64)
    for nation in (0, 1, 5):
        actions = np.concatenate([
            SPACE.sample_plans(buffers, np.array([nation]), seeds[k : k + 1], 2) for k in range(len(seeds))
        ])  # fmt: skip
        for action in actions:
            world = copy_world(w.world)
            apply(world, w.rules, MENU, np.array([nation]), action[np.newaxis], CELLS)
            orders = [table.Packed(*map(int, order)) for order in plans.plan_of(world, nation)]
            booking = Booking(w.world, w.rules, w.ruleset, nation)
            for order in orders:
                meaning = table.unpack(*order)
                assert meaning is not None
                assert booking.refusal(meaning.verb, order) == "", orders
                booking.book(meaning.verb, order)
            world.clock["turn"] += 1
            world.order[:] = np.roll(np.arange(NATIONS), -nation)
            execute.run_plan(world, w.rules, nation)
            factions.settle(world, w.rules)
            rows = world.results[nation][: int(world.nations["result_count"][nation])]
            assert (rows["reason"] == reason.DONE).all(), (orders, rows["reason"].tolist())


def test_heads_are_as_many_as_ever() -> None:
    assert SPACE.nvec.size == 1 + 6 * HEADS and mask_of(leader())["uses"].shape == (21,)


@pytest.mark.rule("FAC-015", "FAC-017", "TURN-077")
@pytest.mark.parametrize("state", WORLDS)
def test_hidden_things_change_no_mask(state: str) -> None:
    w = WORLDS[state]()
    mask = mask_of(w)
    for seed in range(3):
        changed = vary_hidden(w.world, w.rules, 0, np.random.default_rng(seed))
        buffers = MENU.buffers()
        MENU.fill(changed, w.rules, CELLS, buffers)
        again = MENU.of(buffers, 0)
        assert [name for name in mask if mask[name].tobytes() != again[name].tobytes()] == []
