"""Cases of `written`: a file that is new, and one that holds something."""

from exercise_kit import Look

looks = (Look("content", "other-content", says="in the file"), Look("result"))


def cases(rng):
    some = [f"line {rng.randint(10, 99)}" for _ in range(3)]
    return [
        ("the task's example", {"before": "", "lines": ["one", "two"]}),
        ("a file that holds something", {"before": "old\nolder\n", "lines": some}),
        ("no lines", {"before": "old\n", "lines": []}),
    ]
