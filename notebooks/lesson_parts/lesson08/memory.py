"""`memory_chart`: a chart of what fills a GPU's memory at the peak of a training step."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, PANEL, PAPER, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import listed, size_of

KINDS: Mapping[str, BarStyle] = {
    "parameters, gradients, states": ("#4d7ea8", None),
    "activations and the rest": (PAPER, "..."),
    "reserved, but no tensor": (PANEL, "////"),
}
LEFT, RIGHT, ROW = 1.2, WIDTH - 0.75, 0.7


def memory_chart(steps: Mapping[str, tuple[int, int, int]], *, limit: int) -> Picture:
    """A chart with a row for each of `steps`: its bytes of each of `KINDS`.

    limit: the bytes that the process may reserve, drawn as a line.
    """
    bottom = 1.2 + ROW * len(steps)
    last, most = list(steps.items())[-1]
    title = f"{last}: {size_of(sum(most))} reserved, {size_of(limit)} allowed"
    page = Picture(bottom + 0.35, title, "counted")
    scale = (RIGHT - LEFT) / max(limit, *map(sum, steps.values()))
    page.legend(0.4, 0.82, KINDS)
    for number, (name, parts) in enumerate(steps.items()):
        middle = 1.2 + ROW * (number + 0.5)
        page.write(LEFT - 0.15, middle, name, align="right", size=SMALL)
        widths = [(size * scale, style) for size, style in zip(parts, KINDS.values(), strict=True)]
        page.bars(LEFT, middle - 0.14, 0.28, widths)
        sizes = f"{size_of(sum(parts[:2]))} in tensors, {size_of(sum(parts))} reserved"
        page.write(LEFT, middle + 0.26, sizes, size=SMALL)
        said = listed(f"{what} {size_of(size)}" for what, size in zip(KINDS, parts, strict=True))
        page.tell(f"{name}: {size_of(sum(parts))}, of which {said}.")
    x = LEFT + limit * scale
    page.line((x, 1.15), (x, bottom), color=INK, linewidth=2)
    page.write(x, bottom + 0.12, f"limit: {size_of(limit)}", align="center", size=SMALL)
    page.tell(f"Allowed: {size_of(limit)}.")
    return page
