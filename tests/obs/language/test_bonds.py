"""Factions, trade leagues, the containment and reserves for mates in words."""

import json
from typing import Any

import pytest

from hakoenv.engine import census, territory
from hakoenv.engine.commands import table
from hakoenv.obs.language import answers, forms, lines
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.testing import SmallWorld


@pytest.mark.rule("CMD-020", "CMD-028", "CMD-036", "CMD-046")
@pytest.mark.parametrize(
    ("said", "meant", "record"),
    [
        ("faction create", "faction_create", (100, 0, 0, 0, 0)),
        ("faction_apply to nation_2", "faction_apply with nation_2", (101, 0, 0, 0, 2)),
        ("faction_decide:accept nation_1", "faction_decide:accept with nation_1", (102, 0, 0, 1, 1)),
        ("faction_handover:accept", "faction_handover:accept", (106, 0, 0, 1, 0)),
        ("faction_handover:offer to nation_2", "faction_handover:offer with nation_2", (106, 0, 0, 0, 2)),
        ("faction_rename name=12", "faction_rename name=12", (107, 0, 0, 12, 0)),
        ("league_join:found", "league_join:found", (112, 0, 0, 0, 0)),
        ("league_join:join league 2", "league_join:join league=2", (112, 0, 0, 2, 0)),
        ("containment_join", "containment_join", (134, 0, 0, 0, 0)),
        ("aid_reserves to nation_1 strength=50", "aid_reserves with nation_1 strength=50", (50, 0, 0, 50, 1)),
    ],
)
def test_lines(said: str, meant: str, record: Any, scene: Any) -> None:
    found = lines.read(scene.vocabulary, said)
    assert isinstance(found, table.Packed) and tuple(found) == record
    assert forms.line(found) == meant


def leader() -> SmallWorld:
    w = SmallWorld(height=9, width=20, nations=4, turn=60)
    for n in range(4):
        w.cell(5 * n, 4, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, founded=0, funds=1500, reserves=90)
    w.faction("North", leader=0, members=[0, 1], applications=[[2, 55], [3, 59]])
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)
    territory.index(w.world, w.rules)
    return w


@pytest.mark.rule("FAC-003", "FAC-006", "TURN-067")
def test_what_a_command_before_rules_out_comes_back_with_a_reason() -> None:
    w = leader()
    said = [
        {"command": "faction_decide:accept", "nation": "nation_2"},
        {"command": "faction_decide:refuse", "nation": "nation_2"},
        {"command": "faction_expel", "nation": "nation_3"},
        {"command": "faction_rename", "name": 7},
        {"command": "faction_rename", "name": 8},
        {"command": "league_join:found"},
        {"command": "league_leave"},
    ]
    words = Vocabulary.of(w.world, w.ruleset)
    found = answers.parse(json.dumps({"commands": said}), w.world, w.rules, 0, words)
    assert found.lines == (
        "faction_decide:accept with nation_2",
        "faction_rename name=7",
        "league_join:found",
    )
    reasons = {entry.place: entry.reason for entry in found.rejected}
    assert reasons["commands[1]"] == "a command before it changes what stands between the two nations"
    assert "no other member" in reasons["commands[2]"]
    assert reasons.keys() == {"commands[1]", "commands[2]", "commands[4]", "commands[6]"}
