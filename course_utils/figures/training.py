"""`learning_curve` and `sample_sheet`: how a model learned, and what it recognises."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from matplotlib.axes import Axes
from matplotlib.image import imread
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from course_utils.errors import CourseError
from course_utils.experiments.project import Run, Sample
from course_utils.figures.picture import (
    INK,
    LINE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    counted,
    listed,
    sheet,
    stamp,
    write,
)

LOOKS = (
    ("#1f5f99", "-", "o", 12),
    ("#b35c00", "--", "s", 7),
    ("#3d7a33", ":", "^", 6),
    ("#8c4a78", "-.", "D", 4.5),
)
"""Colour, line, marker and its size, of each run: any one of them tells the runs apart. The sizes
fall, so that runs that coincide are seen on top of one another."""

COLUMNS = 9
_MOST = 18  # pictures in a sheet


def learning_curve(
    *runs: Run, title: str = "Learning curve", steps: Sequence[int] | None = None
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
    lengths = [1] * len(runs) if steps is None else steps
    height = 3.7 + 0.25 * len(runs)
    figure, axes = sheet(height, title)
    stamp(axes, "measured")
    loss = _panel(axes, height, 0.75, "loss in training", unit)
    accuracy = _panel(axes, height, 4.85, "accuracy in the test", unit)
    accuracy.set_ylim(0, 1.04)
    accuracy.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    rows = zip(runs, lengths, LOOKS, strict=False)
    for row, (run, length, (color, line, marker, size)) in enumerate(rows):
        look: dict[str, Any] = {"color": color, "linestyle": line, "linewidth": 1.8}
        look |= {"marker": marker, "markersize": size}
        look |= {"markeredgecolor": PANEL, "markeredgewidth": 0.7}
        ends = [epoch.epoch * length for epoch in run.log]
        loss.plot(ends, [epoch.loss for epoch in run.log], **look)
        accuracy.plot(ends, [epoch.accuracy for epoch in run.log], **look)
        y = 3.6 + 0.25 * row
        axes.plot([0.75, 1.05, 1.35], [y] * 3, markevery=[1], **look)
        write(axes, 1.47, y, f"{run.name}: {run.accuracy:.1%} at the end", size=SMALL)
    if steps is not None:
        loss.set_xlim(left=0)
        accuracy.set_xlim(left=0)
    loss.margins(y=0.12)  # room for the markers
    loss.set_ylim(bottom=0)
    return Picture(figure, _describe_curve(runs, title, steps))


def _panel(page: Axes, height: float, left: float, title: str, unit: str) -> Axes:
    """Axes on a page, in the page's inches."""
    top, width, tall = 0.95, 3.15, 2.05
    bounds = (left / WIDTH, 1 - (top + tall) / height, width / WIDTH, tall / height)
    axes = page.figure.add_axes(bounds, facecolor=PANEL)
    write(page, left, top - 0.2, title, size=SMALL, weight="bold")
    write(page, left + width, top + tall + 0.36, unit, align="right", size=SMALL, color=QUIET)
    axes.tick_params(labelsize=SMALL, colors=INK, labelfontfamily="DejaVu Sans")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(color=LINE, alpha=0.35, linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _describe_curve(runs: tuple[Run, ...], title: str, steps: Sequence[int] | None) -> str:
    parts = [f"Learning curves, {title!r}."]
    for number, run in enumerate(runs):
        first, last = run.log[0], run.log[-1]
        accuracies = listed(f"{epoch.accuracy:.0%}" for epoch in run.log)
        each = "" if steps is None else f" of {counted(steps[number], 'step')} each"
        parts.append(
            f"{run.name}: the loss goes from {first.loss:.2f} to {last.loss:.2f} in "
            f"{counted(len(run.log), 'epoch')}{each}; the accuracy, epoch by epoch: {accuracies}."
        )
    return " ".join(parts)


def sample_sheet(run: Run, title: str = "Test pictures") -> Picture:
    """Draw 18 test pictures, the mistakes among them first, with what each was taken for."""
    if not run.samples:
        raise CourseError(f"{run.name} was stopped before its end, and left no samples: resume it.")
    shown = _chosen(run.samples)
    rows = ceil(len(shown) / COLUMNS)
    pitch, side = (WIDTH - 0.5) / COLUMNS, 0.74
    figure, axes = sheet(0.65 + 1.15 * rows, title)
    wrong = sum(sample.predicted != sample.target for sample in run.samples)
    told = f"{run.name}: {wrong} of {len(run.samples)} wrong"
    write(axes, WIDTH - 0.25, 0.3, told, align="right", size=SMALL, color=QUIET)
    for place, sample in enumerate(shown):
        left, top = 0.25 + pitch * (place % COLUMNS), 0.6 + 1.15 * (place // COLUMNS)
        _draw_sample(axes, sample, left + (pitch - side) / 2, top, side)
    return Picture(figure, _describe_sheet(run, shown, wrong, title))


def _chosen(samples: list[Sample]) -> list[Sample]:
    """Up to half of the sheet are mistakes; the rest are spread evenly over the others."""
    wrong = [sample for sample in samples if sample.predicted != sample.target][: _MOST // 2]
    right = [sample for sample in samples if sample.predicted == sample.target]
    room = _MOST - len(wrong)
    spread = [right[len(right) * place // room] for place in range(room)] if right else []
    return wrong + list(dict.fromkeys(spread))


def _draw_sample(axes: Axes, sample: Sample, left: float, top: float, side: float) -> None:
    right = sample.predicted == sample.target
    axes.imshow(
        imread(sample.file),
        extent=(left, left + side, top + side, top),
        aspect="auto",
        interpolation="nearest",
        zorder=1,
    )
    frame = Rectangle(
        (left, top),
        side,
        side,
        fill=False,
        edgecolor=INK,
        zorder=2,
        linewidth=0.8 if right else 2.4,
    )
    axes.add_patch(frame)
    middle = left + side / 2
    mark = "✓" if right else "✗"
    weight = "normal" if right else "bold"
    write(
        axes,
        middle,
        top + side + 0.12,
        f"{mark} {sample.predicted}",
        align="center",
        size=8.5,
        weight=weight,
    )
    if not right:
        write(axes, middle, top + side + 0.26, f"is a {sample.target}", align="center", size=8.0)


def _describe_sheet(run: Run, shown: list[Sample], wrong: int, title: str) -> str:
    parts = [f"{title}, {run.name}: {wrong} of {len(run.samples)} were taken for another shape."]
    mistakes = [s for s in shown if s.predicted != s.target]
    if mistakes:
        what = listed(f"a {s.target} taken for a {s.predicted}" for s in mistakes)
        parts.append(f"Shown are {what}.")
    right = counted(len(shown) - len(mistakes), "picture")
    return " ".join([*parts, f"It also shows {right} that the model recognised."])
