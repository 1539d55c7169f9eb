"""Income of a nation (phase 10): tax, workers, mines, fuel, food, in the order of TURN-059."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.economy import farming, fuel, mining, workers
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def collect(world: World, rules: Rules, nation: int) -> None:
    """Book a nation's income of the turn (TURN-011, TURN-059)."""
    join_conscripts(world, nation)
    workers.assign(world, rules, nation)  # counts the people whom the tax below is taken from
    collect_tax(world, rules, nation)
    mining.work(world, rules, nation)
    fuel.burn(world, rules, nation)
    farming.harvest(world, rules, nation)


@kernel
def join_conscripts(world: World, nation: int) -> None:
    """Those conscripted in the last turn enter the reserves (TURN-065, ARMY-062)."""
    record = world.nations[nation]
    record.reserves += record.conscripts
    record.conscripts = 0


@kernel
def collect_tax(world: World, rules: Rules, nation: int) -> None:
    """Take the tax of all people of the nation, cut once (RES-015)."""
    tax = world.nations[nation].population * rules.scalars[0].tax_per_population
    stock.gain(world, rules, nation, item.FUNDS, floor(tax), cause.TAX)
