"""The loop of the calls does not hold up the end of a program."""

import subprocess
import sys
import time

SLOW = """
import socket, time
socket.getaddrinfo = lambda *given, **named: time.sleep(30)
from hakoenv import Season
from hakoenv.agents.llm import Budget, LLMNation
model = LLMNation("http://slow.invalid/v1", "m", Budget(seconds_per_turn=1))
Season.new("duel", seed=1, agents=[model, "rule_ai"]).run(until=1)
print(time.time(), flush=True)
"""


def test_a_name_that_is_still_looked_up_does_not_hold_up_the_end() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, check=True)
    assert time.time() - float(done.stdout) < 10
