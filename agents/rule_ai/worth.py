"""What a hex is worth to the rule AI (AI-042)."""

from __future__ import annotations

from hakoenv.engine import view
from hakoenv.engine.codes import item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

_NATURE = TERRAIN_KINDS.index("nature")


@kernel
def of_hex(world: World, rules: Rules, n: int, i: int) -> int:
    """Funds at base prices that a turn of the fully staffed facility gives nation ``n`` (AI-042).

    Plains count a little, other nature nothing. Beyond the reading, for war: people and other works.
    """
    s = rules.scalars[0]
    ground = view.terrain(world, rules, n, i)
    hands = view.level(world, rules, n, i) * rules.terrains[ground].workers_per_level
    if ground == terrain.FARM or ground == terrain.LARGE_FARM:
        return int(hands * rules.resources[item.FOOD].base_price)
    if ground == terrain.FACTORY or ground == terrain.LARGE_FACTORY:
        plan = rules.industry[world.nations[n].policy]
        runs = hands // max(1, plan.workers_per_run)
        return int(runs * plan.capacity_percent * rules.resources[item.GOODS].base_price // 100)
    if ground == terrain.PLAINS:
        return int(s.ai_value_plains)
    if rules.terrains[ground].is_town:
        return int(world.cells.flat[i].population * s.ai_value_people)
    if rules.terrains[ground].kind == _NATURE:
        return 0
    return int(s.ai_value_works * view.level(world, rules, n, i))
