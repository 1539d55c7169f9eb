"""The plan network as RLlib's new API stack wants it: a module, its distribution and a learner.

Modules draw plans head by head under their masks, so an illegal combination can't be drawn. The loss is
RLlib's own PPO loss. A plan has no table of logits that a distribution could be made from: what the module
hands on instead is how likely each plan was, and the entropy of how it was drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from hakoenv.agents.policy import checkpoint, features, sampling
from hakoenv.agents.policy.form import READ, Form
from hakoenv.agents.policy.network import PlanNetwork
from numpy.typing import NDArray
from torch import Tensor

from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu_draft import HEADS, MODE, REPLACE

try:
    from ray.rllib.algorithms.ppo.ppo import LEARNER_RESULTS_KL_KEY
    from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.distribution.torch.torch_distribution import TorchDistribution
    from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
except ImportError as fault:
    raise ImportError("training with RLlib needs Ray's RLlib: pip install 'hakoenv[rllib]'") from fault

MODULE = "plan"
"""The one module: it sits in all seats."""
_DIVERGENCE = "clone_divergence"
_AT_ONCE = 512  # observations that values are asked of in one pass
_RLLIBS = {
    "policy_loss": POLICY_LOSS_KEY,
    "value_loss": VF_LOSS_KEY,
    "entropy": ENTROPY_KEY,
    "moved": LEARNER_RESULTS_KL_KEY,
}
FIGURES = (*_RLLIBS, _DIVERGENCE, "clipped")
"""Means over the batches of an update, as a `PlanLearner` logs them; the divergence if there is a clone."""


class Judged(TorchDistribution):
    """Distributions of plans, each known only at the plan that was drawn from it.

    Args:
        logits: (B, 2): log-likelihood of the plan, entropy.
    """

    def __init__(self, logits: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.chosen, self._entropy = logits[..., 0], logits[..., 1]

    def logp(self, value: Any, **kwargs: Any) -> Tensor:
        """The log-likelihood of the plans that were drawn; ``value`` must be these."""
        return self.chosen

    def entropy(self, **kwargs: Any) -> Tensor:
        """Entropy of the draws, along the plan that was drawn."""
        return self._entropy

    def kl(self, other: Any, **kwargs: Any) -> Tensor:
        """Unbiased estimate of the divergence from ``other``, the plans being drawn from this one."""
        change: Tensor = other.chosen - self.chosen
        return change.exp() - 1.0 - change

    def to_deterministic(self) -> Judged:
        """Itself: the plan is drawn already."""
        return self

    @staticmethod
    def required_input_dim(space: Any, **kwargs: Any) -> int:
        """Numbers a plan."""
        return 2

    def _get_torch_distribution(self) -> None:
        """There is none."""


class PlanModule(TorchRLModule, ValueFunctionAPI):
    """A `PlanNetwork` that acts and learns in RLlib, on the CPU.

    Observations hold the pieces `form.READ` and `action_mask`; the action space is a `PlanSpace`. Exploring
    draws plans, inference takes each head's likeliest value. `model_config` has `width`, `depth`,
    `reward_scale` (the network's values are rewards times that) and `clone`, the path of the policy that it
    starts from and may stay near, or None.

    Attributes:
        network: the network.
        clone_weight: of the divergence from the clone in the loss; it is measured at weight 0, too.
        asked: plans drawn so far.
        illegal: those of them that their menus rule out, judged anew.
    """

    def setup(self) -> None:
        """Make the network; RLlib calls it once."""
        self.action_dist_cls = Judged
        space: Any = self.action_space
        sizes: Any = self.model_config
        self.space: PlanSpace = space
        self.needs = sampling.Needs.of(self.space)
        self.network = PlanNetwork(Form.of(self.space), sizes["width"], sizes["depth"])
        self.reward_scale = float(sizes["reward_scale"])
        self.clone_weight = 0.0
        self.asked = self.illegal = 0
        self._clone: list[PlanNetwork] = []  # in a list, so that its weights are none of the module's
        if sizes.get("clone"):
            self._clone.append(checkpoint.load(sizes["clone"]))
            self.network.load_state_dict(self._clone[0].state_dict())

    def _forward_inference(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._plan(batch, None)

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        count = len(batch[Columns.OBS]["cells"])
        # RLlib seeds torch in each of its processes
        luck = torch.rand(count, self.space.commands_per_turn, HEADS, dtype=torch.float64).numpy()
        return self._plan(batch, luck)

    def _plan(self, batch: dict[str, Any], luck: NDArray[np.float64] | None) -> dict[str, Any]:
        seen, menus, places = _seen(batch)
        plans = sampling.choose(
            self.network, features.read(seen), menus, places, self.space, self.needs, luck
        )
        self.asked += len(places)
        self.illegal += int((self.space.faults(menus, places, plans.actions) >= 0).sum())
        likely = torch.from_numpy(plans.log_likelihood)
        return {
            Columns.ACTIONS: torch.from_numpy(plans.actions),
            Columns.ACTION_LOGP: likely,
            Columns.ACTION_DIST_INPUTS: torch.stack([likely, torch.zeros_like(likely)], dim=-1),
        }

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """How likely the batch's plans are now, under the masks of their menus."""
        seen, menus, places = _seen(batch)
        read = features.read(seen)
        actions = batch[Columns.ACTIONS].long()
        counts = batch.get(Columns.LOSS_MASK)
        if counts is not None:
            # Behind its last step RLlib repeats an episode's last plan, which the menu there may rule out.
            nothing = torch.zeros_like(actions[0])
            nothing[MODE] = REPLACE
            actions = torch.where(counts[:, None], actions, nothing)
        masks = sampling.masks_of(
            self.space, menus, places, actions.numpy(), self.needs, read.listed.shape[1]
        )
        known = self.network.encode(read)
        other = None
        if self._clone:
            with torch.no_grad():
                other = self._clone[0], self._clone[0].encode(read)
        allowed = sampling.Masks(*(torch.from_numpy(mask) for mask in masks))
        found = sampling.judge(self.network, known, actions, allowed, self.needs, other)
        likely = found.chosen.sum(dim=(1, 2))
        if counts is not None:
            likely = torch.where(counts, likely, batch[Columns.ACTION_LOGP])
        judged = {
            Columns.ACTION_DIST_INPUTS: torch.stack([likely, found.entropy.sum(dim=(1, 2))], dim=-1),
            Columns.EMBEDDINGS: known.value / self.reward_scale,
        }
        return judged | ({_DIVERGENCE: found.divergence.sum(dim=(1, 2))} if self._clone else {})

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """Values of observations, in rewards.

        Args:
            batch: B observations.
            embeddings: the values, if `forward_train` has found them already. Without them there are no
                gradients: so RLlib asks for what it makes the advantages from.

        Returns:
            float (B,).
        """
        if embeddings is not None:
            return embeddings
        seen, _, places = _seen(batch)
        with torch.no_grad():
            parts = [
                self.network.encode(
                    features.read({name: piece[start : start + _AT_ONCE] for name, piece in seen.items()})
                ).value
                for start in range(0, len(places), _AT_ONCE)
            ]
        return torch.cat(parts) / self.reward_scale


class PlanLearner(PPOTorchLearner):
    """RLlib's PPO learner with a learning rate and a pull toward the clone that follow the run.

    `learner_config_dict` holds `learning_rate`, `clone_weight` and `clone_fades_until`, as the config's
    entries of these names.

    Attributes:
        share: how much of the run is done, 0..1; the trainer sets it.
    """

    share = 0.0

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Set what follows the run."""
        super().before_gradient_based_update(timesteps=timesteps)
        settings = self.config.learner_config_dict
        fade = max(0.0, 1.0 - self.share / max(settings["clone_fades_until"], 1e-9))
        for module_id in self.module.keys():  # noqa: SIM118 (a module, no dict)
            module: Any = self.module[module_id].unwrapped()
            module.clone_weight = settings["clone_weight"] * fade
            for _, optimizer in self.get_optimizers_for_module(module_id):
                self._set_optimizer_lr(optimizer, settings["learning_rate"] * (1.0 - 0.9 * self.share))

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> Tensor:
        """RLlib's PPO loss, and the divergence from the clone by its weight."""
        loss: Tensor = super().compute_loss_for_module(
            module_id=module_id, config=config, batch=batch, fwd_out=fwd_out
        )
        module: Any = self.module[module_id].unwrapped()
        everything = torch.ones(len(batch[Columns.ACTION_LOGP]), dtype=torch.bool)
        counts = batch.get(Columns.LOSS_MASK, everything)
        change = fwd_out[Columns.ACTION_DIST_INPUTS][:, 0] - batch[Columns.ACTION_LOGP]
        ratio = change.detach()[counts].exp()
        figures = {name: self.metrics.peek((module_id, key)) for name, key in _RLLIBS.items()}
        if _DIVERGENCE in fwd_out:
            divergence = fwd_out[_DIVERGENCE][counts].mean()
            figures[_DIVERGENCE] = divergence.detach()
            if module.clone_weight > 0:
                loss = loss + module.clone_weight * divergence
        figures["clipped"] = ((ratio - 1.0).abs() > config.clip_param).float().mean()
        figures["value_loss"] = figures["value_loss"] * module.reward_scale**2
        for name, figure in figures.items():  # RLlib keeps the last batch's only
            self.metrics.log_value((module_id, "means", name), figure, reduce="mean")
        return loss


def _seen(batch: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], NDArray[np.int64]]:
    """The pieces and menus of a batch as arrays, and where on them each observation's are."""
    seen = batch[Columns.OBS]
    pieces = {name: seen[name].numpy() for name in READ}
    menus = {name: array.numpy() for name, array in seen["action_mask"].items()}
    return pieces, menus, np.arange(len(pieces["cells"]))
