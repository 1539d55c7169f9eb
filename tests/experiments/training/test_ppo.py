"""PPO: advantages by hand, a tiny run, and going on with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

import torch
from hakoenv.agents.policy import checkpoint
from hakoenv.agents.policy.checkpoint import CheckpointError
from hakoenv.experiments import seeds
from hakoenv.experiments.ppo import RUN, Rollout, Trainer, advantages
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.league import RULE_AI
from hakoenv.experiments.training.loop import METRICS, POLICY


def test_advantages_by_hand() -> None:
    """gamma and lambda 1/2, rewards 1, values 1 2 3 4 5; the first row's season ends with the second turn.

    Turn 3: 1 + 5/2 - 4 = -1/2. Turn 2: 1 + 4/2 - 3 = 0, and -1/2 / 4. Turn 1, the last of its season:
    1 - 2 = -1, nothing after it. Turn 0: 1 + 2/2 - 1 = 1, and -1 / 4. The second row goes on throughout:
    turn 1: 1 + 3/2 - 2 = 1/2, and -1/8 / 4; turn 0: 1, and 15/32 / 4.
    """
    value = np.array([[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]], np.float32)
    reward = np.ones((4, 2), np.float32)
    last = np.zeros((4, 2), np.bool_)
    last[1, 0] = True
    found = advantages(value, reward, last, 0.5, 0.5)
    assert found[:, 0].tolist() == [0.75, -1.0, -0.125, -0.5]
    assert found[:, 1].tolist() == [1 + 15 / 128, 15 / 32, -0.125, -0.5]


def test_an_end_in_the_last_turn_takes_nothing_from_what_follows() -> None:
    value = np.array([[1], [100]], np.float32)
    found = advantages(value, np.ones((1, 1), np.float32), np.ones((1, 1), np.bool_), 0.9, 0.9)
    assert found.tolist() == [[0.0]]


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / METRICS).read_text(encoding="utf-8").splitlines()]


def test_a_run_and_its_resumption(tiny: Any, network: Any, tmp_path: Path) -> None:
    config = tiny()
    told: list[int] = []
    first = Trainer(config, network, tmp_path)
    first.run(lambda at: told.append(at.iteration) or at.iteration == 1)
    assert told == [1]
    assert (first.iteration, first.illegal) == (1, 0)
    assert first.steps >= 3 * 8  # a learner at least in every world and turn
    (line,) = lines(tmp_path)
    assert (line["iteration"], line["agent_steps"], line["illegal"]) == (1, first.steps, 0)
    assert line["decisions"] == first.steps
    assert line["seasons_begun"] == 3 + sum(line["endings"].values()) == 6  # of six turns, in eight
    assert line["endings"] == {"turn_limit": 3}
    assert line["against_rule_ai"]["seasons"] == 2
    assert line["payoff_matrix"].get("learner", {}) == line["payoffs"]
    assert abs(line["moved"]) < 1e-4 and line["clipped"] == 0  # one step: the policy is the one that played
    assert all(np.isfinite(line[name]) for name in ("policy_loss", "value_loss", "entropy"))

    second = Trainer(config, network, tmp_path)
    with (tmp_path / METRICS).open("a", encoding="utf-8") as file:
        file.write('{"iteration": 2, "lost": true}\n{"iteration": 3, "mi')  # done after the checkpoint
    second.resume()
    assert second.league.results.matrix() == first.league.results.matrix()
    assert (second.iteration, second.steps, second.illegal) == (1, first.steps, 0)
    assert second.seconds == first.seconds
    assert second.league.born == first.league.born == [0, 1]
    assert second.begun == 6 + 3
    assert second.infos["seed"].tolist() == [3 * 1_000_003 + 6 + k for k in range(3)]  # none of before
    for one, two in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(one, two)
        old, new = first.optimizer.state[one], second.optimizer.state[two]
        assert old.keys() == new.keys() and all(torch.equal(old[name], new[name]) for name in old)
    plans, value = second.optimizer.param_groups
    assert plans["lr"] == config.ppo.learning_rate and value["lr"] == config.ppo.value_rate
    assert {id(p) for p in value["params"]} == {id(p) for p in second.network.value.parameters()}
    second.run(lambda at: told.append(at.iteration))
    assert told == [1, 2]
    assert [line["iteration"] for line in lines(tmp_path)] == [1, 2]
    assert lines(tmp_path)[1]["agent_steps"] == second.steps > first.steps
    assert second.illegal == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [METRICS, POLICY, RUN]
    played = checkpoint.load(tmp_path / POLICY)
    assert torch.equal(played.verb.weight, second.network.verb.weight)
    assert not torch.equal(played.verb.weight, network.verb.weight)
    assert checkpoint.read(tmp_path / POLICY)["scenario"] == "duel"

    third = Trainer(config, network, tmp_path)
    third.resume()
    third.run(lambda at: told.append(at.iteration))
    assert told == [1, 2]  # it is done


def test_two_runs_are_the_same(tiny: Any, network: Any, tmp_path: Path) -> None:
    config = tiny(ppo__iterations=1, evaluation__every=0)
    found = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        trainer = Trainer(config, network, tmp_path / name)
        trainer.run()
        (line,) = lines(tmp_path / name)
        assert "against_rule_ai" not in line
        found.append({key: line[key] for key in line if key not in ("minutes", "agent_steps_per_second")})
    assert found[0] == found[1]


def test_at_first_only_the_value_is_learnt(tiny: Any, network: Any, tmp_path: Path) -> None:
    trainer = Trainer(tiny(ppo__value_first=0.5, evaluation__every=0), network, tmp_path)
    before = {name: weights.clone() for name, weights in trainer.network.named_parameters()}

    def moved() -> set[str]:
        now = trainer.network.named_parameters()
        return {name for name, weights in now if not torch.equal(weights, before[name])}

    trainer.run(lambda at: at.iteration == 1)
    assert moved() and all(name.startswith("value.") for name in moved())
    trainer.run()  # the second of two iterations
    assert "verb.weight" in moved()


def test_a_run_of_another_version_is_refused(tiny: Any, network: Any, tmp_path: Path) -> None:
    first = Trainer(tiny(), network, tmp_path)
    first.optimizer = torch.optim.Adam(first.network.parameters())  # one group
    first.save()
    with pytest.raises(CheckpointError, match=r"run\.pt: is a run of another version"):
        Trainer(tiny(), network, tmp_path).resume()


def test_the_penalty_fades(tiny: Any, network: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weight 0.2 until 0.8 of the run, in five iterations, at 0, 0.2, 0.4, 0.6 and 0.8 of it."""
    weights: list[float] = []

    def noted(self: Trainer, rollout: Rollout, clone_weight: float) -> dict[str, float]:
        weights.append(clone_weight)
        return {}

    monkeypatch.setattr(Trainer, "_improve", noted)
    monkeypatch.setattr(
        Trainer, "_play", lambda self: Rollout({}, *(np.zeros(1, np.float32) for _ in range(4)))
    )
    changes = {
        "ppo__clone_weight": 0.2,
        "ppo__clone_fades_until": 0.8,
        "ppo__iterations": 5,
        "ppo__worlds": 1,
    }
    Trainer(tiny(**changes, ppo__minutes=1e6, evaluation__every=0), network, tmp_path).run()
    assert weights == pytest.approx([0.2, 0.15, 0.1, 0.05, 0.0])


def test_the_divergence_is_measured_after_the_penalty_has_faded(
    tiny: Any, network: Any, tmp_path: Path
) -> None:
    config = tiny(ppo__clone_fades_until=0.4, ppo__batch=8, ppo__learning_rate=0.02, evaluation__every=0)
    trainer = Trainer(config, network, tmp_path)
    trainer.run()
    with_penalty, without = lines(tmp_path)
    assert with_penalty["clone_divergence"] > 0
    assert without["clone_divergence"] > 0  # the network that played has moved


def test_one_batch_an_iteration_tells_the_divergence_without_a_penalty(
    tiny: Any, network: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, told = Trainer._step, []

    def watched(self: Trainer, *given: Any) -> dict[str, float]:
        told.append(step(self, *given))
        return told[-1]

    monkeypatch.setattr(Trainer, "_step", watched)
    config = tiny(ppo__clone_weight=0, ppo__batch=8, ppo__iterations=1, evaluation__every=0)
    Trainer(config, network, tmp_path).run()
    assert len(told) >= 3
    assert ["clone_divergence" in figures for figures in told] == [True] + [False] * (len(told) - 1)
    assert lines(tmp_path)[0]["clone_divergence"] == told[0]["clone_divergence"]


def test_turns_without_a_learner_shift_nothing(tiny: Any, network: Any, tmp_path: Path) -> None:
    """One world that the rule AI plays alone for a season of six turns: decisions are those of two turns."""
    trainer = Trainer(tiny(ppo__worlds=1), network, tmp_path)
    trainer.pilots[:] = RULE_AI
    rollout = trainer._play()
    assert len(rollout.chosen) in (2, 4)
    assert rollout.value.all()  # each with the value of its own state
    assert np.allclose(rollout.target, rollout.value + rollout.advantage)


def test_a_rollout_in_which_nobody_learns_is_played_on(tiny: Any, network: Any, tmp_path: Path) -> None:
    trainer = Trainer(tiny(ppo__worlds=1, ppo__turns=2), network, tmp_path)
    trainer.pilots[:] = RULE_AI
    assert len(trainer._play().chosen) in (2, 4)
    assert trainer.infos["turn"].tolist() == [2]  # of the next season


def test_a_rollout_smaller_than_a_batch_is_learnt_from(tiny: Any, network: Any, tmp_path: Path) -> None:
    trainer = Trainer(tiny(ppo__batch=5000, evaluation__every=0, ppo__iterations=1), network, tmp_path)
    trainer.run()
    assert not torch.equal(trainer.network.verb.weight, network.verb.weight)


def test_no_world_of_a_run_is_one_of_evaluation(network: Any, small: Config, tmp_path: Path) -> None:
    trainer = Trainer(small, network, tmp_path)
    seen = set(trainer.infos["seed"].tolist())
    for _ in range(3):
        trainer._play()
        seen |= set(trainer.infos["seed"].tolist())
    assert len(seen) >= 9
    assert not any(seeds.is_evaluation(seed) for seed in seen)
