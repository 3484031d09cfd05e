"""`shard_map`: which samples each rank gets in an epoch, and which of them came before."""

from collections.abc import Sequence

from course_utils.figures.picture import (
    BLUE,
    INK,
    MONO,
    ORANGE,
    PANEL,
    SMALL,
    BarStyle,
    Picture,
    TextStyle,
)
from course_utils.words import listed

LEFT, CELL, ROW = 1.3, 0.62, 0.46
AGAIN: BarStyle = (ORANGE, "////")
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
    page = Picture(bottom + 0.65, title)
    rows = []
    for rank, shard in enumerate(shards):
        top, told = 0.7 + ROW * rank, []
        page.write(0.25, top + ROW / 2 - 0.04, f"rank {rank}", weight="bold", size=SMALL)
        for place, index in enumerate(shard):
            again = (rank, place) in repeated
            fill, hatch = AGAIN if again else (BLUE, None)
            cell = (LEFT + place * CELL, top, CELL - 0.1, ROW - 0.1)
            style: TextStyle = {"behind": PANEL, "family": MONO}
            page.box(*cell, str(index), fill=fill, edge=INK, hatch=hatch, **style)
            told.append(f"{index} (again)" if again else str(index))
        rows.append(f"rank {rank}: {listed(told or ['nothing'])}")
    page.tell(f"{title}. {'; '.join(rows)}.")
    if repeated:
        page.legend(LEFT, bottom + 0.25, {"taken again from the start": AGAIN})
    if left_out:
        missing = listed(map(str, left_out))
        x = LEFT + 3.5 * bool(repeated)
        page.write(x, bottom + 0.25, f"left out: {missing}", size=SMALL)
        page.tell(f"Left out: {missing}.")
    return page


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
