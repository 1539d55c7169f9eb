"""Compiling the engine ahead of time, in parallel and in sight.

The first call of a kernel on a machine compiles it, which takes minutes for the whole turn.
``compile_all`` does it in one process a core; afterwards a start loads the compiled code in a second.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import numba

from hakoenv.engine import turn
from hakoenv.engine.commands import validate
from hakoenv.engine.kernel import JIT_ENABLED
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset

Root = tuple[str, Callable[..., Any], tuple[Any, ...]]

_CONTROLLERS = ("rule_ai", "random")
_LARGEST = (  # they call nearly all others
    "hakoenv.engine.turn:turn",
    "hakoenv.agents.rule_ai.planner:plan_fill",
    "hakoenv.obs.fill:fill",
    "hakoenv.obs.menu_fill:fill",
)
_LONGEST = (
    "plans",
    "income",
    "hex_growth",
    "industry",
    "end_check",
)  # begun first, so that cores end together

_announced = False


def is_warm() -> bool:
    """Whether the compiled turn, planner and observations lie ready on disk (always true without JIT)."""
    return not JIT_ENABLED or all(map(_lies_ready, _LARGEST))


def _lies_ready(path: str) -> bool:
    """Whether a kernel is on disk as its sources are now."""
    module, name = path.split(":")
    cache = getattr(getattr(importlib.import_module(module), name), "_cache", None)
    file = getattr(cache, "_cache_file", None)
    return bool(file is not None and file._load_index())


def announce() -> None:
    """Say on stderr, once a process, that the first use compiles for minutes; nothing if it won't."""
    global _announced
    if _announced:
        return
    _announced = True
    if not is_warm() and sys.stderr is not None:
        print(
            "hakoenv: compiling the rules (first use of this installation), some minutes; "
            "`hakoenv warm` does it ahead with a progress bar",
            file=sys.stderr,
            flush=True,
        )


def roots() -> list[Root]:
    """Kernels that are called from Python or stand alone in the turn, with their argument types."""
    world, rules = numba.typeof(_sample_world()), numba.typeof(load_ruleset("duel").rules)
    whole, number = (world, rules), numba.int64
    found: list[Root] = [
        (phase.name, phase.run, (*whole, number) if phase.by_nation else whole)
        for phase in turn.PHASES
        if phase.run is not None
    ]
    found.append(("validate", validate.is_legal, (*whole, *(number,) * 6)))
    return found


def compile_all(workers: int | None = None) -> Iterator[tuple[int, int, str]]:
    """Compile everything; yields (done, total, name) as parts are finished.

    Args:
        workers: processes; default one a core.
    """
    global _announced
    if not JIT_ENABLED:
        return
    _announced = True  # whoever calls this shows what happens
    names = [name for name, _, _ in roots()]
    places = sorted(range(len(names)), key=lambda place: names[place] not in _LONGEST)
    total = len(_CONTROLLERS) + len(names) + 2  # at the end the turn itself and what is left
    done = 0
    with ProcessPoolExecutor(
        max_workers=workers or os.cpu_count() or 1, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        # Both controllers make a map, so the second comes when what makes it is compiled.
        first, second = _CONTROLLERS
        waiting = {pool.submit(_compile_controller, first): first}
        waiting |= {pool.submit(_compile_root, place): names[place] for place in places[: len(_LONGEST)]}
        waiting[pool.submit(_compile_controller, second)] = second
        waiting |= {pool.submit(_compile_root, place): names[place] for place in places[len(_LONGEST) :]}
        for finished in as_completed(waiting):
            finished.result()
            done += 1
            yield done, total, waiting[finished]
    _compile_turn()
    yield done + 1, total, "turn"
    _play_one_turn()
    yield total, total, "season"


def _compile_controller(name: str) -> None:
    """Make a map, found nations and let a controller plan; `random` needs observations and masks, too."""
    global _announced
    _announced = True
    from hakoenv.engine.season import Season

    Season.new("duel", seed=0, agents=name).fill_plans()


def _compile_root(place: int) -> None:
    _, function, types = roots()[place]
    function.compile(types)  # type: ignore[attr-defined]


def _compile_turn() -> None:
    world, rules = numba.typeof(_sample_world()), numba.typeof(load_ruleset("duel").rules)
    turn.turn.compile((world, rules))  # type: ignore[attr-defined]


def _play_one_turn() -> None:
    """Play a turn as the driver does: whatever the parts did not reach."""
    from hakoenv.engine.season import Season

    Season.new("duel", seed=0, agents="rule_ai").play_turn()


def _sample_world() -> World:
    return new_world(8, 8, 2, 0)
