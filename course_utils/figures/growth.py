"""`growth_chart`: what each lesson added to train.py, and how much of it is still there."""

from course_utils.experiments.origins import Growth, growth
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

KEPT: Look = ("#9ec5e8", None)
REPLACED: Look = ("#fbfaf7", "///")
LEFT, RIGHT, ROW, TOP = 1.7, WIDTH - 2.6, 0.29, 1.15


def growth_chart(grown: Growth | None = None, *, title: str = "The lines of train.py") -> Picture:
    """Draw a row for each version, by default of the learner's own train.py."""
    grown = growth() if grown is None else grown
    figure, axes = sheet(TOP + ROW * len(grown.brought) + 0.25, title)
    stamp(axes, "counted")
    legend(axes, 0.4, 0.78, {"still there": KEPT, "replaced by a later lesson": REPLACED})
    scale = (RIGHT - LEFT) / max(grown.brought.values())
    for number, (name, brought) in enumerate(grown.brought.items()):
        middle, left = TOP + ROW * (number + 0.5), grown.left[name]
        write(axes, LEFT - 0.15, middle, _label(name), align="right", size=SMALL)
        x = LEFT
        for count, (fill, hatch) in ((left, KEPT), (brought - left, REPLACED)):
            if count:
                box(
                    axes,
                    x,
                    middle - 0.1,
                    count * scale,
                    0.2,
                    fill=fill,
                    edge=INK,
                    hatch=hatch,
                    round_=0,
                    thickness=0.7,
                )
            x += count * scale
        write(axes, x + 0.1, middle, f"{brought} lines, {left} still there", size=SMALL)
    return Picture(figure, _describe(grown, title))


def _label(name: str) -> str:
    return f"lesson {name}" if name.isdigit() else "before the course"


def _describe(grown: Growth, title: str) -> str:
    """The picture in words, out of the same data."""
    rows = (
        f"{_label(name)}: {brought} lines, {grown.left[name]} of them still there"
        for name, brought in grown.brought.items()
    )
    total = sum(grown.left.values())
    return f"{title}: {'; '.join(rows)}. In the end it has {total} lines that are not blank."
