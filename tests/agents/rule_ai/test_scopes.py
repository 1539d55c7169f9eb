"""Whom the rule AI decides for: its own nations, language models with and without a plan, outsiders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hakoenv.engine.codes import command

Make = Callable[..., Any]
OWN, MATE, SILENT, SPEAKS, OUTSIDE, FOE = range(6)


def mixed(row: Make) -> Any:
    """Mates in a row but the last, who has declared war on the second; all have the same to give and sell."""
    w = row(6, ai__faction_funds=9000).w
    for n in (MATE, OUTSIDE, FOE):
        w.nation(n, controller="external")
    for n in (SILENT, SPEAKS):
        w.nation(n, controller="llm")
    for n in range(5):
        w.nation(n, food=9000, reserves=700, wood=90, export_cap={"wood": 40})
    w.faction("A", OWN, [OWN, MATE, SILENT, SPEAKS, OUTSIDE])
    w.relation(MATE, FOE, state="pending", turns_left=4, declarer=FOE)
    w.order(SPEAKS, "fundraise")
    return w


def planned(w: Any, n: int) -> list[int]:
    """The numbers of the commands in a nation's plan."""
    return [int(number) for number in w.world.plans["command"][n, : w.world.nations["plan_length"][n]]]


@pytest.mark.rule("AI-001")
def test_plans_are_written_for_its_own_nations_and_for_silent_models(row: Make) -> None:
    w = mixed(row)
    w.phase("plan_fill")
    assert len(planned(w, OWN)) > 1 and len(planned(w, SILENT)) > 1
    assert planned(w, SPEAKS) == [command.FUNDRAISE] and planned(w, OUTSIDE) == []
    assert command.AID_RESERVES in planned(w, OWN)  # both border on the mate
    assert command.AID_RESERVES not in planned(w, SILENT)
    w.phase("clock")
    w.phase("accounts_open")
    assert w.world.nations["mines_first"][[OWN, SILENT, SPEAKS, OUTSIDE]].tolist() == [1, 1, 0, 0]


@pytest.mark.rule("AI-001")
def test_auctions_and_the_containment_take_all_ai_nations_whoever_planned(row: Make) -> None:
    w = mixed(row)
    w.phase("auctions")
    lots = w.world.lots
    assert sorted(lots["seller"][lots["state"] > 0].tolist()) == [OWN, SILENT, SPEAKS]
    for x in (15, 16, 17):
        w.cell(x, 0, terrain="forest", owner=FOE)  # 6 of 21 hexes
    w.cell(6, 1, terrain="sea", owner=None)  # of 20: 30 percent, and twice the 3 of the next
    w.nation(FOE, war_record={"declarations": [99, 99, 99, 99], "cells": []})
    w.phase("nation_update")
    w.phase("diplomacy")
    assert w.world.containment["target"][0] == FOE
    assert w.world.nations["contained"].tolist() == [1, 0, 1, 1, 0, 0]
