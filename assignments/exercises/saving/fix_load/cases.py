"""Cases of `fix_load`: where the file comes from, and what the machine has.

Whole numbers, and a std that divides them without rest, so that sums are exact. All of the trained
model are positive, so that it gives more for a batch that is not normalised, and less before it is
loaded.
"""

from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a list with one tensor per batch"),
    Look("outputs", "other-outputs", parts={"device": "wrong-device"}, says="outputs"),
    Look("model", "model-elsewhere", says="the model is on"),
    Look("detour", "detour", says="copies to or from", wants="no other GPU"),
    # What is in the file may cross three times: loaded to the device directly, copied into the
    # model on the CPU, and moved with it. There are six tensors in it.
    Look("copies", "copied-in-every-step", most=True, spare=12, says="copies in the whole run"),
)
raises = (
    Raises("gpu-not-here", "RuntimeError", "Attempting to deserialize object"),
    Raises("keys-do-not-fit", "RuntimeError", "key(s) in state_dict"),
    Raises("two-devices", "RuntimeError", "Expected all tensors to be on the same device"),
    Raises("two-devices", "RuntimeError", "different from other tensors on"),
)


def cases(rng):
    server = f"cuda:{rng.randint(2, 6)}"
    rows = [
        (
            "the program's own case, a file from cuda:7 on a machine with two GPUs",
            {"tags": ["cuda:7"], "device": "cuda:0"},
        ),
        ("the second of two GPUs", {"device": "cuda:1"}),
        ("a file from the GPU that is not asked for", {"tags": ["cuda:0"], "device": "cuda:1"}),
        ("a machine without a GPU", {"tags": ["cuda:0"], "device": "cpu", "gpus": 0}),
        ("a file from the CPU", {"tags": ["cpu"], "device": "cuda:1"}),
        ("a single batch", {"device": "cuda:0", "batches": batches(rng, 1)}),
        ("many batches", {"device": "cuda:1", "batches": batches(rng, rng.randint(20, 24))}),
    ]
    usual = {"tags": [server], "gpus": 2}
    return [(title, {**usual, **numbers(rng), **row}) for title, row in rows]


def numbers(rng):
    trained = [float(rng.randint(1, 3)) for _ in range(9)]
    return {
        "trained": trained,
        "own": [-number for number in trained],
        "mean": [rng.choice((1.0, 2.0, 3.0)) for _ in range(2)],
        "std": rng.sample((2.0, 4.0), 2),
        "batches": batches(rng, 3),
    }


def batches(rng, count):
    return [[[float(rng.randint(4, 9)) for _ in "xy"] for _ in range(2)] for _ in range(count)]
