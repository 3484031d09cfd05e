"""`weight_chart` and `distance_chart`: weights of runs, step by step, and how far they differ."""

import math
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from torch import Tensor

from course_utils.figures.picture import INK, NOTE, PANEL, SMALL, WIDTH, Picture

LINES = ("-", (0, (4, 2)), (0, (1, 1)), (0, (5, 1, 1, 1)))
LEFT, TOP, ACROSS, DOWN = 0.85, 0.75, WIDTH - 3.1, 1.75
LEAST, MOST = 1e-8, 1.0
"""The ends of the logarithmic axis. A smaller distance is drawn at its lower end."""
APART = 0.22
"""Inches between two labels, at least."""


def weight_chart(ranks: Sequence[Sequence[Tensor]], *, title: str) -> Picture:
    """A picture of the weight that differs most between two ranks at the end of a training.

    ranks: the weights of rank 0 and of rank 1, after each step.
    """
    page, axes = _page(title, "the weight that differs most")
    most = (ranks[0][-1] - ranks[1][-1]).abs().argmax()
    runs = [[weights.flatten()[most].item() for weights in rank] for rank in ranks]
    page.tell(f"Line chart, {title!r}: the weight that differs most, after each step.")
    last = len(runs[0])
    levels: dict[str, float] = {}
    for rank, (run, line) in enumerate(zip(runs, LINES, strict=False)):
        axes.plot(range(1, last + 1), run, linestyle=line, color=INK, linewidth=2)
        levels[f"rank {rank}"] = run[-1]
        page.tell(f"Rank {rank}: {run[0]:.2f} after the first step, {run[-1]:.2f} after the last.")
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= last])
    axes.set_xlim(-0.03 * last, 1.03 * last)
    for step in (1, last):
        one, other = (run[step - 1] for run in runs)
        arrow = {"arrowstyle": "<|-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (step, one), (step, other), arrowprops=arrow)
        apart, middle = f"{abs(one - other):.2f} apart", (one + other) / 2
        page.tell(f"They are {apart} after step {step}.")
        if step == 1:
            axes.annotate(
                apart,
                (step, middle),
                (7, 0),
                textcoords="offset points",
                size=SMALL,
                weight="bold",
                ha="left",
                bbox={"facecolor": PANEL, "edgecolor": "none", "pad": 1},
                va="center",
            )
        else:
            levels[apart] = middle
    low, high = axes.get_ylim()
    _label(page, {text: (high - level) / (high - low) for text, level in levels.items()})
    return page


def distance_chart(
    runs: Mapping[str, Sequence[Tensor]], other: Sequence[Tensor], *, title: str
) -> Picture:
    """A picture with a line for each run: its distance from another one, on a logarithmic axis.

    runs, other: the weights after each step.
    """
    page, axes = _page(title, "largest difference of a weight, on a logarithmic axis")
    page.tell(f"Line chart with a logarithmic axis, {title!r}: largest difference of a weight.")
    axes.set_yscale("log")
    axes.set_ylim(LEAST, MOST)
    ticks = [10.0**power for power in range(-8, 1, 2)]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    levels = {}
    for (name, run), line in zip(runs.items(), LINES, strict=False):
        pairs = zip(run, other, strict=True)
        distances = [(one - two).abs().max().item() for one, two in pairs]
        drawn = [min(max(distance, LEAST), MOST) for distance in distances]
        axes.plot(range(1, len(drawn) + 1), drawn, linestyle=line, color=INK, linewidth=2)
        first, last = f"{distances[0]:.1g}", f"{distances[-1]:.1g}"
        levels[f"{name}: {last}"] = math.log10(drawn[-1]) / math.log10(LEAST)
        page.tell(f"{name}: {first} after the first step, {last} after the last.")
    _label(page, levels)
    return page


def _page(title: str, what: str) -> tuple[Picture, Axes]:
    page = Picture(TOP + DOWN + 0.65, title, "measured")
    axes = page.chart(LEFT, TOP, ACROSS, DOWN)
    axes.set_xlabel("steps", fontsize=SMALL, color=INK)
    page.write(0.25, TOP - 0.16, what, **NOTE)
    return page, axes


def _label(page: Picture, levels: Mapping[str, float]) -> None:
    """Write each text to the right of the chart: 0 is its upper end, 1 the lower one."""
    last = -math.inf
    for text, level in sorted(levels.items(), key=lambda item: item[1]):
        last = max(TOP + DOWN * level, last + APART)
        page.write(LEFT + ACROSS + 0.1, last, text, size=SMALL, weight="bold")
