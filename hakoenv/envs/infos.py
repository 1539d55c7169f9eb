"""What stands beside an observation: public figures, what became of the commands, the result at the end.

Everything here is what the nation may know, except `reward_terms`, which belong to the reward, and `seed`,
which names the run: neither is for a policy's eyes or a prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from hakoenv.engine import scoring, statistics
from hakoenv.engine.codes import author, ending, reason
from hakoenv.engine.commands import table
from hakoenv.engine.stock import THOUSANDTHS
from hakoenv.engine.world import World
from hakoenv.obs import events
from hakoenv.ruleset.compiled import Rules

_RESULT = ("command", "x", "y", "amount", "target", "reason")
_NOWHERE = (0, 0)
FELL = "fell"  # `result["ending"]` of a nation whose end is not the season's


class Facts:
    """What one turn's infos are made from, read once for all nations.

    The public series are arrays over the nations, read-only because all agents share them; `alive` and
    `rank` (by population, 1 first, ties to the lower number, 0 dead: TURN-033) are series, too.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        nations = world.nations
        values = statistics.figures(world)
        self.series = {name: values[:, k].copy() for k, name in enumerate(statistics.SERIES)}
        self.series["alive"] = nations["alive"].astype(np.int8)
        self.series["rank"] = nations["rank"].astype(np.int64)
        for array in self.series.values():
            array.flags.writeable = False
        self._turn, self._seed = int(world.clock["turn"][0]), int(world.clock["seed"][0])
        self._ranks = self.series["rank"].tolist()
        self._authors = nations["author"].tolist()
        self._counts = nations["result_count"].tolist()
        most = max(self._counts)
        self._results = [world.results[name][:, :most].tolist() for name in _RESULT]
        self._names = table.command_names()
        self._balances = _balances(world, rules)
        self._events, self._width = events.seen(world, rules), world.cells.shape[1]

    def of(self, nation: int) -> dict[str, Any]:
        """One agent's info: what is public, who wrote its plan, and what became of its commands.

        `finance` is the private sector's account at the clearing house in funds: `deposit`, `queued`
        (withdrawals asked for and not paid yet), `loans` (`principal`, `interest` and `due`, the turn), and
        `no_loan_until`, the last turn of a ban, 0 none (FIN-034). `events` is what happened in the last turn
        as far as the nation knows (`hakoenv.obs.events`): `kind`, `nation` and `other` (-1 nobody), `x`, `y`
        (-1 nowhere or unknown) and `amount`, what the kind says (`hakoenv.engine.codes.event`). `played`
        tells whether this step has played a turn, `warnings` what was wrong with the action.
        """
        return {
            "turn": self._turn,
            "seed": self._seed,
            "series": dict(self.series),
            "rank": self._ranks[nation],
            "author": author.NAMES[self._authors[nation]],
            "commands": self.commands(nation),
            "finance": self._balances[nation],
            "events": [events.as_info(happening, self._width) for happening in self._events[nation]],
            "played": False,
            "warnings": [],
        }

    def commands(self, nation: int) -> list[dict[str, Any]]:
        """What became of the commands that the plan handled in the last turn, in order.

        Each has the command's name and numbers, the verb that they say (`economic_facility:port`), the
        reason's code and name, and its sentence.
        """
        lone, plain = _told_apart()
        columns = (column[nation][: self._counts[nation]] for column in self._results)
        return [
            {
                "command": self._names.get(command, f"command {command}"),
                "x": x,
                "y": y,
                "amount": amount,
                "target": target,
                "verb": lone.get(command) or _verb(command, amount, (x, y) if command in plain else _NOWHERE),
                "code": code,
                "reason": reason.name(code),
                "sentence": reason.SENTENCES[code],
            }
            for command, x, y, amount, target, code in zip(*columns, strict=True)
        ]


def results(world: World, rules: Rules, over: bool, nations: Sequence[int]) -> list[dict[str, Any]]:
    """How the season went for nations whose part in it is over.

    Args:
        world: the world after the turn.
        rules: its compiled rules.
        over: whether the season is over, by its rules or by the caller's limit.
        nations: those whose results are wanted.

    Returns:
        For each `ending` (or `fell`), `points` (season points), `score` (SEASON-008), `place` (1 first)
        and `winner`. While the season goes on, the fallen have their final place and 0 points.
    """
    code = int(world.clock["ending"][0])
    name = ending.NAMES[code if code != ending.RUNNING else ending.TRUNCATED] if over else FELL
    places = scoring.ranks(world, rules)
    scores = scoring.scores(world, rules)
    points = scoring.standing_points(world, rules)
    return [
        {
            "ending": name,
            "points": float(points[n]),
            "score": float(scores[n]),
            "place": places[n],
            "winner": bool(world.nations["winner"][n]),
        }
        for n in nations
    ]


def _balances(world: World, rules: Rules) -> list[dict[str, Any]]:
    """Each private sector's account at the clearing house, in funds (FIN-034)."""
    term = int(rules.scalars["finance_term"][0])
    found: list[dict[str, Any]] = [
        {"deposit": deposit / THOUSANDTHS, "queued": 0.0, "loans": [], "no_loan_until": until}
        for deposit, until in zip(
            world.nations["deposit"].tolist(), world.nations["no_loan_until"].tolist(), strict=True
        )
    ]
    for request in world.withdrawals[: int(world.finance["queued"][0])]:
        found[int(request["nation"])]["queued"] += int(request["amount"]) / THOUSANDTHS
    for n, place in np.argwhere(world.loans["principal"] > 0).tolist():
        loan = world.loans[n, place]
        found[n]["loans"].append(
            {
                "principal": int(loan["principal"]) / THOUSANDTHS,
                "interest": int(loan["interest"]) / THOUSANDTHS,
                "due": int(loan["taken"]) + term,
            }
        )
    return found


@lru_cache(maxsize=1 << 12)
def _verb(command: int, amount: int, place: tuple[int, int]) -> str:
    """The verb that a command record says; the command's name if no verb is packed like that."""
    meaning = table.unpack(command, *place, amount)
    return table.command_names().get(command, f"command {command}") if meaning is None else meaning.verb.name


@cache
def _told_apart() -> tuple[dict[int, str], frozenset[int]]:
    """Names of verbs that are all of their command; and the commands with numbers in x or y, no cell."""
    number = Counter(verb.command for verb in table.verbs())
    lone = {verb.command: verb.name for verb in table.verbs() if number[verb.command] == 1}
    used = ((verb.command, {*verb.fixed, *(f.field for f in verb.factors)}) for verb in table.verbs())
    return lone, frozenset(command for command, fields in used if fields & {"x", "y"})
