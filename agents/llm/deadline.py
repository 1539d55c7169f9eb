"""One deadline a turn, and the one event loop on which all calls of all nations run."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")
_LOCK = threading.Lock()
_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}  # by process: a forked one has no thread


class Deadline:
    """A moment after which nothing more is waited for.

    Args:
        seconds: from now.
    """

    def __init__(self, seconds: float) -> None:
        self.began = time.monotonic()
        self._end = self.began + seconds

    def left(self) -> float:
        """Seconds until then; 0 once it has passed."""
        return max(0.0, self._end - time.monotonic())

    def passed(self) -> float:
        """Seconds since it was set."""
        return time.monotonic() - self.began


class _Daemons(ThreadPoolExecutor):
    """Threads that the program does not wait for at its end: a name may be looked up for half a minute."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Do some work on a thread of its own."""
        future: Future[Any] = Future()

        def do() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work(*given, **named))
                except BaseException as error:
                    future.set_exception(error)

        threading.Thread(target=do, name="hakoenv-llm-look-up", daemon=True).start()
        return future


def start(work: Coroutine[Any, Any, _T]) -> Future[_T]:
    """Let a coroutine run on our loop; its result comes with the future."""
    return asyncio.run_coroutine_threadsafe(work, loop())


def loop() -> asyncio.AbstractEventLoop:
    """The loop of this process, on a thread of its own that ends with the program."""
    with _LOCK:
        known = _LOOPS.get(os.getpid())
        if known is None:
            known = _LOOPS[os.getpid()] = asyncio.new_event_loop()
            known.set_default_executor(_Daemons())
            threading.Thread(target=known.run_forever, name="hakoenv-llm", daemon=True).start()
        return known
