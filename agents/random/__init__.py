"""The random agent: in every choice, each of the legal ones with equal chance.

A baseline, and a probe of the action mask: ``mask_fidelity`` tells how much of what the mask offers is
carried out.
"""

from hakoenv.agents.random.controller import RandomAgent, controller
from hakoenv.agents.random.fidelity import mask_fidelity

__all__ = ["RandomAgent", "controller", "mask_fidelity"]
