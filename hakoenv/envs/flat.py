"""Observations as one vector, for libraries that want plain boxes; the mask stays apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.wrappers import BaseParallelWrapper

from hakoenv.envs.parallel import Info, NationsEnv, Observation

Vectors = dict[str, NDArray[np.float32]]


class FlatEnv(BaseParallelWrapper[str, Any, NDArray[np.int64] | None]):
    """A `NationsEnv` whose observations are float32 vectors; `infos[agent]["action_mask"]` is the mask.

    Vectorises with SuperSuit: ``supersuit.pettingzoo_env_to_vec_env_v1(FlatEnv(env))``.

    Args:
        env: the environment to wrap.

    Attributes:
        layout: where each piece of the observation stands in the vector, as slices by name.
    """

    def __init__(self, env: NationsEnv) -> None:
        super().__init__(env)
        self.metadata = env.metadata
        pieces = env.observation_space(env.possible_agents[0])
        self.layout: dict[str, slice] = {}
        lows, highs, start = [], [], 0
        for name, box in pieces.items():
            if name == "action_mask":
                continue
            assert isinstance(box, spaces.Box)
            self.layout[name] = slice(start, start + box.low.size)
            start += box.low.size
            lows.append(box.low.reshape(-1).astype(np.float32))
            highs.append(box.high.reshape(-1).astype(np.float32))
        self._space = spaces.Box(np.concatenate(lows), np.concatenate(highs), dtype=np.float32)

    def observation_space(self, agent: str) -> spaces.Box:  # type: ignore[override]
        """The box of every agent's vectors."""
        self.env.observation_space(agent)
        return self._space

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

    def _flat(self, observations: Mapping[str, Observation], infos: dict[str, Info]) -> Vectors:
        vectors: Vectors = {}
        for agent, observation in observations.items():
            vector = np.empty(self._space.shape, np.float32)
            for name, place in self.layout.items():
                vector[place] = observation[name].reshape(-1)
            vectors[agent] = vector
            infos[agent]["action_mask"] = observation["action_mask"]
        return vectors
