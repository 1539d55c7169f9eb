"""Factors on a nation's output; each product is floored once after all of its own (IND-039)."""

from __future__ import annotations

import math

from hakoenv.engine.codes import research, sector
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_PEAK = 0.75  # f(sqrt(0.75)), the top of the curve (IND-037)


@kernel
def efficiency(world: World, rules: Rules, nation: int, branch: int) -> float:
    """Efficiency of a sector by its share of the assigned workers, 1.0 at the base share (IND-034 .. 037)."""
    s = rules.scalars[0]
    assigned = world.nations[nation].assigned
    workers = assigned[0] + assigned[1] + assigned[2]
    share = assigned[branch] / workers if workers > 0 else 0.0
    base = s.efficiency_base_agriculture
    if branch == sector.INDUSTRY:
        base = s.efficiency_base_industry
    elif branch == sector.COMMERCE:
        base = s.efficiency_base_commerce
    percent = 100.0 + s.efficiency_amplitude * (curve(share) - curve(base / 100.0)) / _PEAK
    return float(max(percent, float(s.efficiency_floor)) / 100.0)


@kernel
def curve(share: float) -> float:
    """f(p) = p sqrt(1.5 - p^2): rises to 0.75 at a share of 0.866, then falls (IND-035)."""
    return share * math.sqrt(1.5 - share * share)


@kernel
def production(world: World, rules: Rules, nation: int) -> float:
    """What production research makes of mined, felled and manufactured goods (RES-009)."""
    level = world.nations[nation].research[research.PRODUCTION]
    return float(rules.research[research.PRODUCTION, level].effect_percent / 100.0)


@kernel
def power(world: World, rules: Rules, nation: int) -> float:
    """The bonus of fuelled power plants to the factories (MAP-047, MAP-048)."""
    s = rules.scalars[0]
    record = world.nations[nation]
    need = record.plant_levels * s.power_plant_fuel_per_level
    percent = float(min(s.power_plant_percent_max, record.plant_levels * s.power_plant_percent_per_level))
    if need > 0:
        percent = percent * record.plant_fuel / need
    return 1.0 + percent / 100.0


@kernel
def fuel_ratio(world: World, rules: Rules, nation: int) -> float:
    """The share of output and sales that the industry fuel of this turn allows (IND-027)."""
    record = world.nations[nation]
    if record.fuel_need <= 0:
        return 1.0
    return float(max(record.fuel_used / record.fuel_need, rules.scalars[0].fuel_floor_percent / 100.0))
