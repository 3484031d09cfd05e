"""`learning_curve` and `sample_sheet`: how a model learned, and what it recognises."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.image import imread
from matplotlib.ticker import MaxNLocator, PercentFormatter

from course_utils.errors import CourseError
from course_utils.figures.picture import NOTE, PANEL, SMALL, WIDTH, Picture
from course_utils.words import counted, listed
from lesson_parts.project import Sample, TrainingRun

LOOKS = (
    ("#1f5f99", "-", "o", 12),
    ("#b35c00", "--", "s", 7),
    ("#3d7a33", ":", "^", 6),
    ("#8c4a78", "-.", "D", 4.5),
)
"""Colour, line, marker and its size, of each run: any one of them tells the runs apart. The sizes
fall, so that runs that coincide are seen on top of one another."""

COLUMNS, SIDE = 9, 0.74
_MOST = 18  # pictures in a sheet


def learning_curve(
    *runs: TrainingRun, title: str = "Learning curve", steps: Sequence[int] | None = None
) -> Picture:
    """Draw loss and accuracy of up to four runs against the epochs.

    steps: the steps of the optimizer in an epoch, for each run. The curves are then drawn against
        all steps taken so far.
    """
    if not 1 <= len(runs) <= len(LOOKS):
        raise CourseError(f"A learning curve shows 1 to {len(LOOKS)} runs, and not {len(runs)}.")
    if steps is not None and len(steps) != len(runs):
        raise CourseError(f"steps has {len(steps)} numbers for {len(runs)} runs: give one each.")
    unit = "epoch" if steps is None else "steps of the optimizer"
    page = Picture(3.7 + 0.25 * len(runs), title, "measured")
    page.tell(f"Learning curves, {title!r}.")
    loss = _panel(page, 0.75, "loss in training", unit)
    accuracy = _panel(page, 4.85, "accuracy in the test", unit)
    accuracy.set_ylim(0, 1.04)
    accuracy.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    for row, (run, (color, line, marker, size)) in enumerate(zip(runs, LOOKS, strict=False)):
        look: dict[str, Any] = {"color": color, "linestyle": line, "linewidth": 1.8}
        look |= {"marker": marker, "markersize": size}
        look |= {"markeredgecolor": PANEL, "markeredgewidth": 0.7}
        ends = [epoch.epoch * (steps[row] if steps else 1) for epoch in run.log]
        loss.plot(ends, [epoch.loss for epoch in run.log], **look)
        accuracy.plot(ends, [epoch.accuracy for epoch in run.log], **look)
        y = 3.6 + 0.25 * row
        page.axes.plot([0.75, 1.05, 1.35], [y] * 3, markevery=[1], **look)
        page.write(1.47, y, f"{run.name}: {run.accuracy:.1%} at the end", size=SMALL)
        each = f" of {counted(steps[row], 'step')} each" if steps else ""
        page.tell(
            f"{run.name}: the loss goes from {run.log[0].loss:.2f} to {run.log[-1].loss:.2f} in "
            f"{counted(len(run.log), 'epoch')}{each}; the accuracy, epoch by epoch: "
            f"{listed(f'{epoch.accuracy:.0%}' for epoch in run.log)}."
        )
    if steps is not None:
        loss.set_xlim(left=0)
        accuracy.set_xlim(left=0)
    loss.margins(y=0.12)  # room for the markers
    loss.set_ylim(bottom=0)
    return page


def _panel(page: Picture, left: float, title: str, unit: str) -> Axes:
    axes = page.chart(left, 0.95, 3.15, 2.05)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    page.write(left, 0.75, title, size=SMALL, weight="bold")
    page.write(left + 3.15, 3.36, unit, align="right", **NOTE)
    return axes


def sample_sheet(run: TrainingRun, title: str = "Test pictures") -> Picture:
    """Draw 18 test pictures, the mistakes among them first, with what each was taken for.

    Up to half of them are mistakes; the rest are spread evenly over the others.
    """
    if not run.samples:
        raise CourseError(f"{run.name} was stopped before its end, and left no samples: resume it.")
    wrong = [sample for sample in run.samples if sample.predicted != sample.target]
    right = [sample for sample in run.samples if sample.predicted == sample.target]
    mistakes = wrong[: _MOST // 2]
    room = _MOST - len(mistakes)
    spread = dict.fromkeys(right[len(right) * place // room] for place in range(room) if right)
    shown = [*mistakes, *spread]
    page = Picture(0.65 + 1.15 * ceil(len(shown) / COLUMNS), title)
    told = f"{run.name}: {len(wrong)} of {len(run.samples)} wrong"
    page.write(WIDTH - 0.25, 0.3, told, align="right", **NOTE)
    pitch = (WIDTH - 0.5) / COLUMNS
    for place, sample in enumerate(shown):
        middle, top = 0.25 + pitch * (place % COLUMNS + 0.5), 0.6 + 1.15 * (place // COLUMNS)
        _draw_sample(page, sample, middle, top)
    page.tell(
        f"{title}, {run.name}: {len(wrong)} of {len(run.samples)} were taken for another shape."
    )
    if mistakes:
        what = listed(f"a {sample.target} taken for a {sample.predicted}" for sample in mistakes)
        page.tell(f"Shown are {what}.")
    page.tell(f"It also shows {counted(len(spread), 'picture')} that the model recognised.")
    return page


def _draw_sample(page: Picture, sample: Sample, middle: float, top: float) -> None:
    left, bottom = middle - SIDE / 2, top + SIDE
    right = sample.predicted == sample.target
    extent = (left, left + SIDE, bottom, top)
    page.axes.imshow(imread(sample.file), extent=extent, aspect="auto", interpolation="nearest")
    page.bar(left, top, SIDE, SIDE, fill=False, linewidth=0.8 if right else 2.4, zorder=2)
    weight = "normal" if right else "bold"
    text = f"{'✓' if right else '✗'} {sample.predicted}"
    page.write(middle, bottom + 0.12, text, align="center", size=8.5, weight=weight)
    if not right:
        page.write(middle, bottom + 0.26, f"is a {sample.target}", align="center", size=8.0)
