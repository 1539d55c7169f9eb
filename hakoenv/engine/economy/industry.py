"""Industry of a nation (phase 12): factories by the policy in force, refineries, arsenals."""

from __future__ import annotations

from hakoenv.engine.codes import cause, item
from hakoenv.engine.economy import factories, factors, fuel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_REFINERY = INDUSTRY_ROWS["refinery"]
_ARSENAL = INDUSTRY_ROWS["arsenal"]


@kernel
def produce(world: World, rules: Rules, nation: int) -> None:
    """Factories, then refineries, then arsenals use materials and produce (TURN-013).

    Efficiency, power plants and fuel act on factories only, research on all three (MAP-049, RES-009).
    """
    record = world.nations[nation]
    fuel.ensure_burnt(world, rules, nation)
    factor = fuel.factory_factor(world, rules, nation) * factors.fuel_ratio(world, rules, nation)
    factories.run(world, rules, nation, int(record.policy), int(record.factory_workers), factor)
    skill = factors.production(world, rules, nation)
    factories.run(world, rules, nation, _REFINERY, int(record.refinery_workers), skill)
    factories.run(world, rules, nation, _ARSENAL, int(record.arsenal_workers), skill)
    books = world.accounts[nation]
    record.fuel_made = books[cause.MINING, item.FUEL] + books[cause.INDUSTRY_OUTPUT, item.FUEL]
