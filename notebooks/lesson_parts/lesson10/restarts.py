"""`restart_chart`: a run that was never stopped, a run that was killed, and its restart."""

from course_utils.figures.picture import BAR_STYLES, INK, MONO, NOTE, PAPER, SMALL, WIDTH, Picture
from course_utils.words import counted, listed

LEFT, RIGHT, END, TALL = 1.7, 6.7, WIDTH - 0.25, 0.44
ROWS, FILE, SMALL_BOX = (0.75, 1.6, 3.05), 2.32, 0.3  # tops
DONE, AGAIN = BAR_STYLES[0][0], BAR_STYLES[1][0]


def restart_chart(*, saved: int, kept: int, epochs: int, equal: bool, on: str = "") -> Picture:
    """A picture of a run that is killed after `saved` finished epochs, and of its restart.

    kept: the finished epochs that the restart found. epochs: those of a whole run. equal: whether
    the weights are those of the run without a stop. on: the device of the restart.
    """
    title = "A kill costs the work since the last checkpoint, and no more"
    page = Picture(3.9, title if equal else f"The kill costs {counted(saved, 'finished epoch')}")
    wide = (RIGHT - LEFT) / epochs
    for top, what, note in zip(
        ROWS,
        ("never stopped", "killed", "restart"),
        ("", f"in epoch {saved + 1}", on and f"on {on}"),
        strict=True,
    ):
        page.write(0.25, top + (0.14 if note else TALL / 2), what, weight="bold")
        page.write(0.25, top + 0.34, note, **NOTE)

    def boxes(top: float, numbers: range, fill: str) -> None:
        for number in numbers:
            left = LEFT + wide * (number - 1)
            page.box(left + 0.03, top, wide - 0.06, TALL, f"epoch {number}", fill=fill, edge=INK)
        if epochs in numbers:
            page.arrow((RIGHT, top + TALL / 2), (RIGHT + 0.25, top + TALL / 2))
            page.box(RIGHT + 0.28, top, END - RIGHT - 0.28, TALL, "weights", fill=fill, edge=INK)

    boxes(ROWS[0], range(1, epochs + 1), DONE)
    boxes(ROWS[1], range(1, saved + 1), DONE)
    boxes(ROWS[2], range(kept + 1, epochs + 1) if kept else range(0), AGAIN)
    edge = LEFT + wide * saved
    lost = (edge + 0.03, ROWS[1], wide / 2, TALL)
    page.box(*lost, "lost", edge=INK, line="--", hatch="////", behind=PAPER)
    page.write(edge + wide / 2 + 0.1, ROWS[1] + TALL / 2, "✗ SIGKILL", weight="bold", size=SMALL)
    page.write(0.25, FILE + 0.15, "checkpoint", family=MONO, size=SMALL)
    for number in range(1, saved + 1):  # each replaces the one before
        left, middle = LEFT + wide * (number - 1), LEFT + wide * (number - 0.5)
        page.arrow((middle, ROWS[1] + TALL), (middle, FILE))
        text, line = ("replaced", ":") if number < saved else ("the last one", "-")
        page.box(left + 0.15, FILE, wide - 0.3, SMALL_BOX, text, edge=INK, line=line, size=SMALL)
    outcome = f"not restarted: {counted(saved, 'finished epoch')} and a part are lost"
    if kept:
        end, bend = LEFT + wide * (kept + 0.5), "angle,angleA=0,angleB=90"
        page.arrow((edge - 0.15, FILE + 0.15), (end, ROWS[2]), connectionstyle=bend)
        page.write(end + 0.12, FILE + 0.45, "load", family=MONO, size=SMALL)
        outcome = "other weights than never stopped"
        if equal:
            outcome = "the same weights as never stopped, to the last bit"
        middle = (RIGHT + 0.28 + END) / 2
        page.line((middle, ROWS[0] + TALL), (middle, ROWS[2]), color=INK, linewidth=1.4)
        for level, text in ((1.95, "=" if equal else "≠"), (2.2, "to the last bit" * equal)):
            page.write(middle, level, text, "center", size=SMALL, weight="bold", behind=PAPER)
    else:
        page.write(LEFT, ROWS[2] + TALL / 2, outcome, size=SMALL)
    again = [f"epoch {number}" for number in range(kept + 1, epochs + 1)] if kept else []
    page.tell(
        f"Of {counted(epochs, 'epoch')}, the killed run finished {saved}, and lost a part of epoch "
        f"{saved + 1}. The restart: {listed([*again, outcome])}."
    )
    return page
