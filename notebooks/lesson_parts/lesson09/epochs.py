"""A model of an epoch: workers that load batches, and a GPU that computes on them.

It only computes: no data is loaded, and no clock is read. `epoch_chart` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from course_utils.figures.picture import BAR_STYLES, PANEL, SMALL, WIDTH, Picture
from course_utils.words import counted, listed

LOADS, STEPS, WAITS = BAR_STYLES[0], BAR_STYLES[1], (PANEL, "....")

Span = tuple[int, float, float]
"""The index of a batch, begin and end, in ms since the epoch began."""


@dataclass(frozen=True)
class EpochModel:
    """A modelled epoch. loading: a list of spans for each worker, or for the main process."""

    workers: int
    loading: list[list[Span]]
    computing: list[Span] = field(default_factory=list)

    @property
    def end(self) -> float:
        """The end of the last step, in ms."""
        return self.computing[-1][2]

    @property
    def waits(self) -> float:
        """The idle time of the GPU, before its first step and between steps, in ms."""
        return self.end - sum(end - begin for _, begin, end in self.computing)


def play_epoch(loads: Sequence[float], compute: float, workers: int, prefetch: int) -> EpochModel:
    """The model of an epoch: batch n loads in `loads[n]` ms, and each step takes `compute` ms.

    As in a `DataLoader`, worker n % workers loads batch n, after it was ordered: `prefetch` batches
    for each worker at the start, then one more for each batch that is taken.
    """
    epoch = EpochModel(workers, [[] for _ in range(max(workers, 1))])
    free = 0.0  # the time at which the main process and its GPU are ready for the next batch
    idle = [0.0] * workers
    taken: list[float] = []
    for number, load in enumerate(loads):
        if workers:
            ahead = number - prefetch * workers
            ordered = taken[ahead] if ahead >= 0 else 0.0
            begin = max(idle[number % workers], ordered)
            loaded = idle[number % workers] = begin + load
        else:
            begin, loaded = free, free + load
        epoch.loading[number % max(workers, 1)].append((number, begin, loaded))
        taken.append(max(loaded, free))
        free = taken[-1] + compute
        epoch.computing.append((number, taken[-1], free))
    return epoch


def epoch_chart(epoch: EpochModel, title: str = "One epoch") -> Picture:
    """A picture of a modelled epoch: a row for each process that loads, and one for the GPU."""
    left, right, top = 1.35, WIDTH - 0.4, 0.75
    bottom = top + 0.36 * (len(epoch.loading) + 1)
    scale = (right - left) / epoch.end
    page = Picture(bottom + 1.15, title, "modelled")
    page.clock(left, right, 0.7, bottom, epoch.end, "ms")
    page.bar(left, bottom - 0.36, epoch.end * scale, 0.28, WAITS)
    lanes = [
        (f"worker {number}" if epoch.workers else "main process", spans, LOADS)
        for number, spans in enumerate(epoch.loading)
    ]
    for name, spans, style in [*lanes, ("GPU", epoch.computing, STEPS)]:
        page.write(left - 0.12, top + 0.14, name, align="right", size=SMALL)
        page.line((left, top + 0.28), (right, top + 0.28))
        for number, begin, end in spans:
            x, width = left + begin * scale, (end - begin) * scale
            page.bar(x, top, width, 0.28, style)
            if width > 0.22 and style is LOADS:
                page.write(x + width / 2, top + 0.14, str(number), align="center", size=8.5)
        top += 0.36
    styles = {"load a batch": LOADS, "step on the GPU": STEPS, "the GPU waits": WAITS}
    page.legend(0.25, bottom + 0.55, styles)
    described = (
        f"The epoch takes {epoch.end:g} ms; the GPU waits for {epoch.waits / epoch.end:.0%} of it."
    )
    page.write(0.25, bottom + 0.92, described, weight="bold")
    who = "all by the main process"
    if epoch.workers:
        who = listed(f"{len(spans)} by {name}" for name, spans, _ in lanes)
    batches = counted(len(epoch.computing), "batch", "batches")
    page.tell(f"Modelled timeline, {title!r}. {batches} are loaded, {who}. {described}")
    return page
