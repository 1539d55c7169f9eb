"""The driver of a season: plans of AI nations, turns, saves, statistics, result.

Two compiled calls make a turn: the controllers' `plan_fill` (phase 1) and `turn` (phases 2 to 38).
Backup, save and statistics row (34, 39, 40) follow when a place to save to is given.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv import controllers
from hakoenv.controllers import Driver
from hakoenv.engine import census, founding, mapgen, proxy, ranking, scoring, territory
from hakoenv.engine.audit import Audit
from hakoenv.engine.board import ALL, Board
from hakoenv.engine.codes import author, ending, event
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.economy import prices
from hakoenv.engine.names import NationName, nation_names
from hakoenv.engine.save import MAX_NATIONS, SaveError, Snapshot, kernel_rules
from hakoenv.engine.save_target import LoadReport, SaveFile, SaveFolder, load, target_of
from hakoenv.engine.statistics import Statistics
from hakoenv.engine.trade import market
from hakoenv.engine.turn import turn
from hakoenv.engine.warm import announce
from hakoenv.engine.world import World, assign_world, copy_world, new_world, state_hash
from hakoenv.ruleset import Rules, Ruleset, load_ruleset

MAX_LABEL = 999  # largest name number of a corps or fleet
MAX_COLOUR = 31  # largest colour number
AUTHORS = {kinds.EXTERNAL: author.EXTERNAL, kinds.RULE_AI: author.RULE_AI, kinds.LLM: author.LLM}


class SeasonError(ValueError):
    """A season can't be made or played as asked; one sentence that names the value and what is allowed."""


class SeedError(SeasonError):
    """A seed that is no whole number of 0..2**64 - 1."""


class Season:
    """One season being played. Made by `Season.new` or `Season.load`.

    Attributes:
        world: the World; the same arrays for the season's whole life.
        ruleset, rules: its rules as data and compiled.
        statistics: the five series (they never feed back into the game).
        board: what nations have told each other, and the rooms of factions (no rule reads it).
        names: display names of the nations.
        controllers: name of each nation's controller.
        event_totals: how often each kind of event has happened in the season.
        save_to: where every turn is saved, if anywhere.
        audit: what checks every turn's books, if anything.
    """

    def __init__(
        self, snapshot: Snapshot, agents: Sequence[Driver] | None = None, drivers: Drivers | None = None
    ) -> None:
        """Use `Season.new` or `Season.load` instead.

        Args:
            snapshot: what it goes on from.
            agents: who is behind the snapshot's names.
            drivers: their controllers, where there are such already.
        """
        self.ruleset: Ruleset = snapshot.ruleset
        self.rules: Rules = kernel_rules(snapshot.ruleset)
        self.world: World = snapshot.world
        self.statistics: Statistics = snapshot.statistics
        self.board: Board = snapshot.board
        self.controllers: list[str] = list(snapshot.controllers)
        self.event_totals: dict[str, int] = dict(snapshot.event_totals)
        self.names: list[NationName] = nation_names(len(self.world.nations), self.seed)
        self.save_to: SaveFile | SaveFolder | None = None
        self.audit: Audit | None = None
        self._saves = snapshot.saves
        self._before = copy_world(self.world)
        self._agents: list[Driver] = list(self.controllers if agents is None else agents)
        self._drivers = seats_by_controller(self._agents) if drivers is None else drivers
        self.board.look(self.world)
        self._note_row()

    @classmethod
    def new(
        cls,
        scenario: str = "season",
        seed: int = 0,
        *,
        rules: Mapping[str, object] | None = None,
        ruleset_file: str | os.PathLike[str] | None = None,
        agents: Driver | Sequence[Driver] = "rule_ai",
        nations: int | None = None,
        save_to: str | os.PathLike[str] | None = None,
        keep_all_statistics: bool = False,
        audit: bool = False,
    ) -> Season:
        """Make a map, found the nations and stand before turn 1.

        Args:
            scenario: `duel`, `skirmish`, `season` or `grand`.
            seed: 0..2**64 - 1; decides map, weather and every draw.
            rules: overrides of the ruleset by key.
            ruleset_file: a TOML file of overrides; `rules` win over it.
            agents: who drives the nations, one for all or one each: the name of a controller, a policy (a
                function of an observation) or a controller, see docs/controllers.md. The plans of an
                `external` nation are written into the World by the caller.
            nations: how many; default the scenario's.
            save_to: a file, or a folder for backups too, in which to save every turn (`save_every_turn`).
            keep_all_statistics: keep more than the latest 120 turns.
            audit: check every turn that each stock is its opening plus what was booked.

        Raises:
            SeedError, ScenarioError, SeasonError, ControllerError, RulesetError: what was asked for is
                not possible.
            SaveError: it can't be saved there.
        """
        setup = check(scenario, seed, rules=rules, ruleset_file=ruleset_file, agents=agents, nations=nations)
        season = cls.start(setup, keep_all_statistics, audit)
        if save_to is not None:
            season.save_every_turn(save_to)
        return season

    @classmethod
    def start(cls, setup: Setup, keep_all_statistics: bool = False, audit: bool = False) -> Season:
        """A season from what `check` has checked, before turn 1; the setup's controllers play it.

        The first use of an installation compiles for some minutes; one sentence on stderr says so.

        Raises:
            ScenarioError: the map of this seed has too few sites for the nations.
        """
        announce()
        world = make_world(setup)
        statistics = Statistics.of_rules(
            kernel_rules(setup.ruleset), len(setup.controllers), keep_all_statistics
        )
        names = [controllers.name_of(driver) for driver in setup.controllers]
        season = cls(Snapshot(setup.ruleset, world, statistics, names), setup.controllers, setup.drivers)
        season._count_events()
        season.audit = Audit(world, season.rules) if audit else None
        return season

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        turn: int | None = None,
        save_to: str | os.PathLike[str] | None = None,
        agents: Driver | Sequence[Driver] | None = None,
        audit: bool = False,
    ) -> tuple[Season, LoadReport]:
        """Continue a saved season, exactly as if it had never stopped.

        Args:
            path: a save, or a folder of saves (then its newest whole file).
            turn: of a folder, the save of this turn.
            save_to: where to save every turn from now on; may be ``path`` itself.
            agents: who drives the nations, as `new` takes it; must be given again where policies or
                controllers of the caller's were, since no save holds them. Default: those of the save.
            audit: as in `new`.

        Raises:
            SaveError: the file, or every file of the folder, is broken; other agents played that season.
            ControllerError: who drove a nation is not known here.
        """
        snapshot, report = load(path, turn)
        played = snapshot.controllers
        drivers = _listed(played if agents is None else agents, len(played))
        names = [controllers.name_of(driver) for driver in drivers]
        if names != played:
            raise SaveError(
                f"{os.fspath(path)}: is a save of another game, driven by {', '.join(played)}, "
                f"not {', '.join(names) or repr(agents)}"
            )
        season = cls(snapshot, drivers)
        season.audit = Audit(season.world, season.rules) if audit else None
        if save_to is not None:
            season.save_every_turn(save_to, continues=os.path.realpath(save_to) == os.path.realpath(path))
        return season, report

    @property
    def seed(self) -> int:
        """The world's seed."""
        return int(self.world.clock["seed"][0])

    @property
    def turn(self) -> int:
        """The turn last played; 0 before the first."""
        return int(self.world.clock["turn"][0])

    @property
    def ended(self) -> bool:
        """Whether the rules have ended the season."""
        return int(self.world.clock["ending"][0]) != ending.RUNNING

    @property
    def before(self) -> World:
        """The world as it was before the last turn played; overwritten by the next."""
        return self._before

    def fill_plans(self) -> None:
        """Let the controllers write their living nations' plans for the coming turn (phase 1, TURN-002).

        The rule AI writes the plan of a nation of a language model whose queue is empty then (LLM-001,
        LLM-002). What a controller raises goes on to the caller, with a note of the turn and the nations.
        """
        living = self.world.nations["alive"] == 1
        tasks = [(name, seats[living[seats]], driver) for name, seats, driver in self._drivers]
        for _, seats, driver in self._drivers:
            proxy.note_steps(self.world, seats)
            self.world.nations["author"][seats] = AUTHORS[driver.code]
        for name, seats, driver in tasks:
            begin = getattr(driver, "begin", None)
            if begin is not None and seats.size:
                with self._noting(name, seats):
                    begin(self, seats)
        for name, seats, driver in tasks:
            if seats.size:
                with self._noting(name, seats):
                    driver.fill(self.world, self.rules, seats)
                    if driver.code == kinds.LLM:
                        proxy.stand_in(self.world, self.rules, seats)

    def stop_planning(self) -> None:
        """Tell controllers that wait for something to give up: the turn is then not played.

        May be called from a signal handler or another thread; `play_turn` raises `StoppedError` if somebody
        has given up, and the season is as it was before.
        """
        for _, _, driver in self._drivers:
            stop = getattr(driver, "stop", None)
            if stop is not None:
                stop()

    def set_controller(self, nation: int, driver: Driver) -> None:
        """Let another drive a nation from the next turn on; nothing else of it changes (LLM-006).

        An administrator's call, for between turns; agents have none such.

        Args:
            nation: its seat.
            driver: as `agents` of `new`.

        Raises:
            SeasonError: there is no such nation.
            ControllerError: there is no such controller.
        """
        seats = len(self._agents)
        seat = _whole(nation)
        if seat is None or not 0 <= seat < seats:
            raise SeasonError(f"nation={nation!r} must lie in 0..{seats - 1}")
        agents = [*self._agents[:seat], driver, *self._agents[seat + 1 :]]
        drivers = seats_by_controller(agents, self._drivers)
        self._agents, self._drivers = agents, drivers
        self.controllers[seat] = controllers.name_of(driver)
        self.world.nations["controller"][seat] = next(
            who.code for _, places, who in drivers if seat in places
        )
        if self.save_to is not None:
            self._save()

    def post(self, nation: int, text: object, to: object = ALL) -> str:
        """Post a message of a nation beside its plan of the coming turn (FAC-015, FAC-016).

        It is read from the end of that turn on, by those whom it is for. Nothing of it can be taken back.

        Args:
            nation: whose.
            text: what it says: at most `message.length` characters; line breaks become blanks.
            to: a nation (`nation_3` or 3), `faction` (the room of the nation's faction) or `all`.

        Returns:
            Why it is refused, in a sentence; empty if it is posted.

        Raises:
            SeasonError: there is no such nation.
        """
        seats = len(self.world.nations)
        seat = _whole(nation)
        if seat is None or not 0 <= seat < seats:
            raise SeasonError(f"nation={nation!r} must lie in 0..{seats - 1}")
        return self.board.post(self.world, self.rules, seat, to, text)

    def label_corps(
        self, nation: int, corps: int, name: int | None = None, colour: int | None = None
    ) -> None:
        """Give a corps another name or colour; labels without effect, kept until changed (ARMY-002, CMD-014).

        Args:
            nation: its seat.
            corps: 0..31.
            name: name number 0..999; None leaves it.
            colour: colour number 0..31; None leaves it.

        Raises:
            SeasonError: a number that can't be.
        """
        self._label("corps", self.world.corps, nation, corps, name, colour)

    def label_fleet(
        self, nation: int, fleet: int, name: int | None = None, colour: int | None = None
    ) -> None:
        """Give a fleet (0..15) another name or colour, likewise (NAVY-102).

        Raises:
            SeasonError: a number that can't be.
        """
        self._label("fleet", self.world.fleets, nation, fleet, name, colour)

    def _label(
        self, kind: str, records: Any, nation: int, number: int, name: int | None, colour: int | None
    ) -> None:
        """Set the labels of one record of a nation, and save."""
        limits = {"nation": len(self._agents) - 1, kind: records.shape[1] - 1, "name": MAX_LABEL,
                  "colour": MAX_COLOUR}  # fmt: skip
        given = {"nation": nation, kind: number, "name": name, "colour": colour}
        numbers = {key: _whole(value) for key, value in given.items() if value is not None}
        for key in ("nation", kind, *numbers):
            found = numbers.get(key)
            if found is None or not 0 <= found <= limits[key]:
                raise SeasonError(f"{key}={given[key]!r} must lie in 0..{limits[key]}")
        for key in ("name", "colour"):
            if key in numbers:
                records[key][numbers["nation"], numbers[kind]] = numbers[key]
        if self.save_to is not None:
            self._save()

    def play_turn(self) -> None:
        """Play one turn and save it where saves go.

        If a controller, the turn, its audit or the save fails, the season is as it was before (SAVE-002).

        Raises:
            SeasonError: the season has ended.
            AuditError: the season is audited and its books do not add up.
            SaveError: the turn can't be saved.
        """
        if self.ended:
            raise SeasonError(f"the season has ended at turn {self.turn}; it has no further turn")
        announce()
        assign_world(self._before, self.world)
        events, saves, board = dict(self.event_totals), self._saves, self.board.copy()
        try:
            self.fill_plans()
            if self.audit is not None:
                self.audit.check_opening(self.world)
            turn(self.world, self.rules)
            if self.audit is not None:
                self.audit.check_turn(self.world)
            self._count_events()
            self.board.deliver()
            self.board.look(self.world)
            if self.save_to is not None:
                self.save_to.back_up(self.turn)
                self._save()
        except BaseException:
            assign_world(self.world, self._before)
            self.event_totals, self._saves = events, saves
            self.board.assign(board)
            raise
        if self.audit is not None:
            self.audit.accept(self.world)
        self.statistics.record(self.world)

    def save_every_turn(self, place: str | os.PathLike[str], continues: bool = False) -> None:
        """Save the season now and after every turn, into a file or a folder of backups (SAVE-003, SAVE-012).

        Args:
            place: a file; or a folder: one that exists, or a name without a suffix.
            continues: the season in that folder is this one.

        Raises:
            SaveError: it can't be written, or the folder holds another season.
        """
        target = target_of(place, self.ruleset)
        if not continues:
            target.refuse_other_season()
        self.save_to = target
        self._save()

    def run(self, until: int | None = None, progress: Callable[[Season], bool | None] | None = None) -> None:
        """Play turns until the season ends.

        Args:
            until: stop after this turn (a caller's limit: the season is not over, see `result`).
            progress: called after every turn; stops if it returns True.
        """
        while not self.ended and (until is None or self.turn < until):
            self.play_turn()
            if progress is not None and progress(self):
                return

    def snapshot(self) -> Snapshot:
        """A copy of everything the season continues from (SAVE-001)."""
        statistics = Statistics.of_rules(self.rules, len(self.world.nations))
        statistics.history_turns = self.statistics.history_turns
        statistics.take_arrays(*self.statistics.to_arrays())
        return Snapshot(
            self.ruleset,
            copy_world(self.world),
            statistics,
            list(self.controllers),
            dict(self.event_totals),
            self._saves,
            self.board.copy(),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the season as it stands to one file."""
        SaveFile(path).write(self._live())

    def restore(self, source: Snapshot | str | os.PathLike[str], turn: int | None = None) -> None:
        """Take the world back to an earlier state; statistics and messages are not taken back (SAVE-006).

        Args:
            source: a snapshot, a save or a folder of saves.
            turn: of a folder, the save of this turn.

        Raises:
            SaveError: the save is broken or of another game.
        """
        snapshot = source if isinstance(source, Snapshot) else load(source, turn)[0]
        if snapshot.ruleset != self.ruleset or len(snapshot.world.nations) != len(self.world.nations):
            raise SaveError(f"{source}: is a save of another game, with other rules or nations")
        assign_world(self.world, snapshot.world)
        if self.audit is not None:
            self.audit.accept(self.world)
        kept = zip(self._agents, snapshot.controllers, strict=True)
        self._agents = [who if controllers.name_of(who) == name else name for who, name in kept]
        self._drivers = seats_by_controller(self._agents)
        self.controllers = list(snapshot.controllers)
        self.event_totals = dict(snapshot.event_totals)
        self.board.restore(snapshot.board)
        self.board.look(self.world)
        self.names = nation_names(len(self.world.nations), self.seed)
        if self.save_to is not None:
            self.save_to.back_up(0)
            self._save()

    def state_hash(self) -> str:
        """Digest of the whole World."""
        return state_hash(self.world)

    def result(self) -> dict[str, Any]:
        """The season so far as plain values; a season that has not ended counts as `truncated`.

        The lists have one entry a nation, in seat order.
        """
        code = int(self.world.clock["ending"][0])
        nations = self.world.nations
        ranks = scoring.ranks(self.world, self.rules)
        scores = [float(score) for score in scoring.scores(self.world, self.rules)]
        points = [float(share) for share in scoring.season_points(self.world, self.rules)]
        return {
            "scenario": self.ruleset.scenario,
            "overrides": self.ruleset.overrides,
            "rules_version": self.ruleset.version,
            "seed": self.seed,
            "nations": len(nations),
            "turns": self.turn,
            "game_hours": self.turn * int(self.rules.scalars["season_update_hours"][0]),
            "ending": ending.NAMES[code if code != ending.RUNNING else ending.TRUNCATED],
            "winners": [int(n) for n in np.flatnonzero(nations["winner"])],
            "ranks": ranks,
            "scores": scores,
            "points": points,
            "alive": [bool(flag) for flag in nations["alive"]],
            "land": nations["land"].tolist(),
            "area": nations["area"].tolist(),
            "population": nations["population"].tolist(),
            "assets": [float(scoring.mean_assets(self.world, self.rules, n)) for n in range(len(nations))],
            "controllers": list(self.controllers),
            "names": [name.romaji for name in self.names],
            "events": dict(sorted(self.event_totals.items())),
            "state_hash": self.state_hash(),
        }

    @contextmanager
    def _noting(self, name: str, seats: NDArray[np.int64]) -> Iterator[None]:
        """Note turn and nations on what a controller raises."""
        try:
            yield
        except Exception as error:
            whose = ", ".join(f"nation_{n}" for n in seats)
            error.add_note(f"raised by controller {name!r}, planning turn {self.turn + 1} of {whose}")
            raise

    def _live(self) -> Snapshot:
        return Snapshot(
            self.ruleset,
            self.world,
            self.statistics,
            self.controllers,
            self.event_totals,
            self._saves + 1,
            self.board,
        )

    def _save(self) -> None:
        assert self.save_to is not None
        self.save_to.write(self._live())
        self._saves += 1

    def _count_events(self) -> None:
        counts = self.world.clock["event_kinds"][0]
        for kind in np.flatnonzero(counts):
            name = event.NAMES.get(int(kind), str(int(kind)))
            self.event_totals[name] = self.event_totals.get(name, 0) + int(counts[kind])

    def _note_row(self) -> None:
        """Record the row of a loaded turn: it is made after the save, so the save has none (TURN-041)."""
        if self.turn > 0 and self.statistics.row(self.turn) is None:
            self.statistics.record(self.world)


class Setup(NamedTuple):
    """What a season is made from, checked."""

    ruleset: Ruleset
    seed: int
    controllers: list[Driver]  # one a nation
    drivers: Drivers  # who they are: made once, for all seasons that are made from this

    def driven_by(self, agents: Sequence[Driver]) -> Setup:
        """The same with other controllers, one a nation.

        Raises:
            ControllerError: there is no such controller.
        """
        return self._replace(controllers=list(agents), drivers=seats_by_controller(agents))


def check(
    scenario: str = "season",
    seed: int = 0,
    *,
    rules: Mapping[str, object] | None = None,
    ruleset_file: str | os.PathLike[str] | None = None,
    agents: Driver | Sequence[Driver] = controllers.EXTERNAL,
    nations: int | None = None,
    rules_source: str = "override",
) -> Setup:
    """Check the arguments of `Season.new`, quickly and without making anything.

    Nations are external unless ``agents`` says otherwise: an environment names its controllers later.
    ``rules_source`` is what an error about ``rules`` calls them.

    Raises:
        SeedError, ScenarioError, SeasonError, ControllerError, RulesetError: one of them is impossible.
    """
    ruleset = load_ruleset(scenario, rules, ruleset_file, rules_source)
    seats = _checked_nations(ruleset.nations if nations is None else nations)
    number = checked_seed(seed)
    who = _checked_agents(agents, seats)
    drivers = seats_by_controller(who)
    mapgen.check_map(ruleset, seats)
    return Setup(ruleset, number, who, drivers)


def make_world(setup: Setup) -> World:
    """The world of a checked setup before turn 1: a map and its nations, founded and counted.

    Raises:
        ScenarioError: the map of this seed has too few sites for the nations.
    """
    scalars, seats = setup.ruleset.rules.scalars, len(setup.controllers)
    world = new_world(int(scalars["map_width"][0]), int(scalars["map_height"][0]), seats, setup.seed)
    rules = kernel_rules(setup.ruleset)
    mapgen.generate(world, rules)
    prices.open_market(world, rules)
    founded = int(founding.settle_nations(world, rules, seats))
    if founded < seats:
        raise mapgen.ScenarioError(
            f"nations={seats} is too many for the map of seed {setup.seed} ({founded} found a site): "
            "take another seed, fewer nations or more land (worldgen.land_cells)"
        )
    for _, places, driver in setup.drivers:
        world.nations["controller"][places] = driver.code
    territory.index(world, rules)
    census.take(world, rules)
    ranking.rank(world, rules)  # so that nobody who lives is without a rank before phase 32 (TURN-033)
    market.fix_prices(world, rules)
    return world


def checked_seed(seed: object) -> int:
    """A seed as Python's int.

    Raises:
        SeedError: not a whole number, or outside 0..2**64 - 1.
    """
    allowed = "a whole number of 0..18446744073709551615"
    number = _whole(seed)
    if number is None:
        raise SeedError(f"seed is {seed!r} ({type(seed).__name__}); it must be {allowed}")
    if not 0 <= number < 1 << 64:
        raise SeedError(f"seed is {number}; it must be {allowed}")
    return number


def _whole(value: object) -> int | None:
    """A whole number of any kind as Python's int, None for anything else."""
    try:
        return None if isinstance(value, bool | np.bool_) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _checked_nations(nations: object) -> int:
    number = _whole(nations)
    if number is None:
        raise mapgen.ScenarioError(f"nations={nations!r} is no whole number: use 1..{MAX_NATIONS}")
    if not 1 <= number <= MAX_NATIONS:
        raise mapgen.ScenarioError(f"nations={number} is impossible: use 1..{MAX_NATIONS}")
    return number


def _checked_agents(agents: Driver | Sequence[Driver], seats: int) -> list[Driver]:
    """Who drives each seat."""
    drivers = _listed(agents, seats)
    if not drivers:
        wanted = f"the name of a controller, a policy or a controller, or a list of {seats}"
        raise SeasonError(f"agents={agents!r} must be {wanted}")
    if len(drivers) != seats:
        raise SeasonError(f"agents names {len(drivers)} controllers for {seats} nations; give one or {seats}")
    return drivers


def _listed(agents: Driver | Sequence[Driver], seats: int) -> list[Driver]:
    """One driver for all or one each, as a list; empty if it is neither."""
    if isinstance(agents, str) or controllers.is_policy(agents) or controllers.is_controller(agents):
        return [agents] * seats
    return list(agents) if isinstance(agents, Iterable) else []


Drivers = list[tuple[str, NDArray[np.int64], controllers.Controller]]


def seats_by_controller(drivers: Sequence[Driver], known: Drivers | None = None) -> Drivers:
    """The seats of each controller, which is asked once a turn for all of them.

    Args:
        drivers: one a seat; those with the same name are one controller.
        known: controllers with a name that there are already.
    """
    keys = [driver if isinstance(driver, str) else id(driver) for driver in drivers]
    named = {name: who for name, _, who in known or ()}
    found: Drivers = []
    for key in dict.fromkeys(keys):
        seats = np.array([seat for seat, other in enumerate(keys) if other == key], np.int64)
        driver = drivers[int(seats[0])]
        name = controllers.name_of(driver)
        kept = named.get(name) if isinstance(driver, str) else None
        found.append((name, seats, kept or controllers.get(driver)))
    return found
