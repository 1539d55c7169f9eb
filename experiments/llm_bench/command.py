"""``hakoenv llm-bench``: a language model, the rule AI and random in the same seats and seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hakoenv.cli.pairs import as_overrides
from hakoenv.cli.refusal import Refusal, WholeNumber

if TYPE_CHECKING:
    from hakoenv.agents.llm import LLMNation

_COUNT = WholeNumber(1, 10_000, "a whole number of 1..10000")
_MOST_SEEDS = 10_000


@click.command("llm-bench")
@click.option("--model", required=True, help="The name that the endpoint knows the model by.")
@click.option("--llm-config", metavar="FILE", default=None, help="Endpoint, budgets, prices (docs/llm.md).")
@click.option("--scenario", default="duel", show_default=True, help="duel, skirmish, season or grand.")
@click.option("--seeds", default="0-4", show_default=True, metavar="N,N-N", help="A season of each.")
@click.option("--seat", type=WholeNumber(0, 39, "a seat"), default=0, show_default=True, help="Its nation.")
@click.option(
    "--field", default="rule_ai", show_default=True, metavar="NAME[,NAME...]", help="Who drives the others."
)
@click.option("--turns", type=_COUNT, default=None, help="Stop seasons after this turn.")
@click.option("--decide-every", type=_COUNT, default=None, help="Ask every so many turns.")
@click.option("--hints", default=None, metavar="[none|names|full]", help="What the prompt says is legal.")
@click.option("--rules", multiple=True, metavar="KEY=VALUE", help="Change a constant; may be repeated.")
@click.option("--with-proxy", is_flag=True, help="Let it play with the rule AI standing in, too.")
@click.option("--transcripts", metavar="FOLDER", default=None, help="Where transcripts are kept.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def llm_bench(**options: Any) -> None:
    """Measure a language model in an agent's seat: no plan means fundraise, nobody stands in.

    The rule AI and random play the same seats and seeds beside it.
    """
    from hakoenv.agents.llm import Transcript, config
    from hakoenv.experiments.llm_bench import figures
    from hakoenv.experiments.llm_bench.play import Bench, play

    from hakoenv.cli.warm import ensure
    from hakoenv.controllers import ControllerError
    from hakoenv.ruleset import load_ruleset

    told = {name: options[name] for name in ("decide_every", "hints") if options[name] is not None}
    folder = None if options["transcripts"] is None else Path(options["transcripts"])
    made: list[LLMNation] = []
    try:
        path = options["llm_config"]
        said = config.from_environment() if path is None else config.read(path)
        rules = as_overrides(options["rules"])
        bench = Bench(
            options["scenario"],
            _seeds(options["seeds"]),
            options["seat"],
            [name.strip() for name in options["field"].split(",")],
            options["turns"],
            rules,
        )

        def model(contestant: str, seed: int, proxy: bool) -> LLMNation:
            kept = None if folder is None else Transcript.fresh(folder / f"{contestant}-{seed}.jsonl")
            made.append(said.nation(options["model"], proxy=proxy, transcript=kept, settings=told))
            return made[-1]

        said.nation(options["model"], settings=told)  # refused before anything is compiled
        ruleset = load_ruleset(bench.scenario, rules)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        ensure()
        played = play(bench, model, options["with_proxy"], _watcher(bench.turns, options["as_json"]))
    except (ControllerError, ImportError, ValueError) as error:
        raise Refusal(str(error)) from error
    except OSError as error:
        raise Refusal(f"--transcripts: {error.filename} can't be written ({error.strerror})") from error
    result = {
        "model": options["model"],
        "scenario": bench.scenario,
        "rules_version": ruleset.version,
        "overrides": ruleset.overrides,
        "seeds": list(bench.seeds),
        "seat": bench.seat,
        "field": list(bench.others),
        "turns": bench.turns,
        "prompt_id": made[0].prompt_id,
        "settings": made[0].settings.as_dict(),
        "budget": made[0].budget.as_dict(),
        "contestants": figures.of(played),
        "state_hashes": {f"{entry.contestant}-{entry.seed}": entry.state_hash for entry in played},
    }
    if options["as_json"]:
        click.echo(json.dumps(result))
    else:
        _show(result)


def _seeds(text: str) -> list[int]:
    """Seeds of `0,3,10-14`.

    Raises:
        ValueError: they can't be read.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(f"--seeds: {text!r} must be whole numbers and ranges, such as 0-4 or 1,5,9")
        found += range(int(first), int(last or first) + 1)[:_MOST_SEEDS]
    if not 0 < len(found) <= _MOST_SEEDS:
        raise ValueError(f"--seeds: {text!r} must give 1 to {_MOST_SEEDS} seeds")
    return list(dict.fromkeys(found))


def _watcher(turns: int | None, quiet: bool) -> Any:
    """Tells a terminal what is played."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        return lambda contestant, seed, turn: None
    of = "" if turns is None else f" of {turns}"
    return lambda contestant, seed, turn: console.print(
        f"seed {seed}, {contestant}: turn {turn}{of}    ", end="\r"
    )


def _show(result: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    field = ", ".join(result["field"])
    table = Table(
        title=f"{escape(result['model'])} in {result['scenario']} (rules {result['rules_version']}), seat "
        f"{result['seat']} against {field}, prompt {result['prompt_id']}",
        title_justify="left",
    )
    table.add_column("contestant", no_wrap=True)
    for heading in ("seasons", "points", "95%", "against rule AI", "rank"):
        table.add_column(heading, justify="right")
    for entry in result["contestants"]:
        gap = entry.get("against_rule_ai")
        table.add_row(
            entry["contestant"],
            str(entry["seasons"]),
            f"{entry['mean']:.2f}",
            _range(entry["interval"]),
            "" if gap is None else f"{gap['mean']:+.2f} {_range(gap['interval'])}",
            f"{entry['rank']:.2f}",
        )
    console.print(table)
    for entry in result["contestants"]:
        if "llm" in entry:
            used = entry["llm"]
            failures = ", ".join(f"{name} {count}" for name, count in used["failures"].items())
            console.print(
                f"{entry['contestant']}: asked in {used['asked']} of {used['turns']} turns, {used['calls']} "
                f"calls, {used['prompt_tokens']:,} tokens in, {used['answer_tokens']:,} out, cost "
                f"{used['cost']:.4f}, {used['seconds']:.1f} s; failures: {failures or 'none'}; turns on the "
                f"queue {used['queue_share']:.0%}, without a plan {used['idle_share']:.0%}, by the proxy "
                f"{used['proxy_share']:.0%}",
                soft_wrap=True,
            )


def _range(bounds: list[float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.2f} .. {bounds[1]:.2f}"
