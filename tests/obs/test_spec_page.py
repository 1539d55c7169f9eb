"""docs/observation.md is what the declarations say."""

from pathlib import Path

from hakoenv.obs import spec_page

PAGE = Path(__file__).parents[2] / "docs" / "observation.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == spec_page.page(), (
        "write it anew: python -m hakoenv.obs.spec_page docs/observation.md"
    )
