"""`moved_run`: a drawing of an uninterrupted run, and one that was killed and resumed elsewhere."""

from collections.abc import Mapping

from course_utils.figures.picture import INK, MONO, NOTE, PAPER, SMALL, WIDTH, Picture
from course_utils.words import counted
from lesson_parts.project import TrainingRun

LEFT, RIGHT, TALL, GAP = 2.35, WIDTH - 0.25, 0.62, 0.12
ROWS = (0.85, 1.75, 3.3)  # tops: the whole run, the killed one, the one that goes on
FILE_Y = 2.83


def moved_run(
    whole: TrainingRun,
    killed: TrainingRun,
    resumed: TrainingRun,
    *,
    title: str = "One run, killed and moved",
) -> Picture:
    """A picture with three rows of epochs, and the checkpoint from the second row to the third."""
    epochs, done = len(whole.log), len(killed.log)
    page = Picture(ROWS[-1] + TALL + 0.3, title, "measured")
    pitch = (RIGHT - LEFT) / epochs
    width = pitch - GAP
    rows = (
        ("never stopped", whole, 0),
        ("killed", killed, 0),
        ("resumed", resumed, done),
    )
    described = []
    for top, (what, run, before) in zip(ROWS, rows, strict=True):
        page.write(0.25, top + 0.2, what, weight="bold")
        page.write(0.25, top + 0.42, f"on {run.where}", **NOTE)
        epochs_run = [*enumerate(run.log, 1)][before:]
        for number, epoch in epochs_run:
            left, name = LEFT + pitch * (number - 1), f"epoch {number}"
            page.box(left, top, width, TALL, fill="#d6e6f4", edge=INK)
            middle = left + width / 2
            page.write(middle, top + 0.18, name, align="center", weight="bold", size=SMALL)
            page.write(middle, top + 0.42, _result(epoch), align="center", size=8.5)
        described.append(
            "; ".join(f"epoch {number}: {_result(epoch)}" for number, epoch in epochs_run)
        )
    if done == epochs:
        page.write(LEFT, ROWS[2] + TALL / 2, "nothing left to train", **NOTE)
    else:  # the epoch that had begun, and is lost
        cell = (LEFT + pitch * done, ROWS[1], width, TALL)
        text = f"✗ killed: epoch {done + 1} is lost"
        page.box(*cell, text, fill=PAPER, edge=INK, line="--", hatch="//", size=8.5, behind=PAPER)
    _draw_file(page, LEFT + pitch * (done - 0.5) - GAP / 2, done, pitch if done < epochs else None)
    page.tell(
        f"{title}. Never stopped, on {whole.where}: {described[0]}. "
        f"Killed after {counted(done, 'epoch')}, on {killed.where}: {described[1]}. "
        f"The checkpoint of epoch {done} is taken up on {resumed.where}: "
        f"{described[2] or 'nothing is left to do'}."
    )
    return page


def _result(epoch: Mapping[str, float]) -> str:
    return f"loss {epoch['loss']:.3f}, {epoch['accuracy']:.1%} right"


def _draw_file(page: Picture, middle: float, done: int, onward: float | None) -> None:
    """Draw the checkpoint below the last finished epoch, and its arrow to the next one."""
    half, text = 0.95, f"checkpoint.pt: epoch {done}"
    middle = max(middle, LEFT + half)
    page.arrow((middle, ROWS[1] + TALL), (middle, FILE_Y - 0.15))
    cell = (middle - half, FILE_Y - 0.15, 2 * half, 0.3)
    page.box(*cell, text, edge=INK, thickness=1.6, family=MONO, size=8.5)
    if onward is not None:
        bend = "angle,angleA=0,angleB=90"
        page.arrow((middle + half, FILE_Y), (middle + onward, ROWS[2]), connectionstyle=bend)
