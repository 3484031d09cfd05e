"""Cases of `fix_module`: where the batches are, where the model runs, and where it moves next.

Lengths are powers of two, so that every average is exact, in whatever order it is summed.
"""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

from ..drawing import two_devices

looks = (
    Look("form", "other-form", wants="(the list of results, the model)"),
    Look("parameters", "mean-trained", says="the parameters"),
    Look("checkpoint", "other-keys", says="the keys of `state_dict()`"),
    Look("results", parts={"device": "results-elsewhere"}, says="results"),
    # One more buffer may move with the model: steps to make the mask of.
    Look("copies", "needless-copy", most=True, spare=1, says="copies in the whole run"),
    Look("read", "number-read", says="numbers read from a GPU, by item() for example"),
    Look("later_raised", "later-raised", says="after a further move", wants="a result"),
    Look("later_copies", "needless-copy", says="copies in one call of the model"),
    Look("later_result", says="after a further move"),
    Look("later_read", "number-read", says="numbers read from a GPU in one call of the model"),
    Look("later_waits", "needless-copy", says="waits for a GPU in one call of the model"),
)
raises = (
    Raises("mean-trained", "TypeError", "as parameter 'mean'"),
    Raises("assigned-before", "KeyError", "already exists"),
    Raises("still-two-devices", "RuntimeError", "same device"),
    Raises("still-two-devices", "RuntimeError", "should be the same"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a checkpoint or a later error; None for other facts."""
    if fact == "checkpoint" and not seen:
        return "mean-not-saved"
    if fact == "later_raised" and two_devices(seen):
        return "does-not-follow"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: batches, and the devices of the batches and the model."""
    gpu, other = two_gpus(rng)
    example = [ones([4, 2], 4), ones([1, 4], 5)]
    rows: list[tuple[str, list[dict[str, Any]], str, str, str]] = [
        ("the batches as in the task, then one more", example, "cpu", "cuda:1", "cuda:1"),
        ("batches of several lengths", some(rng, 3), "cpu", gpu, gpu),
        ("the model moves on to another GPU", some(rng, 2), "cpu", gpu, other),
        ("the model goes back to the CPU", some(rng, 2), "cpu", other, "cpu"),
        ("batches that are already on the device of the model", some(rng, 3), gpu, gpu, gpu),
        ("batches on another GPU", some(rng, 2), other, gpu, gpu),
        ("the run is on the CPU, the next batch on a GPU", some(rng, 2), "cpu", "cpu", gpu),
    ]
    return [(title, case(rng, batches, *places)) for title, batches, *places in rows]


def case(
    rng: random.Random, batches: list[dict[str, Any]], start: str, device: str, then: str
) -> dict[str, Any]:
    """The data of a case: its batches, one more for later, and three devices."""
    width = len(batches[0]["batch"][0][0])
    later = padded(rng, 2, rng.randint(6, 8), width)  # more steps than the example has
    places = {"start": start, "device": device, "then": then}
    return {"batches": batches, "width": width, "later": later, **places}


def ones(lengths: list[int], steps: int) -> dict[str, Any]:
    """A batch of ones, with sequences of these lengths, padded to `steps`."""
    return {"batch": [[[1.0] * 3 for _ in range(steps)] for _ in lengths], "lengths": lengths}


def some(rng: random.Random, number: int) -> list[dict[str, Any]]:
    """Batches of two or four sequences, each padded to a length of its own."""
    width = rng.randint(2, 3)
    return [padded(rng, rng.choice((2, 4)), n, width) for n in rng.sample(range(5, 9), number)]


def padded(rng: random.Random, sequences: int, steps: int, width: int) -> dict[str, Any]:
    """A batch of sequences of one, two or four steps, padded to `steps`; the last one has four."""
    lengths = [rng.choice((1, 2, 4)) for _ in range(sequences - 1)]
    sizes = range(sequences), range(steps), range(width)
    batch = [[[float(rng.randint(1, 20)) for _ in sizes[2]] for _ in sizes[1]] for _ in sizes[0]]
    return {"batch": batch, "lengths": [*lengths, 4]}
