"""Observation arrays are reused only when nobody holds them."""

import gc
import weakref

import numpy as np

from hakoenv.envs.pool import Buffers, Pool, rows


def make() -> Buffers:
    return {"cells": np.zeros((3, 4, 5), np.int16), "clock": np.zeros((3, 2), np.int32)}


def test_a_set_that_was_dropped_is_reused() -> None:
    pool = Pool(make)
    first = pool.take()["cells"]
    name = first.ctypes.data
    del first
    assert pool.take()["cells"].ctypes.data == name


def test_a_set_is_not_reused_while_a_view_of_a_view_lives() -> None:
    pool = Pool(make)
    view = pool.take()["cells"][1]
    corner = view[0, :2].reshape(1, 2)
    name = view.ctypes.data
    del view
    taken = pool.take()
    assert not np.shares_memory(taken["cells"], corner)
    assert not np.shares_memory(pool.take()["cells"], corner)
    del corner
    del taken
    assert name in {pool.take()["cells"][1].ctypes.data, pool.take()["cells"][1].ctypes.data}


def test_memoryviews_hold_a_set() -> None:
    pool = Pool(make)
    window = memoryview(pool.take()["clock"][0])
    other = pool.take()["clock"]
    other[:] = 7
    assert window.tolist() == [0, 0]


def test_arrays_that_share_one_block_are_held_together() -> None:
    def block() -> Buffers:
        memory = np.zeros(32, np.int16)
        return {"a": memory[:16].reshape(2, 8), "b": memory[16:].reshape(2, 8)}

    pool = Pool(block)
    held = pool.take()["b"][0]
    assert not np.shares_memory(pool.take()["a"], held.base)


def test_who_keeps_everything_gets_fresh_arrays_and_the_pool_stays_small() -> None:
    pool = Pool(make)
    kept = [pool.take()["cells"][0] for _ in range(50)]
    for number, array in enumerate(kept):
        array[:] = number
    assert [int(array[0, 0]) for array in kept] == list(range(50))
    owners = [weakref.ref(array.base) for array in kept]
    del kept, array
    gc.collect()
    assert sum(owner() is not None for owner in owners) <= 4


def test_rows_are_views_of_each_seat() -> None:
    buffers = make()
    found = rows(buffers, ("clock", "cells"))
    assert [list(row) for row in found] == [["clock", "cells"]] * 3
    found[1]["cells"][2, 3] = 9
    assert buffers["cells"][1, 2, 3] == 9 and buffers["cells"].sum() == 9
