"""Drawing a trace as a timeline: a row for the host, and one for each engine of each card.

Kernels of different streams differ by hatching, not by colour alone, so that the figure can be read
in greyscale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .timing.clock import COMPUTE
from .timing.interval import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ENGINES = ("H2D", "D2H", "P2P", COMPUTE)
_LABELS = {
    "H2D": "copies in",
    "D2H": "copies out",
    "P2P": "copies to other cards",
    COMPUTE: "kernels",
}
_FACES = {"H2D": "0.85", "D2H": "0.7", "P2P": "0.55", COMPUTE: "white", "host": "0.4"}
_HATCHES = ("", "//", "xx", "..", "\\\\", "oo", "++", "--")
_NAMED_SHARE = 0.06  # of the whole width: narrower bars get no name
_ROW_HEIGHT, _FRAME_HEIGHT, _WIDTH = 0.5, 1.3, 9.0  # inches


def draw(host: Sequence[Interval], intervals: Sequence[Interval], end: float) -> Figure:
    """The figure of a trace that ends at ``end`` µs. The caller shows or saves it."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows: dict[str, Sequence[Interval]] = {"host (works or waits)": host}
    for device in sorted({work.device for work in intervals if work.device is not None}):
        for engine in _ENGINES:
            if found := [w for w in intervals if (w.device, w.engine) == (device, engine)]:
                rows[f"cuda:{device} {_LABELS[engine]}"] = found
    streams = sorted({work.stream for work in intervals if work.stream is not None})
    hatch = {stream: _HATCHES[k % len(_HATCHES)] for k, stream in enumerate(streams)}

    figure = Figure(figsize=(_WIDTH, _FRAME_HEIGHT + _ROW_HEIGHT * len(rows)), layout="constrained")
    axes = figure.subplots()
    for height, works in enumerate(rows.values()):
        for work in works:
            axes.barh(
                height,
                work.duration,
                left=work.start,
                height=0.7,
                edgecolor="black",
                linewidth=0.6,
                facecolor=_FACES[work.engine],
                hatch=hatch.get(work.stream) if work.stream is not None else None,
            )
            if work.duration > _NAMED_SHARE * end:
                axes.text(
                    (work.start + work.end) / 2,
                    height,
                    work.name,
                    ha="center",
                    va="center",
                    fontsize=7,
                    clip_on=True,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
                )
    axes.set_yticks(range(len(rows)), list(rows))
    axes.invert_yaxis()
    axes.set_xlim(0, end or 1)
    axes.set_xlabel("modelled time (µs), not measured")
    axes.set_title(f"Modelled timeline: {end:.1f} µs")
    if len(streams) > 1:
        axes.legend(
            handles=[
                Patch(
                    facecolor="white",
                    edgecolor="black",
                    hatch=hatch[s],
                    label="default stream" if s == 0 else f"stream {s}",
                )
                for s in streams
            ],
            fontsize=7,
            loc="upper left",
            bbox_to_anchor=(1, 1),
        )
    return figure
