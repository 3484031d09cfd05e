"""Judge `saving.load_anywhere`.

What a right answer leaves behind follows from the case: the values of the file, on the device that
was asked for, in the model's own parameters.
"""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.saving.material import GPUS, net_state, some_names, some_values

TAG_FOLLOWED = FindingKind(
    name="tag-followed",
    title="the file's tags led to a GPU that is not here",
    explanation="Each storage in a file carries the name of the device it was saved from, and "
    "`torch.load` puts it there again, unless you say where it is to go.",
    next_step="Tell `torch.load` the place with `map_location`.",
)
ONE_TAG_MAPPED = FindingKind(
    name="one-tag-mapped",
    title="only some of the file's tags were taken care of",
    explanation="A dict as `map_location` moves the tags that it names; all others are followed. "
    "One file may hold storages of several devices.",
    next_step="Choose a form of `map_location` that holds for every tag.",
)
GPU_TAKEN_FOR_GRANTED = FindingKind(
    name="gpu-taken-for-granted",
    title="the tensors were sent to a GPU that this machine does not have",
    explanation="A place that is written into the code exists on some machines only. The CPU, and "
    "the device that the caller asks for, exist.",
    next_step="Load to one of these two places.",
)
NUMBER_AS_PLACE = FindingKind(
    name="number-as-place",
    title="a bare number is no place for `torch.load`",
    explanation="What is neither a text, a device nor a dict is called as a function. Also, not "
    "every device has a number: the CPU has none.",
    next_step="Pass a text such as `\"cpu\"`, or the device itself.",
)
DETOUR = FindingKind(
    name="detour",
    title="the weights passed through a GPU that nobody asked for",
    explanation="They end in the right place, but on their way they take memory of another card, "
    "which may be busy.",
    next_step="Load to the CPU or directly to the device that was asked for.",
)
NOT_THE_MODEL = FindingKind(
    name="not-the-model",
    title="the function does not return the model",
    explanation="`load_state_dict` returns a list of missing and unexpected keys, and "
    "`torch.load` what is in the file. A copy is another model.",
    next_step="Return `model` in a line of its own.",
)
WRONG_PLACE = FindingKind(
    name="model-left-behind",
    title="the model is not on the device that was asked for",
    explanation="`map_location` places the tensors that are loaded. `load_state_dict` copies "
    "their values to where the model is, and the model stays there.",
    next_step="Move the model as well.",
)
PARAMETERS_REPLACED = FindingKind(
    name="parameters-replaced",
    title="the model has new parameter objects",
    explanation="With `assign=True`, or by setting attributes, the loaded tensors take the place "
    "of the old parameters. An optimizer that was made before goes on training the old ones.",
    next_step="Copy the values into the parameters that are there: plain `load_state_dict`.",
)
DTYPE_CHANGED = FindingKind(
    name="dtype-changed",
    title="the model's dtype is another one now",
    explanation="The model decides about its dtype as it does about its place: "
    "`load_state_dict` converts what it copies.",
    next_step="Leave the dtype alone when you move the model.",
)
NOT_LOADED = FindingKind(
    name="not-loaded",
    title="the model does not have the file's values",
    explanation="A state dict that was read, or prepared, is not in the model yet.",
    next_step="Hand what you loaded to `model.load_state_dict`.",
)
OBJECTS_RUN = FindingKind(
    name="objects-run",
    title="code from the file was run",
    explanation="This file holds more than tensors. With `weights_only=False`, reading a file "
    "means to run what it says, and anyone could have written it.",
    next_step="Leave `weights_only` at its default.",
)
REFUSAL_SWALLOWED = FindingKind(
    name="refusal-swallowed",
    title="an error was swallowed",
    explanation="The file could not be used, and the caller got a model as if it had been.",
    next_step="Let the error pass: catch only what you can cure.",
)
SILENT_MISMATCH = FindingKind(
    name="silent-mismatch",
    title="a file with other keys was taken without a word",
    explanation="With `strict=False` no key has to fit. Here none does: nothing was loaded, and "
    "nobody was told.",
    next_step="Leave `strict` at its default.",
)
FILE_CHANGED = FindingKind(
    name="file-changed",
    title="the file is not what it was",
    explanation="Loading is reading. The file may be the only one of its kind.",
    next_step="Change what you loaded, in memory, and leave the file alone.",
)

FORGED = range(40, 90)
"""GPUs that no machine of this course has."""


class LoadAnywhere(Judge):
    """Names what happened to the weights on their way into the model."""

    name = "saving.load_anywhere"
    findings = (
        TAG_FOLLOWED,
        ONE_TAG_MAPPED,
        GPU_TAKEN_FOR_GRANTED,
        NUMBER_AS_PLACE,
        DETOUR,
        NOT_THE_MODEL,
        WRONG_PLACE,
        PARAMETERS_REPLACED,
        DTYPE_CHANGED,
        NOT_LOADED,
        OBJECTS_RUN,
        REFUSAL_SWALLOWED,
        SILENT_MISMATCH,
        FILE_CHANGED,
    )
    hints = (
        "Three things happen one after another: tensors are read from the file, their values are "
        "copied into the model, the model is brought to a device. Which call does which?",
        "`torch.load` follows the file's tags unless `map_location` says otherwise. Which place "
        "exists on every machine?",
        "`load_state_dict` does not move the model. `Module.to` does, in place, and keeps the "
        "parameters.",
        "A similar case: one tensor instead of a model.\n"
        "```python\n"
        "def load_tensor(path, like):\n"
        "    found = torch.load(path, map_location=\"cpu\")   # no tag is followed\n"
        "    like.copy_(found)                              # values go to where `like` is\n"
        "    return like\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = rng.sample(GPUS[1:], 2)
        far, further = (f"cuda:{number}" for number in rng.sample(FORGED, 2))
        drawn: list[tuple[str, str, Mapping[str, Any]]] = [
            ("a file from a GPU that is not here", "", {"tags": [far] * 2, "device": "cuda:0"}),
            ("a machine without a GPU", "", {"tags": ["cuda:0"] * 2, "gpus": 0}),
            ("a model that waits on another device", "",
             {"tags": ["cpu"] * 2, "start": other, "device": gpu}),
            ("a file from two GPUs that are not here", "a file with several tags",
             {"tags": [far, further], "device": other}),
            ("a file from two GPUs, no GPU", "a file with several tags, a machine without a GPU",
             {"tags": [gpu, far], "gpus": 0}),
            ("one GPU only", "a machine with fewer GPUs than the other one",
             {"tags": [other] * 2, "device": "cuda:0", "gpus": 1}),
            ("a file from the right GPU", "a file whose tags fit",
             {"tags": [gpu] * 2, "start": gpu, "device": gpu}),
            ("home to the CPU", "a model that leaves its GPU",
             {"tags": [gpu] * 2, "start": gpu, "device": "cpu"}),
            ("a model in float64", "a model of another dtype than the file",
             {"tags": [far] * 2, "device": gpu, "dtype": "float64"}),
            ("a file with more than tensors", "a file with an object in it",
             {"tags": [gpu] * 2, "device": other, "fault": "objects"}),
            ("a file of a wrapped model", "a file whose keys do not fit",
             {"tags": [far] * 2, "device": gpu, "fault": "prefixed"}),
        ]
        usual = {"start": "cpu", "device": "cpu", "gpus": None, "dtype": "float32", "fault": ""}
        return [
            Case(
                title,
                separates or title,
                {**usual, **more, "names": some_names(rng), "values": some_values(rng)},
                bool(separates),
            )
            for title, separates, more in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if facts["ran"]:
            return OBJECTS_RUN.found("a function from the file ran", "UnpicklingError")
        if not facts["file"]:
            return FILE_CHANGED.found("other bytes, or no file", "the file as it was")
        if data["fault"]:
            return _judge_fault(data["fault"], facts)
        devices = {tensor["device"] for _, tensor in facts["state"]}
        if facts["returned"] != "the model":
            return NOT_THE_MODEL.found(f"an object of type {facts['returned']}", "model itself")
        if not facts["same"]:
            return PARAMETERS_REPLACED.found("other objects", "the same parameter objects")
        if devices != {data["device"]}:
            return WRONG_PLACE.found(", ".join(sorted(devices)), data["device"])
        state = dict(facts["state"])
        dtypes = {tensor["dtype"] for tensor in state.values()} - {"int64"}
        if dtypes != {data["dtype"]}:
            return DTYPE_CHANGED.found(", ".join(sorted(dtypes)), data["dtype"])
        for key, values in net_state(data["names"], data["values"]).items():
            if key not in state or state[key].get("values") != values:
                found = brief(state[key]) if key in state else "no such key"
                return NOT_LOADED.found(f"{key}: {found}", str(values))
        detour = set(facts["copies"]) - {"cpu", data["device"], data["start"]}
        if detour:
            return DETOUR.found(f"copies to {', '.join(sorted(detour))}", "none to other GPUs")
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "'int' object is not callable" in raised.text:
            return NUMBER_AS_PLACE.found(raised.text, f"the model on {case.data['device']}")
        if "Attempting to deserialize object" not in raised.text:
            return None
        tags, gpus = set(case.data["tags"]), case.data["gpus"]
        number = re.search(r"CUDA device (\d+)", raised.text)
        if number and f"cuda:{number[1]}" in tags:
            kind = TAG_FOLLOWED if len(tags) == 1 and gpus is None else ONE_TAG_MAPPED
        else:
            kind = ONE_TAG_MAPPED if len(tags) > 1 else GPU_TAKEN_FOR_GRANTED
        return kind.found(raised.text[:90], f"the model on {case.data['device']}")


def _judge_fault(fault: str, facts: Facts) -> Finding | None:
    """A file that cannot be used has to be refused, with torch's own error."""
    wanted = {"objects": "UnpicklingError", "prefixed": "RuntimeError"}[fault]
    if facts["raised"] == wanted:
        return None
    seen = facts["raised"] or "no error"
    if fault == "prefixed" and not facts["raised"]:
        return SILENT_MISMATCH.found(seen, wanted)
    return REFUSAL_SWALLOWED.found(seen, wanted)
