"""Cases of `fix_mean`."""

from exercise_kit import Look, Raises

looks = (Look("result", tolerance=1e-3),)
raises = (
    Raises("no-numbers", "ZeroDivisionError"),
    Raises("still-a-text", "TypeError", "can only concatenate str"),
)


def cases(rng):
    return [
        ("whole numbers", {"numbers": [rng.randint(1, 9) for _ in range(3)] + [40]}),
        ("one number", {"numbers": [rng.randint(2, 9)]}),
        ("thirds", {"numbers": [1 / 3, 2 / 3, rng.randint(1, 9)]}),
        ("no numbers", {"numbers": []}),
    ]
