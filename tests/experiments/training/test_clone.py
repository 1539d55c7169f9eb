"""Imitation: what the rule AI would do is learnt, whoever plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

from hakoenv.experiments import clone
from hakoenv.experiments.training.seats import Seats

from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.world import state_hash
from hakoenv.envs.vec import VecEnv


def test_the_loss_falls(tiny: Any) -> None:
    config = tiny(
        clone__steps=24,
        clone__worlds=8,
        clone__batch=16,
        clone__kept=64,
        clone__batches_per_step=4,
        clone__learning_rate=0.01,
    )
    network = clone.new_network(config)
    losses: list[float] = []
    clone.train(config, network, tell=lambda at: losses.append(at.figures["loss"]))
    assert len(losses) > 15
    assert np.mean(losses[-3:]) < 0.6 * np.mean(losses[:2])


def test_it_stops_when_it_is_told_to_and_goes_on_from_there(tiny: Any) -> None:
    config = tiny(clone__steps=8)
    network = clone.new_network(config)
    steps: list[int] = []
    clone.train(config, network, tell=lambda at: steps.append(at.step) or at.step >= 6)
    assert steps[-1] == 6
    steps.clear()
    clone.train(config, network, 0.5, tell=lambda at: steps.append(at.step))
    assert steps[-1] == 8
    steps.clear()
    clone.train(config, network, 1.0, tell=lambda at: steps.append(at.step))
    assert steps == []


def test_the_teacher_plans_without_touching_the_worlds() -> None:
    env = VecEnv("duel", 2, commands_per_turn=3)
    seats = Seats(env, np.random.default_rng(0))
    teacher = clone.Teacher(seats)
    env.reset(seed=5)
    for _ in range(3):
        env.step(env.sample_legal())
    seen, infos = env.observe()
    before = [state_hash(env.world(i)) for i in range(2)]
    whose = infos["alive"].copy()
    whose[0, 1] = False
    lessons = teacher.plans(whose, seen)
    assert [state_hash(env.world(i)) for i in range(2)] == before
    assert lessons.shape == (3, 1 + 3 * 7)
    rows = np.flatnonzero(whose)
    assert seats.count_illegal(seen, rows, lessons) == 0
    assert (lessons[:, 1] > 0).all()  # the rule AI always does something
    teacher.play(np.array([1]))
    assert state_hash(env.world(0)) == before[0]
    assert (env.world(1).nations["controller"] == kinds.RULE_AI).all()
    assert (env.world(1).nations["plan_length"] > 0).all()


def test_the_latest_entries_are_kept() -> None:
    kept = clone.Kept(3, {"a": ((), np.int64), "b": ((2,), np.int8)})
    for first in (0, 2):
        numbers = np.arange(first, first + 2)
        kept.add({"a": numbers, "b": np.stack([numbers, -numbers], axis=1)})
    assert (kept.count, kept.size) == (3, 3)
    found: dict[str, Any] = kept.draw(np.array([0, 1, 2, 0]))
    assert found["a"].tolist() == [3, 1, 2, 3]
    assert found["b"].tolist() == [[3, -3], [1, -1], [2, -2], [3, -3]]
