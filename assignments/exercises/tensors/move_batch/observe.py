"""Observe `move_batch`: as any call on devices, and whether namedtuples keep their class."""

import torch

from course_utils.checking.observers import DeviceCall, build


class MoveBatch(DeviceCall):
    """Facts: those of `DeviceCall`, and `foreign`, namedtuples of a class that did not come in."""

    def __init__(self, *parameters):
        super().__init__(*parameters, make={"batch": build, "device": torch.device})

    def observe(self, answer, inputs):
        self._foreign = []
        return {**super().observe(answer, inputs), "foreign": self._foreign}

    def call(self, answer, inputs):
        known = set(namedtuples_in(inputs))
        result = super().call(answer, inputs)
        self._foreign = [kind.__name__ for kind in namedtuples_in(result) if kind not in known]
        return result


def namedtuples_in(value, depth=0):
    """The classes of the namedtuples in nested containers."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        yield type(value)
    if isinstance(value, dict | list | tuple) and depth < 12:
        for item in list(value.values() if isinstance(value, dict) else value):
            yield from namedtuples_in(item, depth + 1)
