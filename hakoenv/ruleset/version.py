"""The version of the rules: it changes when behaviour changes, never for speed."""

RULES_VERSION = "0.1"
