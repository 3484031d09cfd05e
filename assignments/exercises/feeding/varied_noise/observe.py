"""Observe `varied_noise`: play epochs as workers would, one after the other, in this process.

Each worker gets a copy of the dataset and the seeds that `DataLoader` gives it
(`torch.utils.data._utils.worker._worker_loop`).
"""

import copy
import math
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations, starmap
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch.utils.data._utils import worker as torch_worker

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text

NUMBER = "a single number"
CLOSE = 1e-5
SHARE = 0.25
"""Of numbers that come again, so many are no chance."""


class VariedNoise(Observer):
    """Facts: `form` of what is no dataset, or an `error` that a dataset raised; its `length`;
    what torch's generator would have `drawn` in each worker, so that facts are of these seeds;
    whether the values are `kept`, and torch's generator is `seeded` when the dataset is made; what
    the `items` are, and of their noise what `_compare` says.

    Each of three runs has two epochs. The first two runs have the same seeds, the third has others;
    in which `order` they are made nobody knows beforehand.
    """

    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of three runs."""
        values, after, by_number = torch.tensor(inputs["values"]), [], {}
        for number in inputs["order"]:
            seeds, ambient = inputs["seeds"][number], inputs["ambient"][number]
            # What nobody seeds is different in every run of a program.
            torch.manual_seed(ambient)
            np.random.seed(ambient)
            random.seed(ambient)
            dataset = answer(values)
            if not (hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__")):
                return {"form": describe(dataset)}
            after.append(torch.get_rng_state())
            try:
                length = len(dataset)
                by_number[number] = _Run(dataset, inputs, seeds)
            except (Exception, SystemExit) as error:  # of the dataset, not of `answer`
                return {"error": raised_text(error)}
        runs = [by_number[number] for number in range(3)]
        items = ", ".join(sorted({form for run in runs for form in run.forms}))
        return {
            "length": length,
            "drawn": [draws for run in runs for draws in run.drawn],
            "kept": values.tolist() == inputs["values"],
            "seeded": torch.equal(after[0], after[1]),
            "items": items,
            **(_compare(*(run.epochs for run in runs)) if items == NUMBER else {}),
        }


class _Run:
    """Two epochs of a dataset, each with the noise that every worker makes.

    forms: what the items are. drawn: what torch's generator would give in each worker.
    """

    def __init__(self, dataset: Any, inputs: Mapping[str, Any], seeds: Sequence[int]) -> None:
        self._values, self._workers = inputs["values"], inputs["workers"]
        self.forms: set[str] = set()
        self.drawn: list[list[float]] = []
        if inputs["used_first"]:
            dataset[0]
        if self._workers:
            self.epochs = [
                [self._worker(dataset, number, seed) for number in range(self._workers)]
                for seed in seeds
            ]
        else:
            self._seed(seeds[0])
            self.epochs = [[self._part(dataset, range(len(self._values)))] for _ in seeds]

    def _worker(self, dataset: Any, number: int, base_seed: int) -> list[float]:
        """What worker `number` makes in one epoch: batches of two, dealt out in turn."""
        own, workers, seed = copy.deepcopy(dataset), self._workers, base_seed + number
        self._seed(seed)
        random.seed(seed)
        np.random.seed(torch_worker._generate_state(base_seed, number))
        info = torch_worker.WorkerInfo(id=number, num_workers=workers, seed=seed, dataset=own)
        dealt = [i for i in range(len(self._values)) if i // 2 % workers == number]
        with mock.patch.object(torch_worker, "_worker_info", info):
            return self._part(own, dealt)

    def _seed(self, seed: int) -> None:
        torch.manual_seed(seed)
        with torch.random.fork_rng([]):
            self.drawn.append(torch.randn(2).tolist())

    def _part(self, dataset: Any, numbers: Iterable[int]) -> list[float]:
        return [self._noise(describe(dataset[n]), self._values[n]) for n in numbers]

    def _noise(self, item: Mapping[str, Any], value: float) -> float:
        number = item.get("values", item.get("value"))
        if isinstance(number, float):
            self.forms.add(NUMBER if math.isfinite(number) else "infinite")
            return number - value
        shape = f" of shape {tuple(item['shape'])} in {item['dtype']}" if "shape" in item else ""
        self.forms.add(f"{item.get('class', item['type'])}{shape}")
        return math.nan


def _compare(
    first: list[list[list[float]]], again: list[list[list[float]]], other: list[list[list[float]]]
) -> dict[str, Any]:
    """How much noise comes again where it should not, whether it is `repeated` where it should,
    and its `kind`.

    All chances of a wrong verdict are below one in a million: of 400 numbers and 400 others, about
    five are the same when rounded, and the bounds are five deviations away.
    """
    epochs = [list(chain(*epoch)) for epoch in (*first, *again, *other)]
    every = epochs[0] + epochs[1]
    pairs = zip(every, epochs[2] + epochs[3], strict=True)
    return {
        "noisy": max(map(abs, every)) > CLOSE,
        "in_items": max(_many(len(p) - len(_rounded(p)), len(p)) for p in chain(*first)),
        "in_workers": max(starmap(_shared, combinations(first[0], 2)), default=0),
        "in_epochs": _shared(epochs[0], epochs[1]),
        "repeated": max(abs(one - two) for one, two in pairs) < CLOSE,
        "in_seeds": _shared(epochs[0], epochs[4]),
        "kind": _kind(every),
    }


def _shared(part: Sequence[float], other: Sequence[float]) -> int:
    """How many numbers of one can be found in the other, if they are a good share of it."""
    return _many(len(_rounded(part) & _rounded(other)), min(len(part), len(other)))


def _many(found: int, numbers: int) -> int:
    return found if found >= max(2, SHARE * numbers) else 0


def _rounded(part: Iterable[float]) -> set[float]:
    return {round(noise, 4) for noise in part}


def _kind(noises: Sequence[float]) -> str:
    mean, spread = statistics.fmean(noises), statistics.pstdev(noises)
    # Of normal noise, 8 % lies beyond 1.75; of uniform noise with the same spread, none does.
    far = sum(abs(noise) > 1.75 for noise in noises) / len(noises)
    if abs(mean) < 0.5 and 0.65 < spread < 1.4 and (len(noises) < 500 or 0.03 < far < 0.15):
        return "normal"
    return f"mean {mean:.2f}, standard deviation {spread:.2f}, {far:.0%} beyond ±1.75"
