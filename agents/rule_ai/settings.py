"""The settings that a nation of the rule AI keeps: commands that take no turn (AI-091, AI-013)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import economy, industry
from hakoenv.agents.rule_ai.orders import NOWHERE, write

from hakoenv.engine.codes import command, item
from hakoenv.engine.commands import settings
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def keep(world: World, rules: Rules, n: int) -> None:
    """Set buy-back targets and export caps where they are not what is wanted (AI-091, IND-020).

    What is held back is not sold: the cap of an item below its target is 0.
    """
    nation = world.nations[n]
    for what in range(item.FUNDS):
        target = min(economy.bought_stock(world, rules, n, what), settings.ITEM_BASE - 1)
        if nation.targets[what] != target:
            write(world, rules, n, command.BUYBACK_TARGET, NOWHERE, what * settings.ITEM_BASE + target)
        sold = 0
        if nation.treasury[what] >= economy.wanted_stock(world, rules, n, what):
            sold = _default_cap(rules, what)
        if nation.export_caps[what] != sold:
            write(world, rules, n, command.EXPORT_CAP, NOWHERE, what * settings.ITEM_BASE + sold)


@kernel
def _default_cap(rules: Rules, what: int) -> int:
    s = rules.scalars[0]
    cap = s.market_export_cap_default_food if what == item.FOOD else s.market_export_cap_default_units
    return int(min(cap, settings.ITEM_BASE - 1))


@kernel
def choose_policy(world: World, rules: Rules, n: int) -> bool:
    """Order another industrial policy if one is due; it takes no turn (AI-011 .. AI-014)."""
    wanted = industry.best_policy(world, rules, n)
    if wanted != world.nations[n].policy_next:
        write(world, rules, n, command.INDUSTRIAL_POLICY, NOWHERE, wanted)
    return False
