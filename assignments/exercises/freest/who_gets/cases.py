"""Cases of `who_gets`: early and late looks, equal cards, and programs that run out."""

import random
from typing import Any

from exercise_kit import Look, OneCall
from exercise_kit.observers import rows_as_tuples

observer = OneCall(make=rows_as_tuples)
looks = (Look("result", "other-cards"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case.

    free: the MiB of each card. users: the second in which each looks, and the MiB that it needs.
    startup: the seconds from its look until it takes them.
    """
    startup = 2 * rng.randint(3, 5) + 1  # odd, and looks are even: never at one moment

    def machine(free: list[int], *users: tuple[float, int]) -> dict[str, Any]:
        """`users` are pairs: when, as a multiple of `startup`, and how much."""
        pairs = [[2 * round(when * startup / 2), needs] for when, needs in users]
        return {"free": free, "users": pairs, "startup": startup}

    def close(count: int) -> list[int]:
        """Cards of 30 MiB and more, in any order: each next one has 2 MiB less."""
        return rng.sample(range(most, most - 2 * count, -2), count)

    def crowd(cards: int, *starts: float) -> dict[str, Any]:
        free = rng.sample(range(16, 40), cards)
        return machine(free, *((when, rng.randint(5, 25)) for when in starts))

    most, less, some = rng.randint(35, 40), rng.randint(3, 9), rng.randint(3, 9)
    half, one = rng.randint(21, 30), rng.randint(5, 9)
    # In the order of time the first two get the card with the most, then the second, the third,
    # and the second again: it has the most by then.
    shuffled = ((2, one), (5, one), (0, one), (3.5, one), (0.5, one))
    return [
        ("one user", machine(close(3), (0, some))),
        ("one user, and cards with the same amount", machine([most] * 3, (0, some))),
        (
            "an early second user, and a card with enough memory for both",
            machine(close(2), (0, less), (0.5, some)),
        ),
        (
            "an early second user, and no card with enough memory for both",
            machine(close(2), (0, half), (0.5, half)),
        ),
        (
            "two users, the second looks when the first has its memory",
            machine(close(2), (0, less), (2, some)),
        ),
        ("the task's first example", {"free": [20, 19], "users": [[0, 12], [3, 12]], "startup": 8}),
        (
            "the task's second example",
            {"free": [20, 19], "users": [[0, 12], [10, 12]], "startup": 8},
        ),
        ("exactly as much as is left", machine(close(2), (0, less), (0.5, most - less))),
        (
            "a program that needs more than any card has",
            machine(close(2), (0, most + less), (0.4, 1), (2, some)),
        ),
        ("users in another order", machine(close(3), *shuffled)),
        ("five users, some of them early", crowd(3, 0, 0.4, 0.8, 1.6, 2.4)),
        ("five users, one after another", crowd(2, 0, 2, 4, 6, 8)),
        ("one card for three", machine([most], (0, half), (0.5, half), (2, some))),
        ("nobody", machine(close(2))),
    ]
