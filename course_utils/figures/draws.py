"""`draw_map`: the numbers that random generators gave, and which of them are the same."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    write,
)

LEFT, TOP, ROW, TALL, CELL = 2.5, 0.55, 0.56, 0.3, 0.78
SAME, OTHER = "#f2c27b", "#ffffff"


def draw_map(rows: Mapping[str, Sequence[float]], *, title: str) -> Picture:
    """Draw a row of numbers for each of `rows`, in the order of drawing.

    A line joins a number with the same one in the row above; both are coloured, too.
    """
    figure, axes = sheet(TOP + ROW * len(rows) + 0.1, title)
    names, values = list(rows), [list(map(float, row)) for row in rows.values()]
    everywhere = [number for row in values for number in row]
    step = min(CELL, (WIDTH - 0.25 - LEFT) / max(map(len, values)))
    for number, row in enumerate(values):
        middle = TOP + ROW * (number + 0.4)
        write(axes, LEFT - 0.2, middle, names[number], align="right", size=SMALL, weight="bold")
        for place, value in enumerate(row):
            x = LEFT + place * step
            if number and value in (above := values[number - 1]):
                top = LEFT + above.index(value) * step
                axes.plot(
                    [top + step * 0.45, x + step * 0.45],
                    [middle - ROW + TALL / 2, middle - TALL / 2],
                    color=INK,
                    linewidth=1.3,
                    zorder=0,
                )
            twice = everywhere.count(value) > 1
            box(
                axes,
                x,
                middle - TALL / 2,
                step * 0.9,
                TALL,
                fill=SAME if twice else OTHER,
                edge=INK if twice else LINE,
                thickness=1.4 if twice else 0.9,
            )
            write(
                axes,
                x + step * 0.45,
                middle,
                f"{value:.3f}",
                align="center",
                size=SMALL,
                family=MONO,
                color=INK if twice else QUIET,
            )
    return Picture(figure, _describe(rows, title))


def _describe(rows: Mapping[str, Sequence[float]], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Random numbers in the order of drawing, {title!r}."]
    before: list[float] = []
    for name, row in rows.items():
        values = list(map(float, row))
        told = f"{name}: {listed(f'{value:.3f}' for value in values)}"
        same = [place + 1 for place, value in enumerate(values) if value in before]
        if len(same) == len(values):
            told += ", all of them in the row above"
        elif same:
            told += f"; in the row above as well: {listed(f'number {place}' for place in same)}"
        parts.append(f"{told}.")
        before = values
    return " ".join(parts)
