"""`speed_chart`: a chart of the memory and the speed of several training steps."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, SMALL, WIDTH, Picture
from course_utils.words import listed


def speed_chart(steps: Mapping[str, tuple[float, float]], *, limit: float) -> Picture:
    """A chart with a point for each of `steps`: the peak in MiB, and the images per second.

    limit: the MiB that the process may use, drawn as a line. Names of batches are numbers, and
    their points are joined.
    """
    page = Picture(3.6, "Memory and speed", "modelled")
    axes = page.chart(0.95, 0.6, WIDTH - 1.3, 2.4)
    batches = sorted(point for name, point in steps.items() if name.isdigit())
    axes.plot([m for m, _ in batches], [speed / 1e3 for _, speed in batches], "-", color=INK)
    for name, (peak, speed) in steps.items():
        batch, point = name.isdigit(), (peak, speed / 1e3)
        axes.plot(*point, "o" if batch else "s", color=INK, markersize=6)
        ha, va, off = ("right", "bottom", (-6, 6)) if batch else ("left", "top", (7, -4))
        axes.annotate(name, point, off, textcoords="offset points", ha=ha, va=va, fontsize=SMALL)
    axes.axvline(limit, color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
    axes.set(xlim=(0, 1.15 * max(peak for peak, _ in steps.values())))
    axes.set_ylim(0, 1.2 * max(speed for _, speed in steps.values()) / 1e3)
    axes.set_xlabel(f"MiB at the peak; allowed: {limit:.0f}", fontsize=SMALL)
    axes.set_ylabel("1,000 images/s", fontsize=SMALL)
    points = (f"{name}: {peak:.0f} MiB, {speed:,.0f}" for name, (peak, speed) in steps.items())
    page.tell(f"Peak and images per second: {listed(points)}. Allowed: {limit:.0f} MiB.")
    return page
