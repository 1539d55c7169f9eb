"""The schema takes what the parser takes, and keeps to what endpoints take."""

import json
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from hakoenv.cli import main
from hakoenv.engine.commands import table
from hakoenv.obs.language import documents, forms
from hakoenv.obs.language.schema import FORMS, schema
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import load_ruleset

SEASON = load_ruleset("season")
VOCABULARY = Vocabulary(SEASON, 20, 90, 90, "everything")
PLAIN = {"$schema", "$defs", "$ref", "type", "properties", "required", "additionalProperties", "enum",
         "anyOf", "items", "description"}  # fmt: skip
BOUNDS = {"minimum", "maximum", "maxItems"}


def example(verb: table.Verb) -> table.Packed:
    values = [factor.numbers[-1] if factor.numbers else factor.low for factor in verb.factors]
    values[1:2] = [max(value, 1) for value in values[1:2]] if verb.name == "exchange:offer" else values[1:2]
    return table.pack(verb, (7, 8), 3, values)


def entry_of(order: table.Packed, form: str, made: dict[str, Any]) -> dict[str, Any]:
    entry = forms.document(order)
    if form == "flat":
        names = made["properties"]["commands"]["items"]["required"]
        return dict.fromkeys(names) | entry
    return entry


def plan_of(*entries: Any) -> dict[str, Any]:
    return {"mode": "replace", "commands": list(entries), "messages": None, "notes": None}


def nodes(node: Any) -> Any:
    """Every schema within a schema."""
    yield node
    for key, value in node.items():
        if key in {"properties", "$defs"}:
            for inner in value.values():
                yield from nodes(inner)
        elif key == "anyOf":
            for inner in value:
                yield from nodes(inner)
        elif key == "items":
            yield from nodes(value)


@pytest.mark.parametrize("form", FORMS)
def test_every_verb_validates(form: str) -> None:
    made = schema(VOCABULARY, form)
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    for verb in VOCABULARY.offered:
        entry = entry_of(example(verb), form, made)
        assert validator.is_valid(plan_of(entry)), verb.name
        assert documents.read(VOCABULARY, documents.load(json.dumps(entry))) == example(verb)


@pytest.mark.parametrize("form", FORMS)
def test_what_the_parser_refuses_by_its_form_does_not_validate(form: str) -> None:
    made = schema(VOCABULARY, form)
    validator = jsonschema.Draft202012Validator(made)
    farm = entry_of(example(table.by_name()["farm"]), form, made)
    assert validator.is_valid(plan_of(farm))
    wrong: list[Any] = [
        plan_of({**farm, "x": 90}), plan_of({**farm, "x": -1}), plan_of({**farm, "x": "7"}),
        plan_of({**farm, "x": 7.5}), plan_of({**farm, "x": True}), plan_of({**farm, "command": "frm"}),
        plan_of({**farm, "more": 1}), plan_of({"command": "farm", "x": 7}), plan_of("farm at (7,8)"),
        plan_of(None), plan_of(*[farm] * 51), {**plan_of(), "mode": "add"},
        {"mode": "keep", "commands": []}, {**plan_of(farm), "thoughts": ""}, [], None,
    ]  # fmt: skip
    assert [document for document in wrong if validator.is_valid(document)] == []
    if form == "shapes":
        assert not validator.is_valid(plan_of({"command": "farm", "x": 7, "y": 8, "corps": 1}))
        assert not validator.is_valid(plan_of({"command": "declare_war", "nation": "nation_20"}))
        assert not validator.is_valid(plan_of({"command": "export_cap", "item": "funds", "quantity": 1}))


@pytest.mark.parametrize("form", FORMS)
def test_messages_validate_as_they_are_read(form: str) -> None:
    validator = jsonschema.Draft202012Validator(schema(VOCABULARY, form))
    said = [{"to": to, "text": "peace?"} for to in ("nation_0", "nation_19", "faction", "all")]
    assert validator.is_valid({**plan_of(), "messages": said})
    assert validator.is_valid({**plan_of(), "messages": []})
    for wrong in ([*said, said[0]], said[0], [{"to": "nation_20", "text": "x"}], [{"to": "all"}], ["x"]):
        assert not validator.is_valid({**plan_of(), "messages": wrong})
    silent = Vocabulary(load_ruleset("season", {"message.per_turn": 0}), 20, 90, 90, "economy")
    mute = jsonschema.Draft202012Validator(schema(silent, form))
    assert mute.is_valid(plan_of()) and not mute.is_valid({**plan_of(), "messages": said[:1]})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bounds", [True, False])
def test_it_keeps_to_the_subset_of_structured_outputs(form: str, bounds: bool) -> None:
    """Published limits of OpenAI: 5,000 members, 10 levels, 1,000 enumerated values, 120,000 letters."""
    for seats, name in ((2, "duel"), (40, "grand")):
        made = schema(Vocabulary(load_ruleset(name), seats, 90, 90, "everything"), form, bounds)
        every = list(nodes(made))
        assert {key for node in every for key in node} <= (PLAIN | BOUNDS if bounds else PLAIN)
        assert made["type"] == "object"
        for node in every:
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
        enumerated = [word for node in every for word in node.get("enum", ())]
        members = [name for node in every for name in node.get("properties", ())]
        assert len(enumerated) <= 1000 and len(members) <= 200
        assert len("".join([*enumerated, *members, *made["$defs"]])) < 15_000
        assert len(json.dumps(made)) < 20_000


def test_shapes_are_told_apart_by_their_command() -> None:
    shapes = schema(VOCABULARY)["properties"]["commands"]["items"]["anyOf"]
    names = [name for shape in shapes for name in shape["properties"]["command"]["enum"]]
    assert sorted(names) == sorted(verb.name for verb in VOCABULARY.offered)
    assert {"farm", "build_ship:cruiser", "exchange:offer", "faction_create"} <= set(names)
    assert all(next(iter(shape["properties"])) == "command" for shape in shapes)


def test_one_shape_needs_no_union() -> None:
    made = schema(Vocabulary(SEASON, 2, 30, 30, "farm"))
    assert made["properties"]["commands"]["items"]["properties"]["command"]["enum"] == ["farm"]
    assert "$defs" not in made
    with pytest.raises(ValueError, match="shapes, flat"):
        schema(VOCABULARY, "round")


def test_the_program_prints_it() -> None:
    runner = CliRunner()
    printed = runner.invoke(main, ["schema", "--scenario", "duel", "--commands", "economy,farm"])
    assert printed.exit_code == 0
    made = json.loads(printed.output)
    assert made == schema(Vocabulary(load_ruleset("duel"), 2, 30, 30, "economy"))
    flat = runner.invoke(main, ["schema", "--form", "flat", "--no-bounds"])
    assert json.loads(flat.output) == schema(Vocabulary(SEASON, 20, 90, 90), "flat", bounds=False)


@pytest.mark.parametrize(
    "wrong",
    [["--commands", "frm"], ["--commands", "bank_loan"], ["--scenario", "no"], ["--form", "round"]],
)
def test_the_program_refuses_in_one_sentence(wrong: list[str]) -> None:
    refused = CliRunner().invoke(main, ["schema", *wrong])
    assert refused.exit_code == 2 and refused.output.startswith("hakoenv: ")
    assert refused.output.count("\n") == 1
