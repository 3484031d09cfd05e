"""When GPUs are done: work is launched, and a clock that does not wait misses it."""

from collections.abc import Sequence
from time import perf_counter

import torch


def finished(devices: Sequence[torch.device]) -> float:
    """Wait for all that was asked of `devices`; return the seconds of `perf_counter` then."""
    for device in devices:
        torch.cuda.synchronize(device)
    return perf_counter()
