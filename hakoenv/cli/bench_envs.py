"""The lines of ``hakoenv bench`` about environments: observations, masks, sampling, steps."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import cache

from hakoenv.envs.parallel import NationsEnv

_MID_SEASON = 60  # turns of random legal play before anything is timed
_REPEATS = 7
_CALLS = 40
_WORLDS = 64
_VEC_REPEATS = 6  # two seasons of every world


def observe_ms(view: str, kept: bool) -> float:
    """Milliseconds a turn for observations and masks of all 20 nations of a `season`.

    Args:
        view: `cells` or `planes`.
        kept: the caller keeps all arrays, so that each turn fills fresh ones.
    """
    env = _mid_season(view)
    held: list[object] = []

    def observe() -> None:
        given = env._observe(env.agents)
        if kept:
            held.append(given)

    return _milliseconds(observe, held.clear)


def sample_legal_ms() -> float:
    """Milliseconds to draw legal actions for all 20 nations of a `season`."""
    return _milliseconds(_mid_season("cells").sample_legal, lambda: None)


def agent_steps_per_second(scenario: str) -> float:
    """Agent-steps per second through the PettingZoo API, all nations external, sampled legal actions.

    The median over stretches of play from the first turn on, resets included; observations are kept for
    one turn, as a training loop does.
    """
    env = NationsEnv(scenario)
    env.reset(seed=0)
    observations, *_ = env.step(env.sample_legal())
    rates = []
    for _ in range(_REPEATS):
        steps, start = 0, time.perf_counter()
        for _ in range(_CALLS):
            if not env.agents:
                env.reset()
            observations, *_ = env.step(env.sample_legal())
            steps += len(observations)
        rates.append(steps / (time.perf_counter() - start))
    return statistics.median(rates)


def vec_steps_per_second(opponents: str | None) -> float:
    """Agent-steps per second of 64 `duel` worlds in one `hakoenv.vec`; restarts included.

    Args:
        opponents: who drives nation 1; None: both nations are agents.
    """
    from hakoenv.envs.vec import VecEnv

    env = VecEnv("duel", _WORLDS, controllers={"nation_1": opponents} if opponents else None)
    env.reset(seed=0)
    rates = []
    for _ in range(_VEC_REPEATS):
        spent = 0.0
        for _ in range(_CALLS):
            actions = env.sample_legal()
            start = time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - start
        rates.append(_CALLS * _WORLDS * len(env.seats) / spent)
    return statistics.median(rates)


def loop_steps_per_second(opponents: str | None) -> float:
    """The same of 64 environments stepped one after the other."""
    envs = [
        NationsEnv("duel", controllers={"nation_1": opponents} if opponents else None) for _ in range(_WORLDS)
    ]
    for seed, env in enumerate(envs):
        env.reset(seed=seed)
    rates = []
    for _ in range(_VEC_REPEATS):
        spent, steps = 0.0, 0
        for _ in range(_CALLS):
            for env in envs:
                actions = env.sample_legal()
                start = time.perf_counter()
                steps += len(env.step(actions)[0])
                if not env.agents:
                    env.reset()
                spent += time.perf_counter() - start
        rates.append(steps / spent)
    return statistics.median(rates)


@cache
def fidelity() -> list[float]:
    """Share of the random agent's commands carried out in a `season`, by position in the plan."""
    from hakoenv.agents.random import mask_fidelity

    return mask_fidelity("season")


@cache
def _mid_season(view: str) -> NationsEnv:
    env = NationsEnv("season", observation=view)
    env.reset(seed=0)
    for _ in range(_MID_SEASON):
        env.step(env.sample_legal())
    return env


def _milliseconds(call: Callable[[], object], between: Callable[[], object]) -> float:
    """Median over repeats of the mean time of a call."""
    call()
    times = []
    for _ in range(_REPEATS):
        between()
        start = time.perf_counter()
        for _ in range(_CALLS):
            call()
        times.append((time.perf_counter() - start) / _CALLS * 1000)
    return statistics.median(times)
