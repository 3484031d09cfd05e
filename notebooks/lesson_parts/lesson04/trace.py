"""`trace_chart`: how the memory in use rises and falls, from one allocation to the next."""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.figures.picture import BLUE, INK, SMALL, WIDTH, Picture
from course_utils.words import size_of

MiB = 2**20


def trace_chart(trace: Sequence[Mapping[str, Any]], *, title: str) -> Picture:
    """Draw the memory in use after each allocation and release, on top of what was there before.

    trace: of one GPU, as `device_traces` of a memory snapshot has it.
    """
    levels = _levels(trace)
    page = Picture(2.9, title, "counted")
    axes = page.chart(0.75, 0.6, WIDTH - 1.0, 1.75)
    heights = [level / MiB for level in levels]
    axes.stairs(heights, fill=True, facecolor=BLUE, edgecolor=INK, linewidth=0.8)
    axes.set(
        xlim=(0, len(levels)), ylim=(0, 1.25 * max(*heights, 1)), ylabel="MiB more than before"
    )
    axes.set_xlabel("allocations and releases, in their order", fontsize=SMALL)
    peak = max(levels)
    place = levels.index(peak)
    axes.text(
        place + 0.5, 1.04 * peak / MiB, size_of(peak), ha="center", fontsize=SMALL, weight="bold"
    )
    page.tell(
        f"Memory in use, with {len(levels) - 1} allocations and releases, {title!r}: at the peak "
        f"{size_of(peak)} more than before, at the end {size_of(levels[-1])}."
    )
    return page


def _levels(trace: Sequence[Mapping[str, Any]]) -> list[int]:
    """The bytes in use at the beginning, and after each event that changes them."""
    levels, held = [0], dict[int, int]()
    for event in trace:
        if event["action"] == "alloc":
            held[event["addr"]] = event["size"]
        elif event["action"] != "free_completed" or held.pop(event["addr"], None) is None:
            continue  # no tensor, or one from before the trace
        levels.append(sum(held.values()))
    return levels
