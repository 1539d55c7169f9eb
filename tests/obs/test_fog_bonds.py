"""What a nation gets of factions, leagues, the containment and aid depends on nothing that it can't know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.world import World
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.ruleset import Rules, Ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden

NATIONS = 6


def bound_world(seed: int) -> SmallWorld:
    """Faction A of 0, 1 and 2, B of 3 and 4 with notices; 5 is alone. Units and warships everywhere."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(10, 24, NATIONS, seed=seed, turn=40)
    for n in range(NATIONS):
        x, y = 2 + 4 * n, 4
        for dx in (-1, 0, 1):
            w.cell(x + dx, y, terrain=str(rng.choice(["plains", "forest", "missile_base", "farm"])), owner=n)
        w.cell(x, y + 1, terrain="naval_port" if n % 2 else "seabed_base", owner=n)
        w.cell(x, y, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, funds=int(rng.integers(0, 900)), food=50 * n, reserves=90, unreliable=[30] * (n % 2))
        for _ in range(int(rng.integers(0, 22))):
            w.order(n, "farm", x, y)
    w.faction("A", 0, [1, 2], due=42, demands=[2], handover={"to": 1, "turn": 39})
    w.faction("B", 3, [4], due=43, applications=[[5, 38]], handover={"to": 4, "turn": 40})
    w.league("L", [0, 3, 5])
    w.containment(5, [1, 3], last_joint=35)
    w.world.containment["announced"] = 38
    w.relation(1, 3, state="war", by=3)
    for _ in range(14):
        x, y, owner = int(rng.integers(0, 24)), int(rng.integers(0, 10)), int(rng.integers(0, NATIONS))
        cell = w.world.cells[y, x]
        if cell["unit"] >= 0 or cell["ship"] >= 0:
            continue
        if cell["terrain"] == 0:
            w.ship(
                owner, "destroyer", x, y, aid_reserves=int(rng.integers(1, 99)), aid_to=(owner + 1) % NATIONS
            )
        else:
            w.unit(owner, "infantry", x, y, strength=int(rng.integers(1, 99)))
    w.world.units["met"] = w.world.ships["met"] = 0
    w.world = w.counted()
    return w


def seen_by(ruleset: Ruleset, rules: Rules, world: World, nation: int) -> dict[str, bytes]:
    """All arrays and the text of a nation."""
    spec = Spec(ruleset, len(world.nations), ("cells", "planes"))
    buffers = spec.buffers()
    spec.fill(world, rules, buffers, np.array([nation], np.int64))
    found = {name: array.tobytes() for name, array in spec.of(buffers, nation).items()}
    return found | {"text": text(world, rules, ruleset, nation).encode()}


@pytest.mark.rule("FAC-015", "FAC-017", "FAC-018", "CONT-010", "CONT-020", "MAP-025")
@pytest.mark.parametrize("viewer", range(NATIONS))
@pytest.mark.parametrize("seed", [1, 2])
def test_worlds_that_differ_in_hidden_things_look_the_same_to_members_and_strangers(
    seed: int, viewer: int
) -> None:
    w = bound_world(seed)
    changed = vary_hidden(w.world, w.rules, viewer, np.random.default_rng(seed + 9))
    before, after = (seen_by(w.ruleset, w.rules, world, viewer) for world in (w.world, changed))
    assert [name for name in before if before[name] != after[name]] == []


def varied(w: SmallWorld, viewer: int, table: str, name: str) -> list[int]:
    """The places of a table whose field differs in some world that the viewer can't tell from this one."""
    old: Any = getattr(w.world, table)[name]
    places: set[int] = set()
    for change in range(6):
        changed = getattr(vary_hidden(w.world, w.rules, viewer, np.random.default_rng(change)), table)[name]
        places |= set(np.flatnonzero(changed != old).tolist())
    return sorted(places)


@pytest.mark.rule("FAC-015", "FAC-018")
def test_affairs_of_a_faction_are_hidden_from_those_whom_they_do_not_concern() -> None:
    """Else the test above would not notice if they showed."""
    w = bound_world(3)
    assert varied(w, 0, "nations", "applied_to") == [5]
    assert varied(w, 3, "nations", "applied_to") == []  # the leader decides on it
    assert varied(w, 0, "nations", "demands") == [4]
    assert varied(w, 5, "nations", "demands") == [1, 2, 4]
    assert varied(w, 2, "factions", "heir") == [0, 1]
    assert varied(w, 1, "factions", "offered") == [1]
    assert varied(w, 3, "containment", "announced") == []
    assert varied(w, 0, "containment", "announced") == [0]


@pytest.mark.rule("FAC-018")
def test_what_mates_show_each_other_stays_and_the_rest_varies() -> None:
    w = bound_world(4)
    w.world.nations["plan_length"] = [3, 4, 20, 20, 3, 3]
    for seed in range(4):
        changed = vary_hidden(w.world, w.rules, 0, np.random.default_rng(seed))
        for mate in (1, 2):
            assert (changed.nations["treasury"][mate, -2:] == w.world.nations["treasury"][mate, -2:]).all()
            assert (changed.plans[mate, :15] == w.world.plans[mate, :15]).all()
        assert changed.nations["plan_length"][1] == 4 and changed.nations["plan_length"][2] >= 15
        assert (changed.nations["treasury"][3:, -2:] != w.world.nations["treasury"][3:, -2:]).any()
