"""`hakoenv rules`: print rules, list areas, show which rules have tests."""

from __future__ import annotations

import json
from itertools import groupby

import click

from hakoenv.cli.refusal import Refusal
from hakoenv.rulebook import RulebookError, areas, find, pages
from hakoenv.rulebook import constants as constants_page
from hakoenv.rulebook import rules as all_rules
from hakoenv.rulebook.coverage import brought_by, index, report
from hakoenv.rulebook.pages import AREA_TITLES, list_text, record, rule_text


@click.command()
@click.argument("name", metavar="[ID|AREA|PATTERN]", required=False)
@click.option("--missing", is_flag=True, help="List the rules that no test names, with what will bring them.")
@click.option("--coverage", is_flag=True, help="Count tested and missing rules by area.")
@click.option(
    "--constants",
    is_flag=True,
    help="List the constants whose key holds PATTERN (* and ? stand for anything): value, unit, range, "
    "origin, rules.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--write-docs", type=click.Path(file_okay=False), help="Write the rulebook pages into a folder."
)
def rules(
    name: str | None,
    missing: bool,
    coverage: bool,
    constants: bool,
    as_json: bool,
    write_docs: str | None,
) -> None:
    """Print a rule (ARMY-012) with its constants and tests, or the rules of an area (ARMY)."""
    asked = [
        option
        for option, given in (
            ("--missing", missing),
            ("--coverage", coverage),
            ("--constants", constants),
            ("--write-docs", write_docs is not None),
        )
        if given
    ]
    if len(asked) > 1:
        raise Refusal(f"{' and '.join(asked)} exclude each other")
    if write_docs is not None:
        try:
            pages.write_docs(write_docs)
        except OSError as error:
            raise Refusal(f"--write-docs: {write_docs} can't be written ({error.strerror})") from error
        return
    try:
        if constants:
            found = constants_page.matching(name or "")
            click.echo(_dump(constants_page.records(found)) if as_json else constants_page.text(found))
            return
        chosen = find(name) if name else tuple(all_rules().values())
    except RulebookError as error:
        raise Refusal(str(error)) from error
    if coverage:
        text = _coverage({rule.id for rule in chosen}, bool(name), as_json)
    elif missing:
        text = _missing({rule.id for rule in chosen}, name, as_json)
    elif name is None:
        text = _areas(as_json)
    elif as_json:
        text = _dump(record(chosen[0]) if name.upper() in all_rules() else [record(rule) for rule in chosen])
    else:
        text = rule_text(chosen[0]) if name.upper() in all_rules() else list_text(chosen, index())
    click.echo(text)


def _dump(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _areas(as_json: bool) -> str:
    """All areas with their titles."""
    if as_json:
        return _dump({area: [rule.id for rule in listed] for area, listed in areas().items()})
    return "\n".join(f"{area:<7} {len(listed):>4}  {AREA_TITLES[area]}" for area, listed in areas().items())


def _missing(ids: set[str], asked: str | None, as_json: bool) -> str:
    """The rules without a test, by area and by what will bring them."""
    absent = [name for name in report()["missing_ids"] if name in ids]
    if as_json:
        return _dump([{"id": name, "brought_by": brought_by(name)} for name in absent])
    if not absent:
        if asked is None:
            return "Every rule has a test."
        name = asked.upper()
        return (
            f"{name} is not missing: it has a test"
            if name in all_rules()
            else f"no rule of {name} is missing"
        )
    lines = []
    for (area, bringer), group in groupby(absent, lambda name: (name.rsplit("-", 1)[0], brought_by(name))):
        members = list(group)
        lines.append(f"{area} ({len(members)} missing; comes with: {bringer})")
        lines += [f"  {name}  {all_rules()[name].title}" for name in members]
    return "\n".join(lines)


def _coverage(ids: set[str], narrowed: bool, as_json: bool) -> str:
    """Tested, missing and all rules by area; as JSON the report itself, of one rule or area if asked for."""
    found = report()
    if as_json:
        if narrowed:
            found["rules"] = [rule for rule in found["rules"] if rule["id"] in ids]
            found["tested_ids"] = [name for name in found["tested_ids"] if name in ids]
            found["missing_ids"] = [name for name in found["missing_ids"] if name in ids]
        return _dump(found)
    tested = set(found["tested_ids"])
    lines = [f"{'area':<7} {'tested':>6} {'missing':>7} {'total':>6}"]
    sums = [0, 0]
    for area, listed in areas().items():
        members = [rule.id for rule in listed if rule.id in ids]
        if members:
            done = sum(name in tested for name in members)
            lines.append(f"{area:<7} {done:>6} {len(members) - done:>7} {len(members):>6}")
            sums = [sums[0] + done, sums[1] + len(members)]
    lines.append(f"{'all':<7} {sums[0]:>6} {sums[1] - sums[0]:>7} {sums[1]:>6}")
    return "\n".join(lines)


if __name__ == "__main__":
    rules()
