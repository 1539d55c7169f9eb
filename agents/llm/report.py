"""What a season's models used and how they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hakoenv.agents.llm.memory import EMPTY, PLANNED, QUEUED, Memory

from hakoenv.engine.codes import controller as kinds

if TYPE_CHECKING:
    from hakoenv.agents.llm.nation import LLMNation


def of(model: LLMNation, nation: int, memory: Memory) -> dict[str, Any]:
    """The figures of one nation as plain data.

    Returns:
        `model`, `turns` (played), `asked`, `plans` (turns with a plan just given), calls, tokens, seconds,
        cost, `failures` of calls and answers by class, `last_failure` in words, `outcomes` of asked turns,
        `commands` and `rejected`, and the shares of turns on the queue and with no plan (`proxy_share` where
        the rule AI stood in). A turn that was taken back and played again counts once; all its calls count.
    """
    played = len(memory.turns)
    outcomes = memory.outcomes()
    used = memory.used

    def share(turns: int) -> float:
        return round(turns / played, 4) if played else 0.0

    proxied = model.code == kinds.LLM
    return {
        "nation": nation,
        "model": model.model,
        "turns": played,
        "asked": sum(outcomes.values()),
        "plans": memory.began(PLANNED),
        "calls": used.calls,
        "prompt_tokens": used.prompt,
        "answer_tokens": used.answer,
        "estimated_tokens": used.estimated,
        "seconds": round(used.seconds, 3),
        "cost": round(used.cost, 6),
        "failures": dict(sorted(memory.failures.items())),
        "last_failure": memory.last_failure,
        "outcomes": dict(sorted(outcomes.items())),
        "commands": sum(kept.commands for kept in memory.turns.values()),
        "rejected": sum(kept.refused for kept in memory.turns.values()),
        "queue_share": share(memory.began(QUEUED)),
        "proxy_share": share(memory.began(EMPTY)) if proxied else 0.0,
        "idle_share": 0.0 if proxied else share(memory.began(EMPTY)),
    }
