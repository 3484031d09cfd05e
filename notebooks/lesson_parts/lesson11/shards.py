"""`shard_map`: a drawing of the samples of each rank in an epoch, with repeated ones marked."""

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
"""The largest number of samples of a rank that can be drawn."""


def shard_map(shards: Sequence[Sequence[int]], samples: int, *, title: str) -> Picture:
    """A picture with a row for each rank, with the indices of its samples in order.

    samples: their number; the samples that no rank gets are listed below the rows.
    A sample that another rank got earlier, in the order of distribution, is hatched.
    Raises ValueError for more than ten samples on one rank.
    """
    if any(len(shard) > MOST for shard in shards):
        raise ValueError(f"a rank has more than {MOST} samples; they cannot be drawn.")
    repeated = _repeated(shards)
    left_out = sorted(set(range(samples)).difference(*shards))
    bottom = 0.7 + ROW * len(shards)
    page = Picture(bottom + 0.65, title)
    rows = []
    for rank, shard in enumerate(shards):
        top, described = 0.7 + ROW * rank, []
        page.write(0.25, top + ROW / 2 - 0.04, f"rank {rank}", weight="bold", size=SMALL)
        for place, index in enumerate(shard):
            again = (rank, place) in repeated
            fill, hatch = AGAIN if again else (BLUE, None)
            cell = (LEFT + place * CELL, top, CELL - 0.1, ROW - 0.1)
            style: TextStyle = {"behind": PANEL, "family": MONO}
            page.box(*cell, str(index), fill=fill, edge=INK, hatch=hatch, **style)
            described.append(f"{index} (again)" if again else str(index))
        rows.append(f"rank {rank}: {listed(described or ['nothing'])}")
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
    """Rank and place of each repeated sample; samples are distributed place by place."""
    seen: set[int] = set()
    again = set()
    for place in range(max(map(len, shards), default=0)):
        for rank, shard in enumerate(shards):
            if place < len(shard):
                if shard[place] in seen:
                    again.add((rank, place))
                seen.add(shard[place])
    return again
