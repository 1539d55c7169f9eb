"""A benchmark of language models: one seat, some seeds, the rule AI and random in the same seats beside it.

`play` plays the seasons, `figures` makes means and intervals of them, `command` is `hakoenv llm-bench`.
"""
