"""Observe `varied_noise`: play epochs as workers would, one after the other, in this process.

Each worker gets a copy of the dataset and the seeds that `DataLoader` gives it
(`torch.utils.data._utils.worker._worker_loop`).
"""

import contextlib
import copy
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch.utils.data._utils import worker as torch_worker

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import raised_text


class VariedNoise(Observer):
    """Facts: `runs`, each with two epochs, each with the items of every worker.

    The first two runs have the same seeds, the third has others. `drawn`: what torch's generator
    gives in each worker, in the order of seeding; an observer of something else cannot know it.
    `after_making`: what it gives once the dataset of a run has been made.
    """

    parameters = ("values",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        values = torch.tensor(inputs["values"])
        facts: dict[str, Any] = {"runs": [], "drawn": [], "after_making": []}
        with _random_states_kept():
            for seeds, ambient in zip(inputs["seeds"], inputs["ambient"], strict=True):
                # What nobody seeds is different in every run of a program.
                torch.manual_seed(ambient)
                np.random.seed(ambient)
                random.seed(ambient)
                dataset = answer(values)
                facts["returned"] = describe(dataset)
                facts["after_making"].append(_next_draws())
                try:
                    facts["length"] = describe(len(dataset))
                    facts["runs"].append(_run(dataset, inputs, seeds, facts["drawn"]))
                except (Exception, SystemExit) as error:  # of the dataset, not of `answer`
                    facts["error"] = raised_text(error)
                    break
        return facts | {"values": values.tolist()}


def _run(
    dataset: Any, inputs: Mapping[str, Any], seeds: list[int], drawn: list[Any]
) -> list[list[list[Any]]]:
    """Two epochs: in each, for every worker, the items that it makes."""
    count, workers = len(inputs["values"]), inputs["workers"]
    if inputs["used_first"]:
        dataset[0]
    if workers == 0:
        torch.manual_seed(seeds[0])
        drawn.append(_next_draws())
        return [[_items(dataset, range(count))] for _ in range(2)]
    return [
        [_worker(dataset, count, workers, number, seed, drawn) for number in range(workers)]
        for seed in seeds
    ]


def _worker(
    dataset: Any, count: int, workers: int, number: int, base_seed: int, drawn: list[Any]
) -> list[Any]:
    """What worker `number` makes in one epoch: batches of two, dealt out in turn."""
    own = copy.deepcopy(dataset)
    torch.manual_seed(base_seed + number)
    drawn.append(_next_draws())
    random.seed(base_seed + number)
    np.random.seed(torch_worker._generate_state(base_seed, number))
    before = torch_worker._worker_info
    torch_worker._worker_info = torch_worker.WorkerInfo(
        id=number, num_workers=workers, seed=base_seed + number, dataset=own
    )
    try:
        return _items(own, [i for i in range(count) if i // 2 % workers == number])
    finally:
        torch_worker._worker_info = before


def _next_draws() -> list[float]:
    """What torch's generator would give next."""
    state = torch.get_rng_state()
    draws = torch.randn(2).tolist()
    torch.set_rng_state(state)
    return draws


def _items(dataset: Any, numbers: Iterable[int]) -> list[Any]:
    return [[number, describe(dataset[number])] for number in numbers]


@contextlib.contextmanager
def _random_states_kept() -> Iterator[None]:
    """The learner's own random numbers go on afterwards as if nothing had been drawn."""
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    # torch.manual_seed also seeds the GPUs, as soon as they are in use.
    on_gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    try:
        yield
    finally:
        for number, state in enumerate(on_gpus):
            torch.cuda.set_rng_state(state, number)
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])


observer = VariedNoise()
