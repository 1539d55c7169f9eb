"""Neutral pirates raid private ships near them: they sink the ship or take part of what it has (TURN-049).

The goods that they take leave the world (MER-057). Nothing of it is anybody's experience (MER-038).
"""

from __future__ import annotations

from hakoenv.engine import chance, happenings, hexgrid, stock
from hakoenv.engine.codes import cause, event, item, parcel, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls, vessels
from hakoenv.engine.shipping import cargo, jobs
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_PERCENT = 100


@kernel
def draw(world: World, rules: Rules) -> None:
    """Every private ship with a pirate near it is drawn once, whatever it does and however many they are.

    In ship order; pirates that were sunk before raid nobody (MER-055, CRU-020, CRU-021, FISH-003).
    """
    s = rules.scalars[0]
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if not vessels.is_private(int(record.kind)) or not _is_beset(world, rules, ship):
            continue
        subject = int(record.serial)
        if chance.roll(world, chance.RAID, subject, 0, _PERCENT) >= s.pirate_raid_percent:
            continue
        if chance.roll(world, chance.RAID_OUTCOME, subject, 0, _PERCENT) < s.pirate_sink_percent:
            hulls.sink(world, rules, ship, hulls.NOBODY)  # MER-060
            continue
        if record.kind == ship_class.CRUISE_SHIP:
            taken = _take_income(world, rules, ship)
        else:
            taken = _take_cargo(world, rules, ship)
        if taken > 0:
            happenings.record(world, event.RAIDED, int(record.owner), int(record.cell), taken)


@kernel
def _is_beset(world: World, rules: Rules, ship: int) -> bool:
    """Whether a pirate is near a ship."""
    height, width = world.cells.shape
    reach = min(int(rules.scalars[0].pirate_radius), width + height)  # the map is no wider
    for k in range(1, hexgrid.disc_size(reach)):
        cell = hexgrid.nth_far(width, height, int(world.ships[ship].cell), k)
        if cell < 0:
            continue
        other = int(world.cells.flat[cell].ship)
        if other >= 0 and world.ships[other].kind == ship_class.PIRATE:
            return True
    return False


@kernel
def _take_income(world: World, rules: Rules, ship: int) -> int:
    """Take a part of what is left of the latest income, as far as there is cash (CRU-022, CRU-023).

    Returns:
        Whole funds that were taken.
    """
    entry = world.jobs[ship]
    share = entry.unlooted * rules.scalars[0].pirate_loot_percent // _PERCENT
    taken = stock.private_take(world, int(world.ships[ship].owner), item.FUNDS, int(share), cause.LOOTED)
    entry.unlooted -= taken
    return int(taken // stock.THOUSANDTHS)


@kernel
def _take_cargo(world: World, rules: Rules, ship: int) -> int:
    """Take a part of each entry aboard; what was paid for it goes back (MER-057 .. MER-059, SUP-014).

    Returns:
        Units that were taken, of all goods together.
    """
    taken = 0
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state != parcel.ABOARD or entry.ship != ship:
            continue
        quantity = looted(world, rules, p)
        if entry.kind == parcel.BOND and quantity > 0:  # its price is the value of the whole
            entry.price -= entry.price * quantity // entry.quantity
        cargo.lose(world, rules, p, quantity)
        taken += quantity
    jobs.next_job(world, rules, ship)
    return taken


@kernel
def looted(world: World, rules: Rules, p: int) -> int:
    """Units that pirates take of a parcel; never money or what nations exchange (MER-059, SHIP-012).

    At least one unit, or what the ruleset says, stays of private goods, but none need of fish or of what goes
    one way between nations (FISH-003, MER-058).
    """
    entry = world.parcels[p]
    kind = int(entry.kind)
    if entry.what == item.FUNDS or kind == parcel.EXCHANGE or kind == parcel.REGULAR:
        return 0
    share = int(entry.quantity * rules.scalars[0].pirate_loot_percent // _PERCENT)
    is_fish = kind == parcel.OWN and world.ships[entry.ship].kind == ship_class.FISHING_BOAT
    if is_fish or kind == parcel.AID or kind == parcel.AUCTION:
        return share
    return int(max(0, min(share, int(entry.quantity) - rules.scalars[0].pirate_loot_left)))
