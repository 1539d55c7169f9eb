"""``hakoenv schema``: the JSON schema of a plan, for endpoints with structured output."""

from __future__ import annotations

import json

import click

from hakoenv.cli.refusal import Refusal
from hakoenv.obs.language import hints
from hakoenv.obs.language import schema as plan_schema
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import RulesetError, load_ruleset


@click.command()
@click.option("--scenario", default="season", help="Whose map and number of nations; default season.")
@click.option(
    "--commands",
    default="all",
    help="Groups, commands or verbs, with commas: all, everything, economy, war, navy, farm...",
)
@click.option("--form", default="shapes", help="shapes (short answers) or flat (where unions are refused).")
@click.option("--no-bounds", is_flag=True, help="Without least and greatest numbers.")
@click.option("--describe", is_flag=True, help="Print the commands in words instead: form, meaning, price.")
def schema(scenario: str, commands: str, form: str, no_bounds: bool, describe: bool) -> None:
    """Print the JSON schema of a plan (draft 2020-12); docs/plans.md explains plans."""
    try:
        ruleset = load_ruleset(scenario)
        width, height = int(ruleset["map.width"]), int(ruleset["map.height"])  # type: ignore[arg-type]
        chosen = [name.strip() for name in commands.split(",")]
        vocabulary = Vocabulary(ruleset, ruleset.nations, width, height, chosen)
        made = plan_schema.schema(vocabulary, form, not no_bounds)
    except (RulesetError, ValueError) as error:
        raise Refusal(str(error)) from None
    if describe:
        click.echo("\n".join((*hints.describe(vocabulary), *hints.REMARKS)))
    else:
        click.echo(json.dumps(made, indent=2, ensure_ascii=False))
