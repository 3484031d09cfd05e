"""A model of an epoch: workers that load batches, and a GPU that computes on them.

It is arithmetic: nothing is loaded, and no clock is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

Span = tuple[int, float, float]
"""The index of a batch, from when, until when: ms since the epoch began."""


@dataclass(frozen=True)
class Epoch:
    """Who did what. loading: one list of spans for each worker; without any, the main process."""

    workers: int
    loading: list[list[Span]]
    computing: list[Span] = field(default_factory=list)

    @property
    def end(self) -> float:
        """When the last step is done."""
        return self.computing[-1][2]

    @property
    def waits(self) -> float:
        """For how long the GPU has nothing to do, before its first step or between two steps."""
        return self.end - sum(end - begin for _, begin, end in self.computing)


def play_epoch(loads: Sequence[float], compute: float, workers: int, prefetch: int) -> Epoch:
    """Play an epoch in which batch n takes `loads[n]` ms to load, and each step `compute` ms.

    As in a `DataLoader`, worker n % workers loads batch n, and no batch is begun before it is
    ordered: `prefetch` for each worker at the start, then one more for each that is taken.
    """
    epoch = Epoch(workers, [[] for _ in range(max(workers, 1))])
    free = 0.0  # when the main process and its GPU are ready for the next batch
    idle = [0.0] * workers
    taken: list[float] = []
    for number, load in enumerate(loads):
        if workers:
            ahead = number - prefetch * workers
            ordered = taken[ahead] if ahead >= 0 else 0.0
            begin = max(idle[number % workers], ordered)
            loaded = idle[number % workers] = begin + load
        else:
            begin, loaded = free, free + load
        epoch.loading[number % max(workers, 1)].append((number, begin, loaded))
        taken.append(max(loaded, free))
        free = taken[-1] + compute
        epoch.computing.append((number, taken[-1], free))
    return epoch
