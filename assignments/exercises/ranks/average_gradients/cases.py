"""Cases of `average_gradients`: how many samples each rank has, and whether a layer is frozen."""

from exercise_kit import Look, Raises

looks = (
    Look("apart", "out-of-step", wants="the same exchange on every rank"),
    Look("changed", "weights-changed", says="weights changed"),
    Look("frozen", "frozen-got-one", says="gradients of frozen parameters", wants="none"),
    Look("without", "no-gradient", says="without a gradient", wants="none"),
    Look("gradients", "other-gradients", tolerance=1e-4, says="gradients"),
)
raises = (
    Raises("another-group", "ValueError", "Default process group has not been initialized"),
    Raises("none-there", "TypeError", "NoneType"),
    Raises("none-there", "AttributeError", "NoneType"),
    Raises("number-exchanged", "AttributeError", "object has no attribute 'shape'"),
)


def cases(rng):
    few = rng.randint(2, 3)
    rows = [
        ("six samples and two, as in the task", [6, 2], False),
        ("two ranks with as many samples", [few, few], False),
        ("four ranks", [few, 1, few + 2, few + 1], False),
        ("a rank without samples", [few, 0, few + 1], False),
        ("the first rank without samples", [0, few + 2, few], False),
        ("one rank has all samples", [0, few + 1], False),
        ("a frozen parameter", [few, few + 2], True),
        ("a frozen parameter, and a rank without samples", [few + 1, 0, few], True),
        ("a single rank", [few], False),
    ]

    def numbers(rows, columns):
        return [[float(rng.randint(-4, 4)) for _ in range(columns)] for _ in range(rows)]

    def case(sizes, frozen):
        first, second = ((numbers(2, n), numbers(1, 2)[0]) for n in (3, 2))
        # Targets that no weights explain.
        ranks = [(numbers(n, 3), [[20 + y for y in row] for row in numbers(n, 2)]) for n in sizes]
        return {"first": first, "second": second, "frozen": frozen, "ranks": ranks}

    return [(title, case(*row)) for title, *row in rows]
