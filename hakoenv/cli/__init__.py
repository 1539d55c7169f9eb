"""The command line: ``hakoenv season``, ``rules``, ``case``, ``bench``, ``warm``.

Commands are imported when they are used, so that ``hakoenv --help`` comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from hakoenv import __version__

COMMANDS = {
    "season": ("hakoenv.cli.season:season", "Play a season and show its result."),
    "rules": ("hakoenv.rulebook.cli:rules", "Print a rule with its constants and tests."),
    "case": ("hakoenv.cli.case:case", "Run case files: small worlds and what must happen in them."),
    "bench": ("hakoenv.cli.bench:bench", "Measure speed and size on this machine."),
    "warm": ("hakoenv.cli.warm:warm", "Compile the rules once for this machine."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use, and whose errors are one sentence on stderr."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and leave with 2 and one sentence for what a user got wrong."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        try:
            code = super().main(args, prog_name, complete_var, False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(2)
        except click.ClickException as error:
            click.echo(f"hakoenv: {error.format_message()}", err=True)
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            click.echo("hakoenv: interrupted", err=True)
            sys.exit(130)
        except BrokenPipeError:  # the reader of our output has gone: no output can follow
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hakoenv")
def main() -> None:
    """A Japanese shared-map nation game as an environment for AI research."""
