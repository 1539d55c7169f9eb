"""The files of a finished tournament, the same for the same seasons, whoever played them and when."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from hakoenv.experiments.tournament import report
from hakoenv.experiments.tournament.folder import Folder

_COLUMNS = ("id", "seed", "ending", "turns", "state_hash")


def write(
    folder: Folder, table: dict[str, Any], records: list[dict[str, Any]], parquet: bool = False
) -> list[Path]:
    """Write `table.json`, `seasons.jsonl`, `report.html`, and `seasons.parquet` if wanted.

    Args:
        folder: of the run.
        table: its figures, see `standings.of`.
        records: of its seasons, in order.
        parquet: whether to write one row a season and seat as Parquet.

    Returns:
        The files.
    """
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    written = [
        folder.put("table.json", json.dumps(table, ensure_ascii=False, indent=1) + "\n"),
        folder.put("seasons.jsonl", lines),
        folder.put("report.html", report.page(table, records)),
    ]
    if parquet:
        written.append(folder.put_by("seasons.parquet", lambda part: _parquet(part, records)))
    return written


def rows(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a season and seat, with `seat`, `entrant`, `points`, `rank` and why it forfeits, if so."""
    found = []
    for record in records:
        reasons = {entry["seat"]: entry["reason"] for entry in record["forfeits"]}
        for seat, entrant in enumerate(record["seats"]):
            found.append(
                {
                    **{name: record[name] for name in _COLUMNS},
                    "seat": seat,
                    "entrant": entrant,
                    "points": record["points"][seat],
                    "rank": record["ranks"][seat],
                    "forfeit": reasons.get(seat, ""),
                }
            )
    return found


def _parquet(place: Path, records: list[dict[str, Any]]) -> None:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows(records)), place)
