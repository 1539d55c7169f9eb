"""The committed index and the rulebook pages are those of this tree (`make docs` writes both)."""

from pathlib import Path

from hakoenv.rulebook import collect, pages
from hakoenv.rulebook.coverage import brought_by, report

ROOT = Path(__file__).parent.parent.parent


def test_the_committed_index_is_the_collection() -> None:
    assert collect.stale(ROOT / "tests") == [], "run `make docs`"


def test_the_committed_pages_are_the_generated_ones(tmp_path: Path) -> None:
    pages.write_docs(tmp_path)
    fresh = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*.md")}
    committed = {
        page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "rules").glob("*.md")
    }
    assert committed == fresh, "run `make docs`"


def test_every_missing_rule_names_what_will_bring_it() -> None:
    for name in report()["missing_ids"]:
        assert brought_by(name) not in {"", "turn engine"}, name
