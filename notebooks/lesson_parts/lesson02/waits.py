"""Program and GPU as two lanes: `loop_lanes` for a learner's loop, `wait_lanes` for ours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import pairwise
from typing import Any

import torch

from course_utils.devices import lab
from course_utils.experiments.recording import Recording, Span, host_works, record
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline
from lesson_parts.own_gpu import measured

STEPS = 6
_RETURNED = "the function has returned"
Loop = Callable[[list[torch.Tensor], torch.Tensor], object]


def wait_lanes(*, every: int, mine: bool = False) -> Picture:
    """A picture of host and GPU in a loop that reads its loss after every `every` steps.

    A mark shows the end of the loop that reads it in each step; so every picture has one scale.

    mine: measured on this computer's own GPU. Raises CourseError if the measurement failed.
    """
    one, found = (
        Recording(**_own_loops()[each - 1]) if mine else _record(_loop(each)) for each in (1, every)
    )
    return _drawn(found, {f"{STEPS} waits": round(one.end)} if every > 1 else {})


@cache
def _own_loops() -> list[dict[str, Any]]:
    loops: list[dict[str, Any]] = measured("lesson_parts.lesson02.waits.own_loops")
    return loops


def own_loops() -> Sequence[dict[str, Any]]:
    """The recordings of the loop for every `every` from 1 to `STEPS`, on the first real GPU."""
    lab(gpus=1)
    _record(_loop(1))  # CUDA starts, and loads the kernels
    return [asdict(_record(_loop(every))) for every in range(1, STEPS + 1)]


def _loop(every: int) -> Loop:

    def loop(batches: list[torch.Tensor], weight: torch.Tensor) -> None:
        for step, batch in enumerate(batches, start=1):
            loss = (batch @ weight).square().mean()
            if step % every == 0:
                with torch.profiler.record_function("host: wait"):
                    loss.item()

    return loop


def loop_lanes(mean_loss: Loop) -> Picture:
    """A picture of host and GPU while `mean_loss` runs on six large batches.

    The GPU is the last one of the machine. The times are those of its model.
    """
    return _drawn(_record(mean_loss))


def _record(mean_loss: Loop) -> Recording:
    gpu = torch.device("cuda", torch.cuda.device_count() - 1)
    batch, weight = torch.ones(1024, 4096, device=gpu), torch.ones(4096, device=gpu)
    with record(gpu) as found:
        mean_loss([batch] * STEPS, weight)
        host_works(0, _RETURNED)  # what follows is the wait of `record`
    return found


def _drawn(found: Recording, marks: Mapping[str, float] | None = None) -> Picture:
    work: list[Span] = [("compute", *span) for span in found.merged("kernels")]
    host: list[Span] = []
    for name, begin, end in found.lanes["host"]:
        if begin > (before := host[-1][2] if host else 0):
            host.append(("queue work", before, begin))
        if name == _RETURNED:
            break
        host.append(("wait", begin, end))
    idle = sum(two[1] - one[2] for one, two in pairwise(work))
    title = f"Between steps, the GPU is idle for {idle:.0f} of {found.end:.0f} µs"
    host, work = ([(w, round(a, 0), round(b, 0)) for w, a, b in lane] for lane in (host, work))
    return timeline(host=host, device=work, marks=marks, title=title, modelled=found.modelled)
