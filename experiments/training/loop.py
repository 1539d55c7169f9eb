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
from hakoenv.experiments.training import curves, health
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.evaluation import evaluate

POLICY = "policy.pt"  # what `policy:PATH` plays
METRICS = "metrics.jsonl"


class Progress(NamedTuple):
    """How far a run is."""

    iteration: int
    share: float  # of the time or iterations that it may take
    line: dict[str, Any]  # of the metrics


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
    rate = "ppo.learning_rate or ppo.value_rate"
    """What of the config says how fast is learnt."""

    def __init__(self, config: Config, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.iteration, self.seconds, self.steps, self.illegal = 0, 0.0, 0, 0
        self._saved: int | None = None  # the iteration that the checkpoint is of

    @abstractmethod
    def _save(self) -> None:
        """Write the policy, and what the run goes on from; whoever is ended meanwhile has the one before."""

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

        Checkpoints are of whole iterations: written every `save_minutes`, whenever the policy was evaluated,
        and at the end. What breaks in, an interruption too, costs what was done since the last one.

        Args:
            tell: called after every iteration; training stops, with a checkpoint, if it returns True.

        Raises:
            DivergedError: losses or weights are NaN or infinite; the last checkpoint stays.
        """
        every = self.config.evaluation.every
        self._forget_later_metrics()
        saved = time.monotonic()
        while (share := self.share()) < 1.0:
            begin = time.monotonic()
            figures = self._iterate(share)
            advice = f"take a lower {self.rate}, and another folder"
            health.check(figures, self.network, f"iteration {self.iteration + 1}", advice)
            self.iteration += 1
            self.seconds += time.monotonic() - begin
            figures["agent_steps_per_second"] = self.steps / self.seconds
            judged = every > 0 and self.iteration % every == 0
            if judged or (every > 0 and self.iteration == 1):
                figures |= self.judge(self.config.evaluation.seasons)
            line = self._write(figures)
            if judged or time.monotonic() - saved >= 60 * self.config.save_minutes:
                self.save()
                saved = time.monotonic()
            if tell is not None and tell(Progress(self.iteration, self.share(), line)):
                break
        self.save()

    def save(self) -> None:
        """Write the policy, and what the run goes on from, unless that is of this iteration already."""
        if self._saved != self.iteration:
            self._save()
            self._saved = self.iteration

    def metrics(self) -> list[dict[str, Any]]:
        """The lines of the iterations that are done; others are of iterations that are done again."""
        return [line for line in curves.read(self.folder / METRICS) if line["iteration"] <= self.iteration]

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

    def _write(self, figures: dict[str, Any]) -> dict[str, Any]:
        """Add a line to the metrics, and return it."""
        line = {
            "iteration": self.iteration,
            "minutes": self.seconds / 60,
            "agent_steps": self.steps,
            **figures,
        }
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def _forget_later_metrics(self) -> None:
        """Drop the lines of iterations after the last checkpoint, all if there is none."""
        place = self.folder / METRICS
        if place.exists():
            part = place.with_name(f"{METRICS}.part")
            part.write_text("".join(json.dumps(line) + "\n" for line in self.metrics()), encoding="utf-8")
            os.replace(part, place)
