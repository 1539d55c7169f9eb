"""Many worlds for a run that names its seeds: one whose map has too few sites is stood in for."""

from __future__ import annotations

from functools import partial

from hakoenv.experiments import seeds

from hakoenv.envs.vec import VecEnv


class Worlds(VecEnv):
    """`hakoenv.vec` in which a seed without room begins the season that `seeds.with_room` finds instead."""

    def _begin_season(self, number: int, seed: int) -> None:
        seeds.with_room(seed, partial(super()._begin_season, number))
