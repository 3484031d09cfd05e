"""`trace_chart`: a chart of the memory in use while a function runs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

from course_utils.figures.picture import BLUE, INK, SMALL, WIDTH, Picture
from course_utils.words import size_of

MiB = 2**20


def trace_chart(device: torch.device, function: Callable[..., Any], *arguments: Any) -> Picture:
    """Call a function, print its result or error, and draw the memory in use meanwhile.

    The chart has a level after each allocation and release on the GPU, relative to the start. An
    error is not raised, since IPython would keep it, and with it the function's tensors.
    """
    title = f"{function.__name__}()"
    torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
    try:
        print(f"{title}:", function(*arguments))
    except Exception as error:
        print(f"{title}: {type(error).__name__}: {str(error).split('. ')[0]}")
    finally:
        trace = torch.cuda.memory._snapshot()["device_traces"][device.index or 0]
        torch.cuda.memory._record_memory_history(enabled=None)
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


def _levels(trace: Iterable[Mapping[str, Any]]) -> list[int]:
    """The bytes in use, relative to the start, at the start and after each change."""
    levels, held = [0], dict[int, int]()
    for event in trace:
        if event["action"] == "alloc":
            held[event["addr"]] = event["size"]
        elif event["action"] != "free_completed" or held.pop(event["addr"], None) is None:
            continue  # another event, or a tensor from before the trace
        levels.append(sum(held.values()))
    return levels
