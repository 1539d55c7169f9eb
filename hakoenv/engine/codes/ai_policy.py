"""A nation's settings for the rule AI that governs it, in its own right or as a proxy (LLM-004, LLM-005)."""

STANDARD = 0  # changes nothing

NAMES = ("standard",)
