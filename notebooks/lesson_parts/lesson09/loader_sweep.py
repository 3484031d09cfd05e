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
        """The median of the rates with so many workers, in samples per second."""
        return median(self.rates[workers])

    @property
    def fastest(self) -> int:
        """The number of workers with the highest median."""
        return max(self.rates, key=self.median)

    @property
    def choice(self) -> int:
        """The smallest number of workers whose median reaches the slowest run of the fastest."""
        good_enough = min(self.rates[self.fastest])
        return min(workers for workers in self.rates if self.median(workers) >= good_enough)


def first_batch(loader: DataLoader[Any]) -> float:
    """The time until the first batch of a new epoch, with the start of the workers, in seconds."""
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
    """The speed of `dataset`, measured in rounds: an epoch with each number of workers per round.

    A first round is not counted. It starts the workers, which then stay alive, and reads the files
    for the first time. seconds: about how long all of it takes, for the bar.
    """
    with warnings.catch_warnings(action="ignore"):  # about more workers than CPUs: intended here
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
    """The speed of an epoch whose batches are not used, in samples per second."""
    begun = time.perf_counter()
    samples = sum(len(batch) for batch in loader)
    return samples / (time.perf_counter() - begun)
