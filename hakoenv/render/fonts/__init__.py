"""The Japanese font of all pictures: a subset of Noto Sans CJK JP under the OFL (README.md beside it)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import ImageFont

FAMILY = "Hakoenv Sans"
PATH = Path(__file__).resolve().parent / "HakoenvSans.otf"
CHARACTERS = PATH.with_name("characters.txt")


@cache
def load(size: int) -> ImageFont.FreeTypeFont:
    """The font at ``size`` pixels, loaded once."""
    return ImageFont.truetype(str(PATH), size, layout_engine=ImageFont.Layout.BASIC)


def register_with_matplotlib() -> str:
    """Make the font known to matplotlib and return its family name."""
    from matplotlib import font_manager

    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    if str(PATH) not in known:
        font_manager.fontManager.addfont(str(PATH))
    return FAMILY
