"""The language of plans and the masks of learners agree on what is legal, also after the commands before."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.commands import plans, table, validate
from hakoenv.engine.world import copy_world, state_hash
from hakoenv.envs.actions import apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import menu_deals
from hakoenv.obs.language import answers, forms, hints
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.obs.menu import Menu
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden

COMMANDS = 6


@cache
def tools(ruleset: Any) -> tuple[Menu, PlanSpace, Vocabulary]:
    menu = Menu(ruleset, 3, "everything", cells=64)
    return menu, PlanSpace(menu, COMMANDS, seed=5), Vocabulary(ruleset, 3, 8, 8, "everything")


def filled(w: SmallWorld, cells: Any, menu: Menu) -> Any:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, cells, buffers)
    return buffers


def is_listed(menu: Menu, v: int) -> bool:
    """Whether the first factor of a verb names a lot or an offer: a number of 0 names none."""
    return menu.source(v, 0) in menu_deals.LISTED


def written(orders: Any) -> str:
    entries = [forms.document(table.Packed(*order)) for order in orders]
    return json.dumps({"mode": "replace", "commands": entries})


@pytest.mark.rule("CMD-005", "LLM-015")
@pytest.mark.parametrize("seed", range(12))
def test_a_plan_that_masks_allow_is_legal_in_words(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed)
    menu, space, vocabulary = tools(w.ruleset)
    cells = cells_around(w, places=64)
    buffers = filled(w, cells, menu)
    n = seed % 3
    if not w.world.nations["alive"][n]:
        return
    for _ in range(6):
        action = space.sample_legal(menu.of(buffers, n), mode=2)
        world = copy_world(w.world)
        apply(world, w.rules, menu, np.array([n]), action[np.newaxis], cells)
        orders = plans.plan_of(world, n)
        result = answers.parse(written(orders), w.world, w.rules, n, vocabulary)
        assert result.rejected == () and result.failure is None
        assert list(result.commands) == orders
        into = copy_world(w.world)
        answers.enter(into, w.rules, n, result)
        assert state_hash(into) == state_hash(world)


@pytest.mark.rule("CMD-005", "LLM-015")
@pytest.mark.parametrize("seed", range(12))
def test_what_is_legal_in_words_is_what_masks_allow(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    """Random commands with offered values: those taken form an action that the mask allows."""
    w = crowded_world(seed, means=9)
    menu, space, vocabulary = tools(w.ruleset)
    cells = cells_around(w, places=64)
    buffers = filled(w, cells, menu)
    n = seed % 3
    mask = menu.of(buffers, n)
    rng = np.random.default_rng(seed)
    heads, orders = [], []
    for _ in range(50):
        v = int(rng.choice(np.flatnonzero(mask["verbs"][1:])))
        verb = menu.verbs[v]
        spots = np.flatnonzero(mask["cells"][menu.cell_row[v]]) if verb.needs_cell else [0]
        spot, who = int(rng.choice(spots)), int(rng.integers(0, 3))
        counts = menu.table.verbs["count"][v][: len(verb.factors)]
        picks = [int(rng.integers(0, count)) for count in counts]
        said = [v + 1, who, spot, *picks, *[0] * (4 - len(picks))]
        cell = int(cells[n, spot])
        values = menu.numbers(mask, said, int(w.world.cells.reshape(-1)["population"][cell]))
        if (
            verb.name == "exchange:offer"
            and values[1] == values[3] == 0
            or 0 in values
            and is_listed(menu, v)
        ):
            continue  # they mean nothing
        orders.append(table.pack(verb, (cell % 8, cell // 8), (n + who) % 3, values))
        heads.append(said)
    result = answers.parse(written(orders), w.world, w.rules, n, vocabulary)
    places = [int(place[9:-1]) for place in result.places]
    assert [orders[place] for place in places] == list(result.commands)
    taken = places[:COMMANDS]
    assert len(taken) > 1
    for count in range(1, len(taken)):
        prefix = [2, *(head for place in taken[:count] for head in heads[place])]
        space.next_mask(mask, [*prefix, heads[taken[count]][0]])  # a ValueError if a head is ruled out


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("seed", range(6))
def test_hidden_things_change_no_answer(seed: int, crowded_world: Callable[..., SmallWorld]) -> None:
    w = crowded_world(seed)
    n = seed % 3
    _, _, vocabulary = tools(w.ruleset)
    rng = np.random.default_rng(seed)
    changed = vary_hidden(w.world, w.rules, n, rng)
    names = [name for name, verb in table.by_name().items() if not verb.factors and not verb.needs_nation]
    for _ in range(4):
        orders = [
            table.pack(table.by_name()[str(rng.choice(names))], (int(x), int(y)))
            for x, y in rng.integers(0, 8, (50, 2))
        ]
        answer = written(orders)
        seen = answers.parse(answer, w.world, w.rules, n, vocabulary)
        assert answers.parse(answer, changed, w.rules, n, vocabulary) == seen


@pytest.mark.parametrize("seed", range(4))
def test_offers_are_legal_and_tell_what_masks_tell(
    seed: int, crowded_world: Callable[..., SmallWorld]
) -> None:
    w = crowded_world(seed)
    _, _, vocabulary = tools(w.ruleset)
    n = seed % 3
    found = hints.offers(w.world, w.rules, vocabulary, n)
    assert bool(found) == bool(w.world.nations["alive"][n])
    for offer in found:
        assert 1 <= len(offer.examples) <= min(3, offer.ways)
        for order in offer.examples:
            assert validate.is_legal(w.world, w.rules, n, *order)
            answer = json.dumps({"mode": "replace", "commands": [forms.line(order)]})
            assert answers.parse(answer, w.world, w.rules, n, vocabulary).commands == (order,)


def test_means_are_booked(crowded_world: Callable[..., SmallWorld]) -> None:
    """100 funds and 20 for a farm: five farms, the sixth is refused; a cell serves once."""
    w = SmallWorld(8, 8, 3, turn=50)
    w.cell(0, 0, terrain="town", owner=0, population=50, capital=True)
    for x in range(1, 8):
        w.cell(x, 0, terrain="plains", owner=0)
    w.nation(0, funds=100)
    _, _, vocabulary = tools(w.ruleset)
    farms = [f"farm at ({x},0)" for x in (1, 1, 2, 3, 4, 5, 6)]
    answer = json.dumps({"mode": "replace", "commands": [*farms, "fundraise"]})
    result = answers.parse(answer, w.world, w.rules, 0, vocabulary)
    assert result.places == tuple(f"commands[{k}]" for k in (0, 2, 3, 4, 5, 7))
    assert [entry.reason for entry in result.rejected] == [
        "farm before it is for the same cell",
        "not enough funds",
    ]


def test_uses_of_a_turn_are_booked() -> None:
    w = SmallWorld(8, 8, 3, turn=50)
    w.cell(0, 0, terrain="town", owner=0, population=50, capital=True)
    w.nation(0, funds=9000)
    _, _, vocabulary = tools(w.ruleset)
    said = ["research:production", "research:military", "abandon_nation", "fundraise"]
    answer = json.dumps({"mode": "replace", "commands": said})
    result = answers.parse(answer, w.world, w.rules, 0, vocabulary)
    assert result.lines == ("research:production", "abandon_nation")
    assert "nothing can follow" in result.rejected[1].reason
