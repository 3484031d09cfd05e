"""`decision_chart`: questions one below the other, each with the answer that ends the search."""

from collections.abc import Sequence
from typing import NamedTuple

from course_utils.figures.picture import (
    INK,
    PANEL,
    SMALL,
    WIDTH,
    Picture,
    arrow,
    box,
    sheet,
    write,
)

LEFT, QUESTION, CHOICE_LEFT = 0.3, 3.5, 4.75
ROW, BOX = 0.86, 0.56
FILL = "#9ec5e8"


class Choice(NamedTuple):
    """A question, what to choose if the answer is yes, and why, in a few words."""

    question: str
    choice: str
    reason: str


def decision_chart(choices: Sequence[Choice], otherwise: Choice, *, title: str) -> Picture:
    """Draw the questions from top to bottom: yes leads to the right, no leads down.

    otherwise: what is left after the last no; its question is a statement.
    """
    figure, axes = sheet(0.65 + ROW * (len(choices) + 1), title)
    width = WIDTH - CHOICE_LEFT - 0.3
    for row, (question, choice, reason) in enumerate([*choices, otherwise]):
        top = 0.6 + ROW * row
        last = row == len(choices)
        middle = top + BOX / 2
        box(axes, LEFT, top, QUESTION, BOX, fill=PANEL, edge=INK, line="--" if last else "-")
        write(axes, LEFT + QUESTION / 2, middle, question, align="center")
        box(axes, CHOICE_LEFT, top, width, BOX, fill=FILL, edge=INK)
        write(axes, CHOICE_LEFT + 0.15, top + 0.18, choice, weight="bold")
        write(axes, CHOICE_LEFT + 0.15, top + 0.4, reason, size=SMALL)
        arrow(axes, (LEFT + QUESTION, middle), (CHOICE_LEFT, middle), shrinkA=0, shrinkB=0)
        if not last:
            write(
                axes,
                (LEFT + QUESTION + CHOICE_LEFT) / 2,
                middle - 0.12,
                "yes",
                size=SMALL,
                align="center",
                style="italic",
            )
            x = LEFT + QUESTION / 2
            arrow(axes, (x, top + BOX), (x, top + ROW), shrinkA=0, shrinkB=0)
            write(axes, x + 0.12, top + BOX + (ROW - BOX) / 2, "no", size=SMALL, style="italic")
    told = [f"{question} If yes: {choice}, {reason}." for question, choice, reason in choices]
    ending = f"{otherwise.question}: {otherwise.choice}, {otherwise.reason}."
    return Picture(figure, f"{title} From top to bottom: {' '.join(told)} {ending}")
