"""Cases of `validate`: few batches and many, on a GPU and on the CPU."""

from course_utils.checking.drawing import one_gpu
from exercise_kit import Look

looks = (
    Look("result", tolerance=1e-4),
    Look("parameters", "parameters-switched", says="parameters that can be trained"),
    Look("gradients", "gradients-made", says="parameters that have a gradient"),
    Look("calls", "other-calls", says="calls of the model"),
    # Each loss that is kept takes a block of 512 bytes.
    Look(
        "grows",
        "keeps-growing",
        most=True,
        spare=64 * 1024,
        says="bytes more in use at the last batch than at the second",
        wants="next to none",
    ),
)


def cases(rng):
    gpu = one_gpu(rng)

    def drawn(device, rows):
        return {
            "model": {"device": device, "slope": rng.randint(1, 8) / 16},
            "batches": [
                {"device": device, "rows": count, "value": rng.randint(1, 6) / 4} for count in rows
            ],
        }

    return [
        ("four batches on a GPU", drawn(gpu, [64] * 4)),
        ("a last batch with fewer rows", drawn(gpu, [64, 64, 16])),
        ("a single batch", drawn(gpu, [64])),
        ("twenty batches", drawn(gpu, [64] * 20)),
        ("everything on the CPU", drawn("cpu", [64] * 3)),
    ]
