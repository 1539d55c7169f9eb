"""A pen for small vector symbols."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from hakoenv.render import colours, fonts
from hakoenv.render.colours import Colour

_FINE = 4  # stamps are drawn this much larger, then reduced

WALL: Colour = (250, 246, 236)
ROOF: Colour = (186, 74, 54)
WOOD: Colour = (134, 96, 60)
LEAF: Colour = (58, 112, 62)
LIT: Colour = (252, 232, 150)


class Pen:
    """Draws in a unit square (0, 0)..(1, 1) of a stamp."""

    def __init__(self, size: int) -> None:
        """A clear stamp of ``size`` pixels."""
        self.size = size
        self.pixels = size * _FINE
        self.image = Image.new("RGBA", (self.pixels, self.pixels), (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def at(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Points in pixels of the large stamp."""
        return [(x * self.pixels, y * self.pixels) for x, y in points]

    def shape(self, colour: Colour, *points: tuple[float, float]) -> None:
        """A filled polygon."""
        self.draw.polygon(self.at(points), fill=colour)

    def box(self, colour: Colour, x0: float, y0: float, x1: float, y1: float) -> None:
        """A filled rectangle."""
        self.draw.rectangle(self.at([(x0, y0), (x1, y1)]), fill=colour)

    def disc(self, colour: Colour, x: float, y: float, radius: float) -> None:
        """A filled circle."""
        self.draw.ellipse(self._round(x, y, radius), fill=colour)

    def ring(self, colour: Colour, x: float, y: float, radius: float, wide: float) -> None:
        """A circle's line."""
        box = self._round(x, y, radius)
        self.draw.ellipse(box, outline=colour, width=max(1, round(wide * self.pixels)))

    def arc(
        self, colour: Colour, x: float, y: float, radius: float, start: int, end: int, wide: float
    ) -> None:
        """A part of a circle's line, degrees clockwise from the right."""
        self.draw.arc(
            self._round(x, y, radius), start, end, fill=colour, width=max(1, round(wide * self.pixels))
        )

    def line(self, colour: Colour, wide: float, *points: tuple[float, float]) -> None:
        """A line through points."""
        self.draw.line(self.at(points), fill=colour, width=max(1, round(wide * self.pixels)), joint="curve")

    def text(self, colour: Colour, x: float, y: float, high: float, words: str) -> None:
        """A word around (x, y)."""
        font = fonts.load(max(1, round(high * self.pixels)))
        self.draw.text((x * self.pixels, y * self.pixels), words, font=font, fill=colour, anchor="mm")

    def house(self, x: float, y: float, side: float, roof: Colour = ROOF) -> None:
        """A small house whose walls start at the left upper corner (x, y)."""
        wall = self.at([(x, y), (x + side, y + side * 0.7)])
        self.draw.rectangle(wall, fill=WALL, outline=colours.INK, width=max(1, self.pixels // 64))
        self.shape(roof, (x - side * 0.15, y), (x + side / 2, y - side * 0.6), (x + side * 1.15, y))

    def tower(self, colour: Colour, x0: float, y0: float, x1: float, y1: float) -> None:
        """A tall building with lit windows."""
        self.box(colour, x0, y0, x1, y1)
        step = (x1 - x0) / 3
        for row in range(int((y1 - y0) / (step * 1.6))):
            y = y0 + step * (0.6 + 1.6 * row)
            for column in (0.55, 1.75):
                self.box(LIT, x0 + step * column, y, x0 + step * (column + 0.7), y + step * 0.8)

    def tree(self, x: float, y: float, size: float, colour: Colour = LEAF) -> None:
        """A fir with its foot at (x, y)."""
        self.box(WOOD, x - size * 0.07, y - size * 0.25, x + size * 0.07, y)
        for base, top, half in ((0.2, 0.65, 0.34), (0.45, 1.0, 0.26)):
            left, right, foot = x - size * half, x + size * half, y - size * base
            self.shape(colour, (left, foot), (x, y - size * top), (right, foot))

    def stamp(self, halo: bool) -> Image.Image:
        """What was drawn, at its final size; a halo sets it off from any ground."""
        image = self.image
        if halo:
            solid = image.getchannel("A")
            reach = max(3, self.pixels // 14 | 1)
            wide = solid.filter(ImageFilter.MaxFilter(reach)).filter(ImageFilter.GaussianBlur(reach / 4))
            glow = Image.new("RGBA", image.size, (255, 253, 246, 0))
            glow.putalpha(ImageChops.multiply(wide, Image.new("L", image.size, 205)))
            image = Image.alpha_composite(glow, image)
        return image.resize((self.size, self.size), Image.Resampling.LANCZOS)

    def _round(self, x: float, y: float, radius: float) -> list[tuple[float, float]]:
        return self.at([(x - radius, y - radius), (x + radius, y + radius)])
