"""The command line: ``hakoenv season``, ``rules``, ``case``, ``balance``, ``schema``, ``llm-bench``....

Commands are imported when they are used, so that ``hakoenv --help`` comes at once.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TextIO

import click

from hakoenv import __version__

COMMANDS = {
    "season": ("hakoenv.cli.season:season", "Play a season and show its result."),
    "rules": ("hakoenv.rulebook.cli:rules", "Print a rule with its constants and tests."),
    "case": ("hakoenv.cli.case:case", "Run case files: small worlds and what must happen in them."),
    "balance": (
        "hakoenv.experiments.balance.command:balance",
        "Play many seasons of rule AIs and judge the numbers.",
    ),
    "llm-bench": (
        "hakoenv.experiments.llm_bench.command:llm_bench",
        "Measure a language model against the rule AI in the same seats and seeds.",
    ),
    "train": (
        "hakoenv.experiments.training.command:train",
        "Train a policy: imitate the rule AI, then improve by playing.",
    ),
    "train-rllib": (
        "hakoenv.experiments.training.rllib_command:train_rllib",
        "Train the same policy with RLlib.",
    ),
    "trajectories": (
        "hakoenv.experiments.training.trajectories_command:trajectories",
        "Keep what nations saw, did and got in many seasons, as arrays.",
    ),
    "tournament": (
        "hakoenv.experiments.tournament.command:tournament",
        "Let entrants play many seasons and rank them by season points.",
    ),
    "evaluate": (
        "hakoenv.experiments.tournament.command:evaluate",
        "Compare two entrants in the same worlds and seats.",
    ),
    "fairness": (
        "hakoenv.experiments.tournament.command:fairness",
        "Test whether seats are fair, with one agent in all of them.",
    ),
    "stub-model": ("hakoenv.cli.stub_model:stub_model", "Serve a pretended language model, without a key."),
    "schema": ("hakoenv.cli.schema:schema", "Print the JSON schema of a plan, for language models."),
    "bench": ("hakoenv.cli.bench:bench", "Measure speed and size on this machine."),
    "warm": ("hakoenv.cli.warm:warm", "Compile the rules once for this machine."),
}

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


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
        """Run, and leave with 2 and one sentence for what a user got wrong or can't be printed."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        if sys.stdout is None:
            click.echo("hakoenv: standard output is closed; send it somewhere, /dev/null at least", err=True)
            sys.exit(2)
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="backslashreplace")  # paths may hold what is no UTF-8
        try:
            code = self._run(args, prog_name, complete_var, **extra)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of our output has gone: no output can follow
            _silence(sys.stdout)
            code = 1
        except OSError as error:
            if error.filename is not None or error.errno not in _UNWRITABLE:
                raise
            _silence(sys.stdout)
            try:
                click.echo(f"hakoenv: the output can't be written ({error.strerror})", err=True)
            except OSError:
                _silence(sys.stderr)
            code = 2
        sys.exit(code)

    def _run(
        self, args: Sequence[str] | None, prog_name: str | None, complete_var: str | None, **extra: Any
    ) -> int:
        """Run a command; its exit code."""
        try:
            code = super().main(args, prog_name, complete_var, False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            return 2
        except click.ClickException as error:
            click.echo(f"hakoenv: {error.format_message()}", err=True)
            return error.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo("hakoenv: interrupted", err=True)
            return 130
        return code if isinstance(code, int) else 0


def _silence(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, so that Python's own flush at the end is quiet."""
    with contextlib.suppress(OSError):  # a stream without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hakoenv")
def main() -> None:
    """A Japanese shared-map nation game as an environment for AI research."""
