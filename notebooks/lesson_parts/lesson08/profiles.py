"""`profile_chart`: a chart of the operations of a profile, with their total and self time."""

from collections.abc import Iterable

from torch.autograd.profiler_util import FunctionEventAvg

from course_utils.figures.picture import MONO, PANEL, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import shortened

OWN: BarStyle = ("#4d7ea8", None)
TOTAL: BarStyle = (PANEL, None)
LEFT, RIGHT, ROW = 3.3, WIDTH - 1.6, 0.3


def profile_chart(entries: Iterable[FunctionEventAvg], *, title: str, rows: int = 12) -> Picture:
    """A chart of the `rows` operations with the largest total time on the CPU, largest on top."""
    chosen = sorted(entries, key=lambda entry: -entry.cpu_time_total)[:rows]
    page = Picture(1.15 + ROW * len(chosen) + 0.2, title, "measured")
    page.legend(0.4, 0.75, {"self time": OWN, "time in the operations that it calls": TOTAL})
    scale = (RIGHT - LEFT) / max([entry.cpu_time_total for entry in chosen] + [1])
    described = []
    for number, entry in enumerate(chosen):
        total, own = entry.cpu_time_total, entry.self_cpu_time_total
        middle = 1.1 + ROW * (number + 0.5)
        name = (entry.key or "").replace("autograd::engine::evaluate_function", "autograd")
        name = shortened(name, 38)
        page.write(LEFT - 0.12, middle, name, align="right", size=8, family=MONO)
        page.bar(LEFT, middle - 0.1, total * scale, 0.2, TOTAL)
        page.bar(LEFT, middle - 0.1, own * scale, 0.2, OWN)
        page.write(LEFT + total * scale + 0.1, middle, f"self {_ms(own)}", size=SMALL)
        described.append(f"{name}: total {_ms(total)}, self {_ms(own)}")
    page.tell(f"Bars, measured on the CPU, {title!r}. {'; '.join(described)}.")
    return page


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1e3:.1f} ms"
