"""Measure a `DataLoader` with several numbers of workers, on this computer, with a real clock."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from torch.utils.data import DataLoader, Dataset

from course_utils.experiments.datasets import Pictures, Waiting, make_pictures
from lesson_parts.waiting import steps

TOLERANCE = 0.1
"""The share by which a time may be longer than the best, for fewer workers."""


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
        """The smallest number of workers whose time is at most `1 + TOLERANCE` times the best."""
        enough = self.median(self.fastest) / (1 + TOLERANCE)
        return min(workers for workers in self.rates if self.median(workers) >= enough)


def sweep(kind: str, workers: Sequence[int], rounds: int = 3) -> Sweep:
    """The speed of a dataset, measured in rounds: an epoch with each number of workers per round.

    A first round is not counted. It starts the workers, which then stay alive, and reads the files
    for the first time. kind: "decoding", of large JPEG files, or "waiting", 5 ms for each sample.
    """
    with TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
        # PyTorch warns about more workers than CPUs, which are intended here.
        data: Dataset[Any] = Waiting(64, 0.005)
        if kind == "decoding":
            data = Pictures(make_pictures(folder, count=32))
        loaders = {
            number: DataLoader(
                data, batch_size=8, num_workers=number, persistent_workers=number > 0
            )
            for number in workers
        }
        rates: dict[int, list[float]] = {number: [] for number in workers}
        epochs = [number for _ in range(1 + rounds) for number in workers]
        for number in steps(epochs, f"Measuring: {kind}", seconds=5):
            rates[number].append(_epoch_rate(loaders[number]))
    return Sweep(kind, {number: tuple(found[1:]) for number, found in rates.items()})


def _epoch_rate(loader: DataLoader[Any]) -> float:
    """The speed of an epoch whose batches are not used, in samples per second."""
    begun = time.perf_counter()
    samples = sum(len(batch) for batch in loader)
    return samples / (time.perf_counter() - begun)
