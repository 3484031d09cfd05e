"""Program and GPU as two lanes: `loop_lanes` for a learner's loop, `wait_lanes` for ours."""

from collections.abc import Callable
from itertools import pairwise

import torch

from course_utils.experiments.recording import Span, record
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline

STEPS = 6


def wait_lanes(*, every: int) -> Picture:
    """A picture of host and GPU in a loop that reads its loss after every `every` steps."""

    def loop(batches: list[torch.Tensor], weight: torch.Tensor) -> None:
        for step, batch in enumerate(batches, start=1):
            loss = (batch @ weight).square().mean()
            if step % every == 0:
                loss.item()

    return loop_lanes(loop)


def loop_lanes(mean_loss: Callable[[list[torch.Tensor], torch.Tensor], object]) -> Picture:
    """A picture of host and GPU while `mean_loss` runs on six large batches.

    The GPU is the last one of the machine. The times are those of its model.
    """
    gpu = torch.device("cuda", torch.cuda.device_count() - 1)
    batch, weight = torch.ones(1024, 4096, device=gpu), torch.ones(4096, device=gpu)
    with record(gpu) as found:
        mean_loss([batch] * STEPS, weight)
    work: list[Span] = [("compute", *span) for span in found.merged("kernels")]
    host: list[Span] = []
    for _, begin, end in found.lanes["host"]:
        host += [("queue work", host[-1][2] if host else 0, begin), ("wait", begin, end)]
    idle = sum(two[1] - one[2] for one, two in pairwise(work))
    title = f"Between steps, the GPU is idle for {idle:.0f} of {found.end:.0f} µs"
    host, work = ([(w, round(a, 0), round(b, 0)) for w, a, b in lane] for lane in (host, work))
    return timeline(host=host, device=work, title=title, modelled=found.modelled)
