"""Who drives a nation."""

EXTERNAL = 0
RULE_AI = 1
LLM = 2

NAMES = ("external", "rule_ai", "llm")
