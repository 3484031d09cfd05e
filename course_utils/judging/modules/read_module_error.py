"""Judge `modules.read_module_error`.

The oracle writes down every message that its small vocabulary allows and looks the given one up.
"""

import functools
import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is a dict with the keys `"input"`, `"module"` and `"move"`, all of them texts; '
    "or `None` for a message of another kind.",
    next_step="Compare your result with the example of the exercise, type by type.",
)
ALWAYS_INPUT = FindingKind(
    name="argument-taken-for-input",
    title="the argument that is named is not always the input",
    explanation="In `input @ weight`, `mat2` is the second matrix: the module's weight. The table "
    "of the exercise says for each operation which argument is the input.",
    next_step="Find out whose argument it is before you assign the two devices.",
)
SWAPPED = FindingKind(
    name="sides-swapped",
    title="the two sides are the wrong way round",
    explanation="`got ARGUMENT is on X, different from other tensors on Y`: X belongs to the "
    "argument that is named, Y to the others.",
    next_step="Read the message once more, with your finger on each device.",
)
CONV_SWAPPED = FindingKind(
    name="types-swapped",
    title="the two types belong to the other sides",
    explanation="`Input type (A) and weight type (B)`: A is the input's, B is that of the module's "
    "weight.",
    next_step="Take what stands in the brackets after `Input type`, and after `weight type`.",
)
CONV_MISSED = FindingKind(
    name="convolution-missed",
    title="the message of a convolution was not understood",
    explanation="It names no device, but types: `torch.cuda.FloatTensor` is a float32 tensor on a "
    "GPU, `torch.FloatTensor` one on the CPU.",
    next_step="Look for `Input type` first, and translate the two types into places.",
)
CONV_NUMBER = FindingKind(
    name="number-invented",
    title="a type does not say which GPU it is",
    explanation="`torch.cuda.FloatTensor` only says that it is a GPU.",
    next_step='Write `"cuda"`, without a number, for a type with `cuda` in it.',
)
DEVICE_MISSED = FindingKind(
    name="device-message-missed",
    title="the message of a product or a lookup was not understood",
    explanation="It begins with `Expected all tensors to be on the same device`, and names the "
    "argument, two devices and the operation.",
    next_step="Look for the words before each device, and for the argument before `is on`.",
)
MOVE_WRONG = FindingKind(
    name="wrong-side-moved",
    title="the other side is to be moved",
    explanation="The side that is on the CPU goes to the GPU, where the work is quick. With two "
    "GPUs it is the input: it is smaller, and a module that moved would be missed by others.",
    next_step="Decide by the two devices, not by which argument was named.",
)
PUNCTUATION = FindingKind(
    name="device-not-clean",
    title="something else came along with a device",
    explanation="The message goes on right after the name: `cpu,` is no device.",
    next_step="Say exactly what a device looks like: `cpu`, or `cuda:` and digits.",
)
OTHER_ERROR_READ = FindingKind(
    name="other-error-read",
    title="this message is about something else",
    explanation="Many messages name a device or a type. Only those of the exercise tell the device "
    "of an input and that of a module apart.",
    next_step="Return `None` for every other message, before you look for devices.",
)
NO_MATCH = FindingKind(
    name="no-match-not-handled",
    title="a search that finds nothing gives `None`",
    explanation="Not every message has each part, and some are about something else.",
    next_step="Ask whether something was found before you use it.",
)
MISREAD = FindingKind(
    name="part-misread",
    title="a device was read wrongly",
    explanation="Each device stands between fixed words: after `is on`, after `other tensors on`.",
    next_step="Print what you find for each part, for each of the wordings.",
)

PRODUCT = (
    "Expected all tensors to be on the same device, but got {argument} is on {x}, different from "
    "other tensors on {y} (when checking argument in method {method})"
)
CONVOLUTIONS = {
    ("cpu", "cuda"): "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) "
    "should be the same or input should be a MKLDNN tensor and weight is a dense tensor",
    ("cuda", "cpu"): "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) "
    "should be the same",
}
DEVICES = ("cpu", *(f"cuda:{i}" for i in range(12)))
INPUTS = (
    ("mat1", "wrapper_CUDA_addmm"),
    ("index", "wrapper_CUDA__index_select"),
)
WEIGHTS = (
    ("mat2", "wrapper_CUDA_mm"),
    ("weight", "wrapper_CUDA__native_layer_norm"),
)
OTHER_MESSAGES = (
    "can't convert {x} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
    "memory first.",
    "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    "module must have its parameters and buffers on device {x} (device_ids[0]) but found one of "
    "them on device: {y}",
    "Expected all tensors to be on the same device, but found at least two devices, {x} and {y}!",
)
ERROR_NAME = "RuntimeError: "


class ReadModuleError(Judge):
    """Compares the two sides with what the message says of them."""

    name = "modules.read_module_error"
    findings = (
        WRONG_FORM,
        ALWAYS_INPUT,
        SWAPPED,
        CONV_SWAPPED,
        CONV_MISSED,
        CONV_NUMBER,
        DEVICE_MISSED,
        MOVE_WRONG,
        PUNCTUATION,
        OTHER_ERROR_READ,
        NO_MATCH,
        MISREAD,
    )
    hints = (
        "Two families of messages: those with `is on` name an argument and two devices; that of a "
        "convolution names two types. Tell them apart first.",
        "`re.search(r\"got (\\w+) is on ([\\w:]+), different from other tensors on ([\\w:]+)\", "
        "message)` finds three things at once: `match.groups()`. It is `None` where nothing fits.",
        "Is the argument one of those that are the input? Then the first device is the input's. "
        "Else it is the module's. For a convolution, `\"cuda\" in text` tells a GPU's type.",
        "A similar case: who is in which town, if the sentence may begin with either.\n"
        "```python\n"
        "import re\n\n"
        "def where(text):         # 'cat is in Oslo, unlike the other one in Bergen'\n"
        "    match = re.search(r\"(\\w+) is in (\\w+), unlike the other one in (\\w+)\", text)\n"
        "    if match is None:\n"
        "        return None\n"
        "    animal, here, there = match.groups()\n"
        "    return (here, there) if animal == \"cat\" else (there, here)   # cat, dog\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def write(uses: Sequence[tuple[str, str]], x: str, y: str) -> str:
            argument, method = rng.choice(uses)
            return PRODUCT.format(argument=argument, method=method, x=x, y=y)

        low, high = rng.choice(DEVICES[1:11]), rng.choice(DEVICES[11:])
        drawn = [
            ("a `Linear`, its input on the CPU", "", write(INPUTS[:1], "cpu", low)),
            ("a `Linear` without bias", "", write(WEIGHTS[:1], low, "cpu")),
            ("a convolution", "", CONVOLUTIONS["cpu", "cuda"]),
            ("another error", "", OTHER_MESSAGES[0].format(x=low)),
            ("a module on the CPU", "a module that was not moved", write(INPUTS[:1], high, "cpu")),
            ("two GPUs", "two GPUs", write(INPUTS[:1], low, high)),
            ("two GPUs, the weight named", "two GPUs, and the module's argument is named",
             write(WEIGHTS[:1], high, low)),
            ("no bias, module on the CPU", "the module's argument is named, and it is on the CPU",
             write(WEIGHTS[:1], "cpu", high)),
            ("an embedding or a norm", "a module of another kind",
             write(INPUTS[1:], "cpu", high)),
            ("a layer norm", "a module of yet another kind", write(WEIGHTS[1:], low, "cpu")),
            ("a convolution on the CPU", "a convolution that was not moved",
             CONVOLUTIONS["cuda", "cpu"]),
            ("with the name of the error", "a line copied with the name of the error",
             ERROR_NAME + write(INPUTS, "cpu", high)),
            ("the message of `+`", "a message that does not say which side is where",
             OTHER_MESSAGES[3].format(x=low, y="cpu")),
            ("indexing or a module on two GPUs", "another error that names devices",
             rng.choice(OTHER_MESSAGES[1:3]).format(x=low, y=high)),
        ]
        return [
            Case(title, separates or title, {"message": message}, bool(separates))
            for title, separates, message in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, message = facts["read"], case.data["message"].removeprefix(ERROR_NAME)
        wanted = meanings().get(message)
        expected = f"{wanted} for “{message}”"
        if wanted is None:
            if seen["type"] == "NoneType":
                return None
            return OTHER_ERROR_READ.found(brief(seen), expected)
        convolution = message.startswith("Input type")
        if seen["type"] == "NoneType":
            return (CONV_MISSED if convolution else DEVICE_MISSED).found("None", expected)
        parts = _parts(seen)
        if parts is None:
            return WRONG_FORM.found(brief(seen), expected)
        if parts == wanted:
            return None
        return _name(parts, wanted, message).found(str(parts), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type in ("AttributeError", "TypeError") and "NoneType" in raised.text:
            return NO_MATCH.found(f"{raised.type}: {raised.text}", "a dict, or None")
        return None


@functools.cache
def meanings() -> Mapping[str, Mapping[str, str]]:
    """Every message of the vocabulary, and what it says."""
    found: dict[str, Mapping[str, str]] = {}
    for x, y in itertools.permutations(DEVICES, 2):
        for argument, method in INPUTS:
            message = PRODUCT.format(argument=argument, method=method, x=x, y=y)
            found[message] = _said(x, y)
        for argument, method in WEIGHTS:
            message = PRODUCT.format(argument=argument, method=method, x=x, y=y)
            found[message] = _said(y, x)
    for (x, y), message in CONVOLUTIONS.items():
        found[message] = _said(x, y)
    return found


def _said(x: str, module: str) -> dict[str, str]:
    return {"input": x, "module": module, "move": "module" if module == "cpu" else "input"}


def _parts(described: Mapping[str, Any]) -> dict[str, str] | None:
    """The described dict as a dict, or None if it has another form."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    if sorted(map(str, keys)) != ["input", "module", "move"]:
        return None
    if any(item["type"] != "str" for item in described["items"]):
        return None
    return dict(zip(keys, (item["value"] for item in described["items"]), strict=True))


def _name(parts: Mapping[str, str], wanted: Mapping[str, str], message: str) -> FindingKind:
    sides, right = [parts["input"], parts["module"]], [wanted["input"], wanted["module"]]
    if sides == right:
        return MOVE_WRONG
    if message.startswith("Input type"):
        if sides == right[::-1]:
            return CONV_SWAPPED
        return CONV_NUMBER if any(":" in side for side in sides) else CONV_MISSED
    if sides == right[::-1]:
        named_input = any(f"got {argument} is on" in message for argument, _ in INPUTS)
        return SWAPPED if named_input else ALWAYS_INPUT
    bare = [side.strip("!,. ()") for side in sides]
    return PUNCTUATION if bare == right else MISREAD
