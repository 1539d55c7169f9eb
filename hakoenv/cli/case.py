"""`hakoenv case`: run case files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hakoenv.cli.refusal import Refusal


@click.command("case")
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def case(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Run cases: small worlds, what happens in them, and what must then hold.

    Of a FOLDER, the cases of all *.json in it and below.

    Exits 0 if all pass, 1 if one fails, 2 if a file is no case file.
    """
    from hakoenv.testing import run_case

    cases = [entry for path in files for file in _files(path) for entry in _cases(file)]
    results = []
    for entry in cases:
        failures = run_case(entry)
        results.append({"id": entry["id"], "passed": not failures, "failures": failures})
    if as_json:
        click.echo(json.dumps({"results": results}, ensure_ascii=False, indent=2))
    else:
        _show(cases, results)
    context.exit(0 if all(result["passed"] for result in results) else 1)


def _files(path: Path) -> list[Path]:
    """A file itself; of a folder, all case files in it and below."""
    if not path.is_dir():
        return [path]
    found = sorted(path.rglob("*.json"))
    if not found:
        raise Refusal(f"{path}: has no case files (*.json)")
    return found


def _cases(file: Path) -> list[dict[str, Any]]:
    """The cases of a file, at least one."""
    from hakoenv.testing import CaseError, load_cases

    try:
        found = load_cases(file)
    except CaseError as error:
        raise Refusal(str(error)) from None
    if not found:
        raise Refusal(f"{file}: has no cases")
    return found


def _show(cases: list[dict[str, Any]], results: list[dict[str, Any]]) -> None:
    """A table of the failed cases with their failures, and one line of totals."""
    console = Console()
    failed = [(case, result) for case, result in zip(cases, results, strict=True) if not result["passed"]]
    if failed:
        table = Table("case", "title", "what does not hold", show_lines=True)
        for entry, result in failed:
            cells = (entry["id"], str(entry.get("title", "")), "\n".join(result["failures"]))
            table.add_row(*map(Text, cells))
        console.print(table)
    console.print(f"{len(results) - len(failed)} of {len(results)} cases pass", highlight=False)
