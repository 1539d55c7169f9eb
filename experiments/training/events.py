"""The figures of a training run as TensorBoard events, each line as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDER = "tensorboard"
_LEFT_OUT = ("payoff_matrix",)  # a curve for every pair of past selves is none that anybody reads


class Events:
    """A folder of TensorBoard events; does nothing where tensorboard is not installed.

    Within ``with``. What an earlier call has written there goes, so that no point is there twice.

    Args:
        folder: gets one file of events.
        metrics: the lines so far.

    Attributes:
        missing: tensorboard is not installed (`pip install 'hakoenv[train]'`).
    """

    def __init__(self, folder: Path, metrics: list[dict[str, Any]]) -> None:
        self._writer: Any = None
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ModuleNotFoundError:
            self.missing = True
            return
        self.missing = False
        for old in folder.glob("events.out.tfevents.*"):
            old.unlink(missing_ok=True)
        self._writer = SummaryWriter(str(folder))  # type: ignore[no-untyped-call]
        for line in metrics:
            self._write(line)
        self._writer.flush()

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def add(self, line: dict[str, Any]) -> None:
        """Write the figures of a line of metrics."""
        if self._writer is not None:
            self._write(line)
            self._writer.flush()

    def _write(self, line: dict[str, Any]) -> None:
        kept = {name: value for name, value in line.items() if name not in _LEFT_OUT}
        for name, value in _numbers(kept):
            self._writer.add_scalar(name, value, int(line["agent_steps"]))


def _numbers(figures: dict[str, Any], prefix: str = "") -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, value in figures.items():
        if isinstance(value, dict):
            found += _numbers(value, f"{prefix}{name}/")
        elif isinstance(value, int | float):
            found.append((f"{prefix}{name}", float(value)))
    return found
