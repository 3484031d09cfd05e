"""Measure a `DataLoader` with several numbers of workers, on this computer, with a real clock."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from torch.utils.data import DataLoader, Dataset

from lesson_parts.waiting import steps


@dataclass(frozen=True)
class Sweep:
    """Samples per second of several epochs, for each number of workers."""

    name: str
    rates: Mapping[int, Sequence[float]]

    def median(self, workers: int) -> float:
        """The middle one of what was measured with so many workers."""
        return median(self.rates[workers])

    @property
    def fastest(self) -> int:
        """The number of workers with the highest median."""
        return max(self.rates, key=self.median)

    @property
    def choice(self) -> int:
        """The fewest workers within the noise: as fast as the slowest run of the fastest."""
        good_enough = min(self.rates[self.fastest])
        return min(workers for workers in self.rates if self.median(workers) >= good_enough)


def first_batch(loader: DataLoader[Any]) -> float:
    """Seconds until a new epoch hands over its first batch, starting the workers included."""
    begun = time.perf_counter()
    batches = iter(loader)
    next(batches)
    return time.perf_counter() - begun


def sweep(
    dataset: Dataset[Any],
    name: str,
    *,
    workers: Sequence[int] = (0, 1, 2, 4),
    batch_size: int = 8,
    rounds: int = 3,
    seconds: float,
) -> Sweep:
    """Measure epochs of `dataset` in rounds: every number of workers once, then all of them again.

    A round before that is not counted. It starts the workers, which then stay, and reads the files
    for the first time. seconds: about how long all of it takes, for the bar.
    """
    with warnings.catch_warnings(action="ignore"):  # of more workers than CPUs: a point of it
        loaders = {
            number: DataLoader(
                dataset, batch_size=batch_size, num_workers=number, persistent_workers=number > 0
            )
            for number in workers
        }
        rates: dict[int, list[float]] = {number: [] for number in workers}
        epochs = [number for _ in range(1 + rounds) for number in workers]
        for number in steps(epochs, f"Measuring: {name}", seconds):
            rates[number].append(_epoch_rate(loaders[number]))
    return Sweep(name, {number: tuple(found[1:]) for number, found in rates.items()})


def _epoch_rate(loader: DataLoader[Any]) -> float:
    """Samples per second in an epoch whose batches nobody uses."""
    begun = time.perf_counter()
    samples = sum(len(batch) for batch in loader)
    return samples / (time.perf_counter() - begun)
