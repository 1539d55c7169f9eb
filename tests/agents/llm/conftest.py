"""What the tests of language models share: a stub on a socket of this machine, a key, a small task."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hakoenv.agents.llm.asking import Task

from hakoenv import Season
from hakoenv.controllers import Driver
from hakoenv.obs.language import answers
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.testing import SmallWorld
from hakoenv.testing.stub_model import StubModel

SECRET = "a-very-secret-key-0123456789"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return SECRET


@pytest.fixture
def stub(secret: str) -> Iterator[StubModel]:
    with StubModel() as server:
        yield server


@pytest.fixture(scope="session")
def small() -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=2, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="plains", owner=0)
    w.cell(4, 6, terrain="town", owner=1, population=30, capital=True)
    w.nation(0, funds=1234, food=500)
    w.counted()
    w.phase("sightings")
    return w


@pytest.fixture
def task(small: SmallWorld) -> Callable[..., Task]:
    """Makes the task of a nation of the small world."""
    words = Vocabulary.of(small.world, small.ruleset)

    def read(content: str | None, truncated: bool) -> answers.ParseResult:
        return answers.parse(content, small.world, small.rules, 0, words, text=True, truncated=truncated)

    def make(**changes: Any) -> Task:
        given = {
            "nation": 0,
            "system": "You govern.",
            "user": "## Legal now, with examples\n`farm at (3,4)`\n\nAnswer.",
            "schemas": {"shapes": {"type": "object"}, "flat": {"type": "object"}},
            "tools": (),
            "use_tool": lambda name, arguments: f"{name}({arguments})",
            "read": read,
            "tool_calls": 0,
            "answers": 2,
            "tries": 3,
            "pauses": False,
        }
        return Task(**{**given, **changes})  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def duel() -> Season:
    """A duel of external nations before turn 1; copies are played."""
    return Season.new("duel", seed=3, agents="external")


@pytest.fixture
def season(duel: Season) -> Callable[..., Season]:
    """A copy of the duel with these drivers."""

    def make(*drivers: Driver, of: Season = duel) -> Season:
        made = Season(of.snapshot())
        for seat, driver in enumerate(drivers):
            made.set_controller(seat, driver)
        return made

    return make
