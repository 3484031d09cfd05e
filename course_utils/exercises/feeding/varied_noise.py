"""Observe `feeding.varied_noise`: run epochs as workers would, one after the other, in-process.

Each worker gets a copy of the dataset and the seeds that `DataLoader` gives it
(`torch.utils.data._utils.worker._worker_loop`).
"""

import contextlib
import copy
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch.utils.data._utils import worker as torch_worker

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.feeding.material import raised_text


class VariedNoise(Observer):
    """Facts: the items of two epochs, and of the first one in a second run with the same seed."""

    name = "feeding.varied_noise"
    parameters = ("values",)
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        values = torch.tensor(data["values"])
        with _random_states_kept():
            facts: dict[str, Any] = {}
            for run in ("first", "again"):
                # What nobody seeds is different in every run of a program.
                torch.manual_seed(data["other_seeds"][run == "again"])
                np.random.seed(data["other_seeds"][run == "again"])
                random.seed(data["other_seeds"][run == "again"])
                dataset = answer(values)
                try:
                    facts["length"] = describe(len(dataset))
                    facts[run] = _run(dataset, data)
                except (Exception, SystemExit) as error:  # of the dataset, not of `answer`
                    facts["error"] = raised_text(error)
                    break
        return facts | {"returned": describe(dataset), "values": values.tolist()}


def _run(dataset: Any, data: Mapping[str, Any]) -> list[list[list[Any]]]:
    """Two epochs: in each, for every worker, the items that it makes."""
    if data["used_first"]:
        dataset[0]
    if data["workers"] == 0:
        torch.manual_seed(data["seeds"][0])
        return [[_items(dataset, range(len(data["values"])))] for _ in range(2)]
    return [
        [_worker(dataset, data, number, seed) for number in range(data["workers"])]
        for seed in data["seeds"]
    ]


def _worker(dataset: Any, data: Mapping[str, Any], number: int, base_seed: int) -> list[Any]:
    """What worker `number` makes in one epoch: batches of two, dealt out in turn."""
    own = copy.deepcopy(dataset)
    workers = data["workers"]
    torch.manual_seed(base_seed + number)
    random.seed(base_seed + number)
    np.random.seed(torch_worker._generate_state(base_seed, number))
    info = torch_worker.WorkerInfo(
        id=number, num_workers=workers, seed=base_seed + number, dataset=own
    )
    before = torch_worker._worker_info
    torch_worker._worker_info = info
    try:
        mine = [i for i in range(len(data["values"])) if i // 2 % workers == number]
        return _items(own, mine)
    finally:
        torch_worker._worker_info = before


def _items(dataset: Any, numbers: Any) -> list[Any]:
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
