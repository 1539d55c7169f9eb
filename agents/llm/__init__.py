"""Nations governed by language models through any OpenAI-compatible endpoint; docs/llm.md explains.

`nation` is the controller; `prompt` and `tools` say what a model sees, `asking` how it is asked until its
answer holds or a budget is used up, `endpoint` how a call is made, `transcript` what is kept and replayed.
"""

from hakoenv.agents.llm.budget import Budget, Prices
from hakoenv.agents.llm.nation import LLMNation, controller
from hakoenv.agents.llm.settings import Settings
from hakoenv.agents.llm.transcript import Transcript

__all__ = ["Budget", "LLMNation", "Prices", "Settings", "Transcript", "controller"]
