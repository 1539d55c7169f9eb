"""What tests of the engine share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

_QUIET = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)
_SHORT = 100  # runs of fewer examples are the same each time


@pytest.fixture
def run_machine() -> Callable[[type[RuleBasedStateMachine], int, int], None]:
    """Runs so many examples of so many steps of a state machine."""

    def run(machine: type[RuleBasedStateMachine], examples: int, steps: int) -> None:
        run_state_machine_as_test(
            machine,
            settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None, database=None,
                              suppress_health_check=_QUIET, derandomize=examples < _SHORT),
        )  # fmt: skip

    return run
