"""Observe `try_gpu` where PyTorch counts so many GPUs."""

from unittest import mock

import torch

from exercise_kit.observers import OneCall


class TryGpu(OneCall):
    """Facts: those of `OneCall`. `gpus`, how many there are, is no argument, and None is none."""

    needs_devices = True

    def prepare(self, data):
        self._gpus = data["gpus"]
        return [data["i"]]

    def call(self, answer, inputs):
        with (
            mock.patch.object(torch.cuda, "device_count", lambda: self._gpus),
            mock.patch.object(torch.cuda, "is_available", lambda: self._gpus > 0),
        ):
            return answer(*(i for i in inputs if i is not None))


observer = TryGpu("i")
