"""The ids under which Gymnasium makes the single-nation environments.

Gymnasium reads no entry points (since its release 1.0), so something must be imported first: this
package, or `hakoenv` after Gymnasium. `gymnasium.make("hakoenv.envs:hakoenv/Duel-v0")` needs neither.
"""

from __future__ import annotations

import gymnasium

IDS = {
    "hakoenv/Duel-v0": "duel",
    "hakoenv/Skirmish-v0": "skirmish",
    "hakoenv/Season-v0": "season",
    "hakoenv/Grand-v0": "grand",
}
"""Scenario by id."""


def register_all() -> None:
    """Register every id that is not registered yet; spaces and rules are loaded on `gymnasium.make` only."""
    for name, scenario in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point="hakoenv.envs.single:NationEnv", kwargs={"scenario": scenario}
            )
