"""Behaviour cloning: a network learns to plan as the rule AI does.

Many worlds are played at once. In every turn the rule AI says what it would do in each nation's place,
whoever plays there: at first the rule AI itself, later in a share of the worlds the clone, so that it also
learns what to do about its own mistakes. Plans and what nations saw are kept for a while; batches are drawn
from them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from hakoenv.agents.policy import features, sampling
from hakoenv.agents.policy.form import CELLS, READ, Form
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments import seeds
from hakoenv.experiments.training import health
from hakoenv.experiments.training.config import Clone, Config
from hakoenv.experiments.training.rows import named, unnamed
from hakoenv.experiments.training.seats import Seats, joined
from hakoenv.experiments.worlds import Worlds
from numpy.typing import NDArray
from torch import nn

from hakoenv.engine import proxy
from hakoenv.engine.codes import author, ending
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.turn import turn as play_turn
from hakoenv.engine.world import assign_world
from hakoenv.engine.worlds import new_worlds
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.vec import VecEnv
from hakoenv.envs.written import actions_of
from hakoenv.obs import pieces
from hakoenv.obs.menu import Menu
from hakoenv.ruleset import load_ruleset

_PEOPLE = next(k for k, column in enumerate(pieces.CELL) if column.name == "population")


class Progress(NamedTuple):
    """How far the clone is."""

    step: int
    share: float  # of the time or steps that it may take
    figures: dict[str, float]


class Kept:
    """The latest plans: what was seen, what the rule AI planned, what could have been, and what came of it.

    Args:
        size: how many are kept.
        shapes: of what is kept, by name: shape and dtype of one entry.
    """

    def __init__(self, size: int, shapes: dict[str, tuple[tuple[int, ...], Any]]) -> None:
        self._arrays = {name: np.zeros((size, *shape), kind) for name, (shape, kind) in shapes.items()}
        self.size, self.count, self._next = size, 0, 0

    def add(self, entries: dict[str, NDArray[Any]]) -> None:
        """Keep entries in the place of the oldest."""
        rows = len(next(iter(entries.values())))
        places = (self._next + np.arange(rows)) % self.size
        for name, array in entries.items():
            self._arrays[name][places] = array
        self._next = int((self._next + rows) % self.size)
        self.count = min(self.size, self.count + rows)

    def draw(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The entries at ``rows``."""
        return {name: array[rows] for name, array in self._arrays.items()}


class Teacher:
    """Asks the rule AI what it would do in every nation's place, without touching the worlds.

    Args:
        seats: of the environment that is watched.
    """

    def __init__(self, seats: Seats) -> None:
        env = seats.env
        self._seats = seats
        cells = env.worlds.cells.shape
        self.shadow = new_worlds(env.num_envs, cells[2], cells[1], env.nations)
        self._rule_ai = seats.rule_ai

    def plans(self, whose: NDArray[np.bool_], seen: Any) -> NDArray[np.int64]:
        """The rule AI's plans as actions (rows, L) of the nations ``whose`` (E, N), in row order."""
        env = self._seats.env
        assign_world(self.shadow, env.worlds)
        proxy.note_steps(self.shadow, np.arange(env.nations))  # what the clone developed counts (LLM-009)
        self.shadow.nations["controller"] = kinds.RULE_AI
        self._rule_ai.fill_worlds(self.shadow, env.rules, whose)
        rows = np.flatnonzero(whose)
        menus = {name: joined(array)[rows] for name, array in seen["action_mask"].items()}
        return actions_of(
            self._seats.space.menu,
            joined(self.shadow.plans)[rows],
            joined(self.shadow.nations["plan_length"])[rows],
            rows % env.nations,
            joined(env.cell_index)[rows],
            self.shadow.cells.shape[2],
            menus,
            self._seats.space.commands_per_turn,
            joined(seen["cells"][..., _PEOPLE])[rows],
        )


def train(
    config: Config,
    student: PlanNetwork,
    done: float = 0.0,
    tell: Callable[[Progress], bool | None] | None = None,
) -> int:
    """Make a network a clone of the rule AI.

    Args:
        config: the run; `config.clone` says how long and how.
        student: the network (`new_network`); changed.
        done: share of the time or steps that an earlier call has spent on it.
        tell: called after every step of all worlds; training stops if it returns True.

    Returns:
        How many batches it has learnt from.

    Raises:
        DivergedError: losses or weights are NaN or infinite; `tell` is not called any more.
    """
    settings = config.clone
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    draws = np.random.default_rng([config.seed, 1, int(1e6 * done)])  # gone on with, other worlds
    env = Worlds(
        config.game.scenario,
        settings.worlds,
        commands_per_turn=config.game.commands_per_turn,
        commands=config.game.commands,
        rules=config.game.rules,
    )
    seats = Seats(env, draws)
    teacher = Teacher(seats)
    form = Form.of(seats.space)
    optimizer = torch.optim.AdamW(student.parameters(), settings.learning_rate, weight_decay=1e-4)
    kept = Kept(settings.kept, _shapes(env, form, seats))
    env.reset(seed=[seeds.training(k) for k in draws.integers(seeds.COUNT, size=env.num_envs).tolist()])
    _stagger(env, seats, draws)
    seen, infos = env.observe()
    begin, step = time.monotonic() - 60 * settings.minutes * done, int(settings.steps * done)
    learnt = 0
    while step < settings.steps:
        share = max(step / settings.steps, (time.monotonic() - begin) / 60 / max(settings.minutes, 1e-9))
        if share >= 1.0:
            break
        alive = infos["alive"]
        rows = np.flatnonzero(alive)
        lessons = teacher.plans(alive, seen)
        masks = sampling.masks_of(
            seats.space,
            {name: joined(array) for name, array in seen["action_mask"].items()},
            rows,
            lessons,
            seats.needs,
            CELLS,
        )
        kept.add({**seats.read(seen, rows), "actions": lessons, **named(masks)})
        actions = np.zeros((env.num_envs * env.nations, form.length), np.int64)
        own = own_worlds(settings, share)
        seats.let_rule_ai_plan(alive & (np.arange(env.num_envs) >= own)[:, np.newaxis])
        played = rows[rows // env.nations < own]
        if played.size:
            student.eval()
            actions[played] = seats.ask(student, seen, played).actions
        seen, _, _, _, infos = env.step(actions.reshape(env.num_envs, env.nations, -1))
        step += 1
        rate = settings.learning_rate * (1.0 - 0.9 * share)
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(settings.batches_per_step):
            batch = kept.draw(draws.integers(0, kept.count, settings.batch))
            figures = _learn(student, optimizer, batch, seats.needs)
            learnt += 1
        advice = "take a lower clone.learning_rate, and another folder"
        health.check(figures, student, f"step {step} of the imitation", advice)
        if tell is not None and tell(Progress(step, share, figures)):
            break
    student.eval()
    return learnt


def own_worlds(settings: Clone, share: float) -> int:
    """How many worlds the clone itself plays at a share of the time."""
    return int(settings.own_share * settings.worlds * min(1.0, max(0.0, 2 * share - 0.5)))


def new_network(config: Config) -> PlanNetwork:
    """A network of a config's sizes that has learnt nothing."""
    torch.manual_seed(config.seed)
    ruleset = load_ruleset(config.game.scenario, config.game.rules)
    menu = Menu(ruleset, ruleset.nations, config.game.commands)
    form = Form.of(PlanSpace(menu, config.game.commands_per_turn))
    return PlanNetwork(form, config.network.width, config.network.depth)


def _learn(
    network: PlanNetwork,
    optimizer: torch.optim.Optimizer,
    batch: dict[str, NDArray[Any]],
    needs: sampling.Needs,
) -> dict[str, float]:
    """One step of gradient descent on a batch of lessons."""
    network.train()
    known = network.encode(features.read(batch))
    used = features.used_cells(batch)
    masks = unnamed(batch, used)
    found = sampling.judge(network, known, torch.from_numpy(batch["actions"]), masks, needs)
    loss = -found.chosen.sum(dim=(1, 2)).mean()
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return {"loss": float(loss.detach())}


def _stagger(env: VecEnv, seats: Seats, draws: np.random.Generator) -> None:
    """Bring the worlds to different turns, so that a batch holds all times of a season."""
    last = int(env.rules.scalars[0]["season_max_turns"])
    everybody = np.arange(env.nations)
    for i, start in enumerate(draws.integers(0, last * 3 // 4, env.num_envs).tolist()):
        world = env.world(i)
        world.nations["controller"], world.nations["author"] = kinds.RULE_AI, author.RULE_AI
        for _ in range(start):
            if world.clock["ending"][0] == ending.RUNNING:
                seats.rule_ai.fill(world, env.rules, everybody)
                play_turn(world, env.rules)


def _shapes(env: VecEnv, form: Form, seats: Seats) -> dict[str, tuple[tuple[int, ...], Any]]:
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        name: (env.single_observation_space[name].shape, env.single_observation_space[name].dtype)  # type: ignore[misc]
        for name in READ
    }
    most = form.commands_per_turn
    blank = sampling.blank(1, most, len(seats.needs.nation), CELLS)
    shapes |= {name: (mask.shape[1:], np.bool_) for name, mask in named(blank).items()}
    return shapes | {"actions": ((form.length,), np.int64)}
