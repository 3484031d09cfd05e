"""`draw_map`: the numbers that random generators gave, and which of them are the same."""

from collections import Counter
from collections.abc import Mapping, Sequence

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    ORANGE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
)
from course_utils.words import listed

LEFT, TOP, ROW, TALL, CELL = 2.5, 0.55, 0.56, 0.3, 0.78


def draw_map(rows: Mapping[str, Sequence[float]], *, title: str) -> Picture:
    """Draw a row of numbers for each of `rows`, in the order of drawing.

    A line joins a number with the same one in the row above; both are coloured, too.
    """
    page = Picture(TOP + ROW * len(rows) + 0.1, title)
    page.tell(f"Random numbers in the order of drawing, {title!r}.")
    times = Counter(float(value) for row in rows.values() for value in row)
    step = min(CELL, (WIDTH - 0.25 - LEFT) / max(map(len, rows.values())))
    above: list[float] = []
    for number, (name, row) in enumerate(rows.items()):
        middle, values = TOP + ROW * (number + 0.4), list(map(float, row))
        page.write(LEFT - 0.2, middle, name, align="right", size=SMALL, weight="bold")
        for place, value in enumerate(values):
            x = LEFT + place * step
            if value in above:
                begin = LEFT + (above.index(value) + 0.45) * step, middle - ROW + TALL / 2
                end = x + step * 0.45, middle - TALL / 2
                page.line(begin, end, color=INK, linewidth=1.3, zorder=0)
            fill, edge, ink = (ORANGE, INK, INK) if times[value] > 1 else (PANEL, LINE, QUIET)
            cell = (x, middle - TALL / 2, step * 0.9, TALL)
            text = f"{value:.3f}"
            page.box(*cell, text, fill=fill, edge=edge, size=SMALL, family=MONO, color=ink)
        told = f"{name}: {listed(f'{value:.3f}' for value in values)}"
        same = [place + 1 for place, value in enumerate(values) if value in above]
        if len(same) == len(values):
            told += ", all of them in the row above"
        elif same:
            told += f"; in the row above as well: {listed(f'number {place}' for place in same)}"
        page.tell(f"{told}.")
        above = values
    return page
