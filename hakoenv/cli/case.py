"""`hakoenv case`: run case files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text


class CaseFileError(click.ClickException):
    """A file that is no case file."""

    exit_code = 2


@click.command("case")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def case(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Run the cases of FILES: small worlds, what happens in them, and what must then hold.

    Exits 0 if all pass, 1 if one fails, 2 if a file is no case file.
    """
    from hakoenv.testing import CaseError, load_cases, run_case

    try:
        cases = [entry for path in files for entry in load_cases(path)]
    except CaseError as error:
        raise CaseFileError(str(error)) from None
    results = []
    for entry in cases:
        failures = run_case(entry)
        results.append({"id": entry["id"], "passed": not failures, "failures": failures})
    if as_json:
        click.echo(json.dumps({"results": results}, ensure_ascii=False, indent=2))
    else:
        _show(cases, results)
    context.exit(0 if all(result["passed"] for result in results) else 1)


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
