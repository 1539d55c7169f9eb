"""What is written is read back: every verb and every offered value, as a line and as an object."""

import itertools
import json

import pytest

from hakoenv.engine.commands import plans, table
from hakoenv.obs.language import documents, forms, lines
from hakoenv.obs.language.vocabulary import ITEMS, Vocabulary
from hakoenv.obs.text import text
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

VOCABULARY = Vocabulary(load_ruleset("season"), 40, 90, 90, "everything")


def some_values(factor: table.Factor) -> list[int]:
    """Its bounds and all that is offered."""
    return sorted({factor.low, factor.high, *factor.numbers})


def orders_of(verb: table.Verb) -> list[table.Packed]:
    found = []
    for values in itertools.product(*map(some_values, verb.factors)):
        if verb.name == "exchange:offer" and values[1] == values[3] == 0:
            continue  # an offer of nothing for nothing means an acceptance
        found += [table.pack(verb, (0, 0), 39, values), table.pack(verb, (89, 7), 0, values)]
    return found


@pytest.mark.rule("CMD-003", "LLM-015")
@pytest.mark.parametrize("verb", table.verbs(), ids=lambda verb: verb.name)
def test_nothing_is_lost_on_the_way_through_a_line_or_a_document(verb: table.Verb) -> None:
    for order in orders_of(verb):
        assert lines.read(VOCABULARY, forms.line(order)) == order
        entry = documents.load(json.dumps(forms.document(order)))
        assert documents.read(VOCABULARY, entry) == order
        assert lines.read(VOCABULARY, plans.order_name(order)) == order  # as logs tell it


@pytest.mark.parametrize("verb", table.verbs(), ids=lambda verb: verb.name)
def test_a_document_has_just_the_arguments_of_its_verb(verb: table.Verb) -> None:
    names = ["command", *(argument.name for argument in VOCABULARY.arguments(verb))]
    assert list(forms.document(orders_of(verb)[0])) == names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("japanese", [False, True])
def test_what_the_text_view_shows_is_what_the_parser_reads(japanese: bool) -> None:
    """A plan of every verb, 50 at a time: the lines of the view are the commands."""
    every = [orders_of(verb)[-1] for verb in table.verbs()]
    for start in range(0, len(every), 50):
        w = SmallWorld(height=90, width=90, nations=40, turn=50)
        w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
        part = every[start : start + 50]
        plans.set_plan(w.world, 0, part)
        told = text(w.world, w.rules, w.ruleset, 0, japanese=japanese)
        shown = told.split("## Plan\n")[1].split("\n\n")[0].split("\n")
        assert [lines.read(VOCABULARY, line) for line in shown] == part


def test_items_are_told_by_name() -> None:
    aid = table.pack(table.by_name()["national_aid"], None, 2, (10, 5))
    assert forms.line(aid) == "national_aid with nation_2 item=reserves quantity=5"
    trade = table.pack(table.by_name()["exchange:offer"], None, 2, (0, 5, 9, 7))
    assert "offered_item=wood offered=5 wanted_item=funds wanted=7" in forms.line(trade)
    assert len(ITEMS) == 11


def test_a_record_that_no_verb_means_is_told_by_its_fields() -> None:
    order = table.Packed(66, 1, 2, 9, 0)
    assert forms.line(order) == "build_ship (1,2) amount 9 target 0"
    assert forms.line(table.Packed(500)).startswith("unknown command 500")
    with pytest.raises(ValueError, match="no verb"):
        forms.document(order)


def test_a_template_shows_what_is_allowed() -> None:
    verb = table.by_name()["place_unit:infantry"]
    shape = forms.template(verb, VOCABULARY.arguments(verb), {"corps": "3"})
    assert shape == "place_unit:infantry at (0..89,0..89) corps=3 strength=1..200"
