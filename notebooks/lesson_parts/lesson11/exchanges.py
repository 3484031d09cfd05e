"""`exchange_chart`: a chart of the bytes that each GPU sends in a training step, by method."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import MONO, SMALL, WIDTH, Picture, bar_styles_of
from course_utils.words import listed, size_of

LEFT, RIGHT, ROW = 1.1, WIDTH - 1.1, 0.34
STYLES = bar_styles_of(["parameters", "gradients"])

Sent = Mapping[str, Sequence[float]]
"""For each kind ("parameters", "gradients"), the bytes that each GPU sends."""


def through_one(size: int, gpus: int) -> Sent:
    """The bytes sent if the first GPU sends its parameters to the others and collects gradients.

    size: bytes of the parameters. The copies are plain, as in `DataParallel` without NCCL.
    """
    others = gpus - 1
    return {"parameters": [size * others] + [0] * others, "gradients": [0] + [size] * others}


def by_a_ring(size: int, gpus: int) -> Sent:
    """The bytes sent by a ring all-reduce of the gradients: each GPU sends to the next one."""
    return {"gradients": [2 * size * (gpus - 1) / gpus] * gpus}


def exchange_chart(ways: Mapping[str, Sent], *, title: str) -> Picture:
    """A chart with a bar for each GPU under each method, all on one scale."""
    rows = sum(len(_totals(sent)) for sent in ways.values())
    page = Picture(1.1 + 0.5 * len(ways) + ROW * rows, title, "computed")
    page.tell(f"Bytes that each GPU sends, computed, {title!r}.")
    page.legend(LEFT, 0.78, STYLES)
    scale = (RIGHT - LEFT) / max(max(_totals(sent)) for sent in ways.values())
    top = 1.1
    for name, sent in ways.items():
        page.write(0.25, top + 0.15, name, weight="bold")
        top += 0.38
        described = []
        for gpu, total in enumerate(_totals(sent)):
            middle, size = top + ROW / 2, size_of(round(total))
            page.write(LEFT - 0.12, middle, f"cuda:{gpu}", align="right", size=SMALL, family=MONO)
            widths = [(counts[gpu] * scale, STYLES[kind]) for kind, counts in sent.items()]
            page.write(page.bars(LEFT, middle - 0.11, 0.22, widths) + 0.1, middle, size, size=SMALL)
            described.append(f"cuda:{gpu} sends {size}")
            top += ROW
        top += 0.1
        page.tell(f"{name} ({listed(sent)}): {listed(described)}.")
    return page


def _totals(sent: Sent) -> list[float]:
    return [sum(counts) for counts in zip(*sent.values(), strict=True)]
