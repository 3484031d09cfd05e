"""Cases of `largest_batch`: how many sizes there are, the largest that fits, and other errors."""

from exercise_kit import Look

looks = (
    Look("strange", "size-out-of-range", says="step was called with", wants="whole sizes only"),
    Look("stopped", "never-ends", says="the search had to be stopped"),
    Look("escaped", "other-error-caught", says="the error that left the function"),
    Look("form", "other-form", wants="a whole number"),
    Look("tried", "nothing-tried", says="step was called"),
    Look("larger", "fit-not-noticed", says="a larger size that was tried, and fits", wants="none"),
    Look("size", "stopped-too-early", says="size"),
    Look("calls", "too-many-calls", most=True, says="calls of step"),
)


def explain(fact, seen, right, data):
    if fact != "size" or seen < right:
        return None
    return "too-large" if right else "nothing-fits-not-zero"


def cases(rng):
    many, few = rng.randint(700, 4000), rng.randint(9, 15)
    power = 2 ** rng.randint(7, 10)
    limits = [
        ("the task's example", 1000, 300),
        ("a limit between two powers of two", many, rng.randint(270, 500)),
        ("a limit that is a power of two", many, 2 ** rng.randint(6, 9)),
        ("one less than a power of two", many, 2 ** rng.randint(6, 9) - 1),
        ("everything fits", many, many + rng.randint(1, 50)),
        ("the largest size is the last that fits", power, power),
        ("all but the largest size fit", many, many - 1),
        ("only a batch of one fits", many, 1),
        ("nothing fits", many, 0),
        ("a few sizes", few, rng.randint(3, few - 2)),
        ("one size, and it fits", 1, 1),
        ("one size, and it does not fit", 1, 0),
    ]
    some = [rng.randint(5, 60) for _ in range(3)]
    shape, memory = "shape '[8, 3]' is invalid", "a worker that decodes images is out of memory"
    one = "Expected more than 1 value per channel when training"
    errors = [
        ("another RuntimeError from some size on", some[0], "RuntimeError", shape),
        ("a RuntimeError with a text about memory", some[1], "RuntimeError", memory),
        ("a ValueError at every size", 1, "ValueError", one),
        ("the computer's own memory runs out", some[2], "MemoryError", ""),
    ]
    usual = {"breaks_at": None, "error": "", "text": ""}
    found = [(title, {"most": most, "limit": limit, **usual}) for title, most, limit in limits]
    for title, start, error, text in errors:
        data = {"most": many, "limit": many, "breaks_at": start, "error": error, "text": text}
        found.append((title, data))
    return found
