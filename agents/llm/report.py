"""What a season's models used and how they did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hakoenv.agents.llm.memory import ABANDONED, NOT_ASKED, PLAN, Memory

from hakoenv.engine.codes import controller as kinds

if TYPE_CHECKING:
    from hakoenv.agents.llm.nation import LLMNation


def of(model: LLMNation, nation: int, memory: Memory) -> dict[str, Any]:
    """The figures of one nation as plain data.

    Returns:
        `model`, `turns` (played), `asked`, `plans` (turns with a plan just given), calls, tokens, seconds and
        cost, `failures` by class, `outcomes` of the turns asked, `commands` and `rejected`, and the shares of
        turns on a plan just given, on the queue, and with none (`proxy_share` where the rule AI stood in).
    """
    played = memory.planned + memory.queued + memory.empty
    outcomes = {name: count for name, count in memory.outcomes.items() if name not in {NOT_ASKED, ABANDONED}}
    used = memory.used

    def share(turns: int) -> float:
        return round(turns / played, 4) if played else 0.0

    proxied = model.code == kinds.LLM
    return {
        "nation": nation,
        "model": model.model,
        "turns": played,
        "asked": sum(outcomes.values()),
        "plans": memory.outcomes.get(PLAN, 0),
        "calls": used.calls,
        "prompt_tokens": used.prompt,
        "answer_tokens": used.answer,
        "estimated_tokens": used.estimated,
        "seconds": round(used.seconds, 3),
        "cost": round(used.cost, 6),
        "failures": dict(sorted(memory.failures.items())),
        "outcomes": dict(sorted(outcomes.items())),
        "commands": memory.commands,
        "rejected": memory.refused,
        "queue_share": share(memory.queued),
        "proxy_share": share(memory.empty) if proxied else 0.0,
        "idle_share": 0.0 if proxied else share(memory.empty),
    }
