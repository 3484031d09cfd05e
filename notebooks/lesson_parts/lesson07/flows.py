"""`data_flow`: what crosses between two GPUs in a training step, with DataParallel and with DDP."""

from dataclasses import dataclass

from course_utils.figures.picture import BLUE, INK, MONO, ORANGE, QUIET, SMALL, Picture

LABELS, TOP, BOX, BETWEEN = 0.25, 1.4, 0.32, 0.2
STAGES = ("last layers", "middle", "first layers")
TALL = len(STAGES) * BOX
EDGE = 0.08  # between a column and the frame of its process
OUT, BACK, BOTH, NONE = "-|>", "<|-", "<|-|>", ""
"""From cuda:0 to cuda:1; from cuda:1 to cuda:0; both at once; no transfer between the GPUs."""
AFTER = ("gradients of the weights", "gradients", BACK, 1.0)
AROUND = (("gradients of the outputs", "gradients", OUT, 0.0), AFTER)


@dataclass(frozen=True)
class _Row:
    """A part of a step: what each GPU does; an empty text is a GPU that waits.

    sent: for each transfer its long and its short name, its direction, and when it begins: at 0
    before the work of this row, at 1 after it.
    """

    name: str
    first: str
    second: str
    sent: tuple[tuple[str, str, str, float], ...] = ()

    @property
    def tall(self) -> float:
        return TALL if self.name == "backward" else BOX


PARALLEL = (
    _Row("samples", "half", "half", (("1 scatter: the samples, from the CPU", "", NONE, 0.5),)),
    _Row("model", "model", "replica", (("2 replicate: the weights", "weights", OUT, 0.5),)),
    _Row("forward", "run", "run", (("3 parallel_apply", "", NONE, 0.5),)),
    _Row("loss", "of all", "", (("4 gather: the outputs", "outputs", BACK, 0.5),)),
    _Row("backward", "run", "run", AROUND),
    _Row("update", "step", ""),
)
DDP = (
    _Row("samples", "half", "half"),
    _Row("model", "model", "model", (("", "once, before", NONE, 0.5),)),
    _Row("forward", "run", "run"),
    _Row("loss", "own loss", "own loss"),
    _Row("backward", "run", "run", tuple(("", "gradients", BOTH, n / 3) for n in (1, 2, 3))),
    _Row("update", "same step", "same step"),
)


def data_flow(*, ddp: bool = False) -> Picture:
    """A picture of a training step on two GPUs with DataParallel; with `ddp`, and that of DDP."""
    title = "DataParallel: each step begins and ends on the main GPU, cuda:0"
    if ddp:
        title = "DataParallel sends through cuda:0; DDP exchanges gradients, during backward"
    page = Picture(TOP + sum(row.tall + BETWEEN for row in PARALLEL) + 0.2, title)
    top = TOP
    for row in PARALLEL:
        page.write(LABELS, top + row.tall / 2, row.name, weight="bold", size=SMALL)
        top += row.tall + BETWEEN
    if ddp:
        _draw(page, (1.2, 1.1, 1.1), "DataParallel", PARALLEL)
        _draw(page, (4.85, 1.1, 1.1), "DDP", DDP)
    else:
        _draw(page, (1.35, 1.7, 3.2), "DataParallel", PARALLEL)
    return page


def _draw(
    page: Picture, place: tuple[float, float, float], what: str, rows: tuple[_Row, ...]
) -> None:
    """Draw the columns of two GPUs. place: the left end, the width of a column, and the gap."""
    left, width, gap = place
    lefts, middle = (left, left + width + gap), left + width + gap / 2
    page.write(middle, TOP - 0.78, what, "center", weight="bold")
    bottom = TOP + sum(row.tall + BETWEEN for row in rows)
    frames = {"one process": (left, 2 * width + gap)}
    if what == "DDP":
        frames = {f"rank {rank}": (x, width) for rank, x in enumerate(lefts)}
    for name, (x, wide) in frames.items():
        page.box(x - EDGE, TOP - 0.6, wide + 2 * EDGE, bottom - TOP + 0.52)
        page.write(x + wide / 2, TOP - 0.43, name, "center", size=SMALL)
    for number, x in enumerate(lefts):
        page.write(x + width / 2, TOP - 0.16, f"cuda:{number}", "center", family=MONO, size=SMALL)
    top, steps = TOP, []
    for row in rows:
        for x, held in zip(lefts, (row.first, row.second), strict=True):
            if not held:
                page.box(
                    x, top, width, BOX, "waits", fill="none", line=":", size=SMALL, color=QUIET
                )
                continue
            for number, stage in enumerate(STAGES if row.tall > BOX else (held,)):
                level = top + number * BOX
                page.box(x, level, width, BOX, stage, fill=BLUE, edge=INK, size=SMALL)
        told = []
        for long, short, way, when in row.sent:
            level, name = top + row.tall * when, long if gap > width * 1.5 else short
            if way:
                ends = (lefts[0] + width + 0.03, level), (lefts[1] - 0.03, level)
                page.arrow(*ends, arrowstyle=way, linewidth=2.2, mutation_scale=13)
            if name:
                fill = ORANGE if way else ""
                page.write(middle, level, name, "center", size=SMALL, behind=fill)
                where = {OUT: " to cuda:1", BACK: " to cuda:0", BOTH: " exchanged three times"}
                told.append(f"{name}{where.get(way, '')}")
        held = row.first if row.first == row.second else f"{row.first}, {row.second or 'waits'}"
        steps.append(
            f"{row.name}: {held}" + (f" ({'; '.join(dict.fromkeys(told))})" if told else "")
        )
        top += row.tall + BETWEEN
    page.tell(f"A step of {what}, from top to bottom, on cuda:0 and cuda:1. {', '.join(steps)}.")
