"""`distance_chart`: how far the weights of two ranks are apart, after each step of a training."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import INK, NOTE, SMALL, WIDTH, Picture

LINES = ("-", "--", ":")


def distance_chart(runs: Mapping[str, Sequence[float]], *, title: str) -> Picture:
    """A line for each run: the largest difference of a weight between two ranks, by step.

    runs: for each run, the difference after the first step and all later ones.
    """
    page = Picture(3.0, title, "measured")
    page.write(0.25, 2.82, "largest difference of a weight, after each step", **NOTE)
    page.tell(f"Line chart, {title!r}: the largest difference of a weight after each step.")
    axes = page.chart(0.75, 0.7, WIDTH - 2.9, 1.6)
    axes.set_xlabel("steps", fontsize=SMALL, color=INK)
    for (name, distances), line in zip(runs.items(), LINES, strict=False):
        steps, last = range(1, len(distances) + 1), distances[-1]
        axes.plot(steps, distances, line, color=INK, linewidth=2.2)
        axes.annotate(
            f"{name}: {last:.2g}",
            (len(distances), last),
            (7, -3),
            textcoords="offset points",
            fontsize=SMALL,
            weight="bold",
            annotation_clip=False,
        )
        page.tell(f"{name}: {distances[0]:.2g} after the first step, {last:.2g} after the last.")
    axes.set_xlim(0, max(len(distances) for distances in runs.values()))
    top = max([0.1, *(max(distances) for distances in runs.values())])
    axes.set_ylim(-0.08 * top, 1.15 * top)
    return page
