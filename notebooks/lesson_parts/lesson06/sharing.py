"""Shared machines.

`card_chart`: the memory of each card that each user has; `rush_chart`: users who choose cards at
nearly the same moment.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from course_utils.figures.picture import (
    BAR_STYLES,
    INK,
    NOTE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    BarStyle,
    Picture,
    bar_styles_of,
)
from course_utils.words import listed, shortened
from lesson_parts.hosts import CardNow, Turn
from lesson_parts.visibility import short_name

LEFT, RIGHT, ROW, BAR = 2.05, WIDTH - 3.5, 0.46, 0.28
BUSY_LEFT, BUSY_RIGHT = RIGHT + 1.95, RIGHT + 2.65
LANES_LEFT, LANES_RIGHT, LANE = 1.55, WIDTH - 0.4, 0.36
FREE: BarStyle = (PANEL, None)
BUSY: BarStyle = ("#57606a", None)
LEFT_FREE: BarStyle = ("#b9d7a8", "...")
STARTS: BarStyle = ("#ece6d6", "///")
TRAINS = BAR_STYLES[0]
LATER = 0.45
"""The time after the last event, as a share of the time before it."""


def card_chart(cards: Sequence[CardNow], *, title: str) -> Picture:
    """A picture with two bars for each card: its memory, divided by the owners, and its load."""
    styles = bar_styles_of(owner for card in cards for owner in card.held)
    page = Picture(1.35 + ROW * len(cards), title, "virtual")
    page.tell(f"Memory of the virtual cards, {title!r}.")
    page.legend(0.25, 0.75, {**styles, "free": FREE})
    scale = (RIGHT - LEFT) / max(card.total for card in cards)
    for head, x in (("free memory", RIGHT + 1.7), ("GPU-Util", BUSY_RIGHT)):
        page.write(x, 1.08, head, size=8.5, color=QUIET, align="right")
    for number, card in enumerate(cards):
        middle, name = 1.22 + ROW * (number + 0.5), shortened(short_name(card.name), 14)
        page.write(0.25, middle, f"card {card.number}", weight="bold", size=SMALL)
        page.write(0.88, middle, name, size=8.5, color=QUIET)
        page.bar(LEFT, middle - BAR / 2, card.total * scale, BAR, FREE)
        held = [(mib * scale, styles[owner]) for owner, mib in card.held.items()]
        page.bars(LEFT, middle - BAR / 2, BAR, held)
        amount = f"{card.free:,} of {card.total:,} MiB"
        page.write(RIGHT + 1.7, middle, amount, size=SMALL, align="right")
        width = BUSY_RIGHT - BUSY_LEFT
        page.bar(BUSY_LEFT, middle - BAR / 2, width, BAR, FREE)
        page.bars(BUSY_LEFT, middle - BAR / 2, BAR, [(width * card.busy / 100, BUSY)])
        page.write(BUSY_RIGHT + 0.55, middle, f"{card.busy} %", size=SMALL, align="right")
        owned = [f"{owner} {mib:,} MiB" for owner, mib in card.held.items()]
        page.tell(
            f"Card {card.number} ({name}): used by {listed(owned or ['nobody'])}"
            f", {card.free:,} of {card.total:,} MiB are free, GPU-Util {card.busy} %."
        )
    return page


def rush_chart(turns: Sequence[Turn], *, title: str) -> Picture:
    """A picture with a lane for each user, and below, for each chosen card, its free memory."""
    cards = sorted({turn.card for turn in turns})
    last = (1 + LATER) * max(turn.began for turn in turns)
    bottom = 1.2 + 0.5 * (len(turns) + len(cards)) + 0.1
    scale = (LANES_RIGHT - LANES_LEFT) / last
    page = Picture(bottom + 0.55, title, "modelled")
    page.tell(f"Modelled time line of {listed(turn.user for turn in turns)}, {title!r}.")
    styles = {"loads data, has chosen a card": STARTS, "trains": TRAINS, "free memory": LEFT_FREE}
    page.legend(0.25, 0.78, styles)
    page.clock(LANES_LEFT, LANES_RIGHT, 1.08, bottom, last, "s")

    def span(begin: float, end: float, top: float, style: BarStyle, text: str) -> None:
        left, width = LANES_LEFT + begin * scale, (end - begin) * scale
        page.bar(left, top, width, LANE, style)
        if text:
            middle = left + width / 2
            page.write(middle, top + LANE / 2, text, size=SMALL, align="center", behind=PANEL)

    def mark(when: float, top: float, marker: str) -> None:
        style: dict[str, Any] = {"markersize": 9, "color": INK, "markeredgecolor": "white"}
        x = LANES_LEFT + when * scale
        page.axes.plot(x, top + LANE / 2, marker, clip_on=False, zorder=5, **style)

    for row, turn in enumerate(turns):
        top = 1.2 + 0.5 * row
        page.write(0.25, top + LANE / 2, turn.user, weight="bold")
        span(turn.looked, turn.began, top, STARTS, f"saw {turn.saw:,} MiB on card {turn.card}")
        mark(turn.looked, top, "o")
        if turn.fits:
            outcome = f"takes {turn.needs:,} MiB"
            span(turn.began, last, top, TRAINS, f"takes {turn.needs:,} MiB")
        else:
            outcome = "runs out of memory"
            mark(turn.began, top, "X")
            x = LANES_LEFT + turn.began * scale + 0.15
            page.write(x, top + LANE / 2, "out of memory", size=SMALL, weight="bold")
        page.tell(
            f"At {turn.looked:g} s {turn.user} sees {turn.saw:,} MiB free on card {turn.card} and "
            f"chooses it; at {turn.began:g} s {turn.left:,} MiB are free, "
            f"and {turn.user} {outcome}."
        )
    for row, card in enumerate(cards, len(turns)):
        top = 1.2 + 0.5 * row
        page.write(0.25, top + LANE / 2, f"free on card {card}", size=SMALL)
        levels = _free(turns, card, last)
        for begin, end, free in levels:
            tall = LANE * free / levels[0][2]
            left, width = LANES_LEFT + begin * scale, (end - begin) * scale
            page.bar(left, top + LANE - tall, width, tall, LEFT_FREE)
            span(begin, end, top, ("none", None), f"{free:,} MiB")
    page.write(0.25, bottom + 0.32, "● looks at the cards", **NOTE)
    return page


def _free(turns: Sequence[Turn], card: int, last: float) -> list[tuple[float, float, int]]:
    """Begin and end of each period in seconds, and the free memory of a card in MiB."""
    here = [turn for turn in turns if turn.card == card]
    levels = [(0.0, here[0].saw)]
    levels += [(turn.began, turn.left - turn.needs) for turn in here if turn.fits]
    return [(a, b, free) for (a, free), (b, _) in pairwise([*levels, (last, 0)])]
