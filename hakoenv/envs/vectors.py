"""Observations as one vector, for libraries that want plain boxes; the mask stays apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, overload

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import ParallelEnv
from pettingzoo.utils.wrappers import BaseParallelWrapper

from hakoenv.envs.parallel import Info, NationsEnv, Observation

Vector: TypeAlias = NDArray[np.float32]
Vectors = dict[str, Vector]


@overload
def flat(env: NationsEnv) -> FlatEnv: ...
@overload
def flat(env: gymnasium.Env[Observation, Any]) -> FlatNationEnv: ...
def flat(env: Any) -> Any:
    """An environment with its observations as float32 vectors and the mask in the infos.

    Args:
        env: of all nations (`hakoenv.parallel_env`) or of one (`NationEnv`, or what `gymnasium.make` made).

    Returns:
        `FlatEnv` or `FlatNationEnv`.

    Raises:
        TypeError: it is another kind of environment.
    """
    if isinstance(env, gymnasium.Env):
        return FlatNationEnv(env)
    if isinstance(env, ParallelEnv):
        return FlatEnv(env)  # type: ignore[arg-type]
    raise TypeError(
        f"flat() takes hakoenv.parallel_env(...) or a NationEnv, not {type(env).__name__}; "
        "for the turn-taking form: pettingzoo.utils.parallel_to_aec(flat(hakoenv.parallel_env(...)))"
    )


class Layout:
    """Where each piece of an observation stands in the vector.

    Attributes:
        places: the slices, by name.
        space: the box of the vectors.
    """

    def __init__(self, pieces: spaces.Space[Any]) -> None:
        if not isinstance(pieces, spaces.Dict) or "action_mask" not in pieces.spaces:
            raise TypeError(f"observations must be of hakoenv, with an action_mask, not of {pieces}")
        self.places: dict[str, slice] = {}
        lows, highs, start = [], [], 0
        for name, box in pieces.items():
            if name == "action_mask":
                continue
            assert isinstance(box, spaces.Box)
            self.places[name] = slice(start, start + box.low.size)
            start += box.low.size
            lows.append(box.low.reshape(-1).astype(np.float32))
            highs.append(box.high.reshape(-1).astype(np.float32))
        self.space = spaces.Box(np.concatenate(lows), np.concatenate(highs), dtype=np.float32)

    def vector(self, observation: Observation, info: Info) -> Vector:
        """An observation as a fresh vector; its mask goes into the info."""
        vector = np.empty(self.space.shape, np.float32)
        for name, place in self.places.items():
            vector[place] = observation[name].reshape(-1)
        info["action_mask"] = observation["action_mask"]
        return vector


class FlatEnv(BaseParallelWrapper[str, Any, NDArray[np.int64] | None]):
    """A `NationsEnv` whose observations are float32 vectors; `infos[agent]["action_mask"]` is the mask.

    Vectorises with SuperSuit: ``supersuit.pettingzoo_env_to_vec_env_v1(flat(env))``.

    Args:
        env: the environment to wrap.

    Attributes:
        layout: where each piece of the observation stands in the vector, as slices by name.
    """

    def __init__(self, env: NationsEnv) -> None:
        super().__init__(env)
        self.metadata = env.metadata
        self._layout = Layout(env.observation_space(env.possible_agents[0]))
        self.layout = self._layout.places

    def observation_space(self, agent: str) -> spaces.Box:  # type: ignore[override]
        """The box of every agent's vectors."""
        self.env.observation_space(agent)
        return self._layout.space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vectors, dict[str, Info]]:
        """Begin a season; see `NationsEnv.reset`."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._flat(observations, infos), infos

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Vectors, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play one turn; see `NationsEnv.step`."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)  # type: ignore[arg-type]
        return self._flat(observations, infos), rewards, terminations, truncations, infos

    def __repr__(self) -> str:
        return f"<FlatEnv of {self.env!r}>"

    def _flat(self, observations: Mapping[str, Observation], infos: dict[str, Info]) -> Vectors:
        return {agent: self._layout.vector(seen, infos[agent]) for agent, seen in observations.items()}


class FlatNationEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A `NationEnv` whose observations are float32 vectors; `info["action_mask"]` is the mask.

    Args:
        env: the environment to wrap, itself or in other wrappers.

    Attributes:
        layout: where each piece of the observation stands in the vector, as slices by name.
    """

    def __init__(self, env: gymnasium.Env[Observation, NDArray[np.int64]]) -> None:
        super().__init__(env)
        self._layout = Layout(env.observation_space)
        self.layout = self._layout.places
        self.observation_space = self._layout.space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, Info]:
        """Begin a season; see `NationEnv.reset`."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._layout.vector(observation, info), info

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, Info]:
        """Play one turn; see `NationEnv.step`."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._layout.vector(observation, info), float(reward), terminated, truncated, info
