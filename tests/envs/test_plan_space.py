"""Plans made from a menu: legal from the first command to the last, and drawn evenly."""

import contextlib
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import MultiDiscrete

from hakoenv.engine import census, hexgrid, territory, turn
from hakoenv.engine.codes import cause, reason
from hakoenv.engine.commands.plans import plan_of, results_of, set_plan
from hakoenv.engine.economy import income
from hakoenv.engine.world import copy_world
from hakoenv.envs.actions import REPLACE, apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import menu_deals
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

RULESET = load_ruleset("season")
MENU = Menu(RULESET, 3, "everything")
SPACE = PlanSpace(MENU, 8)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]
RADIUS = dict.fromkeys(  # how far around it a command may change what others need
    ("dig", "tunnel", "mine", "seabed_base", "fish_farm", "breakwater", "urban_build:seabed_city"), 1
)  # fmt: skip
# a ceded cell is nobody's neighbour any more; missiles: scatter, 1 more in thunder (MSL-011), and beside
RADIUS |= {"cede_land": 1, "missile_normal": 4, "missile_pp": 3, "missile_antipersonnel": 3}
RADIUS |= {"missile_ballistic": 2}
# a unit or ship comes or goes, and whoever lies beside its new cell may have counted on that
RADIUS |= {"ship_step": 2, "embark": 2, "disembark": 2, "decommission": 1, "remove_mine": 1}
RADIUS |= {"build_ship:naval_port": 1}
ORDERS = ("fleet_move", "fleet_mode", "salvo_order")  # change nothing on the map
MINDFUL = ("embark", "disembark", "ship_step", "naval_repair")  # and new ships: what lies beside counts
LEAVING = ("decommission", "ship_step", "form_fleet:join")
TREATIES = {"declare_war", "ceasefire", "amity"}
BEFRIENDING = {"ceasefire:offer", "amity:offer", "good_terms:set"}
LAST = {"abandon_nation", "defense_facility:self_destruct"}  # nothing may follow in the same action
MISSILES = {"missile_normal", "missile_pp", "missile_antipersonnel", "missile_ballistic"}
MORE_SHOTS = {*MISSILES, "missile_base", "seabed_base"}
FUNDS, RESERVES = 9, 10  # places in the purse
DEALS = set(menu_deals.KIND_OF_VERB)  # what they rule out: test_menu_trade.py
BONDS = {name for name in NAMES if name.startswith(("faction", "league", "containment"))}
APART = DEALS | BONDS  # test_menu_diplomacy.py
TAKEN = [cause.COMMAND_COST, cause.RESEARCH, cause.AID, cause.EXCHANGE, cause.AUCTION]
AT_ONCE = {  # every command takes no turn, so that a whole plan is carried out in one
    f"commands.{row['name']}.turns": 0 for row in RULESET.table("commands") if row["turns"]
}  # fmt: skip


def menu_of(w: SmallWorld, cells: Any, menu: Menu = MENU) -> dict[str, Any]:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, cells, buffers)
    return buffers


def heads(action: Any, k: int) -> dict[str, int]:
    names = ("verb", "nation", "cell", "a", "b", "c", "d")
    return dict(zip(names, action[1 + k * HEADS : 1 + (k + 1) * HEADS].tolist(), strict=True))


def carry_out(w: SmallWorld, nation: int) -> Any:
    """The world after the phases of a turn up to the plans, with only this nation's plan."""
    world = copy_world(w.world)
    for other in set(range(w.nations)) - {nation}:
        world.nations["plan_length"][other] = 0
    for phase in ("clock", "accounts_open", "unlock_check", "turn_state", "diplomacy"):
        turn.run_phase(world, w.rules, phase)
    income.join_conscripts(world, nation)
    turn.run_phase(world, w.rules, "plans")
    return world


@pytest.mark.rule("CMD-004", "CMD-005")
@pytest.mark.parametrize("seed", range(60))
def test_no_command_of_a_plan_is_refused_because_of_those_before_it(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    """All commands are carried out in one turn; only what is unseen may block one, alone as in the plan."""
    w = crowded_world(seed, rules=AT_ONCE, means=9)
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)  # the unlocking of tunnels goes by it
    cells = cells_around(w)
    buffers = menu_of(w, cells)
    SPACE.seed(seed)
    for nation in range(3):
        for _ in range(6):
            action = SPACE.sample_legal(MENU.of(buffers, nation), mode=REPLACE)
            apply(w.world, w.rules, MENU, np.array([nation]), action[np.newaxis], cells)
            plan = plan_of(w.world, nation)
            world = carry_out(w, nation)
            results = results_of(world, nation)[: len(plan)]
            assert [r[:5] for r in results] == [tuple(order) for order in plan]
            for result, order in zip(results, plan, strict=True):
                if result.reason not in (reason.DONE, reason.BLOCKED):  # it sees more after those before it
                    set_plan(w.world, nation, [order])
                    alone = results_of(carry_out(w, nation), nation)[0]
                    assert alone.reason == reason.BLOCKED, (result, plan)
            if all(result.done for result in results):
                mask = MENU.of(buffers, nation)
                purse = mask["purse"].astype(np.int64).copy()
                aid = mask["trade"][menu_deals.AID_LEFT].copy()
                more = False
                for k in range(8):
                    h = heads(action, k)
                    purse -= cost_of(mask, h, purse, more, aid)
                    more = more or NAMES[h["verb"]] in MORE_SHOTS
                spent = -world.accounts[nation, TAKEN].sum(0)
                left = mask["purse"][:RESERVES] - spent
                assert (left >= purse[:RESERVES]).all()
                if not any(NAMES[heads(action, k)["verb"]] in MISSILES for k in range(8)):
                    assert left.tolist() == purse[:RESERVES].tolist()
                    assert world.nations["reserves"][nation] == purse[RESERVES]
                assert (world.nations["items"][nation, 1:] >= purse[RESERVES + 1 :]).all()


def cost_of(mask: Any, h: dict[str, int], purse: Any, more: bool = False, aid: Any = None) -> Any:
    """What a command takes: its price, as often as its strength finds room; missiles as far as it goes.

    With ``more``, bases may fire more than the mask says: new ones, or old ones that have learnt.
    """
    if not h["verb"]:
        return 0
    v = h["verb"] - 1
    if NAMES[h["verb"]] in DEALS:
        return taken_by(mask, h, aid)
    row = MENU.cell_row[v]
    entry = int(mask["cells"][row, h["cell"]]) - 1 if row >= 0 else int(mask["flat_price"][v])
    price = mask["prices"][entry].astype(np.int64)
    if NAMES[h["verb"]].startswith("place_unit"):
        return price * min(MENU.values(v, 1)[h["b"]], int(mask["limits"][h["cell"]]))
    if NAMES[h["verb"]] == "lay_mine":
        return price * MENU.values(v, 0)[h["a"]]
    if NAMES[h["verb"]] in MISSILES:
        most, shots = 10**6 if more else int(mask["limits"][h["cell"]]), MENU.values(v, 0)[h["a"]]
        payable = [int(purse[k]) // int(price[k]) for k in np.flatnonzero(price)]
        return price * min([most, shots or most, *payable])
    return price


def taken_by(mask: Any, h: dict[str, int], aid: Any) -> Any:
    """What a deal takes, by hand: goods that are listed or sent, bid and a tenth, what an exchange asks.

    ``aid``: what may still be sent, by item; changed.
    """
    due = np.zeros(len(mask["purse"]), np.int64)
    name, numbers = NAMES[h["verb"]], MENU.numbers(mask, list(h.values()))
    if name == "auction_list":
        due[numbers[0]] = numbers[2]
    elif name == "auction_bid":
        due[FUNDS] = numbers[1] + -(-numbers[1] // 10)
    elif name == "national_aid":
        due[numbers[0]] = min(numbers[1], int(aid[numbers[0]]))
        aid[numbers[0]] -= due[numbers[0]]
        if numbers[0] == RESERVES:  # they go aboard in a later phase, and no other ship is left
            due[RESERVES], aid[RESERVES] = 0, 0
    elif name == "aid_reserves":
        due[RESERVES] = min(numbers[0], 200)
    elif name == "exchange:accept":
        _, what, quantity, _ = mask["deals"][h["nation"]].tolist()
        due[what] = quantity
    return due


@pytest.mark.parametrize("seed", range(12))
def test_each_head_of_a_sample_is_one_that_the_mask_allows(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed)
    mask = MENU.of(menu_of(w, cells_around(w)), seed % 3)
    SPACE.seed(seed)
    for _ in range(5):
        action = SPACE.sample(mask)
        assert SPACE.contains(action)
        for k in range(len(action)):
            allowed = SPACE.next_mask(mask, action[:k])
            assert allowed.shape == (SPACE.nvec[k],) and allowed.dtype == np.int8
            assert allowed[action[k]] == 1


def reference(mask: Any, given: list[dict[str, int]]) -> set[tuple[str, int]]:
    """By hand: which (verb, cell) may follow, deals apart. Cell -1 where the verb needs none."""
    purse = mask["purse"].astype(np.int64).copy()
    out: set[int] = set()
    served: set[int] = set()
    beside: set[int] = set()
    more = False
    left = {"research": 1, "industrial_policy": 1, "level_land": 3, "cede_land": 10, "missile": 99}
    left |= {"new ship": 1, "salvage_wreck": 1, "lay_mine": int(mask["uses"][7])}
    treated: set[int] = set()
    aid = mask["trade"][menu_deals.AID_LEFT].copy()
    fleets = Fleets(mask)
    for h in given:
        name = NAMES[h["verb"]]
        if name in LAST:
            return set()
        kind = kind_of(name)
        row = MENU.cell_row[h["verb"] - 1]
        purse -= cost_of(mask, h, purse, more, aid)
        more = more or name in MORE_SHOTS
        if kind in left:
            left[kind] -= 1
        if kind in TREATIES:
            treated.add(h["nation"])
        if name in BEFRIENDING:
            left["missile"] = 0
        fleets.note(name, h)
        if row < 0 or name.startswith(ORDERS) or name in APART:
            continue
        x, y = (int(v) for v in mask["places"][h["cell"]])
        for place, (px, py) in enumerate(mask["places"].tolist()):
            distance = hexgrid.distance(1000, y * 1000 + x, py * 1000 + px) if px >= 0 else 99
            if distance <= RADIUS.get(name, 0):
                out.add(place)
            if distance == 0:
                served.add(place)
            if distance <= 1:
                beside.add(place)
            if distance >= (RADIUS[name] if name in MISSILES else 1):
                continue
            if mask["limits"][place] == -1:
                left["missile"] = 0  # the base may be lost
            if mask["options"][place, 4] == -1:
                left["new ship"] = 0  # the naval port may be
            if name in MISSILES:
                fleets.lose(place)
    found = set()
    for v, name in enumerate(NAMES[1:]):
        if name in APART or not mask["verbs"][v + 1] or left.get(kind_of(name), 1) <= 0:
            continue
        row = MENU.cell_row[v]
        partners = set(np.flatnonzero(mask["nations"][v]).tolist())
        if kind_of(name) in {*TREATIES, "cede_land"}:
            partners -= treated
            if not partners:
                continue
        spots = np.flatnonzero(mask["cells"][row]).tolist() if row >= 0 else [-1]
        for spot in spots:
            takers = int(mask["beside"][spot])
            kind = kind_of(name)
            gone = served if kind in ("missile", "salvo_order") else out
            if kind in ("cede_land", "new ship", *MINDFUL):
                gone = out | beside
            if kind == "disembark" and treated:
                continue
            if not fleets.allow(v, name, spot):
                continue
            if spot in gone or (name == "cede_land" and not any(takers >> k & 1 for k in partners)):
                continue
            least = 10 if name.startswith("place_unit") else 1
            weakest = int(name != "lay_mine")  # of a factor that multiplies the price
            due = cost_of(mask, {"verb": v + 1, "cell": spot, "a": weakest, "b": 0}, purse + 10**6)
            if (purse >= due).all() and (least == 1 or purse[RESERVES] >= least):
                found.add((name, spot))
    return found


class Fleets:
    """By hand: what commands leave of the fleets that others name."""

    def __init__(self, mask: Any) -> None:
        self.mask = mask
        self.filled: set[int] = set()
        self.left: set[int] = set()
        self.turned: set[int] = set()

    def lose(self, place: int) -> None:
        if 0 < self.mask["options"][place, 4] <= 16:
            self.left.add(int(self.mask["options"][place, 4]) - 1)

    def note(self, name: str, h: dict[str, int]) -> None:
        if name == "form_fleet:join" or kind_of(name) == "new ship":
            self.filled.add(h["a"])
        if name in ("fleet_move:waypoint", "fleet_move:clear"):
            self.turned.add(h["a"])
        if name == "salvo_order:clear":
            self.left.add(99)
        if name in LEAVING:
            self.lose(h["cell"])

    def allow(self, v: int, name: str, spot: int) -> bool:
        named = set(np.flatnonzero(self.mask["factors"][v, 0]).tolist())
        if name == "form_fleet:join":
            named = {k for k in range(16) if int(self.mask["options"][spot, 0]) >> k & 1}
        if name == "form_fleet:join" or kind_of(name) == "new ship":
            return bool(named - self.filled)
        if name == "form_fleet:flagship":
            return int(self.mask["options"][spot, 4]) - 1 not in self.left
        if name in ("salvo_order:all", "salvo_order:clear"):
            return not self.left
        if name in ("fleet_move:waypoint", "fleet_move:clear"):
            return bool(named - self.left - self.turned)
        return bool(named - self.left) if name in ("fleet_move:target", "salvo_order:fleet") else True


def kind_of(name: str) -> str:
    """The command, or "missile" for all that fire some, "new ship" for all that build one."""
    if name.startswith("build_ship") and name != "build_ship:naval_port":
        return "new ship"
    return "missile" if name in MISSILES else name.split(":")[0]


@pytest.mark.parametrize("seed", range(20))
def test_what_may_follow_a_prefix_is_what_the_rules_of_booking_say(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed)
    mask = MENU.of(menu_of(w, cells_around(w)), seed % 3)
    SPACE.seed(seed)
    action = SPACE.sample_legal(mask, mode=REPLACE)
    for k in range(8):
        if k and heads(action, k - 1)["verb"] == 0:
            assert SPACE.next_mask(mask, action[: 1 + k * HEADS]).tolist() == [1] + [0] * len(MENU.verbs)
            break
        prefix = action[: 1 + k * HEADS]
        expected = reference(mask, [heads(action, j) for j in range(k)])
        verbs = SPACE.next_mask(mask, prefix)
        assert {NAMES[v] for v in np.flatnonzero(verbs)} - APART == {"none", *(name for name, _ in expected)}
        for name, _ in sorted(expected)[:: max(1, len(expected) // 8)]:
            v = NAMES.index(name)
            if MENU.cell_row[v - 1] >= 0:
                nations = np.flatnonzero(SPACE.next_mask(mask, [*prefix, v]))
                spots = {spot for other, spot in expected if other == name}
                cells = [np.flatnonzero(SPACE.next_mask(mask, [*prefix, v, k])) for k in nations]
                assert set(np.concatenate(cells).tolist()) == spots
                for k, some in zip(nations, cells, strict=True):
                    assert name != "cede_land" or all(int(mask["beside"][s]) >> k & 1 for s in some)


def test_giving_up_is_the_last_command(cells_around: Any) -> None:
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="town", owner=0, population=50)
    mask = MENU.of(menu_of(w, cells_around(w)), 0)
    give_up = NAMES.index("abandon_nation")
    assert SPACE.next_mask(mask, [REPLACE])[give_up] == 1
    after = SPACE.next_mask(mask, [REPLACE, give_up, 0, 0, 0, 0, 0, 0])
    assert after.tolist() == [1] + [0] * len(MENU.verbs)


def test_worker_shares_never_exceed_the_whole(cells_around: Any) -> None:
    """agriculture 40..90 and industry 5..50 percent: together at most 100."""
    w = SmallWorld(8, 8, 3)
    mask = MENU.of(menu_of(w, cells_around(w)), 0)
    v = NAMES.index("worker_shares")
    first, second = MENU.values(v - 1, 0), MENU.values(v - 1, 1)
    assert SPACE.next_mask(mask, [REPLACE, v, 0, 0]).sum() == len(first)
    for a, agriculture in enumerate(first):
        allowed = SPACE.next_mask(mask, [REPLACE, v, 0, 0, a])
        assert [second[b] for b in np.flatnonzero(allowed)] == [i for i in second if agriculture + i <= 100]


def test_keeping_the_queue_leaves_nothing_to_choose(cells_around: Any) -> None:
    w = SmallWorld(8, 8, 3)
    mask = MENU.of(menu_of(w, cells_around(w)), 0)
    assert SPACE.next_mask(mask, []).tolist() == [1, 1, 1]
    assert np.flatnonzero(SPACE.next_mask(mask, [0])).tolist() == [0]
    assert SPACE.sample_legal(mask, mode=0).sum() == 0
    with pytest.raises(ValueError, match="57 heads"):
        SPACE.next_mask(mask, [0] * 57)


def test_verbs_and_cells_are_drawn_evenly(cells_around: Any) -> None:
    """A chi-square test each; false alarm once in 10,000 seeds, and the seed is fixed."""
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="town", owner=0, population=50)
    for x in range(3):
        w.cell(x, 2, terrain="wasteland", owner=0)
    w.nation(0, funds=100)
    menu = Menu(RULESET, 3, ["prepare_land", "fundraise", "good_terms"])
    space = PlanSpace(menu, 1)
    buffers = menu_of(w, cells_around(w), menu)
    seeds = np.arange(8000, dtype=np.uint64)
    actions = space.sample_plans(buffers, np.zeros(8000, np.int64), seeds, REPLACE)
    verbs = np.bincount(actions[:, 1], minlength=5)
    assert chi_square(verbs) < 23.5  # 5 values: 4 degrees of freedom, p = 0.0001
    prepares = actions[actions[:, 1] == 1]
    assert chi_square(np.bincount(prepares[:, 3])[np.unique(prepares[:, 3])]) < 21.1  # 4 cells
    partners = actions[(actions[:, 1] == 3)][:, 2]
    assert set(partners.tolist()) == {1, 2}


def chi_square(counts: Any) -> float:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def test_samples_repeat_by_seed_and_do_not_depend_on_the_company(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(3)
    buffers = menu_of(w, cells_around(w))
    seeds = np.array([5, 6, 7], np.uint64)
    together = SPACE.sample_plans(buffers, np.arange(3), seeds)
    alone = [SPACE.sample_plans(buffers, np.array([n]), seeds[n : n + 1])[0] for n in range(3)]
    assert np.array_equal(together, alone)
    one, two = PlanSpace(MENU, 8, seed=4), PlanSpace(MENU, 8, seed=4)
    mask = MENU.of(buffers, 1)
    assert np.array_equal(one.sample(mask), two.sample(mask))
    copy = pickle.loads(pickle.dumps(one))
    assert copy == one and np.array_equal(copy.sample(mask), two.sample(mask))


def test_it_is_a_multi_discrete(cells_around: Any) -> None:
    w = SmallWorld(8, 8, 3)
    mask = MENU.of(menu_of(w, cells_around(w)), 0)
    assert isinstance(SPACE, MultiDiscrete)
    assert SPACE.nvec.tolist() == [3, *[len(NAMES), 40, 256, 32, 32, 32, 32] * 8]
    assert SPACE.contains(SPACE.sample())
    ones = tuple(np.eye(1, n, n - 1, dtype=np.int8)[0] for n in SPACE.nvec)
    assert SPACE.sample(mask=ones).tolist() == (SPACE.nvec - 1).tolist()
    assert SPACE.sample(mask=mask).shape == (57,)
    assert PlanSpace(MENU, 8) == SPACE
    assert PlanSpace(MENU, 7) != SPACE
    with pytest.raises(ValueError, match="commands_per_turn=0"):
        PlanSpace(MENU, 0)


def test_masks_that_are_no_menus_are_harmless() -> None:
    """A sample of the menu's space, as the checks of the ecosystem draw it."""
    space = MENU.space()
    space.seed(0)
    for _ in range(5):
        garbage = space.sample()
        action = SPACE.sample(garbage)
        assert SPACE.contains(action)
        for k in (0, 1, 3, 5, 20, 56):
            assert SPACE.next_mask(garbage, action[:k]).any()
            for prefix in (SPACE.sample()[:k], [-(2**62)] * k, [2, *[2**62] * k], [2] * k):
                with contextlib.suppress(ValueError):  # most are illegal
                    assert SPACE.next_mask(garbage, prefix).any()


@pytest.mark.parametrize("seed", range(10))
def test_one_at_a_time_the_menu_shrinks_as_the_prefix_says(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    """`Menu.book` after each command and `next_mask` of the whole prefix agree."""
    w = crowded_world(seed)
    nation = seed % 3
    buffers = menu_of(w, cells_around(w))
    whole = {name: array.copy() for name, array in MENU.of(buffers, nation).items()}
    single = PlanSpace(MENU, one_at_a_time=True, seed=seed)
    assert single.nvec.tolist() == [1, *SPACE.nvec[1 : 1 + HEADS]]
    prefix = [REPLACE]
    for _ in range(7):
        mask = MENU.of(buffers, nation)
        assert np.array_equal(single.next_mask(mask, [0]), SPACE.next_mask(whole, prefix))
        action = single.sample(mask)
        for head in range(2, HEADS):
            expected = SPACE.next_mask(whole, [*prefix, *action[1 : 1 + head]])
            assert np.array_equal(single.next_mask(mask, action[: 1 + head]), expected)
        prefix += action[1:].tolist()
        MENU.book(buffers, np.array([nation]), action[np.newaxis])
        assert MENU.space().contains(MENU.of(buffers, nation))
        if action[1] == 0:
            break


def test_a_mask_of_another_environment_is_refused() -> None:
    """Else compiled code would read beside its arrays."""
    mask = MENU.space().sample()
    other = Menu(RULESET, 3, "economy")
    for wrong, words in (
        (other.space().sample(), "'verbs' has shape"),
        ({name: array[:1] for name, array in mask.items()}, "'verbs' has shape"),
        ({name: array[np.newaxis] for name, array in mask.items()}, "'verbs' has shape"),
        ({name: array for name, array in mask.items() if name != "uses"}, "has no 'uses'"),
        ({}, "has no 'verbs'"),
    ):
        with pytest.raises(ValueError, match=words):
            SPACE.sample(wrong)
        with pytest.raises(ValueError, match=words):
            SPACE.next_mask(wrong, [REPLACE])
    with pytest.raises(ValueError, match=r"must lie in 0\.\.0"):
        SPACE.sample_plans(MENU.alone(mask), np.array([1]), np.zeros(1, np.uint64))
    with pytest.raises(ValueError, match="mode=3 must be"):
        SPACE.sample_legal(mask, 3)


def small_menu(cells_around: Any) -> tuple[PlanSpace, dict[str, Any]]:
    """Three kinds of command in a small country with money for one piece of work."""
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="town", owner=0, population=50)
    for x in range(3):
        w.cell(x, 2, terrain="wasteland", owner=0)
    w.nation(0, funds=5)
    menu = Menu(RULESET, 3, ["prepare_land", "fundraise", "good_terms", "worker_shares"])
    return PlanSpace(menu, 3), menu.of(menu_of(w, cells_around(w), menu), 0)


PREPARE, FUNDRAISE, SHARES = 1, 2, 3


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ([3], "prefix[0]=3, the mode: there is no such mode; possible is 0, 1, 2"),
        ([-1], "prefix[0]=-1, the mode"),
        ([2, 99], "prefix[1]=99, the verb of command 0: there is no such verb; possible is 0, 1, 2, 3"),
        ([2, -1], "prefix[1]=-1, the verb of command 0: there is no such verb"),
        ([0, FUNDRAISE], "prefix[1]=2, the verb of command 0: mode 0 keeps the queue and takes no commands"),
        (
            [2, PREPARE, 0, 255],
            "prefix[3]=255, the cell of command 0: prepare_land can't have it; possible is",
        ),
        ([2, PREPARE, 0, -3], "prefix[3]=-3, the cell of command 0"),
        (
            [2, 0, 0, 0, 0, 0, 0, 0, FUNDRAISE],
            "prefix[8]=2, the verb of command 1: verb 0 of command 0 has ended the list; possible is 0",
        ),
        (
            [2, SHARES, 0, 0, 4, 99],
            "prefix[5]=99, factor 2 of command 0: worker_shares can't have it; possible is 0, 1, 2, 3",
        ),
    ],
)
def test_a_prefix_that_is_illegal_is_refused_by_the_head_and_its_reason(
    prefix: list[int], words: str, cells_around: Any
) -> None:
    space, mask = small_menu(cells_around)
    with pytest.raises(ValueError, match=re.escape(words)):
        space.next_mask(mask, prefix)
    with pytest.raises(ValueError, match=re.escape(words.replace("prefix", "prefixes[1]", 1))):
        space.next_masks([mask, mask], [[2, *[0] * (len(prefix) - 1)], prefix])


def test_a_prefix_whose_commands_cost_too_much_is_refused(cells_around: Any) -> None:
    """prepare_land costs 5 at first; two of them need 10."""
    space, mask = small_menu(cells_around)
    first, second, *_ = np.flatnonzero(space.next_mask(mask, [2, PREPARE, 0])).tolist()
    once = [2, PREPARE, 0, first, 0, 0, 0, 0]
    assert space.next_mask(mask, once)[PREPARE] == 0
    words = "prefix[8]=1, the verb of command 1: prepare_land is not possible after the commands before it"
    with pytest.raises(ValueError, match=re.escape(words)):
        space.next_mask(mask, [*once, PREPARE, 0, second])
    mask["purse"][9] = 10
    allowed = np.flatnonzero(space.next_mask(mask, [*once, PREPARE, 0])).tolist()
    assert first not in allowed and second in allowed
    with pytest.raises(ValueError, match=r"prefix\[10\]=.*the cell of command 1: prepare_land can't have it"):
        space.next_mask(mask, [*once, PREPARE, 0, first])
    mask["verbs"][PREPARE] = 0
    with pytest.raises(ValueError, match="prepare_land is not possible; possible is 0, 2, 3"):
        space.next_mask(mask, once)


def test_heads_that_a_verb_does_not_need_may_hold_anything(cells_around: Any) -> None:
    space, mask = small_menu(cells_around)
    plain, odd = [2, FUNDRAISE, 0, 0, 0, 0, 0, 0], [2, FUNDRAISE, 77, -5, 9, 9, 2**40, 1]
    assert np.array_equal(space.next_mask(mask, plain), space.next_mask(mask, odd))


@pytest.mark.parametrize(
    "prefix", [[2.0], "2", [True], [[2]], 2, [None], [2, [1]], np.zeros((0, 2))], ids=str
)
def test_a_prefix_of_anything_but_whole_numbers_is_refused(prefix: Any, cells_around: Any) -> None:
    space, mask = small_menu(cells_around)
    with pytest.raises(ValueError, match="must be whole numbers, the first heads of an action"):
        space.next_mask(mask, prefix)


def test_a_whole_observation_is_taken_for_its_mask(cells_around: Any) -> None:
    space, mask = small_menu(cells_around)
    observation = {"cells": np.zeros((2, 2)), "action_mask": mask}
    assert np.array_equal(space.next_mask(observation, [2]), space.next_mask(mask, [2]))
    for draw in (space.sample, space.sample_legal):
        space.seed(3)
        first = draw(mask)
        space.seed(3)
        assert np.array_equal(first, draw(observation))
    for wrong in (None, 5, np.zeros(4), [mask]):
        with pytest.raises(ValueError, match="give an observation's action_mask"):
            space.next_mask(wrong, [2])  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_masks_of_many_are_those_of_each(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed)
    buffers = menu_of(w, cells_around(w))
    SPACE.seed(seed)
    masks = [MENU.of(buffers, n) for n in range(3)]
    actions = np.array([SPACE.sample_legal(mask, mode=REPLACE) for mask in masks])
    for length in (0, 1, 2, 3, 5, 8, 10, 40, 56):
        rows = actions[:, :length]
        each = [SPACE.next_mask(mask, row) for mask, row in zip(masks, rows, strict=True)]
        assert np.array_equal(SPACE.next_masks(masks, rows), each)
        assert np.array_equal(SPACE.next_masks(buffers, rows.tolist()), each)
        assert np.array_equal(SPACE.next_masks([{"action_mask": m} for m in masks], rows), each)
    assert SPACE.next_masks([], np.zeros((0, 4), int)).shape == (0, 32)
    with pytest.raises(ValueError, match="there are 3 masks for 2 prefixes"):
        SPACE.next_masks(masks, actions[:2, :1])
    with pytest.raises(ValueError, match=r"hold \[3\] nations, not 2"):
        SPACE.next_masks(buffers, actions[:2, :1])
    with pytest.raises(ValueError, match="prefixes has 57 heads; an action has 57"):
        SPACE.next_masks(masks, actions)
    for wrong in ([[1], [1, 2], [1]], [1, 2, 3], np.zeros((3, 1))):
        with pytest.raises(ValueError, match="rows of as many first heads each"):
            SPACE.next_masks(masks, wrong)


@pytest.mark.rule("CMD-004")
def test_a_learner_can_read_which_verbs_end_the_turn() -> None:
    """farm 1 turn, level_land 0 (commands.csv); an override counts."""
    ends = dict(zip((verb.name for verb in MENU.verbs), MENU.uses_turn, strict=True))
    assert ends["farm"] and ends["fundraise"] and ends["build_ship:cruiser"]
    assert not (ends["level_land"] or ends["industrial_policy:heavy"] or ends["exchange:accept"])
    assert set(Menu(load_ruleset("season", AT_ONCE), 3, "everything").uses_turn) == {False}


def test_a_space_prints_its_sizes() -> None:
    assert repr(SPACE) == f"PlanSpace(commands_per_turn=8, verbs={len(MENU.verbs)}, cells=256, shape=(57,))"
    assert "commands_per_turn=1, one_at_a_time=True" in repr(PlanSpace(MENU, one_at_a_time=True))


@pytest.mark.parametrize("kind", [np.int64, np.float64, ">i4"])
def test_a_mask_may_come_back_in_numbers_of_another_type(
    kind: Any, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(1)
    mask = MENU.of(menu_of(w, cells_around(w)), 0)
    other = {name: array.astype(kind) for name, array in mask.items()}
    first, second = PlanSpace(MENU, 8, seed=3), PlanSpace(MENU, 8, seed=3)
    assert np.array_equal(first.sample(mask), second.sample(other))
    assert np.array_equal(first.sample(mask), second.sample({name: a.tolist() for name, a in mask.items()}))
