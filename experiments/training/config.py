"""What a training run is: one YAML file, checked."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

DEFAULT = Path(__file__).with_name("duel.yaml")
OPPONENTS = ("rule_ai", "random")  # of `evaluation.against`
_MAY_BE_0 = ("seed", "steps", "every", "runners")  # other whole numbers are at least 1
_AT_MOST_1 = ("own_share", "value_first", "gamma", "trace")
_MOST = {  # by the last part of the name; what is beyond takes more memory than there is, or more threads
    "threads": 1024,
    "runners": 1024,
    "width": 4096,
    "depth": 16384,
    "worlds": 4096,
    "kept": 2**24,
    "batch": 2**20,
    "turns": 2**16,
    "seasons": 10**6,
}
_SEEDS = 2**40  # worlds of a run have training seeds from a million times its seed on


class ConfigError(ValueError):
    """A config that can't be; one sentence that names the entry and what is allowed."""


@dataclass(frozen=True)
class Game:
    """What is played."""

    scenario: str = "duel"
    commands_per_turn: int = 8
    commands: str = "all"
    rules: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Network:
    """Sizes of the network."""

    width: int = 64
    depth: int = 192


@dataclass(frozen=True)
class Clone:
    """Imitation of the rule AI."""

    minutes: float = 10.0  # stop after this time, or
    steps: int = 1000  # after so many steps of all worlds
    worlds: int = 64
    kept: int = 16384  # plans that batches are drawn from
    batch: int = 512
    batches_per_step: int = 1
    learning_rate: float = 1e-3
    # of the worlds are played by the clone itself from three quarters of the time on; none in the first
    # quarter, and ever more in between
    own_share: float = 0.5


@dataclass(frozen=True)
class Ppo:
    """Improvement by playing."""

    minutes: float = 30.0
    iterations: int = 1000
    worlds: int = 64
    turns: int = 64  # of a rollout
    batch: int = 512
    epochs: int = 2
    learning_rate: float = 3e-5
    value_rate: float = 1e-3  # learning rate of the layers that only the value has
    value_first: float = 0.05  # of the time: only the value is learnt
    clip: float = 0.2
    gamma: float = 0.999
    trace: float = 0.95  # lambda of the advantages
    value_weight: float = 0.5
    entropy_weight: float = 0.0
    clone_weight: float = 0.2  # of the divergence from the clone at the start; it fades to 0
    clone_fades_until: float = 0.7  # of the time
    gradient_norm: float = 0.5
    reward_scale: float = 0.1  # points are large numbers for a network


@dataclass(frozen=True)
class Rllib:
    """What `hakoenv train-rllib` does otherwise: RLlib is slower, so its rollouts are smaller."""

    worlds: int = 16  # of each runner
    turns: int = 64  # of a rollout
    batch: int = 256
    learning_rate: float = 1.5e-4  # of plans and value alike
    runners: int = 0  # processes that play; 0: the one that learns plays, too
    against: str = ""  # controller of all seats but the first; none: the policy sits in every seat


@dataclass(frozen=True)
class League:
    """Who sits in the other seats: shares of the seasons."""

    rule_ai: float = 0.3
    past: float = 0.5
    present: float = 0.2
    past_kept: int = 8
    past_every: int = 10  # iterations between two that are kept


@dataclass(frozen=True)
class Evaluation:
    """How good the policy is on the way."""

    every: int = 10  # iterations
    seasons: int = 32
    against: tuple[str, ...] = ("rule_ai",)


@dataclass(frozen=True)
class Config:
    """A whole run."""

    seed: int = 0
    threads: int = 2
    save_minutes: float = 3.0  # of a checkpoint's age at most; 0: one after every iteration
    game: Game = field(default_factory=Game)
    network: Network = field(default_factory=Network)
    clone: Clone = field(default_factory=Clone)
    ppo: Ppo = field(default_factory=Ppo)
    rllib: Rllib = field(default_factory=Rllib)
    league: League = field(default_factory=League)
    evaluation: Evaluation = field(default_factory=Evaluation)

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return dataclasses.asdict(self)


def load(path: str | os.PathLike[str] | None = None, changes: dict[str, Any] | None = None) -> Config:
    """A config from a YAML file; `duel.yaml` beside this module if none is given.

    Args:
        path: the file.
        changes: entries that win over it, such as ``{"ppo.minutes": 5}``.

    Raises:
        ConfigError: the file can't be read, or an entry is unknown or has a wrong value.
    """
    import yaml

    place = Path(DEFAULT if path is None else path)
    try:
        content = yaml.safe_load(place.read_text(encoding="utf-8"))  # type: ignore[no-untyped-call]
    except RecursionError:
        raise ConfigError(f"{place}: can't be read as YAML (it is nested too deeply)") from None
    except (OSError, ValueError, yaml.YAMLError) as error:  # 2001-99-99 is a ValueError
        raise ConfigError(f"{place}: can't be read as YAML ({error})") from error
    if not isinstance(content or {}, dict):
        raise ConfigError(f"{place}: must be a mapping of names to values")
    tree: dict[str, Any] = dict(content or {})
    for name, value in (changes or {}).items():
        *sections, last = name.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
            if not isinstance(branch, dict):
                raise ConfigError(f"{name}: {section} is no mapping, but {branch!r}")
        branch[last] = value
    config: Config = _made(Config, tree, "")
    shares = config.league
    if abs(shares.rule_ai + shares.past + shares.present - 1.0) > 1e-6:
        raise ConfigError("league: rule_ai, past and present must sum to 1")
    for name in config.evaluation.against:
        if name not in OPPONENTS:
            raise ConfigError(f"evaluation.against={name!r}: there are {', '.join(OPPONENTS)}")
    return config


def _made(kind: Any, tree: Any, where: str) -> Any:
    """An object of a dataclass from a mapping."""
    if not isinstance(tree, dict):
        raise ConfigError(f"{where.rstrip('.')}: must be a mapping, not {tree!r}")
    hints = get_type_hints(kind)
    values = {}
    for name, value in tree.items():
        if name not in hints:
            near = difflib.get_close_matches(str(name), hints, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise ConfigError(f"{where}{name}: {hint}there are {', '.join(hints)}")
        values[name] = _value(hints[name], value, f"{where}{name}")
    return kind(**values)


def _value(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _made(kind, value, f"{where}.")
    if kind is float:
        return number(value, where, 1 if where.rpartition(".")[2] in _AT_MOST_1 else math.inf)
    if kind == tuple[str, ...] and isinstance(value, list) and all(isinstance(x, str) for x in value):
        return tuple(value)
    if kind == dict[str, Any] and isinstance(value, dict):
        return _plain(value, where)
    if kind is str and isinstance(value, str):
        return value
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        return _whole(value, where)
    words = {int: "a whole number", str: "a word", dict[str, Any]: "a mapping"}
    raise ConfigError(f"{where}={value!r} must be {words.get(kind, 'a list of names')}")


def _whole(value: int, where: str) -> int:
    """A whole number that is neither too small nor too large."""
    last = where.rpartition(".")[2]
    least, most = 0 if last in _MAY_BE_0 else 1, _MOST.get(last, _SEEDS)
    if value < least:
        raise ConfigError(f"{where}={value!r} must be at least {least}")
    if value > most:
        raise ConfigError(f"{where}={value!r} must be at most {most}")
    return value


def _plain(value: dict[Any, Any], where: str) -> dict[Any, Any]:
    """A mapping that a file can hold: none that holds itself, or dates."""
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        raise ConfigError(f"{where}: must be a mapping of names to numbers or words") from None
    return value


def number(value: Any, where: str, most: float = math.inf) -> float:
    """A number of 0 or more; 1e-4, too, which YAML takes for a word.

    Raises:
        ConfigError: it is none, or more than ``most``.
    """
    try:
        found = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if math.isfinite(most) and not 0 <= found <= most:
        raise ConfigError(f"{where}={value!r} must be a number of 0..{most}")
    if not 0 <= found < math.inf:
        raise ConfigError(f"{where}={value!r} must be a number of 0 or more")
    return found
