"""What a network makes of an observation depends on that observation only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch
from hakoenv.agents.policy import features, sampling
from hakoenv.agents.policy.form import CELLS, READ

from hakoenv.obs import pieces
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, NATION, VERB


def heads_of(network: Any, known: Any, cell: int = 3) -> list[Any]:
    """Logits of every head of a first command of the verb 2."""
    commands = torch.zeros(len(known.state), 1, HEADS, dtype=torch.long)
    commands[..., VERB], commands[..., CELL], commands[..., NATION] = 2, cell, 1
    context = torch.zeros(len(known.state), 1, network.sizes["width"])
    stand = network.stand(known, context, torch.tensor([0]))
    return [
        sampling.head_logits(network, known, stand, commands, head)
        for head in (VERB, NATION, CELL, FACTOR, FACTOR + 1)
    ]


def test_empty_places_of_the_cell_list_change_nothing(
    network: Any, situation: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = situation.features()
    used = short.listed.shape[1]
    assert used < CELLS
    monkeypatch.setattr(features, "used_cells", lambda seen: CELLS)
    long = situation.features()
    assert long.listed.shape[1] == CELLS
    with torch.no_grad():
        one, two = network.encode(short), network.encode(long)
        for name in ("state", "nations", "corps", "value"):
            assert torch.allclose(getattr(one, name), getattr(two, name), atol=1e-4), name
        assert torch.allclose(one.cells[:, :used], two.cells[:, :used], atol=1e-4)
        assert torch.allclose(one.cells[:, -1], two.cells[:, -1])  # "no cell"
        for first, second in zip(heads_of(network, one), heads_of(network, two), strict=True):
            assert torch.allclose(first, second[..., : first.shape[-1]], atol=1e-3)


def test_other_rows_change_nothing(network: Any, situation: Any) -> None:
    with torch.no_grad():
        together = network.encode(situation.features())
        for row in range(3):
            alone = network.encode(
                features.read({name: array[row : row + 1] for name, array in situation.seen.items()})
            )
            assert torch.allclose(alone.state[0], together.state[row], atol=1e-4)
            assert torch.allclose(alone.value[0], together.value[row], atol=1e-4)
            assert torch.allclose(alone.corps[0], together.corps[row], atol=1e-4)
            used = alone.cells.shape[1] - 1
            assert torch.allclose(alone.cells[0, :used], together.cells[row, :used], atol=1e-4)


def blank(rows: int = 1) -> dict[str, Any]:
    """Observations of nothing."""
    every = {piece.name: piece for piece in pieces.all_pieces(1, 1, CELLS)}
    return {name: np.zeros((rows, *every[name].shape), every[name].dtype) for name in READ}


def test_an_observation_of_nothing_can_be_read(network: Any) -> None:
    known = network.encode(features.read(blank()))
    assert torch.isfinite(known.state).all() and torch.isfinite(known.value).all()


def test_only_listed_places_are_read_in_steps_of_16() -> None:
    seen = blank(2)
    seen["cells"][0, :5, 0] = 1
    seen["cells"][1, :17, 0] = 1
    assert features.used_cells(seen) == 32
    assert features.read(seen).listed.sum(dim=1).tolist() == [5, 17]
    seen["cells"][1, :, 0] = 1
    assert features.used_cells(seen) == CELLS


def test_a_unit_knows_the_place_of_its_cell() -> None:
    """Cells (4, 7), (5, 7); units at (5, 7) and (9, 9), which is not listed: the place behind the last."""
    columns = {
        name: [c.name for c in piece].index for name, piece in (("c", pieces.CELL), ("u", pieces.UNIT))
    }
    seen = blank()
    for place, x in enumerate((4, 5)):
        seen["cells"][0, place, [columns["c"](name) for name in ("listed", "x", "y")]] = 1, x, 7
    for place, (x, y, corps) in enumerate(((5, 7, 3), (9, 9, 0))):
        names = ("listed", "x", "y", "corps")
        seen["units"][0, place, [columns["u"](name) for name in names]] = 1, x, y, corps
    found = features.read(seen)
    assert found.unit_place.tolist() == [[1, 16]]
    assert found.unit_corps.tolist() == [[3, 0]]
    assert found.unit_listed.tolist() == [[True, True]]


def test_a_ship_knows_the_place_of_its_cell_and_its_fleet(network: Any) -> None:
    """Ships at (4, 7) in fleet 2 and at (5, 7) in none: both are there, one is led."""
    names = [column.name for column in pieces.SHIP]
    seen = blank()
    for place, (x, fleet) in enumerate(((4, 2), (5, -1))):
        seen["cells"][0, place, [c.name for c in pieces.CELL].index("listed")] = 1
        for name, value in (("listed", 1), ("x", x), ("y", 7), ("fleet", fleet)):
            seen["ships"][0, place, names.index(name)] = value
            if name in ("x", "y"):
                seen["cells"][0, place, [c.name for c in pieces.CELL].index(name)] = value
    found = features.read(seen)
    assert found.ship_place.tolist() == [[0, 1]]
    assert found.ship_listed.tolist() == [[True, True]]
    assert found.ship_led.tolist() == [[True, False]] and found.ship_fleet[0, 0] == 2
    fleets = network.encode(found).fleets[0]
    assert fleets.abs().sum(dim=-1).nonzero().tolist() == [[2]]  # the other fleets have no ship


def test_numbers_become_logarithms() -> None:
    """0.25 log(1 + 99) = 1.1513, and the same below 0."""
    seen = blank()
    seen["own"][0, :2] = 99, -99
    whole = features.read(seen).whole
    assert whole.shape == (1, features.whole_size())
    assert whole[0, :3].tolist() == pytest.approx([1.1513, -1.1513, 0.0], abs=1e-4)
