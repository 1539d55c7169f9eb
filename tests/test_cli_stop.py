"""A first signal is a wish, a second one stops at once."""

import os
import signal

import pytest

from hakoenv.cli.stop import Stop

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_noted_and_the_second_interrupts(sent: signal.Signals) -> None:
    before = signal.getsignal(sent)
    told: list[int | None] = []
    with Stop() as stop:
        stop.tell = lambda: told.append(stop.signal)
        os.kill(os.getpid(), sent)
        assert (stop.signal, told) == (sent, [sent])
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert stop.signal == sent
    assert signal.getsignal(sent) is before
