"""`ring_map`: how complete each GPU's pieces are after some rounds of an exchange in a ring."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    write,
)

LEFT, TOP, ROW, GAP = 1.0, 1.0, 0.34, 0.28
COMPLETE = "#9ec5e8"

Pieces = Sequence[Sequence[float]]
"""For each GPU, how many GPUs' values are added up in each of its pieces."""


def ring_map(moments: Mapping[str, Pieces], *, title: str) -> Picture:
    """Draw the pieces of all GPUs at each of `moments`, side by side: a row for each GPU.

    A piece is complete, and coloured, as soon as it holds the values of all GPUs.
    """
    gpus = len(next(iter(moments.values())))
    bottom = TOP + gpus * ROW
    figure, axes = sheet(bottom + 0.55, title)
    for gpu in range(gpus):
        write(
            axes,
            LEFT - 0.1,
            TOP + (gpu + 0.5) * ROW,
            f"cuda:{gpu}",
            align="right",
            size=SMALL,
            family=MONO,
        )
    wide = (WIDTH - 0.25 - LEFT + GAP) / len(moments)
    for place, (moment, rows) in enumerate(moments.items()):
        left, cell = LEFT + place * wide, (wide - GAP) / len(rows[0])
        write(
            axes,
            left + (wide - GAP) / 2,
            TOP - 0.25,
            moment,
            align="center",
            weight="bold",
            size=SMALL,
        )
        for gpu, row in enumerate(rows):
            for piece, count in enumerate(row):
                x, y = left + piece * cell, TOP + gpu * ROW
                box(
                    axes,
                    x,
                    y,
                    cell,
                    ROW,
                    fill=COMPLETE if count == gpus else PANEL,
                    edge=INK,
                    round_=0,
                    thickness=0.8,
                )
                write(
                    axes,
                    x + cell / 2,
                    y + ROW / 2,
                    f"{count:g}",
                    align="center",
                    size=SMALL,
                    weight="bold" if count == gpus else "normal",
                )
    box(axes, LEFT, bottom + 0.16, 0.3, 0.18, fill=COMPLETE, edge=INK, round_=0)
    write(
        axes,
        LEFT + 0.4,
        bottom + 0.25,
        "complete: all GPUs have contributed to this piece",
        size=SMALL,
    )
    return Picture(figure, _describe(moments, title))


def _describe(moments: Mapping[str, Pieces], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"How many GPUs are added up in each piece, {title!r}."]
    for moment, rows in moments.items():
        told = "; ".join(
            f"cuda:{gpu}: {listed(f'{count:g}' for count in row)}" for gpu, row in enumerate(rows)
        )
        parts.append(f"{moment}: {told}.")
    return " ".join(parts)
