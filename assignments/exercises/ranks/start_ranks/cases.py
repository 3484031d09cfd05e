"""Cases of `start_ranks` and `batches_of`: two processes, one, and calls as each of several."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

SAME = "those of one process"

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "raised-in-the-program", says="the exit code, or the last line"),
    Look("steps", "other-steps", says="number of batches in an epoch, by rank"),
    Look("order", "other-batches", says="the batches", wants=SAME),
    Look("missing", "images-missing", says="images of whole batches that no rank has"),
    Look("twice", "images-twice", says="images that come again, on this rank or another"),
    Look("uneven", "shares-uneven", most=True, says="images by which shares of a batch differ"),
    Look("backend", "gloo-on-gpus", says="backend, by rank"),
    Look("held", "other-card", says="cards with tensors, by rank"),
    Look("current", "not-set", says="the current card, by rank"),
    Look("weights", "ranks-differ", says="the weights of all ranks are equal"),
    Look("losses", "other-training", tolerance=1e-3, says="losses, as multiples of the right ones"),
)

ERRORS = {
    "Waits: ": "ranks-wait",
    "Duplicate GPU": "same-card",
    "has not been initialized": "not-joined",
    "NoneType": "nothing-returned",
    "specified index": "no-index",
    "KeyError: 'LOCAL_RANK'": "started-alone",
    "environment variable": "started-alone",
    "No backend type": "nccl-on-the-cpu",
    "NCCL built in": "nccl-on-the-cpu",
    "requires GPU": "nccl-on-the-cpu",
    "not compiled with CUDA": "needs-a-gpu",
    "_cuda_setDevice": "needs-a-gpu",
    "No CUDA GPUs": "needs-a-gpu",
    "no NVIDIA driver": "needs-a-gpu",
}
"""Findings by a text of the program's error."""


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, another end or other batches; None if `looks` tell."""
    (asked,) = data["runs"]
    refused = {"error": "a-traceback", "ends": "no-sentence" if seen else "not-refused"}
    if data.get("refused"):
        return refused.get(fact)
    if fact == "error":
        return next((name for text, name in ERRORS.items() if text in seen), None)
    if fact == "ends":
        return "refused" if "calls" in asked and isinstance(seen, str) else None
    if fact == "steps" and None not in seen:
        if len(seen) > 1 and sum(seen) == right[0]:
            return "batches-shared-out"
        return "one-too-many" if set(seen) == {right[0] + 1} else None
    if fact == "order":
        return "drawn-apart" if "each rank" in seen else None
    if fact == "backend":
        return "joined-alone" if len(seen) == 1 else None
    if fact == "twice":
        ranks, count, size = asked.get("calls") or (2, 24, data["batch"])
        return None if seen % (count // size * size * (ranks - 1)) else "whole-batches"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: one run, and the words of a run of one process."""

    def run(batch: int, device: str, epochs: int = 1, **where: int) -> dict[str, Any]:
        plain = ["--batch", f"{batch}", "--epochs", f"{epochs}"]
        runs = [{"words": [*plain, "--device", device], **where}]
        return {"runs": runs, "plain": plain, "batch": batch}

    def called(ranks: int, count: int, size: int) -> dict[str, Any]:
        refused = not ranks <= size <= count
        return {"runs": [{"words": [], "calls": [ranks, count, size]}], "refused": refused}

    size, rest = rng.choice([10, 14]), rng.randint(2, 7)
    return [
        ("one process on the CPU", run(8, "cpu")),
        ("one process and one GPU", run(8, "cuda", devices=1)),
        ("one process on a chosen GPU", run(8, f"cuda:{rng.randint(1, 3)}", devices=4)),
        ("one of four processes, and a rest", called(4, 3 * size + rest, size)),
        ("an image for each of four processes", called(4, 4 * rng.randint(4, 9) + 3, 4)),
        ("all images in one batch", called(2, size, size)),
        ("fewer images in a batch than processes", called(4, 3 * size, 3)),
        ("a batch of more images than there are", called(2, size, size + 1)),
        ("two processes on two GPUs, as in the task", run(8, "cuda", 2, devices=2, ranks=2)),
        ("two processes on the CPU", run(rng.choice([7, 9]), "cpu", 2, ranks=2)),
    ]
