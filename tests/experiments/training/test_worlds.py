"""Imitation, PPO and evaluation go on where the map of a seed has too few sites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

from hakoenv.experiments import clone, seeds
from hakoenv.experiments.ppo import Trainer
from hakoenv.experiments.training.evaluation import evaluate

from hakoenv.engine.mapgen import ScenarioError
from hakoenv.envs import vec


@pytest.fixture(autouse=True)
def tried(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every second seed has no room; all seeds that were tried."""
    make = vec.make_world
    found: list[int] = []

    def every_second(setup: Any) -> Any:
        found.append(setup.seed)
        if len(found) % 2:
            raise ScenarioError("too few sites")
        return make(setup)

    monkeypatch.setattr(vec, "make_world", every_second)
    return found


def stood_in(tried: list[int]) -> bool:
    """A seed without room is followed by the one that stands in for it."""
    pairs = zip(tried[::2], tried[1::2], strict=True)
    return all(second == seeds.with_room(first, _second_of(first)) for first, second in pairs)


def _second_of(first: int) -> Any:
    def start(seed: int) -> int:
        if seed == first:
            raise ScenarioError("too few sites")
        return seed

    return start


def test_evaluation(network: Any, small: Any, tried: list[int]) -> None:
    assert len(evaluate(network, small.game, "random", 2).points) == 2
    assert tried[0] == 2**62
    assert len(tried) >= 4
    assert stood_in(tried)


def test_imitation(tiny: Any, tried: list[int]) -> None:
    assert clone.train(tiny(clone__steps=1, clone__batch=2), clone.new_network(tiny())) > 0
    assert len(tried) >= 8
    assert stood_in(tried)


def test_ppo(tiny: Any, network: Any, tmp_path: Path, tried: list[int]) -> None:
    Trainer(tiny(ppo__iterations=1, evaluation__every=0), network, tmp_path).run()
    assert len(tried) >= 6
    assert stood_in(tried)
    assert not any(seeds.is_evaluation(seed) for seed in tried[:6])
