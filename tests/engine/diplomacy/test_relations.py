"""What two nations are to each other: the same on both sides, through every order of events."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hakoenv.engine.codes import command, corps_order, event, reason, relation
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.world import EVENT_LENGTH, World, copy_world
from hakoenv.testing import SmallWorld

MUTUAL = ("state", "since", "turns_left", "truce", "declarer")
NUMBER = {
    "declare_war": command.DECLARE_WAR,
    "ceasefire": command.CEASEFIRE,
    "amity": command.AMITY,
}
DIPLOMACY = tuple(NUMBER)


def towns(nations: int, **settings: object) -> SmallWorld:
    """Nations with a town each, all founded long ago."""
    w = SmallWorld(height=5, width=3 * nations, nations=nations, turn=100, **settings)
    for n in range(nations):
        w.cell(3 * n + 1, 2, terrain="town", owner=n, population=60, capital=True)
    return w


def told(w: SmallWorld, *kinds: int) -> list[tuple[int, int, int]]:
    """Kind, nation and other of the events listed in this turn, of the given kinds."""
    count = min(int(w.world.clock["event_count"][0]), EVENT_LENGTH)
    return [
        (int(e["kind"]), int(e["nation"]), int(e["other"]))
        for e in w.world.events[:count]
        if e["kind"] in kinds
    ]


def assert_sound(world: World) -> None:
    """Both sides agree; each state has what belongs to it and nothing else."""
    sides = world.relations
    for name in MUTUAL:
        assert (sides[name] == sides[name].T).all(), name
    state = sides["state"]
    fighting = (state == relation.PENDING) | (state == relation.WAR)
    assert ((sides["turns_left"] > 0) == (state == relation.PENDING)).all()
    assert ((sides["declarer"] >= 0) == fighting).all()
    a, b = np.indices(state.shape)
    assert ((sides["declarer"] == a) | (sides["declarer"] == b))[fighting].all()
    assert (sides["truce"][fighting] == 0).all()
    both = (sides["offer_until"] > 0) & (sides["offer_until"].T > 0)
    assert not both.any()  # a second offer is an acceptance
    assert (state.diagonal() == relation.PEACE).all()


@pytest.mark.rule("LIMIT-014", "LIMIT-015", "LIMIT-016", "TURN-071")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    turns=st.lists(
        st.lists(
            st.tuples(st.integers(0, 3), st.sampled_from(DIPLOMACY), st.integers(0, 1), st.integers(0, 3)),
            max_size=6,
        ),
        max_size=12,
    ),
    delay=st.integers(0, 2),
    falls=st.integers(0, 12),
)
def test_both_sides_agree_whatever_is_commanded(
    turns: list[list[tuple[int, str, int, int]]], delay: int, falls: int
) -> None:
    rules = {"diplomacy.war_delay": delay, "diplomacy.truce_turns": 2, "diplomacy.ceasefire_offer_turns": 1,
             "diplomacy.amity_offer_turns": 1}  # fmt: skip
    w = towns(4, rules=rules)
    for k, orders in enumerate(turns):
        w.phase("clock")
        w.phase("diplomacy")
        for nation, name, amount, target in orders:
            w.order(nation, name, amount=amount, target=target)
        w.phase("plans")
        w.phase("commit")
        assert_sound(w.world)
        if k == falls:
            w.world.nations["alive"][3] = 0
            relations.end_all(w.world, 3)
            assert_sound(w.world)
        if k >= falls:
            assert (w.world.relations["state"][3] == relation.PEACE).all()


STATES = ("peace", "amity", "pending:1", "pending:2", "war")


def between(w: SmallWorld, a: int, b: int, state: str, by: int, offer: int | None, truce: int) -> None:
    """Put two nations into a state, with an offer of this turn or the last usable one."""
    name, _, left = state.partition(":")
    w.relation(a, b, state=name, turns_left=int(left or 0))
    if name in ("pending", "war"):
        w.relation(a, b, by=by)
    elif name == "peace":
        w.relation(a, b, truce=truce)
    if offer is not None and name != "amity":
        w.world.relations[offer, a + b - offer]["offer_until"] = w.turn + truce


@pytest.mark.rule("LIMIT-001", "LIMIT-005", "LIMIT-009", "LIMIT-014", "LIMIT-015", "LIMIT-016")
@pytest.mark.parametrize("state", STATES)
def test_masks_of_diplomacy_say_what_the_coming_turn_accepts(state: str) -> None:
    """By brute force over offers, truces, ages and targets: alone in its turn, a command does as its mask."""
    asked = list(itertools.product(DIPLOMACY, (0, 1, 2), (-1, 0, 1, 2, 3)))
    for by, offer, truce, age in itertools.product((0, 1), (None, 0, 1), (0, 1, 2), (13, 14)):
        w = towns(3)
        between(w, 0, 1, state, by, offer, truce)
        w.nation(1, founded=w.turn - age)
        legal = [
            validate.is_legal(w.world, w.rules, 0, NUMBER[name], 0, 0, amount, target)
            for name, amount, target in asked
        ]
        for phase in ("clock", "turn_state", "diplomacy", "income"):
            w.phase(phase)
        done = []
        for name, amount, target in asked:
            world = copy_world(w.world)
            plans.set_plan(world, 0, [(name, 0, 0, amount, target)])
            execute.run_plan(world, w.rules, 0)
            done.append(plans.results_of(world, 0)[0].reason == reason.DONE)
        assert done == legal, (state, by, offer, truce, age)


@pytest.mark.rule("LIMIT-014")
def test_offers_between_others_change_no_mask() -> None:
    w = towns(3)
    w.relation(0, 1, state="war", by=1)
    w.relation(1, 2, state="war", by=1)
    masks = [mask_of(w)]
    w.relation(1, 2, ceasefire_offer=2)
    masks.append(mask_of(w))
    assert masks[0] == masks[1]


def mask_of(w: SmallWorld) -> list[bool]:
    return [
        validate.is_legal(w.world, w.rules, 0, number, 0, 0, amount, target)
        for number, amount, target in itertools.product(NUMBER.values(), (0, 1), range(3))
    ]


@pytest.mark.rule("LIMIT-009", "TURN-010")
@pytest.mark.parametrize("by", [0, 1])
def test_the_opening_of_a_war_names_who_declared_it(by: int) -> None:
    w = towns(2)
    w.relation(0, 1, state="pending", turns_left=1, by=by)
    w.phase("diplomacy")
    assert told(w, event.WAR_OPENED) == [(event.WAR_OPENED, by, 1 - by)]


@pytest.mark.rule("TURN-029")
def test_wars_treaties_and_offers_of_a_fallen_nation_end() -> None:
    w = towns(4)
    w.relation(0, 1, state="war", by=0)
    w.relation(2, 0, state="amity", since=70)
    w.relation(0, 3, truce=5, amity_offer=3)
    w.relation(1, 2, state="war", by=2, since=90, ceasefire_offer=1)
    relations.end_all(w.world, 0)
    for n in (1, 2, 3):
        assert w.relation(0, n).values() | {"since": 0} == w.relation(n, 0).values() | {"since": 0}
        assert (w.relation(0, n).state, w.relation(0, n).truce, w.relation(0, n).by) == ("peace", 0, None)
        assert w.relation(0, n).amity_offer is None
    assert [w.relation(n, 0).since for n in (1, 2, 3)] == [100, 100, 0]
    third = w.relation(1, 2)
    assert (third.state, third.since, third.ceasefire_offer) == ("war", 90, 1)


@pytest.mark.rule("LIMIT-016")
def test_a_seat_founded_anew_owes_and_offers_nothing() -> None:
    cases = json.loads((Path(__file__).parents[2] / "cases" / "FOUND.json").read_text(encoding="utf-8"))
    site = cases["cases"][0]["world"]
    place = site.pop("founding")[0]
    w = SmallWorld.from_case({"world": site})
    w.relation(0, 1, amity_offer=1)
    w.world.corps["order"][1] = corps_order.MOVE
    w.found(1, place["x"], place["y"])
    assert w.relation(0, 1).amity_offer is None
    assert not w.world.relations["offer_until"].any()
    assert w.corps(1, 5).order == "hold"


@pytest.mark.rule("TURN-015", "LIMIT-014")
@pytest.mark.parametrize("seed", range(4))
def test_of_two_declarations_in_a_turn_the_first_counts(seed: int) -> None:
    w = towns(2, seed=seed)
    for n in (0, 1):
        w.order(n, "declare_war", target=1 - n)
    w.phase("plans")
    first = int(w.world.order[0])
    assert w.relation(0, 1).by == first
    assert [w.results(n)[0]["reason"] for n in (first, 1 - first)] == ["done", "at_war"]
    assert told(w, event.WAR_DECLARED) == [(event.WAR_DECLARED, first, 1 - first)]


@pytest.mark.rule("TURN-015", "LIMIT-015", "LIMIT-016")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "before", "after", "offered", "agreed"),
    [
        ("amity", "peace", "amity", event.AMITY_OFFERED, event.AMITY),
        ("ceasefire", "war", "peace", event.CEASEFIRE_OFFERED, event.PEACE),
    ],
    ids=["amity", "ceasefire"],
)
def test_two_offers_in_a_turn_are_an_agreement(
    seed: int, name: str, before: str, after: str, offered: int, agreed: int
) -> None:
    w = towns(2, seed=seed)
    w.relation(0, 1, state=before)
    for n in (0, 1):
        w.order(n, name, target=1 - n)
    w.phase("plans")
    first = int(w.world.order[0])
    assert w.relation(0, 1).state == after
    assert told(w, offered, agreed) == [(offered, first, 1 - first), (agreed, 1 - first, first)]


@pytest.mark.rule("TURN-015", "LIMIT-014", "LIMIT-016")
@pytest.mark.parametrize("seed", range(4))
def test_an_amity_offer_and_a_declaration_in_a_turn_are_a_declaration(seed: int) -> None:
    """Whoever comes first: the offer lapses, or is refused."""
    w = towns(2, seed=seed)
    w.order(0, "amity", target=1)
    w.order(1, "declare_war", target=0)
    w.phase("plans")
    assert (w.relation(0, 1).state, w.relation(0, 1).by) == ("pending", 1)
    assert w.relation(0, 1).amity_offer is None and w.relation(0, 1).ceasefire_offer is None
    assert w.results(0)[0]["reason"] == ("done" if int(w.world.order[0]) == 0 else "at_war")


@pytest.mark.rule("LIMIT-016")
def test_the_end_of_a_treaty_names_who_ended_it() -> None:
    w = towns(2)
    w.relation(0, 1, state="amity", since=80)
    w.order(1, "amity", amount=1, target=0)
    w.phase("plans")
    assert told(w, event.AMITY_ENDED) == [(event.AMITY_ENDED, 1, 0)]
    assert (w.relation(0, 1).state, w.relation(0, 1).since) == ("peace", 100)


@pytest.mark.rule("LIMIT-009", "LIMIT-014")
def test_a_declared_war_is_open_to_both_in_a_whole_season_s_turns() -> None:
    w = towns(2)
    plans.set_plan(w.world, 0, [("declare_war", 0, 0, 0, 1)])
    states = []
    for _ in range(7):
        w.run(1)
        states.append((w.turn, w.relation(1, 0).state))
    assert states == [(t, "pending" if t < 106 else "war") for t in range(101, 108)]
    assert relations.are_enemies(w.world, 0, 1) and relations.at_war(w.world, 1)


@pytest.mark.rule("CMD-047")
def test_a_price_on_diplomacy_is_paid() -> None:
    """All are free, but the table says so: another ruleset may take funds for them."""
    w = towns(2, rules={"commands.declare_war.cost": 40, "commands.cede_land.cost": 15})
    w.cell(2, 2, terrain="plains", owner=0)
    w.cell(3, 2, terrain="plains", owner=1)
    w.nation(0, funds=50)
    w.order(0, "cede_land", x=2, y=2, target=1)
    w.order(0, "declare_war", target=1)
    w.phase("plans")
    assert [entry["reason"] for entry in w.results(0)] == ["done", "no_funds", "done"]
    assert w.nation(0).funds == 50 - 15 + 10
