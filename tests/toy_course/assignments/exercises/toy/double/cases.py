"""Cases of `double`."""

from exercise_kit import OneCall, Raises

observer = OneCall(seconds=0.3)
raises = (Raises("text", "TypeError"),)


def cases(rng):
    return [
        ("three, as in the task", {"x": 3}),
        ("zero", {"x": 0}),
        ("a large number", {"x": rng.randrange(10_000, 99_999)}),
    ]
