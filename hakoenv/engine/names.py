"""Display names of nations, in kanji and romaji. They stand beside the World and change nothing in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hakoenv.engine import chance


class NationName(NamedTuple):
    """A nation's name as maps and curves show it, and in Latin letters."""

    kanji: str
    romaji: str

    @property
    def head(self) -> str:
        """The name of its head of state (FAC-018); empty for a nation that is not of `NAMES`."""
        return _HEAD_OF.get(self.romaji, "")

    def __str__(self) -> str:
        """Both spellings, for tables."""
        return f"{self.kanji} {self.romaji}"


_STEMS = (
    "青葉 Aoba", "若松 Wakamatsu", "白鷺 Shirasagi", "月影 Tsukikage", "星見 Hoshimi", "風早 Kazahaya",
    "雪平 Yukihira", "霧島 Kirishima", "朝霞 Asaka", "夕凪 Yunagi", "緑川 Midorikawa", "紅葉 Momiji",
    "清水 Shimizu", "泉沢 Izumisawa", "岩戸 Iwato", "海原 Unabara", "波崎 Hasaki", "千鳥 Chidori",
    "八雲 Yakumo", "三日月 Mikazuki", "竹原 Takehara", "梅里 Umezato", "藤波 Fujinami", "橘 Tachibana",
    "鶴見 Tsurumi", "亀山 Kameyama", "鷹羽 Takanoha", "鹿野 Kano", "熊谷 Kumagaya", "虎尾 Torao",
    "龍神 Ryujin", "翠嵐 Suiran", "銀嶺 Ginrei", "金剛 Kongo", "玉城 Tamaki", "琴浦 Kotoura",
    "笛吹 Fuefuki", "鈴鹿 Suzuka", "錦江 Kinko", "綾瀬 Ayase", "光陽 Koyo", "照葉 Teruha",
    "暁 Akatsuki", "東雲 Shinonome", "天津 Amatsu", "常盤 Tokiwa", "瑞穂 Mizuho", "桜井 Sakurai",
)  # fmt: skip
NAMES: tuple[NationName, ...] = tuple(NationName(stem.split()[0] + "国", stem.split()[1]) for stem in _STEMS)


_HEADS = (
    "Abe", "Ando", "Arai", "Baba", "Chiba", "Doi", "Endo", "Fujii", "Fukuda", "Goto", "Hara", "Hattori",
    "Hirano", "Honda", "Ikeda", "Imai", "Inoue", "Ishii", "Ito", "Iwata", "Kato", "Kikuchi", "Kimura",
    "Kinoshita", "Kobayashi", "Kojima", "Kondo", "Kubo", "Maeda", "Matsui", "Mori", "Murata", "Nagai",
    "Nakano", "Nishida", "Noguchi", "Ogawa", "Okada", "Ono", "Ota", "Saito", "Sasaki", "Sugiura", "Takagi",
    "Tanaka", "Ueda", "Wada", "Yano",
)  # fmt: skip
_HEAD_OF = {name.romaji: head for name, head in zip(NAMES, _HEADS, strict=True)}


def nation_names(count: int, seed: int) -> list[NationName]:
    """Different names for ``count`` seats (up to 48), the same for the same seed."""
    if count > len(NAMES):
        raise ValueError(f"{count} nations: there are {len(NAMES)} names")
    places = list(range(len(NAMES)))
    for k in range(count):
        bits = int(chance.draw_at(np.uint64(seed), 0, chance.NATION_NAMES, 0, k))
        other = k + bits % (len(places) - k)
        places[k], places[other] = places[other], places[k]
    return [NAMES[place] for place in places[:count]]
