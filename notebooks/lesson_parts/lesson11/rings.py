"""`ring_map`: a drawing of each GPU's pieces after some rounds of an exchange in a ring."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import BLUE, MONO, PANEL, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import listed

LEFT, TOP, ROW, GAP = 1.0, 1.0, 0.34, 0.28
COMPLETE: BarStyle = (BLUE, None)

Pieces = Sequence[Sequence[float]]
"""For each GPU and each of its pieces, the number of GPUs whose values are added up in it."""


def ring_map(moments: Mapping[str, Pieces], *, title: str) -> Picture:
    """A picture of the pieces of all GPUs at each of `moments`, side by side: a row for each GPU.

    A piece is complete, and coloured, when it contains the values of all GPUs.
    """
    gpus = len(next(iter(moments.values())))
    bottom = TOP + gpus * ROW
    page = Picture(bottom + 0.55, title)
    page.tell(f"How many GPUs are added up in each piece, {title!r}.")
    for gpu in range(gpus):
        level = TOP + (gpu + 0.5) * ROW
        page.write(LEFT - 0.1, level, f"cuda:{gpu}", align="right", size=SMALL, family=MONO)
    pitch = (WIDTH - 0.25 - LEFT + GAP) / len(moments)
    wide, left = pitch - GAP, LEFT
    for moment, rows in moments.items():
        page.write(left + wide / 2, TOP - 0.25, moment, align="center", weight="bold", size=SMALL)
        cell = wide / len(rows[0])
        for gpu, row in enumerate(rows):
            for piece, count in enumerate(row):
                style, weight = ((PANEL, None), "normal") if count < gpus else (COMPLETE, "bold")
                x, y = left + piece * cell, TOP + gpu * ROW
                page.bar(x, y, cell, ROW, style)
                middle, text = x + cell / 2, f"{count:g}"
                page.write(middle, y + ROW / 2, text, align="center", size=SMALL, weight=weight)
        described = "; ".join(
            f"cuda:{gpu}: {listed(f'{count:g}' for count in row)}" for gpu, row in enumerate(rows)
        )
        page.tell(f"{moment}: {described}.")
        left += pitch
    legend = "complete: all GPUs have contributed to this piece"
    page.legend(LEFT, bottom + 0.25, {legend: COMPLETE})
    return page
