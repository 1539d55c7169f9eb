"""Runs as small as can be: seasons of six turns, a network of a few numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hakoenv.experiments.training import config as configs
from hakoenv.experiments.training.config import Config

TINY: dict[str, Any] = {
    "seed": 3,
    "threads": 1,
    "game.commands_per_turn": 3,
    "game.rules": {"season.max_turns": 6},
    "network.width": 8,
    "network.depth": 16,
    "clone.steps": 5,
    "clone.worlds": 4,
    "clone.kept": 32,
    "clone.batch": 4,
    "ppo.worlds": 3,
    "ppo.turns": 8,
    "ppo.batch": 32,
    "ppo.iterations": 2,
    "ppo.epochs": 1,
    "ppo.value_first": 0,
    "league.past_every": 1,
    "league.past_kept": 2,
    "evaluation.every": 2,
    "evaluation.seasons": 2,
}


@pytest.fixture(scope="session")
def tiny() -> Callable[..., Config]:
    """Makes tiny configs: ``tiny(ppo__turns=3)``."""
    pytest.importorskip("yaml", reason="the extra `train` is not installed")

    def made(**changes: Any) -> Config:
        return configs.load(None, TINY | {name.replace("__", "."): value for name, value in changes.items()})

    return made


@pytest.fixture(scope="session")
def tiny_entries() -> dict[str, Any]:
    """What a tiny config says, by `section.name`."""
    return dict(TINY)


@pytest.fixture(scope="session")
def small(tiny: Callable[..., Config]) -> Config:
    return tiny()


@pytest.fixture(scope="session")
def network(small: Config) -> Any:
    from hakoenv.experiments import clone

    return clone.new_network(small).eval()
