"""Who wrote a nation's plan of the turn; proxy = the rule AI for a language model."""

EXTERNAL = 0
RULE_AI = 1
LLM = 2
PROXY = 3

NAMES = ("external", "rule_ai", "llm", "proxy")
