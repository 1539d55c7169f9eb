"""Proximal policy optimization over `hakoenv.vec`, from a clone of the rule AI, in one file.

An iteration plays some turns of many worlds and improves the network on them. Each season's seats are given
by the league: the learner has one, the others are the rule AI's, past selves' or its own. The reward is the
change in standing points; the value is of what is still to come. The plans stay near the clone's at first,
by a penalty on the divergence from it that fades.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from hakoenv.agents.policy import checkpoint, features, sampling
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments import seeds
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.league import LEARNER, PAST, RULE_AI, League
from hakoenv.experiments.training.loop import POLICY, Loop
from hakoenv.experiments.training.rows import named, unnamed, widened
from hakoenv.experiments.training.seats import Seats
from hakoenv.experiments.worlds import Worlds
from numpy.typing import NDArray
from torch import nn

from hakoenv.engine.codes import ending

RUN = "run.pt"  # everything a run goes on from


class Rollout(NamedTuple):
    """What the learner saw and did in one rollout; M decisions."""

    entries: dict[str, NDArray[Any]]  # observations, actions, masks, by name; leading axis M
    chosen: NDArray[np.float32]  # (M,) log-likelihood
    value: NDArray[np.float32]
    advantage: NDArray[np.float32]
    target: NDArray[np.float32]  # of the value


class Trainer(Loop):
    """A run of PPO.

    Args:
        config: the run.
        clone: the network that it starts from and stays near at first.
        folder: where checkpoints, metrics and curves go.

    Attributes:
        league: opponents and results.
    """

    def __init__(self, config: Config, clone: PlanNetwork, folder: Path) -> None:
        super().__init__(config, folder)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.clone = copy.deepcopy(clone).eval()
        self.network = copy.deepcopy(clone)
        settings, game = config.ppo, config.game
        value = list(self.network.value.parameters())
        plans = [p for name, p in self.network.named_parameters() if not name.startswith("value.")]
        self.optimizer = torch.optim.Adam([{"params": plans}, {"params": value}], eps=1e-5)
        self.draws = np.random.default_rng([config.seed, 2])
        self.league = League(config.league, self.draws)
        self.league.keep(clone, 0)
        self.env = Worlds(
            game.scenario,
            settings.worlds,
            commands_per_turn=game.commands_per_turn,
            commands=clone.form.verbs,
            rules=game.rules,
        )
        self.seats = Seats(self.env, self.draws)
        self._begin()

    def _save(self) -> None:
        facts = {"rules_version": self.env.ruleset.version, "scenario": self.env.ruleset.scenario}
        checkpoint.save(self.folder / POLICY, self.network, **facts)
        checkpoint.save(
            self.folder / RUN,
            self.network,
            optimizer=self.optimizer.state_dict(),
            iteration=self.iteration,
            seconds=self.seconds,
            steps=self.steps,
            illegal=self.illegal,
            league=self.league.state(),
            begun=self.begun,
            draws=json.dumps(self.draws.bit_generator.state),
        )

    def resume(self) -> None:
        """Go on from the folder's checkpoint; the seasons under way are begun anew with fresh seeds.

        Raises:
            CheckpointError: it can't be read, or is another version's.
        """
        place = self.folder / RUN
        content = checkpoint.read(place)
        with checkpoint.fitting(place, "is a run of another version of hakoenv; take another folder"):
            self.network.load_state_dict(content["weights"])
            self.optimizer.load_state_dict(content["optimizer"])
            self.iteration, self.seconds = int(content["iteration"]), float(content["seconds"])
            self.steps, self.illegal = int(content["steps"]), int(content["illegal"])
            self.league.restore(content["league"], self.clone)
            self.draws.bit_generator.state = json.loads(content["draws"])
            self._begin(int(content["begun"]))
        self._saved = self.iteration

    def judge(self, seasons: int) -> dict[str, Any]:
        """Points against the fixed opponents of the config, and who fared how against whom in the league."""
        return super().judge(seasons) | {"payoff_matrix": self.league.results.matrix()}

    # ------------------------------------------------------------ one iteration

    def _begin(self, begun: int = 0) -> None:
        """Begin seasons in all worlds; ``begun``: seasons begun before, whose seeds are not used again."""
        count = self.env.num_envs
        first = self.config.seed * 1_000_003 + begun
        self.seen, self.infos = self.env.reset(seed=[seeds.training(first + i) for i in range(count)])
        self.begun = begun + count
        self.pilots = np.array([self.league.seat(self.env.nations) for _ in range(count)])

    def _iterate(self, share: float) -> dict[str, Any]:
        settings = self.config.ppo
        rollout = self._play()
        fade = max(0.0, 1.0 - share / max(settings.clone_fades_until, 1e-9))
        left = 1.0 - 0.9 * share
        plans, value = self.optimizer.param_groups
        # the clone knows no values: until they are learnt, what plans gained is noise
        plans["lr"] = settings.learning_rate * left if share >= settings.value_first else 0.0
        value["lr"] = settings.value_rate * left
        figures: dict[str, Any] = self._improve(rollout, settings.clone_weight * fade)
        figures |= {
            "decisions": len(rollout.chosen),
            "value": float(rollout.value.mean()),
            "seasons_begun": self.begun,
            "illegal": self.illegal,
            **self.league.results.figures(),
        }
        done = self.iteration + 1
        if done % max(1, self.config.league.past_every) == 0:
            self.league.keep(self.network, done)
        self.league.forget(self.pilots)
        return figures

    def _play(self) -> Rollout:
        """Play some turns of all worlds, and more if the learner lives in none of them."""
        settings, env, seats = self.config.ppo, self.env, self.seats
        size = env.num_envs * env.nations
        turns = settings.turns
        value = np.zeros((turns + 1, size), np.float32)
        reward = np.zeros((turns, size), np.float32)
        last = np.zeros((turns, size), np.bool_)
        mine: list[tuple[int, NDArray[np.int64]]] = []  # turn, rows of the learner's
        parts: list[dict[str, NDArray[Any]]] = []
        self.network.eval()
        for t in range(turns):
            acting = self.infos["alive"].reshape(-1)
            pilots = self.pilots.reshape(-1)
            actions = np.zeros((size, self.network.form.length), np.int64)
            for pilot in np.unique(pilots[acting]).tolist():
                rows = np.flatnonzero(acting & (pilots == pilot))
                if pilot == RULE_AI:
                    whose = (acting & (pilots == RULE_AI)).reshape(env.num_envs, env.nations)
                    seats.let_rule_ai_plan(whose)
                    continue
                network = self.network if pilot == LEARNER else self.league.past[pilot - PAST]
                plans = seats.ask(network, self.seen, rows)
                actions[rows] = plans.actions
                if pilot == LEARNER:
                    mine.append((t, rows))
                    value[t, rows] = plans.value
                    self.illegal += seats.count_illegal(self.seen, rows, plans.actions)
                    parts.append(
                        seats.read(self.seen, rows)
                        | named(widened(plans.masks))
                        | {"actions": plans.actions, "chosen": plans.log_likelihood}
                    )
            self.seen, rewards, terminations, truncations, self.infos = env.step(
                actions.reshape(env.num_envs, env.nations, -1)
            )
            reward[t] = rewards.reshape(-1) * settings.reward_scale
            last[t] = (terminations | truncations).reshape(-1)
            for k, i in enumerate(self.infos.get("final", ())):
                how = ending.NAMES[int(self.infos["final_ending"][k])]
                self.league.note(self.pilots[i], self.infos["final_points"][k], how)
                self.pilots[i] = self.league.seat(env.nations)
                self.begun += 1
        rows = np.flatnonzero(self.infos["alive"].reshape(-1) & (self.pilots.reshape(-1) == LEARNER))
        if rows.size:
            with torch.no_grad():
                known = self.network.encode(features.read(seats.read(self.seen, rows)))
            value[turns, rows] = known.value.numpy()
        if not mine:
            return self._play()
        advantage = advantages(value, reward, last, settings.gamma, settings.trace)
        times = np.concatenate([np.full(len(rows), t) for t, rows in mine])
        rows = np.concatenate([rows for _, rows in mine])
        self.steps += len(rows)
        entries = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        chosen = entries.pop("chosen")
        gained = advantage[times, rows]
        old = value[times, rows]
        return Rollout(entries, chosen, old, gained, gained + old)

    def _improve(self, rollout: Rollout, clone_weight: float) -> dict[str, float]:
        """Some passes over a rollout in batches; means over the batches of what they tell."""
        settings = self.config.ppo
        self.network.train()
        count = len(rollout.chosen)
        told: dict[str, list[float]] = {}
        spread = float(rollout.advantage.std()) + 1e-6
        middle = float(rollout.advantage.mean())
        for _ in range(settings.epochs):
            order = self.draws.permutation(count)
            for start in range(0, max(1, count - settings.batch // 2), settings.batch):  # no small rest
                rows = order[start : start + settings.batch]
                entries = {name: array[rows] for name, array in rollout.entries.items()}
                gained = torch.from_numpy((rollout.advantage[rows] - middle) / spread)
                # without the penalty one batch an iteration tells how far the clone is
                measured = clone_weight > 0 or not told
                figures = self._step(entries, rollout, rows, gained, clone_weight, measured)
                for name, figure in figures.items():
                    told.setdefault(name, []).append(figure)
        return {name: sum(figures) / len(figures) for name, figures in told.items()}

    def _step(
        self,
        entries: dict[str, NDArray[Any]],
        rollout: Rollout,
        rows: NDArray[np.int64],
        gained: torch.Tensor,
        clone_weight: float,
        measured: bool,
    ) -> dict[str, float]:
        """One step of gradient descent; ``measured``: the divergence from the clone is told."""
        settings, needs = self.config.ppo, self.seats.needs
        seen = features.read(entries)
        masks = unnamed(entries, seen.listed.shape[1])
        known = self.network.encode(seen)
        other = None
        if measured:
            with torch.no_grad():
                other = self.clone, self.clone.encode(seen)
        found = sampling.judge(self.network, known, torch.from_numpy(entries["actions"]), masks, needs, other)
        chosen = found.chosen.sum(dim=(1, 2))
        change = chosen - torch.from_numpy(rollout.chosen[rows])
        ratio = change.exp()
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        policy_loss = -torch.min(ratio * gained, clipped * gained).mean()
        value_loss = nn.functional.mse_loss(known.value, torch.from_numpy(rollout.target[rows]))
        entropy = found.entropy.sum(dim=(1, 2)).mean()
        divergence = found.divergence.sum(dim=(1, 2)).mean()
        loss = policy_loss + settings.value_weight * value_loss - settings.entropy_weight * entropy
        if clone_weight > 0:
            loss = loss + clone_weight * divergence
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), settings.gradient_norm)
        self.optimizer.step()
        with torch.no_grad():
            moved = float((ratio - 1 - change).mean())
            cut = float((ratio != clipped).float().mean())
        figures = {
            "policy_loss": float(policy_loss.detach()),
            "value_loss": float(value_loss.detach()),
            "entropy": float(entropy.detach()),
            "moved": moved,
            "clipped": cut,
        }
        return figures | ({"clone_divergence": float(divergence.detach())} if measured else {})


def advantages(
    value: NDArray[np.float32],
    reward: NDArray[np.float32],
    last: NDArray[np.bool_],
    gamma: float,
    trace: float,
) -> NDArray[np.float32]:
    """Generalized advantage estimates.

    Args:
        value: (T + 1, R) what was expected before each turn, and after the last.
        reward: (T, R).
        last: (T, R): the turn was the row's last; what comes after it is not its.
        gamma: what a turn later counts.
        trace: lambda.

    Returns:
        float32 (T, R).
    """
    found = np.zeros_like(reward)
    ahead = np.zeros(reward.shape[1], np.float32)
    for t in range(len(reward) - 1, -1, -1):
        goes_on = 1.0 - last[t].astype(np.float32)
        surprise = reward[t] + gamma * value[t + 1] * goes_on - value[t]
        ahead = surprise + gamma * trace * goes_on * ahead
        found[t] = ahead
    return found
