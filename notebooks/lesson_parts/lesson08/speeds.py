"""`speed_chart`: a chart of the memory and the speed of several training steps."""

from collections.abc import Mapping

from course_utils.figures.picture import BLUE, INK, ORANGE, SMALL, WIDTH, BarStyle, Picture

STYLES: Mapping[str, BarStyle] = {"fits": (BLUE, None), "does not fit": (ORANGE, "\\\\\\")}
TOP, ROW, WIDE = 1.2, 0.34, 2.2
MEMORY, SPEED = 1.55, WIDTH - 0.95 - WIDE
"""Inches from the left: where the two columns of bars begin."""


def speed_chart(steps: Mapping[str, tuple[float, float]], *, limit: float) -> Picture:
    """A chart with a row for each of `steps`: the reserved MiB, and the images per second.

    limit: the MiB that the process may reserve, drawn as a line.
    """
    fits = sum(memory <= limit for memory, _ in steps.values())
    bottom = TOP + ROW * len(steps)
    title = f"{fits} of these {len(steps)} steps fit into {limit:.0f} MiB"
    page = Picture(bottom + 0.65, title)
    page.write(MEMORY, TOP - 0.42, "MiB reserved at the peak, counted", weight="bold", size=SMALL)
    page.write(SPEED, TOP - 0.42, "images/s, modelled", weight="bold", size=SMALL)
    most = max(limit, *(memory for memory, _ in steps.values()))
    fastest = max(speed for _, speed in steps.values())
    for row, (name, (memory, speed)) in enumerate(steps.items()):
        middle = TOP + ROW * (row + 0.5)
        style = STYLES["fits" if memory <= limit else "does not fit"]
        page.write(MEMORY - 0.15, middle, name, "right", size=SMALL)
        for left, share, text in (
            (MEMORY, memory / most, f"{memory:.0f}"),
            (SPEED, speed / fastest, f"{speed:,.0f}"),
        ):
            page.bar(left, middle - 0.11, share * WIDE, 0.22, style)
            page.write(left + share * WIDE + 0.1, middle, text, size=SMALL)
        page.tell(f"{name}: {memory:.0f} MiB, {speed:,.0f} images/s.")
    x = MEMORY + limit / most * WIDE
    page.line((x, TOP - 0.1), (x, bottom), color=INK, linewidth=2)
    page.write(x, TOP - 0.2, f"limit: {limit:.0f}", "center", size=SMALL)
    page.legend(MEMORY, bottom + 0.3, STYLES)
    page.tell(f"Allowed: {limit:.0f} MiB.")
    return page
