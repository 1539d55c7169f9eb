"""Many seasons in one process need no more memory than some."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hakoenv
from hakoenv.engine.season import Season

STATM = Path("/proc/self/statm")
TURNS = 3


def in_vec() -> Iterator[int]:
    """Ten worlds, so ten seasons every third step."""
    env = hakoenv.vec("duel", 10, max_turns=TURNS)
    _, infos = env.reset(seed=0)
    while True:
        infos = env.step(env.sample_legal())[-1]
        yield len(infos.get("final", ()))


def in_parallel() -> Iterator[int]:
    env = hakoenv.parallel_env("duel", max_turns=TURNS)
    seed = 0
    while True:
        env.reset(seed=seed)
        while env.agents:
            env.step(env.sample_legal())
        seed += 1
        yield 1


def in_seasons() -> Iterator[int]:
    seed = 0
    while True:
        season = Season.new("duel", seed=seed, agents=["rule_ai", "random"])
        season.run(until=TURNS)
        season.result()
        seed += 1
        yield 1


def resident() -> int:
    """Bytes that are in memory."""
    gc.collect()
    return int(STATM.read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.soak
@pytest.mark.skipif(not STATM.exists(), reason="this system does not tell a process's memory in /proc")
@pytest.mark.parametrize("play", [in_vec, in_parallel, in_seasons])
def test_memory_after_300_seasons_is_that_after_50(play: Callable[[], Iterator[int]]) -> None:
    seasons, after = 0, {}
    for ended in play():
        for _ in range(ended):
            seasons += 1
            if seasons in (50, 300):
                after[seasons] = resident()
        if seasons >= 300:
            break
    assert after[300] <= 1.05 * after[50], after
