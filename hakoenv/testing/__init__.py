"""Small worlds and cases, for tests of the rules, bug reports and examples.

`SmallWorld` is a quiet world built and read by name; a case is the same as data (docs: case files).
`run_case` returns the failures of one, `load_cases` reads a file of them, `CaseError` says what is wrong.
"""

from hakoenv.testing.errors import CaseError
from hakoenv.testing.runner import load_cases, run_case
from hakoenv.testing.small_world import SmallWorld

__all__ = ["CaseError", "SmallWorld", "load_cases", "run_case"]
