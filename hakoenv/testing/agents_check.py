"""Checks that users can run on their own environments, wrappers and agents. Each returns what it found."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hakoenv.envs.parallel import NationsEnv
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, KEEP, MODE, NATION, VERB
from hakoenv.testing.determinism import Act, compare_runs, differences, sampled

_MOST = 20  # findings after which a check stops

Agent = Callable[[Any, Any], Any]
"""(observation, info) -> action."""


def check_env(make_env: Callable[[], Any], turns: int = 30, seed: int = 0) -> list[str]:
    """Check an environment in PettingZoo's parallel form, such as a wrapper around ours.

    Spaces are the same objects every time; observations lie in them; masks leave something legal; results
    name the agents that acted and nobody else; rewards are finite numbers; nobody ends twice or comes
    back; returned arrays don't change later; what makes no sense as an action raises nothing; equal seeds
    are equal runs.

    Args:
        make_env: makes a new environment.
        turns: most steps of each run.
        seed: of the runs.

    Returns:
        One sentence for each finding; empty if all is well.
    """
    found = _Findings()
    env = make_env()
    _check_spaces(env, found)
    observations, infos = env.reset(seed=seed)
    _check_observations(env, observations, found, "reset")
    kept = copy.deepcopy(observations), observations
    gone: set[str] = set()
    for turn in range(1, turns + 1):
        if not env.agents or found.full:
            break
        acted = list(env.agents)
        actions = {
            agent: sampled(env.action_space(agent), agent, observations.get(agent), infos.get(agent))
            for agent in acted
        }
        observations, rewards, terminations, truncations, infos = env.step(actions)
        where = f"step {turn}"
        for name, part in (
            ("observations", observations),
            ("rewards", rewards),
            ("terminations", terminations),
            ("truncations", truncations),
            ("infos", infos),
        ):
            found.unless(set(part) == set(acted), f"{where}: {name} are of {sorted(part)}, not of {acted}")
        _check_observations(env, observations, found, where)
        for agent in acted:
            ended, cut = terminations.get(agent, False), truncations.get(agent, False)
            value = rewards.get(agent, 0.0)
            found.unless(_is_finite(value), f"{where}: the reward of {agent} is {value!r}")
            found.unless(not (ended and cut), f"{where}: {agent} is terminated and truncated")
            found.unless(agent not in gone, f"{where}: {agent} acts after its end")
            if ended or cut:
                gone.add(agent)
                found.unless(agent not in env.agents, f"{where}: {agent} has ended and is an agent still")
    for path in differences(*kept):
        found.add(f"the observations of the reset have changed since: {path}")
    found.lines += check_bad_actions(make_env, seed)
    difference = compare_runs(make_env, seed, turns)
    if difference is not None:
        found.add(f"two runs with seed {seed} differ at {difference}")
    return found.lines


def check_bad_actions(make_env: Callable[[], Any], seed: int = 0) -> list[str]:
    """Give an environment actions that make no sense; none may raise."""
    found = _Findings()
    env = make_env()
    env.reset(seed=seed)
    agent = env.possible_agents[0]
    shape = env.action_space(agent).shape or (1,)
    bad: list[Any] = [
        {},
        {agent: None},
        {agent: "attack"},
        {agent: np.zeros(3, np.int64)},
        {agent: np.zeros(shape, np.float32)},
        {agent: np.full(shape, np.iinfo(np.int64).max)},
        {agent: np.full(shape, -1)},
        {agent: [[1], [2, 3]]},
        {"nobody": np.zeros(shape, np.int64)},
    ]
    for actions in bad:
        if not env.agents:
            env.reset(seed=seed)
        try:
            env.step(actions)
        except Exception as error:
            found.add(f"step({actions!r}) raises {type(error).__name__}: {error}")
    return found.lines


def check_agent(
    make_agent: Callable[[], Agent], turns: int = 40, seed: int = 0, **arguments: Any
) -> list[str]:
    """Check an agent: let it govern every nation and look at what it does.

    Its actions must lie in the action space and be legal by the mask it was given; it must leave the
    observation as it was, must not draw from or seed Python's and NumPy's global generators, and must do
    the same in a second run.

    Args:
        make_agent: makes a new agent, a function of (observation, info) that returns an action.
        turns: most turns.
        seed: of the season.
        **arguments: of `hakoenv.parallel_env`, which plays a `duel` by default.

    Returns:
        One sentence for each finding; empty if all is well.
    """
    found = _Findings()

    def make_env() -> NationsEnv:
        return NationsEnv(**{"scenario": "duel", **arguments})

    env = make_env()
    agents = {name: make_agent() for name in env.possible_agents}
    observations, infos = env.reset(seed=seed)
    for turn in range(1, turns + 1):
        if not env.agents or found.full:
            break
        actions = {}
        for name in env.agents:
            before = copy.deepcopy(observations[name])
            state = random.getstate(), np.random.get_state()  # noqa: NPY002
            action = actions[name] = agents[name](observations[name], infos[name])
            where = f"turn {turn}, {name}"
            now = random.getstate(), np.random.get_state()  # noqa: NPY002
            found.unless(not list(differences(state, now)), f"{where}: a global random generator was used")
            for path in differences(before, observations[name], "observation"):
                found.add(f"{where}: the agent has changed the {path}")
            for sentence in illegal(env.action_space(name), before["action_mask"], action):
                found.add(f"{where}: {sentence}")
        observations, _, _, _, infos = env.step(actions)

    def make_act() -> Act:
        players = {name: make_agent() for name in env.possible_agents}
        return lambda space, name, observation, info: players[name](observation, info)

    difference = compare_runs(make_env, seed, turns, make_act)
    if difference is not None:
        found.add(f"two runs with seed {seed} differ at {difference}")
    return found.lines


def illegal(space: PlanSpace, mask: Mapping[str, Any], action: Any) -> list[str]:
    """What is wrong with an action by the mask of its observation, one sentence each.

    Heads that the chosen verbs don't need may hold anything.
    """
    if not space.contains(action):
        return [f"the action is not of {space!r}: {action!r}"]
    if not space.one_at_a_time and action[MODE] == KEEP:
        return []
    for k in range(space.commands_per_turn):
        base = 1 + k * HEADS
        verb = int(action[base + VERB]) - 1
        for head in _needed(space, verb):
            if not space.next_mask(mask, action[: base + head])[action[base + head]]:
                name = space.menu.verbs[verb].name
                return [f"command {k} ({name}) is illegal: its head {head} is {action[base + head]}"]
        if verb < 0:
            break
    return []


def _needed(space: PlanSpace, verb: int) -> list[int]:
    """The heads that a verb needs."""
    if verb < 0:
        return []
    record = space.menu.table.verbs[verb]
    heads = [VERB]
    if record["nation"]:
        heads.append(NATION)
    if record["cell_row"] >= 0:
        heads.append(CELL)
    return heads + [FACTOR + k for k in range(int(record["factors"]))]


class _Findings:
    """Sentences, not too many."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @property
    def full(self) -> bool:
        return len(self.lines) >= _MOST

    def add(self, sentence: str) -> None:
        if not self.full:
            self.lines.append(sentence)

    def unless(self, good: bool, sentence: str) -> None:
        if not good:
            self.add(sentence)


def _check_spaces(env: Any, found: _Findings) -> None:
    for agent in env.possible_agents:
        for name in ("observation_space", "action_space"):
            same = getattr(env, name)(agent) is getattr(env, name)(agent)
            found.unless(same, f"{name}({agent!r}) is another object each time")


def _check_observations(env: Any, observations: Mapping[str, Any], found: _Findings, where: str) -> None:
    for agent, observation in observations.items():
        inside = env.observation_space(agent).contains(observation)
        found.unless(inside, f"{where}: the observation of {agent} lies outside its space")
        mask = observation.get("action_mask") if isinstance(observation, Mapping) else None
        if isinstance(mask, Mapping) and "verbs" in mask:
            found.unless(bool(mask["verbs"].any()), f"{where}: the mask of {agent} allows nothing")


def _is_finite(value: Any) -> bool:
    try:
        return bool(np.isfinite(float(value)))
    except (TypeError, ValueError):
        return False
