"""`growth_chart`: what each lesson added to train.py, and how much of it is still there.

Which version each of its lines comes from is found out as `git blame` would.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from course_utils.figures.picture import BLUE, PAPER, SMALL, WIDTH, BarStyle, Picture
from lesson_parts import project

KEPT: BarStyle = (BLUE, None)
REPLACED: BarStyle = (PAPER, "///")
LEFT, RIGHT, ROW, TOP = 1.7, WIDTH - 2.6, 0.29, 1.15


@dataclass(frozen=True)
class Growth:
    """brought: how many lines each version added. left: how many of them the last one still has."""

    brought: Mapping[str, int]
    left: Mapping[str, int]


def growth(versions: Mapping[str, str] | None = None) -> Growth:
    """Follow every line through `versions`, texts by name in order; by default train.py's own.

    Blank lines do not count.
    """
    texts = _versions() if versions is None else versions
    lines: list[str] = []
    origins: list[str] = []
    brought: dict[str, int] = {}
    for name, text in texts.items():
        new = [line for line in text.splitlines() if line.strip()]
        made = [name] * len(new)
        for block in SequenceMatcher(None, lines, new, autojunk=False).get_matching_blocks():
            made[block.b : block.b + block.size] = origins[block.a : block.a + block.size]
        brought[name] = made.count(name)
        lines, origins = new, made
    return Growth(brought, {name: origins.count(name) for name in texts})


def _versions() -> dict[str, str]:
    steps = {stage: project.changes(stage) for stage in project.STAGES[1:]}
    first = next(iter(steps.values())).before
    return {project.STAGES[0]: first} | {stage: step.after for stage, step in steps.items()}


def growth_chart(grown: Growth | None = None, *, title: str = "The lines of train.py") -> Picture:
    """Draw a row for each version, by default of the learner's own train.py."""
    grown = growth() if grown is None else grown
    page = Picture(TOP + ROW * len(grown.brought) + 0.25, title, "counted")
    page.legend(0.4, 0.78, {"still there": KEPT, "replaced by a later lesson": REPLACED})
    scale = (RIGHT - LEFT) / max(grown.brought.values())
    rows = []
    for number, (name, brought) in enumerate(grown.brought.items()):
        middle, left = TOP + ROW * (number + 0.5), grown.left[name]
        label = f"lesson {name}" if name.isdigit() else "before the course"
        page.write(LEFT - 0.15, middle, label, align="right", size=SMALL)
        widths = [(left * scale, KEPT), ((brought - left) * scale, REPLACED)]
        x = page.bars(LEFT, middle - 0.1, 0.2, widths) + 0.1
        page.write(x, middle, f"{brought} lines, {left} still there", size=SMALL)
        rows.append(f"{label}: {brought} lines, {left} of them still there")
    page.tell(f"{title}: {'; '.join(rows)}.")
    page.tell(f"In the end it has {sum(grown.left.values())} lines that are not blank.")
    return page
