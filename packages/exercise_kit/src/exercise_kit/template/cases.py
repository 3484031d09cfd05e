"""Cases of `NAME`."""


def cases(rng):
    return [
        ("the task's example", {"x": 3}),
        ("TODO: a situation, in words", {"x": rng.randint(10, 99)}),
    ]
