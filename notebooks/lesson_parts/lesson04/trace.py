"""`trace_chart`: a chart of PyTorch's memory while a function runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, count
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_pre_hook

from course_utils.figures.picture import INK, SMALL, WIDTH, Picture
from course_utils.words import listed, shortened, size_of
from lesson_parts.lesson04.segments import FREE, REFUSED, USED

MiB = 2**20
IN_USE, RESERVED = ({"alloc": 1, "free_completed": -1}, {"segment_alloc": 1, "segment_free": -1})
"""The events that change the memory in use, and those that change the segments."""

Event = Mapping[str, Any]


def trace_chart(
    device: torch.device, function: Callable[..., Any], *arguments: Any, allowed: int
) -> Picture:
    """Call a function, and draw its memory in use and PyTorch's segments against the limit.

    The chart has a level for each event of PyTorch's memory history. If memory runs out, it ends
    there. No error is raised, since IPython would keep it, and with it the function's tensors.

    allowed: the limit of the process in bytes.
    """
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated(device), torch.cuda.memory_reserved(device)
    raised = False
    torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
    try:
        with _numbered_batches(device):
            result = function(*arguments)
        shown = f"{result:.4g}" if isinstance(result, float) else result
        done = "it has ended" if result is None else f"it returns {shown}"
    except Exception as error:
        done = str(error).split(" GPU")[0].rstrip(".")
        raised = isinstance(error, torch.OutOfMemoryError)
    finally:
        trace = torch.cuda.memory._snapshot()["device_traces"][device.index or 0]
        torch.cuda.memory._record_memory_history(enabled=None)
    if raised:
        trace = trace[: _failed(trace) + 1]
    title = shortened(f"{function.__name__}(): {done}", 70)
    in_use, reserved = map(_levels, (trace, trace), before, (IN_USE, RESERVED))
    return _drawn(title, trace, in_use, reserved, allowed)


@contextmanager
def _numbered_batches(device: torch.device) -> Iterator[None]:
    """Write the number of the batch into each event: of the call of the outermost module."""
    numbers, outermost = count(1), list[torch.nn.Module]()

    def begin(module: torch.nn.Module, _: object) -> None:
        outermost[:] = outermost or [module]
        if module is outermost[0]:
            with torch.cuda.device(device):
                torch.cuda.memory._set_memory_metadata(str(next(numbers)))

    hook = register_module_forward_pre_hook(begin)
    try:
        yield
    finally:
        hook.remove()
        with torch.cuda.device(device):
            torch.cuda.memory._set_memory_metadata("")


def _levels(trace: Sequence[Event], before: int, signs: Mapping[str, int]) -> list[int]:
    """The bytes before the trace, and after each event. signs: 1 if it adds, -1 if it frees."""
    changes = (signs.get(event["action"], 0) * event["size"] for event in trace)
    return list(accumulate(changes, initial=before))


def _drawn(
    title: str, trace: Sequence[Event], in_use: Sequence[int], reserved: Sequence[int], allowed: int
) -> Picture:
    failed = _failed(trace)
    refused = trace[failed]["size"] if failed >= 0 else 0
    page = Picture(3.5, title, "counted")
    axes = page.chart(0.75, 0.6, WIDTH - 1.05, 2.0)
    for levels, (fill, hatch) in ((reserved, FREE), (in_use, USED)):
        heights = [level / MiB for level in levels]
        axes.stairs(heights, fill=True, facecolor=fill, hatch=hatch, edgecolor=INK, linewidth=0.8)
    end, top = len(in_use), 1.22 * max(allowed, reserved[failed] + refused) / MiB
    if refused:
        (bar,) = axes.bar(
            failed + 1, refused / MiB, 0.03 * end, reserved[failed] / MiB, align="edge"
        )
        bar.set(facecolor=REFUSED[0], hatch=REFUSED[1], edgecolor=INK)
    axes.axhline(allowed / MiB, color=INK, linewidth=2)
    axes.text(
        0.01 * end, 1.03 * allowed / MiB, f"limit: {size_of(allowed)}", size=SMALL, weight="bold"
    )
    batches = [event.get("user_metadata", "") for event in trace]
    begun = {number: batches.index(number) for number in dict.fromkeys(batches) if number}
    if begun:
        axes.set_xticks(list(begun.values()), list(begun))
    tail = failed + 1 if refused else _after(list(begun.values()))
    if 0 < tail < 0.95 * len(trace):
        axes.axvline(tail, color=INK, linewidth=1, linestyle="--")
        when = "after the error" if refused else "after the loop"
        axes.text(tail + 0.01 * end, 0.9 * top, when, size=SMALL)
    axes.set(xlim=(0, 1.03 * end), ylim=(0, top))
    axes.set_ylabel("MiB", fontsize=SMALL)
    what = "batch" if begun else "events of the memory history, in their order"
    axes.set_xlabel(what, fontsize=SMALL)
    free = size_of(reserved[-1] - in_use[-1])
    names = [f"in use: up to {size_of(max(in_use))}", f"free at the end: {free}"]
    names += [f"failed request: {size_of(refused)}"] * bool(refused)
    page.legend(0.45, 3.3, dict(zip(names, (USED, FREE, REFUSED), strict=False)))
    page.tell(f"{title}. {', '.join(names)}. Limit: {size_of(allowed)}.")
    moments = {f"batch {number}": in_use[place] for number, place in begun.items()}
    moments["the end"] = in_use[-1]
    page.tell(f"In use at {listed(f'{when}: {size_of(n)}' for when, n in moments.items())}.")
    page.tell(f"Reserved at the end: {size_of(reserved[-1])}.")
    return page


def _failed(trace: Sequence[Event]) -> int:
    """The last event for which memory ran out; -1 if it never did."""
    return max((n for n, event in enumerate(trace) if event["action"] == "oom"), default=-1)


def _after(begun: Sequence[int]) -> int:
    """The event after the last batch, if it has as many as the one before; 0 without batches."""
    return 2 * begun[-1] - begun[-2] if len(begun) > 1 else 0
