"""`Picture`: a drawing with the same content as text."""

import base64
import io
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, TypedDict, Unpack

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import MaxNLocator

INK = "#1b1f24"
QUIET = "#57606a"
PAPER = "#fbfaf7"
PANEL = "#ffffff"
LINE = "#8c959f"
BLUE = "#9ec5e8"
ORANGE = "#f2c27b"
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
"""A line style of matplotlib: a name, or an offset with the lengths of dash and gap."""

BarStyle = tuple[str, str | None]
"""The fill and the hatch of a bar."""

BAR_STYLES: tuple[BarStyle, ...] = (
    (BLUE, None),
    (ORANGE, "\\\\\\"),
    ("#b9d7a8", "xx"),
    ("#e3b5c8", "||"),
    ("#ece6d6", "///"),
    ("#c9d3dc", "--"),
    ("#d9c8e8", "++"),
    (PANEL, "..."),
)


class TextStyle(TypedDict, total=False):
    """The style of a line of text; plain where it is not set.

    behind: a colour that covers the background of the text.
    """

    size: float
    color: str
    weight: str
    family: str
    style: str
    behind: str


class BoxStyle(TypedDict, total=False):
    """The style of a box; plain where it is not set."""

    fill: str
    edge: str
    line: Dashes


NOTE: TextStyle = {"size": SMALL, "color": QUIET}
ASIDE: TextStyle = {"color": QUIET, "style": "italic"}
"""The style of a text above a column, or in the place of a missing drawing."""


class Picture:
    """A drawing and its text, made of the same data.

    It is an opaque page, `WIDTH` by `height` inches, measured in inches from the top left corner.
    A notebook shows the drawing, with `alt` as its alternative text. A terminal, and every reader
    that does not show pictures, shows `alt` itself.

    source: where the numbers come from, such as "modelled" or "measured"; it is written in the
        upper right corner.
    """

    def __init__(self, height: float, title: str, source: str = "") -> None:
        self.figure = Figure((WIDTH, height), facecolor=PAPER, edgecolor=LINE, linewidth=1)
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
        self.axes.set_axis_off()
        self._sentences: list[str] = []
        self.write(0.25, 0.3, title, size=TITLE, weight="bold")
        if source:
            place = (WIDTH - 1.35, 0.14, 1.15, 0.3)
            self.box(*place, source, edge=INK, line="--", size=SMALL, style="italic")

    def tell(self, sentence: str) -> None:
        """Add a sentence to the alternative text."""
        self._sentences.append(sentence)

    @property
    def alt(self) -> str:
        """The alternative text: the picture in words."""
        return " ".join(self._sentences)

    def svg(self) -> str:
        """The drawing as SVG. Letters are outlines, so it looks the same everywhere."""
        out = io.StringIO()
        with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": "course"}):
            self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        return out.getvalue()

    def png(self, scale: float = 2.0) -> bytes:
        """The drawing as PNG, with `scale` times 96 dots per inch."""
        out = io.BytesIO()
        self.figure.savefig(out, format="png", dpi=96 * scale, metadata={"Software": None})
        return out.getvalue()

    def html(self) -> str:
        """One `<img>` that needs no other file and passes JupyterLab's sanitizer."""
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

    def write(
        self, x: float, y: float, text: str, align: str = "left", **style: Unpack[TextStyle]
    ) -> None:
        """Write a line of text, centred on `y`. A dollar sign is a plain character.

        align: the part of the line at `x`: "left", "center" or "right".
        """
        behind = style.get("behind")
        self.axes.text(
            x,
            y,
            text,
            fontsize=style.get("size", TEXT),
            color=style.get("color", INK),
            ha=align,
            va="center",
            fontweight=style.get("weight", "normal"),
            fontfamily=style.get("family", FONT),
            fontstyle=style.get("style", "normal"),
            parse_math=False,
            bbox={"facecolor": behind, "edgecolor": "none", "pad": 3} if behind else None,
        )

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        text: str = "",
        *,
        fill: str = PANEL,
        edge: str = LINE,
        line: Dashes = "-",
        thickness: float = 1.2,
        round_: float = 0.06,
        hatch: str | None = None,
        **style: Unpack[TextStyle],
    ) -> None:
        """Draw a box with rounded corners and `text` in the middle."""
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
        self.axes.add_patch(patch)
        if text:
            self.write(left + width / 2, top + height / 2, text, "center", **style)

    def bar(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        style: BarStyle = (PANEL, None),
        **more: Any,
    ) -> None:
        """Draw a rectangle with an edge. `more` is for matplotlib, as `linewidth` in points."""
        fill, hatch = style
        settings = {"facecolor": fill, "hatch": hatch, "edgecolor": INK, "linewidth": 0.8, **more}
        self.axes.add_patch(Rectangle((left, top), width, height, **settings))

    def bars(
        self, left: float, top: float, height: float, widths: Iterable[tuple[float, BarStyle]]
    ) -> float:
        """Draw bars one after the other, without the empty ones. Returns their right end."""
        for width, style in widths:
            if width:
                self.bar(left, top, width, height, style)
            left += width
        return left

    def arrow(self, begin: Point, end: Point, **more: Any) -> None:
        """Draw an arrow between two points. `more` is for matplotlib, as `connectionstyle`."""
        style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
        self.axes.annotate("", xy=end, xytext=begin, arrowprops={**style, **more})

    def line(self, begin: Point, end: Point, **more: Any) -> None:
        """Draw a line between two points. `more` is for matplotlib, as `linestyle`."""
        (x, y), (to_x, to_y) = begin, end
        self.axes.plot([x, to_x], [y, to_y], **{"color": LINE, "linewidth": 0.8, **more})

    def legend(self, left: float, middle: float, styles: Mapping[str, BarStyle]) -> None:
        """Draw a row of bars, each with its meaning to the right."""
        for what, style in styles.items():
            self.bar(left, middle - 0.09, 0.3, 0.18, style)
            self.write(left + 0.38, middle, what, size=SMALL)
            left += 0.65 + 0.085 * len(what)

    def clock(
        self, left: float, right: float, top: float, bottom: float, last: float, unit: str
    ) -> None:
        """Draw ticks of a clock from 0 to `last` below a drawing, with a thin line through each."""
        for tick in MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]).tick_values(0, last):
            if 0 <= tick <= last * (1 + 1e-9):
                x = left + (right - left) * tick / last
                self.line((x, top), (x, bottom), linewidth=0.4, zorder=0)
                self.write(x, bottom + 0.13, f"{tick:g}", align="center", **NOTE)
        self.write(right, bottom + 0.32, f"time in {unit}", align="right", **NOTE)

    def chart(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes for curves: a grid and the two axes, without a frame."""
        tall = self.figure.get_figheight()
        bounds = (left / WIDTH, 1 - (top + height) / tall, width / WIDTH, height / tall)
        axes = self.figure.add_axes(bounds, facecolor=PANEL)
        axes.tick_params(labelsize=SMALL, colors=INK, labelfontfamily=FONT)
        axes.grid(color=LINE, alpha=0.35, linewidth=0.7)
        axes.spines[["top", "right"]].set_visible(False)
        return axes


def bar_styles_of(kinds: Iterable[str]) -> dict[str, BarStyle]:
    """A bar style for each kind, in their order. Up to eight of them differ in grey, too."""
    return {
        kind: BAR_STYLES[place % len(BAR_STYLES)] for place, kind in enumerate(dict.fromkeys(kinds))
    }
