"""`memory_chart`: a chart of what fills a GPU's memory at the peak of a training step."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, PAPER, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import listed, size_of

KINDS: Mapping[str, BarStyle] = {
    "parameters, gradients and states": ("#4d7ea8", None),
    "activations and the rest": (PAPER, "..."),
}
LEFT, RIGHT, ROW = 1.4, WIDTH - 1.3, 0.46


def memory_chart(steps: Mapping[str, tuple[int, int]], *, limit: int) -> Picture:
    """A chart with a row for each of `steps`: its bytes of each of `KINDS`, and their sum.

    The legend says the largest size of each kind, since a bar can be too thin to be seen.

    limit: the bytes that the process may use, drawn as a line.
    """
    bottom = 1.2 + ROW * len(steps)
    share = min(rest / max(1, kept + rest) for kept, rest in steps.values())
    title = f"At least {int(100 * share)} % of the peak are activations and the rest"
    page = Picture(bottom + 0.35, title, "counted")
    scale = (RIGHT - LEFT) / max(limit, *map(sum, steps.values()))
    most = zip(KINDS.items(), zip(*steps.values(), strict=True), strict=True)
    page.legend(0.4, 0.82, {f"{k}: up to {size_of(max(s))}": style for (k, style), s in most})
    for number, (name, parts) in enumerate(steps.items()):
        middle = 1.2 + ROW * (number + 0.5)
        page.write(LEFT - 0.15, middle, name, align="right", size=SMALL)
        widths = [(size * scale, style) for size, style in zip(parts, KINDS.values(), strict=True)]
        x = page.bars(LEFT, middle - 0.14, 0.28, widths) + 0.1
        page.write(x, middle, size_of(sum(parts)), size=SMALL, weight="bold")
        said = listed(f"{what} {size_of(size)}" for what, size in zip(KINDS, parts, strict=True))
        page.tell(f"{name}: {size_of(sum(parts))}, of which {said}.")
    x = LEFT + limit * scale
    page.line((x, 1.15), (x, bottom), color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
    page.write(x, bottom + 0.12, f"limit: {size_of(limit)}", align="center", size=SMALL)
    page.tell(f"Allowed: {size_of(limit)}.")
    return page
