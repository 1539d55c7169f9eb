"""What all tests share: markers, `--soak`, no network, and case files collected as tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parent / "cases"
READY = CASES / "spec"  # ready-made cases; `active.txt` lists the files whose rules are all built
pytest_plugins = ["hakoenv.rulebook.collect"]  # the mark `rule` and the check of its ids
MARKERS = (
    "slow: takes more than a few seconds",
    "soak: long random runs; only with --soak",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long random tests, too")


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--soak"):
        return
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="long run: use --soak"))


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """No network, unless a test is marked `enable_socket` or `allow_hosts` (pytest-socket)."""
    if item.config.pluginmanager.hasplugin("socket"):
        from pytest_socket import disable_socket

        if not any(item.get_closest_marker(name) for name in ("enable_socket", "allow_hosts")):
            disable_socket(allow_unix_socket=True)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Case files below tests/cases; of the ready-made ones only the active files."""
    if file_path.suffix != ".json" or CASES not in file_path.parents:
        return None
    if file_path.parent == READY and file_path.name not in active_files():
        return None
    return CaseFile.from_parent(parent, path=file_path)


def active_files() -> list[str]:
    """The names in tests/cases/spec/active.txt."""
    return (READY / "active.txt").read_text(encoding="utf-8").split()


class CaseFile(pytest.File):
    """A file of cases, each one test: `tests/cases/CMD.json::CMD-004-a`."""

    def collect(self) -> Iterator[CaseItem]:
        from hakoenv.testing import load_cases

        for case in load_cases(self.path):
            yield CaseItem.from_parent(self, name=case["id"], case=case)


class CaseItem(pytest.Item):
    """One case with the marks of its rules."""

    def __init__(self, *, case: dict[str, Any], **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case
        self.add_marker(pytest.mark.rule(*case.get("rules", [])))

    def runtest(self) -> None:
        from hakoenv.testing import run_case

        failures = run_case(self.case)
        if failures:
            raise CaseFailedError(failures)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailedError):
            title = f"{self.name}: {self.case.get('title', '')}"
            return "\n".join([title, *_indented(excinfo.value.failures)])
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"case {self.name}"


class CaseFailedError(Exception):
    """Some expectations of a case do not hold."""

    def __init__(self, failures: list[str]) -> None:
        super().__init__("; ".join(failures))
        self.failures = failures


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]
