"""The legal commands of a nation as a numbered list: what it holds, in which order, what an index does."""

import copy
import pickle
import re
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FilterObservation
from numpy.typing import NDArray

from hakoenv.engine.codes import reason
from hakoenv.engine.kernel import JIT_ENABLED
from hakoenv.envs import FlatCommands, NationEnv, PlanSpace, flat
from hakoenv.envs.flat_commands import _share, candidates
from hakoenv.obs.menu import Menu
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.determinism import differences

STEPS = 200 if JIT_ENABLED else 30
VERB, NATION, CELL, FACTOR = range(4)


def duel(count: int = 256, **arguments: Any) -> FlatCommands:
    chosen: dict[str, Any] = {"controllers": "idle", "commands": "economy"} | arguments
    return FlatCommands(NationEnv("duel", one_at_a_time=True, **chosen), count)


def one_by_one(space: PlanSpace, mask: Any) -> list[list[int]]:
    """Every legal command, head by head as `PlanSpace.next_mask` allows them, "no more" first."""
    prefixes = [[0]]
    for _ in range(7):
        prefixes = [
            [*prefix, int(value)]
            for prefix in prefixes
            for value in np.flatnonzero(space.next_mask(mask, prefix) if prefix[1:2] != [0] else [1])
        ]
    return [prefix[1:] for prefix in prefixes]


def given(rows: NDArray[np.int64]) -> list[list[int]]:
    """Candidates with 0 in the heads that their verbs do not need, as an action has it."""
    return np.maximum(rows, 0).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_the_list_is_what_the_mask_allows_head_by_head(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed, means=9)
    menu = Menu(w.rules, 3, "everything")
    space, buffers = PlanSpace(menu, one_at_a_time=True), menu.buffers()
    menu.fill(w.world, w.rules, cells_around(w), buffers)
    mask = menu.of(buffers, seed % 3)
    if not JIT_ENABLED:  # few values are enough then
        mask["factors"][:, :, 3:] = 0
        mask["options"][:, :4] &= 0b111
    rows, left_out = candidates(space, mask, 100_000)
    expected = one_by_one(space, mask)
    assert (given(rows), left_out) == (expected, 0)
    assert len(expected) > 100
    assert expected == sorted(expected)
    for row in rows.tolist():  # -1 exactly where the verb needs nothing
        verb = menu.verbs[row[VERB] - 1] if row[VERB] else None
        needed = (
            [verb.needs_nation, verb.needs_cell, *[k < len(verb.factors) for k in range(4)]]
            if verb
            else [False] * 6
        )
        assert [value >= 0 for value in row[1:]] == needed


@pytest.mark.parametrize(
    ("found", "room", "shares"),
    [
        ([3, 10, 0, 1], 14, [3, 10, 0, 1]),  # all
        ([3, 10, 0, 1], 20, [3, 10, 0, 1]),
        ([3, 10, 0, 1], 8, [3, 4, 0, 1]),  # up to 3 each is 7, one more to the second
        ([3, 10, 0, 1], 7, [3, 3, 0, 1]),
        ([3, 10, 0, 1], 6, [3, 2, 0, 1]),  # up to 2 each is 5, one more to the first
        ([3, 10, 0, 1], 3, [1, 1, 0, 1]),
        ([9, 9, 9], 4, [2, 1, 1]),
        ([0, 0], 5, [0, 0]),
    ],
)
def test_room_is_shared_out_evenly_and_each_verb_has_some(
    found: list[int], room: int, shares: list[int]
) -> None:
    got = np.zeros(len(found), np.int64)
    _share(np.array(found, np.int64), got, room)
    assert got.tolist() == shares


def test_too_many_are_thinned_evenly() -> None:
    whole, few = duel(count=5000), duel(count=60)
    _, info = whole.reset(seed=3)
    assert info["candidates_left_out"] == 0
    observation, info = few.reset(seed=3)
    all_rows, rows = whole._rows, few._rows
    assert info["candidates_left_out"] == len(all_rows) - 60
    assert info["action_mask"].tolist() == [1] * 60
    sizes, shares = Counter(all_rows[:, VERB].tolist()), Counter(rows[:, VERB].tolist())
    assert list(shares) == list(sizes)  # the same verbs in the same order, "no more" first
    level = min(shares[verb] for verb in sizes if shares[verb] < sizes[verb])
    for verb, size in sizes.items():
        share = shares[verb]
        assert share == size or share in {level, level + 1}
        every = all_rows[all_rows[:, VERB] == verb]
        ranks = [place * (size - 1) // max(1, share - 1) for place in range(share)]
        assert rows[rows[:, VERB] == verb].tolist() == every[ranks].tolist()


def test_an_observation_shows_the_candidates_and_a_mask_of_them() -> None:
    env = duel(count=400)
    plain = NationEnv("duel", one_at_a_time=True, controllers="idle", commands="economy")
    observation, info = env.reset(seed=3)
    expected, _ = plain.reset(seed=3)
    assert env.observation_space.contains(observation)
    held = int(observation["action_mask"].sum())
    assert 0 < held < 400 and info["candidates_left_out"] == 0
    assert observation["action_mask"].tolist() == [1] * held + [0] * (400 - held)
    assert observation["candidates"][0].tolist() == [0] + [-1] * 6  # no more
    assert (observation["candidates"][held:] == -1).all()
    assert env.action_masks().dtype == bool
    assert np.array_equal(env.action_masks(), observation["action_mask"])
    assert np.array_equal(info["action_mask"], observation["action_mask"])
    assert not list(differences(env.menu, expected["action_mask"]))
    for name in plain.observation_space.spaces.keys() - {"action_mask"}:  # type: ignore[attr-defined]
        assert np.array_equal(observation[name], expected[name])
    env.action_space.seed(0)
    assert all(env.action_space.sample(info["action_mask"]) < held for _ in range(50))
    verb = env.plan_space.menu.verbs[observation["candidates"][1, VERB] - 1]
    assert env.command(1).tolist() == [0, *np.maximum(observation["candidates"][1], 0)]
    assert verb.name in {v.name for v in env.plan_space.menu.verbs}


def test_a_step_is_the_same_command_in_the_environment_inside() -> None:
    env = duel()
    plain = NationEnv("duel", one_at_a_time=True, controllers="idle", commands="economy")
    env.reset(seed=5)
    plain.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(12):
        number = int(rng.integers(env.action_masks().sum()))
        row = env.command(number)
        ours, theirs = env.step(number), plain.step(row)
        assert ours[1:4] == theirs[1:4]
        assert env.unwrapped.state_hash() == plain.state_hash()  # type: ignore[attr-defined]
        assert ours[4]["played"] == theirs[4]["played"]
        if number == 0:
            assert ours[4]["played"]


@pytest.mark.parametrize("controllers", ["idle", "rule_ai"])
def test_what_the_mask_allows_is_carried_out_but_for_means_and_hidden_things(controllers: str) -> None:
    """And 200 random masked steps give no warning."""
    env = duel(controllers=controllers, commands="all")
    _, info = env.reset(seed=2)
    rng = np.random.default_rng(1)
    became: Counter[int] = Counter()
    asked: list[str] = []
    verbs = env.plan_space.menu.verbs
    for _ in range(STEPS):
        number = int(rng.integers(env.action_masks().sum()))
        if number:
            asked.append(verbs[env.command(number)[1] - 1].name)
        observation, _, terminated, truncated, info = env.step(number)
        assert info["warnings"] == []
        assert env.observation_space.contains(observation)
        if info["played"]:
            handled = info["commands"]
            became.update(command["code"] for command in handled)
            assert len(handled) >= len(asked)  # all that was given, and fundraise where nothing took the turn
            asked = []
        if terminated or truncated:
            env.reset()
    # The turn's income comes first, and takes, too; what others do and hidden things may block.
    assert became.keys() <= {reason.DONE, reason.NO_FUNDS, reason.NO_MATERIALS, reason.BLOCKED}
    assert became[reason.DONE] >= 0.97 * became.total()


@pytest.mark.parametrize(
    "action", [-1, 256, 10**30, None, "farm", 1.0, np.float32(1), [1, 2], {}, np.zeros(8, np.int64), object()]
)
def test_numbers_that_name_no_candidate_end_the_turn_and_are_told(action: Any) -> None:
    env = duel()
    env.reset(seed=3)
    *_, info = env.step(action)
    (sentence,) = info["warnings"]
    assert "which is no candidate of 0..255" in sentence
    assert (info["played"], info["turn"]) == (True, 1)
    assert [command["verb"] for command in info["commands"]] == ["fundraise"]
    *_, info = env.step(0)
    assert info["warnings"] == []


def test_an_empty_place_is_no_candidate() -> None:
    env = duel(count=400)
    env.reset(seed=3)
    held = int(env.action_masks().sum())
    assert env.step(held)[4]["warnings"] == [f"ignored '{held}', which is no candidate of 0..{held - 1}"]


@pytest.mark.parametrize("action", [0, np.int64(0), np.zeros((), np.int8), np.zeros(1, np.int64)])
def test_numbers_of_any_kind_are_taken(action: Any) -> None:
    env = duel()
    env.reset(seed=3)
    assert env.step(action)[4]["warnings"] == []


def test_after_the_end_the_last_step_is_repeated() -> None:
    env = duel(max_turns=1)
    env.reset(seed=3)
    first = env.step(0)
    again = env.step(10**6)
    assert first[2:4] == again[2:4] == (False, True)
    assert again[1] == 0.0
    assert again[4]["warnings"] != [] and first[4]["warnings"] == []
    env.reset(seed=3)
    env.unwrapped.nations.world.nations["abandoning"][0] = 1  # type: ignore[attr-defined]
    observation, _, terminated, _, info = env.step(0)
    assert terminated and info["action_mask"].tolist() == [1] + [0] * 255  # the fallen can only wait
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize(
    "make",
    [
        lambda: duel(),
        lambda: flat(duel()),
        lambda: FlatCommands(gymnasium.make("hakoenv/Duel-v0", one_at_a_time=True, observation="planes")),
        lambda: flat(FilterObservation(duel(), ["own", "candidates", "action_mask"])),
    ],
)
def test_the_ecosystems_check_passes(make: Callable[[], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", r".*different from the unwrapped version")
        check_env(make(), skip_render_check=True)


def test_flat_makes_vectors_of_it() -> None:
    env, plain = flat(duel()), duel()
    vector, info = env.reset(seed=3)
    observation, _ = plain.reset(seed=3)
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert env.observation_space.contains(vector)
    assert np.array_equal(vector[env.layout["candidates"]], observation["candidates"].reshape(-1))
    assert np.array_equal(info["action_mask"], observation["action_mask"])
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), observation["action_mask"])
    assert env.step(1)[4]["warnings"] == []
    small = flat(FilterObservation(duel(), ["clock", "candidates", "action_mask"]))
    assert sorted(small.layout) == ["candidates", "clock"]
    assert small.reset(seed=3)[0].shape == (12 + 256 * 7,)


def test_equal_seeds_are_equal_runs_and_copies_continue_identically() -> None:
    one, two = duel(), duel()
    runs = []
    for env in (one, two):
        rng = np.random.default_rng(3)
        steps: list[Any] = [env.reset(seed=8)]
        for _ in range(10):
            steps.append(env.step(int(rng.integers(env.action_masks().sum()))))
        runs.append(copy.deepcopy(steps))
    assert not list(differences(runs[0], runs[1]))
    for _ in range(20):  # a copy in the middle of a turn, too
        if not one.step(1)[4]["played"]:
            break
        two.step(1)
    for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert np.array_equal(other.action_masks(), one.action_masks())
        assert not list(differences(copy.deepcopy(other).step(1), copy.deepcopy(one).step(1)))


def test_kept_observations_never_change() -> None:
    env = duel()
    kept, info = env.reset(seed=3)
    before = copy.deepcopy((kept, info))
    env.step(1)
    env.step(0)
    assert not list(differences(before, (kept, info)))
    kept["action_mask"][:] = 0  # writing into what was returned changes nothing either
    kept["candidates"][:] = 7
    assert env.action_masks()[0]


def test_other_environments_and_counts_are_refused() -> None:
    for other in (NationEnv("duel"), gymnasium.make("CartPole-v1")):
        with pytest.raises(TypeError, match="made with one_at_a_time=True"):
            FlatCommands(other)  # type: ignore[arg-type]
    single = NationEnv("duel", one_at_a_time=True, commands="economy")
    with pytest.raises(TypeError, match="whole observation"):
        FlatCommands(flat(single))
    least = len(single.nations.action_space("nation_0").menu.verbs) + 1
    for count in (least - 1, 0, 2.5, True, "many"):
        with pytest.raises(ValueError, match=f"count={count!r} must be a whole number of at least {least}"):
            FlatCommands(single, count)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=rf"count=1000000000 must be a whole number of {least}\.\.1048576"):
        FlatCommands(single, 10**9)
    assert FlatCommands(single, least).reset(seed=1)[1]["action_mask"].shape == (least,)


def test_nothing_can_be_asked_before_the_first_reset() -> None:
    env = duel()
    inner = "<NationEnv duel: nation_0 of 2 nations, before reset()>"
    assert repr(env) == f"<FlatCommands of {inner}: 256 candidates>"
    for ask in (env.action_masks, lambda: env.command(0), lambda: env.step(0)):
        with pytest.raises(gymnasium.error.ResetNeeded):
            ask()
    env.reset(seed=1)
    numbers: list[Any] = [256, -1, None, 1.5, "a", [1, 2], 2**70]
    for wrong in numbers:
        with pytest.raises(IndexError, match=rf"candidate {re.escape(repr(wrong))} is none of 0\.\.255"):
            env.command(wrong)
    same: list[Any] = [True, np.int64(1), np.array(1), np.array([1])]
    for one in same:  # as `step` takes it
        assert np.array_equal(env.command(one), env.command(1))


def test_menus_of_another_environment_are_refused() -> None:
    space = PlanSpace(Menu(load_ruleset("duel"), 2, "economy"), one_at_a_time=True)
    other = Menu(load_ruleset("duel"), 2, "war")
    with pytest.raises(ValueError, match="is it of another environment"):
        candidates(space, other.of(other.buffers(), 0), 100)


def test_masks_that_are_no_menus_are_harmless() -> None:
    """A sample of the menu's space: any numbers."""
    menu = Menu(load_ruleset("duel"), 2, "war")
    space, garbage = PlanSpace(menu, one_at_a_time=True), menu.space()
    garbage.seed(0)
    for _ in range(3 if JIT_ENABLED else 1):
        rows, _ = candidates(space, garbage.sample(), 100)
        assert rows[0].tolist() == [0] + [-1] * 6
        assert all(space.contains(np.array([0, *row])) for row in given(rows))


class Watched(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Remembers what was said about actions."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.warnings: list[str] = []

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        self.warnings += result[4]["warnings"]
        return result


def test_maskable_ppo_runs_on_it() -> None:
    """And takes the mask from it: most of the 2000 places are empty, so that an unmasked draw would warn."""
    sb3_contrib = pytest.importorskip("sb3_contrib")
    inner = FilterObservation(duel(count=2000, max_turns=3), ["own", "candidates", "action_mask"])
    env: Any = Watched(flat(inner))
    settings: dict[str, Any] = {"n_steps": 16, "batch_size": 16, "n_epochs": 1, "seed": 0, "device": "cpu"}
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, **settings)
    model.learn(32)
    assert env.warnings == []
    vector, info = env.reset(seed=4)
    assert info["action_mask"].sum() < 500
    number, _ = model.predict(vector, action_masks=env.get_wrapper_attr("action_masks")())
    assert info["action_mask"][int(number)] == 1


def test_the_program_on_the_page_runs_as_shown_but_shorter(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    (section,) = re.findall(
        r"^## A single discrete choice: `FlatCommands`.*?\n(.*?)(?:^## |\Z)", page, re.S | re.M
    )
    (program,) = re.findall(r"```python\n(.*?)\n```", section, re.S)
    for long, short in (
        ("100_000", "32"),
        ("n_steps=1024", "n_steps=16"),
        ("batch_size=256", "batch_size=16"),
    ):
        assert long in program
        program = program.replace(long, short)
    exec(compile(program, "docs/training.md", "exec"), {"__name__": "page"})
    assert re.fullmatch(r"\[ *0( +\d+){7}\]\n", capsys.readouterr().out)
