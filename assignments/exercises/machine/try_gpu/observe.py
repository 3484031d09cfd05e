"""Observe `try_gpu` where PyTorch counts as many GPUs as the case says."""

from collections.abc import Callable, Mapping
from typing import Any
from unittest import mock

import torch

from exercise_kit.observers import OneCall


class TryGpu(OneCall):
    """Facts: those of `OneCall`. `gpus` is no argument, and an `i` of None is left out."""

    gpus = None

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs up to `i`, if the case has such a GPU: an answer may use it."""
        wanted = int(data["i"] or 0) + 1
        return range(wanted if wanted <= data["gpus"] else 0)

    def prepare(self, data: Mapping[str, Any]) -> list[int | None]:
        """The index alone; the number of GPUs is kept for the call."""
        self._gpus: int = data["gpus"]
        return [data["i"]]

    def call(self, answer: Callable[..., Any], inputs: list[Any]) -> Any:
        """The answer's result where PyTorch counts that number of GPUs."""
        with (
            mock.patch.object(torch.cuda, "device_count", lambda: self._gpus),
            mock.patch.object(torch.cuda, "is_available", lambda: self._gpus > 0),
        ):
            return answer(*(i for i in inputs if i is not None))


observer = TryGpu("i")
