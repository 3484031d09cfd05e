"""`decision_chart`: a chart of yes-or-no questions, each with the choice after a yes."""

from collections.abc import Sequence
from typing import NamedTuple

from course_utils.figures.picture import BLUE, INK, SMALL, WIDTH, Picture, TextStyle

LEFT, QUESTION, CHOICE_LEFT = 0.3, 3.5, 4.75
ROW, BOX = 0.86, 0.56
SAID: TextStyle = {"size": SMALL, "style": "italic"}


class Choice(NamedTuple):
    """A question, the choice if the answer is yes, and the reason in a few words."""

    question: str
    choice: str
    reason: str


def decision_chart(choices: Sequence[Choice], otherwise: Choice, *, title: str) -> Picture:
    """A chart of the questions from top to bottom: yes leads to the right, no leads down.

    otherwise: the choice after the last no; its question is a statement.
    """
    page = Picture(0.65 + ROW * (len(choices) + 1), title)
    page.tell(f"{title} From top to bottom:")
    width = WIDTH - CHOICE_LEFT - 0.3
    for row, (question, choice, reason) in enumerate([*choices, otherwise]):
        top = 0.6 + ROW * row
        last, middle = row == len(choices), top + BOX / 2
        page.box(LEFT, top, QUESTION, BOX, question, edge=INK, line="--" if last else "-")
        page.box(CHOICE_LEFT, top, width, BOX, fill=BLUE, edge=INK)
        page.write(CHOICE_LEFT + 0.15, top + 0.18, choice, weight="bold")
        page.write(CHOICE_LEFT + 0.15, top + 0.4, reason, size=SMALL)
        page.arrow((LEFT + QUESTION, middle), (CHOICE_LEFT, middle))
        if last:
            page.tell(f"{question}: {choice}, {reason}.")
            continue
        x = (LEFT + QUESTION + CHOICE_LEFT) / 2
        page.write(x, middle - 0.12, "yes", align="center", **SAID)
        x = LEFT + QUESTION / 2
        page.arrow((x, top + BOX), (x, top + ROW))
        page.write(x + 0.12, top + (BOX + ROW) / 2, "no", **SAID)
        page.tell(f"{question} If yes: {choice}, {reason}.")
    return page
