"""Whether what is learnt still holds numbers: training that has diverged stops, and tells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hakoenv.agents.policy import checkpoint
from hakoenv.agents.policy.network import PlanNetwork

_LOSSES = ("loss", "policy_loss", "value_loss", "entropy")


class DivergedError(ValueError):
    """Losses or weights are NaN or infinite; one sentence."""


def check(figures: Mapping[str, Any], network: PlanNetwork, when: str, advice: str) -> None:
    """See that a step of learning has left numbers.

    Args:
        figures: what the step told; its losses are looked at.
        network: as it is after the step.
        when: the step, in words.
        advice: what to change.

    Raises:
        DivergedError: it has not.
    """
    for name in _LOSSES:
        if name in figures and not math.isfinite(figures[name]):
            raise DivergedError(f"training has diverged in {when}: {name} is {figures[name]}; {advice}")
    if not checkpoint.is_finite(network.state_dict()):
        raise DivergedError(f"training has diverged in {when}: weights are NaN or infinite; {advice}")
