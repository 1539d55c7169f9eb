"""Many seasons side by side: all their worlds in one compiled call, arrays that lead with (env, nation)."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from hakoenv import controllers as registry
from hakoenv.controllers import Controller, Driver
from hakoenv.engine import scoring
from hakoenv.engine.handles import one_of
from hakoenv.engine.save import kernel_rules
from hakoenv.engine.season import Drivers, SeasonError, SeedError, check, checked_seed, make_world
from hakoenv.engine.warm import announce
from hakoenv.engine.world import PLAN_LENGTH, World, assign_world
from hakoenv.engine.worlds import new_worlds
from hakoenv.envs import vec_turn
from hakoenv.envs.carried import Carried
from hakoenv.envs.fresh import with_fresh_seed
from hakoenv.envs.options import at_least_1, drivers_of, verbs_of, views_of
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.policies import PolicyController
from hakoenv.envs.pool import Buffers, Pool
from hakoenv.envs.rewards import NAMED, Floats, reward_of
from hakoenv.envs.vec_plans import Seated, fill_plans
from hakoenv.envs.vec_rewards import ManyPoints, OneByOne
from hakoenv.obs import menu_pieces, menu_values
from hakoenv.obs.menu import FILLED_IN_PART, Menu, as_pieces
from hakoenv.obs.spec import CELL_INDEX, Spec
from hakoenv.ruleset import Ruleset

Observations: TypeAlias = dict[str, Any]
"""As an agent's observation, arrays leading with (env, nation); `action_mask` is a dict of such arrays."""
Infos: TypeAlias = dict[str, Any]
Step: TypeAlias = tuple[Observations, Floats, NDArray[np.bool_], NDArray[np.bool_], Infos]

_NEVER = 2**31 - 1
_MOST_WORLDS = 1 << 16  # beyond lie slips of the keyboard, which would take all memory


class VecEnv:
    """``num_envs`` seasons of one scenario, stepped together; world by world equal to `parallel_env`.

    Arrays lead with (env, nation). Rows of nations that a controller drives hold nothing. A season
    that is over is begun anew in the same step (`AutoresetMode.SAME_STEP`): the observations returned are
    those of the new season, those of the old one's end stand in ``infos["final_obs"]``.

    See `vec` for the arguments.

    Attributes:
        num_envs: E, how many seasons.
        nations: N, nations of each.
        possible_agents: names of the nations that are agents.
        seats: int64 (agents,): their numbers, for ``array[:, env.seats]``.
        single_observation_space: of one agent, as `NationsEnv.observation_space`.
        single_action_space: of one agent, a `PlanSpace`; L = its length.
        observation_space, action_space: of all worlds and nations.
        reward_parts: names along the last axis of ``infos["reward_parts"]``.
        ruleset: the rules in force.
        max_turns: the caller's limit, or None.
    """

    metadata: dict[str, Any] = {"name": "hakoenv_v0", "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        scenario: str = "duel",
        num_envs: int = 64,
        *,
        commands_per_turn: int = 8,
        controllers: Mapping[str, Driver] | None = None,
        rules: Mapping[str, object] | None = None,
        reward: str = "points",
        observation: str | Sequence[str] = "cells",
        cells: str = "list",
        commands: str | Sequence[str] = "all",
        max_turns: int | None = None,
        nations: int | None = None,
        ruleset_file: str | os.PathLike[str] | None = None,
    ) -> None:
        setup = check(scenario, 0, rules=rules, ruleset_file=ruleset_file, nations=nations)
        self.num_envs = at_least_1("num_envs", num_envs, _MOST_WORLDS)
        self.nations = len(setup.controllers)
        self.ruleset: Ruleset = setup.ruleset
        self.max_turns = None if max_turns is None else at_least_1("max_turns", max_turns)
        if not isinstance(reward, str):
            raise ValueError(f"reward={reward!r}: many worlds give rewards by name: {', '.join(NAMED)}")
        views, verbs = views_of(observation), verbs_of(commands)
        commands_per_turn = at_least_1("commands_per_turn", commands_per_turn, PLAN_LENGTH)
        drivers = [
            PolicyController(
                driver, commands_per_turn=commands_per_turn, observation=views, cells=cells, commands=verbs
            )
            if registry.is_policy(driver)
            else driver
            for driver in drivers_of({} if controllers is None else controllers, self.nations)
        ]
        self._own = Carried(reward, dict(controllers or {}))
        self._arguments = {
            "scenario": scenario,
            "num_envs": self.num_envs,
            "commands_per_turn": commands_per_turn,
            "rules": setup.ruleset.overrides,
            "observation": views,
            "cells": cells,
            "commands": verbs,
            "max_turns": self.max_turns,
            "nations": self.nations,
        }
        self._setup = setup.driven_by(drivers)
        self._drivers = _usable(self._setup.drivers)
        own = [n for n, driver in enumerate(drivers) if registry.name_of(driver) == registry.EXTERNAL]
        self.seats = np.array(own, np.int64)
        self.possible_agents = [f"nation_{n}" for n in own]
        self.rules = kernel_rules(setup.ruleset)
        self._spec = Spec(setup.ruleset, self.nations, views, cells)
        self._menu = Menu(setup.ruleset, self.nations, verbs, self._spec.cell_count)
        parts = dict(self._spec.space().spaces)
        self.single_observation_space = spaces.Dict({**parts, "action_mask": self._menu.space()})
        self.single_action_space = PlanSpace(self._menu, commands_per_turn)
        (self._length,) = self.single_action_space.shape
        count = self.num_envs
        height, width = self._spec.height, self._spec.width
        self.worlds: World = new_worlds(count, width, height, self.nations)
        self._pools = Pool(lambda: self._spec.buffers(count)), Pool(lambda: self._menu.buffers(count))
        self._room = self._spec.new_scratch(), menu_pieces.new_scratch(self._menu.table)
        self._everywhere = np.arange(count)
        self._reward = (
            ManyPoints(self.worlds, self.rules)
            if reward == "points"
            else OneByOne(reward, self.worlds, self.rules)
        )
        self.reward_parts: tuple[str, ...] = reward_of(reward).parts
        self._seeds = np.zeros(count, np.uint64)
        self._seen: Any = None
        self._allowed: Buffers = {}
        self._guests: list[Seated] = []  # who plans for agents in the coming turn
        self._begun = False
        self._np_random: np.random.Generator | None = None

    # ------------------------------------------------------------ playing

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
        out: Observations | None = None,
    ) -> tuple[Observations, Infos]:
        """Begin all seasons.

        Args:
            seed: of the first world, the others' are the next ones; or one for each; None draws fresh ones.
            options: ignored.
            out: arrays of `buffers` that take the observations; None fresh ones.

        Returns:
            Observations and infos, as `step` gives them.

        Raises:
            SeedError: a seed is none, or there are not as many as worlds.
            ValueError: ``out`` is nothing like `buffers`.
            ScenarioError: the map of a seed has too few sites for the nations.
        """
        announce()
        place = self._place(out)
        given = None if seed is None else self._listed_seeds(seed)
        self._begun = False  # until there is a new season everywhere
        self._guests = []
        if given is None:
            if self._np_random is None:
                self._np_random = seeding.np_random(None)[0]
            for i in range(self.num_envs):
                with_fresh_seed(self._np_random, partial(self._begin_season, i))
        else:
            for i, number in enumerate(given):
                self._begin_season(i, number)
            self._np_random = seeding.np_random(given[0])[0]
        self._reward.start(self._everywhere)
        self._begun = True
        self._observe(self._everywhere, place)
        return self._observations(), self._infos()

    def step(self, actions: Any, out: Observations | None = None) -> Step:
        """Play one turn in every world.

        Args:
            actions: whole numbers (E, N, L), as of `single_action_space`; rows of nations that are no
                agents, or dead, do nothing. Numbers outside the space give no command.
            out: arrays of `buffers` that take the observations, those of the step before among them; None
                gives arrays that nobody else holds.

        Returns:
            Observations; rewards float64 (E, N); terminations and truncations bool (E, N), for nations that
            lived when the turn began; infos: `turn` and `seed` (E,), `alive` bool (E, N), all three as the
            observations show them; `reward_parts` float64 (E, N, parts). Where seasons are over `final` int64
            (k,) says which, `_final_obs` bool (E,) the same, and with the leading axis of `final` there are
            `final_obs`, `final_turn` (k,), `final_points` float64 (k, N), `final_ranks` int64 (k, N),
            `final_winner` bool (k, N) and `final_ending` (codes.ending; 0 where it goes on without agents, or
            a caller's limit ended it). Points are those of ``infos[agent]["result"]`` in `parallel_env`;
            `Season.result` rounds exact fractions, which may differ in the last digit.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`, and after a policy or controller of the
                caller's has raised (what it raised comes out of `step`, with a note of the world and the
                nations).
            ValueError: actions of another shape or kind; ``out`` is nothing like `buffers`.
        """
        rows = self._checked(actions)
        place = self._place(out)
        worlds = self.worlds
        lived = worlds.nations["alive"] == 1
        notes = menu_values.new_notes()
        vec_turn.enter(worlds, self.rules, self._menu.table, self.seats, rows, self._seen[CELL_INDEX], notes)
        try:
            self._plan()
        except Exception:  # a controller's: some have planned for this turn, and others have not
            self._begun = False
            raise
        over = np.zeros((self.num_envs, 2), np.bool_)
        limit = _NEVER if self.max_turns is None else min(self.max_turns, _NEVER)
        vec_turn.play(worlds, self.rules, limit, over)
        alive = worlds.nations["alive"] == 1
        ended, truncated = over.T
        fell = lived & ~alive
        parts = self._reward.give(ended | truncated, fell)
        terminations = lived & (fell | ended[:, np.newaxis])
        truncations = lived & truncated[:, np.newaxis] & ~terminations
        finished = np.flatnonzero(ended | truncated | ~alive[:, self.seats].any(axis=1))
        self._observe(self._everywhere, place)
        final = self._final(finished) if finished.size else {}
        for i in finished.tolist():
            draws = seeding.np_random(int(self._seeds[i]))[0]
            with_fresh_seed(draws, partial(self._begin_season, i))
        if finished.size:
            self._reward.start(finished)
            self._observe(finished, (self._seen, self._allowed))
        infos = self._infos() | {"reward_parts": parts} | final
        return self._observations(), parts.sum(axis=-1), terminations, truncations, infos

    def let_plan(self, driver: Controller, whose: NDArray[np.bool_]) -> None:
        """Let a controller plan for agents' nations in the next step, as it does in a season that it drives.

        The nations are its for that turn: the rules take them for what it is, and the plans' author is its.

        Args:
            driver: such as `hakoenv.controllers.get("rule_ai")`.
            whose: bool (E, N); their actions are entered first, so let them keep the queue (all 0).

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
            SeasonError: it is no controller, or needs a season of its own.
            ValueError: ``whose`` is no such array, or names a nation that is no agent.
        """
        self._must_have_begun()
        if not registry.is_controller(driver):
            raise SeasonError(f"driver={repr(driver)[:100]} is no controller; {_instead_of(driver)}")
        shape = (self.num_envs, self.nations)
        if getattr(whose, "dtype", None) != np.bool_ or whose.shape != shape:
            raise ValueError(f"whose must be a bool array of shape {shape} (env, nation)")
        for n in np.flatnonzero(whose.any(axis=0)).tolist():
            if n not in self.seats:
                raise ValueError(f"whose names nation_{n}, which a controller drives; name agents only")
        name = registry.name_of(driver)
        _usable([(name, self.seats, driver)])
        self._guests.append(Seated(name, driver, whose.copy()))

    def sample_legal(self) -> NDArray[np.int64]:
        """Random legal actions (E, N, L) for the latest observations; all 0 for nations that are no agents.

        Draws from `single_action_space`, as far as that is seeded repeatable.
        """
        self._must_have_begun()
        count = self.num_envs * len(self.seats)
        seeds = self.single_action_space.np_random.integers(0, 2**63, count, np.uint64)
        places = (self._everywhere[:, np.newaxis] * self.nations + self.seats).reshape(-1)
        rows = self.num_envs * self.nations
        flat = {name: array.reshape(rows, *array.shape[2:]) for name, array in self._allowed.items()}
        actions = np.zeros((self.num_envs, self.nations, self._length), np.int64)
        drawn = self.single_action_space.sample_plans(flat, places, seeds)
        actions[:, self.seats] = drawn.reshape(self.num_envs, len(self.seats), self._length)
        return actions

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """Of all observations, arrays (E, N, ...); made when it is first asked for."""
        space: spaces.Dict = self._many(_with_nothing(self.single_observation_space))
        return space

    @cached_property
    def action_space(self) -> spaces.Box:
        """Of all actions, whole numbers (E, N, L). What it samples means little: see `sample_legal`."""
        space: spaces.Box = self._many(self.single_action_space)
        return space

    @property
    def cell_index(self) -> NDArray[np.int32]:
        """(E, N, places): the flat cell of each place of the latest cell lists, -1 none."""
        cells: NDArray[np.int32] = self._seen[CELL_INDEX]
        return cells

    def buffers(self) -> Observations:
        """Fresh arrays for ``out``."""
        seen = self._spec.buffers(self.num_envs)
        menus = self._menu.buffers(self.num_envs)
        return {name: seen[name] for name in self._spec.names} | {"action_mask": menus}

    def world(self, number: int) -> World:
        """One of the worlds: the truth, for analysis. Views; the next step changes what they show."""
        if not 0 <= number < self.num_envs:
            raise ValueError(f"number={number!r} must lie in 0..{self.num_envs - 1}")
        return one_of(self.worlds, number)

    def close(self) -> None:
        """Nothing is held open."""

    def __getstate__(self) -> dict[str, Any]:
        """Everything a copy continues from, in this process or another.

        Seeds and draws are copies: a shallow copy goes on by itself, too.
        """
        guests = {f"guest {k}": seated.driver for k, seated in enumerate(self._guests)}
        return {
            "arguments": self._arguments,
            "own": Carried.of(**self._own.arguments, let_plan=guests),
            "guests": [(seated.name, seated.whose) for seated in self._guests],
            "worlds": [np.array(array) for array in self.worlds] if self._begun else None,
            "seeds": self._seeds.copy(),
            "np_random": copy.deepcopy(self._np_random),
            "action_space": copy.deepcopy(self.single_action_space.np_random),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        own = dict(state["own"].arguments)
        drivers = own.pop("let_plan").values()
        self.__init__(**state["arguments"], **own)  # type: ignore[misc]
        seats = zip(state["guests"], drivers, strict=True)
        self._guests = [Seated(name, driver, whose) for (name, whose), driver in seats]
        self._seeds, self._np_random = state["seeds"], state["np_random"]
        self.single_action_space._np_random = state["action_space"]
        if state["worlds"] is not None:
            for into, array in zip(self.worlds, state["worlds"], strict=True):
                into[...] = array
            self._reward.start(self._everywhere)
            self._begun = True
            self._observe(self._everywhere, self._place(None))

    def observe(self) -> tuple[Observations, Infos]:
        """Observations and infos of the worlds as they stand, as `reset` gives them.

        For a copy of an environment, and after the worlds were changed from outside.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        self._must_have_begun()
        self._reward.start(self._everywhere)
        self._observe(self._everywhere, self._place(None))
        return self._observations(), self._infos()

    def __repr__(self) -> str:
        agents = f"{len(self.possible_agents)} of {self.nations} nations are agents"
        return f"<{type(self).__name__} {self.num_envs} x {self.ruleset.scenario}: {agents}>"

    # ------------------------------------------------------------ parts of a step

    def _listed_seeds(self, seed: int | Sequence[int]) -> list[int]:
        if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed):
            if len(seed) != self.num_envs:
                raise SeedError(f"seed has {len(seed)} numbers for {self.num_envs} worlds")
            return [checked_seed(number) for number in seed]
        first = checked_seed(seed)
        return [checked_seed(first + i) for i in range(self.num_envs)]

    def _many(self, space: Any) -> Any:
        """A space with the axes of worlds and nations before its own."""
        return batch_space(batch_space(space, self.nations), self.num_envs)

    def _begin_season(self, number: int, seed: int) -> None:
        """Put a new season into one of the worlds."""
        assign_world(one_of(self.worlds, number), make_world(self._setup._replace(seed=seed)))
        self._seeds[number] = seed

    def _plan(self) -> None:
        """Let the controllers plan in every world (phase 1)."""
        guests, self._guests = self._guests, []
        seated = []
        for name, seats, driver in self._drivers:
            whose = np.zeros((self.num_envs, self.nations), np.bool_)
            whose[:, seats] = True
            seated.append(Seated(name, driver, whose))
        fill_plans(self.worlds, self.rules, [*seated, *guests])

    def _place(self, out: Observations | None) -> tuple[Any, Buffers]:
        """Where observations and menus go: arrays that nobody else holds, or the caller's.

        Raises:
            ValueError: the caller's are nothing like `buffers`.
        """
        if out is None:
            return self._pools[0].take(), self._pools[1].take()
        forms = self.single_observation_space.spaces
        wanted = {name: (forms[name].shape, forms[name].dtype) for name in self._spec.names}
        menu = {name: (form.shape, form.dtype) for name, form in forms["action_mask"].items()}  # type: ignore[attr-defined]
        lead = (self.num_envs, self.nations)
        seen = _alike(out, wanted, lead, "out")
        allowed = _alike(out.get("action_mask"), menu, lead, "out['action_mask']")
        seen[CELL_INDEX] = np.full((*lead, self._spec.cell_count), -1, np.int32)
        return self._spec.as_buffers(seen), allowed

    def _observe(self, which: NDArray[np.int64], place: tuple[Any, Buffers]) -> None:
        """Fill observations and menus of worlds."""
        self._seen, self._allowed = place
        seen, allowed = place
        blanks = [seen[name] for name in self._spec.lists] + [allowed[name] for name in FILLED_IN_PART]
        lead = (self.num_envs, self.nations, -1)
        vec_turn.observe(
            self.worlds,
            self.rules,
            which,
            self.seats,
            self._spec.all_cells,
            tuple(array.view(np.uint8).reshape(lead) for array in blanks),
            seen.arrays,
            self._room[0],
            self._menu.table,
            as_pieces(allowed),
            self._room[1],
        )

    def _observations(self) -> Observations:
        return {name: self._seen[name] for name in self._spec.names} | {"action_mask": dict(self._allowed)}

    def _final(self, finished: NDArray[np.int64]) -> Infos:
        """How the seasons ended that are over, before their worlds hold others."""
        worlds = [one_of(self.worlds, i) for i in finished.tolist()]
        seen = {name: self._seen[name][finished] for name in self._spec.names}
        mask = {name: array[finished] for name, array in self._allowed.items()}
        clock = self.worlds.clock[finished, 0]
        over = np.zeros(self.num_envs, np.bool_)
        over[finished] = True
        return {
            "final": finished,
            "_final_obs": over,
            "final_obs": seen | {"action_mask": mask},
            "final_turn": clock["turn"].astype(np.int64),
            "final_ending": clock["ending"].astype(np.int64),
            "final_points": np.stack([scoring.standing_points(world, self.rules) for world in worlds]),
            "final_ranks": np.array([scoring.ranks(world, self.rules) for world in worlds], np.int64),
            "final_winner": self.worlds.nations["winner"][finished] == 1,
        }

    def _infos(self) -> Infos:
        return {
            "turn": self.worlds.clock["turn"][:, 0].astype(np.int64),
            "seed": self._seeds.copy(),
            "alive": self.worlds.nations["alive"] == 1,
        }

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        """The actions of the agents, (E, agents, L)."""
        self._must_have_begun()
        rows = np.asarray(actions)
        shape = (self.num_envs, self.nations, self._length)
        if rows.dtype.kind not in "iu" or rows.shape != shape:
            raise ValueError(
                f"actions must be whole numbers of shape {shape} (env, nation, head), "
                f"not {rows.dtype} of shape {rows.shape}"
            )
        return np.ascontiguousarray(rows[:, self.seats], np.int64)

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")


def vec(scenario: str = "duel", num_envs: int = 64, **arguments: Any) -> VecEnv:
    """Many seasons of a scenario side by side, in one compiled call a turn.

    Args:
        scenario: `duel`, `skirmish`, `season` or `grand`.
        num_envs: how many, at most 65536.
        **arguments: `commands_per_turn`, `controllers`, `rules`, `observation`, `cells`, `commands`,
            `max_turns`, `nations` and `ruleset_file` as for `hakoenv.parallel_env`; `reward` by name. The
            rule AI plans for all worlds in one compiled call; other controllers and policies are asked world
            by world. Controllers that have a `begin`, as language models, need a season of their own.

    Raises:
        ScenarioError, SeasonError, ControllerError, RulesetError, ValueError: an argument is impossible.
    """
    return VecEnv(scenario, num_envs, **arguments)


def _with_nothing(space: spaces.Dict) -> spaces.Dict:
    """The space with 0 everywhere: what rows hold whose nation has no agent."""
    parts: dict[str, Any] = {}
    for name, part in space.items():
        parts[name] = part
        if isinstance(part, spaces.Dict):
            parts[name] = _with_nothing(part)
        elif isinstance(part, spaces.Box) and (part.low > 0).any():
            parts[name] = spaces.Box(np.minimum(part.low, 0), part.high, dtype=part.dtype.type)
    return spaces.Dict(parts)


def _alike(
    given: Any, wanted: Mapping[str, tuple[Any, Any]], lead: tuple[int, int], what: str
) -> dict[str, NDArray[Any]]:
    """A caller's arrays, if they are what is wanted.

    Raises:
        ValueError: they are not; the message names the first that differs.
    """
    found: dict[str, NDArray[Any]] = {}
    for name, (shape, dtype) in wanted.items():
        array = given.get(name) if isinstance(given, Mapping) else None
        if (
            not isinstance(array, np.ndarray)
            or array.shape != (*lead, *shape)
            or array.dtype != dtype
            or not array.flags.c_contiguous
            or not array.flags.writeable
        ):
            raise ValueError(
                f"{what}[{name!r}] must be a contiguous, writeable {dtype} array of shape {(*lead, *shape)}; "
                "buffers() makes such arrays"
            )
        found[name] = array
    return found


def _instead_of(what: object) -> str:
    """What to give `VecEnv.let_plan` instead of something that is no controller."""
    if isinstance(what, str):
        return "make one once, hakoenv.controllers.get(name)"
    if registry.is_policy(what):
        return "make one of it once, hakoenv.envs.PolicyController(policy)"
    return registry.fault_of(what)


def _usable(drivers: Drivers) -> Drivers:
    """Controllers that can plan for worlds without a season.

    Raises:
        SeasonError: one can't.
    """
    for name, _, driver in drivers:
        if hasattr(driver, "begin"):
            raise SeasonError(f"controllers: {name} needs a season of its own; use hakoenv.parallel_env")
    return drivers
