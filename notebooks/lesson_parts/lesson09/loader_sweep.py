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
    loader: Callable[[int], Batches],
    workers: Sequence[int],
    *,
    ceiling: Batches,
    rounds: int = 3,
) -> Sweep:
    """The rates of a loop, measured in rounds: an epoch with each number of workers per round.

    rate: runs the loop on batches, and returns images per second. loader: makes the loader with so
    many workers. ceiling: batches that need no loading, measured in each round, too.
    """
    with warnings.catch_warnings(action="ignore"):
        # PyTorch warns about more workers than CPUs, which are intended here.
        sources: dict[int | None, Batches] = {number: loader(number) for number in workers}
        sources[None] = ceiling
        rates: dict[int | None, list[float]] = {number: [] for number in sources}
        epochs = [number for _ in range(rounds) for number in sources]
        for number in steps(epochs, f"Measuring {rounds} rounds", seconds=16):
            rates[number].append(rate(sources[number]))
    return Sweep({number: tuple(rates[number]) for number in workers}, tuple(rates[None]))
