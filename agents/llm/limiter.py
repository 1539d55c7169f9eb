"""What all nations of an endpoint share: so many calls at a time, and pauses that the endpoint asks for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from functools import lru_cache

from hakoenv.agents.llm.deadline import Deadline

_LONGEST = 600.0  # seconds of a pause; then the endpoint is asked again, whatever it said
_JITTER = 0.1  # of a pause, so that those who waited don't all come back at once


class PauseTooLongError(Exception):
    """The endpoint wants a pause that goes beyond the deadline."""


class Limiter:
    """Lets calls through. It is used on our event loop only.

    Args:
        concurrent: calls at a time.
    """

    def __init__(self, concurrent: int = 8) -> None:
        self.concurrent = concurrent
        self._free = asyncio.Semaphore(concurrent)
        self._open_at = 0.0

    @asynccontextmanager
    async def place(self, deadline: Deadline) -> AsyncIterator[None]:
        """Wait for a place among the calls, and for the end of a pause.

        Raises:
            PauseTooLongError: the pause ends after the deadline.
            TimeoutError: no place became free until then.
        """
        async with asyncio.timeout(deadline.left()):
            await self._free.acquire()
        try:
            while (wait := self._open_at - time.monotonic()) > 0:
                wait *= 1 + _JITTER * random.random()
                if wait >= deadline.left():
                    raise PauseTooLongError
                await asyncio.sleep(wait)
            yield
        finally:
            self._free.release()

    def pause(self, seconds: float) -> None:
        """Let nobody through for so long."""
        self._open_at = max(self._open_at, time.monotonic() + min(seconds, _LONGEST))


@lru_cache(maxsize=64)
def of_endpoint(base_url: str, concurrent: int) -> Limiter:
    """The limiter of an endpoint, the same for all who use it."""
    return Limiter(concurrent)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that an answer asks to wait; None if it says nothing that can be read."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return seconds if seconds >= 0 else None
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, moment - time.time())
