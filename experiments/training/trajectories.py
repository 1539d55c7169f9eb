"""Whole seasons as arrays: what every nation saw, did and got in every turn, one file a season.

Many worlds are played at once by controllers; each is the season that `hakoenv season` plays with the same
seed and agents. What a season's file holds follows from its seed and the folder's index alone.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from hakoenv.experiments import seeds
from hakoenv.experiments.folder_lock import FolderInUseError, FolderLock
from hakoenv.experiments.tournament.entrants import can_be_written, digest_of
from hakoenv.experiments.worlds import Worlds
from numpy.typing import NDArray

from hakoenv.controllers import EXTERNAL
from hakoenv.engine.season import Setup, check
from hakoenv.engine.world import PLAN_LENGTH
from hakoenv.envs.written import actions_of
from hakoenv.obs import pieces

READ = (
    *("own", "stocks", "clock", "market", "counts", "corps", "fleets"),
    *("cells", "nations", "units", "ships"),
)
"""The pieces that are kept unless others are asked for: what the policies of `hakoenv.agents.policy` read."""
MASK = "action_mask"
ORDER = ("command", "x", "y", "amount", "target")
_Arrays: TypeAlias = dict[str, NDArray[Any]]
_ACTION_BYTES, _ORDER_BYTES = 2, 8  # a number of each: int16, int64
INDEX = "index.json"
_KIND, _VERSION = "hakoenv trajectories", 1
_SEEN = "seen/"
_PEOPLE = next(k for k, column in enumerate(pieces.CELL) if column.name == "population")
_QUICK = 1  # level of compression: the files shrink to a tenth, and playing stays the longer part
MOST_BYTES = 2**30
"""What is kept of the seasons under way takes no more, unless a number of worlds is asked for."""
MOST_WORLDS = 32
"""More at once are not faster."""
_BROKEN = (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error)


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
        worlds: played at once; decides nothing but speed and memory. None: as many as keep to `MOST_BYTES`,
            at most `MOST_WORLDS`.
    """

    scenario: str = "duel"
    agents: tuple[str, ...] = ("rule_ai",)
    pieces: tuple[str, ...] = READ
    commands: str | tuple[str, ...] = "all"
    commands_per_turn: int = 8
    rules: Mapping[str, object] | None = None
    max_turns: int | None = None
    worlds: int | None = None


class Done(NamedTuple):
    """What an export did: seasons that are there now, those played now, decisions of living nations."""

    seasons: int
    played: int
    agent_steps: int


class _Watched(Worlds):
    """A vector environment in which controllers drive every nation, and everything is seen.

    Attributes:
        planned: plans (E, N, 50) and their lengths (E, N), as they were when the last turn began.
    """

    def __init__(self, wish: Wish, setup: Setup, worlds: int) -> None:
        super().__init__(
            wish.scenario,
            worlds,
            commands_per_turn=wish.commands_per_turn,
            commands=wish.commands,
            rules=wish.rules,
            max_turns=wish.max_turns,
        )
        self._setup, self._drivers = setup, setup.drivers
        self.planned: tuple[NDArray[Any], NDArray[Any]] = (
            self.worlds.plans,
            self.worlds.nations["plan_length"],
        )

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
        first: the season k has the training seed ``first + k``; if its map has too few sites for the nations,
            another stands in for it (`seeds.with_room`), and the season says which.
        tell: called with the number of seasons that are there.

    Raises:
        TrajectoryError: the folder holds others, is in use or can't be written, or a piece is unknown.
        ValueError: an argument is impossible (ScenarioError, SeasonError, ControllerError, RulesetError).
    """
    place = Path(folder)
    wanted = [seeds.training(first + k) for k in range(seasons)]
    _checked(wish)  # what is no agent is not read whole for its digest
    files = {agent: digest for agent in wish.agents if (digest := digest_of(agent))}  # before they are loaded
    setup = _checked(wish)
    env = _Watched(wish, setup, 1)
    index = _index(env, wish, files)
    with _held(place):
        _claim(place, index)
        return _export(place, wish, wanted, setup, env, tell)


def _export(
    place: Path,
    wish: Wish,
    wanted: Sequence[int],
    setup: Setup,
    env: _Watched,
    tell: Callable[[int], None] | None,
) -> Done:
    """Play the seasons that a folder, which is this export's, lacks."""
    seasons = len(wanted)
    missing = [seed for seed in wanted if not _is_whole(place / _name(seed), _forms(env, wish.pieces))]
    worlds = wish.worlds or worlds_for(_bytes_of_a_season(env, wish))
    played = steps = 0
    if tell is not None:
        tell(seasons - len(missing))
    for start in range(0, len(missing), worlds):
        some = missing[start : start + worlds]
        if len(some) != env.num_envs:
            env = _Watched(wish, setup, len(some))
        for seed, season in _play(env, some, wish.pieces):
            _write(place / _name(seed), _arrays_of(season))
            played += 1
            steps += int(season.alive.sum())
            if tell is not None:
                tell(seasons - len(missing) + played)
    return Done(seasons, played, steps)


def load(folder: str | os.PathLike[str], padded: bool = True) -> Iterator[Season]:
    """The seasons of a folder, in the order of their numbers.

    Args:
        folder: of `export`.
        padded: give lists of cells, units... all their places; else only those used in the season.

    Raises:
        TrajectoryError: it holds no trajectories, or a file is broken.
    """
    forms = read_index(folder)["pieces"]
    for path in sorted(Path(folder).glob("*.npz")):
        try:
            season = _read(path, forms, padded)
        except _BROKEN as error:
            raise TrajectoryError(
                f"{path}: is no whole season ({type(error).__name__}: {error}); remove it and export it again"
            ) from error
        yield season


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
        TrajectoryError: the folder holds no trajectories, or is in use, or a file is broken.
    """
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    index = read_index(folder)
    with _held(Path(folder)):
        return _write_parquet(folder, index, arrow, parquet)


def _write_parquet(folder: str | os.PathLike[str], index: dict[str, Any], arrow: Any, parquet: Any) -> Path:
    """Write it into a folder that is held."""
    flat = [name for name, form in index["pieces"].items() if len(form["shape"]) == 1 and "/" not in name]
    path = Path(folder) / "steps.parquet"
    part = path.with_name(f"{path.name}.part")
    writer: Any = None
    try:
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
    except BaseException:
        if writer is not None:
            writer.close()
        part.unlink(missing_ok=True)
        raise
    return path


def worlds_for(season_bytes: int) -> int:
    """How many seasons are played at once, if each takes so many bytes until it is over."""
    return max(1, min(MOST_WORLDS, MOST_BYTES // season_bytes))


# ------------------------------------------------------------ playing


def _checked(wish: Wish) -> Setup:
    """Rules and controllers; these are made once, so that a file that changes meanwhile changes nothing.

    Raises:
        TrajectoryError: an agent can't play in many worlds.
        ValueError: a scenario, agent or rule that can't be.
    """
    for agent in wish.agents:
        if agent == EXTERNAL:
            raise TrajectoryError("agents: nobody can give the plans of an external nation here")
        if not can_be_written(agent):
            raise TrajectoryError(f"agents: {agent!r} is no UTF-8; give the file another name")
    agents = wish.agents[0] if len(wish.agents) == 1 else wish.agents
    setup = check(wish.scenario, 0, rules=wish.rules, agents=agents)
    for name, _, driver in setup.drivers:
        if hasattr(driver, "begin"):
            raise TrajectoryError(f"agents: {name} needs a season of its own; use hakoenv season")
    return setup


def _bytes_of_a_season(env: _Watched, wish: Wish) -> int:
    """What a season takes until it is over, if it is played to its last turn and all lists are full."""
    seen = sum(math.prod(box.shape) * box.dtype.itemsize for box in _forms(env, wish.pieces).values())
    deeds = env.single_action_space.nvec.size * _ACTION_BYTES + PLAN_LENGTH * len(ORDER) * _ORDER_BYTES
    last = int(env.ruleset.rules.scalars["season_max_turns"][0])
    turns = last if wish.max_turns is None else min(last, wish.max_turns)
    return turns * env.nations * (seen + deeds)


def _play(env: _Watched, some: Sequence[int], names: tuple[str, ...]) -> Iterator[tuple[int, Season]]:
    """Play a season in every world; each is given when it is over, with the seed that it was to have."""
    seen, infos = env.reset(seed=some)
    begun = infos["seed"].tolist()
    running = np.ones(env.num_envs, np.bool_)
    idle = np.zeros((env.num_envs, env.nations, env.single_action_space.nvec.size), np.int64)
    turns: dict[int, list[_Arrays]] = {i: [] for i in range(env.num_envs)}
    while turns:
        alive, cells = infos["alive"] & running[:, np.newaxis], env.cell_index.copy()
        before = seen
        seen, rewards, _, _, infos = env.step(idle)
        views = {f"{_SEEN}{name}": array for name, array in _chosen(before, names).items()}
        deeds = {**_deeds(env, alive, cells, before), "reward": rewards, "alive": alive}
        for i, noted in turns.items():
            noted.append(
                {name: _used(array[i], alive[i]) for name, array in views.items()}
                | {name: array[i].copy() for name, array in deeds.items()}
            )
        for k, i in enumerate(infos.get("final", np.zeros(0, np.int64)).tolist()):
            if running[i]:
                running[i] = False
                yield some[i], _season(turns.pop(i), infos, k, begun[i])


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
    flat = {name: array.reshape(alive.size, *array.shape[2:]) for name, array in seen[MASK].items()}
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


def _season(turns: list[_Arrays], infos: Any, k: int, seed: int) -> Season:
    """A world's season out of what was noted of its turns; ``k``: its place among those that ended."""
    arrays = {name: _stacked([turn.pop(name) for turn in turns]) for name in list(turns[0])}
    seen = {name.removeprefix(_SEEN): arrays.pop(name) for name in list(arrays) if name.startswith(_SEEN)}
    arrays["orders"] = arrays["orders"][:, :, : max(1, int(arrays["order_count"].max()))]
    return Season(
        seed=seed,
        seen=seen,
        **arrays,
        points=infos["final_points"][k],
        ranks=infos["final_ranks"][k],
        winner=infos["final_winner"][k],
        ending=int(infos["final_ending"][k]),
    )


def _used(array: NDArray[Any], alive: NDArray[np.bool_]) -> NDArray[Any]:
    """A copy of what the living nations of a world see, (N, ...): lists up to the last place that holds any.

    A place holds something if it is not 0 for all of them; a list keeps one place at least.
    """
    if array.ndim > 2:
        living = array if alive.all() else array[alive]
        places = np.flatnonzero(living.any(axis=(0, *range(2, array.ndim))))
        array = array[:, : int(places[-1]) + 1 if len(places) else 1]
    found = array.copy()
    found[~alive] = 0
    return found


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


def _forms(env: _Watched, names: Sequence[str]) -> dict[str, Any]:
    """The box of each piece that is kept; those of the mask each by a name.

    Raises:
        TrajectoryError: a piece that there is not.
    """
    forms: dict[str, Any] = {}
    space = env.single_observation_space.spaces
    for name in names:
        if name not in space:
            raise TrajectoryError(f"pieces: {name!r} is none of {', '.join(space)}")
        if name == MASK:
            forms |= {f"{MASK}/{part}": box for part, box in space[MASK].items()}  # type: ignore[attr-defined]
        else:
            forms[name] = space[name]
    return forms


def _index(env: _Watched, wish: Wish, files: Mapping[str, str]) -> dict[str, Any]:
    """What all seasons have in common, as plain values; ``files``: digests of those that agents name.

    Raises:
        TrajectoryError: a piece that there is not.
    """
    forms = _forms(env, wish.pieces)
    verbs = [verb.name for verb in env.single_action_space.menu.verbs]
    return {
        "kind": _KIND,
        "version": _VERSION,
        "scenario": wish.scenario,
        "rules_version": env.ruleset.version,
        "overrides": dict(env.ruleset.overrides),
        "ruleset": env.ruleset.digest,
        "agents": list(wish.agents) * (env.nations if len(wish.agents) == 1 else 1),
        "files": dict(files),
        "max_turns": wish.max_turns,
        "form": {"verbs": verbs, "commands_per_turn": env.single_action_space.commands_per_turn},
        "order": list(ORDER),
        "pieces": {name: {"shape": list(box.shape), "dtype": str(box.dtype)} for name, box in forms.items()},
    }


def _held(folder: Path) -> FolderLock:
    """Hold the folder, made if need be.

    Raises:
        TrajectoryError: another process exports into it, or it can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return FolderLock(folder, "exporting")
    except FolderInUseError as error:
        raise TrajectoryError(str(error)) from None
    except OSError as error:
        raise TrajectoryError(f"{folder}: can't be written ({error.strerror})") from error


def _claim(folder: Path, index: dict[str, Any]) -> None:
    """Make the folder that of these trajectories.

    Raises:
        TrajectoryError: it holds others, or can't be written.
    """
    place = folder / INDEX
    text = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    try:
        if not place.exists():
            if any(folder.glob("*.npz")):
                raise TrajectoryError(
                    f"{folder}: holds seasons without their {INDEX}, which says of what; take another folder"
                )
            part = place.with_name(f"{INDEX}.part")
            part.write_text(text, encoding="utf-8")
            os.replace(part, place)
            return
    except OSError as error:
        raise TrajectoryError(f"{folder}: can't be written ({error.strerror})") from error
    old = read_index(folder)
    for name, value in json.loads(text).items():
        if old.get(name) != value:
            raise TrajectoryError(
                f"{folder}: holds trajectories of {_other(name, old.get(name), value)}; take another folder"
            )


def _other(name: str, was: Any, now: Any) -> str:
    """What a folder holds that differs in an entry of its index."""
    if name == "files" and isinstance(was, dict) and was.keys() == now.keys():
        changed = [agent for agent in now if was[agent] != now[agent]]
        return f"{' and '.join(changed)} as it was before its file changed"
    return f"another {name}"


def _read(path: Path, forms: Mapping[str, Any], padded: bool) -> Season:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    seen = {name.removeprefix(_SEEN): arrays.pop(name) for name in sorted(arrays) if name.startswith(_SEEN)}
    if padded:
        seen = {name: _filled_up(array, forms[name]["shape"]) for name, array in seen.items()}
    seed, ending = int(arrays.pop("seed")), int(arrays.pop("ending"))
    return Season(seed=seed, seen=seen, ending=ending, **arrays)


def _is_whole(path: Path, forms: Mapping[str, Any]) -> bool:
    """Whether a file is a season; what a full disk or a power cut has left of one is played again."""
    try:
        with zipfile.ZipFile(path) as file:
            there = set(file.namelist())
    except (OSError, ValueError, zipfile.BadZipFile):
        return False
    names = {*(f"{_SEEN}{name}" for name in forms), *Season._fields} - {"seen"}
    return {f"{name}.npy" for name in names} <= there


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
    except OSError as error:
        raise TrajectoryError(f"{path}: can't be written ({error.strerror})") from error
    finally:
        part.unlink(missing_ok=True)
