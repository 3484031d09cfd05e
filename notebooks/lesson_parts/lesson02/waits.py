"""`wait_lanes`: a training loop that reads its loss, as two lanes of a model."""

from course_utils.experiments.recording import Span
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline

LAUNCH = 30.0
"""µs that the program of the model takes to queue the work of one step."""


def wait_lanes(*, steps: int = 6, every: int = 0, compute: float = 50) -> Picture:
    """Draw what program and GPU do in `steps` steps, where the loss is read with `item()`.

    every: after how many steps the loss is read; 0 for never.
    compute: µs that the GPU takes for a step.
    """
    host: list[Span] = []
    device: list[Span] = []
    now = done = idle = 0.0
    for step in range(1, steps + 1):
        host.append(("queue a step", now, now + LAUNCH))
        now += LAUNCH
        begin = max(now, done)
        idle += begin - done
        done = begin + compute
        device.append(("compute a step", begin, done))
        if every and step % every == 0 and done > now:
            host.append(("wait in item()", now, done))
            now = done
    title = f"The GPU is done after {done:g} µs, {idle:g} µs of them without work"
    return timeline(host=host, device=device, title=title)
