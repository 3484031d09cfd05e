"""What an answer costs in memory, and where that lies between two ways of the course."""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from ..toolbox.collection import garbage_kept
from .gpt import GPT


@dataclass(frozen=True)
class Sizes:
    """A small GPT and a batch of random texts, by the data of a case."""

    layers: int
    width: int
    texts: int
    context: int
    seed: int

    def make(self) -> tuple[GPT, torch.Tensor]:
        """The model and its texts, of the shape (texts, context + 1), on the current GPU."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            model = GPT(self.layers, self.width, heads=4, context=self.context)
            text = torch.randint(256, (self.texts, self.context + 1))
        return model.cuda(), text.cuda()


def loss_of(model: torch.nn.Module, text: torch.Tensor, **options: Any) -> torch.Tensor:
    """The mean loss of the next bytes. options: of the model's forward pass."""
    scores = model(text[:, :-1], **options)
    return cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())


@contextmanager
def measuring() -> Iterator[None]:
    """A block in which nobody else's garbage is freed, and the CPU computes in one thread.

    On a busy computer, threads that wait for each other would take ten times as long.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with garbage_kept():
            yield
    finally:
        torch.set_num_threads(threads)
        gc.collect()  # modules of FSDP2 hold each other, and memory with them


class Memory:
    """The memory on the current GPU, relative to the creation of this object, in bytes."""

    def __init__(self) -> None:
        gc.collect()
        torch.cuda.reset_peak_memory_stats()
        self._before = torch.cuda.memory_allocated()

    @property
    def now(self) -> int:
        """In use now."""
        return torch.cuda.memory_allocated() - self._before

    @property
    def peak(self) -> int:
        """The highest value since the creation."""
        return torch.cuda.max_memory_allocated() - self._before


def nearer(seen: float, ways: Mapping[str, Callable[[], float]]) -> str:
    """The name of the way whose number of bytes is the nearest to `seen`."""
    found = {name: way() for name, way in ways.items()}
    return min(found, key=lambda name: abs(found[name] - seen))
