"""What a nation knows as text, made from the same arrays as a learner's observation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hakoenv.engine.board import Post
from hakoenv.engine.names import NationName
from hakoenv.engine.world import World
from hakoenv.obs import pieces
from hakoenv.obs.spec import Spec
from hakoenv.obs.text_budget import Section, joined
from hakoenv.obs.text_sections import SECTIONS, UNDIVIDED
from hakoenv.obs.text_words import Japanese, Knowledge, Words
from hakoenv.ruleset import Rules, Ruleset


def text(
    world: World,
    rules: Rules,
    ruleset: Ruleset,
    nation: int,
    names: Sequence[NationName] | None = None,
    budget: int | None = None,
    japanese: Japanese = False,
    posts: Sequence[Post] = (),
) -> str:
    """What a nation knows, as text in sections.

    Args:
        world: the world at the end of a turn; not changed.
        rules: its compiled rules.
        ruleset: the same as data.
        nation: the observer, 0..N-1.
        names: display names of the nations by number.
        budget: the most characters that come back; the least important sections are shortened from their
            ends or left out, by whole lines. None: no limit.
        japanese: names of nations, terrain, items and commands in Japanese; `both`: names of nations,
            terrain and items in Japanese behind the English ones.
        posts: messages to show, which the nation may read (`Board.read`).

    Raises:
        ValueError: there is no such nation, or the budget is negative.
    """
    seats = len(world.nations)
    if not 0 <= nation < seats:
        raise ValueError(f"nation={nation} must lie in 0..{seats - 1}")
    if budget is not None and budget < 0:
        raise ValueError(f"budget={budget} must be 0 or more")
    known = knowledge(world, rules, ruleset, nation, names, japanese)._replace(posts=posts)
    sections = [Section(title, keep, write(known), title in UNDIVIDED) for title, keep, write in SECTIONS]
    return joined([section for section in sections if section.lines], budget)


def knowledge(
    world: World,
    rules: Rules,
    ruleset: Ruleset,
    nation: int,
    names: Sequence[NationName] | None = None,
    japanese: Japanese = False,
) -> Knowledge:
    """What a nation knows, for the writers of sections; arguments as for `text`."""
    seats = len(world.nations)
    spec = _spec(ruleset, seats)
    buffers = spec.buffers()
    spec.fill(world, rules, buffers)
    seen = {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in spec.of(buffers, nation).items()
    }
    return Knowledge(seen, Words(ruleset, names, nation, seats, japanese), world, rules, nation)


@lru_cache(maxsize=8)
def _spec(ruleset: Ruleset, seats: int) -> Spec:
    return Spec(ruleset, seats)
