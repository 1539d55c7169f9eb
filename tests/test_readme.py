"""The Python examples of the README and of the pages for researchers run, and are short."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("actions", "controllers", "diplomacy", "navy", "trade", "war")
FILES = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in PAGES))
TEXT = "".join(path.read_text(encoding="utf-8") for path in FILES)
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.S)


@pytest.mark.allow_hosts(["127.0.0.1"])  # the pretended model
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_run(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    example = EXAMPLES[number]
    assert len(example.splitlines()) <= 60
    exec(compile(example, f"README example {number}", "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out
    assert printed
    if "env.text" in example:
        assert "You are nation_0" in printed
        assert "season points" in printed


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6
