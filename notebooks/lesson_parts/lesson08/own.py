"""`own_speeds`: memory and speed of the lesson's training steps, measured on a real GPU."""

from collections.abc import Mapping
from statistics import median

import torch
from torch import nn

from course_utils.devices import lab
from lesson_parts import project

_MIB, _TIMES, _MOST = 2**20, 10, 480


def own_speeds() -> Mapping[str, tuple[float, float]]:
    """For each batch: MiB at the peak and images per second, on the first real GPU of a child.

    The step is the lesson's. Its time is the median of ten, measured with events.
    """
    (gpu,) = lab(gpus=1)
    net = project.network("08").to(gpu)
    images = torch.randint(256, (_MOST, 3, 48, 48), dtype=torch.uint8, device=gpu)
    targets = torch.randint(2, (_MOST,), device=gpu)

    def step(count: int) -> None:
        net.zero_grad()
        nn.functional.cross_entropy(net(images[:count]), targets[:count]).backward()

    def milliseconds(count: int) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        step(count)
        end.record()
        end.synchronize()
        return float(begin.elapsed_time(end))

    step(_MOST)  # CUDA loads its kernels
    found = {}
    for count in (30, 60, 120, 240, 480):
        torch.cuda.reset_peak_memory_stats(gpu)
        time = median(milliseconds(count) for _ in range(_TIMES))
        found[str(count)] = torch.cuda.max_memory_allocated(gpu) / _MIB, count / time * 1e3
    return found
