"""Menus, samples and plans are the same in plain Python, and compiled ones never read out of range."""

import os
import subprocess
import sys

import pytest

PLAY = """
import hashlib, sys
import numpy as np
from hakoenv.engine.codes import relation, terrain
from hakoenv.engine.commands import table
from hakoenv.engine.season import Season
from hakoenv.envs.actions import apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu import Menu
season = Season.new("duel", seed=6, agents="external")
last = "abandon_nation", "defense_facility:self_destruct"  # which would end the test's war
names = [verb.name for verb in table.select("everything") if verb.name not in last]
menu = Menu(season.ruleset, 2, names, cells=900)
space, buffers = PlanSpace(menu, 8, seed=1), menu.buffers()
nations, land = season.world.nations, season.world.cells.reshape(-1)  # armed to the teeth and at war
nations["founded"], nations["reserves"], nations["items"], nations["treasury"] = -50, 600, 2, 900
season.world.relations["state"] = relation.WAR * (1 - np.eye(2, dtype=np.int64))
for n in range(2):
    own = np.setdiff1d(np.flatnonzero(land["owner"] == n), nations["capital"])[:3]
    land["terrain"][own] = terrain.DEPOT, terrain.MISSILE_BASE, terrain.DEFENSE_FACILITY
    land["experience"][own] = 200
cells = np.tile(np.arange(900, dtype=np.int32), (2, 1))
for turn in range(int(sys.argv[1])):
    menu.fill(season.world, season.rules, cells, buffers)
    actions = space.sample_plans(buffers, np.arange(2), np.array([turn, turn + 99], np.uint64))
    wild = np.array([space.sample(), [-1, *actions[0, :-1]]])
    for k in (1, 2, 3, 4, 9, 11, 20):
        allowed = space.next_mask(menu.of(buffers, 0), actions[0][:k])
    apply(season.world, season.rules, menu, np.array([1, -1]), wild, cells)
    apply(season.world, season.rules, menu, np.arange(2), actions, cells, 2)
    digest = hashlib.blake2b(b"".join(array.tobytes() for array in buffers.values()), digest_size=8)
    menu.book(buffers, np.arange(2), actions)
    digest.update(b"".join(array.tobytes() for array in buffers.values()) + allowed.tobytes())
    season.play_turn()
    print(digest.hexdigest(), season.state_hash())
"""


def played(turns: int, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PLAY, str(turns)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_menus_and_plans_are_equal_with_and_without_jit() -> None:
    compiled = played(4)
    assert len(compiled) == 4
    assert compiled == played(4, NUMBA_DISABLE_JIT="1")


@pytest.mark.soak
def test_bounds_checked_menus_and_plans_never_read_out_of_range() -> None:
    assert played(20) == played(20, NUMBA_BOUNDSCHECK="1")
