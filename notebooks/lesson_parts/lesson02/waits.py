"""Loops that read a loss, one below the other: `wait_lanes`, and `loop_lanes` for a learner's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import pairwise
from statistics import median
from types import MappingProxyType
from typing import Any

import torch

from course_utils.devices import lab
from course_utils.experiments.recording import Recording, Span, host_works, record
from course_utils.figures.picture import (
    BLUE,
    INK,
    ORANGE,
    PANEL,
    PAPER,
    QUIET,
    SMALL,
    WIDTH,
    BarStyle,
    Picture,
)
from course_utils.words import listed
from lesson_parts.own_gpu import measured

STEPS = 6
QUEUE, WAIT, COMPUTE, COPY = "queue work", "wait", "compute", "copy the loss"
EACH = "loss read in every step"
_RETURNED = "the function has returned"
LEFT, RIGHT, LANE, BLOCK = 1.05, WIDTH - 0.3, 0.38, 1.32
STYLES: Mapping[str, BarStyle] = MappingProxyType(
    {QUEUE: (BLUE, None), WAIT: (PANEL, "////"), COMPUTE: ("#6f9f62", None), COPY: (ORANGE, "xx")}
)

RECORDED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"recorded 2026: RTX 3090": (1.97, 1.89), "recorded 2026: eight B200": (152.2, 144.6)}
)
"""Milliseconds of a step with waits for losses and without: LANfactory, pull request 120,
and fairchem, pull request 2203."""

IDLE: dict[str, Any] = {"fill": "#f6d5d0", "edge": INK, "line": (0, (1, 2)), "round_": 0}

Loop = Callable[[list[torch.Tensor], torch.Tensor], object]


def wait_lanes(*, every: int, mine: bool = False) -> Picture:
    """A picture of a loop that reads its loss in each step, and of one with fewer waits below.

    Under them stands the part of a step that waits took in recorded trainings.

    every: the second loop reads its loss after so many steps. mine: measured on this computer's own
        GPU. Raises CourseError if the measurement failed.
    """
    each, found, once = (
        Recording(**_own_loops()[steps - 1]) if mine else _modelled(steps)
        for steps in (1, every, STEPS)
    )
    often = {1: "in every step, as above", STEPS: f"once, after {STEPS} steps"}
    name = f"loss read {often.get(every, f'after every {every} steps')}"
    page = _drawn({EACH: each, name: found}, below=1.75)
    here = f"{'measured' if mine else 'modelled'}: this loop"
    _draw_shares(page, {here: (each.end / STEPS / 1e3, once.end / STEPS / 1e3), **RECORDED})
    return page


@cache
def _modelled(every: int) -> Recording:
    return _record(_loop(every))


@cache
def _own_loops() -> list[dict[str, Any]]:
    loops: list[dict[str, Any]] = measured("lesson_parts.lesson02.waits.own_loops")
    return loops


def own_loops() -> Sequence[dict[str, Any]]:
    """The recordings of the loop for every `every` from 1 to `STEPS`, on the first real GPU."""
    lab(gpus=1)
    _record(_loop(1))  # CUDA starts, and loads the kernels
    return [asdict(_record(_loop(every))) for every in range(1, STEPS + 1)]


def _loop(every: int) -> Loop:

    def loop(batches: list[torch.Tensor], weight: torch.Tensor) -> None:
        for step, batch in enumerate(batches, start=1):
            loss = (batch @ weight).square().mean()
            if step % every == 0:
                with torch.profiler.record_function("host: wait"):
                    loss.item()

    return loop


def loop_lanes(mean_loss: Loop) -> Picture:
    """A picture of `mean_loss` on six large batches.

    If the GPU is idle less than in a loop that reads its loss in each step, that loop is above it.
    The GPU is the last one of the machine. The times are those of its model.
    """
    each, yours = _modelled(1), _record(mean_loss)
    above = {EACH: each} if yours.gaps() < 0.99 * each.gaps() else {}
    return _drawn({**above, "yours": yours})


def _record(mean_loss: Loop) -> Recording:
    gpu = torch.device("cuda", torch.cuda.device_count() - 1)
    batch, weight = torch.ones(1024, 4096, device=gpu), torch.ones(4096, device=gpu)
    with record(gpu) as found:
        mean_loss([batch] * STEPS, weight)
        host_works(0, _RETURNED)  # what follows is the wait of `record`
    return found


def _drawn(loops: Mapping[str, Recording], below: float = 0.0) -> Picture:
    """A picture of loops below each other, over one clock. below: inches that stay free there."""
    drawn = [*loops.values()]
    first, last = drawn[0], drawn[-1]
    source = "modelled" if last.modelled else "measured"
    title = f"The GPU is idle after each wait: {last.gaps():.0f} µs together"
    if len(loops) > 1:
        title = f"Idle between steps: {first.gaps():.0f} µs above, {last.gaps():.0f} µs below"
    page = Picture(1.4 + BLOCK * len(loops) + below, title, source)
    page.tell(f"{'Modelled timelines' if last.modelled else 'Timelines'} in µs over one clock.")
    clock = max(*(each.end for each in loops.values()), 1)
    scale, bottom = (RIGHT - LEFT) / clock, 0.62 + BLOCK * len(loops)
    page.clock(LEFT, RIGHT, 0.9, bottom, clock, "µs")
    for row, (name, found) in enumerate(loops.items()):
        top = 0.62 + BLOCK * row
        ends = f"idle for {found.gaps():.0f} µs, done at {found.end:.0f} µs"
        page.write(LEFT, top + 0.14, name, weight="bold", behind=PAPER)
        page.write(RIGHT, top + 0.14, ends, "right", behind=PAPER)
        page.tell(f"{name[0].upper()}{name[1:]}: {ends}.")
        _draw_lanes(page, found, top + 0.32, scale)
    saved, end = first.end - last.end, LEFT + last.end * scale
    if saved * scale > 1.2:
        level = bottom - 0.28
        page.arrow((RIGHT, level), (end, level))
        page.write((RIGHT + end) / 2, level, f"{saved:.0f} µs less", "center", behind=PAPER)
    copies = [end - begin for _, begin, end in first.lanes["copies"]]
    copy = f"copy the loss to the CPU: {median(copies or [0]):.0f} µs"
    page.legend(0.25, bottom + 0.55, {copy if k == COPY else k: each for k, each in STYLES.items()})
    page.box(WIDTH - 0.95, bottom + 0.46, 0.3, 0.18, **IDLE)
    page.write(WIDTH - 0.58, bottom + 0.55, "idle", size=SMALL)
    return page


def _draw_lanes(page: Picture, found: Recording, top: float, scale: float) -> None:
    host: list[Span] = []
    for name, begin, end in found.lanes["host"]:
        if begin > (before := host[-1][2] if host else 0):
            host.append((QUEUE, before, begin))
        if name == _RETURNED:
            break
        host.append((WAIT, begin, end))
    work: list[Span] = [(COMPUTE, *span) for span in found.merged("kernels")]
    for (_, _, begin), (_, end, _) in pairwise(work):
        page.box(LEFT + begin * scale, top + 0.44, (end - begin) * scale, LANE, **IDLE)
    work += [(COPY, begin, end) for _, begin, end in found.lanes["copies"]]
    for level, lane, spans in ((top, "program", host), (top + 0.44, "GPU", work)):
        page.write(LEFT - 0.12, level + LANE / 2, lane, "right")
        page.line((LEFT, level + LANE), (RIGHT, level + LANE))
        for kind, begin, end in spans:
            low = LANE / 2 if kind == COPY else 0.0
            place = (LEFT + begin * scale, level + low, (end - begin) * scale, LANE - low)
            page.bar(*place, STYLES[kind])
        told = [f"{kind} from {begin:.0f} to {end:.0f}" for kind, begin, end in spans]
        page.tell(f"The {lane}: {listed(told or ['nothing'])}.")


def _draw_shares(page: Picture, times: Mapping[str, tuple[float, float]]) -> None:
    """Draw a bar for the time of each loop with waits, and in it the part that the waits took."""
    top = page.figure.get_figheight() - 1.55
    page.line((0.25, top - 0.25), (WIDTH - 0.25, top - 0.25), color=QUIET)
    page.write(0.25, top, "The part of a step that waits took", weight="bold")
    for row, (name, (waiting, without)) in enumerate(times.items()):
        level, part = top + 0.22 + 0.38 * row, 1 - without / waiting
        page.write(2.6, level + 0.13, name, "right")
        page.write(3.6, level + 0.13, f"{waiting:.{2 if waiting < 1 else 3}g} ms", "right")
        widths = [(3.7 * (1 - part), ("#d5dbe1", None)), (3.7 * part, STYLES[WAIT])]
        page.bars(3.75, level, 0.26, widths)
        page.write(7.55, level + 0.13, f"{part:.0%}", weight="bold")
        page.tell(f"Waits took {part:.0%} of {waiting:.3g} ms; {name}.")
