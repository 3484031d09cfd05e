"""Observe `load`: its tensor, the other GPUs that it used, and which GPU is current after it."""

import torch

from course_utils.checking.observers import DeviceCall


class Load(DeviceCall):
    """Facts: `changed`; `result`; `used`, other GPUs from which something came; and `current`.

    current: the current GPU after the call.
    """

    def observe(self, answer, inputs):
        with torch.cuda.device(0):
            facts = super().observe(answer, inputs)
            current = torch.cuda.current_device()
        sources = {source for source, _, _ in facts["copies"]} - {"cpu", f"cuda:{inputs[1]}"}
        return {
            "changed": facts["changed"],
            "result": facts["result"],
            "used": sorted(sources),
            "current": current,
        }


observer = Load()
