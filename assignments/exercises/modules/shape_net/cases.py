"""Cases of `ShapeNet`: on the CPU, on a GPU, on another of four; other classes, other widths."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ..drawing import two_devices

WHOLE = "the whole run, with those of train.py itself"
looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "raised-in-the-program", says="the program ended with"),
    Look("devices", "device-fixed", says="indices of the GPUs that held tensors"),
    Look("trained", "layer-unknown", says="number of tensors that the optimizer got"),
    Look("keys", "other-keys", says="keys in the checkpoint"),
    Look("fixed", "other-constants", says="`mean` and `std` in the checkpoint"),
    Look("weights", "computes-otherwise", says="weights"),
    Look("loss", "other-scores", tolerance=1e-4, says="the loss, as a multiple of the right one"),
    Look("shapes", "widths-fixed", says="shape of net"),
    Look("copies", "copied-in-forward", most=True, says=f"copies to the GPU in {WHOLE}"),
    Look("waits", "waits-in-forward", most=True, says=f"waits for the GPU in {WHOLE}"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error or a part of the checkpoint that differs; None if `looks` tell."""
    (run,) = data["runs"]
    words = run["words"]
    if "widths" in run:
        return "widths-fixed"
    if fact == "error":
        if "NoneType" in seen:
            return "none-used"
        if "already exists" in seen:
            return "assigned-before"
        if "three" in words and "out of bounds" in seen:
            return "classes-fixed"
        if not (two_devices(seen) and "cuda" in seen):  # dtypes meet with the same words
            return None
        return "left-behind" if words[-1] == "cuda" else "device-fixed"
    if fact == "trained":
        return "constant-trained" if seen > right else None
    if fact == "keys":
        missing = {"mean", "std"} & {*right} - {*seen}
        return "not-saved" if missing else None
    if fact == "weights":
        return "begins-otherwise" if "--lr=0" in words else None
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: one run of train.py, and the words of a run to compare with."""

    def run(device: str, devices: int, *words: str) -> dict[str, Any]:
        plain = [*words, "--epochs", "1"]
        return {
            "runs": [{"words": [*plain, "--device", device], "devices": devices}],
            "plain": plain,
        }

    narrow = sorted(4 * width for width in rng.sample(range(1, 8), 2))
    narrow_run = {"words": ["--epochs", "1", "--device", "cpu"], "widths": narrow}
    seed = f"--seed={rng.randint(1, 99)}"
    return [
        ("the CPU, with a learning rate of 0 (nothing is learned)", run("cpu", 1, "--lr=0")),
        ("a GPU, as in the task", run("cuda", 1)),
        ("a GPU that is not the current one", run(f"cuda:{rng.randint(1, 3)}", 4)),
        ("three classes, and another seed", run("cpu", 0, seed, "--data", "three")),
        ("two widths in place of three", {"runs": [narrow_run]}),
    ]
