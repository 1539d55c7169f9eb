"""Proximal policy optimization with RLlib, on the same network as `experiments/ppo.py`.

One module plays all seats, or the first one against a controller. An iteration plays some turns of some
worlds and improves the network on them; RLlib does both, with `hakoenv.envs.rllib` as the environment and
the module and the learner of `hakoenv.experiments.training.rllib_module`.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import torch
from hakoenv.agents.policy import checkpoint
from hakoenv.agents.policy.form import READ
from hakoenv.experiments import local_ray
from hakoenv.experiments.clone import new_network
from hakoenv.experiments.training import rllib_module
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.loop import POLICY, Loop
from hakoenv.experiments.training.results import LEARNER, Results
from hakoenv.experiments.training.rllib_module import MODULE, PlanLearner, PlanModule

from hakoenv.ruleset import load_ruleset

try:
    from ray.exceptions import RayError
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.tune.registry import register_env
except ImportError as fault:
    raise ImportError("training with RLlib needs Ray's RLlib: pip install 'hakoenv[rllib]'") from fault

from hakoenv.envs.rllib import HakoenvMultiAgentEnv

CLONE = "clone.pt"  # the policy that the run starts from, if any
RUN = "run.json"  # how far it is; it goes on from RLlib's checkpoint of that iteration
RLLIB = "rllib"  # RLlib's checkpoints
_DRAWN, _ILLEGAL, _SEASONS = "plans", "plans_illegal", "seasons"  # names in RLlib's results
_ENVIRONMENT = "hakoenv-training"
_STORE_BYTES = 512 * 2**20  # of Ray's object store: what runners send
_WORLDS = 1_000_003  # environment seeds of a run before those of the next one begin


def ray_for(config: Config, folder: Path) -> AbstractContextManager[None]:
    """Ray as a run needs it.

    Raises:
        hakoenv.experiments.local_ray.StartError: it does not start.
    """
    return local_ray.started(1 + config.rllib.runners, _STORE_BYTES, folder)


class FolderPPO(PPO):
    """RLlib's PPO, which leaves nothing in the home folder."""

    def _setup_logdir(self) -> None:
        config: Any = self.config
        self._logdir = config.learner_config_dict["folder"]


class Trainer(Loop):
    """A run of RLlib's PPO; Ray must be started (`ray_for`).

    Args:
        config: the run: `game`, `network`, `ppo`, `rllib`, `evaluation`, `seed`, `threads`.
        folder: where checkpoints, metrics and curves go. A policy `clone.pt` there is what a run starts
            from and stays near at first.
        env: the environment.

    Raises:
        CheckpointError: the clone is no policy of this version's; what the run is to go on from is broken.
        SeasonError, ControllerError, RulesetError: the game can't be.
    """

    rate = "rllib.learning_rate"

    def __init__(
        self,
        config: Config,
        folder: Path,
        env: Callable[[Any], HakoenvMultiAgentEnv] = HakoenvMultiAgentEnv,
    ) -> None:
        super().__init__(config, folder)
        torch.set_num_threads(config.threads)
        self._deterministic = torch.are_deterministic_algorithms_enabled()
        place = folder / CLONE
        self.clone = place if place.exists() else None
        self.network = new_network(config) if self.clone is None else checkpoint.load(place)
        self.results = Results()
        if (folder / RUN).exists():
            self._read()
        register_env(_ENVIRONMENT, env)
        algorithm: Any = self._settings().build_algo()
        self.algorithm = algorithm
        if self._saved is not None:
            self._restore()
        self._take_weights()

    def _save(self) -> None:
        self._take_weights()
        ruleset = load_ruleset(self.config.game.scenario, self.config.game.rules)
        facts = {"rules_version": ruleset.version, "scenario": ruleset.scenario}
        checkpoint.save(self.folder / POLICY, self.network, **facts)
        place = self._checkpoint()
        part = place.with_name(f".{place.name}.part")
        for left in (part, place):  # by a run that was ended before it noted them
            shutil.rmtree(left, ignore_errors=True)
        self.algorithm.save_to_path(str(part))
        os.replace(part, place)
        state = {
            "iteration": self.iteration,
            "seconds": self.seconds,
            "steps": self.steps,
            "illegal": self.illegal,
            "results": self.results.state(),
        }
        note = self.folder / f".{RUN}"
        note.write_text(json.dumps(state) + "\n", encoding="utf-8")
        os.replace(note, self.folder / RUN)
        for old in place.parent.iterdir():
            if old != place:
                shutil.rmtree(old, ignore_errors=True)

    def stop(self) -> None:
        """Let RLlib's processes go."""
        self.algorithm.stop()
        torch.use_deterministic_algorithms(self._deterministic)  # RLlib sets it with its seed

    # ------------------------------------------------------------ one iteration

    def _iterate(self, share: float) -> dict[str, Any]:
        self.algorithm.learner_group.foreach_learner(lambda learner: setattr(learner, "share", share))
        found = self.algorithm.train()
        played, learned = found["env_runners"], found["learners"][MODULE]
        self._take_weights()
        drawn = int(played[_DRAWN])
        self.steps += drawn
        self.illegal += int(played[_ILLEGAL])
        for season in _listed(played.get(_SEASONS, [])):
            names = [LEARNER if own else self.config.rllib.against for own in season["own"]]
            self.results.note(names, season["points"], season["ending"])
        means = learned["means"]
        return {
            **{name: float(means[name]) for name in rllib_module.FIGURES if name in means},
            "decisions": drawn,
            "illegal": self.illegal,
            **self.results.figures(),
        }

    def _read(self) -> None:
        """Take over how far the run is.

        Raises:
            CheckpointError: that can't be read.
        """
        place = self.folder / RUN
        try:
            state = json.loads(place.read_text(encoding="utf-8"))
            self.iteration, self.seconds = int(state["iteration"]), float(state["seconds"])
            self.steps, self.illegal = int(state["steps"]), int(state["illegal"])
            self.results.restore(state["results"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise checkpoint.CheckpointError(
                f"{place}: can't be read ({error!r}); take another folder"
            ) from error
        self._saved = self.iteration

    def _restore(self) -> None:
        """Make the algorithm what it was.

        Raises:
            CheckpointError: RLlib's checkpoint is broken.
        """
        place = self._checkpoint()
        try:
            self.algorithm.restore_from_path(str(place))
        except BaseException as error:
            self.stop()
            if isinstance(error, (RayError, ConnectionError)) or not isinstance(error, Exception):
                raise
            raise checkpoint.CheckpointError(
                f"{place}: can't be gone on from ({local_ray.first_line(error)}); take another folder"
            ) from error

    def _checkpoint(self) -> Path:
        return (self.folder / RLLIB / str(self.iteration)).absolute()

    def _take_weights(self) -> None:
        """Make `network` what the learner is now."""
        state = self.algorithm.learner_group.get_weights()[MODULE]
        own = {name.removeprefix("network."): torch.from_numpy(array) for name, array in state.items()}
        self.network.load_state_dict(own)
        self.network.eval()

    def _settings(self) -> PPOConfig:
        """The run as RLlib's settings."""
        config, game, ppo, own = self.config, self.config.game, self.config.ppo, self.config.rllib
        form = self.network.form
        turns = own.worlds * own.turns * max(1, own.runners)
        environment = {
            "scenario": game.scenario,
            "rules": game.rules,
            "commands": form.verbs,
            "commands_per_turn": form.commands_per_turn,
            "pieces": READ,
            "infos": [],
            "controllers": _opponents(config),
            "seed": config.seed * _WORLDS + self.iteration,  # seasons under way are begun anew
        }
        model = {
            **self.network.sizes,
            "reward_scale": ppo.reward_scale,
            "clone": None if self.clone is None else str(self.clone.absolute()),
        }
        follow = {
            "learning_rate": own.learning_rate,
            "clone_weight": ppo.clone_weight,
            "clone_fades_until": ppo.clone_fades_until,
            "folder": str(self.folder.absolute()),
        }
        spec = RLModuleSpec(module_class=PlanModule, model_config=model)
        return (
            PPOConfig(algo_class=FolderPPO)  # type: ignore[no-untyped-call]
            .environment(_ENVIRONMENT, env_config=environment, disable_env_checking=True)
            .env_runners(num_env_runners=own.runners, num_envs_per_env_runner=own.worlds)
            .fault_tolerance(restart_failed_env_runners=False)
            .learners(num_learners=0, learner_class=PlanLearner, learner_config_dict=follow)
            .training(
                train_batch_size=turns,
                minibatch_size=min(own.batch, turns),
                num_epochs=ppo.epochs,
                lr=own.learning_rate,
                gamma=ppo.gamma,
                lambda_=ppo.trace,
                clip_param=ppo.clip,
                # RLlib's values are in points, the other trainer's in what a network is trained on
                vf_loss_coeff=ppo.value_weight * ppo.reward_scale**2,
                vf_clip_param=float("inf"),
                entropy_coeff=ppo.entropy_weight,
                use_kl_loss=True,
                kl_coeff=0.0,  # measured only
                grad_clip=ppo.gradient_norm,
                grad_clip_by="global_norm",
            )
            .multi_agent(policies={MODULE}, policy_mapping_fn=lambda agent, episode, **_: MODULE)
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={MODULE: spec}))
            .callbacks(on_sample_end=_count_plans, on_episode_end=_note_season)
            .debugging(seed=config.seed, log_level="ERROR")
        )


def _opponents(config: Config) -> dict[str, str]:
    """Controllers of the seats that are not the policy's."""
    against = config.rllib.against
    if not against:
        return {}
    nations = load_ruleset(config.game.scenario, config.game.rules).nations
    return {f"nation_{n}": against for n in range(1, nations)}


def _count_plans(env_runner: Any, metrics_logger: Any, **_: Any) -> None:
    """Log how many plans were drawn since the last time, and how many of them were illegal."""
    module = env_runner.module[MODULE]
    metrics_logger.log_value(_DRAWN, module.asked, reduce="sum")
    metrics_logger.log_value(_ILLEGAL, module.illegal, reduce="sum")
    module.asked = module.illegal = 0


def _listed(series: Any) -> list[Any]:
    """A series of RLlib's results as a list: of one item RLlib gives the item itself."""
    return series if isinstance(series, list) else [series]


def _note_season(env: Any, env_index: int, metrics_logger: Any, **_: Any) -> None:
    """Log how a season ended, who had which points, and which seats were the policy's."""
    nations = env.envs[env_index].unwrapped.nations
    result = nations.season.result()
    own = [f"nation_{n}" in nations.possible_agents for n in range(result["nations"])]
    season = {"own": own, "points": result["points"], "ending": result["ending"]}
    metrics_logger.log_value(_SEASONS, season, reduce="item_series")
