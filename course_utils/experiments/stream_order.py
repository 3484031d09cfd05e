"""Which work of a GPU waits for which: streams as lanes, and results used without a wait.

On virtual GPUs the order comes from the model's books. A real GPU does not tell: there, only the
values show what went wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch

from course_utils.devices import current_lab
from course_utils.errors import CourseError
from course_utils.experiments.recording import Span


@dataclass(frozen=True)
class Unordered:
    """Two pieces of work that use the same memory, and nothing makes `second` wait for `first`.

    how: what may come of it, such as "read before it is written".
    """

    how: str
    first: Span
    second: Span

    def __str__(self) -> str:
        return f"{self.how}: {self.second[0]} does not wait for {self.first[0]}"


@dataclass
class Order:
    """Work by stream, in µs since the recording began, and what is not in order.

    recorded: False on a real GPU, where there is nothing but the values to look at.
    """

    recorded: bool
    lanes: dict[str, list[Span]] = field(default_factory=dict)
    unordered: list[Unordered] = field(default_factory=list)


@contextmanager
def record_order(device: torch.device) -> Iterator[Order]:
    """Record in which order the body's work on `device` runs. It is complete after the body.

    Raises CourseError if `lab()` has not been called.
    """
    lab = current_lab()
    if lab is None:
        raise CourseError("There are no GPUs yet: call lab() first.")
    if lab.kind == "real":
        yield Order(recorded=False)
        torch.cuda.synchronize(device)
        return
    import virtual_cuda

    order = Order(recorded=True)
    with virtual_cuda.trace() as trace:
        yield order
        torch.cuda.synchronize(device)
    works = [work for work in trace.intervals if work.device == device.index]
    for stream in sorted({work.stream for work in works if work.stream is not None}):
        order.lanes[_named(stream, order.lanes)] = [
            (work.name, work.start, work.end) for work in works if work.stream == stream
        ]
    for hazard in trace.hazards:
        pair = [(work.name, work.start, work.end) for work in (hazard.first, hazard.second)]
        order.unordered.append(Unordered(hazard.kind, *pair))


def _named(stream: int, before: dict[str, list[Span]]) -> str:
    if not stream:
        return "default stream"
    sides = sum(name.startswith("side") for name in before)
    return f"side stream {sides + 1}" if sides else "side stream"
