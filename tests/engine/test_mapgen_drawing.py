"""Maps from drawings."""

import pytest

from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.mapgen.drawing import LEGEND, draw_map
from hakoenv.engine.world import new_world
from hakoenv.ruleset import load_ruleset

RULES = load_ruleset("duel").rules


def test_every_character_of_the_legend() -> None:
    text = "".join(LEGEND)
    world = new_world(len(text), 1, 1, 0)
    draw_map(world, RULES, text)
    drawn = list(zip(world.cells["terrain"][0].tolist(), world.cells["deposit"][0].tolist(), strict=True))
    assert drawn == list(LEGEND.values())


def test_deposits_get_their_richness_and_forests_their_trees() -> None:
    world = new_world(3, 4, 1, 0)
    draw_map(world, RULES, "isc\nouO\nPpf\nMw,\n")
    assert world.cells["richness"].tolist() == [[100, 150, 60], [100, 60, 500], [300, 300, 0], [0, 0, 0]]
    assert world.cells["level"].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 5], [0, 0, 0]]
    assert world.cells[1, 2]["terrain"] == terrain.WASTELAND
    assert world.cells[1, 2]["deposit"] == deposit.OIL
    assert (world.cells["climate"] == 2).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("~~~\n~~~", ["2 lines", "3 rows"]),
        ("~~~\n~~\n~~~", ["line 2", "2 characters", "3 cells"]),
        ("~~~\n~~~\n~x~", ["line 3, character 2", "'x'", "legend"]),
    ],
)
def test_mistakes_are_named(text: str, words: list[str]) -> None:
    with pytest.raises(ValueError) as refused:
        draw_map(new_world(3, 3, 1, 0), RULES, text)
    for word in words:
        assert word in str(refused.value)
