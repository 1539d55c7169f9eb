"""The rule AI: a compiled planner for nations that nobody else drives, and the proxy of silent ones.

It writes one turn's commands into the World's plans before the turn counts (AI-088), from what its
nation may see (AI-087). ``planner`` is the list of behaviours by priority; what they do stands in
``building``, ``mining``, ``expanding``, ``settings`` and ``spending``; what they ask in ``judgement``
(food, work, money), ``economy`` (fuel, steel, stocks), ``industry`` and ``worth`` (of a hex); ``sites`` and
``frontier`` find the cells. For war and peace ``staff`` surveys units, borders and enemies once a turn;
``diplomacy``, ``defence``, ``campaign``, ``marching`` and ``missiles`` act on it. At sea ``shipyard``
builds, ``fleet`` fights, ``overseas`` takes land beyond the sea (``voyage`` is its memory, ``depots`` are for
its units) and ``landing`` carries troops to enemies; ``ferry`` finds their ways. ``aid`` sends reserves to
mates at war, ``relief`` does by ship over the ``outer_sea``, and ``land_route`` takes land toward them.
"""

from hakoenv.agents.rule_ai.controller import RuleAI, controller

__all__ = ["RuleAI", "controller"]
