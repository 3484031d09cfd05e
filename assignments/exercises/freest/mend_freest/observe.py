"""Observe `mend_freest`: the batch that comes back, what was copied, and the batch afterwards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import torch

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

MIB = 2**20


class MendFreest(Observer):
    """Facts: `result`; `routes`, how often was copied from where to where; `changed`, whether the
    batch is not as before.
    """

    parameters = ("batch",)

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        batch = torch.tensor(inputs["batch"], device=inputs["device"])
        before = describe(batch)
        with _memory(inputs["free"], inputs["total"]), count_copies() as copies:
            result = answer(batch)
        return {
            "result": describe(result),
            "routes": [[*route, count] for route, count in copies.by_route.items()],
            "changed": describe(batch) != before,
        }


@contextmanager
def _memory(free: Sequence[int], total: Sequence[int]) -> Iterator[None]:
    """Let as many GPUs be visible as there are numbers (MiB), with this much memory."""

    def mem_get_info(device: Any = None) -> tuple[int, int]:
        if not free:
            raise RuntimeError("No CUDA GPUs are available")
        index = torch.cuda._utils._get_device_index(device, optional=True)
        if index >= len(free):
            raise AssertionError("Invalid device id")
        return free[index] * MIB, total[index] * MIB

    with (
        mock.patch("torch.cuda.mem_get_info", mem_get_info),
        mock.patch("torch.cuda.memory.mem_get_info", mem_get_info),
        mock.patch("torch.cuda.device_count", lambda: len(free)),
        mock.patch("torch.cuda.is_available", lambda: bool(free)),
    ):
        yield


observer = MendFreest()
