"""`moved_run`: a run that never stopped, and one that was killed and went on elsewhere."""

from matplotlib.axes import Axes

from course_utils.experiments.project import Epoch, Run
from course_utils.figures.picture import (
    INK,
    MONO,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    arrow,
    box,
    counted,
    sheet,
    stamp,
    write,
)

KEPT, LOST = "#d6e6f4", "#fbfaf7"
LEFT, RIGHT, TALL, GAP = 2.35, WIDTH - 0.25, 0.62, 0.12
ROWS = (0.85, 1.75, 3.3)  # tops: the whole run, the killed one, the one that goes on
FILE_Y = 2.83


def moved_run(
    whole: Run, killed: Run, resumed: Run, *, title: str = "One run, killed and moved"
) -> Picture:
    """Draw three rows of epochs, and the checkpoint that the second row hands to the third."""
    epochs, done = len(whole.log), len(killed.log)
    figure, axes = sheet(ROWS[-1] + TALL + 0.3, title)
    stamp(axes, "measured")
    pitch = (RIGHT - LEFT) / epochs
    rows = (
        ("never stopped", whole, whole.log),
        ("killed", killed, killed.log),
        ("resumed", resumed, resumed.log[done:]),
    )
    for top, (what, run, log) in zip(ROWS, rows, strict=True):
        write(axes, 0.25, top + 0.2, what, weight="bold")
        write(axes, 0.25, top + 0.42, _where(run), size=SMALL, color=QUIET)
        for epoch in log:
            _draw_epoch(axes, epoch, LEFT + pitch * (epoch.epoch - 1), top, pitch - GAP)
    if done == epochs:
        write(axes, LEFT, ROWS[2] + TALL / 2, "nothing left to train", size=SMALL, color=QUIET)
    else:
        _draw_kill(axes, LEFT + pitch * done, pitch - GAP, done)
    _draw_file(axes, LEFT + pitch * (done - 0.5) - GAP / 2, done, pitch if done < epochs else None)
    return Picture(figure, _describe(whole, killed, resumed, title))


def _where(run: Run) -> str:
    """What a run's name says last: `with 1 virtual GPU`, `without a GPU`."""
    place = max(run.name.rfind(" with "), run.name.rfind(" without "))
    return run.name[place + 1 :]


def _draw_epoch(axes: Axes, epoch: Epoch, left: float, top: float, width: float) -> None:
    box(axes, left, top, width, TALL, fill=KEPT, edge=INK)
    middle = left + width / 2
    write(
        axes, middle, top + 0.18, f"epoch {epoch.epoch}", align="center", weight="bold", size=SMALL
    )
    write(
        axes,
        middle,
        top + 0.42,
        f"loss {epoch.loss:.3f}, {epoch.accuracy:.1%} right",
        align="center",
        size=8.5,
    )


def _draw_kill(axes: Axes, left: float, width: float, done: int) -> None:
    """The epoch that had begun, and is lost."""
    top = ROWS[1]
    box(axes, left, top, width, TALL, fill=LOST, edge=INK, line="--", hatch="//")
    box(axes, left + 0.12, top + 0.16, width - 0.24, 0.3, fill=LOST, edge=LOST)
    write(
        axes,
        left + width / 2,
        top + 0.31,
        f"✗ killed: epoch {done + 1} is lost",
        align="center",
        size=8.5,
    )


def _draw_file(axes: Axes, middle: float, done: int, onward: float | None) -> None:
    """The checkpoint below the last epoch that was finished, and its way to the next one."""
    text = f"checkpoint.pt: epoch {done}"
    half = 0.95
    middle = max(middle, LEFT + half)
    arrow(axes, (middle, ROWS[1] + TALL), (middle, FILE_Y - 0.15))
    box(axes, middle - half, FILE_Y - 0.15, 2 * half, 0.3, edge=INK, thickness=1.6)
    write(axes, middle, FILE_Y, text, align="center", family=MONO, size=8.5)
    if onward is not None:
        arrow(
            axes,
            (middle + half, FILE_Y),
            (middle + onward, ROWS[2]),
            connectionstyle="angle,angleA=0,angleB=90",
        )


def _describe(whole: Run, killed: Run, resumed: Run, title: str) -> str:
    """The picture in words, out of the same data."""

    def told(log: list[Epoch]) -> str:
        return "; ".join(f"epoch {e.epoch}: loss {e.loss:.3f}, {e.accuracy:.1%} right" for e in log)

    done = len(killed.log)
    rest = told(resumed.log[done:]) or "nothing is left to do"
    return (
        f"{title}. Never stopped, {_where(whole)}: {told(whole.log)}. "
        f"Killed after {counted(done, 'epoch')}, {_where(killed)}: {told(killed.log)}. "
        f"The checkpoint of epoch {done} goes on {_where(resumed)}: {rest}."
    )
