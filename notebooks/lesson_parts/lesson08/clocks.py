"""`clock_lanes`: host and GPU while a step runs, and a clock that is read without a wait."""

from collections.abc import Callable

import torch

from course_utils.experiments.recording import Span, record
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline


def clock_lanes(step: Callable[[], object]) -> Picture:
    """A picture of the host and the current GPU while `step` runs, which itself does not wait.

    The clock is read before the step, and when the step has returned. Then the host waits.
    """
    with record(torch.device("cuda", torch.cuda.current_device())) as found:
        step()
    queued = min((begin for name, begin, _ in found.lanes["host"]), default=found.end)
    work: list[Span] = [("compute", *span) for span in found.merged("kernels", gap=found.end / 100)]
    host: list[Span] = [("queue work", 0, queued), ("synchronize", queued, found.end)]
    host, work = ([(w, round(a, 0), round(b, 0)) for w, a, b in lane] for lane in (host, work))
    return timeline(
        host=host,
        device=work,
        marks={"start": 0, "stop": round(queued, 0)},
        title=f"Python's clock stops at {queued:.0f} µs, but the GPU works for {found.end:.0f} µs",
        modelled=found.modelled,
    )
