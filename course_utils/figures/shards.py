"""`shard_map`: which samples each rank gets in an epoch, and which of them came before."""

from collections.abc import Sequence

from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    SMALL,
    Picture,
    box,
    listed,
    sheet,
    write,
)

LEFT, CELL, ROW = 1.3, 0.62, 0.46
FIRST, AGAIN = "#9ec5e8", "#f2c27b"
MOST = 10
"""Samples of a rank for which there is room."""


def shard_map(shards: Sequence[Sequence[int]], samples: int, *, title: str) -> Picture:
    """Draw a row for each rank, with the indices of its samples in order.

    samples: how many there are; what no rank gets is told below the rows.
    A sample that another rank has already, in the order in which they are dealt out, is hatched.
    Raises ValueError for more than ten samples on one rank.
    """
    if any(len(shard) > MOST for shard in shards):
        raise ValueError(f"a rank has more than {MOST} samples; there is no room for them.")
    repeated = _repeated(shards)
    left_out = sorted(set(range(samples)).difference(*shards))
    bottom = 0.7 + ROW * len(shards)
    figure, axes = sheet(bottom + 0.65, title)
    for rank, shard in enumerate(shards):
        top = 0.7 + ROW * rank
        write(axes, 0.25, top + ROW / 2 - 0.04, f"rank {rank}", weight="bold", size=SMALL)
        for place, index in enumerate(shard):
            again = (rank, place) in repeated
            box(
                axes,
                LEFT + place * CELL,
                top,
                CELL - 0.1,
                ROW - 0.1,
                fill=AGAIN if again else FIRST,
                edge=INK,
                hatch="////" if again else None,
            )
            middle = LEFT + place * CELL + (CELL - 0.1) / 2
            box(axes, middle - 0.14, top + 0.07, 0.28, ROW - 0.24, fill=PANEL, edge=PANEL)
            write(axes, middle, top + (ROW - 0.1) / 2, str(index), align="center", family=MONO)
    if repeated:
        box(axes, LEFT, bottom + 0.16, 0.3, 0.18, fill=AGAIN, edge=INK, hatch="////", round_=0)
        write(axes, LEFT + 0.4, bottom + 0.25, "taken again from the start", size=SMALL)
    if left_out:
        told = f"left out: {listed(map(str, left_out))}"
        write(axes, LEFT + 3.5 * bool(repeated), bottom + 0.25, told, size=SMALL)
    rows = "; ".join(
        f"rank {rank}: {listed(_told(shard, rank, repeated)) if shard else 'nothing'}"
        for rank, shard in enumerate(shards)
    )
    ending = f" Left out: {listed(map(str, left_out))}." if left_out else ""
    alt = f"{title}. {rows}."
    return Picture(figure, alt + ending)


def _repeated(shards: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Rank and place of each sample that came before; they are dealt out place by place."""
    seen: set[int] = set()
    again = set()
    for place in range(max(map(len, shards), default=0)):
        for rank, shard in enumerate(shards):
            if place < len(shard):
                if shard[place] in seen:
                    again.add((rank, place))
                seen.add(shard[place])
    return again


def _told(shard: Sequence[int], rank: int, repeated: set[tuple[int, int]]) -> list[str]:
    return [
        f"{index} (again)" if (rank, place) in repeated else str(index)
        for place, index in enumerate(shard)
    ]
