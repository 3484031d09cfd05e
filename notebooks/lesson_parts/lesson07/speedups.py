"""The modelled time of a training step: `step_time` computes it, `step_lanes` draws its parts."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

import virtual_cuda
from course_utils.experiments.recording import Recording
from course_utils.figures.picture import BLUE, MONO, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import listed
from virtual_cuda import Trace

LEFT, RIGHT, TOP, LANE = 1.2, WIDTH - 0.4, 1.35, 0.32
COMPUTES = "computes"
STYLES: Mapping[str, BarStyle] = {
    COMPUTES: (BLUE, None),
    "copy of weights, of their gradients": ("#f7dca8", "\\\\\\"),
    "copy of samples or outputs": ("#d9dee4", None),
}
_, FIXED, GROWING = STYLES
COPIES = GROWING, FIXED, GROWING, GROWING, FIXED
"""The copies of a step: samples, weights, outputs; gradients of the outputs, and of the weights."""


def step_time(
    model: nn.Module, pair: Tensor | Sequence[Tensor], devices: Sequence[torch.device]
) -> float:
    """The time of one training step with `nn.DataParallel`, by the virtual clock, in µs.

    model: on `devices[0]`; it is trained itself, not a copy. pair: a batch and its targets, which
    are copied to `devices[0]` before the step.
    """
    return _traced(model, pair, devices).end


def _traced(
    model: nn.Module, pair: Tensor | Sequence[Tensor], devices: Sequence[torch.device]
) -> Trace:
    batch, targets = (each.to(devices[0]) for each in pair)
    parallel = nn.DataParallel(model, list(devices))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    with virtual_cuda.trace() as trace:
        optimizer.zero_grad()
        nn.functional.mse_loss(parallel(batch), targets).backward()
        optimizer.step()
    return trace


def step_lanes(
    model: nn.Module, pairs: Sequence[Tensor], devices: Sequence[torch.device]
) -> Picture:
    """A picture of what two GPUs do in the step of `step_time`, for each pair of batch and targets.

    Each step has a clock of its own, so all are equally wide.
    """
    tall = 3 * LANE + 0.95
    title = "With a small batch, the GPUs mostly wait for copies"
    page = Picture(TOP + tall * len(pairs) - 0.2, title, "modelled")
    page.legend(0.25, 0.78, STYLES)
    for number, pair in enumerate(pairs):
        trace, top, size = _traced(model, pair, devices), TOP + tall * number, len(pair[0])
        scale = (RIGHT - LEFT) / trace.end
        page.write(0.25, top - 0.17, f"{size:,} samples", weight="bold", size=SMALL)
        page.clock(LEFT, RIGHT, top - 0.05, top + 3 * LANE + 0.05, trace.end, "µs")
        found = Recording(True, {str(gpu): [] for gpu in (devices[0], "copies", devices[1])})
        for work in sorted(trace.intervals, key=lambda each: each.start):
            lane = f"cuda:{work.device}" if work.engine == "compute" else "copies"
            found.lanes[lane].append((work.name, work.start, work.end))
        for row, name in enumerate(found.lanes):
            level, kinds = top + row * LANE, iter(COPIES if name == "copies" else ())
            page.write(LEFT - 0.12, level + LANE / 2, name, "right", family=MONO, size=SMALL)
            gap = -1.0 if name == "copies" else trace.end / 100
            for begin, end in found.merged(name, gap):
                style, width = STYLES[next(kinds, COMPUTES)], (end - begin) * scale
                page.bar(LEFT + begin * scale, level, width, LANE, style)
        told = [f"{name} {found.busy(name) / trace.end:.0%}" for name in found.lanes]
        page.tell(f"{size:,} samples, a step of {trace.end:,.0f} µs, busy: {listed(told)}.")
    return page
