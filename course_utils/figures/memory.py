"""`memory_chart`: what fills a GPU's memory in a training step, a bar for each situation."""

from collections.abc import Mapping

from course_utils.experiments.memory import StepMemory
from course_utils.figures.picture import (
    INK,
    SMALL,
    WIDTH,
    Picture,
    box,
    sheet,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, legend

KINDS: Mapping[str, Look] = {
    "parameters": ("#9ec5e8", None),
    "gradients": ("#f2c27b", "\\\\\\"),
    "states": ("#b9d7a8", "xx"),
    "activations": ("#fbfaf7", "..."),
}
LEFT, RIGHT, ROW = 2.1, WIDTH - 1.2, 0.42


def memory_chart(steps: Mapping[str, StepMemory], *, title: str) -> Picture:
    """Draw a row for each of `steps`, by name, on one scale."""
    figure, axes = sheet(1.25 + ROW * len(steps) + 0.2, title)
    stamp(axes, "counted")
    scale = (RIGHT - LEFT) / max(step.total for step in steps.values())
    legend(axes, 0.4, 0.82, KINDS)
    for number, (name, step) in enumerate(steps.items()):
        middle, x = 1.25 + ROW * (number + 0.5), LEFT
        write(axes, LEFT - 0.15, middle, name, align="right", size=SMALL)
        for kind, (fill, hatch) in KINDS.items():
            width = getattr(step, kind) * scale
            box(axes, x, middle - 0.13, width, 0.26, fill=fill, edge=INK, hatch=hatch, round_=0,
                thickness=0.7)  # fmt: skip
            x += width
        write(axes, x + 0.1, middle, _mib(step.total), size=SMALL)
    return Picture(figure, _describe(steps, title))


def _mib(count: int) -> str:
    return f"{count / 2**20:.0f} MiB"


def _describe(steps: Mapping[str, StepMemory], title: str) -> str:
    """The picture in words, out of the same data."""
    rows = (
        f"{name}: {_mib(step.total)}, of which "
        + ", ".join(f"{kind} {_mib(getattr(step, kind))}" for kind in KINDS)
        for name, step in steps.items()
    )
    return f"Memory at the peak of a training step, {title!r}. {'; '.join(rows)}."
