"""What CUDA_VISIBLE_DEVICES does.

`visible_map`: physical cards and logical devices; `moment_map`: when a change still counts;
`family_map`: how the variable goes from process to process.
"""

import re
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.experiments.children import Member, Sight, Step
from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Look,
    Picture,
    arrow,
    box,
    counted,
    listed,
    sheet,
    shortened,
    write,
)

LEFT = 3.0  # where the row of cards begins, in inches
MOST_WIDE = 1.4
GAP = 0.3
PANEL_TOP = 0.62
BETWEEN = 0.2
"""Heights, in inches: of the space between the two rows, above the first panel, and between two."""

MAKERS = ("Virtual ", "NVIDIA ", "GeForce ", "Tesla ")
CODE_X, VALUE_X, CARDS_X = 0.4, 5.05, 6.65


def visible_map(*sights: Sight, title: str = "Physical cards and logical devices") -> Picture:
    """Draw, for each setting, which physical card is behind which logical device.

    Names are written into the boxes where the cards of the machine are not all the same.
    """
    return Picture(_draw_sights(title, sights), _describe_sights(title, sights))


def _short(name: str) -> str:
    for maker in MAKERS:
        name = name.replace(maker, "")
    return shortened(name.removesuffix(" GPU"), 15)


def _draw_sights(title: str, sights: Sequence[Sight]) -> Figure:
    talls = [2 * _card(sight) + GAP + BETWEEN for sight in sights]
    figure, axes = sheet(PANEL_TOP + sum(talls), title)
    for number, sight in enumerate(sights):
        _draw_sight(axes, PANEL_TOP + sum(talls[:number]), sight)
    return figure


def _mixed(sight: Sight) -> bool:
    return len(set(sight.cards)) > 1


def _card(sight: Sight) -> float:
    """The height of a box: of two lines where the cards have to be told apart."""
    return 0.42 if _mixed(sight) else 0.28


def _draw_sight(axes: Axes, upper: float, sight: Sight) -> None:
    tall = _card(sight)
    lower = upper + tall + GAP
    pitch = min(MOST_WIDE, (WIDTH - LEFT - 0.1) / max(len(sight.cards), 1))
    settings = re.split(r'(?<=") ', sight.setting)
    for line, setting in enumerate(settings):
        level = upper + tall + GAP / 2 + (line - (len(settings) - 1) / 2) * 0.19
        write(axes, 0.25, level, shortened(setting, 36), family=MONO, size=8.0)
    write(axes, LEFT - 0.1, upper + tall / 2, "cards", color=QUIET, align="right", size=8.0)
    write(axes, LEFT - 0.1, lower + tall / 2, "devices", color=QUIET, align="right", size=8.0)
    for number, name in enumerate(sight.cards):
        shown = number in sight.visible
        label = str(number) if shown or pitch < 0.9 else f"{number}: hidden"
        name = name if _mixed(sight) else ""
        _draw_box(axes, LEFT + number * pitch, upper, (pitch, tall), label, name, shown)
    for number, card in enumerate(sight.visible):
        name = sight.cards[card] if _mixed(sight) else ""
        corner = LEFT + number * pitch
        _draw_box(axes, corner, lower, (pitch, tall), f"cuda:{number}", name, True)
        middle = LEFT + (pitch - 0.12) / 2
        begin = middle + card * pitch, upper + tall + 0.02
        arrow(axes, begin, (middle + number * pitch, lower - 0.02), shrinkA=0, shrinkB=0)
    if not sight.visible:
        write(axes, LEFT, lower + tall / 2, "no device", color=QUIET, style="italic")


def _draw_box(
    axes: Axes,
    left: float,
    top: float,
    size: tuple[float, float],
    label: str,
    name: str,
    shown: bool,
) -> None:
    pitch, tall = size
    look: Look = {"edge": INK} if shown else {"edge": LINE, "line": ":", "fill": "none"}
    box(axes, left, top, pitch - 0.12, tall, **look)
    middle = left + (pitch - 0.12) / 2
    color = INK if shown else QUIET
    level = top + tall / 2 - (0.085 if name else 0)
    write(axes, middle, level, label, align="center", color=color, family=MONO, size=8.5)
    if name:
        write(axes, middle, level + 0.17, _short(name), align="center", color=color, size=8.0)


def _describe_sights(title: str, sights: Sequence[Sight]) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Map of visible cards, {title!r}."]
    for sight in sights:
        pairs = [
            f"cuda:{number} is card {card} ({_short(sight.cards[card])})"
            if _mixed(sight)
            else f"cuda:{number} is card {card}"
            for number, card in enumerate(sight.visible)
        ]
        hidden = [str(n) for n in range(len(sight.cards)) if n not in sight.visible]
        seen = listed(pairs) if pairs else "there is no device"
        rest = f"; hidden: {listed(hidden)}" if hidden else ""
        parts.append(f"{sight.setting}, {counted(len(sight.cards), 'card')}: {seen}{rest}.")
    return " ".join(parts)


def moment_map(steps: Sequence[Step], *, title: str = "When a change still counts") -> Picture:
    """Draw a program line by line: what the environment says, and which cards CUDA works with.

    From the line on at which CUDA has read the variable for good, the ground is darker, and a value
    that is not followed any more is struck out.
    """
    return Picture(_draw_steps(title, steps), _describe_steps(title, steps))


def _draw_steps(title: str, steps: Sequence[Step]) -> Figure:
    row, top, note = 0.36, 0.98, 0.26
    first = _moment(steps)
    bottom = top + max(len(steps), 1) * row + (note if first is not None else 0)
    figure, axes = sheet(bottom + 0.2, title)
    heads = ((CODE_X, "the line"), (VALUE_X, "environment"), (CARDS_X, "cards CUDA would use"))
    for x, head in heads:
        write(axes, x, top - 0.24, head, size=SMALL, color=QUIET)
    if first is not None:
        ground = top + first * row
        box(axes, 0.2, ground, WIDTH - 0.4, bottom - ground, fill="#d9dee4", edge=INK, round_=0)
        write(
            axes,
            VALUE_X,
            ground + note / 2 + 0.03,
            "CUDA reads the variable here:",
            size=SMALL,
            weight="bold",
        )
    for number, step in enumerate(steps):
        level = top + (number + 0.5) * row
        if first is not None and number >= first:
            level += note
        if number == first:
            box(
                axes,
                VALUE_X - 0.12,
                level - 0.15,
                WIDTH - VALUE_X - 0.14,
                0.3,
                fill=PANEL,
                edge=INK,
            )
        write(axes, CODE_X, level, shortened(step.line, 56), family=MONO, size=8.4)
        write(axes, VALUE_X, level, _told(step.value), family=MONO, size=SMALL)
        write(axes, CARDS_X, level, _cards(step), family=MONO, size=SMALL)
        if _ignored(steps, number):
            wide = 0.085 * len(_told(step.value))
            axes.plot([VALUE_X - 0.03, VALUE_X + wide], [level, level], color=INK, linewidth=1.2)
    return figure


def _told(value: str | None) -> str:
    return "not set" if value is None else f'"{value}"'


def _cards(step: Step) -> str:
    return ", ".join(map(str, step.cards)) or "none"


def _moment(steps: Sequence[Step]) -> int | None:
    """The number of the line at which CUDA read the variable, or None."""
    return next((number for number, step in enumerate(steps) if step.read), None)


def _ignored(steps: Sequence[Step], number: int) -> bool:
    """Whether the environment says something else than when it was read."""
    first = _moment(steps)
    return first is not None and number > first and steps[number].value != steps[first].value


def _describe_steps(title: str, steps: Sequence[Step]) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Line by line, {title!r}."]
    first = _moment(steps)
    for number, step in enumerate(steps):
        note = ", read for good" if number == first else ""
        if _ignored(steps, number):
            note = ", which is no longer read"
        parts.append(f"{step.line}: environment {_told(step.value)}{note}; cards {_cards(step)}.")
    return " ".join(parts)


def family_map(
    members: Sequence[Member], *, title: str = "How the variable is handed down"
) -> Picture:
    """Draw processes, each started by the one before, and what the variable says in each.

    A value that changed later is shown below the one from the start.
    """
    return Picture(_draw_family(title, members), _describe_family(title, members))


def _draw_family(title: str, members: Sequence[Member]) -> Figure:
    figure, axes = sheet(2.3, title)
    pitch = (WIDTH + 0.35) / max(len(members), 1)
    wide, top, tall = pitch - 0.85, 0.62, 1.42
    for number, member in enumerate(members):
        left = 0.25 + number * pitch
        middle = left + wide / 2
        box(axes, left, top, wide, tall, edge=INK)
        write(axes, middle, top + 0.24, shortened(member.name, 24), align="center", weight="bold")
        rows = (("at the start", member.first), ("in the end", member.last))
        for row, (moment, value) in enumerate(rows):
            level = top + 0.64 + row * 0.42
            write(axes, left + 0.14, level, moment, size=8.0, color=QUIET)
            changed = row == 1 and member.last != member.first
            write(
                axes,
                left + wide - 0.14,
                level,
                _told(value),
                family=MONO,
                size=SMALL,
                align="right",
                weight="bold" if changed else "normal",
            )
        if number:
            arrow(axes, (left - 0.82, top + 0.64), (left - 0.03, top + 0.64))
            same = member.first == members[number - 1].first
            write(
                axes,
                left - 0.43,
                top + 0.47,
                "a copy" if same else "a copy,",
                size=8.0,
                align="center",
            )
            if not same:
                write(axes, left - 0.43, top + 0.81, "changed", size=8.0, align="center")
    return figure


def _describe_family(title: str, members: Sequence[Member]) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Processes from left to right, each started by the one before, {title!r}."]
    for member in members:
        end = "the same" if member.last == member.first else _told(member.last)
        parts.append(f"{member.name}: at the start {_told(member.first)}, in the end {end}.")
    return " ".join(parts)
