"""Cases of `fix_ranks`: how many ranks, samples and epochs."""

from exercise_kit import Look, Raises

looks = (
    Look("apart", "out-of-step", wants="the same exchange on every rank"),
    Look("samples", "other-samples", says="numbers of the samples"),
    Look("steps", "ranks-differ", tolerance=1e-4, says="difference from rank 0 in all steps"),
    Look("starts", "ranks-differ", tolerance=1e-4, says="difference from rank 0 at first"),
    Look("start", "other-weights", tolerance=1e-4, says="weights at first"),
    Look("weights", "other-weights", tolerance=1e-4, says="weights in the end"),
    Look("equal", "ranks-differ", says="in the end equal to rank 0, to the last bit"),
    Look("result", "other-losses", tolerance=1e-3, says="returned by rank 0"),
)
raises = (Raises("another-group", "ValueError", "Default process group has not been initialized"),)


def cases(rng):
    rows = [
        ("two ranks, one epoch", 2, 8, 1),
        ("two ranks, several epochs", 2, 8, 3),
        ("samples that cannot be shared evenly", 3, 10, 2),
        ("a smaller last batch on every rank", 2, 10, 2),
        ("four ranks", 4, 16, 2),
        ("a single rank", 1, 6, 2),
    ]

    def numbers(count, largest=2):
        return [float(rng.randint(-largest, largest)) for _ in range(count)]

    def case(ranks, count, epochs):
        batch = [[number / 8, *numbers(2)] for number in range(count)]
        # Targets that no weights explain.
        targets = [[8 + y] for y in numbers(count, 4)]
        # The first weight of each rank is none that another one has.
        starts = [([[float(rank), *numbers(2)]], numbers(1)) for rank in range(ranks)]
        rng.shuffle(starts)
        return {"ranks": starts, "batch": batch, "targets": targets, "epochs": epochs}

    return [(title, case(*row)) for title, *row in rows]
