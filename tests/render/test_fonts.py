"""The shipped font has a glyph for every character that pictures may need."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import hakoenv
from hakoenv.engine import names
from hakoenv.render import curves, fonts, legend

PACKAGE = Path(hakoenv.__file__).parent
GLOSSARY = (  # every character of the game's glossary outside ASCII
    "〜いかさたちのまりイウオコサシズタッテトドナニピミュユラリルン・ー一中主乱予争事亜交人代令供保倉候停備傷億先兵円制割力助効包占友口台"
    "同告命品商営団囲国土地坑型埋基堤場壁売大天好定宣寒対射山岳島巡工差市布帯平底庫強弾形役待念怪戦所手抗抵捜採援撃攻政敗数敵斉料施旗期木材"
    "村束杯森業模機歩残殖段母民気水油波洋浅海済温港準漁潜瀬灯炭無熱燃獣現生産田甲町画発盟相石研砲碑禁程税種究空窓立站端競策精系約索経給継網"
    "繰置者脈航船艦荒荷蔵薬融行衛装製覇規覧計記設誤譲豊負資賊軍軽輸農送逐遊運部都配重量金鉄鉱鋼長開間関防陣陸隊階雷電需露領食養首駆骸"
)


@cache
def _missing_box() -> bytes:
    return bytes(fonts.load(32).getmask("\U0010fffd"))


def _without_glyph(text: str) -> str:
    drawn = {c for c in text if c.isprintable() and not c.isspace()}
    return "".join(sorted(c for c in drawn if bytes(fonts.load(32).getmask(c)) == _missing_box()))


def test_the_check_finds_a_missing_glyph() -> None:
    assert _without_glyph("国\U0001f600") == "\U0001f600"


def test_every_glossary_character_has_a_glyph() -> None:
    assert _without_glyph(GLOSSARY) == ""


def test_ascii_latin1_and_kana_have_glyphs() -> None:
    latin = "".join(map(chr, [*range(0x21, 0x7F), *range(0xA1, 0x100)])).replace("\xad", "")  # soft hyphen
    kana = "".join(map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB)]))
    assert _without_glyph(latin + kana) == ""


def test_every_level_1_kanji_has_a_glyph() -> None:
    """JIS X 0208 rows 16 to 47: 2,965 kanji."""
    places = (bytes([row + 0xA0, cell + 0xA0]) for row in range(16, 48) for cell in range(1, 95))
    kanji = "".join(place.decode("euc_jp", errors="ignore") for place in places)
    assert len(kanji) == 2965
    assert _without_glyph(kanji) == ""


def test_every_nation_name_has_glyphs() -> None:
    assert _without_glyph("".join(map(str, names.NAMES))) == ""


def test_every_japanese_name_of_the_ruleset_has_glyphs() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "ruleset" / "data").glob("*.csv"))
    assert re.search("[一-龥]", text)
    assert _without_glyph(text) == ""


def test_every_word_of_legend_and_curves_has_glyphs() -> None:
    words = [word for _, word in legend.SYMBOLS] + list(curves.TITLES.values()) + list(curves.UNITS.values())
    words += [word for _, word in (*legend.MARKS, *legend.DEPOSITS)] + [word for _, word, _ in legend.GROUNDS]
    assert _without_glyph("".join([*words, *legend.HEADINGS])) == ""


def test_the_list_of_characters_is_what_the_font_holds() -> None:
    listed = fonts.CHARACTERS.read_text(encoding="utf-8").strip("\n")
    assert _without_glyph(listed) == ""


def test_the_font_is_small_renamed_and_licensed() -> None:
    assert fonts.PATH.stat().st_size < 1_500_000
    assert fonts.load(16).getname() == (fonts.FAMILY, "Regular")
    assert "Noto" not in fonts.FAMILY
    assert "SIL OPEN FONT LICENSE Version 1.1" in fonts.PATH.with_name("OFL.txt").read_text(encoding="utf-8")


def test_a_size_is_loaded_once() -> None:
    assert fonts.load(17) is fonts.load(17)


def test_matplotlib_finds_the_font() -> None:
    font_manager = pytest.importorskip("matplotlib.font_manager")
    family = fonts.register_with_matplotlib()
    assert font_manager.findfont(family, fallback_to_default=False) == str(fonts.PATH)
