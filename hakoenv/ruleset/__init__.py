"""Every number of the rules, as data: loaded and validated once, changed from Python, never in the package.

`load_ruleset("season", {"mine.pile_per_level": 20})` gives an immutable `Ruleset`; its compiled form is
`ruleset.rules`.
"""

from hakoenv.ruleset.compiled import Rules
from hakoenv.ruleset.loader import load_ruleset, scenarios
from hakoenv.ruleset.ruleset import Info, Ruleset
from hakoenv.ruleset.schema import RulesetError
from hakoenv.ruleset.version import RULES_VERSION

__all__ = [
    "RULES_VERSION",
    "Info",
    "Rules",
    "Ruleset",
    "RulesetError",
    "load_ruleset",
    "scenarios",
]
