"""Cases of `time_on_gpu`: how long each call takes, on both sides, in ms.

The first call is slow, and the GPU is still at it when the second comes. A later one takes far
longer than the others: it raises the mean, and stands in the middle of the list.
"""

import random
from typing import Any

from exercise_kit import Look

looks = (
    Look("form", "other-form", wants="a number of seconds"),
    Look("clock", "clock-not-used", says="the clock that was passed in was read"),
    Look("calls", "other-number-of-calls", says="calls of work"),
    Look("seconds", "other-time", says="time in seconds"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case."""
    odd, even = rng.choice((5, 7)), rng.choice((4, 6))
    return [
        ("a single timing", times(rng, 1)),
        ("an odd number of timings, as in the task", times(rng, odd)),
        ("an even number of timings", times(rng, even)),
        ("two timings", times(rng, 2)),
        ("a GPU that is busy at the start", times(rng, 1, busy=rng.randint(2000, 4000))),
        (
            "many timings on a GPU that is busy at the start",
            times(rng, 12, busy=rng.randint(2000, 4000)),
        ),
    ]


def times(rng: random.Random, repeats: int, busy: int = 0) -> dict[str, Any]:
    """The data of a case: ms of the host and of the GPU for each call, and where the clock begins.

    busy: the ms for which the GPU still works for somebody else.
    """
    others = [20 * number + rng.randint(0, 5) for number in range(1, repeats)]
    rng.shuffle(others)
    middle = repeats // 2
    later = [*others[:middle], rng.randint(600, 800), *others[middle:]]
    return {
        "launches": [rng.randint(200, 400), *(rng.randint(2, 9) for _ in later)],
        "kernels": [rng.randint(1000, 1500), *later],
        "repeats": repeats,
        "begun": rng.randint(10**5, 10**6),
        "busy": busy,
    }
