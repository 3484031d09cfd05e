"""Machines that several people use.

`card_chart`: who holds how much memory of each card; `rush_chart`: users who choose cards at nearly
the same moment.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from matplotlib.axes import Axes

from course_utils.experiments.hosts import CardNow, Turn
from course_utils.figures.picture import (
    INK,
    LINE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Picture,
    box,
    listed,
    sheet,
    shortened,
    stamp,
    write,
)
from course_utils.figures.timelines import Look, clock_axis, legend
from course_utils.figures.visibility import MAKERS

LEFT, RIGHT, ROW, BAR = 2.15, WIDTH - 2.35, 0.46, 0.28
LANES_LEFT, LANES_RIGHT, LANE = 1.55, WIDTH - 0.4, 0.36
OWNERS: Sequence[Look] = (
    ("#9ec5e8", None),
    ("#f2c27b", "\\\\\\"),
    ("#b9d7a8", "xx"),
    ("#e3b5c8", "||"),
    ("#d8cfb8", "..."),
)
STARTS: Look = ("#ece6d6", "///")
TRAINS: Look = ("#9ec5e8", None)
LATER = 0.45
"""How much longer than to the last event the clock runs, as a share."""


def card_chart(cards: Sequence[CardNow], order: Sequence[int] = (), *, title: str) -> Picture:
    """Draw a bar for each card, on one scale, with what each owner holds of it.

    order: the numbers of the cards, ranked; where it is given, the places are written beside them.
    """
    owners = dict.fromkeys(owner for card in cards for owner in card.held)
    looks = {owner: OWNERS[number % len(OWNERS)] for number, owner in enumerate(owners)}
    figure, axes = sheet(1.35 + ROW * len(cards), title)
    stamp(axes, "virtual")
    legend(axes, 0.25, 0.75, {**looks, "free": (PANEL, None)})
    scale = (RIGHT - LEFT) / max(card.total for card in cards)
    for head, x in (("free", RIGHT + 1.0), ("GPU-Util", RIGHT + 1.68), ("rank", RIGHT + 2.15)):
        if head != "rank" or order:
            write(axes, x, 1.08, head, size=8.5, color=QUIET, align="right")
    for number, card in enumerate(cards):
        middle = 1.22 + ROW * (number + 0.5)
        _bar(axes, card, middle, scale, looks)
        write(axes, RIGHT + 1.0, middle, f"{card.free:,} MiB", size=SMALL, align="right")
        write(axes, RIGHT + 1.68, middle, f"{card.busy} %", size=SMALL, align="right")
        if order:
            rank = str(list(order).index(card.number) + 1)
            write(axes, RIGHT + 2.15, middle, rank, weight="bold", align="right")
    return Picture(figure, _describe_cards(cards, order, title))


def _bar(axes: Axes, card: CardNow, middle: float, scale: float, looks: Mapping[str, Look]) -> None:
    write(axes, 0.25, middle, f"card {card.number}", weight="bold", size=SMALL)
    write(axes, 0.88, middle, _short(card.name), size=8.5, color=QUIET)
    x = LEFT
    box(axes, x, middle - BAR / 2, card.total * scale, BAR, edge=INK, round_=0, thickness=0.9)
    for owner, mib in card.held.items():
        fill, hatch = looks[owner]
        box(
            axes,
            x,
            middle - BAR / 2,
            mib * scale,
            BAR,
            fill=fill,
            edge=INK,
            hatch=hatch,
            round_=0,
            thickness=0.9,
        )
        x += mib * scale


def _short(name: str) -> str:
    for maker in MAKERS:
        name = name.replace(maker, "")
    return shortened(name, 14)


def _describe_cards(cards: Sequence[CardNow], order: Sequence[int], title: str) -> str:
    """The picture in words, out of the same data."""
    rows = []
    for card in cards:
        held = [f"{owner} holds {mib:,} MiB" for owner, mib in card.held.items()]
        owned = listed(held) if held else "nobody is on it"
        rank = f", rank {list(order).index(card.number) + 1}" if order else ""
        rows.append(
            f"Card {card.number} ({_short(card.name)}): {owned}"
            f", {card.free:,} of {card.total:,} MiB are free, GPU-Util {card.busy} %{rank}."
        )
    return f"Memory of the virtual cards, {title!r}. {' '.join(rows)}"


def rush_chart(turns: Sequence[Turn], *, title: str) -> Picture:
    """Draw a lane for each user, and below it, for each chosen card, what is free when."""
    cards = list(dict.fromkeys(turn.card for turn in turns))
    last = (1 + LATER) * max(turn.began for turn in turns)
    bottom = 1.2 + 0.5 * (len(turns) + len(cards)) + 0.1
    figure, axes = sheet(bottom + 0.55, title)
    stamp(axes, "modelled")
    legend(axes, 0.25, 0.78, {"imports, loads data": STARTS, "trains": TRAINS})
    scale = (LANES_RIGHT - LANES_LEFT) / last
    clock_axis(axes, LANES_LEFT, LANES_RIGHT, 1.08, bottom, last, "s")
    for row, turn in enumerate(turns):
        top = 1.2 + 0.5 * row
        write(axes, 0.25, top + LANE / 2, turn.user, weight="bold")
        _span(axes, turn.looked, turn.began, top, scale, STARTS, f"chose card {turn.card}")
        _mark(axes, turn.looked, top, scale, "o")
        if turn.fits:
            _span(axes, turn.began, last, top, scale, TRAINS, "")
        else:
            _mark(axes, turn.began, top, scale, "X")
            write(
                axes,
                LANES_LEFT + turn.began * scale + 0.15,
                top + LANE / 2,
                "out of memory",
                size=SMALL,
                weight="bold",
            )
    for row, card in enumerate(cards, len(turns)):
        top = 1.2 + 0.5 * row
        write(axes, 0.25, top + LANE / 2, f"card {card}, free", size=SMALL)
        for begin, end, free in _free(turns, card, last):
            _span(axes, begin, end, top, scale, (PANEL, None), f"{free:,} MiB")
    write(axes, 0.25, bottom + 0.32, "● looks at the cards", size=SMALL, color=QUIET)
    return Picture(figure, _describe_rush(turns, title))


def _span(
    axes: Axes, begin: float, end: float, top: float, scale: float, look: Look, text: str
) -> None:
    fill, hatch = look
    left, width = LANES_LEFT + begin * scale, (end - begin) * scale
    box(axes, left, top, width, LANE, fill=fill, edge=INK, hatch=hatch, round_=0, thickness=0.9)
    if text:
        long = 0.085 * len(text) + 0.12
        if hatch:  # letters on a hatch cannot be read
            box(
                axes,
                left + (width - long) / 2,
                top + 0.07,
                long,
                LANE - 0.14,
                edge=LINE,
                thickness=0.5,
            )
        write(axes, left + width / 2, top + LANE / 2, text, size=SMALL, align="center")


def _mark(axes: Axes, when: float, top: float, scale: float, marker: str) -> None:
    axes.plot(
        [LANES_LEFT + when * scale],
        [top + LANE / 2],
        marker=marker,
        markersize=9,
        markerfacecolor=INK,
        markeredgecolor="white",
        clip_on=False,
        zorder=5,
    )


def _free(turns: Sequence[Turn], card: int, last: float) -> list[tuple[float, float, int]]:
    """From when until when how many MiB of a card are free."""
    here = [turn for turn in turns if turn.card == card]
    levels = [(0.0, here[0].saw)]
    levels += [(turn.began, turn.left - turn.needs) for turn in here if turn.fits]
    return [(a, b, free) for (a, free), (b, _) in pairwise([*levels, (last, 0)])]


def _describe_rush(turns: Sequence[Turn], title: str) -> str:
    """The picture in words, out of the same data."""
    parts = [f"Modelled time line of {listed(turn.user for turn in turns)}, {title!r}."]
    for turn in turns:
        outcome = f"takes {turn.needs:,} MiB" if turn.fits else "runs out of memory"
        parts.append(
            f"At {turn.looked:g} s {turn.user} sees {turn.saw:,} MiB free on card {turn.card} and "
            f"chooses it; at {turn.began:g} s {turn.left:,} MiB are free, "
            f"and {turn.user} {outcome}."
        )
    return " ".join(parts)
