"""`memory_chart`: what fills a GPU's memory in a training step, a bar for each situation."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_utils.experiments.memory import StepMemory
from course_utils.figures.picture import (
    INK,
    LINE,
    SMALL,
    WIDTH,
    Picture,
    sheet,
    stamp,
    write,
)

KINDS = {
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
    _draw_legend(axes)
    for number, (name, step) in enumerate(steps.items()):
        middle, x = 1.25 + ROW * (number + 0.5), LEFT
        write(axes, LEFT - 0.15, middle, name, align="right", size=SMALL)
        for kind, (fill, hatch) in KINDS.items():
            width = getattr(step, kind) * scale
            axes.add_patch(Rectangle((x, middle - 0.13), width, 0.26, facecolor=fill, hatch=hatch,
                                     edgecolor=INK, linewidth=0.7))  # fmt: skip
            x += width
        write(axes, x + 0.1, middle, _mib(step.total), size=SMALL)
    return Picture(figure, _describe(steps, title))


def _draw_legend(axes: Axes) -> None:
    for number, (kind, (fill, hatch)) in enumerate(KINDS.items()):
        x = 0.4 + 1.9 * number
        axes.add_patch(Rectangle((x, 0.72), 0.35, 0.2, facecolor=fill, hatch=hatch, edgecolor=LINE,
                                 linewidth=0.7))  # fmt: skip
        write(axes, x + 0.45, 0.82, kind, size=SMALL)


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
