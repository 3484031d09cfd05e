"""Cases of `mean_loss`: few batches and many, on a GPU and on the CPU."""

from course_utils.checking.drawing import nested, one_gpu, tensor
from exercise_kit import Look


def how_often(waits, right, data):
    return "waits-every-step" if waits >= len(data["batches"]) else "waits-again"


looks = (
    Look("result", tolerance=1e-4),
    Look("early", "read-too-early", says="numbers that were read before their copy was there"),
    Look("synchronized", "synchronizes", most=True, says="calls of `synchronize`"),
    Look("waits", how_often, most=True, says="times that the program waited for the GPU"),
)


def cases(rng):
    gpu = one_gpu(rng)

    def small(device, shape):
        """Quarters, so that a loss is about as large as 1."""
        return tensor(nested(shape, lambda: rng.randint(1, 6) / 4), device)

    def drawn(device, rows):
        columns = rng.randint(2, 4)
        return {
            "batches": [small(device, (count, columns)) for count in rows],
            "weight": small(device, (columns,)),
        }

    return [
        ("four batches on a GPU", drawn(gpu, [3, 3, 3, 3])),
        ("a last batch with fewer rows", drawn(gpu, [4, 4, 1])),
        ("a single batch", drawn(gpu, [3])),
        ("thirty batches", drawn(gpu, [2] * 30)),
        ("everything on the CPU", drawn("cpu", [3, 3])),
    ]
