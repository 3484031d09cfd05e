"""What the cases of this topic are drawn from: names and values for a small model."""

import random


def some_names(rng: random.Random) -> list[str]:
    """Names for a layer, a normalisation and a head."""
    return [
        rng.choice(("body", "features", "trunk", "stem")),
        rng.choice(("norm", "scale", "bn")),
        rng.choice(("head", "top", "classifier")),
    ]


def some_values(rng: random.Random) -> list[float]:
    """Different whole numbers, without zero, as many as the model's state dict has."""
    return [float(number) for number in rng.sample(range(2, 60), 18)]
