"""Cases of `steady`: how many images there are."""

import random
from typing import Any

from exercise_kit import Look, Raises

looks = (
    Look("form", "other-form", wants="a DataLoader"),
    Look("failed", "images-not-listed", says="an epoch ended with", wants="two epochs"),
    Look("batches", "other-batches", says="the batches of two epochs"),
    Look("workers", "other-number-of-workers", says="num_workers of the loader"),
    Look("readers", "other-workers", says="images read by"),
    Look("restarted", "workers-restarted", says="epoch 2 read by"),
    Look("requests", "one-request-for-an-image", says="requests in two epochs"),
)
raises = (Raises("no-workers-to-keep", "ValueError", "persistent_workers"),)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. count: of the images."""
    return [
        ("three full batches", {"count": 90}),
        ("a last batch that is smaller", {"count": 60 + rng.randint(2, 28)}),
    ]
