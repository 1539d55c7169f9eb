"""Statistics of the season: five series a nation, one record a turn (SEASON-015 .. SEASON-024).

They stand beside the World and never feed back into it (SAVE-008): deleting them changes no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

SERIES = ("population_plus_strength", "population", "strength", "area", "power_score")
GAP = -1  # what `Curves.values` holds where nothing was recorded


class Record(NamedTuple):
    """One recorded turn."""

    turn: int
    values: NDArray[np.int64]  # (N, 5) in the order of SERIES; 0 for the dead
    alive: NDArray[np.bool_]  # (N,): death is a flag of its own (SEASON-024)


class Curves(NamedTuple):
    """The history as consecutive turns, gaps included."""

    turns: NDArray[np.int64]  # (T,) without holes
    present: NDArray[np.bool_]  # (T,): False = no record of that turn (SEASON-019)
    values: NDArray[np.int64]  # (T, N, 5); GAP where not present
    alive: NDArray[np.bool_]  # (T, N); False where not present


class Statistics:
    """The records of a season's latest turns.

    Args:
        nations: seats.
        history_turns: how many turns are kept (SEASON-018); None keeps all.
        exclusion_start: the turn up to which nobody is dropped from graphs (SEASON-020).
        exclusion_window: turns a nation must have been dead in to be dropped (SEASON-022).
    """

    def __init__(
        self,
        nations: int,
        history_turns: int | None = 120,
        exclusion_start: int = 35,
        exclusion_window: int = 35,
    ) -> None:
        self.nations = nations
        self.history_turns = history_turns
        self.exclusion_start = exclusion_start
        self.exclusion_window = exclusion_window
        self._log: list[Record] = []

    @classmethod
    def of_rules(cls, rules: Rules, nations: int, keep_all: bool = False) -> Statistics:
        """Empty statistics with the window sizes of a ruleset."""
        s = rules.scalars
        return cls(
            nations,
            None if keep_all else int(s["stats_history_turns"][0]),
            int(s["stats_exclusion_start_turn"][0]),
            int(s["stats_exclusion_window"][0]),
        )

    @property
    def log(self) -> Sequence[Record]:
        """Every kept record in order of recording, twice for a turn that was replayed (SAVE-007)."""
        return tuple(self._log)

    @property
    def latest_turn(self) -> int:
        """The highest turn recorded; 0 if none was."""
        return max((record.turn for record in self._log), default=0)

    def row(self, turn: int) -> Record | None:
        """The record of a turn that graphs show: the newest of that number (SAVE-007); None is a gap."""
        return next((record for record in reversed(self._log) if record.turn == turn), None)

    def record(self, world: World) -> None:
        """Append one record of the world's turn, from the figures of phase 36 (TURN-041, TURN-046)."""
        alive = world.nations["alive"].astype(bool)
        self._append(Record(int(world.clock["turn"][0]), figures(world), alive))

    def forget(self) -> None:
        """Delete all records (nothing in the game changes: SAVE-008)."""
        self._log.clear()

    def curves(self) -> Curves:
        """The kept history, one entry a turn from the first record to the last."""
        rows = {record.turn: record for record in self._log}  # later ones replace earlier: SAVE-007
        turns = np.arange(min(rows), max(rows) + 1) if rows else np.zeros(0, np.int64)
        present = np.array([int(turn) in rows for turn in turns], bool)
        values = np.full((len(turns), self.nations, len(SERIES)), GAP, np.int64)
        alive = np.zeros((len(turns), self.nations), bool)
        for place in np.flatnonzero(present):
            values[place] = rows[int(turns[place])].values
            alive[place] = rows[int(turns[place])].alive
        return Curves(turns, present, values, alive)

    def dropped(self, turn: int | None = None) -> NDArray[np.bool_]:
        """Which nations a graph at ``turn`` (default the latest) leaves out, shape (N,).

        A nation is dropped when it is dead in every record of the window: from the start turn on at
        first (SEASON-021), then the latest turns (SEASON-022). Nobody is before (SEASON-020), nor
        with a record missing from the window (SEASON-023).
        """
        turn = self.latest_turn if turn is None else turn
        nobody = np.zeros(self.nations, bool)
        if turn <= self.exclusion_start:
            return nobody
        window = range(max(self.exclusion_start, turn - self.exclusion_window + 1), turn + 1)
        rows = {record.turn: record for record in self._log}
        if not window or any(number not in rows for number in window):
            return nobody
        alive: NDArray[np.bool_] = np.any([rows[number].alive for number in window], axis=0)
        return ~alive

    def to_arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """The log as arrays for a save: turns (R,), values (R, N, 5), alive (R, N)."""
        count = len(self._log)
        turns = np.array([record.turn for record in self._log], np.int64)
        values = np.zeros((count, self.nations, len(SERIES)), np.int64)
        alive = np.zeros((count, self.nations), bool)
        for place, record in enumerate(self._log):
            values[place] = record.values
            alive[place] = record.alive
        return turns, values, alive

    def take_arrays(self, turns: NDArray[Any], values: NDArray[Any], alive: NDArray[Any]) -> None:
        """Replace the log with what `to_arrays` gave."""
        self._log = [Record(int(turn), values[place], alive[place]) for place, turn in enumerate(turns)]

    def _append(self, record: Record) -> None:
        self._log.append(record)
        if self.history_turns is not None:
            oldest = self.latest_turn - self.history_turns  # dropped with all before it: SEASON-018
            if self._log[0].turn <= oldest:
                self._log = [kept for kept in self._log if kept.turn > oldest]


def figures(world: World) -> NDArray[np.int64]:
    """The five series of each nation now; strength counts no wounded (SEASON-016)."""
    nations = world.nations
    values = np.zeros((len(nations), len(SERIES)), np.int64)
    people = nations["population"]
    strength = nations["reserves"].astype(np.int64) + nations["deployed"]
    series = (people + strength, people, strength, nations["area"], nations["power_score"])
    for column, figures in enumerate(series):
        values[:, column] = figures
    values[nations["alive"] == 0] = 0
    return values
