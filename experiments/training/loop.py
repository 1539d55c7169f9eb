"""The loop of a training run, the same for all trainers: iterate, judge, write down, save."""

from __future__ import annotations

import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments.training import curves
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.evaluation import evaluate

POLICY = "policy.pt"  # what `policy:PATH` plays
METRICS = "metrics.jsonl"


class Progress(NamedTuple):
    """How far a run is."""

    iteration: int
    share: float  # of the time or iterations that it may take
    figures: dict[str, Any]


class Loop(ABC):
    """A run that improves a network, iteration by iteration.

    Args:
        config: the run.
        folder: where checkpoints, metrics and curves go.

    Attributes:
        network: the learner, as of the last iteration.
        iteration: iterations done.
        seconds: time spent in them.
        steps: plans that the learner has drawn.
        illegal: those of them that held anything illegal.
    """

    network: PlanNetwork

    def __init__(self, config: Config, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.iteration, self.seconds, self.steps, self.illegal = 0, 0.0, 0, 0

    @abstractmethod
    def save(self) -> None:
        """Write the policy, and what the run goes on from."""

    @abstractmethod
    def _iterate(self, share: float) -> dict[str, Any]:
        """Play, and improve the network on it.

        Args:
            share: how much of the run is done, 0..1.

        Returns:
            What the iteration is to be told by.
        """

    def run(self, tell: Callable[[Progress], bool | None] | None = None) -> None:
        """Train until the time or the iterations are up.

        Args:
            tell: called after every iteration; training stops if it returns True. A checkpoint is written
                whenever the policy was evaluated, and at the end, an interruption included.
        """
        every = self.config.evaluation.every
        try:
            while (share := self.share()) < 1.0:
                begin = time.monotonic()
                figures = self._iterate(share)
                self.iteration += 1
                self.seconds += time.monotonic() - begin
                figures["agent_steps_per_second"] = self.steps / self.seconds
                judged = every > 0 and self.iteration % every == 0
                if judged or (every > 0 and self.iteration == 1):
                    figures |= self.judge(self.config.evaluation.seasons)
                self._write(figures)
                if judged:
                    self.save()
                if tell is not None and tell(Progress(self.iteration, self.share(), figures)):
                    break
        finally:
            self.save()

    def share(self) -> float:
        """How much of the run is done, 0..1."""
        settings = self.config.ppo
        return max(
            self.seconds / 60 / max(settings.minutes, 1e-9), self.iteration / max(1, settings.iterations)
        )

    def judge(self, seasons: int) -> dict[str, Any]:
        """Points against the fixed opponents of the config."""
        self.network.eval()
        return {
            f"against_{name}": evaluate(self.network, self.config.game, name, seasons).figures()
            for name in self.config.evaluation.against
        }

    def _write(self, figures: dict[str, Any]) -> None:
        """Add a line to the metrics."""
        line = {
            "iteration": self.iteration,
            "minutes": self.seconds / 60,
            "agent_steps": self.steps,
            **figures,
        }
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def _forget_later_metrics(self) -> None:
        """Drop the lines of iterations after the last checkpoint: they are done again."""
        place = self.folder / METRICS
        lines = [line for line in curves.read(place) if line["iteration"] <= self.iteration]
        part = place.with_name(f"{METRICS}.part")
        part.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        os.replace(part, place)
