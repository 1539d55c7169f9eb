"""A small priority queue of whole numbers, lowest first, in an array that the caller keeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.kernel import kernel


@kernel
def push(heap: NDArray[np.int64], size: int, key: int) -> int:
    """Add ``key`` to the first ``size`` places, which form a heap; return the new size."""
    place = size
    while place > 0 and heap[(place - 1) // 2] > key:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = key
    return size + 1


@kernel
def pop(heap: NDArray[np.int64], size: int) -> int:
    """Return the lowest key; the heap shrinks to ``size - 1`` places."""
    lowest = heap[0]
    key = heap[size - 1]
    place = 0
    while 2 * place + 1 < size - 1:
        child = 2 * place + 1
        if child + 1 < size - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = key
    return int(lowest)
