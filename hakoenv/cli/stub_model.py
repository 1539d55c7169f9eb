"""``hakoenv stub-model``: a pretended language model on this machine, for trying things without a key."""

from __future__ import annotations

import time

import click

from hakoenv.cli.refusal import Refusal, WholeNumber
from hakoenv.testing.stub_model import BEHAVIOURS, StubModel

_PORT = WholeNumber(0, 65535, "a port of 0..65535")


@click.command("stub-model")
@click.option("--port", type=_PORT, default=8011, show_default=True, help="Where it listens; 0: a free one.")
def stub_model(port: int) -> None:
    """Serve pretended models, such as stub-sane, in the form of OpenAI's chat completions, until Ctrl-C."""
    try:
        stub = StubModel(port=port)
    except OSError as error:
        raise Refusal(f"--port: {port} can't be used ({error.strerror})") from error
    with stub:
        click.echo(f"{stub.url} serves {', '.join(f'stub-{name}' for name in BEHAVIOURS)}")
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
