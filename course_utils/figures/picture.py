"""`Picture`: a matplotlib figure together with the words that say the same."""

import base64
import io
from collections.abc import Iterable
from html import escape
from typing import Any, TypedDict

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

INK = "#1b1f24"
QUIET = "#57606a"
PAPER = "#fbfaf7"
PANEL = "#ffffff"
LINE = "#8c959f"
FONT = "DejaVu Sans"
MONO = "DejaVu Sans Mono"
TEXT = 10.5
SMALL = 9.5
TITLE = 12.0
WIDTH = 8.4
"""Inches: about 800 pixels on a screen."""

Point = tuple[float, float]
"""Inches from the left and from the top of a page."""

Dashes = str | tuple[int, tuple[int, int]]
"""How a line is drawn, as matplotlib has it: a name, or where to begin, dash and gap."""


class Look(TypedDict, total=False):
    """How a `box` looks, where it is no plain one."""

    fill: str
    edge: str
    line: Dashes


class Picture:
    """A drawing and its text twin.

    A notebook shows the drawing, with `alt` as its alternative text. A terminal, and every reader
    that does not show pictures, gets `alt` itself.
    """

    def __init__(self, figure: Figure, alt: str) -> None:
        self.figure = figure
        self.alt = alt

    def svg(self) -> str:
        """The drawing as SVG, with every letter an outline: it looks the same everywhere."""
        out = io.StringIO()
        with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "course"}):
            self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        return out.getvalue()

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as PNG, `scale` times as fine as a plain screen."""
        out = io.BytesIO()
        self.figure.savefig(out, format="png", dpi=96 * scale, metadata={"Software": None})
        return out.getvalue()

    def html(self) -> str:
        """One `<img>` that needs no other file and survives JupyterLab's sanitizer."""
        data = base64.b64encode(self.svg().encode()).decode()
        width = round(self.figure.get_figwidth() * 96)
        return (
            f'<img alt="{escape(self.alt)}" width="{width}" '
            f'style="max-width: 100%; height: auto" src="data:image/svg+xml;base64,{data}">'
        )

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return self.html()


def sheet(height: float, title: str) -> tuple[Figure, Axes]:
    """An opaque page, `WIDTH` by `height` inches, measured in inches from the top left corner."""
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER, edgecolor=LINE, linewidth=1)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(height, 0)
    write(axes, 0.25, 0.3, title, size=TITLE, weight="bold")
    return figure, axes


def write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    *,
    size: float = TEXT,
    color: str = INK,
    align: str = "left",
    weight: str = "normal",
    family: str = FONT,
    style: str = "normal",
    behind: str | None = None,
) -> None:
    """One line of text, centred on `y`. A dollar sign stays a dollar sign.

    behind: a colour that covers what the text stands on.
    """
    axes.text(
        x,
        y,
        text,
        fontsize=size,
        color=color,
        ha=align,
        va="center",
        fontweight=weight,
        fontfamily=family,
        fontstyle=style,
        parse_math=False,
        bbox={"facecolor": behind, "edgecolor": "none", "pad": 1} if behind else None,
    )


def box(
    axes: Axes,
    left: float,
    top: float,
    width: float,
    height: float,
    *,
    fill: str = PANEL,
    edge: str = LINE,
    line: Dashes = "-",
    thickness: float = 1.2,
    round_: float = 0.06,
    hatch: str | None = None,
) -> None:
    """A box with rounded corners."""
    patch = FancyBboxPatch(
        (left, top),
        width,
        height,
        boxstyle=f"round,pad=0,rounding_size={round_}" if round_ else "square,pad=0",
        facecolor=fill,
        edgecolor=edge,
        linestyle=line,
        linewidth=thickness,
        hatch=hatch,
    )
    axes.add_patch(patch)


def arrow(
    axes: Axes, begin: Point, end: Point, *, color: str = INK, width: float = 1.4, **more: Any
) -> None:
    """An arrow between two points. `more` is for matplotlib, such as `shrinkA` in points."""
    style = {"arrowstyle": "-|>", "color": color, "linewidth": width, **more}
    axes.annotate("", xy=end, xytext=begin, arrowprops=style)


def stamp(axes: Axes, text: str) -> None:
    """Say in the upper right corner where the numbers come from: "modelled" or "measured"."""
    box(axes, WIDTH - 1.35, 0.14, 1.15, 0.3, edge=INK, line="--")
    write(axes, WIDTH - 0.775, 0.295, text, align="center", style="italic", size=SMALL)


def shortened(text: str, limit: int) -> str:
    """`text`, or its beginning and an ellipsis where it is longer than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 name`, `2 names`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def size_of(count: int) -> str:
    """A number of bytes for people: `24 bytes`, `1.5 KiB`, `64 MiB`."""
    if count < 1024:
        return counted(count, "byte")
    amount, unit = count / 1024, "KiB"
    for larger in ("MiB", "GiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.3g} {unit}"
