"""Cases of `train_epoch`: epochs on the CPU and on GPUs, with images left over, and in company."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look


def how_often(waits: int, right: int, data: Mapping[str, Any]) -> str:
    """The finding for waits: whether they are at least one in every step of the two epochs."""
    batches = 24 // int(data["runs"][0]["words"][1])  # of 24 images
    return "waits-besides" if waits - right < 2 * (batches - 1) else "waits-in-every-step"


looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "raised-in-the-program", says="the program ended with"),
    Look("devices", "left-behind", says="GPUs that hold tensors"),
    Look("mode", "not-in-training-mode", says="mode of the model during training"),
    Look("steps", "steps-missing", says="training steps"),
    Look("parts", "part-not-used", says="functions of train.py"),
    Look(
        "losses", "other-training", tolerance=0.005, says="losses, as multiples of the right ones"
    ),
    Look("weights", "other-training", says="weights"),
    Look("early", "read-too-early", says="numbers read before their copy was complete"),
    Look(
        "waits",
        how_often,
        most=True,
        says="waits of the whole program in two epochs",
    ),
    Look("pinned", "other-load", says="copies from pinned memory to a GPU"),
)

ERRORS = {
    "NoneType.__format__": "nothing-returned",
    "on the same device": "left-behind",
    "not compiled with CUDA": "needs-a-gpu",
    "no NVIDIA driver": "needs-a-gpu",
    "No CUDA GPUs": "needs-a-gpu",
    "Expected a cuda device": "needs-a-gpu",
    "grad_fn (in train_epoch)": "backward-again",
    "does not require grad": "no-gradients",
    "object is not callable (in train_epoch)": "name-taken",
    "cannot access local variable 'total'": "name-taken",
    "total adds up tensors": "total-of-a-number",
}
"""Findings by a text of the program's error."""


PARTS = {"load": "other-load", "total": "one-process-only"}
"""Findings by the function of the program that was called otherwise, or not at all."""

HOW = {"own result": "total-twice", "again and again": "total-in-every-step"}
"""Findings by a text on how `total` was called."""


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, losses or calls of functions that differ; None for other facts."""
    if fact == "error":
        return next((name for text, name in ERRORS.items() if text in seen), None)
    if fact == "losses" and isinstance(seen, str):
        return "not-a-number"
    if fact == "losses" and "twin" in data["runs"][0]:
        return "other-images-counted"
    if fact == "parts":
        name = next(name for name in right if seen.get(name) != right[name])
        return next(
            (found for how, found in HOW.items() if how in seen.get(name, "")), PARTS.get(name)
        )
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: one run of train.py, and the words of a run to compare with."""

    def run(batch: int, name: str, devices: int) -> dict[str, Any]:
        words = ["--batch", f"{batch}", "--epochs", "2", "--device", name]
        return {"runs": [{"words": words, "devices": devices}], "plain": words[:4]}

    company = ["--batch", "16", "--epochs", "2", "--device", "cpu", "--workers", "2"]
    twin = {"runs": [{"words": company, "twin": True}], "plain": ["--batch", "8", "--epochs", "2"]}

    return [
        ("the CPU", run(8, "cpu", 0)),
        ("one GPU and six batches in an epoch, as in the task", run(4, "cuda", 1)),
        ("a GPU that is not the current one", run(8, f"cuda:{rng.randint(1, 3)}", 4)),
        ("images left over", run(rng.choice([7, 10]), "cuda", 1)),
        ("one of two processes, with half of each batch", twin),
    ]
