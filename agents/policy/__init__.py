"""Trained policies: one network for both trainers, its checkpoints, and the controller that plays them.

``form`` is what a policy sees and says, ``features`` turns observations into numbers, ``network`` gives
logits, ``sampling`` makes legal plans of them and tells how likely plans are, ``checkpoint`` is files.
``policy:PATH`` names the controller (`hakoenv.controllers`). Needs torch: ``pip install 'hakoenv[train]'``.
"""

try:
    import torch  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError("policies need torch: pip install 'hakoenv[train]'") from error

from hakoenv.agents.policy.controller import PolicyPlayer, controller

__all__ = ["PolicyPlayer", "controller"]
