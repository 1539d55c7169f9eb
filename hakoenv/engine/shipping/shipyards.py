"""Private sectors build merchants for cargo left waiting (MER-004, MER-005, MER-079; end of phase 19)."""

from __future__ import annotations

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, item, job, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import cargo, charts, cruise, fishing, harbours, launch, parcels
from hakoenv.engine.shipping.desk import WHO, Desk
from hakoenv.engine.trade import bargain, market, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

SMALL, LARGE = 0, 1  # places in `nations.waiting`, rows of `desk.waits`
_TO_SELL = 2
_MOST_WAITING = 2**31 - 1


@kernel
def build(world: World, rules: Rules, desk: Desk) -> None:
    """Nation by nation: merchants, small before large, then a cruise ship, then a fishing boat (TURN-063)."""
    for k in range(nation_order.count(world)):
        n = int(world.order[k])
        count_wants(world, rules, n, desk)
        for size in range(2):
            waiting = waiting_cargo(rules, size, desk)
            if _is_called_for(world, rules, n, size, waiting, desk):
                for _ in range(min(int(rules.scalars[0].merchant_builds_per_turn), world.ships.shape[0])):
                    if not _build_one(world, rules, n, size, desk):
                        break
            world.nations[n].waiting[size] = waiting
        cruise.build(world, rules, n)
        fishing.build(world, rules, n)


@kernel
def kind_of(size: int) -> int:
    """The ship class of a size."""
    return int(ship_class.LARGE_MERCHANT if size == LARGE else ship_class.MERCHANT)


# ---------------------------------------------------------------- waiting cargo


@kernel
def waiting_cargo(rules: Rules, size: int, desk: Desk) -> int:
    """Containers that a nation could sell by sea and nobody carries, at any ports or at large ones."""
    total = 0
    for what in range(item.FUNDS):
        quantity = min(desk.waits[size, what], desk.waits[_TO_SELL, what])
        total += parcels.containers(rules, what, int(quantity))
    return int(min(total, _MOST_WAITING))


@kernel
def count_wants(world: World, rules: Rules, n: int, desk: Desk) -> None:
    """Count what partners on remembered routes are short of and would pay for, and what there is to sell."""
    desk.waits[:, :] = 0
    if desk.first[n] == desk.first[n + 1]:
        return
    for what in range(item.FUNDS):
        desk.waits[_TO_SELL, what] = _to_sell(world, rules, n, what)
    for buyer in range(world.nations.shape[0]):
        if reach.has(int(desk.sea[n]), buyer) and _has_route(world, rules, n, buyer, False, desk):
            has_large = _has_route(world, rules, n, buyer, True, desk)
            for what in range(item.FUNDS):
                missing = market.short(world, buyer, what) if desk.waits[_TO_SELL, what] > 0 else 0
                if missing > 0 and bargain.pays(world, n, buyer, what):
                    desk.waits[SMALL, what] += missing
                    desk.waits[LARGE, what] += missing if has_large else 0


@kernel
def _to_sell(world: World, rules: Rules, n: int, what: int) -> int:
    """What the private sector can spare, with what its treasury would sell it in the turns it plans for."""
    record = world.nations[n]
    spare = max(0, record.treasury[what] - record.targets[what])
    most = rules.scalars[0].private_planning_turns * record.export_caps[what]
    return int(market.surplus(world, n, what) + min(spare, most))


@kernel
def _has_route(world: World, rules: Rules, n: int, buyer: int, large: bool, desk: Desk) -> bool:
    """Whether a remembered route leads from a nation's port to one of another's, a large one if ``large``."""
    for k in range(desk.first[buyer], desk.first[buyer + 1]):
        h = int(desk.ports[k])
        if large and not harbours.is_large(world, rules, int(world.harbours[h].cell)):
            continue
        for own in range(desk.first[n], desk.first[n + 1]):
            if charts.way(world, h, int(world.harbours[desk.ports[own]].cell)) >= 0:
                return True
    return False


# ---------------------------------------------------------------- building


@kernel
def _is_called_for(world: World, rules: Rules, n: int, size: int, waiting: int, desk: Desk) -> bool:
    """Whether enough cargo waited, in this turn and the last, and no ship of the class is idle (MER-079)."""
    s = rules.scalars[0]
    least = s.merchant_build_waiting_large if size == LARGE else s.merchant_build_waiting_small
    if waiting < least or (s.merchant_build_waiting_turns > 1 and world.nations[n].waiting[size] < least):
        return False
    for place in range(desk.count[0]):
        record = world.ships[desk.ready[place, WHO]]
        is_idle = world.jobs[desk.ready[place, WHO]].job == job.IDLE
        if is_idle and record.owner == n and record.kind == kind_of(size):
            return False
    return True


@kernel
def _build_one(world: World, rules: Rules, n: int, size: int, desk: Desk) -> bool:
    """Build a ship where there is a place for it, if the cash that must be left is; return whether it was."""
    kind = kind_of(size)
    steel = int(rules.ship_classes[kind].steel)
    own = min(steel, market.free_stock(world, n, item.STEEL))
    each = market.at_ratio(int(world.market[item.STEEL].price), rules.scalars[0].market_world_buy_ratio)
    bought = market.worth(steel - own, each)
    price = int(rules.ship_classes[kind].cost) * stock.THOUSANDTHS
    kept = int(rules.scalars[0].merchant_build_cash_left) * stock.THOUSANDTHS
    if world.nations[n].private[item.FUNDS] - price - bought < kept:
        return False
    port = find_port(world, rules, n, kind, size == LARGE, desk)
    if port < 0 or not vessels.has_room(world):
        return False
    ship = launch.launch(world, rules, n, kind, port, harbours.free_berth(world, rules, port), price)
    world.jobs[ship].arrived = world.clock[0].turn
    world.jobs[ship].paid = 1
    cargo.pay(world, n, bought, cause.SHIP_BUILDING)  # what is missing of the steel and no more: IND-018
    stock.private_take(world, n, item.STEEL, own, cause.SHIP_BUILDING)
    world.nations[n].ships_steel += own
    return True


@kernel
def find_port(world: World, rules: Rules, n: int, kind: int, large: bool, desk: Desk) -> int:
    """The own port with the fewest ships of a class, below its limit and with a berth; -1 none (MER-079)."""
    found, fewest = -1, 0
    for k in range(desk.first[n], desk.first[n + 1]):
        cell = int(world.harbours[desk.ports[k]].cell)
        if large and not harbours.is_large(world, rules, cell):
            continue
        ships = ships_of(world, cell, kind)
        if ships >= rules.ship_classes[kind].per_port_cap or harbours.free_berth(world, rules, cell) < 0:
            continue
        if found < 0 or ships < fewest or (ships == fewest and cell < found):
            found, fewest = cell, ships
    return found


@kernel
def ships_of(world: World, port: int, kind: int) -> int:
    """Ships of a class whose home is a port."""
    count = 0
    for ship in range(world.clock[0].ships):
        count += world.ships[ship].kind == kind and world.jobs[ship].home == port
    return int(count)
