"""Observe `fix_freest`: the batch that comes back, and what was put on each GPU."""

from collections import Counter

import torch

from course_utils.checking.observers import DeviceCall, build
from exercise_kit.facts import raised_text
from exercise_kit.observers import attempt
from exercise_kit.stand_ins import standing_in, visible

MIB = 2**20


class MendFreest(DeviceCall):
    """Facts: `result` and `changed`; `put`, how many tensors were put on the GPU of the result, by
    a copy or from numbers; `elsewhere`, the other GPUs on which something was put.

    failed: only that an exception was raised, where there is no GPU.
    """

    def prepare(self, data):
        return [*super().prepare(data), data]

    def observe(self, answer, inputs):
        (batch, data), observe = inputs, super().observe
        before = allocated()
        with visible(len(data["free"]), answer), memory(data["free"], data["total"], answer):
            facts, error = attempt(lambda: observe(answer, [batch]), lambda _: not data["free"])
        if error:
            return {"changed": [], "failed": raised_text(error)}
        put = allocated() - before
        for _, target, count in facts["copies"]:
            # Numbers of the answer's own may be brought to the CPU.
            put[target] = max(put[target], count) if target != "cpu" else 0
        device = facts["result"].get("device")
        return {
            "result": facts["result"],
            "changed": facts["changed"],
            "put": put[device],
            "elsewhere": sorted(gpu for gpu in put if put[gpu] and gpu != device),
        }


def allocated():
    """How often memory was taken on each GPU, since the process began."""
    gpus = range(torch.cuda.device_count())
    every = {f"cuda:{gpu}": torch.cuda.memory_stats_as_nested_dict(gpu) for gpu in gpus}
    return Counter(
        {name: s["allocation"]["all"]["allocated"] if s else 0 for name, s in every.items()}
    )


def memory(free, total, answer):
    """Let the GPUs have this much memory, in MiB."""

    def mem_get_info(device=None):
        if not free:
            raise RuntimeError("No CUDA GPUs are available")
        index = torch.cuda._utils._get_device_index(device, optional=True)
        if index >= len(free):
            raise AssertionError("Invalid device id")
        return free[index] * MIB, total[index] * MIB

    names = ("torch.cuda.mem_get_info", "torch.cuda.memory.mem_get_info")
    return standing_in(dict.fromkeys(names, mem_get_info), answer)


observer = MendFreest(make=build)
