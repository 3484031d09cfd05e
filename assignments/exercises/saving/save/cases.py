"""Cases of `save` and `resume`: runs that are killed at any moment, and go on here or elsewhere."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("system", "file-refused", says="message of the system", wants="nothing"),
    Look("ends", "cannot-go-on", says="how the runs ended"),
    Look("files", "torn-file", says="left at `path` by each run"),
    Look("begins", "begins-again", says="first epoch of each run"),
    Look("over", "written-over", says="a run wrote into the file of an earlier run"),
    Look("spare", "moved-from-elsewhere", says="before it gets its name, the new file is in"),
    Look("said", "said-nothing", says="each run printed something"),
    Look("epochs", "begins-again", says="epochs in the log"),
    Look("steps", "optimizer-not-restored", says="steps counted by the optimizer"),
    Look("generator", "generator-not-restored", says="state of the generator at the end"),
    Look("weights", "weights-not-restored", says="weights"),
)

ERRORS = {
    "on a CUDA device": "no-map-location",
    "No CUDA GPUs": "no-map-location",
    "RNG state must be": "generator-moved",
    "'NoneType' has no len": "log-not-returned",
}
"""What the program says that goes on from a checkpoint."""


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, an end or a file that differs; None for other facts."""
    stop = data["runs"][0].get("stop", {})
    others = "--batch=6" in data["runs"][-1]["words"]
    if fact == "error":
        found = (name for text, name in ERRORS.items() if text in seen)
        return "a-traceback" if others else next(found, None)
    if fact == "system":
        if seen.endswith("No such file or directory: 'run.pt'") and not stop:
            return "no-file-refused"
        return "torn-file" if "Invalid argument" in seen else None
    if fact == "ends":
        if others:
            return "other-settings-accepted"
        if "keeps" in data["runs"][-1]:
            return "starts-over"
        # Nothing was renamed, so that each save went over the old one.
        return "written-over" if "event" in stop else None
    if fact == "files":
        first = next(one for one, wanted in zip(seen, right, strict=False) if one != wanted)
        if "Unpickling" in first:
            return "not-by-torch"
        if "part" in first:
            return "state-incomplete"
        if first == "no checkpoint":
            return "old-one-removed" if stop else "no-checkpoint"
    return "old-one-removed" if fact == "begins" and "event" in stop else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: runs of train.py, and the words of the one without a stop."""
    words = ["--epochs=3", "--batch=12"]

    def begun(after: int = 1, device: str = "cpu", **stop: Any) -> dict[str, Any]:
        there = {"words": [*words, f"--device={device}"], "devices": int(device != "cpu")}
        return {**there, "stop": {"after": f"epoch {after}:", **stop}}

    on = {"words": [*words, "--resume"]}
    on_cuda = {"words": [*on["words"], "--device=cuda"], "devices": 1}
    changes = ("--seed=7", "--lr=0.01", "--bf16", "--batch=6")
    others = [{"words": [*words, change, "--resume"]} for change in changes]
    killed: dict[str, Any] = {"signal": 9}
    rows: list[tuple[Any, ...]] = [
        ("there is no checkpoint yet", on),
        ("killed after an epoch, as in the task", begun(rng.randint(1, 2), **killed), on),
        ("killed in the middle of a save", begun(most=rng.randint(2, 60) * 1000), on),
        ("killed just before a file gets its name", begun(event="os.rename"), on),
        ("killed just before the next file gets its name", begun(event="os.rename", times=2), on),
        (
            "begun on a GPU, continued without one, then on a GPU again",
            begun(device="cuda", **killed),
            {**on, "stop": {"after": "epoch 2:", **killed}},
            on_cuda,
        ),
        ("continued with other settings", begun(**killed), *others),
        ("the file is cut off", begun(**killed), {**on, "keeps": rng.randint(2, 60) * 100}),
    ]
    return [(title, {"runs": [*runs], "plain": words}) for title, *runs in rows]
