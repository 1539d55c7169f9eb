"""What the numbers do over seasons of rule AIs, and that the books of whole seasons are right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hakoenv.experiments.balance import alliances, measure, navies, trade, wars

from hakoenv.cli import main
from hakoenv.engine import happenings
from hakoenv.engine.codes import cause, ending, event, item, relation, ship_class
from hakoenv.engine.season import Season
from hakoenv.testing import SmallWorld

CAP = 30000


def test_courses_have_a_row_a_season_and_end_with_it() -> None:
    courses = measure.play("duel", [3, 4], {"season.max_turns": 12})
    assert courses.living.shape == (2, 12)
    assert courses.prices.shape == (2, 12, 9)
    assert (courses.living == 2).all()
    assert (courses.prices[:, 0, 8] == 1).all()  # food has a fixed price (MKT-025)
    assert (courses.discrepancies == 0).all()


def test_a_price_swings_only_if_it_rose_and_fell_in_one_season() -> None:
    rising = np.array([[1.0, 1.1, 1.2], [1.0, 1.0, 1.0]])
    both = np.array([[1.0, 1.0, np.nan], [1.0, 1.1, 1.05]])
    assert not measure._swings(rising)
    assert not measure._swings(2 - rising)
    assert measure._swings(both)


def test_the_command_prints_figures_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "balance.png"
    arguments = [
        "--scenario",
        "duel",
        "--seasons",
        "2",
        "--rules",
        "season.max_turns=12",
        "--out",
        str(picture),
    ]
    done = CliRunner().invoke(main, ["balance", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["seasons"] == 2
    assert figures["funds_cap"] == CAP
    assert figures["discrepancies"] == 0
    assert figures["war"]["nations_fallen"] == 0  # twelve turns are too few
    assert picture.stat().st_size > 10_000


def test_a_wrong_rule_is_one_sentence() -> None:
    done = CliRunner().invoke(main, ["balance", "--rules", "mine.pile_per_level=many"])
    assert done.exit_code == 2
    assert "mine.pile_per_level" in done.output


def test_wars_are_counted_from_their_opening_to_their_end() -> None:
    season = Season.new("duel", seed=3, agents="rule_ai")
    world, is_town = season.world, season.rules.terrains["is_town"] == 1
    watch = wars.Wars(is_town, half=60)

    def turn(number: int, state: int, **kinds: int) -> None:
        world.clock["turn"] = number
        world.clock["event_kinds"] = 0
        for name, count in kinds.items():
            world.clock["event_kinds"][0, getattr(event, name)] = count
        world.clock["event_count"] = 0
        world.relations["state"][0, 1] = world.relations["state"][1, 0] = state
        watch.look(world)

    turn(8, relation.PENDING)
    turn(10, relation.WAR, WAR_OPENED=1, BATTLE=2)
    turn(11, relation.WAR, CELL_CAPTURED=3, MISSILE=1)
    turn(12, relation.PEACE)
    turn(50, relation.WAR, WAR_OPENED=1)
    world.nations["alive"][1] = 0
    turn(61, relation.PEACE, FELL=1)
    figures = wars.judge([watch])
    assert (watch.opened, watch.peaces, watch.falls, watch.fallen, watch.early) == (2, 1, 1, 1, 0)
    assert figures["ended_in_peace_percent"] == 50 and figures["hexes_taken"] == 3
    assert figures["first_fight_median"] == 10 and figures["first_fight_by_20_percent"] == 100
    assert figures["turns_at_war_percent"] == round(100 * 6 / 11, 1)  # two nations, later one


@pytest.mark.soak
def test_fifty_skirmishes_know_wars_conquests_and_peace() -> None:
    war = measure.judge(measure.play("skirmish", range(50)), CAP)["war"]
    assert war["with_war_percent"] >= 90
    assert war["with_city_taken_percent"] >= 80
    assert 10 <= war["with_fall_percent"] <= 80  # some nations die
    assert war["with_early_fall_percent"] <= 20  # but not early
    assert war["ended_in_peace_percent"] >= 60


@pytest.mark.soak
def test_duels_see_fighting_before_turn_20() -> None:
    war = measure.judge(measure.play("duel", range(50)), CAP)["war"]
    assert war["with_war_percent"] >= 90
    assert war["first_fight_by_20_percent"] >= 60


@pytest.mark.soak
def test_twenty_seasons_play_well() -> None:
    figures = measure.judge(measure.play("season", range(20)), CAP)
    assert figures["starving_percent"] <= 5
    assert figures["funds_late"] < CAP / 2
    assert min(figures["policies"].values()) > 0
    assert min(figures["research"].values()) >= 1
    assert len(figures["prices_both_ways"]) >= 3
    assert figures["discrepancies"] == 0


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(50))
def test_the_books_of_a_whole_season_are_right(seed: int) -> None:
    Season.new("season", seed=seed, agents="rule_ai", audit=True).run()


@pytest.mark.parametrize("out", ["", "missing/picture.png"])
def test_a_place_where_no_picture_can_go_is_refused_before_playing(tmp_path: Path, out: str) -> None:
    arguments = ["balance", "--scenario", "duel", "--seasons", "1", "--out", str(tmp_path / out)]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 2
    assert "can't be written" in found.output


def test_what_comes_by_sea_is_counted() -> None:
    """A unit is landed on an enemy's farm, which it takes; an enemy destroyer is shot on the way."""
    w = SmallWorld(nations=2, seed=0)
    w.cell(4, 5, terrain="town", owner=0, population=40, capital=True)
    w.cell(9, 5, terrain="town", owner=1, population=40, capital=True)
    w.cell(9, 6, terrain="farm", owner=1, level=10, resistance=1)
    w.war(0, 1)
    w.nation(0, funds=1000, ammo=20, food=1000, fuel=50)
    w.nation(1, fuel=50)
    w.unit(0, "marines", 4, 5, strength=150, corps=0)
    w.corps(0, 0, order="defend", direction=0)
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(1, "destroyer", 8, 7, hp=1)
    watch = navies.Navies(w.rules.terrains["is_town"] == 1)
    w.order(0, "embark", 5, 5, amount=5)
    w.order(0, "fleet_move", 8, 6, amount=100)
    for turn in range(2):
        w.run(1)
        watch.look(w.world)
        if turn == 0:
            w.order(0, "disembark", 8, 6, amount=2)
    assert (watch.sunk, watch.shot, watch.fights, watch.landed) == (1, 1, 1, 1)
    assert (watch.hexes, watch.cities) == (1, 0)
    figures = navies.judge([watch, navies.Navies(w.rules.terrains["is_town"] == 1)])
    assert figures["landed"] == 0.5
    assert (figures["without_built"], figures["without_fights"], figures["without_cities"]) == (1, 1, 2)


def test_trade_is_counted() -> None:
    """Deals and raids by events, containers, books, and contracts that are gone."""
    w = SmallWorld(nations=3, seed=0)
    w.ship(0, "merchant", 4, 4)
    w.ship(1, "fishing_boat", 6, 6)
    watch = trade.Trade(deliveries=2)
    world = w.world
    for k, (number, sent, seller) in enumerate([(1, 1, 1), (2, 2, 2), (3, 1, 2)]):
        world.contracts[k]["number"], world.contracts[k]["sent"] = number, sent
        world.contracts[k]["buyer"], world.contracts[k]["seller"] = 0, seller
    world.clock["contracts_made"], world.clock["lots_made"] = 3, 5
    world.relations["land_used"][0, 1] = world.relations["land_used"][1, 0] = 7
    world.private_accounts[0, cause.TRADE, item.FUNDS] = -2500
    world.private_accounts[1, cause.TRADE, item.FUNDS] = 2500
    seen = watch.look(world)
    assert (seen["land"], seen["merchants"], seen["fishing boats"]) == (7, 1, 1)
    world.contracts["number"][:2] = 0  # one broken, the other has had both shipments
    happenings.clear(world)
    happenings.record_between(world, event.SUPPLY_BREACH, 1, 0, -1, item.STEEL)
    happenings.record(world, event.RAIDED, 0, 3, 12)
    happenings.record_between(world, event.SHIP_SUNK, 1, -1, 3, ship_class.FISHING_BOAT)
    happenings.record_between(world, event.SHIP_SUNK, 1, 0, 3, ship_class.FISHING_BOAT)
    watch.look(world)
    assert (watch.signed, watch.broken, watch.kept, watch.listed) == (3, 1, 1, 5)
    assert (watch.land, watch.paid, watch.raided, watch.looted, watch.robbed) == (14, 5.0, 1, 12, 1)
    assert trade.judge([watch, trade.Trade(2)])["built merchants"] == 0.5


def test_the_spread_of_prices_is_that_of_the_living() -> None:
    """Nine tenths of the way from 10 to 20 less one tenth: 19 - 11 = 8, of a median of 15."""
    w = SmallWorld(nations=3, seed=0)
    w.world.nations["alive"] = [1, 1, 0]
    w.world.nations["prices"] = np.array([[10], [20], [1000]])
    assert trade.spread(w.world) == pytest.approx(8 / 15)
    w.world.nations["alive"] = [1, 0, 0]
    assert np.isnan(trade.spread(w.world))


def test_alliances_are_counted() -> None:
    """Two nations of three are in a faction that holds 60 of 100 hexes of land."""
    w = SmallWorld(nations=3, seed=0)
    world = w.world
    world.nations["alive"] = 1
    world.nations["faction"], world.nations["league"] = [2, 2, -1], [-1, -1, 0]
    world.nations["land"], world.clock["all_land"] = [40, 20, 30], 100
    happenings.record(world, event.FACTION_FOUNDED, 0, -1, 2)
    watch = alliances.Alliances()
    watch.look(world)
    world.clock["ending"] = ending.FACTION_CONQUEST
    happenings.clear(world)
    watch.look(world)
    figures = alliances.judge([watch])
    assert figures["factions founded"] == 1 and figures["endings"] == {"faction_conquest": 1}
    assert figures["turns_in_faction_percent"] == 66.7 and figures["turns_in_league_percent"] == 33.3
    assert figures["largest_faction_land_percent"] == 60


@pytest.mark.soak
@pytest.mark.rule("AI-050", "AI-037")
def test_no_season_is_without_ships_and_landings() -> None:
    sea = measure.judge(measure.play("season", range(20)), CAP)["navy"]
    assert sea["without_built"] == sea["without_landed"] == 0
    assert sea["fights"] > 0 and sea["cities"] > 0
