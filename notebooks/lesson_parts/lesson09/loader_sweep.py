"""Measure a training loop with several numbers of workers, on this computer, with a real clock."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from lesson_parts.waiting import steps

TOLERANCE = 0.1
"""The share by which a time may be longer than the best, for fewer workers."""

Batches = Iterable[Any]


@dataclass(frozen=True)
class Sweep:
    """Images per second of several epochs, for each number of workers, and for one batch again."""

    rates: Mapping[int, Sequence[float]]
    ceiling: Sequence[float] = (0.0,)

    def median(self, workers: int) -> float:
        """The median of the rates with so many workers, in images per second."""
        return median(self.rates[workers])

    @property
    def fastest(self) -> int:
        """The number of workers with the highest median."""
        return max(self.rates, key=self.median)

    @property
    def choice(self) -> int:
        """The smallest number of workers whose time is at most `1 + TOLERANCE` times the best."""
        enough = self.median(self.fastest) / (1 + TOLERANCE)
        return min(workers for workers in self.rates if self.median(workers) >= enough)


def sweep(
    rate: Callable[[Batches], float],
    loader: Callable[[Any, int], Batches],
    kinds: Mapping[str, Any],
    workers: Sequence[int],
    *,
    ceiling: Batches,
    rounds: int = 3,
) -> dict[str, Sweep]:
    """The rates of a loop with each kind of dataset, measured in rounds: an epoch of each.

    rate: runs the loop on batches, and returns images per second. loader: makes the
    loader of a dataset, with so many workers, which stay. ceiling: batches that need no
    loading, measured in each round, too.
    """
    with warnings.catch_warnings(action="ignore"):
        # PyTorch warns about more workers than CPUs, which are intended here.
        sources = {(kind, n): loader(images, n) for kind, images in kinds.items() for n in workers}
        sources["", 0] = ceiling
        rates: dict[tuple[str, int], list[float]] = {each: [] for each in sources}
        for source in sources.values():
            next(iter(source))  # starts the workers
        epochs = [each for _ in range(rounds) for each in sources]
        for each in steps(epochs, f"Measuring {rounds} rounds", seconds=16):
            rates[each].append(rate(sources[each]))
    return {
        kind: Sweep({n: tuple(rates[kind, n]) for n in workers}, tuple(rates["", 0]))
        for kind in kinds
    }
