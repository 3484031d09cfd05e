"""The losses of a run: in a terminal, and as a picture."""

from collections.abc import Iterator, Mapping, Sequence

from matplotlib.ticker import MaxNLocator

from course_utils.figures.picture import NOTE, SMALL, Picture

_WIDTH, _MOST = 40, 20  # characters of a bar, rows
_EIGHTHS = " ▏▎▍▌▋▊▉"

Log = Sequence[Mapping[str, float]]
"""`loss` and `accuracy` of each epoch."""


def bars(log: Log) -> Iterator[str]:
    """A line for each of at most 20 epochs, evenly spread, with its loss as a bar."""
    highest = max((entry["loss"] for entry in log), default=0.0)
    shown = min(len(log), _MOST)
    numbers = [round(place * (len(log) - 1) / max(1, shown - 1)) for place in range(shown)]
    for number in numbers:
        loss, accuracy = log[number]["loss"], log[number]["accuracy"]
        length = max(0.0, loss / highest) if 0 < highest < float("inf") else 0.0
        yield f"{number + 1:>4}  {_bar(length)}  {loss:.3f}  {accuracy:6.1%}"


def _bar(share: float) -> str:
    if share != share:  # the loss is NaN
        share = 0.0
    whole, rest = divmod(round(share * _WIDTH * 8), 8)
    return ("█" * whole + _EIGHTHS[rest]).strip().ljust(_WIDTH)


def picture(log: Log, title: str) -> Picture:
    """A picture of loss and accuracy against the epochs."""
    page = Picture(3.6, title, "measured")
    epochs = range(1, len(log) + 1)
    panels = (0.75, "loss", "loss in training"), (4.85, "accuracy", "accuracy in the test")
    for left, name, what in panels:
        axes = page.chart(left, 0.95, 3.15, 2.05)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        values = [entry[name] for entry in log]
        axes.plot(epochs, values, color="#1f5f99", marker="o", markersize=4, linewidth=1.8)
        axes.margins(y=0.12)  # space for the markers
        axes.set_ylim(bottom=0)
        page.write(left, 0.75, what, size=SMALL, weight="bold")
        page.write(left + 3.15, 3.36, "epoch", align="right", **NOTE)
        page.tell(f"{what}: from {values[0]:.2f} to {values[-1]:.2f} in {len(log)} epochs.")
    return page
