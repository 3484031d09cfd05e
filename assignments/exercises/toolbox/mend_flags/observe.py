"""Observe `mend_flags`: the results, and what the call changed or copied."""

import torch

from course_utils.checking.observers import DeviceCall, build


class MendFlags(DeviceCall):
    """Facts: `changed`; the `keys` and `results` of the dict, or the `form` of something else.

    current: whether the current GPU, another one than `device`, is so afterwards. again: whether
    "move" is a copy on the device where the batch was. inward: copies to GPUs. outward: bytes that
    were copied to the CPU.
    """

    def call(self, answer, inputs):
        _, batch, device = inputs
        current = device.index % 3 + 1
        with torch.cuda.device(current):
            result = super().call(answer, inputs)
            self._kept = torch.cuda.current_device() == current
        moved = result.get("move") if isinstance(result, dict) else None
        there = isinstance(moved, torch.Tensor) and moved.device == batch.device
        self._again = there and moved.data_ptr() != batch.data_ptr()
        return result

    def observe(self, answer, inputs):
        facts = super().observe(answer, inputs)
        result = facts["result"]
        if result["type"] != "dict":
            return {"changed": facts["changed"], "form": result}
        keys = [str(key.get("value")) for key in result["keys"]]
        return {
            "changed": facts["changed"],
            "keys": sorted(keys),
            "results": dict(zip(keys, result["items"], strict=True)),
            "current": self._kept,
            "again": self._again,
            "inward": sum(n for _, target, n in facts["copies"] if target != "cpu"),
            "outward": sum(size for _, target, size in facts["bytes"] if target == "cpu"),
        }


observer = MendFlags(make={"batch": build, "device": torch.device})
