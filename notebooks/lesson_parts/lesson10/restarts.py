"""`restart_chart`: the epochs of a run that was killed, and of its restart."""

from course_utils.figures.picture import BAR_STYLES, INK, PANEL, SMALL, WIDTH, BarStyle, Picture
from course_utils.words import counted

LEFT, RIGHT, ROW, BAR = 1.75, WIDTH - 0.4, 0.62, 0.4
DONE, LOST, AGAIN = "finished", "lost", "finished after the restart"
STYLES: dict[str, BarStyle] = {DONE: BAR_STYLES[0], LOST: (PANEL, "////"), AGAIN: BAR_STYLES[1]}


def restart_chart(*, saved: int, restored: int, epochs: int) -> Picture:
    """A picture of a run that is killed after `saved` finished epochs, and of its restart.

    restored: the finished epochs that the restart found. epochs: those of a whole run.
    """
    page = Picture(2.75, "A run that was killed, and its restart")
    page.legend(0.25, 0.75, STYLES)
    wide = (RIGHT - LEFT) / epochs
    for number in range(epochs):
        middle = LEFT + wide * (number + 0.5)
        page.write(middle, 1.12, f"epoch {number + 1}", size=SMALL, align="center")

    def span(row: int, begin: float, end: float, kind: str) -> None:
        if end > begin:
            left, width = LEFT + wide * begin, wide * (end - begin)
            page.bar(left, 1.3 + ROW * row, width, BAR, STYLES[kind], edgecolor=INK)

    for row, name in enumerate(("killed", "restarted")):
        page.write(LEFT - 0.15, 1.5 + ROW * row, name, weight="bold", align="right")
    span(0, 0, restored, DONE)
    span(0, restored, saved + 0.5, LOST)  # with the part of an epoch before the kill
    span(1, restored, epochs, AGAIN)
    lost = saved - restored
    page.tell(
        f"Of {counted(epochs, 'epoch')}, the first run finished {saved}, and was killed in the "
        f"next. The restart continued after {restored}. So {counted(lost, 'finished epoch')} and "
        f"the part of epoch {saved + 1} were lost."
    )
    return page
