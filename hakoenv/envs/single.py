"""The Gymnasium environment: one nation, the others driven by controllers."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from hakoenv.controllers import Driver, is_controller, is_policy
from hakoenv.engine.board import ALL
from hakoenv.engine.season import SeasonError, check
from hakoenv.envs.options import RENDER_MODES
from hakoenv.envs.parallel import Info, NationsEnv, Observation, View
from hakoenv.obs.text_words import Japanese
from hakoenv.ruleset import Ruleset


class NationEnv(gymnasium.Env[Observation, NDArray[np.int64]]):
    """One nation of a season: `gymnasium.make("hakoenv/Duel-v0", controllers="rule_ai")`.

    The episode terminates when the nation falls or the rules end the season; `max_turns` truncates it.
    Actions that make no sense are handled as in `NationsEnv`: nothing raises. A step after the end
    repeats the last observation with reward 0.

    Args:
        scenario: `duel`, `skirmish`, `season` or `grand`.
        nation: the seat of the nation.
        controllers: who drives the others: one for all, or a mapping from `nation_1`... that leaves out this
            nation; names, policies or controllers as for `hakoenv.parallel_env`.
        **arguments: as for `hakoenv.parallel_env`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        scenario: str = "duel",
        *,
        nation: int = 0,
        controllers: Driver | Mapping[str, Driver] = "rule_ai",
        render_mode: str | None = None,
        rules: Mapping[str, object] | None = None,
        ruleset_file: str | os.PathLike[str] | None = None,
        nations: int | None = None,
        **arguments: Any,
    ) -> None:
        ruled: dict[str, Any] = {"rules": rules, "ruleset_file": ruleset_file, "nations": nations}
        seats = len(check(scenario, 0, **ruled).controllers)
        seat = _checked_seat(nation, seats)
        others = [f"nation_{n}" for n in range(seats) if n != seat]
        one_for_all = isinstance(controllers, str) or is_policy(controllers) or is_controller(controllers)
        drivers: Any = dict.fromkeys(others, controllers) if one_for_all else controllers
        self.agent = f"nation_{seat}"
        self.nations = NationsEnv(
            scenario, controllers=drivers, render_mode=render_mode, **ruled, **arguments
        )
        if self.nations.possible_agents != [self.agent]:
            free = [name for name in others if name in self.nations.possible_agents]
            who = f"nobody drives {', '.join(free)}" if free else f"{self.agent} is driven, too"
            raise SeasonError(f"controllers must drive every nation but {self.agent}: {who}")
        self.render_mode = render_mode
        self.observation_space = self.nations.observation_space(self.agent)
        self.action_space = self.nations.action_space(self.agent)
        self._last: tuple[bool, bool, Info] | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        return self.nations.ruleset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a season; see `NationsEnv.reset`."""
        if seed is None and self._np_random is not None:
            self.nations._np_random = self._np_random
        observations, infos = self.nations.reset(seed=seed, options=options)
        self._share_random()
        self._last = None
        return observations[self.agent], infos[self.agent]

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Play one turn; see `NationsEnv.step`."""
        agent = self.agent
        if self._last is not None:
            terminated, truncated, info = self._last
            return self.nations._observe([agent])[agent], 0.0, terminated, truncated, dict(info)
        observations, rewards, terminations, truncations, infos = self.nations.step({agent: action})
        if terminations[agent] or truncations[agent]:
            self._last = terminations[agent], truncations[agent], infos[agent]
        return (
            observations[agent],
            rewards[agent],
            terminations[agent],
            truncations[agent],
            infos[agent],
        )

    def post(self, text: str, to: str | int = ALL) -> str:
        """Post a message beside the action of the coming turn; see `NationsEnv.post`."""
        return self.nations.post(self.agent, text, to)

    def render(self, view: View = "all") -> None | NDArray[np.uint8] | str:  # type: ignore[override]
        """A picture of the map; see `NationsEnv.render`."""
        return self.nations.render(view)

    def text(self, budget: int | None = None, japanese: Japanese = False) -> str:
        """What the nation knows, as text."""
        return self.nations.text(self.agent, budget, japanese)

    def state_hash(self) -> str:
        """Digest of the whole world."""
        return self.nations.state_hash()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the season as it stands to one file."""
        self.nations.save(path)

    def load(self, path: str | os.PathLike[str]) -> tuple[Observation, Info]:
        """Continue a saved season that is not over for this nation; see `NationsEnv.load`.

        Raises:
            SaveError: the file is broken or of another game.
            SeasonError: the nation's part in that season is over.
        """
        observations, infos = self.nations.load(path)
        if self.agent not in observations:
            raise SeasonError(f"{os.fspath(path)}: the season is over for {self.agent}")
        self._share_random()
        self._last = None
        return observations[self.agent], infos[self.agent]

    def __repr__(self) -> str:
        seats = len(self.nations._setup.controllers)
        season = self.nations._season
        when = "before reset()" if season is None else f"turn {season.turn}"
        return f"<NationEnv {self.ruleset.scenario}: {self.agent} of {seats} nations, {when}>"

    def _share_random(self) -> None:
        self._np_random = self.nations.np_random
        self._np_random_seed = self.nations.season.seed


def _checked_seat(nation: Any, seats: int) -> int:
    try:
        seat = operator.index(nation)
    except TypeError:
        seat = -1
    if not 0 <= seat < seats or isinstance(nation, bool | np.bool_):
        raise SeasonError(f"nation={nation!r} must be a seat of 0..{seats - 1}")
    return seat
