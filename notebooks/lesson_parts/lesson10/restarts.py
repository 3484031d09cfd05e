"""`restart_chart`: a run that was never stopped, a run that was killed, and its restart."""

from course_utils.figures.picture import BAR_STYLES, INK, MONO, NOTE, PAPER, SMALL, WIDTH, Picture
from course_utils.words import counted, listed

LEFT, RIGHT, TALL = 2.0, WIDTH - 0.3, 0.44
ROWS = (0.75, 1.5, 2.85)  # tops: never stopped, killed, restarted
FILE = 2.2
DONE, AGAIN = BAR_STYLES[0][0], "#f7dfb5"


def restart_chart(*, saved: int, kept: int, epochs: int, equal: bool) -> Picture:
    """A picture of a run that is killed after `saved` finished epochs, and of its restart.

    kept: the finished epochs that the restart found. epochs: those of a whole run. equal: whether
    the weights are those of the run without a stop.
    """
    page = Picture(3.75, "A run that was killed, and its restart")
    wide = (RIGHT - LEFT) / epochs
    for top, what, note in zip(
        ROWS, ("never stopped", "killed", "restart"), ("", f"in epoch {saved + 1}", ""), strict=True
    ):
        page.write(0.25, top + (0.14 if note else TALL / 2), what, weight="bold")
        page.write(0.25, top + 0.34, note, **NOTE)

    def boxes(top: float, numbers: range, fill: str) -> None:
        for number in numbers:
            left = LEFT + wide * (number - 1)
            page.box(left + 0.03, top, wide - 0.06, TALL, f"epoch {number}", fill=fill, edge=INK)

    boxes(ROWS[0], range(1, epochs + 1), DONE)
    boxes(ROWS[1], range(1, saved + 1), DONE)
    if kept:
        boxes(ROWS[2], range(kept + 1, epochs + 1), AGAIN)
    edge = LEFT + wide * saved
    lost = (edge + 0.03, ROWS[1], wide / 2, TALL)
    page.box(*lost, "lost", edge=INK, line="--", hatch="////", behind=PAPER)
    page.write(edge + wide / 2 + 0.1, ROWS[1] + TALL / 2, "✗ SIGKILL", weight="bold", size=SMALL)
    middle, half = edge - wide / 2, wide / 2 - 0.03
    page.arrow((middle, ROWS[1] + TALL), (middle, FILE - 0.15))
    page.box(middle - half, FILE - 0.15, 2 * half, 0.3, "checkpoint", family=MONO, size=SMALL)
    if kept:
        end, bend = LEFT + wide * (kept + 0.5), "angle,angleA=0,angleB=90"
        page.arrow((middle + half, FILE), (end, ROWS[2]), connectionstyle=bend)
        page.write(end + 0.12, FILE + 0.3, "load", family=MONO, size=SMALL)
        outcome = "the same weights as never stopped, to the last bit"
        if not equal:
            outcome = "other weights than never stopped"
    else:
        outcome = f"not restarted: {counted(saved, 'finished epoch')} and a part are lost"
    level = ROWS[2] + (TALL + 0.22 if kept else TALL / 2)
    page.write(RIGHT if kept else LEFT, level, outcome, "right" if kept else "left", size=SMALL)
    again = [f"epoch {number}" for number in range(kept + 1, epochs + 1)] if kept else []
    page.tell(
        f"Of {counted(epochs, 'epoch')}, the killed run finished {saved}, and lost a part of epoch "
        f"{saved + 1}. The restart: {listed([*again, outcome])}."
    )
    return page
