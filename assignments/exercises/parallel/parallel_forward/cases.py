"""Cases of `parallel_forward`: batches, GPUs and modules, all of small whole numbers."""

from exercise_kit import Look, Raises


def idle(data):
    """Whether there are fewer parts than GPUs."""
    return -(-len(data["x"]) // -(-len(data["x"]) // len(data["gpus"]))) < len(data["gpus"])


looks = (
    Look("wrapped", "wrapper-used", says="calls of the wrapper"),
    Look("module", "module-changed", says="changed in the module", wants="nothing"),
    Look("early", "backward-called", says="parameters that already have a gradient"),
    Look("ran", "other-parts", any_order=True, says="samples, and first value, of each run"),
    Look("ran_on", "other-gpu", any_order=True, says="GPU, samples and first value of each run"),
    Look("result", parts={"shape": "samples-lost", "device": "result-elsewhere"}),
    Look("gradients", "other-gradients", says="gradients"),
)
raises = (
    Raises("more-replicas-than-parts", "AssertionError", "is not equal to the number", idle),
    Raises("more-replicas-than-parts", "IndexError", "", idle),
    Raises("more-replicas-than-parts", "ValueError", "zip()", idle),
    Raises("joined-while-apart", "RuntimeError", "_cat)"),
    Raises("other-gpu", "RuntimeError", "All tensors must be on devices[0]"),
    Raises("part-met-other-device", "RuntimeError", "on the same device"),
)


def explain(fact, seen, right, data):
    if fact != "result":
        return None
    if seen["type"] in ("list", "tuple") and all(
        each["type"] == "Tensor" for each in seen["items"]
    ):
        return "not-gathered"
    values, wanted = seen.get("values"), right["values"]
    if not values or seen["shape"] != right["shape"] or values == wanted:
        return None
    return "order-changed" if sorted(values, key=str) == sorted(wanted, key=str) else None


def cases(rng):
    low, high = rng.sample(range(1, 4), 2)
    every, others = [0, 1, 2, 3], [0, *sorted({1, 2, 3} - {low, high})]
    rows = [
        ("parts of one length, on two GPUs", "linear", 4, [0, 1], "cuda:0"),
        ("the task's example: ten samples on four GPUs", "linear", 10, every, "cpu"),
        ("a batch on the main GPU", "linear", 16, every, "cuda:0"),
        ("a part for fewer GPUs than there are", "linear", rng.choice((5, 9)), every, "cpu"),
        ("a main GPU that is not cuda:0", "linear", rng.randint(6, 9), [low, 0, high], "cpu"),
        ("GPUs in descending order", "deep", rng.randint(10, 15), [3, 2, 1, 0], "cuda:0"),
        ("a module with a buffer", "shifted", rng.randint(6, 11), [high, low], "cpu"),
        ("fewer samples than GPUs", "shifted", rng.randint(2, 3), every, "cuda:0"),
        ("a single sample", "linear", 1, [high, 0], "cpu"),
        ("a single GPU", "deep", rng.randint(3, 8), [low], "cpu"),
        ("a batch on the last of the GPUs", "deep", 10, [low, *others, high], f"cuda:{high}"),
    ]
    return [(title, case(rng, *row)) for title, *row in rows]


def case(rng, kind, rows, gpus, place):
    def some(count):
        return [float(rng.choice((-2, -1, 1, 2))) for _ in range(count)]

    # Every row gives an output of its own, and with units of opposite sign each row reaches one of
    # them even after relu: no part of the batch is without a gradient.
    unit = [rng.choice((-20.0, 20.0)), *some(2)]
    weight = [unit, [-number for number in unit]]
    x = [[float(row + 1), *some(2)] for row in range(rows)]
    rng.shuffle(x)
    model = {"kind": kind, "weight": weight, "bias": [2.0, 3.0], "shift": some(3)}
    return {**model, "x": x, "gpus": gpus, "place": place}
