"""`SmallWorld`: a quiet world for tests and examples, built and read by the names of case files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hakoenv.engine import census, ranking, territory
from hakoenv.engine import turn as turns
from hakoenv.engine.board import Board, Room
from hakoenv.engine.codes import ending, reason, terrain
from hakoenv.engine.commands import intake
from hakoenv.engine.navy import wrecks
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import CORPS_COUNT, FLEETS, World, copy_world
from hakoenv.obs.sight import LAND_OIL
from hakoenv.ruleset import Rules, Ruleset
from hakoenv.ruleset.overrides import flatten
from hakoenv.testing import alliances, council, deals, driver, fields, job_fields, names, ship_fields
from hakoenv.testing.deal_fields import PLACES, Place
from hakoenv.testing.errors import CaseError
from hakoenv.testing.kinds import KINDS
from hakoenv.testing.quiet import quiet_ruleset, quiet_world

_PLACES = {
    "unit": Place("units", lambda entries: entries["owner"] >= 0),
    "ship": Place("ships", lambda entries: entries["kind"] > 0),
    **PLACES,
}
_BASES = {
    terrain.SEABED_CITY: terrain.SEA,
    terrain.BREAKWATER: terrain.SHALLOWS,
    terrain.FISH_FARM: terrain.SHALLOWS,
}
_TRACES = names.words("population richness pile experience surveyed deposit tunnel hits worked")
_MONSTER_HP_DIGITS = 10  # a monster's level is kind x 10 + hit points


class Record:
    """One cell, nation, unit, ship, fleet or relation, read by field name: `world.cell(5, 5).terrain`."""

    def __init__(self, small: SmallWorld, table: str, where: Any) -> None:
        """Use the methods of `SmallWorld` instead."""
        self._small = small
        self._table = table
        self._where = where

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.read(name)
        except CaseError as error:
            raise AttributeError(str(error)) from None

    def read(self, name: str) -> Any:
        """A field by name; `CaseError` if there is no such field (`class` of a ship needs this form)."""
        return KINDS[self._table].field(name).read(self._small, self._where)

    def values(self) -> dict[str, Any]:
        """All fields by name."""
        return {name: self.read(name) for name in KINDS[self._table].fields}

    def __repr__(self) -> str:
        return f"{KINDS[self._table].name} {self._where}"


class SmallWorld:
    """A quiet world: all sea, no owners, everybody at peace, fine weather, no chance events, stocks 0.

    Every documented field is set and read by name (`docs`: case files). Setting anything keeps the
    rest consistent: indexes of units and ships on cells, resistance and start levels of cells.

    Attributes:
        world: the World itself.
        height, width: map size in cells.
        nations: number of nations; all are alive and were founded 100 turns before `turn`.
        board: messages between nations and in the rooms of factions.
    """

    def __init__(
        self,
        height: int = 12,
        width: int = 12,
        nations: int = 2,
        seed: int = 0,
        turn: int = 100,
        rules: Mapping[str, object] | None = None,
        weather: Mapping[str, str] | None = None,
    ) -> None:
        """Make a quiet world.

        Args:
            height: rows, 3..255.
            width: cells of a row, 3..255.
            nations: 1..40.
            seed: of every draw, 0..2**64 - 1.
            turn: the turn last begun; `run` goes on with the next, `phase` works with this one.
            rules: overrides of the ruleset, as `load_ruleset` takes them. `fuel.start_turn` switches
                the fuel rule on.
            weather: weather by climate zone where it is not fine: `{"temperate": "fog"}`.

        Raises:
            CaseError: a size or a weather that can't be.
            RulesetError: an unknown or impossible override.
        """
        self.height = _bounded("height", height, 3, 255)
        self.width = _bounded("width", width, 3, 255)
        self.nations = _bounded("nations", nations, 1, 40)
        _bounded("seed", seed, 0, 2**64 - 1)
        _bounded("turn", turn, 0, 10**6)
        self._overrides = flatten({} if rules is None else rules)
        if not isinstance(weather, Mapping | None):
            raise CaseError(f"weather: {weather!r} is no mapping of climate zones to weathers")
        self._weather: dict[str, str] = {}
        self._ruleset = self._load()
        self.faction_names: dict[tuple[int, int], str] = {}  # by place and turn of creation
        self.league_names: dict[tuple[int, int], str] = {}
        self.board = Board()
        self.rooms: dict[str, Room] = {}  # of the board, by the name of their faction
        self.world: World = quiet_world(self.height, self.width, self.nations, seed, turn, self._ruleset)
        self._log: list[list[dict[str, Any]]] = [[] for _ in range(self.nations)]
        self._noted: tuple[int, list[int]] = (-1, [])  # the turn noted last, and what was in the log before
        for zone, name in (weather or {}).items():
            self.set_weather(zone, name)

    @classmethod
    def from_case(cls, case: Mapping[str, Any]) -> SmallWorld:
        """The world of a case with its orders given, before anything runs.

        Raises:
            CaseError: the case has an unknown key, field or name, or a value that can't be.
        """
        from hakoenv.testing.case_world import build

        return build(case)

    # ------------------------------------------------------------ rules

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of this world."""
        return self._ruleset

    @property
    def rules(self) -> Rules:
        """Its compiled form, as kernels take it."""
        return self._ruleset.rules

    def set_weather(self, zone: str, name: str) -> None:
        """Give a climate zone a weather, now and in every turn to come."""
        number = names.WEATHERS.number(name)
        self.world.clock[0]["weather"][names.CLIMATES.number(zone)] = number
        self._weather[zone] = name
        self._ruleset = self._load()

    def _load(self) -> Ruleset:
        return quiet_ruleset(self.height, self.width, self._overrides, self._weather)

    # ------------------------------------------------------------ what is there

    def cell(self, x: int, y: int, **given: Any) -> Record:
        """Set fields of a cell, if any are given, and return it.

        With `terrain` the cell is made anew: what is not given gets its default (no owner, the terrain's
        start level and full resistance). Without it only what is given changes.
        """
        where = self.place(x, y)
        if given:
            self._set_cell(where, dict(given))
        return Record(self, "cells", where)

    def nation(self, number: int, **given: Any) -> Record:
        """Set fields of a nation, if any are given, and return it."""
        where = self.seat(number)
        for name in sorted(given, key=lambda name: name == "ai"):  # it may set the policy of the last turn
            KINDS["nations"].write(self, where, name, given[name])
        return Record(self, "nations", where)

    def unit(
        self, owner: int, type: str, x: int | None = None, y: int | None = None, *, aboard: int | None = None,
        **given: Any,
    ) -> Record:  # fmt: skip
        """Place a unit on a cell, or aboard the ship of an index, and return it (strength 100 by default)."""
        units, ships, cells = self.world.units, self.world.ships, self.world.cells.reshape(-1)
        kind = names.unit_types().number(type)
        holder = self.seat(owner)
        index = _free_place("units", units["owner"] < 0)
        if aboard is not None:
            self._check_hold(holder, aboard)
            where = -1
        else:
            where = self.place(x, y)
            if cells[where]["unit"] >= 0:
                raise CaseError(f"two units on cell ({x}, {y})")
            if cells[where]["ship"] >= 0 and is_warship(int(ships[cells[where]["ship"]]["kind"])):
                raise CaseError(f"a warship and a unit on cell ({x}, {y})")
            cells[where]["unit"] = index
        unit = units[index]
        unit["owner"], unit["type"], unit["cell"] = holder, kind, where
        unit["aboard"] = -1 if aboard is None else aboard
        unit["serial"] = self.world.clock[0]["units_made"]
        self.world.clock[0]["units_made"] += 1
        self.world.clock[0]["units"] = max(int(self.world.clock[0]["units"]), index + 1)
        for name, value in {"strength": 100, **given}.items():
            KINDS["units"].write(self, index, name, value)
        return Record(self, "units", index)

    def corps(self, nation: int, corps: int, **given: Any) -> Record:
        """Set order and direction of a corps, if any are given, and return it."""
        where = (self.seat(nation), _bounded("corps", corps, 0, CORPS_COUNT - 1))
        for name, value in given.items():
            KINDS["corps"].write(self, where, name, value)
        return Record(self, "corps", where)

    def ship(self, owner: int | None, kind: str, x: int, y: int, **given: Any) -> Record:
        """Place a ship of a class (`kind`) on a cell and return it (owner None = neutral; full start HP).

        A private ship has no home and nothing to do unless it is given (`home`, `job`, `cargo` ...), and its
        upkeep is paid. What its cargo belongs to (`auction`, `shipment`, `contract`) must be there before.
        """
        ships, cells = self.world.ships, self.world.cells.reshape(-1)
        number = names.ship_classes().number(kind)
        holder = fields.owner_number(self, owner)
        where = self.place(x, y)
        if cells[where]["ship"] >= 0:
            raise CaseError(f"two ships on cell ({x}, {y})")
        if cells[where]["unit"] >= 0 and is_warship(number):
            raise CaseError(f"a unit and a warship on cell ({x}, {y})")
        index = _free_place("ships", ships["kind"] == 0)
        ship = ships[index]
        ship["owner"], ship["kind"], ship["cell"], ship["fleet"] = holder, number, where, -1
        ship["serial"] = self.world.clock[0]["ships_made"]
        self.world.clock[0]["ships_made"] += 1
        self.world.clock[0]["ships"] = max(int(self.world.clock[0]["ships"]), index + 1)
        cells[where]["ship"] = index
        job_fields.start(self, index)
        order = {name: place for place, name in enumerate(ship_fields.LAST)}
        all_given = {"hp": int(self.rules.ship_classes[number]["hp_start"]), **given}
        for name in sorted(all_given, key=lambda name: order.get(name, -1)):
            KINDS["ships"].write(self, index, name, all_given[name])
        job_fields.finish(self, index)
        return Record(self, "ships", index)

    def fleet(self, nation: int, fleet: int, **given: Any) -> Record:
        """Set fields of a fleet, if any are given, and return it.

        `mode` is that of all its ships; `target`, `salvo` and `waypoints` are cells as (x, y); `flagship`
        is the place of a ship. A ship joins a fleet by its own field `fleet`.
        """
        where = (self.seat(nation), _bounded("fleet", fleet, 0, FLEETS - 1))
        for name, value in given.items():
            KINDS["fleets"].write(self, where, name, value)
        return Record(self, "fleets", where)

    def wreck(self, x: int, y: int, kind: str, age: int = 0) -> None:
        """Leave the wreck of a warship of a class (`kind`) on a cell, sunk `age` turns ago."""
        number = names.ship_classes().number(kind)
        if not is_warship(number):
            raise CaseError(f"{kind!r} leaves no wreck: only warships do")
        where, turns = self.place(x, y), _bounded("age", age, 0, 2**30)
        record = self.world.wrecks[_free_place("wrecks", self.world.wrecks["kind"] == 0)]
        record["cell"], record["kind"], record["turn"] = where, number, self.turn - turns

    def clear_wrecks(self, cell: int) -> None:
        """Remove all wrecks from a cell, given by its flat index."""
        for place in (self.world.wrecks["cell"] == cell).nonzero()[0]:
            wrecks.remove(self.world, int(place))

    def auction(
        self, lot: int, seller: int, item: str, quantity: int, min_price: int, deadline: int, **given: Any
    ) -> Record:
        """Make an auction of a lot number, open unless `state` is "sold", and return it.

        Also `bid`, `bidder`, `extensions`; of a sold one `settled` (turn), `freight` (what is left of the
        freight part) and `lost` (units): the rest of its goods waits for a carrier, or is cargo of ships.
        """
        fixed = {"lot": lot, "seller": seller, "item": item, "quantity": quantity}
        return self._deal("auction", {**fixed, "min_price": min_price, "deadline": deadline, **given})

    def shipment(
        self, id: int, seller: int, buyer: int, item: str, quantity: int, price: int, port: tuple[int, int],
        offered: int, **given: Any,
    ) -> Record:  # fmt: skip
        """Make a regular shipment to a port of the buyer, offered in a turn, and return it.

        Also `revision`, `freight_cap`, `interval` and `accepted` (turn); without it, it is an offer.
        """
        fixed = {"id": id, "seller": seller, "buyer": buyer, "item": item, "quantity": quantity}
        return self._deal("shipment", {**fixed, "price": price, "port": port, "offered": offered, **given})

    def contract(
        self, id: int, buyer: int, seller: int, item: str, quantity: int, price: float, signed: int,
        interval: int, **given: Any,
    ) -> Record:  # fmt: skip
        """Make a supply contract at a price a unit, signed in a turn, and return it.

        Also `delivered` (shipments done), `sent` (shipments that a ship has taken), `refused`, `port`.
        """
        fixed = {"id": id, "buyer": buyer, "seller": seller, "item": item, "quantity": quantity}
        return self._deal(
            "contract", {**fixed, "price": price, "signed": signed, "interval": interval, **given}
        )

    def transport(
        self, kind: str, sender: int, receiver: int, item: str, quantity: int, **given: Any
    ) -> Record:
        """Let goods of a nation wait for a carrier to another (`kind` as of cargo), and return the transport.

        Also `created` (turn), `port` (receiving), `lot` or `shipment` (number), `price` and `freight` (held).
        """
        fixed = {"kind": kind, "sender": sender, "receiver": receiver, "item": item, "quantity": quantity}
        return self._deal("transport", {**fixed, **given})

    def bonded(
        self, port: tuple[int, int], owner: int, item: str, quantity: int, deposited: int | None = None
    ) -> Record:
        """Let private goods lie in the bonded storage of a port since a turn (this one), and return them."""
        since = {} if deposited is None else {"deposited": deposited}
        fixed = {"port": port, "owner": owner, "item": item, "quantity": quantity}
        return self._deal("bonded", {**fixed, **since})

    def _deal(self, kind: str, given: dict[str, Any]) -> Record:
        return Record(self, PLACES[kind].table, deals.add(self, kind, given))

    def units(self, **match: Any) -> list[Record]:
        """The units whose fields have the given values."""
        return self.matching("unit", match)

    def ships(self, **match: Any) -> list[Record]:
        """The ships whose fields have the given values."""
        return self.matching("ship", match)

    def war(self, a: int, b: int) -> Record:
        """Put two nations at war; `a` is the one that declared it."""
        return self.relation(a, b, state="war", declarer=a)

    def relation(self, a: int, b: int, **given: Any) -> Record:
        """Set what stands between two nations, if anything is given, and return it."""
        pair = (self.seat(a), self.seat(b))
        if a == b:
            raise CaseError(f"relation of nation {a} with itself")
        for name, value in given.items():
            KINDS["relations"].write(self, pair, name, value)
        return Record(self, "relations", pair)

    def faction(self, name: str, leader: int, members: list[Any] | None = None, **given: Any) -> None:
        """Make a faction.

        Args:
            name: its name in this small world.
            leader: a nation; a member in any case.
            members: nations, or pairs of nation and turn of joining (default: 50 turns ago).
            given: `created` and `renamed` (turns), `dissolving` (turns until a running notice ends it, or
                the turn itself as `due`), `applications` (pairs of nation and turn), `handover` (`to` and
                `turn` of an offer of the leadership), `demands` (members that demand another leader).
        """
        alliances.add_faction(self, {"name": name, "leader": leader, "members": members, **given})

    def league(self, name: str, members: list[Any], **given: Any) -> None:
        """Make a trade league.

        Args:
            name: its name in this small world.
            members: nations, or pairs of nation and turn of joining (default: 50 turns ago).
            given: `number` (from 1; the next by default), `representative` (the longest member by default).
        """
        alliances.add_league(self, {"name": name, "members": members, **given})

    def containment(
        self, target: int, members: list[int], *, formed: int | None = None, last_joint: int = 0
    ) -> None:
        """Let nations stand together against a hegemon.

        Args:
            target: the hegemon; whether it is one by its land is not asked.
            members: nations; whether they may be members is not asked, either.
            formed: the turn of its forming (this one by default).
            last_joint: the turn of the last joint declaration of war, 0 never.
        """
        since = self.turn if formed is None else formed
        given = {"target": target, "members": members, "formed": since, "last_joint": last_joint}
        alliances.set_containment(self, given)

    def message(self, faction: str, **given: Any) -> None:
        """Let a message stand in the room of a faction, by its name.

        Args:
            faction: the name of the faction.
            given: `from` (a member; the leader by default), `turn` (this one by default; one to come waits
                for the end of that turn) and `text`.
        """
        council.add_message(self, {"faction": faction, **given})

    def found(self, nation: int, x: int, y: int) -> None:
        """Found a nation at a cell by the founding rules; it is a new one of this turn from then on."""
        driver.found(self, self.seat(nation), self.place(x, y))

    # ------------------------------------------------------------ orders and time

    def order(
        self, nation: int, command: str, x: int = 0, y: int = 0, amount: int = 0, target: int = 0
    ) -> None:
        """Put a command at the end of a nation's plan; one too many is cut (CMD-001)."""
        seat = self.seat(nation)
        number = names.commands().number(command)
        for key, value in {"x": x, "y": y, "target": target}.items():
            _bounded(key, value, -(2**31), 2**31 - 1)
        _bounded("amount", amount, -(2**63), 2**63 - 1)
        intake.append(self.world, self.rules, seat, number, int(x), int(y), int(amount), int(target))

    def run(self, count: int = 1) -> None:
        """Run whole turns: the AI nations' plans, then phases 2 to 38."""
        for _ in range(_bounded("turns", count, 0, 10**5)):
            self._settle()
            driver.fill_plans(self)
            council.follow(self)
            turns.turn(self.world, self.rules)
            self._note_results()
            self.board.deliver()
            council.follow(self)

    def phase(self, name: str) -> None:
        """Run one phase by its name; `plan_fill` is the controllers', and the driver's own do nothing.

        Raises:
            CaseError: there is no phase of that name.
        """
        if not isinstance(name, str) or name not in turns.PHASE_BY_NAME:
            raise CaseError(f'unknown phase "{name}"; {names.nearest(name, turns.PHASE_BY_NAME)}')
        if name == "plan_fill":
            driver.fill_plans(self)
        elif turns.PHASE_BY_NAME[name].run is not None:
            self._settle()
            council.follow(self)
            turns.run_phase(self.world, self.rules, name)
            if name == "plans":
                self._note_results()
            elif name == "faction_settle" and self._noted[0] == self.turn:
                self._note_results(again=True)

    # ------------------------------------------------------------ reading

    @property
    def turn(self) -> int:
        """The turn last begun."""
        return int(self.world.clock[0]["turn"])

    def results(self, nation: int) -> list[dict[str, Any]]:
        """What became of a nation's commands so far, in order.

        One entry each: `turn`, `command`, `x`, `y`, `amount`, `target`, `done`, `reason`.
        """
        return [dict(entry) for entry in self._log[self.seat(nation)]]

    def log(self, nation: int) -> list[str]:
        """The same as sentences: `"turn 40: farm at (4, 4): carried out"`."""
        return [
            f"turn {entry['turn']}: {entry['command']} at ({entry['x']}, {entry['y']}): "
            f"{reason.SENTENCES.get(entry['code'], entry['reason'])}"
            for entry in self._log[self.seat(nation)]
        ]

    def season_state(self) -> dict[str, Any]:
        """Whether the season has ended, how (`ending`, None while it runs), and the winners' numbers."""
        code = int(self.world.clock[0]["ending"])
        over = code != ending.RUNNING
        winners = [n for n in range(self.nations) if over and self.world.nations[n]["winner"]]
        return {"ended": over, "ending": names.ENDINGS.name(code) if over else None, "winners": winners}

    def counted(self) -> World:
        """A copy of the world with fresh census and ranking, for what follows from the map."""
        copy = copy_world(self.world)
        territory.index(copy, self.rules)
        census.take(copy, self.rules)
        ranking.rank(copy, self.rules)
        return copy

    def matching(self, kind: str, match: Mapping[str, Any]) -> list[Record]:
        """The things of a kind (`unit`, `ship`, `auction` ...) whose fields have the given values."""
        table, is_used = _PLACES[kind]
        things = [
            Record(self, table, int(index)) for index in is_used(getattr(self.world, table)).nonzero()[0]
        ]
        return [thing for thing in things if all(thing.read(name) == value for name, value in match.items())]

    def record(self, kind: str, index: int) -> Record:
        """The unit or ship (`kind`) of an index."""
        return Record(self, _PLACES[kind].table, index)

    def place(self, x: Any, y: Any) -> int:
        """The flat index of a cell.

        Raises:
            CaseError: outside the map.
        """
        if fields.whole(x) not in range(self.width) or fields.whole(y) not in range(self.height):
            raise CaseError(f"cell ({x}, {y}) lies outside the map of {self.width} x {self.height} cells")
        return int(y) * self.width + int(x)

    def seat(self, number: Any) -> int:
        """The seat of a nation: its number, checked.

        Raises:
            CaseError: there is no such nation.
        """
        try:
            return fields.nation_number(self, number)
        except CaseError:
            raise CaseError(f"unknown nation {number!r}; there are 0..{self.nations - 1}") from None

    # ------------------------------------------------------------ inside

    def _check_hold(self, owner: int, ship: Any) -> None:
        """Refuse a unit where no ship of its nation has room for one (EMBARK-011)."""
        ships = self.world.ships
        if not 0 <= fields.whole(ship) < len(ships) or not ships[ship]["kind"]:
            raise CaseError(f'unit field "aboard": there is no ship {ship}')
        kind = names.ship_classes().name(ships[ship]["kind"])
        if ships[ship]["owner"] != owner:
            raise CaseError(f'unit field "aboard": ship {ship} is none of nation {owner}')
        if not self._ruleset[f"ship_classes.{kind}.capacity_strength"]:
            raise CaseError(f'unit field "aboard": ship {ship} is a {kind} and carries no unit')
        if ((self.world.units["owner"] >= 0) & (self.world.units["aboard"] == ship)).any():
            raise CaseError(f'unit field "aboard": ship {ship} carries a unit already')

    def _settle(self) -> None:
        """What a made map would have: its count of land."""
        clock = self.world.clock[0]
        if clock["initial_land"] == 0:
            clock["initial_land"] = self.counted().clock[0]["all_land"]

    def _note_results(self, again: bool = False) -> None:
        """Add this turn's results to the log; ``again``: phase 30 may have changed some (TURN-067)."""
        if not again:
            self._noted = (self.turn, [len(log) for log in self._log])
        for nation, log in enumerate(self._log):
            del log[self._noted[1][nation] :]
            for entry in self.world.results[nation][: int(self.world.nations[nation]["result_count"])]:
                code = int(entry["reason"])
                if code == reason.WAITING or entry["turn"] != self.turn:
                    continue  # the dead keep the results of the last turn in which their plan ran
                fresh: dict[str, Any] = {k: int(entry[k]) for k in ("turn", "x", "y", "amount", "target")}
                fresh |= {"command": names.commands().name(entry["command"]), "code": code}
                fresh |= {"done": code == reason.DONE, "reason": reason.name(code)}
                log.append(fresh)

    def _set_cell(self, where: int, given: dict[str, Any]) -> None:
        cells = self.world.cells.reshape(-1)
        capital = fields.truth(given.pop("capital")) if "capital" in given else None
        weather = given.pop("weather", None)
        if "trees" in given:
            given["level"] = given.pop("trees")
        full = "resistance" not in given and (capital is not None or "terrain" in given or "owner" in given)
        if "terrain" in given:
            self._clear_cell(where, given.pop("terrain"), given.get("level"))
        for name, value in given.items():
            KINDS["cells"].write(self, where, name, value)
        if weather is not None:
            self.set_weather(names.CLIMATES.name(cells[where]["climate"]), weather)
        if capital is not None:
            self._set_capital(where, capital)
        if full:
            self._restore_resistance(where)

    def _clear_cell(self, where: int, name: Any, level: Any) -> None:
        """A cell as if nothing but this terrain had ever been there; units, ships and climate stay."""
        self.clear_wrecks(where)
        cell = self.world.cells.reshape(-1)[where]
        land_oil = name == LAND_OIL
        number = names.terrains().number(name)
        for column in _TRACES:
            cell[column] = 0
        cell["owner"] = -1
        cell["terrain"] = number
        cell["level"] = 0 if self._is_town(number) else self.rules.terrains[number]["level_start"]
        cell["below"] = terrain.WASTELAND if land_oil else _BASES.get(number, terrain.SEA)
        if number == terrain.MONSTER:
            cell["below"] = self._monster_ground(level)

    def _is_town(self, number: int) -> bool:
        return bool(self.rules.terrains[number]["is_town"])

    def _monster_ground(self, level: Any) -> int:
        """A sea monster stands on sea, another on wasteland (DIS-018)."""
        kind = level // _MONSTER_HP_DIGITS if isinstance(level, int) else 0
        rows = self._ruleset.table("monsters")
        at_sea = kind < len(rows) and rows[kind]["domain"] == "sea"
        return terrain.SEA if at_sea else terrain.WASTELAND

    def _set_capital(self, where: int, is_one: bool) -> None:
        holder = int(self.world.cells.reshape(-1)[where]["owner"])
        if holder < 0 and is_one:
            raise CaseError('cell field "capital": the cell has no owner')
        if is_one:
            self.world.nations[holder]["capital"] = where
        elif holder >= 0 and self.world.nations[holder]["capital"] == where:
            self.world.nations[holder]["capital"] = -1

    def _restore_resistance(self, where: int) -> None:
        """Full resistance of an owned cell, that of ownerless land otherwise (ARMY-009)."""
        cell = self.world.cells.reshape(-1)[where]
        holder = int(cell["owner"])
        if holder < 0:
            cell["resistance"] = self._ruleset["resistance.ownerless"]
        elif self.world.nations[holder]["capital"] == where:
            cell["resistance"] = self._ruleset["resistance.capital"]
        else:
            cell["resistance"] = self.rules.terrains[int(cell["terrain"])]["resistance_max"]


def _bounded(name: str, value: Any, low: int, high: int) -> int:
    try:
        return fields.whole(value, low, high)
    except CaseError as error:
        raise CaseError(f"{name}: {error}") from None


def _free_place(what: str, free: Any) -> int:
    places = free.nonzero()[0]
    if len(places) == 0:
        raise CaseError(f"no room for more {what} in a world of this size")
    return int(places[0])
