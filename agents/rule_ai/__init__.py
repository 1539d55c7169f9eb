"""The rule AI: a compiled planner for nations that nobody else drives, and the proxy of silent ones.

It writes one turn's commands into the World's plans before the turn counts (AI-088), from what its
nation may see (AI-087): ``planner`` weighs the behaviours, ``sites`` finds the cells for them.
"""

from hakoenv.agents.rule_ai.controller import RuleAI, controller

__all__ = ["RuleAI", "controller"]
