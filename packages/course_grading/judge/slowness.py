"""How slow this computer is just now: other programs are busy on it, or it is held to a share."""

import time

SLOW = 4.0
"""From here on half a minute may be too short for an answer that computes for some seconds."""

_MOST = 20.0
_SPIN = 0.1  # seconds of processor time


def slowness() -> float:
    """Seconds on the wall for a second of processor time, measured by computing three times.

    The least of them counts: a moment's pause is not a slow computer.
    """
    return min(_measured() for _ in range(3))


def _measured() -> float:
    wall, computed = time.monotonic(), time.process_time()
    while (spent := time.process_time() - computed) < _SPIN:
        pass
    return (time.monotonic() - wall) / spent


def patience_for(slow: float) -> float:
    """How many times as long as usual an answer may wait on a computer that slow."""
    return 1.0 if slow < SLOW else min(slow, _MOST)
