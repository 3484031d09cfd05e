"""Observe `mean_loss`: its result, and how often the program waited for a GPU."""

from course_utils.checking.observers import build
from course_utils.experiments.waits import with_waits
from exercise_kit.observers import OneCall


class CallThatWaits(OneCall):
    """Facts: those of `OneCall`, and `waits`, the warnings of `set_sync_debug_mode("warn")`."""

    needs_devices = True

    def observe(self, answer, inputs):
        self._waits = 0
        return {**super().observe(answer, inputs), "waits": self._waits}

    def call(self, answer, inputs):
        result, self._waits = with_waits(answer, *inputs)
        return result


def made(value):
    """A tensor, or a list of tensors, from descriptions."""
    return [build(each) for each in value] if isinstance(value, list) else build(value)


observer = CallThatWaits(make=made)
