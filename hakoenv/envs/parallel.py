"""The PettingZoo environment: all nations of one season at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.env import AECEnv, ParallelEnv

from hakoenv import controllers as registry
from hakoenv.controllers import Driver
from hakoenv.engine import board
from hakoenv.engine.save import SaveError, Snapshot
from hakoenv.engine.season import Season, Setup, check, checked_seed
from hakoenv.engine.world import PLAN_LENGTH, World, assign_world, new_world
from hakoenv.envs import infos as facts
from hakoenv.envs.actions import apply
from hakoenv.envs.asking import Asking
from hakoenv.envs.briefings import Briefings
from hakoenv.envs.carried import Carried
from hakoenv.envs.fresh import with_fresh_seed
from hakoenv.envs.options import (
    RENDER_MODES,
    at_least,
    at_least_1,
    drivers_of,
    render_mode_of,
    seat_of,
    verbs_of,
    views_of,
)
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.policies import ask
from hakoenv.envs.pool import Buffers
from hakoenv.envs.reading import rows_of, warn_of_lost_commands
from hakoenv.envs.rewards import RewardFunction, Turn, as_terms, reward_of
from hakoenv.obs.text import text as text_view
from hakoenv.obs.text_words import Japanese
from hakoenv.ruleset import Ruleset

Observation: TypeAlias = dict[str, Any]
Info: TypeAlias = dict[str, Any]
Step: TypeAlias = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]
View: TypeAlias = str  # "all" or an agent

_SCALE_MAX = 4  # frames of the largest map stay below ten million pixels


class NationsEnv(ParallelEnv[str, Observation, NDArray[np.int64] | None]):
    """One season; the agents are `nation_0`, `nation_1`... without those that controllers drive.

    An agent gets a last observation, reward and `terminations=True` in the turn in which its nation
    falls or the rules end the season, and never returns; `max_turns` truncates. An action is an array of
    `action_space(agent)`; `action_space(agent).sample(observation["action_mask"])` draws a legal one. An
    action that is missing, no whole-number array of the right shape, or for an agent that is not (or no
    longer) there gives no command: the nation's queue goes on, `infos[agent]["warnings"]` says so, and
    nothing raises. A command with numbers outside the space counts as none; one that is merely illegal is
    refused in its turn, with a reason in `infos[agent]["commands"]`.

    See `parallel_env` for the arguments.

    Attributes:
        ruleset: the rules in force.
        max_turns: the caller's limit, or None.
        render_mode: `human`, `ansi`, `rgb_array` or None.
    """

    metadata: dict[str, Any] = {
        "name": "hakoenv_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        scenario: str = "season",
        *,
        commands_per_turn: int = 8,
        controllers: Mapping[str, Driver] | None = None,
        rules: Mapping[str, object] | None = None,
        reward: str | RewardFunction = "points",
        observation: str | Sequence[str] = "cells",
        cells: str = "list",
        commands: str | Sequence[str] = "all",
        one_at_a_time: bool = False,
        max_turns: int | None = None,
        render_mode: str | None = None,
        render_scale: int = 1,
        copy: bool = False,
        nations: int | None = None,
        ruleset_file: str | os.PathLike[str] | None = None,
    ) -> None:
        setup = check(scenario, 0, rules=rules, ruleset_file=ruleset_file, nations=nations)
        seats = len(setup.controllers)
        drivers = drivers_of({} if controllers is None else controllers, seats)
        self._policies = {n: driver for n, driver in enumerate(drivers) if registry.is_policy(driver)}
        asked = registry.Asked()
        self._setup: Setup = setup.driven_by(
            [asked if n in self._policies else driver for n, driver in enumerate(drivers)]
        )
        self.ruleset: Ruleset = setup.ruleset
        views = views_of(observation)
        verbs = verbs_of(commands)
        self.max_turns = None if max_turns is None else at_least_1("max_turns", max_turns)
        self.render_mode = render_mode_of(render_mode)
        self._render_scale = at_least_1("render_scale", render_scale, _SCALE_MAX)
        self._reward = reward_of(reward)
        self._copy = bool(copy)
        self._own = Carried(reward, dict(controllers or {}))
        self._arguments = {
            "scenario": scenario,
            "commands_per_turn": at_least_1("commands_per_turn", commands_per_turn, PLAN_LENGTH),
            "rules": setup.ruleset.overrides,
            "observation": views,
            "cells": cells,
            "commands": verbs,
            "one_at_a_time": bool(one_at_a_time),
            "max_turns": self.max_turns,
            "render_mode": render_mode,
            "render_scale": self._render_scale,
            "copy": self._copy,
            "nations": seats,
        }
        own = [n for n, driver in enumerate(drivers) if registry.name_of(driver) == registry.EXTERNAL]
        self._briefings = Briefings(
            setup.ruleset, seats, views, cells, verbs, sorted([*own, *self._policies])
        )
        self._menu = self._briefings.menu
        self.possible_agents = [f"nation_{n}" for n in own]
        self.agents: list[str] = []
        self._seat = {agent: int(agent.removeprefix("nation_")) for agent in self.possible_agents}
        self._make_spaces(commands_per_turn, bool(one_at_a_time))
        self._asking = Asking(self._menu, int(commands_per_turn)) if one_at_a_time else None
        self._seen: Buffers = {}
        self._allowed: Buffers = {}
        self._season: Season | None = None
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, its `action_mask` included; the same object every time."""
        self._known(agent)
        return self._observation_space

    def action_space(self, agent: str) -> PlanSpace:
        """The space of an agent's plans; the same object every time, one for each agent."""
        self._known(agent)
        return self._action_spaces[agent]

    @property
    def world(self) -> World:
        """The world being played: the truth, for analysis; agents must not see it.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        return self._running().world

    @property
    def season(self) -> Season:
        """The season being played, with its statistics, names and result.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        return self._running()

    @property
    def np_random(self) -> np.random.Generator:
        """Where `reset()` without a seed takes its seed from."""
        if self._np_random is None:
            self._np_random = seeding.np_random(None)[0]
        return self._np_random

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Begin a season.

        Args:
            seed: 0..2**64 - 1: the seed of the world, which decides map, weather and every draw; None
                takes a fresh one from where the last left off. `infos[agent]["seed"]` tells it.
            options: ignored.

        Raises:
            SeedError: the seed is none.
            ScenarioError: the map of this seed has too few sites for the nations.
        """
        self._season = (
            self._fresh() if seed is None else Season.start(self._setup._replace(seed=checked_seed(seed)))
        )
        return self._begin()

    def step(self, actions: Mapping[str, Any]) -> Step:
        """Play one turn with the agents' plans; with `one_at_a_time`, once all have ended their turn.

        Returns:
            Observations, rewards, terminations, truncations and infos of the agents that were there when
            the turn began. Five empty dicts once no agent is left.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`, and after a reward function, policy or
                controller of the caller's has raised (what it raised comes out of `step`, with a note of
                the turn and the nation).
        """
        season = self._running()
        if not self.agents:
            return {}, {}, {}, {}, {}
        rows, warnings = rows_of(actions, self.agents, self._length)
        seats = np.array([self._seat[agent] for agent in self.agents], np.int64)
        try:
            if not self._enter(seats, rows, warnings):
                return self._ask_again(warnings)
            season.play_turn()
        except SaveError:
            raise  # the season is as it was before
        except Exception:  # the caller's policy or controller
            self._drop()
            raise
        return self._end_of_turn(warnings)

    def post(self, agent: str, text: str, to: str | int = board.ALL) -> str:
        """Post a message beside the agent's action of the coming turn.

        Whom it is for finds it in `infos[agent]["messages"]` and in `text(agent)` once that turn has been
        played. It changes neither observations nor the world; `save`, copies and `load` carry it.

        Args:
            agent: who writes, such as `nation_0`.
            text: at most 280 characters (`message.length`); line breaks become blanks. A nation may post 4
                messages a turn (`message.per_turn`).
            to: a nation (`nation_3` or 3), `faction` (the room of the agent's faction, for its full
                members) or `all`.

        Returns:
            Why it is refused, in a sentence; empty if it is posted.

        Raises:
            KeyError: there is no such agent.
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        season = self._running()
        self._known(agent)
        if agent not in self.agents:
            return f"{agent} is no longer there"
        return season.post(self._seat[agent], text, to)

    def sample_legal(self) -> dict[str, NDArray[np.int64]]:
        """A random legal action for every agent, in one compiled call.

        The same as ``action_space(agent).sample(observation["action_mask"])`` of each with the latest
        observation, and as far as these spaces are seeded as repeatable.
        """
        seats = np.array([self._seat[agent] for agent in self.agents], np.int64)
        if not self.agents:
            return {}
        chosen = [self._action_spaces[agent] for agent in self.agents]
        seeds = np.array([space.np_random.integers(0, 2**63, 1, np.uint64)[0] for space in chosen])
        return dict(zip(self.agents, chosen[0].sample_plans(self._allowed, seats, seeds), strict=True))

    def render(self, view: View = "all") -> None | NDArray[np.uint8] | str:  # type: ignore[override]
        """A picture of the map in the render mode.

        Args:
            view: `all` shows the truth; an agent shows what its nation knows.

        Returns:
            Text with colour codes (`ansi`), an array (height, width, 3) (`rgb_array`), or None: `human`
            prints the text.

        Raises:
            ValueError: ``view`` is neither `all` nor a nation.
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        season = self._running()
        viewer = None if isinstance(view, str) and view == "all" else self._nation("view", view, '"all"')
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: make the environment with render_mode=...")
            return None
        if self.render_mode == "rgb_array":
            from hakoenv.render.pixels import CELL_PIXELS, rgb_array

            return rgb_array(season.world, season.rules, viewer, CELL_PIXELS * self._render_scale)
        from hakoenv.render.ansi import ansi_map

        drawn = ansi_map(season.world, season.rules, viewer=viewer)
        if self.render_mode == "ansi":
            return drawn
        print(f"{drawn}\nturn {season.turn}")
        return None

    def text(self, agent: str, budget: int | None = None, japanese: Japanese = False) -> str:
        """What a nation knows, as text.

        Args:
            agent: whose view, such as `nation_0`.
            budget: most characters; None leaves nothing out.
            japanese: names in Japanese; `both`: in Japanese behind the English ones.

        Raises:
            ValueError: there is no such nation, or no such budget.
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        season = self._running()
        nation = self._nation("agent", agent)
        most = None if budget is None else at_least(0, "budget", budget)
        return text_view(
            season.world,
            season.rules,
            self.ruleset,
            nation,
            season.names,
            budget=most,
            japanese=japanese,
            posts=self._new_posts(nation),
        )

    def state_hash(self) -> str:
        """Digest of the whole world: equal worlds have equal digests."""
        return self._running().state_hash()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the season as it stands to one file; `load` continues it, and so does `hakoenv season`.

        Raises:
            SaveError: it can't be written.
        """
        self._running().save(path)

    def load(self, path: str | os.PathLike[str]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Continue a saved season, exactly as if it had never stopped.

        The environment must have been made with the same scenario, rules, nations and controllers. With
        `one_at_a_time`, commands given for a turn that had not been played are asked for anew.

        Returns:
            Observations and infos as `reset` gives them, of the agents that are still there.

        Raises:
            SaveError: the file is broken or of another game.
        """
        season, _ = Season.load(path, agents=self._setup.controllers)
        if season.ruleset != self.ruleset:
            raise SaveError(f"{os.fspath(path)}: is a save of another game, with other rules")
        self._season = season
        if self._asking is not None:
            season.world.nations["plan_length"][[*self._seat.values(), *self._policies]] = 0
        return self._begin()

    def close(self) -> None:
        """Nothing is held open; the environment may be closed any number of times and used again."""

    def __str__(self) -> str:
        return f"{self.metadata['name']}<{self.ruleset.scenario}>"

    def __repr__(self) -> str:
        seats = len(self._setup.controllers)
        when = "before reset()" if self._season is None else f"turn {self._season.turn}"
        agents = f"{len(self.agents)} of {len(self.possible_agents)} agents"
        return f"<{type(self).__name__} {self.ruleset.scenario}: {agents}, {seats} nations, {when}>"

    def __getstate__(self) -> dict[str, Any]:
        """Everything a copy continues from, in this process or another."""
        return {
            "arguments": self._arguments,
            "own": self._own,
            "season": None if self._season is None else self._season.snapshot(),
            "agents": list(self.agents),
            "spaces": (self._observation_space, self._action_spaces),
            "np_random": self._np_random,
            "asking": None if self._asking is None else (list(self._asking.given), self._asking.done.copy()),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["arguments"], **state["own"].arguments)  # type: ignore[misc]
        self._observation_space, self._action_spaces = state["spaces"]
        if state["season"] is not None:
            self._season = _season_of(state["season"], self._setup.controllers)
            self._reward.start(self._season.world, self._season.rules)
            if self._asking is not None:
                self._asking.given, self._asking.done = state["asking"]
            self._observe(())
        self.agents = list(state["agents"])
        self._np_random = state["np_random"]

    def _running(self) -> Season:
        if self._season is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._season

    def _known(self, agent: str) -> None:
        if not isinstance(agent, str) or agent not in self._seat:
            raise KeyError(f"{agent!r} is no agent; there are {', '.join(self.possible_agents)}")

    def _nation(self, argument: str, value: Any, besides: str = "") -> int:
        """The seat of a nation's name, given as an argument."""
        seats = len(self._setup.controllers)
        seat = seat_of(value, seats)
        if seat is None:
            wanted = f"neither {besides} nor one of" if besides else "none of"
            raise ValueError(f"{argument}={value!r} is {wanted} nation_0 .. nation_{seats - 1}")
        return seat

    def _make_spaces(self, commands_per_turn: int, one_at_a_time: bool) -> None:
        parts = dict(self._briefings.spec.space().spaces)
        self._observation_space = spaces.Dict({**parts, "action_mask": self._menu.space()})
        self._action_spaces = {
            agent: PlanSpace(self._menu, commands_per_turn, one_at_a_time) for agent in self.possible_agents
        }
        (self._length,) = self._action_spaces[self.possible_agents[0]].shape

    def _fresh(self) -> Season:
        """A season of a fresh seed; another if the map of one has too few sites."""
        return with_fresh_seed(self.np_random, lambda seed: Season.start(self._setup._replace(seed=seed)))

    def _begin(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Stand before the next turn of the season there is."""
        season = self._running()
        self._np_random = seeding.np_random(season.seed)[0]
        self._reward.start(season.world, season.rules)
        over = season.ended or self._out_of_turns()
        alive = season.world.nations["alive"]
        self.agents = [agent for agent in self.possible_agents if alive[self._seat[agent]] and not over]
        if self._asking is not None:
            self._asking.begin()
        observations, infos = self._observe(self.agents), self._infos(self.agents)
        if self.render_mode == "human":
            self.render()
        return observations, infos

    def _enter(
        self, seats: NDArray[np.int64], rows: NDArray[np.int64], warnings: dict[str, list[str]]
    ) -> bool:
        """Put the actions of agents and of the caller's policies into the plans; whether all are done."""
        season = self._running()
        world, rules, cells = season.world, season.rules, self._seen["cell_index"]
        if self._asking is None:
            warn_of_lost_commands(world, self._menu, self.agents, seats, rows, cells, warnings)
            apply(world, rules, self._menu, *self._with_policies(seats, rows), cells)
            return True
        while not self._asking.take(world, rules, *self._with_policies(seats, rows), cells):
            if not self._asking.done[seats].all():
                return False
            self._observe(())  # only policies have more to say
            cells = self._seen["cell_index"]
        return True

    def _with_policies(
        self, seats: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Seats and actions of the agents, and of the living nations that policies of the caller's govern."""
        if not self._policies:
            return seats, rows
        season = self._running()
        waiting = season.world.nations["alive"] == 1
        if self._asking is not None:
            waiting &= ~self._asking.done
        asked = [n for n in self._policies if waiting[n]]
        given = [
            ask(self._policies[n], self._observation(n), n, season.turn + 1, self._length) for n in asked
        ]
        return np.array([*seats, *asked], np.int64), np.array([*rows, *given], np.int64)

    def _drop(self) -> None:
        """Forget a season that can't go on: what is left is `reset`."""
        self.agents, self._season = [], None

    def _ask_again(self, warnings: Mapping[str, list[str]]) -> Step:
        """What a step gives that has played no turn: the same turn's facts, and what may follow."""
        observations, infos = self._observe(self.agents), self._infos(self.agents)
        for agent, sentences in warnings.items():
            infos[agent]["warnings"] = sentences
        no = dict.fromkeys(self.agents, False)
        return observations, dict.fromkeys(self.agents, 0.0), no, dict(no), infos

    def _end_of_turn(self, warnings: Mapping[str, list[str]]) -> Step:
        season = self._running()
        world, rules = season.world, season.rules
        alive = world.nations["alive"] == 1
        fell = ~alive & (season.before.nations["alive"] == 1)
        truncated = not season.ended and self._out_of_turns()
        over = season.ended or truncated
        try:
            parts = self._reward.give(Turn(season.before, world, rules, over, fell))
        except Exception:  # a caller's function; the turn has been played but can't be told
            self._drop()
            raise
        sums = parts.sum(axis=1).tolist()
        acted, seat = self.agents, self._seat
        if self._asking is not None:
            self._asking.begin()
        observations, infos = self._observe(acted), self._infos(acted)
        for agent, info in infos.items():
            info["played"] = True
            info["reward_terms"] = as_terms(self._reward.parts, parts[seat[agent]])
            info["warnings"] = warnings.get(agent, [])
        living = [agent for agent in acted if alive[seat[agent]]]
        gone = acted if over else [agent for agent in acted if not alive[seat[agent]]]
        if gone:
            results = facts.results(world, rules, over, [seat[agent] for agent in gone])
            for agent, result in zip(gone, results, strict=True):
                infos[agent]["result"] = result
        rewards = {agent: sums[seat[agent]] for agent in acted}
        terminations = {agent: bool(season.ended or not alive[seat[agent]]) for agent in acted}
        truncations = {agent: truncated and not terminations[agent] for agent in acted}
        self.agents = [] if over else living
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _infos(self, agents: Iterable[str]) -> dict[str, Info]:
        """Infos of agents in a step that has played no turn."""
        season = self._running()
        known = facts.Facts(season.world, season.rules)
        infos = {agent: known.of(self._seat[agent]) for agent in agents}
        for agent, info in infos.items():
            info["messages"] = [board.as_info(post) for post in self._new_posts(self._seat[agent])]
            info["reward_terms"] = dict.fromkeys(self._reward.parts, 0.0)
        return infos

    def _new_posts(self, nation: int) -> list[board.Post]:
        """What a nation may read of the messages that the last turn has delivered."""
        season = self._running()
        return season.board.read(season.world, nation, season.turn)

    def _out_of_turns(self) -> bool:
        return self.max_turns is not None and self._running().turn >= self.max_turns

    def _observe(self, agents: Iterable[str]) -> dict[str, Observation]:
        """Observations with their masks, in arrays that nobody else holds."""
        season = self._running()
        seen, allowed = self._briefings.take(season.world, season.rules)
        if self._asking is not None:
            self._asking.narrow(allowed)
        self._seen, self._allowed = seen, allowed
        names = list(agents)
        given = self._briefings.each(seen, allowed, [self._seat[name] for name in names])
        return dict(zip(names, map(_copied, given) if self._copy else given, strict=True))

    def _observation(self, nation: int) -> Observation:
        """One nation's part of the latest observations."""
        observation = self._briefings.of(self._seen, self._allowed, nation)
        return _copied(observation) if self._copy else observation


def parallel_env(
    scenario: Literal["duel", "skirmish", "season", "grand"] | str = "season", **arguments: Any
) -> NationsEnv:
    """The PettingZoo environment of a scenario.

    Args:
        scenario: `duel` (2 nations), `skirmish` (4), `season` (20) or `grand` (40).
        **arguments: `commands_per_turn` (8): commands of one action, up to 50. `controllers`: who drives
            nations that are no agents, such as ``{"nation_3": "rule_ai"}``: a name, a policy of yours (a
            function that gets that nation's observation and gives its action), or a controller; see
            docs/controllers.md. `rules`, `ruleset_file`: overrides of the ruleset. `reward`: `points`,
            `points_final`, `win`, `rank`, `growth`, `faction`, or a function of (world before the turn,
            world after it, nation); see `hakoenv.envs.rewards`. `observation`:
            `cells`, `planes` or both. `cells`: `list` (up to 256 cells of interest) or `all`. `commands`:
            the verbs an action may use (`all`, `everything`, `economy`, `war`, names...). `one_at_a_time`:
            each step is one command until one ends the turn. `max_turns`: truncate after this turn.
            `render_mode`: `human`, `ansi`, `rgb_array`. `render_scale`: 1 to 4 times the size of
            `rgb_array` frames (8 pixels a cell). `copy`: fresh arrays every turn. `nations`: how
            many, instead of the scenario's.

    Raises:
        ScenarioError, SeasonError, ControllerError, RulesetError, ValueError: an argument is impossible.
    """
    return NationsEnv(scenario, **arguments)


def env(scenario: str = "season", **arguments: Any) -> AECEnv[str, Observation, NDArray[np.int64] | None]:
    """The same environment in PettingZoo's turn-taking form; arguments as for `parallel_env`."""
    return parallel_to_aec(NationsEnv(scenario, **arguments))


def _season_of(snapshot: Snapshot, drivers: Sequence[Driver]) -> Season:
    """A season of a snapshot that has travelled, its arrays laid out by this process."""
    height, width = snapshot.world.cells.shape
    world = new_world(width, height, len(snapshot.world.nations), 0)
    assign_world(world, snapshot.world)
    snapshot.world = world
    return Season(snapshot, drivers)


def _copied(observation: Observation) -> Observation:
    return {
        key: _copied(value) if isinstance(value, dict) else value.copy() for key, value in observation.items()
    }
