"""Whole seasons as arrays: what every nation saw, did and got in every turn, one file a season.

Many worlds are played at once by controllers; each is the season that `hakoenv season` plays with the same
seed and agents. What a season's file holds follows from its seed and the folder's index alone.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hakoenv.experiments import seeds
from numpy.typing import NDArray

from hakoenv.engine.season import check
from hakoenv.envs.vec import VecEnv
from hakoenv.envs.written import actions_of
from hakoenv.obs import pieces

READ = ("own", "stocks", "clock", "market", "counts", "corps", "cells", "nations", "units")
"""The pieces that are kept unless others are asked for: what the policies of `hakoenv.agents.policy` read."""
MASK = "action_mask"
ORDER = ("command", "x", "y", "amount", "target")
INDEX = "index.json"
_KIND, _VERSION = "hakoenv trajectories", 1
_SEEN = "seen/"
_PEOPLE = next(k for k, column in enumerate(pieces.CELL) if column.name == "population")
_QUICK = 1  # level of compression: the files shrink to a tenth, and playing stays the longer part


class TrajectoryError(ValueError):
    """A folder or a wish that can't be; one sentence."""


class Season(NamedTuple):
    """A season of T turns and N nations.

    Attributes:
        seed: of its world.
        seen: pieces of the observations before each turn, (T, N, ...); parts of the mask are named
            `action_mask/verbs`. What dead nations see is 0.
        actions: int16 (T, N, L): the plans as actions of mode `replace`, as near as actions say them.
        orders: int64 (T, N, K, 5): the plans as the engine reads them, fields of `ORDER`; K: the longest.
        order_count: int16 (T, N): how many of these each plan has.
        reward: float64 (T, N): change of standing points in the turn.
        alive: bool (T, N): the nation lived when the turn began.
        points: float64 (N,): standing points at the end.
        ranks: int64 (N,).
        winner: bool (N,).
        ending: code of `hakoenv.engine.codes.ending`; 0 where a limit of turns ended it.
    """

    seed: int
    seen: dict[str, NDArray[Any]]
    actions: NDArray[np.int16]
    orders: NDArray[np.int64]
    order_count: NDArray[np.int16]
    reward: NDArray[np.float64]
    alive: NDArray[np.bool_]
    points: NDArray[np.float64]
    ranks: NDArray[np.int64]
    winner: NDArray[np.bool_]
    ending: int


class Wish(NamedTuple):
    """What is exported.

    Attributes:
        scenario: its name.
        agents: a controller for all nations, or one each.
        pieces: of the observations; `action_mask` is one, too.
        commands: verbs of the actions, as for `hakoenv.vec`.
        commands_per_turn: commands in an action.
        rules: changed constants.
        max_turns: seasons stop after this turn.
        worlds: played at once; decides nothing but speed and memory.
    """

    scenario: str = "duel"
    agents: tuple[str, ...] = ("rule_ai",)
    pieces: tuple[str, ...] = READ
    commands: str | tuple[str, ...] = "all"
    commands_per_turn: int = 8
    rules: Mapping[str, object] | None = None
    max_turns: int | None = None
    worlds: int = 32


class Done(NamedTuple):
    """What an export did: seasons that are there now, those played now, decisions of living nations."""

    seasons: int
    played: int
    agent_steps: int


class _Watched(VecEnv):
    """A vector environment in which controllers drive every nation, and everything is seen.

    Attributes:
        planned: plans (E, N, 50) and their lengths (E, N), as they were when the last turn began.
    """

    def __init__(self, wish: Wish, worlds: int) -> None:
        super().__init__(
            wish.scenario,
            worlds,
            commands_per_turn=wish.commands_per_turn,
            commands=wish.commands,
            rules=wish.rules,
            max_turns=wish.max_turns,
        )
        agents = wish.agents[0] if len(wish.agents) == 1 else wish.agents
        self._setup = check(wish.scenario, 0, rules=wish.rules, agents=agents)
        self._drivers = self._setup.drivers
        for name, _, driver in self._drivers:
            if hasattr(driver, "begin"):
                raise TrajectoryError(f"agents: {name} needs a season of its own; use hakoenv season")
        self.planned: tuple[NDArray[Any], NDArray[Any]] = (
            self.worlds.plans,
            self.worlds.nations["plan_length"],
        )
        self.agents = [str(driver) for driver in self._setup.controllers]

    def _plan(self) -> None:
        super()._plan()
        self.planned = self.worlds.plans.copy(), self.worlds.nations["plan_length"].copy()


def export(
    folder: str | os.PathLike[str],
    wish: Wish,
    seasons: int,
    first: int = 0,
    tell: Callable[[int], None] | None = None,
) -> Done:
    """Play seasons and write each into a file of the folder; those that are there already are left.

    Args:
        folder: made if need be.
        wish: what is exported.
        seasons: how many.
        first: the season k has the training seed ``first + k``.
        tell: called with the number of seasons that are there.

    Raises:
        TrajectoryError: the folder holds others, or a piece is unknown.
        ValueError: an argument is impossible (ScenarioError, SeasonError, ControllerError, RulesetError).
    """
    place = Path(folder)
    wanted = [seeds.training(first + k) for k in range(seasons)]
    env = _Watched(wish, max(1, min(wish.worlds, seasons)))
    _claim(place, _index(env, wish))
    missing = [seed for seed in wanted if not (place / _name(seed)).exists()]
    played = steps = 0
    if tell is not None:
        tell(seasons - len(missing))
    for start in range(0, len(missing), env.num_envs):
        some = missing[start : start + env.num_envs]
        if len(some) < env.num_envs:
            env = _Watched(wish, len(some))
        for season in _play(env, some, wish.pieces):
            _write(place / _name(season.seed), _arrays_of(season))
            played += 1
            steps += int(season.alive.sum())
            if tell is not None:
                tell(seasons - len(missing) + played)
    return Done(seasons, played, steps)


def load(folder: str | os.PathLike[str], padded: bool = True) -> Iterator[Season]:
    """The seasons of a folder, by seed.

    Args:
        folder: of `export`.
        padded: give lists of cells, units... all their places; else only those used in the season.

    Raises:
        TrajectoryError: it holds no trajectories.
    """
    forms = read_index(folder)["pieces"]
    for path in sorted(Path(folder).glob("*.npz")):
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        seen = {
            name.removeprefix(_SEEN): arrays.pop(name) for name in sorted(arrays) if name.startswith(_SEEN)
        }
        if padded:
            seen = {name: _filled_up(array, forms[name]["shape"]) for name, array in seen.items()}
        seed, ending = int(arrays.pop("seed")), int(arrays.pop("ending"))
        yield Season(seed=seed, seen=seen, ending=ending, **arrays)


def read_index(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What a folder's seasons have in common.

    Raises:
        TrajectoryError: there is no index, or of another version.
    """
    place = Path(folder) / INDEX
    try:
        index: Any = json.loads(place.read_bytes())
    except (OSError, ValueError) as error:
        raise TrajectoryError(f"{place}: can't be read ({error})") from error
    if not isinstance(index, dict) or (index.get("kind"), index.get("version")) != (_KIND, _VERSION):
        raise TrajectoryError(f"{place}: is no index of trajectories of version {_VERSION}")
    return index


def write_parquet(folder: str | os.PathLike[str]) -> Path:
    """Write `steps.parquet`: a row a season, turn and living nation, without lists of cells, units....

    Columns: seed, turn (the one that the plan is for), nation, agent, reward, action, orders, the pieces
    that are one row of numbers each, and of the season's end points, rank, winner and ending.

    Raises:
        ModuleNotFoundError: pyarrow is not installed (`pip install 'hakoenv[parquet]'`).
    """
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    index = read_index(folder)
    flat = [name for name, form in index["pieces"].items() if len(form["shape"]) == 1 and "/" not in name]
    path = Path(folder) / "steps.parquet"
    part = path.with_name(f"{path.name}.part")
    writer: Any = None
    for season in load(folder, padded=False):
        times, nations = np.nonzero(season.alive)
        counts = season.order_count[times, nations]
        columns = {
            "seed": np.full(len(times), season.seed),
            "turn": times + 1,
            "nation": nations,
            "agent": [index["agents"][n] for n in nations.tolist()],
            "reward": season.reward[times, nations],
            "action": list(season.actions[times, nations]),
            "orders": [
                plan[:count].tolist()
                for plan, count in zip(season.orders[times, nations], counts.tolist(), strict=True)
            ],
            **{name: list(season.seen[name][times, nations]) for name in flat},
            "points": season.points[nations],
            "rank": season.ranks[nations],
            "winner": season.winner[nations],
            "ending": np.full(len(times), season.ending),
        }
        table = arrow.table(columns)
        writer = parquet.ParquetWriter(part, table.schema) if writer is None else writer
        writer.write_table(table)
    if writer is None:
        raise TrajectoryError(f"{folder}: holds no seasons")
    writer.close()
    os.replace(part, path)
    return path


# ------------------------------------------------------------ playing


def _play(env: _Watched, some: Sequence[int], names: tuple[str, ...]) -> Iterator[Season]:
    """Play a season in every world; each is given when it is over."""
    seen, infos = env.reset(seed=some)
    running = np.ones(env.num_envs, np.bool_)
    idle = np.zeros((env.num_envs, env.nations, env.single_action_space.nvec.size), np.int64)
    turns: list[dict[str, NDArray[Any]]] = []
    while running.any():
        alive, cells = infos["alive"] & running[:, np.newaxis], env.cell_index.copy()
        before = seen
        seen, rewards, _, _, infos = env.step(idle)
        turns.append(
            {
                **{f"{_SEEN}{name}": _used(array, alive) for name, array in _chosen(before, names).items()},
                **_deeds(env, alive, cells, before),
                "reward": rewards,
                "alive": alive,
            }
        )
        for k, i in enumerate(infos.get("final", ())):
            if running[i]:
                running[i] = False
                yield _season(turns, infos, k, int(i), some[i])


def _chosen(seen: Any, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    """The pieces that are kept; the mask's arrays each by a name."""
    found: dict[str, NDArray[Any]] = {}
    for name in names:
        if name == MASK:
            found |= {f"{MASK}/{part}": array for part, array in seen[MASK].items()}
        else:
            found[name] = seen[name]
    return found


def _deeds(
    env: _Watched, alive: NDArray[np.bool_], cells: NDArray[np.int32], seen: Any
) -> dict[str, NDArray[Any]]:
    """What living nations planned in a turn, as actions and as orders."""
    plans, lengths = env.planned
    shape = alive.shape
    rows = np.flatnonzero(alive)
    flat = {name: array.reshape(-1, *array.shape[2:]) for name, array in seen[MASK].items()}
    if len(rows) < alive.size:
        flat = {name: array[rows] for name, array in flat.items()}
    actions = np.zeros((alive.size, env.single_action_space.nvec.size), np.int16)
    actions[rows] = actions_of(
        env.single_action_space.menu,
        plans.reshape(alive.size, -1)[rows],
        lengths.reshape(-1)[rows],
        rows % env.nations,
        cells.reshape(alive.size, -1)[rows],
        env.worlds.cells.shape[2],
        flat,
        env.single_action_space.commands_per_turn,
        seen["cells"][..., _PEOPLE].reshape(alive.size, -1)[rows],
    )
    counts = np.where(alive, lengths, 0).astype(np.int16)
    longest = max(1, int(counts.max()))
    orders = np.stack([plans[name][..., :longest].astype(np.int64) for name in ORDER], axis=-1)
    orders *= (np.arange(longest) < counts[..., np.newaxis])[..., np.newaxis]
    return {"actions": actions.reshape(*shape, -1), "orders": orders, "order_count": counts}


def _season(turns: list[dict[str, NDArray[Any]]], infos: Any, k: int, i: int, seed: int) -> Season:
    """A world's season out of what was noted of all worlds; ``k``: its place among those that ended."""
    arrays = {name: _stacked([turn[name][i] for turn in turns]) for name in turns[0]}
    seen = {name: arrays.pop(name) for name in list(arrays) if name.startswith(_SEEN)}
    arrays["orders"] = arrays["orders"][:, :, : max(1, int(arrays["order_count"].max()))]
    return Season(
        seed=seed,
        seen={
            name.removeprefix(_SEEN): array[:, :, : _last(array)] if array.ndim > 3 else array
            for name, array in seen.items()
        },
        **arrays,
        points=infos["final_points"][k],
        ranks=infos["final_ranks"][k],
        winner=infos["final_winner"][k],
        ending=int(infos["final_ending"][k]),
    )


def _used(array: NDArray[Any], alive: NDArray[np.bool_]) -> NDArray[Any]:
    """A copy of what living nations see, without the places of a list that are 0 for all and to its end."""
    if array.ndim > 3:
        array = array[:, :, : _last(array)]
    found = array.copy()
    found[~alive] = 0
    return found


def _last(array: NDArray[Any]) -> int:
    """How many places along the third axis hold anything but 0, at least 1."""
    places = np.flatnonzero(array.any(axis=tuple(k for k in range(array.ndim) if k != 2)))
    return int(places[-1]) + 1 if len(places) else 1


def _stacked(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Turns as one array; lists have as many places as any turn needs."""
    shape = np.max([part.shape for part in parts], axis=0)
    whole = np.zeros((len(parts), *shape), parts[0].dtype)
    for turn, part in enumerate(parts):
        whole[turn][tuple(slice(length) for length in part.shape)] = part
    return whole


def _filled_up(array: NDArray[Any], shape: Sequence[int]) -> NDArray[Any]:
    """With all the places of lists."""
    missing = [
        (0, 0),
        (0, 0),
        *((0, full - there) for full, there in zip(shape, array.shape[2:], strict=True)),
    ]
    return np.pad(array, missing) if any(after for _, after in missing) else array


# ------------------------------------------------------------ files


def _index(env: _Watched, wish: Wish) -> dict[str, Any]:
    """What all seasons have in common, as plain values.

    Raises:
        TrajectoryError: a piece that there is not.
    """
    forms: dict[str, Any] = {}
    space = env.single_observation_space.spaces
    for name in wish.pieces:
        if name not in space:
            raise TrajectoryError(f"pieces: {name!r} is none of {', '.join(space)}")
        if name == MASK:
            forms |= {f"{MASK}/{part}": box for part, box in space[MASK].items()}  # type: ignore[attr-defined]
        else:
            forms[name] = space[name]
    verbs = [verb.name for verb in env.single_action_space.menu.verbs]
    return {
        "kind": _KIND,
        "version": _VERSION,
        "scenario": wish.scenario,
        "rules_version": env.ruleset.version,
        "overrides": dict(env.ruleset.overrides),
        "agents": env.agents,
        "max_turns": wish.max_turns,
        "form": {"verbs": verbs, "commands_per_turn": env.single_action_space.commands_per_turn},
        "order": list(ORDER),
        "pieces": {name: {"shape": list(box.shape), "dtype": str(box.dtype)} for name, box in forms.items()},
    }


def _claim(folder: Path, index: dict[str, Any]) -> None:
    """Make the folder that of these trajectories.

    Raises:
        TrajectoryError: it holds others, or can't be written.
    """
    place = folder / INDEX
    text = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            part = place.with_name(f"{INDEX}.part")
            part.write_text(text, encoding="utf-8")
            os.replace(part, place)
            return
    except OSError as error:
        raise TrajectoryError(f"{folder}: can't be written ({error.strerror})") from error
    old = read_index(folder)
    for name, value in json.loads(text).items():
        if old.get(name) != value:
            raise TrajectoryError(f"{folder}: holds trajectories of another {name}; take another folder")


def _name(seed: int) -> str:
    return f"{seed:019d}.npz"


def _arrays_of(season: Season) -> dict[str, Any]:
    values = season._asdict()
    seen = values.pop("seen")
    return {**{f"{_SEEN}{name}": array for name, array in seen.items()}, **values}


def _write(path: Path, arrays: dict[str, Any]) -> None:
    """Write a file for `numpy.load`, whole or not at all; equal arrays are equal bytes."""
    part = path.with_name(f"{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=_QUICK) as file:
            for name, array in arrays.items():
                entry = zipfile.ZipInfo(f"{name}.npy")  # without the time
                entry.compress_type = zipfile.ZIP_DEFLATED
                content = io.BytesIO()
                np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
                file.writestr(entry, content.getbuffer(), compresslevel=_QUICK)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
