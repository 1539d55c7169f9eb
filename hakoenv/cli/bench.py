"""``hakoenv bench``: speed and size, measured here and printed with the machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import click
from rich.console import Console
from rich.table import Table

FIRST_TURN = (
    "from hakoenv.engine.season import Season; Season.new('season', seed=0, agents='rule_ai').play_turn()"
)
_MID_SEASON = 150  # turn from which the engine is timed
_TIMED_TURNS = 60
_REPEATS = 7
_SHIPS = 10  # more than most nations build


@dataclass(frozen=True)
class Line:
    """One measured figure beside its target (DESIGN section 8)."""

    name: str
    value: float
    unit: str
    target: str


def engine_turns_per_second(seed: int = 0, ships: int = 0, merchants: bool = False) -> float:
    """Turns per second of phases 2 to 38 on ``season`` from turn 150, 20 rule AIs, plans given.

    Args:
        seed: of the season.
        ships: of each nation besides what it has built, all of them sailing.
        merchants: every port has as many as it may be home to.

    Returns:
        The median over repeats of the same 60 turns, one core.
    """
    from hakoenv.engine.turn import turn
    from hakoenv.engine.world import assign_world, copy_world

    start, rules, plans = mid_season(seed, ships, merchants)
    rates = []
    world = copy_world(start)
    for _ in range(_REPEATS):
        assign_world(world, start)
        spent = 0.0
        for orders, lengths in plans:
            world.plans[...] = orders
            world.nations["plan_length"] = lengths
            before = time.perf_counter()
            turn(world, rules)
            spent += time.perf_counter() - before
        rates.append(_TIMED_TURNS / spent)
    return statistics.median(rates)


def mid_season(
    seed: int = 0, ships: int = 0, merchants: bool = False
) -> tuple[Any, Any, list[tuple[Any, Any]]]:
    """The world of ``season`` at turn 150, its rules, and plans of 20 rule AIs for the turns to time.

    Args:
        seed: of the season.
        ships: of each nation besides what it has built, all of them sailing.
        merchants: every port has as many as it may be home to.
    """
    from hakoenv.cli import bench_navy
    from hakoenv.engine.season import Season
    from hakoenv.engine.turn import turn
    from hakoenv.engine.world import copy_world

    season = Season.new("season", seed=seed, agents="rule_ai")
    season.run(until=_MID_SEASON)
    if ships:
        bench_navy.launch(season.world, season.rules, ships)
    if merchants:
        bench_navy.fill_ports(season.world, season.rules)
    start = copy_world(season.world)
    plans = []
    for _ in range(_TIMED_TURNS):
        season.fill_plans()
        plans.append((season.world.plans.copy(), season.world.nations["plan_length"].copy()))
        turn(season.world, season.rules)
    return start, season.rules, plans


def phases(seed: int = 0) -> list[Line]:
    """What each phase of a turn costs, of the same turns (`engine_turns_per_second`)."""
    from hakoenv.cli import bench_phases

    found = bench_phases.microseconds(*mid_season(seed), _REPEATS)
    return [Line(f"{phase.label} {phase.name}", round(spent, 1), "us", "") for phase, spent in found]


def season_seconds(seed: int = 0) -> float:
    """Seconds of a whole 360-turn ``season`` of 20 rule AIs, map and founding included."""
    from hakoenv.engine.season import Season

    before = time.perf_counter()
    Season.new("season", seed=seed, agents="rule_ai").run()
    return time.perf_counter() - before


def world_size(scenario: str) -> int:
    """Bytes of one world of a scenario."""
    from hakoenv.engine.season import Season
    from hakoenv.engine.world import world_bytes

    return world_bytes(Season.new(scenario, seed=0, agents="idle").world)


def first_turn_seconds(cold: bool) -> float:
    """Seconds from starting Python to the first finished turn of a ``season``, in a process of its own.

    Args:
        cold: start from an empty cache of compiled code.
    """
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as empty:
        if cold:
            environment["HAKOENV_CACHE_DIR"] = empty
        before = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST_TURN], check=True, env=environment)
        return time.perf_counter() - before


def measure(cold: bool, progress: Callable[[str], None]) -> list[Line]:
    """Measure every line that exists so far."""
    from hakoenv.cli import bench_navy

    lines: list[Line] = []

    def add(name: str, unit: str, target: str, call: Callable[[], float]) -> None:
        progress(name)
        lines.append(Line(name, round(call(), 3), unit, target))

    add("engine, season, turn 150, plans given", "turns/s", ">= 3000", engine_turns_per_second)
    fleets = partial(engine_turns_per_second, ships=_SHIPS)
    add(f"engine, the same with {_SHIPS} more ships a nation, sailing", "turns/s", ">= 1000", fleets)
    traders = partial(engine_turns_per_second, merchants=True)
    add("engine, the same with all merchants that ports may have", "turns/s", ">= 1000", traders)
    for far, where in ((False, "within 10 cells"), (True, "anywhere")):
        add(f"way of a warship, 90 x 90, {where}", "us", "", partial(bench_navy.way_microseconds, far))
    add("whole season, 20 rule AIs", "s", "<= 1.5", season_seconds)
    _measure_environments(add)
    add("one world, season", "bytes", "<= 2097152", lambda: world_size("season"))
    add("one world, duel", "bytes", "<= 262144", lambda: world_size("duel"))
    add("start to first turn, warm cache", "s", "<= 3", lambda: first_turn_seconds(False))
    if cold:
        add("start to first turn, clean cache", "s", "<= 90", lambda: first_turn_seconds(True))
    return lines


def _measure_environments(add: Callable[[str, str, str, Callable[[], float]], None]) -> None:
    from hakoenv.cli import bench_envs

    for view, target in (("cells", "<= 0.7"), ("planes", "<= 1")):
        for kept, how in ((False, "dropped"), (True, "kept")):
            add(
                f"observations and masks of 20 nations, {view}, arrays {how}",
                "ms/turn",
                "" if kept else target,
                partial(bench_envs.observe_ms, view, kept),
            )
    add("sample_legal for 20 nations", "ms", "<= 0.2", bench_envs.sample_legal_ms)
    for scenario, target in (("season", ">= 10000"), ("duel", "")):
        rate = partial(bench_envs.agent_steps_per_second, scenario)
        add(f"PettingZoo, {scenario}, sampled legal actions", "agent-steps/s", target, rate)
    for opponents in (None, "rule_ai"):
        name = "64 duels" + (" against rule AIs" if opponents else "")
        target = "" if opponents else ">= 50000"
        vec, loop = bench_envs.vec_steps_per_second, bench_envs.loop_steps_per_second
        add(f"{name}, hakoenv.vec", "agent-steps/s", target, partial(vec, opponents))
        add(f"{name}, one environment after the other", "agent-steps/s", "", partial(loop, opponents))
    for place in (1, 2, 4, 8):
        share = partial(_share_at, place)
        add(f"mask fidelity, season, random agents, command {place}", "share", "", share)


def _share_at(place: int) -> float:
    from hakoenv.cli.bench_envs import fidelity

    return fidelity()[place - 1]


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    import numba
    import numpy

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "system": platform.platform(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quick", is_flag=True, help="Leave out the start from a clean cache (some minutes).")
@click.option("--phases", "by_phase", is_flag=True, help="Instead: what each phase of a turn costs.")
def bench(as_json: bool, quick: bool, by_phase: bool) -> None:
    """Measure speed and size on this machine; nothing fails on a time."""
    from hakoenv.cli.warm import ensure

    ensure()
    console = Console(stderr=True)
    with console.status("measuring") as status:
        if by_phase:
            lines = phases()
        else:
            lines = measure(not quick, lambda name: status.update(f"measuring: {name}"))
    if as_json:
        click.echo(json.dumps({"machine": machine(), "lines": [asdict(line) for line in lines]}, indent=2))
        return
    table = Table(title="hakoenv bench")
    for column in ("what", "measured", "unit", "target"):
        table.add_column(column, justify="right" if column == "measured" else "left")
    for line in lines:
        table.add_row(line.name, f"{line.value:,.3f}".rstrip("0").rstrip("."), line.unit, line.target)
    Console().print(table)
    Console().print(", ".join(f"{key} {value}" for key, value in machine().items()))
