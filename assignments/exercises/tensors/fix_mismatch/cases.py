"""Cases of `fix_mismatch`: where batches, mean and `weight` are, and what need not move.

With these numbers of batches, rows and columns, no two needless copies have as many bytes.
"""

import random
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

from ..drawing import described, some_tensor

looks = (
    Look("result", tolerance=1e-4, parts={"device": "result-elsewhere"}),
    Look("away", "copied-away", says="copies and numbers that left the device of `weight`"),
    Look("bytes", "needless-copy", most=True, says="bytes copied in the whole run"),
    Look("copies", "needless-copy", most=True, says="copies in the whole run"),
)
raises = (Raises("mismatch-left", "RuntimeError", "same device"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: described batches, targets, `weight` and mean."""
    gpu, other = two_gpus(rng)
    several = rng.randint(5, 6)

    def drawn(
        place: str,
        data: str = "cpu",
        mean: str = "cpu",
        count: int = several,
        last: int | None = None,
    ) -> dict[str, Any]:
        rows, columns = rng.randint(2, 3), rng.randint(3, 5)
        sizes = [*[rows] * (count - 1), last or rows]
        return {
            "batches": described([some_tensor(rng, data, (n, columns)) for n in sizes]),
            "targets": described([some_tensor(rng, data, (n,)) for n in sizes]),
            "weight": some_tensor(rng, place, (columns,)),
            "mean": some_tensor(rng, mean, (columns,)),
        }

    return [
        ("the program's own case: `weight` on cuda:1", drawn("cuda:1")),
        ("`weight` on another GPU", drawn(rng.choice(("cuda:2", "cuda:3")))),
        ("a last batch with fewer rows", drawn(gpu, last=1)),
        ("a single batch", drawn(gpu, count=1)),
        ("the mean is there already", drawn(gpu, mean=gpu)),
        ("the batches are there already", drawn(other, data=other)),
        ("everything is there already", drawn(gpu, data=gpu, mean=gpu)),
        ("batches on one GPU, `weight` on another", drawn(gpu, data=other)),
        ("everything on the CPU", drawn("cpu")),
    ]
