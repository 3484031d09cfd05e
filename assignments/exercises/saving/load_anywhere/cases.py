"""Cases of `load_anywhere`: where the file, the model and the caller are, and what is in the file.

Errors tell by their numbers where a GPU was named: `cuda:7` by the only tag of a file, the forties
by one of two. Whoever gets by the first case follows no single tag.
"""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import GPUS
from exercise_kit import Look, Raises

from ..drawing import some_names, some_values

looks = (
    Look("ran", "objects-run", says="code from the file was run"),
    Look("objects_refused", "refusal-swallowed", says="an error reached the caller"),
    Look("keys_refused", "silent-mismatch", says="an error reached the caller"),
    Look("one_more_refused", "key-left-over", says="an error reached the caller"),
    Look("numbers_refused", "refusal-swallowed", says="an error reached the caller"),
    Look("kept", "file-changed", says="the file is unchanged"),
    Look("returned", "not-the-model", wants="the model"),
    Look("replaced", "parameters-replaced", says="number of replaced parameters"),
    Look("devices", "wrong-device", says="devices of the model"),
    Look("dtypes", "dtype-changed", says="dtypes of the model"),
    Look("values", "not-loaded", says="state_dict"),
    Look("detour", "detour", says="copies to or from other GPUs", wants="no other GPU"),
)
raises = (
    Raises("number-as-place", "TypeError", "'int' object is not callable"),
    Raises("tag-followed", "RuntimeError", "object on CUDA device 7 but"),
    Raises("one-tag-mapped", "RuntimeError", "object on CUDA device 4"),
    Raises("gpu-not-here", "RuntimeError", "Attempting to deserialize object"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for a model that is still on its first device; None for other facts."""
    return "model-left-behind" if fact == "devices" and data["start"] in seen else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: file, model, machine, and a fault of the file."""
    gpu, other, third = rng.sample(GPUS[1:], 3)
    far, *two = (f"cuda:{number}" for number in (rng.randint(5, 9), *rng.sample(range(40, 50), 2)))
    example = {"tags": ["cuda:7"], "device": "cuda:1", "names": ["0", "1", "2"]}
    rows: list[tuple[str, dict[str, Any]]] = [
        ("the task's example, a file from a GPU that does not exist here", example),
        ("a model on another GPU", {"start": other, "device": gpu}),
        (
            "a file with two tags, both of GPUs that do not exist here",
            {"tags": two, "device": other},
        ),
        ("a machine without a GPU", {"tags": [other], "gpus": 0}),
        ("a file with two tags, on a machine without a GPU", {"tags": [gpu, two[0]], "gpus": 0}),
        (
            "a machine with fewer GPUs than the other one",
            {"tags": [other], "device": "cuda:0", "gpus": 1},
        ),
        ("a file whose tag fits", {"tags": [gpu], "start": gpu, "device": gpu}),
        (
            "a file from a GPU that exists here, but is not `device`",
            {"tags": [third], "start": other, "device": gpu},
        ),
        ("a model that moves from a GPU to the CPU", {"tags": [gpu], "start": gpu}),
        ("a model in float64", {"tags": [far], "device": gpu, "dtype": "float64"}),
        (
            "a file with more than tensors in it",
            {"tags": [gpu], "device": other, "fault": "objects"},
        ),
        ("a file whose keys do not fit", {"tags": [far], "device": gpu, "fault": "keys"}),
        ("a file with a key too many", {"tags": [far], "device": gpu, "fault": "one_more"}),
        ("a file with a number in it", {"tags": [far], "device": gpu, "fault": "numbers"}),
    ]
    usual = {"tags": ["cpu"], "start": "cpu", "device": "cpu", "gpus": 4, "dtype": "float32"}
    return [
        (title, {"fault": "", "names": some_names(rng), "values": some_values(rng), **usual, **row})
        for title, row in rows
    ]
