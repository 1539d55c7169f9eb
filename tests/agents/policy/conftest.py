"""A small network that has learnt nothing, and what nations of some worlds see."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import hakoenv
from hakoenv.envs.plan_space import PlanSpace


class Situation(NamedTuple):
    """What living nations saw after some turns of random play, a row each."""

    seen: dict[str, NDArray[Any]]
    menus: dict[str, NDArray[Any]]
    rows: NDArray[np.int64]
    space: PlanSpace
    needs: Any

    def features(self) -> Any:
        from hakoenv.agents.policy import features

        return features.read(self.seen)


@pytest.fixture(scope="session")
def situation() -> Situation:
    from hakoenv.agents.policy.form import READ
    from hakoenv.agents.policy.sampling import Needs

    env = hakoenv.vec("duel", 4, commands_per_turn=4)
    env.single_action_space.seed(0)
    seen, infos = env.reset(seed=3)
    for _ in range(12):
        seen, _, _, _, infos = env.step(env.sample_legal())
    rows = np.flatnonzero(infos["alive"])
    assert len(rows) >= 6
    flat = {name: seen[name].reshape(-1, *seen[name].shape[2:])[rows] for name in READ}
    menus = {name: a.reshape(-1, *a.shape[2:])[rows] for name, a in seen["action_mask"].items()}
    space = env.single_action_space
    return Situation(flat, menus, np.arange(len(rows)), space, Needs.of(space))


@pytest.fixture(scope="session")
def network(situation: Situation) -> Any:
    """Its weights are large, so that its plans differ from one observation to the next."""
    import torch
    from hakoenv.agents.policy.form import Form
    from hakoenv.agents.policy.network import PlanNetwork

    torch.manual_seed(5)
    made = PlanNetwork(Form.of(situation.space), 16, 32).eval()
    with torch.no_grad():
        for weights in made.parameters():
            weights.mul_(1.5)
    return made


@pytest.fixture(scope="session")
def file(network: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its checkpoint."""
    from hakoenv.agents.policy import checkpoint

    path = tmp_path_factory.mktemp("policy") / "policy.pt"
    checkpoint.save(path, network, note="a test")
    return path
