"""Making the index of tests by rule from pytest's collection; a small pytest plugin.

`python -m hakoenv.rulebook.collect tests` rewrites `coverage.json`. As a plugin (`pytest_plugins =
["hakoenv.rulebook.collect"]` in `conftest.py`) it registers the mark `rule` and refuses ids that the ledger
doesn't have.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hakoenv.rulebook import RulebookError, rules
from hakoenv.rulebook.coverage import INDEX_NAME, index, unfinished

if TYPE_CHECKING:
    import pytest

INDEX_VARIABLE = "HAKOENV_RULE_INDEX"
"""Environment variable: file into which a collection writes its index."""


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark `rule`."""
    config.addinivalue_line("markers", "rule(*ids): ids of the ledger rules that the test checks")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Check the ids of all marks; write the index if `HAKOENV_RULE_INDEX` names a file."""
    found = index_of(items)
    target = os.environ.get(INDEX_VARIABLE)
    if target:
        Path(target).write_text(dump(found), encoding="utf-8")


def index_of(items: list[pytest.Item]) -> dict[str, list[str]]:
    """The node ids of the tests of each rule that is there as a whole (a part of a rule is no rule).

    Raises:
        pytest.UsageError: a mark names a rule that the ledger doesn't have.
    """
    import pytest

    partly = unfinished()
    found: dict[str, set[str]] = {}
    for item in items:
        for mark in item.iter_markers("rule"):
            for name in mark.args:
                if name not in rules():
                    raise pytest.UsageError(f"{item.nodeid}: no rule {name!r} in the ledger")
                if name not in partly:
                    found.setdefault(name, set()).add(item.nodeid)
    return {name: sorted(found[name]) for name in rules() if name in found}


def dump(tests: dict[str, list[str]]) -> str:
    """The index as text: rules in the order of the ledger, tests sorted, one a line."""
    ordered = {name: sorted(tests[name]) for name in rules() if name in tests}
    return json.dumps(ordered, indent=1, ensure_ascii=False) + "\n"


def collect(root: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Let pytest collect the tests below `root` (in a process of its own) and return the tests of each rule.

    Raises:
        RulebookError: the collection failed; the message holds pytest's last lines.
    """
    folder = Path(root).resolve()
    base = next((p for p in (folder, *folder.parents) if (p / "pyproject.toml").is_file()), folder.parent)
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "index.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
        command += ["-p", "hakoenv.rulebook.collect", str(folder)]
        done = subprocess.run(
            command,
            cwd=base,
            env={**os.environ, INDEX_VARIABLE: str(target)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode not in (0, 5) or not target.is_file():  # 5: no tests there
            raise RulebookError(f"pytest could not collect {folder}: {(done.stdout + done.stderr)[-2000:]}")
        found: dict[str, list[str]] = json.loads(target.read_text(encoding="utf-8"))
    return found


def stale(root: str | os.PathLike[str]) -> list[str]:
    """The rules whose tests differ between the committed index and those below `root`."""
    fresh, committed = collect(root), index()
    return [name for name in rules() if fresh.get(name, []) != committed.get(name, [])]


def main(arguments: list[str]) -> int:
    """Rewrite the committed index from the tests below the given folder (`tests` if none is given)."""
    try:
        found = collect(arguments[0] if arguments else "tests")
    except RulebookError as error:
        print(error, file=sys.stderr)
        return 1
    path = Path(__file__).with_name(INDEX_NAME)
    path.write_text(dump(found), encoding="utf-8")
    print(f"{path}: {len(found)} of {len(rules())} rules have tests")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
