"""`visible_map`: physical cards and logical devices; `moment_map`: when a change still counts."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.experiments.children import Sight, Step
from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    counted,
    listed,
    sheet,
    shortened,
    write,
)

LEFT = 1.35  # where the row of cards begins, in inches
MOST_WIDE = 1.65
CARD = 0.46
GAP = 0.62
"""Heights, in inches: of a box, and of the space between the two rows."""

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
    tall = 2 * CARD + GAP + 0.62
    figure, axes = sheet(0.62 + len(sights) * tall, title)
    for row, sight in enumerate(sights):
        _draw_sight(axes, 0.62 + row * tall, sight)
    return figure


def _draw_sight(axes: Axes, top: float, sight: Sight) -> None:
    write(axes, 0.25, top + 0.1, shortened(sight.setting, 84), family=MONO, size=SMALL)
    pitch = min(MOST_WIDE, (WIDTH - LEFT - 0.2) / max(len(sight.cards), 1))
    upper, lower = top + 0.3, top + 0.3 + CARD + GAP
    write(axes, 0.25, upper + CARD / 2, "physical", color=QUIET)
    write(axes, 0.25, lower + CARD / 2, "logical", color=QUIET)
    mixed = len(set(sight.cards)) > 1
    for number, name in enumerate(sight.cards):
        shown = number in sight.visible
        label = str(number) if shown else f"{number}: hidden"
        _draw_box(axes, LEFT + number * pitch, upper, pitch, label, name if mixed else "", shown)
    for number, card in enumerate(sight.visible):
        name = sight.cards[card] if mixed else ""
        _draw_box(axes, LEFT + number * pitch, lower, pitch, f"cuda:{number}", name, True)
        middle = LEFT + (pitch - 0.12) / 2
        axes.annotate(
            "",
            (middle + number * pitch, lower - 0.02),
            (middle + card * pitch, upper + CARD + 0.02),
            arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.4},
        )
    if not sight.visible:
        write(axes, LEFT, lower + CARD / 2, "no device", color=QUIET, style="italic")


def _draw_box(
    axes: Axes, left: float, top: float, pitch: float, label: str, name: str, shown: bool
) -> None:
    look = {"edge": INK} if shown else {"edge": LINE, "line": ":", "fill": "none"}
    box(axes, left, top, pitch - 0.12, CARD, **look)
    middle = left + (pitch - 0.12) / 2
    color = INK if shown else QUIET
    level = top + CARD / 2 - (0.1 if name else 0)
    write(axes, middle, level, label, align="center", color=color, family=MONO, size=SMALL)
    if name:
        write(axes, middle, level + 0.19, _short(name), align="center", color=color, size=8.0)


def _describe_sights(title: str, sights: Sequence[Sight]) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Map of visible cards, {title!r}."]
    for sight in sights:
        pairs = [
            f"cuda:{number} is card {card} ({_short(sight.cards[card])})"
            if len(set(sight.cards)) > 1
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
    row, top = 0.36, 0.98
    figure, axes = sheet(top + max(len(steps), 1) * row + 0.25, title)
    heads = ((CODE_X, "the line"), (VALUE_X, "environment"), (CARDS_X, "cards in force"))
    for x, head in heads:
        write(axes, x, top - 0.24, head, size=SMALL, color=QUIET)
    first = _moment(steps)
    if first is not None:
        box(axes, 0.2, top + first * row, WIDTH - 0.4, (len(steps) - first) * row,
            fill="#d9dee4", edge=INK, round_=0)
    for number, step in enumerate(steps):
        level = top + (number + 0.5) * row
        if number == first:
            box(axes, VALUE_X - 0.12, level - 0.15, WIDTH - VALUE_X - 0.14, 0.3, fill=PANEL,
                edge=INK)
        write(axes, CODE_X, level, shortened(step.line, 56), family=MONO, size=8.4)
        write(axes, VALUE_X, level, _value(step), family=MONO, size=SMALL)
        write(axes, CARDS_X, level, _cards(step), family=MONO, size=SMALL)
        if number == first:
            write(axes, WIDTH - 0.4, level, "read", size=SMALL, weight="bold", align="right")
        if _ignored(steps, number):
            wide = 0.085 * len(_value(step))
            axes.plot([VALUE_X - 0.03, VALUE_X + wide], [level, level], color=INK, linewidth=1.2)
    return figure


def _value(step: Step) -> str:
    return "not set" if step.value is None else f'"{step.value}"'


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
        parts.append(f"{step.line}: environment {_value(step)}{note}; cards {_cards(step)}.")
    return " ".join(parts)
