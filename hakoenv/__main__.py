"""``python -m hakoenv`` is the command ``hakoenv``."""

from hakoenv.cli import main

main(prog_name="hakoenv")
