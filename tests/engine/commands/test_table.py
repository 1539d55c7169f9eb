"""Verbs: the data fits the command table, and packing loses nothing."""

import itertools

import pytest

from hakoenv.engine.commands import table
from hakoenv.ruleset import load_ruleset

VERBS = table.verbs()


def some_values(factor: table.Factor) -> list[int]:
    near = [factor.low, factor.low + 1, factor.high - 1, factor.high, *factor.numbers]
    return sorted({value for value in near if factor.low <= value <= factor.high})


@pytest.mark.rule("CMD-003")
def test_every_command_has_verbs_and_every_verb_a_name_of_its_own() -> None:
    assert {verb.command for verb in VERBS} == {row["number"] for row in load_ruleset().table("commands")}
    assert len(table.by_name()) == len(VERBS)
    assert len(table.command_names()) == 86
    assert all(len(verb.factors) <= 4 for verb in VERBS)


@pytest.mark.rule("CMD-002", "CMD-003")
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_packing_loses_nothing(verb: table.Verb) -> None:
    for values in itertools.islice(itertools.product(*map(some_values, verb.factors)), 20_000):
        if verb.name == "exchange:offer" and values[1] == values[3] == 0:
            continue  # nothing for nothing is the amount of an acceptance
        packed = table.pack(verb, (3, 4), 2, values)
        meaning = table.unpack(*packed)
        assert meaning is not None and meaning.verb is verb and meaning.values == values
        assert meaning.cell == ((3, 4) if verb.needs_cell else None)
        assert meaning.nation == (2 if verb.needs_nation else None)
        assert -(2**63) <= packed.amount < 2**63
        assert all(-(2**31) <= part < 2**31 for part in (packed.x, packed.y, packed.target))


def amounts_of(choices: str) -> list[int] | None:
    """The amounts that a cell of the command table lists as plain numbers; None if it says more."""
    if choices == "none":
        return [0]
    parts = [part.split("..") for part in choices.split(",")]
    if not all(part.lstrip("-").isdigit() for pair in parts for part in pair):
        return None
    return sorted({n for pair in parts for n in range(int(pair[0]), int(pair[-1]) + 1)})


@pytest.mark.rule("CMD-003")
def test_what_verbs_offer_are_the_choices_of_the_command_table() -> None:
    compared = 0
    for row in load_ruleset().table("commands"):
        wanted = amounts_of(str(row["amount_choices"]))
        if wanted is None:
            continue
        verbs = [verb for verb in VERBS if verb.command == row["number"]]
        offered = {
            table.pack(verb, (1, 2), 0, values).amount
            for verb in verbs
            for values in itertools.product(*(factor.numbers for factor in verb.factors))
        }
        assert sorted(offered) == wanted, row["name"]
        compared += 1
    assert compared > 60


@pytest.mark.parametrize(
    ("name", "values", "amount"),
    [
        pytest.param("build_ship:cruiser", (3,), 132),
        pytest.param("build_ship:submarine", (15,), 255),
        pytest.param("build_ship:naval_port", (), 0),
        pytest.param("corps_orders:defend", (3, 0), 3040),
        pytest.param("fleet_move:target", (7,), 107),
        pytest.param("fleet_move:clear", (7,), 1007),
        pytest.param("salvo_order:fleet", (3,), 2004),
        pytest.param("fleet_mode:fleet_cruise", (), 12),
        pytest.param("tariff_and_fee:transit_fee", (3,), 1003, marks=pytest.mark.rule("CMD-049")),
        pytest.param("export_cap", (7, 15), 700015, marks=pytest.mark.rule("CMD-049")),
        pytest.param("economic_facility:raise", (), 10, marks=pytest.mark.rule("CMD-039")),
        pytest.param("place_unit:artillery", (3, 50), 10649, marks=pytest.mark.rule("CMD-050")),
        pytest.param("worker_shares", (60, 30), 60030, marks=pytest.mark.rule("CMD-016")),
        pytest.param("abandon_nation", (), 999, marks=pytest.mark.rule("CMD-050")),
        pytest.param("lay_mine", (2,), 2),
        pytest.param("missile_ballistic", (2,), 2),
        pytest.param("embark", (6,), 6),
    ],
)
def test_amounts_are_those_of_the_rules(name: str, values: tuple[int, ...], amount: int) -> None:
    assert table.pack(table.by_name()[name], (1, 2), 0, values).amount == amount


def test_auctions_put_their_factors_into_all_fields() -> None:
    listing = table.pack(table.by_name()["auction_list"], values=(8, 6, 500, 450))
    assert listing == (92, 8, 6, 500, 450)
    bid = table.pack(table.by_name()["auction_bid"], values=(17, 1000))
    assert (bid.target, bid.amount) == (17, 1000)


def test_plain_ship_classes_mean_fleet_0() -> None:
    meaning = table.unpack(66, 1, 2, 4)
    assert meaning is not None and meaning.verb.name == "build_ship:carrier" and meaning.values == (0,)
    assert table.unpack(66, 1, 2, 6) is None  # merchants: not built by a nation


def test_groups_and_names_choose_verbs() -> None:
    everything, common = table.select("everything"), table.select()
    assert everything == VERBS
    left_out = {verb.name for verb in everything} - {verb.name for verb in common}
    always_refused = {"reclaim", "bank_deposit", "bank_loan"}
    assert left_out == {"abandon_nation", "defense_facility:self_destruct", "cede_land"} | always_refused
    groups = [verb.name for group in table.GROUPS for verb in table.select(group)]
    sold = ["export_cap", "buyback_target"]  # of economy and trade
    built = ["depot", "missile_base", "seabed_base", "defense_facility:build"]  # of economy and war
    said = ["declare_war", "ceasefire:offer", "ceasefire:withdraw"]  # of diplomacy and war
    assert sorted(groups) == sorted([*(verb.name for verb in common), *sold, *built, *said])
    assert {*sold, *built} <= {verb.name for verb in table.select("economy")}
    assert {*built, *said, "conscript", "missile_pp"} <= {verb.name for verb in table.select("war")}
    assert [verb.name for verb in table.select(["farm", "monument:wall"])] == ["farm", "monument:wall"]
    with pytest.raises(ValueError, match="nearest: farm"):
        table.select("frm")


def test_packing_refuses_what_is_missing_or_out_of_bounds() -> None:
    verb = table.by_name()["build_ship:cruiser"]
    with pytest.raises(ValueError, match="needs a cell"):
        table.pack(verb, values=(0,))
    with pytest.raises(ValueError, match=r"fleet=16 must lie in 0\.\.15"):
        table.pack(verb, (1, 2), None, (16,))
    with pytest.raises(ValueError, match="needs fleet"):
        table.pack(verb, (1, 2))
    with pytest.raises(ValueError, match="would mean exchange:accept"):
        table.pack(table.by_name()["exchange:offer"], None, 1, (0, 0, 0, 0))
