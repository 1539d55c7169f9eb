"""``hakoenv balance``: play many seasons of rule AIs and show what the numbers do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from hakoenv.cli.pairs import as_overrides
from hakoenv.cli.refusal import Refusal, WholeNumber


@click.command()
@click.option("--scenario", default="season", show_default=True, help="duel, skirmish, season or grand.")
@click.option(
    "--seasons", type=WholeNumber(1, 10000, "a whole number of 1..10000"), default=20, show_default=True,
    help="How many; one a seed.",
)  # fmt: skip
@click.option(
    "--seed", type=WholeNumber(0, 2**63, "a whole number of 0..2**63"), default=0, show_default=True,
    help="Seed of the first; the others follow.",
)  # fmt: skip
@click.option("--rules", multiple=True, metavar="KEY=VALUE", help="Change a constant; may be repeated.")
@click.option("--out", metavar="FILE", default=None, help="Where the picture (PNG) goes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def balance(
    scenario: str, seasons: int, seed: int, rules: tuple[str, ...], out: str | None, as_json: bool
) -> None:
    """Play seasons of rule AIs; print what becomes of people, prices, war, sea, trade and alliances."""
    from hakoenv.experiments.balance import measure, picture
    from rich.console import Console
    from rich.progress import track

    from hakoenv.cli.warm import ensure
    from hakoenv.engine.season import check
    from hakoenv.ruleset import RulesetError

    try:
        overrides = as_overrides(rules)
        ruleset = check(scenario, 0, rules=overrides).ruleset
    except (RulesetError, ValueError) as error:
        raise Refusal(str(error)) from error
    if out is not None and (Path(out).is_dir() or not Path(out).parent.is_dir()):
        raise Refusal(f"--out: {out!r} can't be written; name a file in a folder that exists")
    ensure()
    seeds = range(seed, seed + seasons)
    watched = track(seeds, "seasons", console=Console(stderr=True), disable=as_json, transient=True)
    try:
        courses = measure.play(scenario, watched, overrides)
    except ValueError as error:  # a map that has too few sites
        raise Refusal(str(error)) from error
    cap = ruleset["treasury.funds_cap"]
    assert isinstance(cap, int)
    figures: dict[str, Any] = measure.judge(courses, cap)
    if out is not None:
        words = f"{scenario}: {seasons} seasons of rule AIs, seeds {seed}..{seed + seasons - 1}"
        if picture.save_png(courses, Path(out), words):
            figures["picture"] = out
        else:
            click.echo("no picture: matplotlib is not installed (pip install 'hakoenv[report]')", err=True)
    if as_json:
        click.echo(json.dumps(figures))
        return
    parts = {"war": "", "navy": "sea: ", "trade": "trade: ", "alliances": ""}
    for part, head in parts.items():
        figures |= {f"{head}{name}": value for name, value in figures.pop(part).items()}
    for name, value in figures.items():
        click.echo(f"{name:30} {value}")
