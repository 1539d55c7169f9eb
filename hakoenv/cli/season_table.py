"""What ``hakoenv season`` shows: progress while it runs, a table when it is over."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich import progress as bars
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from hakoenv.engine.season import Season

_ENDINGS = {
    "lone_conquest": "conquest by one nation",
    "faction_conquest": "conquest by a faction",
    "turn_limit": "decided by score at the last turn",
    "sole_survivor": "one nation is left",
    "extinction": "no nation is left",
    "truncated": "stopped before its end; points as if it ended now",
}


class Pace:
    """Turns a second, counted from the end of the first turn, which loads the compiled code.

    Attributes:
        rate: turns a second; 0 before the second turn.
    """

    def __init__(self) -> None:
        self.rate = 0.0
        self._since: tuple[int, float] | None = None

    def note(self, turn: int) -> None:
        """Note the end of a turn."""
        now = time.perf_counter()
        self._since = self._since or (turn, now)
        first, start = self._since
        if now > start:
            self.rate = (turn - first) / (now - start)


class Progress:
    """A bar on stderr with the turn, turns a second and what the world is doing, within 80 columns.

    Silent where nobody watches.
    """

    def __init__(self, game: Season, until: int | None, quiet: bool) -> None:
        console = Console(stderr=True)
        last = int(game.rules.scalars["season_max_turns"][0])
        self._bar = bars.Progress(
            bars.BarColumn(bar_width=12),
            bars.TextColumn("turn {task.completed:.0f}/{task.total:.0f}"),
            bars.TextColumn("{task.fields[world]}"),
            bars.TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        total = last if until is None else min(last, until)
        self._task = self._bar.add_task("season", total=total, completed=game.turn, world="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, game: Season, rate: float) -> None:
        """Note the turn just played."""
        if self._bar.disable:
            return
        clock, nations = game.world.clock[0], game.world.nations
        land = int(clock["all_land"])
        taken = 100 * (land - int(clock["ownerless_land"])) // max(1, land)
        world = f"{rate:,.0f} turns/s, {int(nations['alive'].sum())} nations, {taken}% taken"
        self._bar.update(self._task, completed=game.turn, world=world)


def print_result(game: Season, result: Mapping[str, Any], written: list[str]) -> None:
    """The table of nations in order of rank, how the season ended, and where its files are."""
    console = Console(highlight=False)
    played = f"{result['scenario']}, seed {result['seed']}: turn {result['turns']}"
    table = Table(title=f"{played}, {_ENDINGS[result['ending']]}", title_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("nation", no_wrap=True)
    for heading in ("land", "people x100", "assets", "score", "points"):
        table.add_column(heading, justify="right")
    seats = [seat for seat in range(result["nations"]) if result["ranks"][seat] > 0]
    for seat in sorted(seats, key=lambda n: (result["ranks"][n], n)):
        fallen = not result["alive"][seat]
        table.add_row(
            str(result["ranks"][seat]),
            _name(game, seat) + (" *" if seat in result["winners"] else " (fallen)" if fallen else ""),
            f"{result['land'][seat]:,}",
            f"{result['population'][seat]:,}",
            f"{result['assets'][seat]:,.0f}",
            f"{result['scores'][seat]:.4f}",
            f"{result['points'][seat]:.2f}",
        )
    console.print(table)
    rate = result["turns_per_second"]
    speed = f" ({rate:,.0f} turns/s after the first)" if rate > 0 else ""
    winner = ", * = winner" if result["winners"] else ""
    console.print(f"{result['seconds']:.2f} s{speed}, state {result['state_hash']}{winner}")
    for path in written:
        console.print(path, soft_wrap=True, markup=False)


def _name(game: Season, seat: int) -> str:
    """Kanji and romaji, or romaji alone where the terminal has no kanji."""
    name = game.names[seat]
    try:
        str(name).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return name.romaji
    return str(name)
