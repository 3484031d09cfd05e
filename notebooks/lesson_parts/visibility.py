"""Drawings of the effects of CUDA_VISIBLE_DEVICES.

`visible_map`: physical cards and logical devices; `moment_map`: when a change still has an effect.
"""

import os
import re
from collections.abc import Sequence
from unittest import mock

import virtual_cuda
from course_utils.experiments.children import Sight, WatchedLine
from course_utils.figures.picture import (
    ASIDE,
    BLUE,
    INK,
    LINE,
    MONO,
    NOTE,
    QUIET,
    SMALL,
    WIDTH,
    BoxStyle,
    Picture,
)
from course_utils.words import counted, listed, shortened
from virtual_cuda import DeviceProfile
from virtual_cuda.hardware.visibility import visible_cards

LEFT = 3.0  # inches: the left end of the row of cards
MOST_WIDE = 1.4
GAP = 0.3
PANEL_TOP = 0.62
BETWEEN = 0.2
"""Heights in inches: of the space between the two rows, above the first panel, between panels."""

CODE_X, VALUE_X, CARDS_X = 0.4, 5.05, 6.65


def short_name(card: str) -> str:
    """The name of a card without its maker."""
    for maker in ("Virtual ", "NVIDIA ", "GeForce ", "Tesla "):
        card = card.replace(maker, "")
    return shortened(card.removesuffix(" GPU"), 15)


def sight_of(setting: str, cards: Sequence[DeviceProfile]) -> Sight:
    """The GPUs that a process sees on a machine of these cards, if it is started with `setting`.

    setting: at most one variable, as NAME=VALUE.
    """
    name, _, value = setting.partition("=")
    with mock.patch.dict(os.environ, {name: value} if name else {}):
        seen = visible_cards(cards)
    shown = f'{name}="{value}"' if name else "nothing set"
    return Sight(shown, tuple(card.name for card in cards), seen)


def visible_map(
    *settings: Sight | str,
    title: str = "Physical cards and logical devices",
    follow: int | None = None,
) -> Picture:
    """A picture of the physical card of each logical device, for each setting.

    A setting that is a string is one of this process's virtual machine, as for `sight_of`. If the
    cards of the machine differ, their names are written into the boxes.

    follow: a physical card that is blue everywhere, with its device written under each setting.
    """
    sights = [
        sight_of(each, virtual_cuda.machine().devices) if isinstance(each, str) else each
        for each in settings
    ]
    talls = [2 * _tall(sight) + GAP + BETWEEN for sight in sights]
    page = Picture(PANEL_TOP + sum(talls), title)
    page.tell(f"Map of visible cards, {title!r}.")
    top = PANEL_TOP
    for sight, tall in zip(sights, talls, strict=True):
        _draw_sight(page, top, sight, follow)
        top += tall
    return page


def _mixed(sight: Sight) -> bool:
    return len(set(sight.cards)) > 1


def _tall(sight: Sight) -> float:
    """The height of a box in inches: two lines if the cards differ."""
    return 0.42 if _mixed(sight) else 0.28


def _draw_sight(page: Picture, upper: float, sight: Sight, follow: int | None) -> None:
    tall = _tall(sight)
    lower = upper + tall + GAP
    pitch = min(MOST_WIDE, (WIDTH - LEFT - 0.1) / max(len(sight.cards), 1))
    settings = re.split(r'(?<=") ', sight.setting)
    for line, setting in enumerate(settings):
        level = upper + tall + GAP / 2 + (line - (len(settings) - 1) / 2) * 0.19
        page.write(0.25, level, shortened(setting, 36), family=MONO, size=8.0)
    if follow in sight.visible:
        named = f"card {follow} is cuda:{sight.visible.index(follow)}"
        page.write(0.25, lower + tall / 2, named, size=SMALL, weight="bold")
    for top, row in ((upper, "card, by nvidia-smi"), (lower, "CUDA")):
        page.write(LEFT - 0.1, top + tall / 2, row, color=QUIET, align="right", size=8.0)

    def draw(number: int, top: float, label: str, card: int, shown: bool) -> None:
        style: BoxStyle = {"edge": INK} if shown else {"edge": LINE, "line": ":", "fill": "none"}
        if card == follow and shown:
            style["fill"] = BLUE
        left, color = LEFT + number * pitch, INK if shown else QUIET
        page.box(left, top, pitch - 0.12, tall, **style)
        middle, lift = left + (pitch - 0.12) / 2, 0.085 if _mixed(sight) else 0
        level = top + tall / 2 - lift
        page.write(middle, level, label, align="center", color=color, family=MONO, size=8.5)
        if _mixed(sight):
            name = short_name(sight.cards[card])
            page.write(middle, level + 0.17, name, align="center", color=color, size=8.0)

    hidden = [card for card in range(len(sight.cards)) if card not in sight.visible]
    for card in range(len(sight.cards)):
        label = f"{card}: hidden" if card in hidden and pitch >= 0.9 else str(card)
        draw(card, upper, label, card, card not in hidden)
    described = []
    for number, card in enumerate(sight.visible):
        draw(number, lower, f"cuda:{number}", card, True)
        middle = LEFT + (pitch - 0.12) / 2
        begin = middle + card * pitch, upper + tall + 0.02
        bold = 3.0 if card == follow else 1.4
        page.arrow(begin, (middle + number * pitch, lower - 0.02), linewidth=bold)
        name = f" ({short_name(sight.cards[card])})" if _mixed(sight) else ""
        described.append(f"cuda:{number} is card {card}{name}")
    if not sight.visible:
        page.write(LEFT, lower + tall / 2, "no device", **ASIDE)
    seen = listed(described or ["there is no device"])
    rest = f"; hidden: {listed(map(str, hidden))}" if hidden else ""
    page.tell(f"{sight.setting}, {counted(len(sight.cards), 'card')}: {seen}{rest}.")


def moment_map(
    steps: Sequence[WatchedLine], *, title: str = "CUDA reads the variable once"
) -> Picture:
    """A picture of a program line by line: the variable, and the cards that CUDA would use.

    From the line at which CUDA reads the variable, the background is darker, and a new value is
    marked as too late.
    """
    row, top, note = 0.36, 0.98, 0.26
    number_of_cards = max((card + 1 for step in steps for card in step.cards), default=1)
    pitch = min(0.36, 1.45 / number_of_cards)
    first = next((number for number, step in enumerate(steps) if step.read), None)
    bottom = top + max(len(steps), 1) * row + (note if first is not None else 0)
    page = Picture(bottom + 0.2, title)
    page.tell(f"Line by line, {title!r}.")
    heads = ((CODE_X, "the line"), (VALUE_X, "environment"), (CARDS_X, "cards CUDA would use"))
    for x, head in heads:
        page.write(x, top - 0.24, head, **NOTE)
    if first is not None:
        ground, text = top + first * row, "CUDA reads the variable here:"
        page.box(0.2, ground, WIDTH - 0.4, bottom - ground, fill="#d9dee4", edge=INK, round_=0)
        page.write(VALUE_X, ground + note / 2 + 0.03, text, size=SMALL, weight="bold")
    for number, step in enumerate(steps):
        level = top + (number + 0.5) * row
        value, cards, remark = _described(step.value), ", ".join(map(str, step.cards)) or "none", ""
        if first is not None and number >= first:
            level += note
        if number == first:
            page.box(VALUE_X - 0.12, level - 0.15, WIDTH - VALUE_X - 0.14, 0.3, edge=INK)
            remark = ", read for good"
        page.write(CODE_X, level, shortened(step.line, 56), family=MONO, size=8.4)
        page.write(VALUE_X, level, value, family=MONO, size=SMALL)
        for card in range(number_of_cards):
            used = card in step.cards
            style: BoxStyle = {"fill": BLUE, "edge": INK} if used else {"line": ":", "fill": "none"}
            page.box(CARDS_X + card * pitch, level - 0.11, pitch - 0.06, 0.22, **style)
            middle, color = CARDS_X + (card + 0.5) * pitch - 0.03, INK if used else QUIET
            page.write(middle, level, str(card), "center", family=MONO, size=8.0, color=color)
        if first is not None and number > first and step.value != steps[first].value:
            if step.value != steps[number - 1].value:
                page.write(CARDS_X - 0.15, level, "too late", "right", size=SMALL, weight="bold")
            remark = ", which is no longer read"
        page.tell(f"{step.line}: environment {value}{remark}; cards {cards}.")
    return page


def _described(value: str | None) -> str:
    return "not set" if value is None else f'"{value}"'
