"""`exchange_chart`: how many bytes each GPU sends in a training step, by the way of exchange."""

from collections.abc import Mapping, Sequence

from course_utils.figures.picture import (
    INK,
    MONO,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    size_of,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, legend

LEFT, RIGHT, ROW = 1.1, WIDTH - 1.1, 0.34
LOOKS: Mapping[str, Look] = {
    "parameters": ("#9ec5e8", None),
    "gradients": ("#f2c27b", "\\\\\\"),
}

Sent = Mapping[str, Sequence[float]]
"""What is sent ("parameters", "gradients"), and how many bytes of it by each GPU in its turn."""


def through_one(size: int, gpus: int) -> Sent:
    """Bytes sent where the first GPU sends its parameters out and collects the gradients.

    size: bytes of the parameters. Plain copies, as `DataParallel` makes them without NCCL.
    """
    others = gpus - 1
    return {"parameters": [size * others] + [0] * others, "gradients": [0] + [size] * others}


def by_a_ring(size: int, gpus: int) -> Sent:
    """Bytes sent by an all-reduce of the gradients, in which each GPU sends to the next one."""
    return {"gradients": [2 * size * (gpus - 1) / gpus] * gpus}


def exchange_chart(ways: Mapping[str, Sent], *, title: str) -> Picture:
    """Draw for each way a bar for each GPU, all on one scale."""
    rows = sum(_gpus(sent) for sent in ways.values())
    figure, axes = sheet(1.1 + 0.5 * len(ways) + ROW * rows, title)
    stamp(axes, "computed")
    legend(axes, LEFT, 0.78, LOOKS)
    scale = (RIGHT - LEFT) / max(max(_totals(sent)) for sent in ways.values())
    top = 1.1
    for name, sent in ways.items():
        write(axes, 0.25, top + 0.15, name, weight="bold")
        top += 0.38
        for gpu, total in enumerate(_totals(sent)):
            middle, x = top + ROW / 2, LEFT
            write(axes, LEFT - 0.12, middle, f"cuda:{gpu}", align="right", size=SMALL, family=MONO)
            for kind, counts in sent.items():
                fill, hatch = LOOKS[kind]
                width = counts[gpu] * scale
                if width:
                    box(
                        axes,
                        x,
                        middle - 0.11,
                        width,
                        0.22,
                        fill=fill,
                        edge=INK,
                        hatch=hatch,
                        round_=0,
                        thickness=0.8,
                    )
                x += width
            write(axes, x + 0.1, middle, size_of(round(total)), size=SMALL)
            top += ROW
        top += 0.1
    return Picture(figure, _describe(ways, title))


def _gpus(sent: Sent) -> int:
    return len(next(iter(sent.values())))


def _totals(sent: Sent) -> list[float]:
    return [sum(counts) for counts in zip(*sent.values(), strict=True)]


def _describe(ways: Mapping[str, Sent], title: str) -> str:
    parts = [f"Bytes that each GPU sends, computed, {title!r}."]
    for name, sent in ways.items():
        each = listed(
            f"cuda:{gpu} sends {size_of(round(total))}" for gpu, total in enumerate(_totals(sent))
        )
        parts.append(f"{name} ({listed(sent)}): {each}.")
    return " ".join(parts)
