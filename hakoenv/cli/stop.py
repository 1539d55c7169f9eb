"""How a command is stopped: where it is safe, or at once."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any


class Stop:
    """Turns a first Ctrl-C (or SIGTERM) into a wish to stop where it is safe; a second one stops at once.

    Within ``with``. Whoever plays or trains looks at `signal` where stopping leaves everything whole.

    Attributes:
        signal: the first signal that came, if any.
        tell: what is called then, so that nobody waits long for what need not be done any more.

    Raises:
        KeyboardInterrupt: a second signal came.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self.tell: Callable[[], None] | None = None
        self._old: dict[int, Any] = {}

    def __enter__(self) -> Stop:
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                self._old[number] = signal.signal(number, self._note)
            except ValueError:  # not the main thread: signals go elsewhere
                break
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number
        if self.tell is not None:
            self.tell()
