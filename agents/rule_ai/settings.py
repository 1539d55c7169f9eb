"""The settings that a nation of the rule AI keeps: commands that take no turn (AI-091, AI-013)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import economy, industry
from hakoenv.agents.rule_ai.orders import NOWHERE, write

from hakoenv.engine.codes import command, item
from hakoenv.engine.commands import settings
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_MOST = settings.ITEM_BASE - 1  # that a setting can say


@kernel
def keep(world: World, rules: Rules, n: int) -> None:
    """Set buy-back targets and export caps where they are not what is wanted (AI-091)."""
    nation = world.nations[n]
    for what in range(item.FUNDS):
        target = min(economy.bought_stock(world, rules, n, what), _MOST)
        if nation.targets[what] != target:
            write(world, rules, n, command.BUYBACK_TARGET, NOWHERE, what * settings.ITEM_BASE + target)
        sold = _sold(world, rules, n, what, target)
        if nation.export_caps[what] != sold:
            write(world, rules, n, command.EXPORT_CAP, NOWHERE, what * settings.ITEM_BASE + sold)


@kernel
def _sold(world: World, rules: Rules, n: int, what: int, target: int) -> int:
    """The export cap: the default, and nothing of an item that is short (AI-091).

    What is held back is not sold even where thrift sets the target lower (AI-063, IND-020).
    """
    s = rules.scalars[0]
    held = economy.wanted_stock(world, rules, n, what)
    spare = world.nations[n].treasury[what] - held
    cap = s.market_export_cap_default_food if what == item.FOOD else s.market_export_cap_default_units
    if spare < 0:
        return 0
    return int(min(cap, _MOST) if target >= held else min(cap, _MOST, spare))


@kernel
def choose_policy(world: World, rules: Rules, n: int) -> bool:
    """Order another industrial policy if one is due; it takes no turn (AI-011 .. AI-014)."""
    wanted = industry.best_policy(world, rules, n)
    if wanted != world.nations[n].policy_next:
        write(world, rules, n, command.INDUSTRIAL_POLICY, NOWHERE, wanted)
    return False
