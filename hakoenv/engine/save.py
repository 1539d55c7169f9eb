"""One world in one file: written whole or not at all, refused if anything is wrong (SAVE-001, SAVE-002).

A file is a line with magic word and format, one line of JSON, the World's bytes, the statistics and the
message board compressed by zlib, and a checksum of everything before it. Nothing in it is executed; no
size in it is believed: the shapes of the arrays follow from scenario and overrides.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import soundness
from hakoenv.engine.board import Board
from hakoenv.engine.kernel import as_kernel_array
from hakoenv.engine.statistics import SERIES, Statistics
from hakoenv.engine.world import World, new_world, state_hash
from hakoenv.ruleset import RULES_VERSION, Rules, Ruleset, RulesetError, load_ruleset

MAGIC = b"HAKOENV-SAVE "
FORMAT = 3
MAX_NATIONS = 40
_CHECKSUM = 32
_HEADER_LIMIT = 1 << 20
_RECORD_LIMIT = 2000  # statistics records in one file, or four seasons' worth
_BOARD_LIMIT = 1 << 26  # bytes of a board; of a longer one the oldest posts are left out
_LEVEL = 1  # zlib: speed before size


class SaveError(Exception):
    """A save can't be written or read; the message is one sentence that names the file and what is wrong."""


@dataclass
class Snapshot:
    """Everything a season continues from."""

    ruleset: Ruleset
    world: World
    statistics: Statistics
    controllers: list[str]
    event_totals: dict[str, int] = field(default_factory=dict)
    saves: int = 0  # how many saves this season has made, this one included: tells newer from older
    board: Board = field(default_factory=Board)


def write_save(path: str | os.PathLike[str], snapshot: Snapshot, overwrite: bool = False) -> None:
    """Write ``snapshot`` to ``path``: beside it first, then renamed over it.

    Args:
        path: the file; its folder must exist.
        snapshot: what to save.
        overwrite: replace even a file that is no save.

    Raises:
        SaveError: the folder can't be written, or ``path`` is a file that is no save.
    """
    try:
        target = Path(path).resolve()
        is_folder, is_there = target.is_dir(), target.exists()
    except (OSError, ValueError, RuntimeError) as error:  # too long, a NUL in it, a ring of links
        raise SaveError(f"{path}: can't be written ({_reason(error)})") from error
    if is_folder:
        raise SaveError(f"{path}: is a folder, not a file")
    if not overwrite and is_there and not is_save(target):
        raise SaveError(f"{path}: is there already and is no hakoenv save, so it isn't overwritten")
    atomic_write(target, encode(snapshot))


def read_save(path: str | os.PathLike[str]) -> Snapshot:
    """Read a save; what comes back is whole and sound, or nothing.

    Raises:
        SaveError: the file can't be read, is no save, is cut off or damaged, or was written by another
            format, other rules, or another layout of the World.
    """
    try:
        with _open(Path(path)) as file:
            data = file.read(len(MAGIC))
            if data == MAGIC:  # nothing else is read whole, however long it is
                data += file.read()
    except (OSError, ValueError) as error:
        raise SaveError(f"{path}: can't be read ({_reason(error)})") from error
    try:
        return decode(data)
    except _FaultError as fault:
        raise SaveError(f"{path}: {fault}") from fault


def encode(snapshot: Snapshot) -> bytes:
    """The bytes of a save."""
    world, ruleset = snapshot.world, snapshot.ruleset
    turns, values, alive = (array[-_records_allowed(ruleset) :] for array in snapshot.statistics.to_arrays())
    raw = b"".join(np.ascontiguousarray(array).tobytes() for array in world)
    rows = turns.tobytes() + values.tobytes() + alive.tobytes()
    said = _board_bytes(snapshot.board)
    packed, packed_rows, packed_board = (zlib.compress(part, _LEVEL) for part in (raw, rows, said))
    header = {
        "rules_version": ruleset.version,
        "scenario": ruleset.scenario,
        "overrides": ruleset.overrides,
        "ruleset": ruleset.digest,
        "nations": len(world.nations),
        "turn": int(world.clock["turn"][0]),
        "seed": int(world.clock["seed"][0]),
        "saves": snapshot.saves,
        "controllers": snapshot.controllers,
        "events": snapshot.event_totals,
        "layout": _layout(world),
        "state_hash": state_hash(world),
        "world_bytes": len(packed),
        "records": len(turns),
        "history_turns": snapshot.statistics.history_turns,
        "statistics_bytes": len(packed_rows),
        "board": len(said),
        "board_bytes": len(packed_board),
    }
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    body = b"%b%d\n%b\n%b%b%b" % (MAGIC, FORMAT, text, packed, packed_rows, packed_board)
    return body + _checksum(body)


def decode(data: bytes) -> Snapshot:
    """The snapshot in the bytes of a save.

    Raises:
        _FaultError: what is wrong, as the end of a sentence.
    """
    header, start = _read_header(data)
    parts = [_number(header, name) for name in ("world_bytes", "statistics_bytes", "board_bytes")]
    whole = start + sum(parts) + _CHECKSUM
    if len(data) < whole:
        raise _FaultError(f"is cut off: {len(data)} of {whole} bytes are there")
    if len(data) > whole or data[-_CHECKSUM:] != _checksum(data[:-_CHECKSUM]):
        raise _FaultError("is damaged: its checksum does not match")
    if header.get("rules_version") != RULES_VERSION:
        raise _FaultError(f"was played by rules {header.get('rules_version')}; these are {RULES_VERSION}")
    ruleset = _ruleset(header)
    rows = start + parts[0]
    said = rows + parts[1]
    world = _unpack_world(header, ruleset, data[start:rows])
    seats = len(world.nations)
    return Snapshot(
        ruleset,
        world,
        _unpack_statistics(header, ruleset, seats, data[rows:said]),
        _controllers(header, seats),
        _event_totals(header),
        _number(header, "saves"),
        _unpack_board(header, ruleset, seats, data[said : said + parts[2]]),
    )


def peek(path: Path) -> dict[str, Any] | None:
    """The header of a save without its contents, or None if it has none; says nothing about the rest."""
    try:
        with _open(path) as file:
            return _read_header(file.read(_HEADER_LIMIT + 64))[0]
    except (OSError, _FaultError):
        return None


def is_save(path: Path) -> bool:
    """Whether a file begins like a save (or is empty)."""
    try:
        with _open(path) as file:
            return file.read(len(MAGIC)) in (MAGIC, b"")
    except OSError:
        return False


def kernel_rules(ruleset: Ruleset) -> Rules:
    """A ruleset's tables in the form that kernels take, compiled or not."""
    return Rules(*(as_kernel_array(table) for table in ruleset.rules))


def atomic_write(target: Path, data: bytes) -> None:
    """Put ``data`` at ``target``: whoever looks, even after a crash, finds the old file or the new one.

    Raises:
        SaveError: the system refuses.
    """
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        _remove_leftovers(target)
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
        sync_folder(target.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise SaveError(f"{target}: can't be written ({_reason(error)})") from error


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` outlast a power failure, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems can't
        pass
    finally:
        os.close(handle)


class _FaultError(Exception):
    """What is wrong with the bytes of a save."""


def _open(path: Path) -> BinaryIO:
    """Open a file for reading, but no pipe or device, which might never end."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "Is a folder" if path.is_dir() else "Is no ordinary file")
    return path.open("rb")


def _remove_leftovers(target: Path) -> None:
    """Delete what writers of this file left behind when they were killed."""
    for leftover in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            leftover.unlink()


def _read_header(data: bytes) -> tuple[dict[str, Any], int]:
    """Header and where the contents start."""
    if not data:
        raise _FaultError("is empty")
    if not data.startswith(MAGIC):
        raise _FaultError("is cut off" if MAGIC.startswith(data) else "is not a hakoenv save")
    line_end = data.find(b"\n", 0, len(MAGIC) + 12)
    number = data[len(MAGIC) : line_end] if line_end >= 0 else b""
    if not number.isdigit():
        short = len(data) < len(MAGIC) + 12
        raise _FaultError("is cut off" if short else "is damaged: its first line is no format number")
    if int(number) != FORMAT:
        raise _FaultError(f"has format {int(number)}, and this hakoenv reads format {FORMAT}")
    header_end = data.find(b"\n", line_end + 1, line_end + 1 + _HEADER_LIMIT)
    if header_end < 0:
        raise _FaultError("is cut off or damaged: its header has no end")
    try:
        header = json.loads(data[line_end + 1 : header_end])
    except (ValueError, RecursionError):
        raise _FaultError("is damaged: its header is no JSON") from None
    if not isinstance(header, dict):
        raise _FaultError("is damaged: its header is no JSON object")
    return header, header_end + 1


def _ruleset(header: dict[str, Any]) -> Ruleset:
    scenario, overrides = header.get("scenario"), header.get("overrides")
    if not isinstance(scenario, str) or not isinstance(overrides, dict):
        raise _FaultError("is damaged: its header names no scenario and overrides")
    try:
        ruleset = load_ruleset(scenario, overrides)
    except (RulesetError, RecursionError, OverflowError) as error:
        raise _FaultError(f"has rules that can't be loaded ({error})") from error
    if header.get("ruleset") != ruleset.digest:
        raise _FaultError(f"was played by other numbers of rules {RULES_VERSION} than these")
    return ruleset


def _unpack_world(header: dict[str, Any], ruleset: Ruleset, packed: bytes) -> World:
    nations = _number(header, "nations")
    if not 1 <= nations <= MAX_NATIONS:
        raise _FaultError(f"is damaged: {nations} nations, allowed 1..{MAX_NATIONS}")
    rules = kernel_rules(ruleset)
    world = new_world(int(rules.scalars["map_width"][0]), int(rules.scalars["map_height"][0]), nations, 0)
    if header.get("layout") != _layout(world):
        raise _FaultError("holds a world of another layout (written by another version of hakoenv)")
    raw = _unpack(packed, sum(array.nbytes for array in world), "world")
    place = 0
    for array in world:
        part = np.frombuffer(raw, np.uint8, array.nbytes, place)
        array.view(np.ndarray).reshape(-1).view(np.uint8)[:] = part
        place += array.nbytes
    clock = world.clock[0]
    if (header.get("turn"), header.get("seed")) != (int(clock["turn"]), int(clock["seed"])):
        raise _FaultError("is damaged: its header has another turn or seed than its world")
    if header.get("state_hash") != state_hash(world):
        raise _FaultError("is damaged: its world is not the one it was")
    if wrong := soundness.faults(world, rules):
        raise _FaultError(f"holds an impossible world: {wrong[0]}")
    return world


def _unpack_statistics(header: dict[str, Any], ruleset: Ruleset, nations: int, packed: bytes) -> Statistics:
    records, history = _number(header, "records"), header.get("history_turns")
    if records > _records_allowed(ruleset) or not (history is None or type(history) is int and history >= 0):
        raise _FaultError("is damaged: its statistics are too long")
    shapes = ((records,), (records, nations, len(SERIES)), (records, nations))
    sizes = [8 * records, 8 * records * nations * len(SERIES), records * nations]
    raw = _unpack(packed, sum(sizes), "statistics")
    arrays: list[NDArray[Any]] = []
    place = 0
    for shape, size, kind in zip(shapes, sizes, (np.int64, np.int64, np.bool_), strict=True):
        arrays.append(np.frombuffer(raw, np.uint8, size, place).copy().view(kind).reshape(shape))
        place += size
    statistics = Statistics.of_rules(ruleset.rules, nations)
    statistics.history_turns = history
    statistics.take_arrays(*arrays)
    return statistics


def _board_bytes(board: Board) -> bytes:
    data = board.as_data()
    while True:
        found = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        if len(found) <= _BOARD_LIMIT:
            return found
        del data["posts"][: len(data["posts"]) // 8 + 1]


def _unpack_board(header: dict[str, Any], ruleset: Ruleset, nations: int, packed: bytes) -> Board:
    size = _number(header, "board")
    if size > _BOARD_LIMIT:
        raise _FaultError("is damaged: its board is too long")
    longest = int(ruleset.rules.scalars["message_length"][0])
    try:
        return Board.of_data(json.loads(_unpack(packed, size, "board")), nations, longest)
    except (ValueError, RecursionError):
        raise _FaultError("is damaged: its board holds what can't be posted") from None


def _unpack(packed: bytes, size: int, what: str) -> bytes:
    """Decompress exactly ``size`` bytes and never more."""
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(packed, size + 1)
    except zlib.error:
        raise _FaultError(f"is damaged: its {what} can't be decompressed") from None
    if len(raw) != size or not stream.eof or stream.unused_data:
        raise _FaultError(f"is damaged: its {what} has another size than its rules say")
    return raw


def _controllers(header: dict[str, Any], nations: int) -> list[str]:
    names = header.get("controllers")
    found = names if isinstance(names, list) else []
    if len(found) != nations or not all(isinstance(name, str) for name in found):
        raise _FaultError("is damaged: its header does not name who drives its nations")
    return found


def _event_totals(header: dict[str, Any]) -> dict[str, int]:
    totals = header.get("events")
    if not isinstance(totals, dict) or not all(type(count) is int for count in totals.values()):
        raise _FaultError("is damaged: its header holds no counts of events")
    return totals


def _number(header: dict[str, Any], key: str) -> int:
    value = header.get(key)
    if type(value) is not int or value < 0:
        raise _FaultError(f"is damaged: its header has no {key}")
    return value


def _records_allowed(ruleset: Ruleset) -> int:
    return max(_RECORD_LIMIT, 4 * int(ruleset.rules.scalars["season_max_turns"][0]))


def _layout(world: World) -> list[Any]:
    """Names, shapes and types of the World's arrays, as JSON gives them back."""
    arrays = zip(World._fields, world, strict=True)
    return [[name, list(array.shape), _fields(array.dtype)] for name, array in arrays]


def _fields(dtype: np.dtype[Any]) -> str:
    return " ".join(_columns(dtype)) or dtype.str


def _columns(dtype: np.dtype[Any]) -> Iterator[str]:
    for name in dtype.names or ():
        column, offset = dtype.fields[name][:2]  # type: ignore[index]
        count = "x".join(str(n) for n in column.shape)
        yield f"{name}:{column.base.str}{count and f'[{count}]'}@{offset}"


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKSUM).digest()


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
