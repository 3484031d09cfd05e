"""`ring_rounds`: what each GPU has after each round of an all-reduce in a ring."""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.figures.picture import BLUE, INK, LINE, NOTE, PANEL, WIDTH, Picture
from course_utils.words import counted

LEFT, RIGHT, TOP = 1.15, WIDTH - 0.2, 1.1
PITCH, BOX, GAP = 0.74, 0.34, 0.3
FOLLOWED: Mapping[str, Any] = {"thickness": 2.2, "weight": "bold"}
PLAIN: Mapping[str, Any] = {"thickness": 0.8}


def ring_rounds(gpus: int = 3) -> Picture:
    """A picture of the tensors of `gpus` GPUs, which add them up in a ring and pass the sums on.

    Each tensor is cut into as many pieces as there are GPUs. A box names the GPUs whose pieces are
    added up in it. The way of the first piece is drawn in bold.
    """
    rounds = 2 * (gpus - 1)
    title = f"In {rounds} rounds, each of {gpus} GPUs has all sums"
    page = Picture(TOP + PITCH * rounds + BOX + 0.45, title, "modelled")
    pieces = [[frozenset({gpu})] * gpus for gpu in range(gpus)]
    page.tell(f"{title}. Each GPU has a tensor of its own, in {gpus} pieces.")
    width = ((RIGHT - LEFT) - GAP * (gpus - 1)) / gpus / gpus

    def left(gpu: int, place: int) -> float:
        return LEFT + gpu * (gpus * width + GAP) + place * width

    for gpu in range(gpus):
        page.write(left(gpu, 0), TOP - 0.22, f"GPU {gpu}", weight="bold")
    for number in range(rounds + 1):
        top = TOP + PITCH * number
        page.write(0.25, top + BOX / 2, f"round {number}" if number else "at first")
        for gpu, own in enumerate(pieces):
            for place, added in enumerate(own):
                whole = len(added) == gpus
                text, fill = "+".join(map(str, sorted(added))), BLUE if whole else PANEL
                frame = FOLLOWED if place == 0 else PLAIN
                where = left(gpu, place), top, width, BOX
                page.box(*where, text, fill=fill, edge=INK, round_=0, **frame)
        full = sum(len(piece) == gpus for piece in pieces[0])
        if number:
            page.tell(f"After round {number}, each GPU has {counted(full, 'full sum')}.")
        for sender in range(gpus) if number < rounds else ():
            place, to = (sender - number) % gpus, (sender + 1) % gpus
            begin, end = (left(gpu, place) + width / 2 for gpu in (sender, to))
            color, thickness = (LINE, 0.8) if place else (INK, 2.2)
            ends = (begin, top + BOX), (end, top + PITCH)
            page.arrow(*ends, mutation_scale=11, linewidth=thickness, color=color, zorder=2 - place)
        if number < rounds:
            pieces = _after(pieces, number)
    note = "In a box: the GPUs whose tensors are added up. Blue: all. Bold: the first piece."
    page.write(LEFT, TOP + PITCH * rounds + BOX + 0.22, note, **NOTE)
    return page


def _after(pieces: Sequence[Sequence[frozenset[int]]], number: int) -> list[list[frozenset[int]]]:
    """The pieces after one more round: each GPU sends one piece to the next GPU, which adds it."""
    gpus = len(pieces)
    after = [list(own) for own in pieces]
    for sender, own in enumerate(pieces):
        place = (sender - number) % gpus
        after[(sender + 1) % gpus][place] |= own[place]
    return after
