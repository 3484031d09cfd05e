"""`speed_chart`: a chart of the memory and the speed of several training steps."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, PANEL, SMALL, WIDTH, Picture
from course_utils.words import listed

FULL = "#d9dee4"


def speed_chart(steps: Mapping[str, tuple[float, float]], *, limit: float, title: str) -> Picture:
    """A chart with a point for each of `steps`: the reserved MiB, and the images per second.

    limit: the MiB that the process may use; more than that is grey. Names of batches are numbers,
    and their points are joined. The others are open squares.
    """
    page = Picture(3.8, title, "modelled")
    axes = page.chart(0.95, 0.7, WIDTH - 1.3, 2.5)
    right, top = 1.2 * max(m for m, _ in steps.values()), 1.2 * max(v for _, v in steps.values())
    axes.axvspan(limit, max(right, limit), color=FULL, linewidth=0)
    batches = sorted(point for name, point in steps.items() if name.isdigit())
    axes.plot([m for m, _ in batches], [speed / 1e3 for _, speed in batches], "-", color=INK)
    for name, (memory, speed) in steps.items():
        batch, point = name.isdigit(), (memory, speed / 1e3)
        axes.plot(*point, "o" if batch else "s", color=INK, mfc=INK if batch else PANEL, ms=7)
        ha, va, off = ("right", "bottom", (-6, 5)) if batch else ("left", "top", (8, -3))
        label = f"batch {name}" if batch else name
        axes.annotate(label, point, off, textcoords="offset points", ha=ha, va=va, fontsize=SMALL)
    axes.set(xlim=(0, max(right, limit)), ylim=(0, top / 1e3))
    axes.text(max(right, limit), 0.02 * top / 1e3, "does not fit ", ha="right", fontsize=SMALL)
    axes.set_xlabel(f"MiB reserved at the peak (limit: {limit:.0f})", fontsize=SMALL)
    axes.set_ylabel("1,000 images/s", fontsize=SMALL)
    points = (f"{name}: {memory:.0f} MiB, {speed:,.0f}" for name, (memory, speed) in steps.items())
    page.tell(f"{title!r}. Reserved memory at the peak, and images per second: {listed(points)}.")
    page.tell(f"Allowed: {limit:.0f} MiB.")
    return page
