"""Cases of `pick_device`: names of devices that are there, and of others."""

import random
import re
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

NO_DEVICE = ("'str' object has no", "'int' object has no", "'NoneType' object has no")
"""Texts of errors in a program that got something else than a device."""

NO_INDEX = ("'NoneType' and 'int'", "'int' and 'NoneType'")
"""Texts of Python's error for a comparison of None with a number."""

USED = (
    "CUDA error",
    "CUDA GPUs",
    "no NVIDIA driver",
    "not compiled",
    "not linked",
    "No backend",
    "not available",
)
"""Texts of PyTorch's errors for the use of a device that the machine does not have."""

NAME = re.compile(r"(cuda|xpu)(:\d+)?")
"""The name of an accelerator, with or without an index."""

PRESENT = ("cuda", "cuda:1", "cuda:2", "cuda:3")

looks = (
    Look("error", "raised-in-the-program", says="an error", wants="no error"),
    Look("ends", "other-device", says="end of the program"),
    Look("refusal", "said-nothing", says="the program printed"),
    Look("weights", "other-weights", says="weights"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an error, a refusal or an end that differs; None for other facts."""
    wanted = data["runs"][0]["words"][-1]
    if fact == "error":
        if any(text in seen for text in NO_DEVICE):
            return "no-device-object"
        inside = seen.endswith("(in pick_device)")
        if inside and "device string: auto" in seen:
            return "auto-is-no-name"
        if inside and any(text in seen for text in NO_INDEX):
            return "index-is-none"
        if wanted == "auto" and not data["runs"][0]["devices"]:
            return "auto-needs-a-gpu"
        if wanted == "auto" and any(text in seen for text in USED):
            return "auto-not-there"
        if wanted in ("auto", "cpu") or wanted in PRESENT[: data["runs"][0]["devices"]]:
            return "raised-inside" if inside else "raised-in-the-program"
        used = any(text in seen for text in USED)
        if inside and used and seen.startswith("AssertionError"):
            return "assertion-not-caught"
        if inside or not used:
            return "a-traceback"
        return "not-counted" if wanted.startswith("cuda") else "other-kinds"
    if fact == "refusal":
        return "name-not-said" if "without" in seen else "said-nothing"
    if fact != "ends":
        return None
    if "time" in str(seen) or "waiting" in str(seen):
        return "does-not-end"
    if seen == "at once, with code 0":
        return "code-zero"
    if "at once" in right:
        if "the CPU" in seen:
            return "cpu-instead"
        return "other-device" if NAME.fullmatch(wanted) else "no-name-accepted"
    if "at once" in seen:
        no_gpu = wanted == "auto" and "the CPU" in right
        return "auto-needs-a-gpu" if no_gpu else "refused-needlessly"
    return "auto-leaves-the-gpu" if wanted == "auto" else "other-device"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a name for `--device`, and the machine's number of GPUs."""
    other = rng.choice(["xpu", "xpu:0"])
    rows = [
        ("a GPU of four", f"cuda:{rng.randint(1, 3)}", 4),
        ("the CPU, as in the task, on a machine with a GPU", "cpu", 1),
        ("`cuda`, on a machine with one GPU", "cuda", 1),
        ("auto, on a machine with a GPU", "auto", 1),
        ("auto, on a machine without a GPU", "auto", 0),
        ("`cuda`, on a machine without a GPU", "cuda", 0),
        ("`cuda:1`, on a machine with one GPU", "cuda:1", 1),
        ("`cuda:10`, on a machine with four GPUs", "cuda:10", 4),
        ("`cuda:-1`, a negative index", "cuda:-1", 1),
        ("`gpu`, which is not the name of a device", "gpu", 1),
        ("`cuda1`, a name without its colon", "cuda1", 4),
        ("`CUDA`, a name in capitals", "CUDA", 1),
        ("a number alone", rng.choice(["0", "1"]), 4),
        ("a device of another kind, which does not exist here", other, 1),
    ]
    return [
        (title, {"runs": [{"words": ["--epochs", "1", "--device", name], "devices": devices}]})
        for title, name, devices in rows
    ]
