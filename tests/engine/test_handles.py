"""Worlds and rules in compiled code: by address, compiled once, loaded from the cache, gone without JIT."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError
from numpy.typing import NDArray

from hakoenv.engine.handles import HandleType, handle, one_of
from hakoenv.engine.kernel import JIT_ENABLED, kernel

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="handles are a matter of compiled code")

record_dtype = np.dtype([("wide", "i8"), ("small", "i2"), ("list", "i4", (3,))], align=True)


@handle
class Box(NamedTuple):
    records: Any
    square: Any
    deep: Any
    empty: Any


@handle
class Other(NamedTuple):
    only: Any


@kernel
def read(box: Box, i: int, j: int) -> int:
    record = box.records[i]
    return record.wide + record.small + record.list[2] + box.square[i, j] + box.deep[1, i, j]


@kernel
def sizes(box: Box) -> tuple[int, int, int, int, int]:
    return box.square.shape[0], box.square.shape[1], box.square.size, box.deep.size, box.empty.size


@kernel
def write(box: Box, value: int) -> None:
    for i in range(box.square.shape[0]):
        box.square[i, -1] = value
        box.records[i].list[1] = read(box, i, -1)


@kernel(allocates=True)
def whole(box: Box) -> Any:
    return box.square


@kernel
def row(box: Box, i: int) -> int:
    """What kernels see of a box made of slices."""
    inner = Box(box.records[i:], box.deep[i], box.deep[:1], box.empty)
    return inner_sum(inner)


@kernel
def inner_sum(box: Box) -> int:
    return box.records[0].wide + box.square.sum() + box.square.shape[1]


@kernel
def read_each(boxes: Box, found: Any) -> None:
    """`read` in each of many boxes."""
    for i in range(boxes.square.shape[0]):
        found[i] = read(one_of(boxes, i), 1, 2)


@kernel
def mark(boxes: Box, which: int, value: int) -> None:
    inner = one_of(boxes, which)
    write(inner, value)


@kernel(allocates=True)
def whole_of(boxes: Box, which: int) -> Any:
    return one_of(boxes, which).square


def many_boxes() -> Box:
    """Three boxes; the second has the numbers of `new_box`, the others multiples of them."""
    box = new_box()
    many = Box(*(np.stack([np.zeros_like(array), array, array]) for array in box))
    many.square[2] *= 3
    many.records["wide"][2] += 1
    return many


def new_box() -> Box:
    records = np.zeros(4, record_dtype)
    records["wide"], records["small"] = np.arange(4) * 1000, -7
    records["list"][:, 2] = 5
    square = np.arange(12, dtype=np.int32).reshape(4, 3)
    return Box(records, square, np.arange(24, dtype=np.int64).reshape(2, 4, 3) * 10, np.zeros(0, np.uint8))


def test_fields_are_read_as_numpy_reads_them() -> None:
    box = new_box()
    for i in (0, 3, -1):
        for j in (0, 2, -1):
            record = box.records[i]
            expected = record["wide"] + record["small"] + record["list"][2] + box.square[i, j]
            assert read(box, i, j) == expected + box.deep[1, i, j]
    assert sizes(box) == (4, 3, 12, 24, 0)


def test_writes_reach_the_arrays() -> None:
    box = new_box()
    write(box, 77)
    assert (box.square[:, -1] == 77).all()
    assert (box.records["list"][:, 1] == [read(box, i, 2) for i in range(4)]).all()


def test_one_of_many_is_a_view_of_it() -> None:
    boxes, found = many_boxes(), np.zeros(3, np.int64)
    read_each(boxes, found)
    alone = [read(one_of(boxes, i), 1, 2) for i in range(3)]
    assert found.tolist() == alone == [0, alone[1], alone[2]]
    assert alone[1] == read(new_box(), 1, 2) != alone[2]
    mark(boxes, 2, 77)
    assert (boxes.square[2, :, -1] == 77).all() and not (boxes.square[:2] == 77).any()
    assert np.shares_memory(whole_of(boxes, 1), boxes.square)
    assert np.array_equal(whole_of(boxes, 1), new_box().square)


def test_one_of_what_is_no_handle_is_refused() -> None:
    @kernel
    def wrong(array: Any) -> Any:
        return one_of(array, 0)

    with pytest.raises(TypingError):
        wrong(np.zeros((2, 2)))


def test_arrays_of_any_layout() -> None:
    box = new_box()
    wide = np.repeat(box.square, 2, axis=1)
    for square in (wide[:, ::2], np.asfortranarray(box.square), wide[::-1, 1::2][::-1]):
        assert not square.flags.c_contiguous
        changed = box._replace(square=square)
        assert [read(changed, i, j) for i in range(4) for j in range(3)] == [
            read(box, i, j) for i in range(4) for j in range(3)
        ]


def test_an_array_comes_back_as_itself() -> None:
    box = new_box()
    assert whole(box) is box.square


def test_a_kernel_makes_one_of_slices() -> None:
    box = new_box()._replace(square=np.arange(12, dtype=np.int64).reshape(4, 3))
    for i in (0, 1):
        assert row(box, i) == i * 1000 + box.deep[i].sum() + 3


def test_one_version_serves_every_box() -> None:
    @kernel
    def first(box: Box) -> int:
        return box.records[0].wide + box.records.shape[0]

    for length in (1, 2, 5):
        box = new_box()._replace(records=np.zeros(length, record_dtype))
        assert first(box) == length
    assert [len(arguments) for arguments in first.signatures] == [1]  # type: ignore[attr-defined]


def test_the_name_is_short_and_tells_types_apart() -> None:
    kinds = tuple(types.Array(types.int64, 1, "C") for _ in Box._fields)
    kind = HandleType.of(Box, kinds)
    assert kind.name.startswith("Box_") and len(kind.name) < 25
    assert kind == HandleType.of(Box, kinds)
    assert kind != HandleType.of(Box, (*kinds[:3], types.Array(types.int64, 2, "C")))
    assert kind != HandleType.of(Other, kinds[:1])


def test_types_survive_pickling() -> None:
    kind = HandleType.of(Other, (types.Array(types.int64, 2, "C"),))
    again = pickle.loads(pickle.dumps(kind))
    assert again == kind
    assert again.kinds == {"only": types.Array(types.int64, 2, "C")}


def test_a_field_that_is_no_array_is_named() -> None:
    with pytest.raises(TypeError, match=r"Box\.deep must be an array, not int64"):
        read(new_box()._replace(deep=3), 0, 0)


def test_a_wrong_tuple_is_named() -> None:
    with pytest.raises(TypingError, match="Unknown attribute 'records' of type Other_"):
        read(Other(np.zeros(3)), 0, 0)  # type: ignore[arg-type]


def test_the_arrays_may_live_on_after_the_call() -> None:
    """Nothing keeps or frees an array: the references before and after a call are the same."""
    box = new_box()
    kept: NDArray[Any] = box.square
    before = sys.getrefcount(kept)
    for _ in range(10):
        read(box, 0, 0)
        whole(box)
    assert sys.getrefcount(kept) == before


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import boxes
print(boxes.total(boxes.new()), sum(boxes.total.stats.cache_hits.values()) if sys.argv[2] == "1" else 0)
"""
MODULE = """
from typing import Any, NamedTuple
import numpy as np
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel, zeros


@handle
class Pair(NamedTuple):
    left: Any
    right: Any


def new():
    right = zeros(2, np.dtype([("number", "i4")]))
    right["number"] = 20
    return Pair(np.arange(3), right)


@kernel
def total(pair: Pair) -> int:
    return pair.left[2] + pair.right[1].number
"""


@pytest.mark.parametrize("jit", ["1", "0"])
def test_a_fresh_process_loads_it_from_the_cache_and_needs_no_jit(tmp_path: Path, jit: str) -> None:
    (tmp_path / "boxes.py").write_text(MODULE, encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment |= {"HAKOENV_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": str(1 - int(jit))}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), jit]
    said = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert said == [["22", "0"], ["22", jit]]
