"""`profile_chart`: the operations of a profile, their total time and their own share of it."""

from collections.abc import Iterable

from torch.autograd.profiler_util import FunctionEventAvg

from course_utils.figures.picture import (
    INK,
    MONO,
    PANEL,
    SMALL,
    WIDTH,
    Picture,
    box,
    sheet,
    shortened,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, legend

OWN: Look = ("#4d7ea8", None)
LEFT, RIGHT, ROW = 3.3, WIDTH - 1.6, 0.3


def profile_chart(entries: Iterable[FunctionEventAvg], *, title: str, rows: int = 12) -> Picture:
    """Draw the `rows` operations with the largest total time on the CPU, the largest on top."""
    chosen = sorted(entries, key=lambda entry: -entry.cpu_time_total)[:rows]
    figure, axes = sheet(1.15 + ROW * len(chosen) + 0.2, title)
    stamp(axes, "measured")
    called = "time in the operations that it calls"
    legend(axes, 0.4, 0.75, {"self time": OWN, called: (PANEL, None)})
    scale = (RIGHT - LEFT) / max([entry.cpu_time_total for entry in chosen] + [1])
    for number, entry in enumerate(chosen):
        middle = 1.1 + ROW * (number + 0.5)
        write(axes, LEFT - 0.12, middle, _name(entry), align="right", size=8, family=MONO)
        for time, fill in ((entry.cpu_time_total, PANEL), (entry.self_cpu_time_total, OWN[0])):
            box(
                axes,
                LEFT,
                middle - 0.1,
                time * scale,
                0.2,
                fill=fill,
                edge=INK,
                round_=0,
                thickness=0.7,
            )
        told = f"self {_ms(entry.self_cpu_time_total)}"
        write(axes, LEFT + entry.cpu_time_total * scale + 0.1, middle, told, size=SMALL)
    return Picture(figure, _describe(chosen, title))


def _name(entry: FunctionEventAvg) -> str:
    name = entry.key or ""
    return shortened(name.replace("autograd::engine::evaluate_function", "autograd"), 38)


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1e3:.1f} ms"


def _describe(entries: Iterable[FunctionEventAvg], title: str) -> str:
    """The picture in words, out of the same data."""
    told = "; ".join(
        f"{_name(entry)}: total {_ms(entry.cpu_time_total)}, self {_ms(entry.self_cpu_time_total)}"
        for entry in entries
    )
    return f"Bars, measured on the CPU, {title!r}. {told}."
