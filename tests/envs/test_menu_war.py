"""Masks of the commands of war: each head given those before it, and what a command leaves for the next."""

import itertools
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import reason
from hakoenv.engine.commands import table, validate
from hakoenv.engine.commands.plans import plan_of
from hakoenv.engine.world import copy_world
from hakoenv.envs.actions import REPLACE, apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

WAR = ("army", "attack", "declare_war", "ceasefire", "amity", "good_terms", "cede_land", "defense_facility")
WORDS = [*(verb.name for verb in table.verbs() if verb.category in WAR), *WAR[2:]]
RULESET = load_ruleset("season")
MENU = Menu(RULESET, 3, [*WORDS, "fundraise", "prepare_land", "urban_build:modern_city"], cells=100)
SPACE = PlanSpace(MENU, 4)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]
TURN = 100
CELLS = np.tile(np.arange(100, dtype=np.int32), (3, 1))  # place k is cell k: column k % 10, row k // 10


def at(x: int, y: int) -> int:
    return y * 10 + x


def front(**nation: Any) -> SmallWorld:
    """Nation 0 at war with 1 to its right and at peace with 2 below; towns, depots, a base, a facility."""
    w = SmallWorld(10, 10, 3, turn=TURN)
    for y in range(10):
        for x in range(10):
            owner = 2 if y > 6 else 0 if x < 5 else 1
            w.cell(x, y, terrain="plains", owner=owner)
    w.cell(0, 0, terrain="town", owner=0, population=61, capital=True)
    w.cell(1, 0, terrain="town", owner=0, population=1)
    w.cell(2, 0, terrain="town", owner=0, population=3)
    w.cell(4, 4, terrain="town", owner=0, population=200)  # beside an enemy
    w.cell(0, 2, terrain="depot", owner=0)
    w.cell(1, 2, terrain="depot", owner=0)
    w.cell(2, 2, terrain="depot", owner=0)
    w.cell(0, 4, terrain="missile_base", owner=0, experience=60)  # range 7, 3 shots
    w.cell(2, 5, terrain="defense_facility", owner=0)
    w.cell(8, 8, terrain="town", owner=2, population=50, capital=True)
    w.cell(9, 0, terrain="town", owner=1, population=50, capital=True)
    w.unit(0, "infantry", 1, 2, strength=190, items=["sword_of_war_god"])
    w.unit(0, "armor", 2, 2, strength=100)
    w.unit(0, "infantry", 6, 5)
    w.unit(1, "infantry", 5, 4)
    for n in range(3):
        w.nation(n, founded=0)
    w.nation(0, **{"funds": 900, "ammo": 50, "fuel": 50, "stone": 50, "reserves": 60, **nation})
    w.world.nations["items"][0] = (0, 1, 0, 1, 0, 0)
    w.war(1, 0)
    territory.index(w.world, w.rules)
    return w


def mask_of(w: SmallWorld, menu: Menu = MENU) -> dict[str, Any]:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, CELLS, buffers)
    return menu.of(buffers, 0)


def command(name: str, nation: int = 0, cell: int = 0, a: int = 0, b: int = 0) -> list[int]:
    return [NAMES.index(name), nation, cell, a, b, 0, 0]


def allowed(mask: Any, *heads: Any) -> list[int]:
    """What may follow the first heads, whole commands given as lists."""
    prefix = [REPLACE, *itertools.chain.from_iterable(h if isinstance(h, list) else [h] for h in heads)]
    return np.flatnonzero(SPACE.next_mask(mask, prefix)).tolist()


def is_open(mask: Any, name: str, *before: list[int]) -> bool:
    return NAMES.index(name) in allowed(mask, *before)


def cells_for(mask: Any, name: str, *before: list[int], nation: int = 0) -> set[int]:
    if not is_open(mask, name, *before):
        return set()
    return set(allowed(mask, *before, command(name, nation)[:2]))


def nations_for(mask: Any, name: str, *before: list[int]) -> set[int]:
    return set(allowed(mask, *before, NAMES.index(name))) if is_open(mask, name, *before) else set()


def decoded(w: SmallWorld, *commands: list[int]) -> list[tuple[int, ...]]:
    """The commands of an action as they stand in the plan."""
    action = np.zeros((1, 1 + 4 * HEADS), np.int64)
    action[0, 0] = REPLACE
    for k, heads in enumerate(commands):
        action[0, 1 + k * HEADS : 1 + (k + 1) * HEADS] = heads
    world = copy_world(w.world)
    apply(world, w.rules, MENU, np.zeros(1, np.int64), action, CELLS)
    return [tuple(order) for order in plan_of(world, 0)]


PURSES = {
    "poor": {"funds": 0, "ammo": 0, "reserves": 0},
    "short": {"funds": 49, "ammo": 3, "reserves": 60},
    "middling": {"funds": 210, "ammo": 50, "reserves": 60},
    "rich": {"funds": 9000, "ammo": 50, "reserves": 180},
}


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("purse", PURSES)
@pytest.mark.parametrize("state", ["young", "war", "peace"])
def test_every_head_is_offered_if_and_only_if_the_decoded_command_is_accepted(purse: str, state: str) -> None:
    """All verbs of war, nations, cells and values; of the corps three, which are alike."""
    w = front(**PURSES[purse])
    if state == "young":
        w.nation(0, founded=TURN - 13)  # 14 turns old in the coming turn
    elif state == "peace":
        w.relation(0, 1, state="amity")
        w.relation(0, 2, state="pending", turns_left=1, declarer=2)
    mask = mask_of(w)
    wrong = []
    for v, verb in enumerate(MENU.verbs):
        record = MENU.table.verbs[v]
        values = [range(int(record["count"][k])) for k in range(int(record["factors"]))]
        if values and len(values[0]) == 32:
            values[0] = (0, 7, 31)  # type: ignore[call-overload]
        spots = range(0, 100, 1 if len(values) < 2 else 3) if verb.needs_cell else [0]
        if verb.name.startswith("place_unit"):
            spots = [*spots, at(0, 2), at(1, 2), at(2, 2)]  # type: ignore[list-item]
        offered = offered_by(mask, v, values)
        for spot, who in itertools.product(spots, range(3) if verb.needs_nation else [0]):
            for picks in itertools.product(*values):
                heads = command(verb.name, who, spot, *picks)
                (order,) = decoded(w, heads)
                legal = validate.is_legal(w.world, w.rules, 0, *order)
                if legal != ((who, spot, *picks) in offered):
                    wrong.append((verb.name, who, spot, picks, legal))
    assert wrong == []


def offered_by(mask: Any, v: int, values: Any) -> set[tuple[int, ...]]:
    """All ways to give a verb as the masks of its heads offer them, one after the other."""
    if v + 1 not in allowed(mask):
        return set()
    found = set()
    for who in allowed(mask, v + 1):
        for spot in allowed(mask, v + 1, who):
            partial = [[v + 1, who, spot]]
            for k, some in enumerate(values):
                partial = [
                    [*heads, pick] for heads in partial for pick in allowed(mask, heads) if pick in some
                ]
                assert all(len(heads) == 4 + k for heads in partial)
            found.update(tuple(heads[1:]) for heads in partial)
    return found


@pytest.mark.rule("ARMY-061", "ARMY-019")
def test_strengths_that_can_be_placed_depend_on_the_depot() -> None:
    """49 funds: 25 infantry cost 25, 50 would cost 50. A unit of 190 has room for 10, so 50 cost it 10 funds.

    Armor keeps its type: 5 funds a strength, so 25 of anything cost it 125. Reserves 60 hold no 100.
    """
    mask = mask_of(front(funds=49, reserves=60))
    infantry = NAMES.index("place_unit:infantry")
    strengths = MENU.values(infantry - 1, 1)
    assert strengths == [10, 25, 50, 100, 150, 200]
    assert cells_for(mask, "place_unit:infantry") == {at(0, 2), at(1, 2)}
    assert allowed(mask, infantry, 0, at(0, 2)) == list(range(32))
    assert allowed(mask, infantry, 0, at(0, 2), 5) == [0, 1]
    assert allowed(mask, infantry, 0, at(1, 2), 5) == [0, 1, 2]
    mask = mask_of(front(funds=125, reserves=60))
    assert cells_for(mask, "place_unit:infantry") == {at(0, 2), at(1, 2), at(2, 2)}
    assert allowed(mask, infantry, 0, at(2, 2), 5) == [0, 1]


@pytest.mark.rule("ARMY-061")
def test_placing_takes_funds_and_reserves_from_the_commands_after_it() -> None:
    """Reserves 60, 900 funds: after 50 infantry 10 are left; after 50 on the unit of 190 there are 50."""
    mask = mask_of(front())
    at_empty, at_unit = (command("place_unit:infantry", 0, spot, 3, 2) for spot in (at(0, 2), at(1, 2)))
    armor = NAMES.index("place_unit:armor")
    assert cells_for(mask, "place_unit:armor", at_empty) == {at(1, 2), at(2, 2)}
    assert allowed(mask, at_empty, armor, 0, at(2, 2), 0) == [0]
    assert allowed(mask, at_unit, armor, 0, at(2, 2), 0) == [0, 1, 2]
    both = [at_empty, command("place_unit:infantry", 0, at(1, 2), 3, 0)]
    assert cells_for(mask, "place_unit:armor", *both) == set()
    mask["purse"][-7] = 50 + 49  # funds: 49 are left, 10 armor cost 50
    assert not is_open(mask, "place_unit:armor", at_empty)


@pytest.mark.rule("ARMY-062")
def test_shares_of_a_town_become_people() -> None:
    """Of 61: 6, 15 and 30; of 3 at least 1 each, but 0 stays 0, the most that may go. 1 can't be halved."""
    w = front()
    mask = mask_of(w)
    conscript = NAMES.index("conscript")
    assert cells_for(mask, "conscript") == {at(0, 0), at(2, 0)}
    assert MENU.values(conscript - 1, 0) == [0, 10, 25, 50]
    assert MENU.percents(conscript - 1, 0) == [False, True, True, True]
    assert allowed(mask, conscript, 0, at(0, 0)) == [0, 1, 2, 3]
    for spot, people in ((at(0, 0), [0, 6, 15, 30]), (at(2, 0), [0, 1, 1, 1])):
        orders = [decoded(w, command("conscript", 0, spot, a))[0] for a in range(4)]
        assert [order[3] for order in orders] == people
        assert all(validate.is_legal(w.world, w.rules, 0, *order) for order in orders)


@pytest.mark.rule("ARMY-062")
def test_a_town_that_gives_people_serves_nothing_else() -> None:
    w = front(funds=9000)
    w.cell(0, 0, population=300)
    w.cell(0, 0, terrain="metropolis", owner=0, population=300)
    mask = mask_of(w)
    build = "urban_build:modern_city"
    if is_open(mask, build):
        assert at(0, 0) not in cells_for(mask, build, command("conscript", 0, at(0, 0)))
    assert cells_for(mask, "conscript", command("conscript", 0, at(0, 0))) == {at(2, 0)}


def test_a_ruleset_with_another_share_offers_no_more_than_it() -> None:
    """army.conscript_max_percent 30: 10 and 25 percent, and 0; with 0 no conscription at all."""
    for percent, offered in ((30, [1, 1, 1, 0]), (0, [0, 0, 0, 0])):
        ruleset = load_ruleset("season", {"army.conscript_max_percent": percent})
        menu = Menu(ruleset, 3, "conscript", cells=100)
        assert menu.table.marks[0, 0, :4].tolist() == offered
        assert bool(menu.table.verbs["possible"][0]) == any(offered)


@pytest.mark.rule("LIMIT-017", "LIMIT-010")
def test_land_is_ceded_to_those_whose_land_it_touches() -> None:
    """Row 6 of nation 0 touches row 7 of nation 2; with 1 there is war. Nobody wants the cell of a unit."""
    w = front()
    w.unit(0, "infantry", 1, 6)
    mask = mask_of(w)
    assert nations_for(mask, "cede_land") == {2}
    row = {at(x, 6) for x in range(5)} - {at(1, 6)}
    assert cells_for(mask, "cede_land", nation=2) == row
    assert decoded(w, command("cede_land", 2, at(3, 6))) == [(51, 3, 6, 0, 2)]
    once = command("cede_land", 2, at(3, 6))
    assert cells_for(mask, "cede_land", once, nation=2) == {at(0, 6)}  # the neighbours may not touch any more
    mask["uses"][3] = 1
    assert is_open(mask, "cede_land") and not is_open(mask, "cede_land", once)


def test_a_cell_between_two_nations_is_ceded_to_either() -> None:
    """At peace with both: (4, 6) touches row 7 of nation 2 and column 5 of nation 1, (4, 3) only that."""
    w = front()
    w.relation(0, 1, state="peace", declarer=None)
    mask = mask_of(w)
    assert nations_for(mask, "cede_land") == {1, 2}
    assert at(4, 6) in cells_for(mask, "cede_land", nation=1) & cells_for(mask, "cede_land", nation=2)
    assert at(4, 3) in cells_for(mask, "cede_land", nation=1) - cells_for(mask, "cede_land", nation=2)
    war = command("declare_war", 1)
    assert nations_for(mask, "cede_land", war) == {2}
    assert at(4, 3) not in cells_for(mask, "cede_land", war, nation=2)


@pytest.mark.rule("LIMIT-014", "LIMIT-016")
def test_one_treaty_with_each_nation_in_an_action() -> None:
    w = front()
    w.relation(0, 1, state="peace", declarer=None)
    mask = mask_of(w)
    assert nations_for(mask, "declare_war") == nations_for(mask, "amity:offer") == {1, 2}
    assert not is_open(mask, "ceasefire:offer") and not is_open(mask, "amity:withdraw")
    war = command("declare_war", 1)
    assert nations_for(mask, "declare_war", war) == nations_for(mask, "amity:offer", war) == {2}
    assert not is_open(mask, "declare_war", war, command("amity:offer", 2))
    assert nations_for(mask, "good_terms:set", war) == {1, 2}


@pytest.mark.rule("LIMIT-015")
def test_a_ceasefire_is_asked_of_enemies_only() -> None:
    mask = mask_of(front())
    assert nations_for(mask, "ceasefire:offer") == {1}
    assert not is_open(mask, "ceasefire:withdraw")
    assert nations_for(mask, "declare_war") == {2}


def test_a_war_that_opens_at_once_ends_the_action() -> None:
    """diplomacy.war_delay 0: what enemies stand beside is another world."""
    menu = Menu(
        load_ruleset("season", {"diplomacy.war_delay": 0}), 3, ["declare_war", "conscript"], cells=100
    )
    space = PlanSpace(menu, 4)
    mask = mask_of(front(), menu)
    assert space.next_mask(mask, [REPLACE]).tolist() == [1, 1, 1]
    assert space.next_mask(mask, [REPLACE, 1, 2, 0, 0, 0, 0, 0]).tolist() == [1, 0, 0]


@pytest.mark.rule("MSL-002", "MSL-004", "MSL-022")
def test_missiles_are_aimed_at_enemies_in_range() -> None:
    """The base on (0, 4) reaches 7 cells, ballistic missiles 12: the right half is nation 1's."""
    mask = mask_of(front())
    near, far = cells_for(mask, "missile_normal"), cells_for(mask, "missile_ballistic")
    assert at(7, 4) in near and at(8, 4) not in near and at(8, 4) in far
    assert near < far and all(spot % 10 >= 5 and spot // 10 <= 6 for spot in far)
    assert far == {at(x, y) for x in range(5, 10) for y in range(7)}


@pytest.mark.rule("MSL-003", "MSL-010")
def test_missiles_are_booked_as_far_as_they_can_be_fired() -> None:
    """3 shots, 20 funds and 1 ammo each: 5 or 0 shots take 60 funds; with 2 ammo they take 40."""
    w = front(funds=100, ammo=50)
    v = NAMES.index("missile_normal")
    assert MENU.values(v - 1, 0) == [0, 1, 2, 5, 10]
    for ammo, shots, left in ((50, 0, 40), (50, 1, 80), (50, 3, 40), (2, 0, 60), (2, 1, 80), (2, 3, 60)):
        w.nation(0, ammo=ammo)
        buffers = {name: array[np.newaxis].copy() for name, array in mask_of(w).items()}
        action = np.array([[REPLACE, *command("missile_normal", 0, at(7, 4), shots)]])
        MENU.book(buffers, np.zeros(1, np.int64), action)
        assert buffers["purse"][0, 9] == left, (ammo, shots)
    assert allowed(mask_of(w), v, 0, at(7, 4)) == [0, 1, 2, 3, 4]


@pytest.mark.rule("MSL-012")
def test_what_may_be_hit_serves_nothing_else() -> None:
    """A missile at (5, 2) comes down within 2 cells, in thunder within 3; those beside lose a neighbour."""
    w = front(funds=9000)
    mask = mask_of(w)
    shot = command("missile_normal", 0, at(5, 2), 1)
    assert cells_for(mask, "conscript", shot) == {at(0, 0)}  # (2, 0) is 4 cells away
    assert cells_for(mask, "place_unit:infantry", shot) == {at(0, 2)}
    again = cells_for(mask, "missile_normal", shot)  # but targets; the base is 6 cells away
    assert again == cells_for(mask, "missile_normal") - {at(5, 2)}
    close = command("missile_normal", 0, at(5, 4), 1)
    w.cell(3, 4, terrain="missile_base", owner=0)
    mask = mask_of(w)
    assert is_open(mask, "missile_normal") and not is_open(mask, "missile_normal", close)


@pytest.mark.rule("MSL-014")
def test_no_missile_follows_what_may_make_a_friend() -> None:
    mask = mask_of(front())
    assert is_open(mask, "missile_ballistic", command("declare_war", 2))
    assert is_open(mask, "missile_ballistic", command("good_terms:clear", 2))
    for name, nation in (("ceasefire:offer", 1), ("amity:offer", 2), ("good_terms:set", 2)):
        assert not is_open(mask, "missile_ballistic", command(name, nation)), name


def test_no_missile_follows_the_end_of_a_base() -> None:
    mask = mask_of(front())
    assert at(0, 4) in cells_for(mask, "prepare_land")
    assert not is_open(mask, "missile_normal", command("prepare_land", 0, at(0, 4)))
    assert is_open(mask, "missile_normal", command("prepare_land", 0, at(1, 0)))


@pytest.mark.rule("MSL-014")
def test_no_missile_near_a_friend() -> None:
    """A normal missile scatters by 2: rows 5 and 6 are within 2 of row 7, which belongs to a friend."""
    w = front()
    w.relation(0, 2, state="amity")
    mask = mask_of(w)
    assert at(6, 4) in cells_for(mask, "missile_normal")
    assert not cells_for(mask, "missile_normal") & {at(x, y) for x in range(10) for y in (5, 6)}
    assert at(6, 6) in cells_for(mask, "missile_ballistic")


@pytest.mark.rule("LIMIT-007", "LIMIT-008")
def test_the_young_fire_nothing_and_blow_nothing_up() -> None:
    for age, missiles, blast in ((14, False, False), (15, True, False), (29, True, False), (30, True, True)):
        w = front()
        w.nation(0, founded=TURN + 1 - age)
        mask = mask_of(w)
        assert is_open(mask, "missile_normal") == missiles
        assert cells_for(mask, "defense_facility:self_destruct") == ({at(2, 5)} if blast else set())


@pytest.mark.rule("LIMIT-018")
def test_nothing_follows_a_self_destruction() -> None:
    mask = mask_of(front())
    assert allowed(mask, command("defense_facility:self_destruct", 0, at(2, 5))) == [0]


@pytest.mark.rule("ARMY-055")
def test_items_are_given_to_own_units_while_there_are_any() -> None:
    """One sword and one weak shield lie in the store; the unit on (1, 2) has a sword and may give it back."""
    mask = mask_of(front())
    assert cells_for(mask, "equip_item:take_back") == {at(1, 2)}
    assert cells_for(mask, "equip_item:sword_of_war_god") == {at(2, 2), at(6, 5)}
    assert cells_for(mask, "equip_item:weak_shield") == {at(1, 2), at(2, 2), at(6, 5)}
    assert not is_open(mask, "equip_item:cloak_of_zoc_ignoring")
    sword = command("equip_item:sword_of_war_god", 0, at(2, 2))
    assert not is_open(mask, "equip_item:sword_of_war_god", sword)
    assert cells_for(mask, "equip_item:weak_shield", sword) == {at(1, 2), at(6, 5)}
    swap = command("equip_item:weak_shield", 0, at(1, 2))  # the sword it had is not counted on
    assert not is_open(mask, "equip_item:sword_of_war_god", swap, sword)


@pytest.mark.rule("ARMY-001", "ARMY-003")
def test_every_corps_may_get_every_order_and_direction() -> None:
    w = front()
    mask = mask_of(w)
    v = NAMES.index("corps_orders:defend")
    assert allowed(mask, v, 0, 0) == list(range(32))
    assert allowed(mask, v, 0, 0, 31) == list(range(7))
    assert decoded(w, command("corps_orders:defend", 0, 0, 3, 0)) == [(62, 0, 0, 3040, 0)]
    few = Menu(load_ruleset("season", {"army.corps": 4}), 3, "corps_orders", cells=100)
    assert few.table.marks[0, 0].sum() == 4


@pytest.mark.parametrize("seed", range(6))
def test_a_sampled_plan_says_what_its_heads_say(seed: int) -> None:
    """What is decoded means the verb, the cell, the nation and the values that were drawn."""
    w = front(funds=9000)
    SPACE.seed(seed)
    for _ in range(10):
        action = SPACE.sample_legal(mask_of(w), mode=REPLACE)
        commands = [action[1 + k * HEADS : 1 + (k + 1) * HEADS].tolist() for k in range(4)]
        commands = [heads for heads in commands if heads[0]]
        for heads, order in zip(commands, decoded(w, *commands), strict=True):
            assert validate.is_legal(w.world, w.rules, 0, *order)
            meaning = table.unpack(*order)
            v = heads[0] - 1
            assert meaning is not None and meaning.verb is MENU.verbs[v]
            if meaning.cell is not None:
                assert at(*meaning.cell) == heads[2]
            assert meaning.nation == (heads[1] if meaning.verb.needs_nation else None)
            people = int(w.world.cells.reshape(-1)["population"][heads[2]])
            for k, value in enumerate(meaning.values):
                named = MENU.values(v, k)[heads[3 + k]]
                share = MENU.percents(v, k)[heads[3 + k]]
                assert value == (max(1, people * named // 100) if share else named)


@pytest.mark.rule("CMD-005")
def test_a_command_of_war_that_is_masked_out_is_refused_with_a_reason() -> None:
    w = front()
    for heads, why in (
        (command("missile_normal", 0, at(5, 8)), reason.NOT_A_TARGET),
        (command("conscript", 0, at(4, 4)), reason.ENEMY_NEAR),
        (command("place_unit:armor", 0, at(0, 2), 0, 5), reason.NO_STRENGTH),
        (command("cede_land", 1, at(4, 0)), reason.AT_WAR),
        (command("equip_item:take_back", 0, at(2, 2)), reason.NO_ITEM),
    ):
        (order,) = decoded(w, heads)
        assert validate.check(w.world, w.rules, 0, 0, TURN + 1, *order) == why
