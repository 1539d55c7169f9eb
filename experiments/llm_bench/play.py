"""The seasons of a benchmark: each contestant in the same seat of the same worlds against the same field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hakoenv.agents.llm import LLMNation

from hakoenv.controllers import Driver
from hakoenv.engine.season import Season

MODEL, PROXIED = "model", "model_with_proxy"
BESIDE = ("rule_ai", "random")
"""Who plays the same seats and seeds beside the model."""


@dataclass(frozen=True)
class Bench:
    """What is measured.

    Attributes:
        scenario: its name.
        seeds: a season each.
        seat: the contestant's nation.
        others: who drives the others: one controller for all, or one each.
        turns: where a season is stopped; None plays it to its end.
        rules: overrides of the ruleset.
    """

    scenario: str
    seeds: Sequence[int]
    seat: int = 0
    others: Sequence[str] = ("rule_ai",)
    turns: int | None = None
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass
class Played:
    """A season as it ended for its contestant.

    Attributes:
        contestant: `model`, `model_with_proxy`, `rule_ai` or `random`.
        seed: of the world.
        points: season points; those as if it ended now where it was stopped.
        rank: place, 1 first.
        turns: played.
        state_hash: of the world at its end.
        llm: what the model used; None for the others.
        prompt_id: of the model's prompts, empty for the others.
    """

    contestant: str
    seed: int
    points: float
    rank: int
    turns: int
    state_hash: str
    llm: dict[str, Any] | None = None
    prompt_id: str = ""


def play(
    bench: Bench,
    model: Callable[[str, int, bool], LLMNation],
    with_proxy: bool = False,
    watch: Callable[[str, int, int], None] = lambda contestant, seed, turn: None,
) -> list[Played]:
    """Play all seasons.

    Args:
        bench: which.
        model: makes the model's controller for a contestant, a seed, and with or without a proxy.
        with_proxy: whether the model also plays with the rule AI standing in, as a contestant of its own.
        watch: told of every turn.

    Raises:
        ValueError, ControllerError: a season can't be made.
    """
    models = (MODEL, PROXIED) if with_proxy else (MODEL,)
    found = []
    for seed in bench.seeds:
        for contestant in (*models, *BESIDE):
            driver = model(contestant, seed, contestant == PROXIED) if contestant in models else contestant
            found.append(_season(bench, contestant, seed, driver, watch))
    return found


def _season(
    bench: Bench, contestant: str, seed: int, driver: Driver, watch: Callable[[str, int, int], None]
) -> Played:
    season = Season.new(bench.scenario, seed, rules=bench.rules, agents=_seats(bench, driver))

    def after_turn(played: Season) -> bool:
        watch(contestant, seed, played.turn)
        return not played.world.nations["alive"][bench.seat]  # what follows changes nothing for it

    season.run(bench.turns, after_turn)
    result = season.result()
    found = Played(
        contestant,
        seed,
        result["points"][bench.seat],
        result["ranks"][bench.seat],
        season.turn,
        result["state_hash"],
    )
    if isinstance(driver, LLMNation):
        found.llm, found.prompt_id = driver.report().get(bench.seat), driver.prompt_id
    return found


def _seats(bench: Bench, driver: Driver) -> list[Driver]:
    """Who drives each seat."""
    from hakoenv.engine.season import check

    seats = check(bench.scenario, 0, rules=bench.rules).ruleset.nations
    others: Iterable[str] = list(bench.others) * (seats - 1) if len(bench.others) == 1 else bench.others
    agents: list[Driver] = list(others)
    if len(agents) != seats - 1 or not 0 <= bench.seat < seats:
        raise ValueError(
            f"scenario {bench.scenario} has {seats} nations: the seat must lie in 0..{seats - 1}, and "
            f"the field must name one controller for all others or {seats - 1}"
        )
    agents.insert(bench.seat, driver)
    return agents
