"""Observe `steady`: two epochs of its loader, with real workers, which are forked."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch.utils.data import DataLoader

from course_utils.experiments import forks
from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe

# Imported for what it registers: no garbage is collected in a forked worker.
assert forks


class Steady(Observer):
    """Facts: `form` of a result that is no loader; why an epoch `failed`; or of two epochs the
    `batches`, the number of `workers` that the loader starts, of `requests`, the `readers` in the
    first epoch, and whether the workers were `restarted`.
    """

    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of two epochs. A worker's requests are lines of a file."""
        with TemporaryDirectory() as folder, _forked(), torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(0)  # an order that is drawn is always the same
            log = Path(folder, "requests")
            log.touch()

            def read(indices: Sequence[int]) -> list[tuple[torch.Tensor, int]]:
                with log.open("a") as file:  # a short line is written at once
                    file.write(f"{os.getpid()} {len(indices)}\n")
                return [(torch.tensor([float(index)]), index % 6) for index in indices]

            loader = answer(read, inputs["count"])
            if not isinstance(loader, DataLoader):
                return {"form": describe(loader)}
            workers = loader.num_workers
            try:
                epochs = [(_epoch(loader), log.read_text("utf-8").splitlines()) for _ in range(2)]
            except Exception as error:  # of a worker: its last line says what happened there
                return {"failed": str(error).strip().splitlines()[-1]}
            finally:
                del loader  # ends its workers
        (first, early), (second, every) = epochs
        parts = (early, every[len(early) :])
        before, after = ({line.split()[0] for line in part} for part in parts)
        main = str(os.getpid())
        readers = "the main process" if main in before else f"{len(before)} workers"
        return {
            "batches": [first, second],
            "workers": workers,
            "readers": readers,
            "restarted": "the same" if before == after else "other processes",
            "requests": len(every),
        }


def _epoch(loader: DataLoader[Any]) -> list[list[list[float]]]:
    """The images and the targets of each batch."""
    return [[images.flatten().tolist(), targets.tolist()] for images, targets in loader]


@contextmanager
def _forked() -> Iterator[None]:
    """Workers are forked, so that classes of a notebook need not be imported."""
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(before, force=True)
