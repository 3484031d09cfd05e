"""`memory_chart`: what fills a GPU's memory in a training step, a bar for each situation."""

from collections.abc import Mapping

from course_utils.experiments.memory import StepMemory
from course_utils.figures.picture import (
    INK,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    sheet,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, legend

KINDS: Mapping[str, tuple[str, Look]] = {
    "parameters": ("parameters", ("#4d7ea8", None)),
    "gradients": ("gradients", ("#f2c27b", "\\\\\\")),
    "states": ("Adam's states", ("#b9d7a8", "xx")),
    "temporary": ("activations and temporary memory", ("#fbfaf7", "...")),
}
"""Each part of a `StepMemory`: what it is called, its fill and its hatch."""

LEFT, RIGHT, ROW = 1.6, WIDTH - 2.2, 0.46


def memory_chart(steps: Mapping[str, StepMemory], *, title: str) -> Picture:
    """Draw a row for each of `steps`, by name, on one scale, and where its peak lies."""
    figure, axes = sheet(1.3 + ROW * len(steps) + 0.2, title)
    stamp(axes, "counted")
    scale = (RIGHT - LEFT) / max(step.total for step in steps.values())
    legend(axes, 0.4, 0.82, dict(KINDS.values()))
    for number, (name, step) in enumerate(steps.items()):
        middle, x = 1.25 + ROW * (number + 0.5), LEFT
        write(axes, LEFT - 0.15, middle, name, align="right", size=SMALL)
        for kind, (_, (fill, hatch)) in KINDS.items():
            width = getattr(step, kind) * scale
            if width:
                box(
                    axes,
                    x,
                    middle - 0.14,
                    width,
                    0.28,
                    fill=fill,
                    edge=INK,
                    hatch=hatch,
                    round_=0,
                    thickness=0.7,
                )
            x += width
        write(axes, x + 0.1, middle - 0.09, _mib(step.total), size=SMALL, weight="bold")
        write(axes, x + 0.1, middle + 0.1, step.moment, size=8.5, color=QUIET)
    return Picture(figure, _describe(steps, title))


def _mib(count: int) -> str:
    return f"{count / 2**20:.0f} MiB"


def _describe(steps: Mapping[str, StepMemory], title: str) -> str:
    """The picture in words, out of the same data."""
    rows = (
        f"{name}: {_mib(step.total)} {step.moment}, of which "
        + ", ".join(f"{called} {_mib(getattr(step, kind))}" for kind, (called, _) in KINDS.items())
        for name, step in steps.items()
    )
    return f"Memory at the peak of a training step, {title!r}. {'; '.join(rows)}."
