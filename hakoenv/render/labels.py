"""Names on the map: placed around their capitals so that they cover neither each other nor a capital."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import ImageDraw

from hakoenv.render import colours, fonts
from hakoenv.render.colours import Colour

Box = tuple[float, float, float, float]


class Label(NamedTuple):
    """A name at a place: ``anchor`` is what it belongs to, ``weight`` decides who is placed first."""

    text: str
    anchor: tuple[float, float]
    colour: Colour
    weight: int


def draw(pen: ImageDraw.ImageDraw, labels: Sequence[Label], size: int, gap: float, area: Box) -> None:
    """Draw labels inside ``area``.

    Args:
        pen: of the picture.
        labels: what to draw.
        size: text height in pixels.
        gap: distance of a text from its anchor.
        area: left, top, right, bottom that texts stay in.
    """
    stars = [_around(label.anchor, gap * 0.75) for label in labels]
    placed: list[Box] = []
    for label in sorted(labels, key=lambda each: (-each.weight, each.anchor)):
        font = fonts.load(size)
        wide = pen.textlength(label.text, font=font)
        box = min(
            _places(label.anchor, wide, size * 1.25, gap),
            key=lambda place: _cost(place, placed, stars, label.anchor, area),
        )
        placed.append(box)
        pen.text(
            ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
            label.text,
            font=font,
            anchor="mm",
            fill=colours.mix(label.colour, colours.INK, 0.72),
            stroke_width=max(2, size // 6),
            stroke_fill=(255, 255, 252),
        )


def _around(point: tuple[float, float], reach: float) -> Box:
    return point[0] - reach, point[1] - reach, point[0] + reach, point[1] + reach


def _places(anchor: tuple[float, float], wide: float, tall: float, gap: float) -> list[Box]:
    """Candidate boxes, best first: below, above, right, left, then farther ones."""
    x, y = anchor
    places = []
    for away in (1.0, 2.2, 3.6):
        g = gap * away
        for cx, cy in (
            (0.0, g + tall / 2),
            (0.0, -g - tall / 2),
            (g + wide / 2, 0.0),
            (-g - wide / 2, 0.0),
            (g + wide / 2, g),
            (-g - wide / 2, g),
            (g + wide / 2, -g),
            (-g - wide / 2, -g),
        ):
            places.append((x + cx - wide / 2, y + cy - tall / 2, x + cx + wide / 2, y + cy + tall / 2))
    return places


def _cost(
    place: Box, placed: Sequence[Box], stars: Sequence[Box], own: tuple[float, float], area: Box
) -> float:
    """Pixels of others covered, of itself outside, and a little for distance."""
    covered = sum(_overlap(place, other) for other in placed) * 4
    covered += sum(_overlap(place, other) for other in stars) * 2
    outside = _size(place) - _overlap(place, area)
    away = abs((place[0] + place[2]) / 2 - own[0]) / 3 + abs((place[1] + place[3]) / 2 - own[1])
    return covered + outside * 20 + away


def _overlap(a: Box, b: Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _size(a: Box) -> float:
    return (a[2] - a[0]) * (a[3] - a[1])
