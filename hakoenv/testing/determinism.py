"""Whether two runs are the same run: every turn, everything, to the last byte.

PettingZoo's `parallel_seed_test` stops after one step in its release 1.27, and no test of the ecosystem
looks at the state behind the observations; this one plays as far as asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

_SHOWN = 5  # differences named of one turn

Act = Callable[[Any, str, Any, Any], Any]
"""(action space, agent, observation, info) -> action."""


class Difference(NamedTuple):
    """Where two runs part.

    Attributes:
        turn: the first step after which they differ; 0 is the reset.
        what: what differs, such as ``observations.nation_0.own[3]: 5 != 6``; a few of all.
    """

    turn: int
    what: tuple[str, ...]

    def __str__(self) -> str:
        return f"step {self.turn}: {'; '.join(self.what)}"


def compare_runs(
    make_env: Callable[[], Any],
    seed: int = 0,
    turns: int | None = None,
    make_act: Callable[[], Act] | None = None,
) -> Difference | None:
    """Play two environments with one seed and equal actions, and compare them after every step.

    Compared are observations, rewards, terminations, truncations, infos, the agents that are left, the
    actions drawn, and the state hash where the environment has `state_hash()`.

    Args:
        make_env: makes a new environment: PettingZoo's parallel form or Gymnasium's.
        seed: of both resets, and of both action spaces.
        turns: most steps; None plays to the end.
        make_act: makes what chooses the actions, one for each run; by default they are sampled from the
            action space with the observation's `action_mask`, where there is one.

    Returns:
        The first difference, or None if the runs are equal.
    """
    first, second = (_Run(make_env(), seed, make_act() if make_act else sampled) for _ in range(2))
    step = 0
    while True:
        found = list(differences(first.seen, second.seen))[:_SHOWN]
        if found:
            return Difference(step, tuple(found))
        if first.over or (turns is not None and step >= turns):
            return None
        step += 1
        first.step()
        second.step()


def sampled(space: Any, agent: str, observation: Any, info: Any) -> Any:
    """A legal action drawn by the action space."""
    places = (place for place in (observation, info) if isinstance(place, Mapping))
    mask = next((place["action_mask"] for place in places if "action_mask" in place), None)
    return space.sample() if mask is None else space.sample(mask)


def differences(first: Any, second: Any, path: str = "") -> Iterator[str]:
    """What differs between two nested values, one sentence for each place.

    Args:
        first: dicts, lists, tuples, arrays and plain values.
        second: likewise.
        path: what to call the place compared.
    """
    if type(first) is not type(second):
        yield f"{path}: {type(first).__name__} != {type(second).__name__}"
    elif isinstance(first, Mapping):
        for key in dict.fromkeys([*first, *second]):
            name = f"{path}.{key}" if path else str(key)
            if key not in first or key not in second:
                yield f"{name}: only in the {'first' if key in first else 'second'}"
            else:
                yield from differences(first[key], second[key], name)
    elif isinstance(first, list | tuple):
        if len(first) != len(second):
            yield f"{path}: {len(first)} != {len(second)} entries"
        for place, (one, other) in enumerate(zip(first, second, strict=False)):
            yield from differences(one, other, f"{path}[{place}]")
    elif isinstance(first, np.ndarray):
        yield from _array_differences(first, second, path)
    elif first != second and not (first != first and second != second):
        yield f"{path}: {first!r} != {second!r}"


def _array_differences(first: Any, second: Any, path: str) -> Iterator[str]:
    if first.shape != second.shape or first.dtype != second.dtype:
        yield f"{path}: {first.dtype}{first.shape} != {second.dtype}{second.shape}"
    elif first.dtype.hasobject:
        yield from differences(first.tolist(), second.tolist(), path)
    elif first.tobytes() != second.tobytes():
        places = np.argwhere(np.asarray(first != second))
        place = tuple(places[0].tolist()) if len(places) else ()
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield f"{path}{list(place)}: {first[place]} != {second[place]}{more}"


class _Run:
    """An environment of either form, played; `seen` is all it gave in the last step."""

    def __init__(self, env: Any, seed: int, act: Act) -> None:
        self.env, self.act = env, act
        self.single = not hasattr(env, "possible_agents")
        for place, agent in enumerate([""] if self.single else env.possible_agents):
            self.space(agent).seed(seed + place)
        observations, infos = env.reset(seed=seed)
        if self.single:
            observations, infos = {"": observations}, {"": infos}
        self.observations, self.infos = observations, infos
        self.ended = False
        self.seen: dict[str, Any] = {}
        self.look({"observations": observations, "infos": infos})

    @property
    def over(self) -> bool:
        return self.ended if self.single else not self.env.agents

    def space(self, agent: str) -> Any:
        return self.env.action_space if self.single else self.env.action_space(agent)

    def step(self) -> None:
        agents = [""] if self.single else list(self.env.agents)
        actions = {
            agent: self.act(self.space(agent), agent, self.observations.get(agent), self.infos.get(agent))
            for agent in agents
        }
        given = self.env.step(actions[""] if self.single else actions)
        if self.single:
            given = tuple({"": part} for part in given)
        self.observations, rewards, terminations, truncations, self.infos = given
        self.ended = self.single and (terminations[""] or truncations[""])
        self.look(
            {
                "actions": actions,
                "observations": self.observations,
                "rewards": rewards,
                "terminations": terminations,
                "truncations": truncations,
                "infos": self.infos,
            }
        )

    def look(self, seen: dict[str, Any]) -> None:
        """Keep what is compared; names of parts that a single nation's environment adds are left out."""
        env = self.env if hasattr(self.env, "state_hash") else getattr(self.env, "unwrapped", self.env)
        if hasattr(env, "state_hash"):
            seen = {"state_hash": env.state_hash(), **seen}
        if not self.single:
            seen["agents"] = list(self.env.agents)
        self.seen = seen
