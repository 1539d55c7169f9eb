"""Imitation: what the rule AI would do is learnt, whoever plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

import torch
from hakoenv.experiments import clone
from hakoenv.experiments.training.seats import Seats

from hakoenv.engine.codes import command, reason
from hakoenv.engine.season import Season
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
    assert len(losses) == 24
    assert np.mean(losses[-3:]) < 0.6 * np.mean(losses[:2])


def test_it_learns_from_however_little_there_is(tiny: Any) -> None:
    """Two steps of a duel keep 16 plans, less than one batch."""
    config = tiny(clone__steps=2, clone__worlds=4, clone__batch=64, clone__kept=4096)
    network = clone.new_network(config)
    before = network.verb.weight.detach().clone()
    assert clone.train(config, network) == 2
    assert not torch.equal(network.verb.weight, before)
    assert clone.train(tiny(clone__steps=0), network) == 0


def test_the_clones_own_share_of_the_worlds(tiny: Any) -> None:
    """Half of 64 worlds from three quarters on; in between it grows from none at a quarter."""
    settings = tiny(clone__worlds=64, clone__own_share=0.5).clone
    found = [clone.own_worlds(settings, share) for share in (0.0, 0.25, 0.375, 0.5, 0.75, 0.9)]
    assert found == [0, 0, 8, 16, 32, 32]


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


def test_the_teacher_counts_what_a_nation_has_developed_itself() -> None:
    """As in a season whose nation the rule AI takes over; what it would do itself leaves no trace."""
    env = VecEnv("duel", 1, commands_per_turn=3)
    teacher = clone.Teacher(Seats(env, np.random.default_rng(0)))
    env.reset(seed=5)
    seen, _, _, _, infos = env.step(np.zeros((1, 2, 22), np.int64))
    mined = env.world(0).results[1, :1]
    mined["command"], mined["reason"] = command.MINE, reason.DONE
    for _ in range(2):
        teacher.plans(infos["alive"], seen)
        assert teacher.shadow.nations["developed_before"].tolist() == [[0, 1]]
        assert env.worlds.nations["developed"].tolist() == [[0, 0]]


def test_worlds_at_different_turns_are_those_of_rule_ais() -> None:
    env = VecEnv("duel", 3, rules={"season.max_turns": 40})
    env.reset(seed=5)
    clone._stagger(env, Seats(env, np.random.default_rng(0)), np.random.default_rng(1))
    turns = env.worlds.clock["turn"][:, 0].tolist()
    assert len(set(turns)) == 3
    for i, turn in enumerate(turns):
        season = Season.new("duel", seed=5 + i, rules={"season.max_turns": 40})
        season.run(until=turn)
        assert state_hash(env.world(i)) == season.state_hash()


def test_the_latest_entries_are_kept() -> None:
    kept = clone.Kept(3, {"a": ((), np.int64), "b": ((2,), np.int8)})
    for first in (0, 2):
        numbers = np.arange(first, first + 2)
        kept.add({"a": numbers, "b": np.stack([numbers, -numbers], axis=1)})
    assert (kept.count, kept.size) == (3, 3)
    found: dict[str, Any] = kept.draw(np.array([0, 1, 2, 0]))
    assert found["a"].tolist() == [3, 1, 2, 3]
    assert found["b"].tolist() == [[3, -3], [1, -1], [2, -2], [3, -3]]
