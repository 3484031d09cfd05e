"""How slow this computer is now, because of other programs or a limited share of its cores."""

import time

SLOW = 4.0
"""From this slowness on, half a minute can be too short for an answer that computes for seconds."""

_MOST = 20.0
_SPIN = 0.1  # seconds of processor time


def slowness() -> float:
    """Wall-clock seconds for one second of processor time: the smallest of three measurements.

    The smallest, because one short pause does not make a slow computer.
    """
    return min(_measured() for _ in range(3))


def _measured() -> float:
    wall, computed = time.monotonic(), time.process_time()
    while (spent := time.process_time() - computed) < _SPIN:
        pass
    return (time.monotonic() - wall) / spent


def patience_for(slow: float) -> float:
    """The factor on the wall-clock limit of an answer for this slowness."""
    return 1.0 if slow < SLOW else min(slow, _MOST)
