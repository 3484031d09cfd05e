"""Program and GPU as two lanes: `wait_lanes` for a model, `loop_lanes` for a learner's loop."""

from collections.abc import Callable
from itertools import pairwise

import torch

from course_utils.experiments.recording import Span, record
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline
from lesson_parts.lanes import schedule

LAUNCH = 30.0
"""µs: the time of the modelled program to queue the work of one step."""

COMPUTE = 50.0
"""µs: the time of the modelled GPU for a step."""


def wait_lanes(*, steps: int = 6, every: int = 0) -> Picture:
    """A picture of program and GPU in `steps` steps, in which `item()` reads the loss.

    every: the number of steps after which the loss is read; 0 for never.
    """
    host: list[Span] = []
    device: list[Span] = []
    now = done = idle = 0.0
    for step in range(1, steps + 1):
        host.append(("queue a step", now, now + LAUNCH))
        now += LAUNCH
        begin = max(now, done)
        idle += begin - done
        done = begin + COMPUTE
        device.append(("compute a step", begin, done))
        if every and step % every == 0 and done > now:
            host.append(("wait in item()", now, done))
            now = done
    title = f"The GPU is done after {done:g} µs, {idle:g} µs of them without work"
    return timeline(host=host, device=device, title=title)


def loop_lanes(mean_loss: Callable[[list[torch.Tensor], torch.Tensor], object]) -> Picture:
    """A picture of the work of host and GPU while `mean_loss` runs on four large batches.

    On virtual GPUs the times are modelled; on a real one, only the GPU's lane is drawn.
    """
    gpu = torch.device("cuda", 0)
    batch, weight = torch.ones(2048, 4096, device=gpu), torch.ones(4096, device=gpu)
    with record(gpu) as found:
        mean_loss([batch] * 4, weight)
    work: list[Span] = []
    for _, begin, end in sorted(found.lanes["kernels"], key=lambda span: span[1]):
        begun = work.pop()[1] if work and work[-1][2] >= begin else begin
        work.append(("compute", begun, end))
    idle = sum(two[1] - one[2] for one, two in pairwise(work))
    title = f"Your loop: between steps, the GPU has no work for {idle:.0f} of {found.end:.0f} µs"
    if not found.modelled:
        return schedule({str(gpu): work}, title=title)
    host: list[Span] = []
    for _, begin, end in found.lanes["host"]:
        host += [("queue work", host[-1][2] if host else 0, begin), ("wait", begin, end)]
    return timeline(host=host, device=work, title=title)
