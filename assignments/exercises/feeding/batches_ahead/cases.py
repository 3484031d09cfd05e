"""Cases of `batches_ahead`: epochs of several batches and of one, on this GPU and on that."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "raised-in-the-program", says="the program ended with"),
    Look("devices", "copied-too-often", says="GPUs that hold tensors"),
    Look("steps", "batch-lost", says="training steps"),
    Look("weights", "batch-changed", says="weights"),
    Look("copies", "copied-too-often", says="copies"),
    Look("waits", "synchronized", most=True, says="waits of the program for the GPU"),
    Look("elsewhere", "stream-left-switched", says="work of the training in other streams"),
    Look("beside", "one-stream", says="copies in the stream of the training"),
    Look("in_a_row", "not-ahead", says="copies queued before anything was computed"),
    Look(
        "hazards", "copy-not-waited-for", says="work that uses a batch before its copy is complete"
    ),
    Look("alone", "no-overlap", most=True, says="copies while nothing was computed"),
    Look("given_away", "memory-given-away", says="memory freed for reuse while it is in use"),
)

ERRORS = {
    "StopIteration": "end-not-handled",
    "'NoneType' object is not iterable (in train_epoch)": "nothing-returned",
    "'int' object is not iterable (in train_epoch)": "other-form",
    "not subscriptable": "index-asked-for",
    "on the same device": "left-behind",
    "number of channels": "batch-changed",
    "values to unpack": "batch-changed",
    "non-iterable NoneType": "more-than-the-batches",
}
"""What the program says that gets other batches than it should."""


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, or for a number that tells its cause; None for other facts."""
    words = data["runs"][0]["words"]
    if fact == "error":
        found = (name for text, name in ERRORS.items() if text in seen)
        return "needs-a-gpu" if words[-1] == "cpu" else next(found, None)
    if fact == "waits":
        steps = 2 * (24 // int(words[1])) + 2  # of training and of the test, in two epochs
        return "host-waits-for-the-copy" if seen - right == 2 * steps else None
    if fact == "steps" and seen is not None:
        return "more-than-the-batches" if seen > right else None
    if fact == "in_a_row":
        return "too-far-ahead" if seen > right else None
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the command-line words of a run, and its number of GPUs."""

    def run(batch: int, name: str, devices: int) -> dict[str, Any]:
        words = ["--batch", f"{batch}", "--epochs", "2", "--device", name]
        return {"runs": [{"words": words, "devices": devices}], "plain": words[:4]}

    return [
        ("an epoch of three batches, as in the task", run(8, "cuda", 1)),
        ("a GPU that is not the current one", run(8, f"cuda:{rng.randint(1, 3)}", 4)),
        ("a longer epoch", run(rng.randint(3, 4), "cuda", 1)),
        ("an epoch of one batch", run(24, "cuda", 1)),
        ("the CPU", run(8, "cpu", 1)),
    ]
