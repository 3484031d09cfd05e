"""`memory_map`: the memories of the machine, and the one in which each tensor is."""

from collections.abc import Mapping

import torch

import virtual_cuda
from course_utils.figures.picture import INK, MONO, NOTE, WIDTH, Picture
from course_utils.words import listed, shortened
from lesson_parts.bands import device_style
from lesson_parts.visibility import short_name

LEFT, TOP, ROW = 0.25, 1.0, 0.48
COLUMNS = {"in PyTorch": 0.4, "in nvidia-smi": 1.5, "memory of": 2.85, "tensors": 4.75}


def memory_map(tensors: Mapping[str, torch.Tensor]) -> Picture:
    """A picture with a row for the memory of the CPU, and of each GPU, with PyTorch's name.

    Each tensor is a box in the row of its device. The last tensor's device is in the title.
    """
    machine, last = virtual_cuda.machine(), [*tensors][-1]
    rows = {"cpu": ("–", "the CPU")}
    for index, number in enumerate(machine.visible_devices):
        rows[f"cuda:{index}"] = f"GPU {number}", short_name(machine.devices[number].name)
    title = f"{len(rows)} memories: {shortened(last, 24)} is on {tensors[last].device}"
    page = Picture(TOP + ROW * len(rows) + 0.2, title)
    page.tell(f"{title}.")
    for head, x in COLUMNS.items():
        page.write(x, TOP - 0.2, head, **NOTE)
    for place, (device, words) in enumerate(rows.items()):
        top = TOP + ROW * place + 0.06 * bool(place)
        page.box(LEFT, top, WIDTH - 2 * LEFT, 0.4, **device_style(device))
        for x, word in zip(COLUMNS.values(), (device, *words), strict=False):
            page.write(x, top + 0.2, word, weight="bold" if word == device else "normal")
        here = [name for name, tensor in tensors.items() if str(tensor.device) == device]
        for x, name in zip((4.75, 6.4), here, strict=False):
            page.box(x, top + 0.06, 1.55, 0.28, shortened(name, 16), edge=INK, family=MONO)
        page.tell(f"{device} ({', '.join(words)}): {listed(here or ['no tensor'])}.")
    return page
