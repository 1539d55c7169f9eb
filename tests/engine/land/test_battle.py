"""Land battle: damage, search, support, counters, ammunition, experience, items, wounded."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import event, unit_item
from hakoenv.engine.land import army, combat, targets, troops
from hakoenv.engine.world import EVENT_LENGTH
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

UNITS = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")


def duel(
    attacker: str = "infantry",
    target: str = "infantry",
    *,
    ground: str = "plains",
    here: str = "plains",
    apart: int = 1,
    orders: tuple[str, str] = ("hold", "move"),
    one: dict[str, Any] | None = None,
    two: dict[str, Any] | None = None,
    **settings: Any,
) -> SmallWorld:
    """Nation 0's unit (index 0) at (4, 4), nation 1's (index 1) to the east of it, at war."""
    w = SmallWorld(height=9, width=11, nations=3, **settings)
    w.cell(4, 4, terrain=here, owner=0)
    w.cell(4 + apart, 4, terrain=ground, owner=1)
    w.nation(0, ammo=50)
    w.nation(1, ammo=50)
    w.unit(0, attacker, 4, 4, **{"strength": 100, **(one or {})})
    w.unit(1, target, 4 + apart, 4, **{"strength": 100, **(two or {})})
    w.corps(0, 0, order=orders[0])
    w.corps(1, 0, order=orders[1])
    w.war(0, 1)
    return w


def fight(w: SmallWorld) -> tuple[int, int]:
    """Run the phase; the strength of the two units then, 0 for one that is gone."""
    w.phase("army")
    return int(w.world.units[0]["strength"]), int(w.world.units[1]["strength"])


def strike(w: SmallWorld, unit: int = 0) -> tuple[int, int]:
    """Let one unit act and nobody else; the strength of the first two units then."""
    army.act(w.world, w.rules, unit)
    return int(w.world.units[0]["strength"]), int(w.world.units[1]["strength"])


def dealt(w: SmallWorld, power: int, support: int = 100, defence: int = 0, dealer: int = 0) -> int:
    return int(combat.damage(w.world, w.rules, dealer, 1 - dealer, power, support, defence))


def events(w: SmallWorld) -> list[tuple[int, int, int, int, int]]:
    """Kind, nation, other, cell and amount of the listed events."""
    count = min(int(w.world.clock[0]["event_count"]), EVENT_LENGTH)
    fields = ("kind", "nation", "other", "cell", "amount")
    return [tuple(int(e[name]) for name in fields) for e in w.world.events[:count]]  # type: ignore[misc]


def over_turns(make: Callable[[], SmallWorld], turns: int) -> list[SmallWorld]:
    """The same phase in many turns, each from a fresh start."""
    found = []
    for turn in range(1, turns + 1):
        w = make()
        w.world.clock[0]["turn"] = 1000 + turn
        w.phase("army")
        found.append(w)
    return found


# ---------------------------------------------------------------- the formula


@pytest.mark.rule("ARMY-034", "ARMY-036", "ARMY-042", "ARMY-040", "ARMY-025", "ARMY-027", "ARMY-046")
def test_attack_of_the_second_example() -> None:
    w = duel("armor", "infantry", ground="forest", one={"experience": 20})
    w.nation(0, military=3)
    # (187 + 8) / 10 = 19; x (15 + 5) / 10 = 38; x 160% = 60; x (8 - 1) / 10 = 42; x 109% = 45
    assert dealt(w, (187 + 8) // 10, support=160, defence=1) == 45


@pytest.mark.rule("ARMY-034", "ARMY-036", "ARMY-037", "ARMY-038", "ARMY-047")
def test_attack_of_the_third_example() -> None:
    w = duel("artillery", "infantry", ground="mountain", one={"experience": 20}, weather={"temperate": "fog"})
    w.cell(5, 4, climate="tropical")
    # 18; x 17/10 = 30; x 160% = 48; x 7/10 = 33; x 110% = 36; x 80% = 28
    assert dealt(w, (180 + 5) // 10, support=160) == 28


@pytest.mark.rule("ARMY-050", "ARMY-036")
def test_counter_of_the_first_example() -> None:
    assert dealt(duel(), (98 + 6) // 20, dealer=1) == 5


@pytest.mark.rule("ARMY-050", "ARMY-039", "ARMY-041", "ARMY-037")
def test_counter_of_the_second_example() -> None:
    w = duel("airborne", "infantry", here="town", two={"experience": 50})
    w.cell(4, 4, climate="arctic")
    w.nation(1, ammo=0, military=2)
    # 46 / 20 = 2; x 20/10 = 4; x 9/10 = 3; x 110% = 3; / 4 = 0; x 106% = 0; at least 1
    assert dealt(w, 46 // 20, dealer=1) == 1


@pytest.mark.rule("ARMY-050", "ARMY-053", "ARMY-044")
def test_counter_of_the_third_example() -> None:
    w = duel("marines", "armor", here="town", two={"experience": 20, "items": ["sword_of_war_god"]})
    w.cell(4, 4, climate="subtropical")
    w.nation(1, military=4)
    # 201 / 20 = 10; x 19/10 = 19; x 8/10 = 15; x 105% = 15; x 112% = 16; x 2 = 32
    assert dealt(w, (190 + 11) // 20, dealer=1) == 32
    w.unit(0, "infantry", 0, 0)
    assert combat.damage(w.world, w.rules, 1, 0, (190 + 11) // 20, 100, 0) == 32


@pytest.mark.rule("ARMY-039", "ARMY-040")
@pytest.mark.parametrize(("ammo", "expected"), [(0, 2), (1, 10)])
def test_a_dealer_short_of_ammunition_does_a_quarter(ammo: int, expected: int) -> None:
    w = duel()
    w.nation(0, ammo=ammo, military=5)
    assert dealt(w, (95 + 3) // 10) == expected  # 9 / 4 = 2, x 115% = 2; else 9 x 115% = 10


@pytest.mark.rule("ARMY-040", "RES-009")
@pytest.mark.parametrize(("level", "before", "after"), [(5, 53, 60), (0, 53, 53), (1, 20, 20)])
def test_military_research_of_the_dealer_multiplies(level: int, before: int, after: int) -> None:
    w = duel()
    w.nation(0, military=level)
    w.nation(1, military=5 - level)
    assert dealt(w, before) == after


@pytest.mark.rule("ARMY-041")
def test_damage_is_at_least_one_and_at_most_what_is_there() -> None:
    rules = {"unit_matchup.infantry.infantry": 20}
    assert dealt(duel(rules=rules), 9 // 10, support=190) == 1
    w = duel("armor", "infantry", one={"experience": 90}, two={"strength": 40})
    assert dealt(w, 200 // 10, support=190) == 40  # 20 x 30/10 = 60; x 190% = 114


@pytest.mark.rule("ARMY-042")
def test_defence_comes_off_the_terrain_effect_of_the_attack() -> None:
    assert dealt(duel(), 20, defence=1) == 18
    assert dealt(duel(), 20) == 20


@pytest.mark.rule("ARMY-042")
def test_a_defending_attacker_has_no_defence_against_the_counter() -> None:
    # 100 / 10 = 10 -> 90 left; 90 / 20 = 4, by T 10 - 0, not 10 - 1 (which would give 3)
    assert strike(duel(orders=("defend", "hold"))) == (96, 90)
    assert strike(duel(orders=("hold", "defend"))) == (96, 91)  # 10 x 9/10 = 9; 91 / 20 = 4
    assert strike(duel(orders=("hold", "defend"), two={"corps": 3})) == (96, 90)  # another corps


@pytest.mark.rule("ARMY-002", "ARMY-042", "ARMY-052")
def test_an_order_is_the_order_of_all_units_of_a_corps_and_no_other() -> None:
    w = duel(orders=("hold", "hold"))
    w.corps(1, 5, order="defend")
    assert strike(w) == (96, 90)
    w.world.units[1]["corps"] = 5
    w.world.units[0]["strength"] = w.world.units[1]["strength"] = 100
    assert strike(w)[1] == 91


@pytest.mark.rule("ARMY-043")
def test_the_weak_shield_caps_the_matchup_before_the_level_is_added() -> None:
    shield = {"items": ["weak_shield"]}
    assert dealt(duel("armor", "infantry", one={"experience": 50}, two=shield), 10) == 20  # (10 + 10) / 10
    assert dealt(duel("armor", "infantry", one={"experience": 50}), 10) == 25  # (15 + 10) / 10
    rules = {"unit_matchup.armor.infantry": 8}
    assert dealt(duel("armor", "infantry", two=shield, rules=rules), 10) == 8


@pytest.mark.rule("ARMY-044", "ARMY-043", "ARMY-036")
def test_the_sword_doubles_after_all_factors() -> None:
    w = duel("armor", "infantry", ground="wasteland", one={"items": ["sword_of_war_god"]},
             two={"items": ["weak_shield"]}, rules={"unit_terrain.infantry.wasteland": 9})  # fmt: skip
    assert dealt(w, 150 // 10, support=130) == 34  # 15; 15; 19; 17; x 2


@pytest.mark.rule("ARMY-045", "ARMY-044", "ARMY-041")
@pytest.mark.parametrize(("power", "sword", "expected"), [(15, False, 7), (1, False, 1), (15, True, 15)])
def test_the_iron_wall_halves_after_the_sword(power: int, sword: bool, expected: int) -> None:
    one = {"items": ["sword_of_war_god"]} if sword else {}
    assert dealt(duel(one=one, two={"items": ["shield_of_iron_wall"]}), power) == expected


@pytest.mark.rule("ARMY-053")
def test_items_act_in_a_counter_with_the_roles_swapped() -> None:
    rules = {"unit_matchup.infantry.infantry": 14}
    two = {"strength": 200, "experience": 0}
    assert dealt(duel(two=two, rules=rules), 10, dealer=1) == 14
    assert dealt(duel(one={"items": ["weak_shield"]}, two=two, rules=rules), 10, dealer=1) == 10
    assert dealt(duel(one={"items": ["shield_of_iron_wall"]}, two=two, rules=rules), 10, dealer=1) == 7
    assert dealt(duel(two={**two, "items": ["sword_of_war_god"]}, rules=rules), 10, dealer=1) == 28


@pytest.mark.rule("ARMY-037", "ARMY-038", "ARMY-036")
def test_climate_is_the_receivers_and_weather_the_dealers() -> None:
    w = duel(weather={"temperate": "fog", "tropical": "fine"})
    w.cell(5, 4, climate="tropical")
    assert dealt(w, 33) == 28  # 33 x 110% = 36, x 80% = 28
    assert dealt(w, 33, dealer=1) == 33  # tropical dealer under a fine sky, temperate receiver
    percents = {row["name"]: row["unit_damage_percent"] for row in load_ruleset().table("climate")}
    zones = ("tropical", "subtropical", "temperate", "subarctic", "arctic")
    assert [percents[zone] for zone in zones] == [110, 105, 100, 105, 110]


@pytest.mark.rule("ARMY-036")
def test_fractions_are_dropped_after_every_factor() -> None:
    assert dealt(duel("airborne", "infantry"), 155 // 10) == 16  # 15 x 11/10 = 16, not 17
    w = duel("armor", "infantry", ground="forest", one={"experience": 20})
    w.nation(0, military=3)
    assert dealt(w, 195 // 10, support=160, defence=1) == 45  # one floor at the end would give 46


@pytest.mark.rule("ARMY-025", "ARMY-026")
def test_the_row_of_the_matchup_deals_the_damage() -> None:
    assert dealt(duel("armor", "infantry"), 10) == 15
    assert dealt(duel("armor", "infantry"), 10, dealer=1) == 5  # M(infantry, armor) 6, armor on plains 9
    table = load_ruleset().rules.unit_matchup
    assert table.shape == (7, 7) and (table > 10).any() and (table > 0).all()
    assert all(table[k, k] == 10 for k in range(7))


@pytest.mark.rule("ARMY-027", "ARMY-028")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("plains", 10), ("town", 8), ("depot", 7), ("defense_facility", 5), ("wasteland", 10), ("sea", 15)],
)
def test_the_terrain_effect_is_the_receivers(name: str, expected: int) -> None:
    assert dealt(duel(ground=name), 10) == expected


@pytest.mark.rule("ARMY-028", "MAP-033")
def test_a_tunnel_is_a_mountain_in_battle() -> None:
    w = duel(ground="mountain")
    w.cell(5, 4, tunnel=True)
    assert dealt(w, 10) == 7
    table = load_ruleset().rules.unit_terrain
    assert table.shape == (7, 14) and (table > 0).all()


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
def test_terrains_that_have_the_effect_of_another(like: str, name: str) -> None:
    rules = {"unit_terrain.infantry.seabed_base": 3}  # unlike the sea, which it equals otherwise
    for kind in range(7):
        both = []
        for ground in (like, name):
            w = duel(target=UNITS[kind], ground=ground, rules=rules)
            both.append(dealt(w, 20))
        assert both[0] == both[1], UNITS[kind]


@pytest.mark.rule("ARMY-032", "ARMY-033")
def test_ships_count_as_sea_in_the_unit_tables() -> None:
    names = ("destroyer", "cruiser", "battleship", "carrier", "submarine", "merchant", "large_merchant",
             "pirate", "cruise_ship", "fishing_boat")  # fmt: skip
    table = {row["name"]: row["unit_table_as"] for row in load_ruleset().table("terrains")}
    assert {table[name] for name in names} == {"sea"}


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("ARMY-035")
def test_the_experience_roll_covers_its_range_and_no_more() -> None:
    """A roll of 0..9 in 200 turns: some number never comes in one run of 100 million."""

    def make(experience: int) -> SmallWorld:
        rules = {"army.attack_divisor": 1, "army.level_bonus": 0}
        return duel(one={"experience": experience}, two={"strength": 200}, rules=rules)

    for experience, count in ((10, 200), (2, 40)):
        worlds = over_turns(lambda experience=experience: make(experience), count)  # type: ignore[misc]
        rolls = [200 - int(w.world.units[1]["strength"]) - 100 for w in worlds]
        assert set(rolls) == set(range(experience))


@pytest.mark.rule("ARMY-035")
@pytest.mark.parametrize("experience", [0, 1])
def test_the_roll_of_the_inexperienced_is_0(experience: int) -> None:
    def make() -> SmallWorld:
        return duel(one={"experience": experience}, two={"strength": 200}, rules={"army.attack_divisor": 1})

    assert {int(w.world.units[1]["strength"]) for w in over_turns(make, 10)} == {100}


@pytest.mark.rule("ARMY-035", "ARMY-050")
def test_the_counter_draws_a_roll_of_its_own() -> None:
    """Two rolls of 0..9 in 100 turns: always equal in one run of 10**100."""

    def make(attack: int, counter: int) -> SmallWorld:
        rules = {"army.attack_divisor": attack, "army.counter_divisor": counter, "army.level_bonus": 0}
        one, two = {"strength": 1000, "experience": 10}, {"strength": 5000 // attack, "experience": 10}
        return duel(one=one, two=two, rules=rules)

    first = [5000 - int(w.world.units[1]["strength"]) - 1000 for w in over_turns(lambda: make(1, 5000), 100)]
    # an attack of 1000 / 500 = 2 leaves 8; the counter is 8 + roll
    second = [1000 - int(w.world.units[0]["strength"]) - 8 for w in over_turns(lambda: make(500, 1), 100)]
    assert set(first) | set(second) <= set(range(10)) and len(set(second)) > 5
    assert first != second


# ---------------------------------------------------------------- search and support


def ring(reach: int, kind: str, helpers: int, foes: int = 1) -> SmallWorld:
    """An attacker at (5, 5) with enemies and own units on the cells around, all out of others' way."""
    w = SmallWorld(height=11, width=11, nations=3)
    w.nation(0, ammo=50)
    w.war(0, 1)
    w.unit(0, kind, 5, 5, strength=200)
    w.corps(0, 1, order="move")
    w.corps(1, 0, order="move")
    cells = [(x, y) for y in range(11) for x in range(11) if 0 < _distance(w, x, y) <= reach]
    for k, (x, y) in enumerate(cells[: foes + helpers]):
        if k < foes:
            w.unit(1, "infantry", x, y, strength=200)
        else:
            w.unit(0, "battery", x, y, corps=1)
    return w


def _distance(w: SmallWorld, x: int, y: int) -> int:
    return int(hexgrid.distance(11, 5 * 11 + 5, y * 11 + x))


def supporters(w: SmallWorld) -> tuple[int, int]:
    """The unit that nation 0's unit 0 finds, and how many own ones before it."""
    found, count = targets.find(w.world, w.rules, 0, int(w.world.units[0]["cell"]))
    return int(found), int(count)


@pytest.mark.rule("ARMY-046", "ARMY-048")
def test_every_number_of_supporters_is_equally_likely() -> None:
    """Five own units and one enemy around: n is uniform on 0..5. False alarm: chi-square, one in 10**6."""
    w = ring(1, "infantry", helpers=5)
    seen: Counter[int] = Counter()
    for turn in range(1200):
        w.world.clock[0]["turn"] = turn + 1
        seen[supporters(w)[1]] += 1
    assert set(seen) == set(range(6))
    assert sum((seen[n] - 200) ** 2 / 200 for n in range(6)) < 35.9  # 5 degrees of freedom


@pytest.mark.rule("ARMY-047", "ARMY-048")
def test_artillery_looks_at_18_cells_in_any_order() -> None:
    """Seventeen own units and one enemy: n has mean 8.5; false alarm: six sigma, one in 10**8."""
    w = ring(2, "artillery", helpers=17)
    total = 0
    extremes = set()
    for turn in range(600):
        w.world.clock[0]["turn"] = turn + 1
        n = supporters(w)[1]
        total += n
        extremes.add(n)
    assert min(extremes) == 0 and max(extremes) == 17  # missed in one run of 10**14
    assert abs(total / 600 - 8.5) < 6 * 5.19 / 600**0.5


@pytest.mark.rule("ARMY-048")
def test_each_of_several_enemies_may_be_found_first() -> None:
    """Six enemies in 600 turns; false alarm: chi-square, one in 10**6."""
    w = ring(1, "infantry", helpers=0, foes=6)
    seen: Counter[int] = Counter()
    for turn in range(600):
        w.world.clock[0]["turn"] = turn + 1
        seen[supporters(w)[0]] += 1
    assert sum((seen[k] - 100) ** 2 / 100 for k in range(1, 7)) < 35.9


@pytest.mark.rule("ARMY-048")
def test_the_order_belongs_to_the_turn_and_the_unit() -> None:
    w = ring(1, "infantry", helpers=5)
    w.world.clock[0]["turn"] = 7
    assert supporters(w) == supporters(w)  # one order for each unit and turn
    other = [targets.find(w.world, w.rules, 0, place)[1] for place in range(40)]
    assert len(set(other)) > 1  # units that stood elsewhere have another


@pytest.mark.rule("ARMY-046", "ARMY-048", "EMBARK-004", "ARMY-049")
def test_allies_and_units_aboard_ships_give_no_support() -> None:
    w = ring(1, "infantry", helpers=0)
    w.faction("Us", 0, [2])
    w.unit(2, "infantry", 6, 5)
    w.ship(0, "destroyer", 5, 6)
    w.unit(0, "infantry", aboard=0)
    for turn in range(30):
        w.world.clock[0]["turn"] = turn + 1
        assert supporters(w)[1] == 0


@pytest.mark.rule("ARMY-046", "ARMY-034")
@pytest.mark.parametrize(("kind", "each"), [("infantry", 30), ("artillery", 15), ("battery", 15)])
def test_each_supporter_adds_its_share(kind: str, each: int) -> None:
    rules = {"army.attack_divisor": 1, f"unit_matchup.{kind}.infantry": 10, "army.unit_max_strength": 10000}
    w = SmallWorld(height=11, width=11, nations=2, rules=rules)
    w.nation(0, ammo=100)
    w.war(0, 1)
    w.unit(0, kind, 5, 5, strength=100)
    w.corps(0, 1, order="move")
    w.corps(1, 0, order="retreat")  # it counters with 1
    w.unit(1, "infantry", 6, 5, strength=10000)
    w.cell(6, 5, terrain="plains")
    for x, y in ((5, 4), (6, 4), (4, 5), (5, 6), (6, 6)):
        w.unit(0, "battery", x, y, corps=1)
    found = set()
    for turn in range(40):
        w.world.units[1]["strength"] = 10000
        w.world.units[0]["strength"], w.world.units[0]["experience"] = 100, 0
        w.world.clock[0]["turn"] = turn + 1
        n = supporters(w)[1]
        w.phase("army")
        assert 10000 - int(w.world.units[1]["strength"]) == 100 + each * n
        found.add(n)
    assert len(found) > 3


@pytest.mark.rule("ARMY-011", "ARMY-012", "ARMY-013", "ARMY-004")
@pytest.mark.parametrize(("kind", "reach"), list(zip(UNITS, (1, 2, 1, 1, 1, 1, 2), strict=True)))
def test_how_far_each_type_attacks(kind: str, reach: int) -> None:
    for apart in (1, 2, 3):
        w = duel(kind, "battery", apart=apart, here="sea", ground="sea", orders=("hold", "move"))
        assert (fight(w)[1] < 100) == (apart <= reach), apart


@pytest.mark.rule("ARMY-049")
@pytest.mark.parametrize("state", ["peace", "amity", "pending"])
def test_only_nations_in_open_war_are_attacked(state: str) -> None:
    w = duel(orders=("attack", "attack"))
    w.relation(0, 1, state=state)
    assert fight(w) == (100, 100)


@pytest.mark.rule("ARMY-049", "ARMY-058")
def test_unseen_enemies_are_attacked_too() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.nation(0, ammo=5)
    w.war(0, 1)
    w.unit(0, "artillery", 4, 4, strength=200)
    w.unit(1, "infantry", 6, 4)
    w.corps(1, 0, order="move")
    w.world.nations["capital"] = -1  # nobody owns land
    assert fight(w)[1] == 64  # 200/10 = 20; x 12/10 = 24; x 15/10 on the sea = 36


@pytest.mark.rule("ARMY-049", "ARMY-064")
def test_a_unit_attacks_once_a_turn() -> None:
    w = duel(two={"strength": 200})
    w.unit(1, "infantry", 4, 3, strength=200)
    w.unit(1, "infantry", 3, 4, strength=200)
    w.phase("army")
    assert sum(200 - int(u["strength"]) for u in w.world.units[1:4]) in (10, 15)  # plains, or sea
    assert sum(kind == event.BATTLE for kind, *_ in events(w)) == 1


# ---------------------------------------------------------------- counters


@pytest.mark.rule("ARMY-051", "ARMY-012", "ARMY-013", "ARMY-011")
@pytest.mark.parametrize(
    ("kind", "apart", "countered"),
    [("infantry", 1, True), ("artillery", 1, True), ("artillery", 2, False), ("battery", 1, False),
     ("battery", 2, False)],
)  # fmt: skip
def test_when_a_survivor_counters(kind: str, apart: int, countered: bool) -> None:
    w = duel(kind, apart=apart)
    one, two = fight(w)
    assert two < 100 and (one < 100) == countered
    assert [e[0] for e in events(w)] == [event.BATTLE] + [event.COUNTERED] * countered


@pytest.mark.rule("ARMY-051", "ARMY-050")
def test_a_counter_is_made_with_what_the_attack_left_and_not_answered() -> None:
    w = duel(one={"strength": 187}, two={"strength": 100})
    # 187 / 10 = 18 -> 82 left; 82 / 20 = 4
    assert strike(w) == (183, 82)


@pytest.mark.rule("ARMY-051", "ARMY-041")
def test_the_annihilated_do_not_counter() -> None:
    w = duel(one={"strength": 200}, two={"strength": 20})
    assert fight(w) == (200, 0)
    assert w.cell(5, 4).unit is None and len(w.units(owner=1)) == 0
    assert events(w) == [(event.BATTLE, 0, 1, 4 * 11 + 5, 20), (event.UNIT_LOST, 1, -1, 4 * 11 + 5, 20)]


@pytest.mark.rule("ARMY-052")
@pytest.mark.parametrize("items", [[], ["sword_of_war_god"]], ids=["bare", "sword"])
def test_a_retreating_unit_counters_with_1(items: list[str]) -> None:
    w = duel(orders=("hold", "retreat"), two={"strength": 180, "items": items})
    assert fight(w) == (99, 170)


@pytest.mark.rule("ARMY-051", "ARMY-050", "ARMY-041", "ARMY-054")
def test_a_counter_can_annihilate_the_attacker() -> None:
    w = duel("infantry", "armor", orders=("attack", "move"), one={"strength": 9}, two={"strength": 200})
    w.corps(0, 0, direction="west")
    w.cell(3, 4, terrain="plains", owner=0)
    assert fight(w) == (0, 199)  # and the dead don't step west
    assert w.units()[0].experience == 6
    assert w.cell(4, 4).unit is None and w.cell(3, 4).unit is None


@pytest.mark.rule("EMBARK-004", "ARMY-049")
def test_units_aboard_neither_fight_nor_are_fought() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.war(0, 1)
    w.nation(0, ammo=9)
    w.nation(1, ammo=9)
    w.cell(4, 4, terrain="plains", owner=0)
    w.unit(0, "infantry", 4, 4)
    w.ship(1, "destroyer", 5, 4)
    w.unit(1, "infantry", aboard=0)
    w.phase("army")
    assert [u.strength for u in w.units()] == [100, 100] and events(w) == []


# ---------------------------------------------------------------- ammunition


@pytest.mark.rule("ARMY-056", "ARMY-039")
def test_ammunition_runs_out_in_the_example() -> None:
    w = duel("artillery", "infantry", apart=2, two={"strength": 200})
    w.nation(0, ammo=1)
    w.cell(6, 4, terrain="plains", owner=1)
    assert strike(w)[1] == 197  # 100 / 10 = 10; x 12/10 = 12; / 4 = 3; short of 2, ammo stays 1
    assert w.nation(0).ammo == 1
    w.unit(0, "infantry", 5, 4)
    w.cell(5, 4, terrain="plains", owner=0)
    assert strike(w, 2)[1] == 187  # 10: it has the one it takes
    assert w.nation(0).ammo == 0
    w.unit(0, "infantry", 6, 3)
    w.cell(6, 3, terrain="plains", owner=0)
    assert strike(w, 3)[1] == 185  # 10 / 4 = 2
    assert w.nation(0).ammo == 0
    assert w.world.accounts[0, 36, 6] == -1  # booked as a battle's, once


@pytest.mark.rule("ARMY-056", "ARMY-039", "ARMY-004")
@pytest.mark.parametrize("kind", UNITS)
def test_an_attack_takes_ammunition_of_the_treasury_and_a_counter_none(kind: str) -> None:
    w = duel(kind, "infantry", one={"strength": 200}, two={"strength": 200})
    fight(w)
    assert (w.nation(0).ammo, w.nation(1).ammo) == (48 if kind == "artillery" else 49, 50)


@pytest.mark.rule("ARMY-039", "ARMY-056")
def test_a_counter_of_a_nation_without_ammunition_is_a_quarter() -> None:
    w = duel(one={"strength": 200}, two={"strength": 200})
    w.nation(1, ammo=0)
    assert fight(w) == (198, 180)  # 180 / 20 = 9; / 4 = 2
    w = duel("infantry", "artillery", one={"strength": 100}, two={"strength": 200})
    w.nation(1, ammo=1)  # an attack of artillery takes 2
    assert fight(w) == (98, 187)  # 10 x 12/10 x 11/10 = 13; 187 / 20 = 9; x 12/10 = 10; / 4 = 2


# ---------------------------------------------------------------- experience


@pytest.mark.rule("ARMY-054", "ARMY-035")
def test_the_level_rises_with_the_thresholds() -> None:
    rules = load_ruleset().rules
    assert [troops.level(rules, n) for n in (0, 19, 20, 49, 50, 89, 90, 100)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert dealt(duel(one={"experience": 19}), 10) == 10
    assert dealt(duel(one={"experience": 20}), 10) == 15
    assert dealt(duel(one={"experience": 50}), 10) == 20
    assert dealt(duel(one={"experience": 90}), 10) == 25


@pytest.mark.rule("ARMY-054")
def test_gains_are_added_after_the_exchange() -> None:
    rules = {"army.attack_divisor": 1000, "army.counter_divisor": 1000, "army.min_damage": 1}
    w = duel(one={"experience": 19}, two={"experience": 49}, rules=rules)
    fight(w)
    assert [u.experience for u in w.units()] == [20, 50]
    w = duel(one={"experience": 19, "strength": 200}, two={"strength": 200}, rules={"army.level_bonus": 100})
    w.world.clock[0]["turn"] = 5
    before = w.world.units[1]["strength"]
    fight(w)
    assert before - int(w.world.units[1]["strength"]) in range(20, 22)  # at level 0: (200 + 0..18) / 10


@pytest.mark.rule("ARMY-054")
def test_annihilation_teaches_more_up_to_the_cap() -> None:
    w = duel(one={"experience": 99, "strength": 200}, two={"strength": 1})
    fight(w)
    assert w.units(owner=0)[0].experience == 100  # 99 + 1 + 5
    w = duel(one={"strength": 200}, two={"strength": 1})
    fight(w)
    assert w.units(owner=0)[0].experience == 6


@pytest.mark.rule("ARMY-054", "ARMY-051")
def test_who_is_not_countered_teaches_nobody() -> None:
    w = duel("artillery", apart=2)
    fight(w)
    assert [u.experience for u in w.units()] == [1, 0]


@pytest.mark.rule("ARMY-054")
@pytest.mark.parametrize(
    ("kind", "level", "distance", "owner", "gain"),
    [("monument", 3, 2, 0, 1), ("monument", 3, 3, 0, 0), ("monument", 3, 1, 1, 0), ("monument", 2, 1, 0, 0),
     ("plains", 3, 1, 0, 0)],
    ids=["near", "far", "foreign", "peace", "plains"],
)  # fmt: skip
def test_a_war_monument_trains_own_units_near_it(
    kind: str, level: int, distance: int, owner: int, gain: int
) -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.cell(4, 4, terrain="plains", owner=0)
    w.cell(4 + distance, 4, terrain=kind, level=level, owner=owner)
    w.cell(3, 4, terrain=kind, level=level, owner=1)
    w.unit(0, "infantry", 4, 4, experience=7)
    w.phase("army")
    assert w.units()[0].experience == 7 + gain
    w.world.units[0]["experience"] = 100
    w.phase("army")
    assert w.units()[0].experience == 100


@pytest.mark.rule("ARMY-054")
def test_two_war_monuments_teach_no_more_than_one() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    for x in (3, 5):
        w.cell(x, 4, terrain="monument", level=3, owner=0)
    w.unit(0, "infantry", 4, 4)
    w.phase("army")
    assert w.units()[0].experience == 1


# ---------------------------------------------------------------- items


@pytest.mark.rule("ARMY-055")
def test_half_of_the_items_of_the_annihilated_are_taken() -> None:
    """Two hundred units with an item; false alarm: six sigma, one in 10**8."""

    def make() -> SmallWorld:
        return duel(one={"strength": 200}, two={"strength": 1, "items": ["weak_shield"]})

    stores = [w.nation(0).items["weak_shield"] for w in over_turns(make, 200)]
    assert set(stores) == {0, 1} and abs(sum(stores) - 100) < 43
    w = duel(one={"strength": 200}, two={"strength": 1, "items": ["cloak_of_zoc_ignoring"]},
             rules={"unit.item_taken_percent": 100})  # fmt: skip
    fight(w)
    assert w.nation(0).items["cloak_of_zoc_ignoring"] == 1 and w.nation(1).items["cloak_of_zoc_ignoring"] == 0
    assert (event.ITEM_WON, 0, -1, -1, unit_item.CLOAK_OF_ZOC_IGNORING) in events(w)


@pytest.mark.rule("ARMY-055")
def test_the_item_of_an_attacker_felled_by_the_counter_is_taken_too() -> None:
    w = duel("infantry", "armor", one={"strength": 1, "items": ["weak_shield"]}, two={"strength": 200},
             rules={"unit.item_taken_percent": 100})  # fmt: skip
    fight(w)
    assert w.nation(1).items["weak_shield"] == 1


@pytest.mark.rule("ARMY-055")
@pytest.mark.parametrize("percent", [0, 100])
def test_an_item_that_is_not_taken_is_gone(percent: int) -> None:
    w = duel(one={"strength": 200}, two={"strength": 1, "items": ["weak_shield"]},
             rules={"unit.item_taken_percent": percent})  # fmt: skip
    fight(w)
    stores = [w.nation(n).items["weak_shield"] for n in range(2)]
    assert stores == [percent // 100, 0]
    assert all(u.items == [] for u in w.units())


# ---------------------------------------------------------------- wounded


@pytest.mark.rule("ARMY-057")
@pytest.mark.parametrize(("loss", "wounded"), [(45, 13), (1, 0), (100, 30), (4, 1)])
def test_a_share_of_a_loss_is_wounded(loss: int, wounded: int) -> None:
    w = duel()
    assert troops.lose(w.world, w.rules, 0, loss, 1) == loss
    assert w.nation(0).wounded == wounded
    assert troops.lose(w.world, w.rules, 1, loss, 0) == loss
    assert w.nation(1).wounded == 0


@pytest.mark.rule("ARMY-057", "ARMY-041")
def test_no_more_is_lost_than_there_was() -> None:
    w = duel(one={"strength": 10})
    assert troops.lose(w.world, w.rules, 0, 99, 1) == 10
    assert w.nation(0).wounded == 3 and w.units(owner=0) == []
    assert events(w) == [(event.UNIT_LOST, 0, -1, 4 * 11 + 4, 10)]


@pytest.mark.rule("ARMY-057", "TURN-065", "TURN-029")
@pytest.mark.parametrize(("pool", "back"), [(13, 1), (40, 4), (1, 1), (0, 0), (109, 10)])
def test_wounded_return_in_phase_28(pool: int, back: int) -> None:
    w = SmallWorld(nations=1)
    w.cell(1, 1, terrain="town", owner=0, population=10, capital=True)
    w.nation(0, wounded=pool, reserves=7)
    w.phase("nation_update")
    assert (w.nation(0).wounded, w.nation(0).reserves) == (pool - back, 7 + back)


@pytest.mark.rule("TURN-065", "ARMY-057")
def test_strength_lost_in_a_turn_begins_to_return_in_it() -> None:
    w = duel(one={"strength": 200}, two={"strength": 200})
    for n, x in ((0, 0), (1, 10)):
        w.cell(x, 8, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, food=500, funds=500)
    w.run(1)
    lost = 200 - int(w.world.units[1]["strength"])
    assert lost * 30 // 100 == w.nation(1).wounded + w.nation(1).reserves
    assert w.nation(1).reserves == 1


@pytest.mark.rule("ARMY-057")
def test_famine_and_sinking_give_no_wounded() -> None:
    w = SmallWorld(nations=1)
    w.cell(1, 1, terrain="town", owner=0, population=10, capital=True)
    w.nation(0, famine=1)
    w.unit(0, "infantry", 1, 1, strength=100)
    w.phase("disasters")
    assert w.units()[0].strength < 100 and w.nation(0).wounded == 0


@pytest.mark.rule("ARMY-049", "ARMY-034")
def test_battles_are_told_with_both_sides() -> None:
    w = duel(one={"strength": 200}, two={"strength": 150})
    fight(w)
    place = 4 * 11 + 5
    assert events(w) == [(event.BATTLE, 0, 1, place, 20), (event.COUNTERED, 0, 1, place, 6)]


def test_the_largest_numbers_of_a_ruleset_do_not_wrap() -> None:
    rules: dict[str, object] = {"unit_matchup.armor.infantry": 1000, "unit_terrain.infantry.plains": 1000}
    rules |= {"army.level_bonus": 1000, "army.attack_divisor": 1, "army.table_standard": 1,
              "army.support_percent": 1000, "climate.temperate.unit_damage_percent": 1000,
              "weather.fine.attack_percent": 1000, "items.sword_of_war_god.value": 1000.0,
              "army.unit_max_strength": 10000, "army.experience_cap": 10000}  # fmt: skip
    w = duel("armor", "infantry", one={"strength": 10000, "experience": 10000, "items": ["sword_of_war_god"]},
             two={"strength": 10000}, rules=rules)  # fmt: skip
    w.nation(0, military=5)
    assert dealt(w, 20000, support=216100) == 10000
