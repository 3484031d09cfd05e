"""Observe `mend_freest`: the batch that comes back, what was copied, and the batch afterwards."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies
from course_utils.experiments.stand_ins import standing_in

MIB = 2**20


class MendFreest(Observer):
    """Facts: `result`; `routes`, how often was copied from where to where; `made`, how many tensors
    were put on each GPU, by a copy or from numbers; `changed`, whether the batch is not as before.
    """

    parameters = ("batch",)

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        batch = torch.tensor(inputs["batch"], device=inputs["device"])
        before = describe(batch)
        allocated = _allocated()
        with _memory(inputs["free"], inputs["total"], answer), count_copies() as copies:
            result = answer(batch)
        made = _allocated() - allocated
        return {
            "result": describe(result),
            "routes": [[*route, count] for route, count in copies.by_route.items()],
            "made": made,
            "changed": describe(batch) != before,
        }


def _allocated() -> Counter[str]:
    """How often memory was taken on each GPU, since the process began."""
    name = "allocation.all.allocated"
    gpus = range(torch.cuda.device_count())
    return Counter({f"cuda:{gpu}": torch.cuda.memory_stats(gpu).get(name, 0) for gpu in gpus})


def _memory(
    free: Sequence[int], total: Sequence[int], answer: Callable[..., Any]
) -> AbstractContextManager[None]:
    """Let as many GPUs be visible as there are numbers (MiB), with this much memory."""

    def mem_get_info(device: Any = None) -> tuple[int, int]:
        if not free:
            raise RuntimeError("No CUDA GPUs are available")
        index = torch.cuda._utils._get_device_index(device, optional=True)
        if index >= len(free):
            raise AssertionError("Invalid device id")
        return free[index] * MIB, total[index] * MIB

    return standing_in(
        {
            "torch.cuda.mem_get_info": mem_get_info,
            "torch.cuda.memory.mem_get_info": mem_get_info,
            "torch.cuda.device_count": lambda: len(free),
            "torch.cuda.is_available": lambda: bool(free),
        },
        answer,
    )


observer = MendFreest()
