"""Reserves for faction mates: over land at once (command 50), over the sea by own warships (command 123).

Factions, land and ports are public and own ships known, so all of it is the same on the truth and on the
nation's view.
"""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import outlook
from hakoenv.engine.diplomacy import aid, relief
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def may_send(world: World, rules: Rules, nation: int, turn: int, amount: int, target: int) -> int:
    """Reason code of reserves over land (CMD-020): those that are sent must be there, so many times a turn.

    Where `aid.faction_only` is 0, to any nation that borders by land (AID-005).
    """
    s = rules.scalars[0]
    if amount < 1:
        return reason.BAD_AMOUNT
    if s.aid_faction_only and not relief.may_receive(world, nation, target):
        return reason.NOT_A_MATE
    if aid.times_sent(world, nation, turn) >= s.aid_reserves_per_turn:
        return reason.ONCE_A_TURN
    if _pool(world, nation, turn) < max(1, min(amount, int(s.aid_reserves_max))):
        return reason.NO_STRENGTH
    return reason.DONE if partners.touch(world, rules, nation, target) else reason.NO_LAND_BORDER


@kernel
def may_ship(world: World, rules: Rules, nation: int, turn: int, amount: int, target: int) -> int:
    """Reason code of reserves over the sea, to a mate whose land doesn't touch one's own (AID-003, TURN-074).

    Ships and reserves of earlier orders of the turn are spoken for; those that find room must be there.
    """
    if not relief.may_receive(world, nation, target):
        return reason.NOT_A_MATE
    first, strength = relief.promised(world, rules, nation, turn)
    if relief.next_free(world, rules, nation, first) < 0:
        return reason.NO_SHIP
    left = _pool(world, nation, turn) - strength
    if left < max(1, min(amount, _room(world, rules, nation, first))):
        return reason.NO_STRENGTH
    if partners.touch(world, rules, nation, target):
        return reason.LAND_BORDER
    return reason.DONE if relief.knows_way(world, rules, nation, first, target) else reason.NO_SEA_WAY


@kernel
def _pool(world: World, nation: int, turn: int) -> int:
    return int(outlook.reserves(world.nations[nation], int(world.clock[0].turn), turn))


@kernel
def _room(world: World, rules: Rules, nation: int, first: int) -> int:
    """Reserves that a nation's free ships hold, from a place of the list on."""
    total = 0
    ship = relief.next_free(world, rules, nation, first)
    while ship >= 0:
        total += relief.room(rules, int(world.ships[ship].kind))
        ship = relief.next_free(world, rules, nation, ship + 1)
    return int(total)
