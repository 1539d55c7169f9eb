"""The environment of all nations in RLlib's form: a `MultiAgentEnv` for its new API stack.

`pip install 'hakoenv[rllib]'`. `register()` names it "hakoenv", as
`AlgorithmConfig.environment("hakoenv", env_config={...})` takes it.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gymnasium import spaces

from hakoenv.engine.season import checked_seed
from hakoenv.envs.fresh import SEEDS, with_first_seed
from hakoenv.envs.options import names_of
from hakoenv.envs.parallel import Info, NationsEnv, Observation, View
from hakoenv.envs.plan_space import PlanSpace

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env
except ImportError as fault:
    raise ImportError("hakoenv.envs.rllib needs Ray's RLlib: pip install 'hakoenv[rllib]'") from fault

NAME = "hakoenv"
PIECES = ("cells", "clock", "market", "nations", "own", "stocks", "weather")
"""The pieces shown unless told otherwise, and `planes` if asked for: what decisions hang on most."""
INFOS = ("result", "seed", "turn", "warnings")
"""What infos hold unless told otherwise: RLlib keeps and sends every step's."""
_EPISODES, _ENVIRONMENTS = 2**36, 2**10  # worlds of an environment; environments of a worker
_SPREAD = 0x9E3779B97F4A7C15  # odd, so that runs with neighbouring seeds play different worlds
_OWN = ("pieces", "infos", "seed")


class HakoenvMultiAgentEnv(MultiAgentEnv):
    """All nations of one season for RLlib: `HakoenvMultiAgentEnv({"scenario": "duel", "max_turns": 40})`.

    Agents, actions, rewards and bad actions are those of `NationsEnv`: nothing raises, so RLlib's check with
    unmasked samples passes. An agent gets a last observation, reward and flag in the step in which its nation
    falls, and is never told of again. Dicts and arrays are new in each step; whoever gets them may keep them.

    Flags: a nation that falls, and every nation that the rules' end finds, is terminated. The caller's limit
    (`max_turns`) sets ``truncateds["__all__"]`` only, and leaves the agents' own flags at False: RLlib calls
    an episode terminated whose agents each have a flag of their own, and would no longer bootstrap from the
    value of the last observation. In the step that ends the episode exactly one of the two ``__all__`` is
    True, also where some fall and others are cut off.

    Observations are dicts: the chosen pieces (docs/observation.md), and `action_mask`, the nation's menu
    (docs/actions.md), whole, so that `PlanSpace.next_masks` takes a batch of them.

    Worlds: without an argument ``reset()`` goes on to the next world of this environment's own, and no two
    environments of a run share one, whichever worker and place in it they have. ``reset(seed=k)`` goes to
    the k-th. A world whose map has too few sites is passed over. All lie within the training seeds
    0..2**62 - 1; ``infos[agent]["seed"]`` tells which one is played. With neither ``seed`` nor workers the
    k-th world is that of seed k.

    Args:
        config: a mapping, or RLlib's `EnvContext`, of the arguments of `hakoenv.parallel_env` (`scenario`,
            `rules`, `controllers`, ...) and of these: `pieces`: names of the pieces shown, or `all`;
            `infos`: names of the infos kept, or `all`; `seed`: of the run, 0..2**62 - 1: other seeds, other
            worlds.

    Attributes:
        nations: the environment inside.
        agents: those of whom the last `reset` or `step` told, the fallen of that step among them.
        possible_agents, observation_spaces, action_spaces: as RLlib asks for them.

    Raises:
        ValueError: an unknown key, piece or info; a seed that is none.
        ScenarioError, SeasonError, ControllerError, RulesetError: an argument is impossible.
    """

    metadata: dict[str, Any] = dict(NationsEnv.metadata)  # RLlib writes into it

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        given = {} if config is None else dict(config)
        _check_keys(given)
        pieces, infos = given.pop("pieces", None), given.pop("infos", INFOS)
        self._first = _first_world(given.pop("seed", 0), config)
        self.nations = NationsEnv(**given)
        self.render_mode = self.nations.render_mode
        self.possible_agents: list[Any] = list(self.nations.possible_agents)
        self.agents: list[Any] = list(self.possible_agents)
        space = self.nations.observation_space(self.possible_agents[0])
        there_are = [name for name in space.spaces if name != "action_mask"]
        usual = tuple(name for name in (*PIECES, "planes") if name in there_are)
        self._pieces = usual if pieces is None else _chosen("pieces", pieces, there_are)
        self._infos = None if infos == "all" else _chosen("infos", infos, None)
        shown = spaces.Dict({name: space.spaces[name] for name in (*self._pieces, "action_mask")})
        self.observation_spaces: dict[Any, spaces.Space[Any]] = dict.fromkeys(self.possible_agents, shown)
        self.action_spaces: dict[Any, spaces.Space[Any]] = {
            agent: self.nations.action_space(agent) for agent in self.possible_agents
        }
        self._next = 0
        super().__init__()  # type: ignore[no-untyped-call]

    @property
    def plan_space(self) -> PlanSpace:
        """The actions of every agent, with the menu that they refer to."""
        return self.nations.action_space(self.possible_agents[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Any, Observation], dict[Any, Info]]:
        """Begin the season of the next world, or of the ``seed``-th of this environment's.

        Raises:
            SeedError: the seed is none.
            ScenarioError: a hundred maps in a row have too few sites for the nations.
        """
        if seed is not None:
            self._next = checked_seed(seed) % _EPISODES
        observations, infos = self._begin(options)
        self.agents = list(observations)
        return self._shown(observations), self._told(infos)

    def step(  # type: ignore[override]
        self, action_dict: Mapping[Any, Any]
    ) -> tuple[dict[Any, Observation], dict[Any, float], dict[Any, bool], dict[Any, bool], dict[Any, Info]]:
        """Play one turn; see `NationsEnv.step`."""
        observations, rewards, terminations, truncations, infos = self.nations.step(action_dict)
        self.agents = list(observations)
        over = not self.nations.agents
        cut = any(truncations.values())
        terminateds = {**terminations, "__all__": over and not cut}
        truncateds = {**dict.fromkeys(truncations, False), "__all__": cut}
        return self._shown(observations), dict(rewards), terminateds, truncateds, self._told(infos)

    def render(self, view: View = "all") -> Any:
        """A picture of the map; see `NationsEnv.render`."""
        return self.nations.render(view)

    def __repr__(self) -> str:
        return f"<HakoenvMultiAgentEnv of {self.nations!r}>"

    def _begin(self, options: dict[str, Any] | None) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Start in the next world; one whose map has too few sites is passed over."""
        return with_first_seed(self._worlds(), lambda seed: self.nations.reset(seed=seed, options=options))

    def _worlds(self) -> Iterator[int]:
        """Seeds of this environment's own worlds, from the next one on."""
        while True:
            seed = (self._first + self._next) % SEEDS
            self._next = (self._next + 1) % _EPISODES
            yield seed

    def _shown(self, observations: Mapping[str, Observation]) -> dict[str, Observation]:
        """Copies of what is shown: a kept view would keep the arrays of all nations and pieces alive."""
        return {
            agent: {
                **{name: seen[name].copy() for name in self._pieces},
                "action_mask": {name: array.copy() for name, array in seen["action_mask"].items()},
            }
            for agent, seen in observations.items()
        }

    def _told(self, infos: Mapping[str, Info]) -> dict[str, Info]:
        keys = self._infos
        return {
            agent: {key: info[key] for key in (info if keys is None else keys) if key in info}
            for agent, info in infos.items()
        }


def register(name: str = NAME) -> str:
    """Make the environment known to Ray under a name, "hakoenv"; the name."""
    register_env(name, HakoenvMultiAgentEnv)
    return name


def _first_world(seed: Any, config: Any) -> int:
    """The seed of an environment's first world: each environment of a run has a stretch of its own.

    RLlib tells the worker, but gives all environments of a worker the same context, so these are counted
    on it.
    """
    number = checked_seed(seed)
    if number >= SEEDS:
        raise ValueError(f"seed={seed!r} must be a whole number of 0..2**62-1, a seed of training")
    worker = int(getattr(config, "worker_index", 0) or 0)
    place = int(getattr(config, "vector_index", 0) or 0)
    if hasattr(config, "worker_index"):
        made = getattr(config, "hakoenv_made", 0)
        config.hakoenv_made = made + 1
        place += made
    return (number * _SPREAD + (worker * _ENVIRONMENTS + place) * _EPISODES) % SEEDS


def _check_keys(given: Mapping[str, Any]) -> None:
    known = [*_OWN, *(name for name in inspect.signature(NationsEnv).parameters)]
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f"env_config has {key!r}: {hint}use {', '.join(known)}")


def _chosen(argument: str, names: Any, possible: Sequence[str] | None) -> tuple[str, ...]:
    """Names that an argument chooses; `all` stands for all that are possible, None lets any name pass."""
    if possible is not None and isinstance(names, str) and names == "all":
        return tuple(possible)
    chosen = names_of(names)
    if chosen is None:
        raise ValueError(f"{argument}={names!r}: use a list of names, or all")
    if possible is not None and (unknown := [name for name in chosen if name not in possible]):
        raise ValueError(f"{argument} has {unknown[0]!r}: use {', '.join(possible)}, or all")
    return tuple(dict.fromkeys(chosen))
