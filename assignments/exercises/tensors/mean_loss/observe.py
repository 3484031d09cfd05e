"""Observe `mean_loss`: its result, and how often the program waited for a GPU."""

from contextlib import nullcontext

import virtual_cuda
from course_utils.checking.observers import build
from course_utils.experiments.waits import with_waits
from exercise_kit.observers import OneCall


class CallThatWaits(OneCall):
    """Facts: those of `OneCall`, and `waits`, the warnings of `set_sync_debug_mode("warn")`.

    early: whether something was read before its copy was there, which virtual GPUs know.
    """

    needs_devices = True

    def observe(self, answer, inputs):
        self._waits, self._early = 0, False
        facts = super().observe(answer, inputs)
        return {**facts, "early": self._early, "waits": self._waits}

    def call(self, answer, inputs):
        with virtual_cuda.trace() if virtual_cuda.is_enabled() else nullcontext() as trace:
            result, self._waits = with_waits(answer, *inputs)
        self._early = bool(trace and trace.hazards)
        return result


def made(value):
    """A tensor, or a list of tensors, from descriptions."""
    return [build(each) for each in value] if isinstance(value, list) else build(value)


observer = CallThatWaits(make=made)
