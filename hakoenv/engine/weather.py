"""The weather of the five climate zones (drawn at the start of phase 6)."""

from __future__ import annotations

from hakoenv.engine import chance
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import CLIMATES, World
from hakoenv.ruleset.compiled import Rules


@kernel
def draw(world: World, rules: Rules) -> None:
    """Draw each zone's weather by its weights; it holds for the turn (TURN-051).

    A zone whose weights are all 0 keeps the weather it has.
    """
    for zone in range(CLIMATES):
        total = 0
        for kind in range(rules.weather.shape[0]):
            total += rules.weather[kind].weights[zone]
        if total <= 0:
            continue
        left = chance.roll(world, chance.WEATHER, zone, 0, total)
        kind = 0
        while left >= rules.weather[kind].weights[zone]:
            left -= rules.weather[kind].weights[zone]
            kind += 1
        world.clock[0].weather[zone] = kind


@kernel
def crop_factor(world: World, rules: Rules, cell: int) -> float:
    """What climate and weather leave of a harvest on this cell; 1.0 is a plain one (RES-014)."""
    zone = world.cells.flat[cell].climate
    kind = world.clock[0].weather[zone]
    return float(rules.climates[zone].crop_percent * rules.weather[kind].crop_percent / 10000.0)
