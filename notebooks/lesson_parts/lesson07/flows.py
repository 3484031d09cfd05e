"""`data_flow`: the transfers of a training step, with DataParallel or with DDP."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.figures.picture import BLUE, INK, MONO, PANEL, SMALL, WIDTH, Picture

LABELS, LEFT, RIGHT = 0.25, 1.45, WIDTH - 0.2
HEAD, ROW, BOX = 1.05, 0.68, 0.32
FEWEST, MOST = 2, 4

OUT, IN, ALL = "out", "in", "all"
"""From the first GPU to the others; from the others to the first; between all of them."""


@dataclass(frozen=True)
class _Row:
    """A step of the GPUs, and the transfer after it.

    first, others: the text at the first GPU, and at each other one; at most one of them is empty.
    wide: one text for all GPUs, instead of these.
    sent: the name of the transfer. direction: OUT, IN or ALL.
    """

    name: str
    first: str = ""
    others: str = ""
    wide: str = ""
    sent: str = ""
    direction: str = ""


def _same(name: str, each: str) -> _Row:
    return _Row(name, each, each)


PARALLEL = (
    _Row("batch", wide="the whole batch, on the CPU", sent="1 scatter: the parts", direction=ALL),
    _same("its parts", "part"),
    _Row("model", "model", "replica", sent="2 replicate: the weights", direction=OUT),
    _Row("forward", "3 apply", "3 apply", sent="4 gather: the outputs", direction=IN),
    _Row("loss", "loss", "", sent="backward: gradients of the outputs", direction=OUT),
    _Row(
        "gradients",
        "sum of all",
        "of its part",
        sent="backward: gradients of the weights",
        direction=IN,
    ),
    _Row("optimizer", "step", ""),
)
DDP = (
    _same("samples", "own samples"),
    _same("model", "model"),
    _same("forward", "run"),
    _Row("loss", "own loss", "own loss", sent="backward: own gradients", direction=ALL),
    _Row("gradients", wide="all-reduce: the mean over all ranks", sent="the mean", direction=ALL),
    _same("optimizer", "same step"),
)


def data_flow(devices: Sequence[int], *, ddp: bool = False) -> Picture:
    """A picture of one training step on GPUs with these indices, with DataParallel or with DDP.

    devices: two to four, the main GPU first, such as `wrapped.device_ids`.
    Raises ValueError for fewer or more.
    """
    if not FEWEST <= len(devices) <= MOST:
        raise ValueError(f"{len(devices)} GPUs cannot be drawn; {FEWEST} to {MOST} can.")
    gpus = [f"cuda:{device}" for device in devices]
    rows = DDP if ddp else PARALLEL
    title = f"DataParallel: weights, outputs and gradients pass through {gpus[0]}"
    if ddp:
        gpus = [f"rank {rank}, {gpu}" for rank, gpu in enumerate(gpus)]
        title = "DDP: each rank has its own model, and only gradients are exchanged"
    page = Picture(HEAD + (len(rows) - 1) * ROW + BOX + 0.25, title)
    for number, row in enumerate(rows):
        page.write(LABELS, HEAD + number * ROW + BOX / 2, row.name, weight="bold", size=SMALL)
    _draw(page, LEFT, RIGHT, "DDP" if ddp else "DataParallel", gpus, rows, PANEL if ddp else BLUE)
    return page


def _draw(
    page: Picture,
    left: float,
    right: float,
    what: str,
    names: Sequence[str],
    rows: Sequence[_Row],
    first: str,
) -> None:
    """Draw the columns of the GPUs. first: the fill of the first GPU's boxes."""
    pitch = (right - left) / len(names)
    width = pitch - 0.1
    lefts = [left + number * pitch for number in range(len(names))]
    sent_to = {ALL: "for each", OUT: f"from {names[0]} to the others", IN: f"to {names[0]}"}
    steps = []
    for x, name in zip(lefts, names, strict=True):
        page.write(x + width / 2, HEAD - 0.25, name, align="center", family=MONO, size=SMALL)
    for top, row in ((HEAD + number * ROW, row) for number, row in enumerate(rows)):
        if row.wide:
            whole = lefts[-1] + width - left
            fill = BLUE if row.name == "gradients" else PANEL
            page.box(left, top, whole, BOX, row.wide, fill=fill, edge=INK, size=SMALL)
            steps.append(f"{row.name}: {row.wide}")
        for place, x in enumerate(lefts):
            if held := row.others if place else row.first:
                fill = PANEL if place else first
                page.box(x, top, width, BOX, held, fill=fill, edge=INK, size=SMALL)
        if row.first:
            others = f", {row.others} on the others" if row.others else " only"
            where = " on each" if row.first == row.others else f" on {names[0]}{others}"
            steps.append(f"{row.name}: {row.first}{where}")
        if row.sent:
            _send(page, [x + width / 2 for x in lefts], top + BOX, row)
            steps.append(f"{row.sent}, {sent_to[row.direction]}")
    page.tell(
        f"A step of {what} on {names[0]} to {names[-1]}, from top to bottom. {'; '.join(steps)}."
    )


def _send(page: Picture, middles: Sequence[float], top: float, row: _Row) -> None:
    """Draw the transfer below a row, with an arrow head at its target."""
    gap = ROW - BOX
    if row.direction == ALL:  # straight down, to each GPU
        for x in middles:
            page.arrow((x, top), (x, top + gap), mutation_scale=11)
        _named(page, middles[:2], top + gap / 2, row.sent)
        return
    level = top + gap * 0.45
    page.line((middles[0], level), (middles[-1], level), color=INK, linewidth=1.4)
    # The target is in the row below, unless this row shows what it becomes there.
    down = row.first == row.others if row.direction == IN else not row.others
    above = down and row.direction == OUT
    _named(page, middles[above:], level - 0.11 if above else level + 0.11, row.sent)
    for x in middles:
        sends = (x == middles[0]) == (row.direction == OUT)
        if sends:
            page.line((x, top), (x, level), color=INK, linewidth=1.4)
        if down and (row.direction == OUT or x == middles[0]):
            page.arrow((x, level), (x, top + gap), mutation_scale=11)
        elif not down and not sends:
            page.arrow((x, level), (x, top), mutation_scale=11)


def _named(page: Picture, middles: Sequence[float], level: float, what: str) -> None:
    middle = (middles[0] + middles[-1]) / 2
    page.write(middle, level, what, align="center", size=SMALL, style="italic")
