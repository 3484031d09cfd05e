"""Judge `tensors.read_error`.

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
    explanation='For a device mismatch it is a dict with the keys `"devices"`, `"argument"` and '
    '`"operation"`: a list of two texts, then a text or `None`, twice.',
    next_step="Compare your result with the example of the exercise, type by type.",
)
ELEMENTWISE_MISSED = FindingKind(
    name="two-devices-missed",
    title="the shortest wording was not understood",
    explanation="Element-wise operations such as `+` say `found at least two devices, X and Y!`. "
    "They name no argument and no operation.",
    next_step="Read the two devices out of it, and give `None` for what it does not say.",
)
NEW_MISSED = FindingKind(
    name="newer-wording-missed",
    title="the newer wording was not understood",
    explanation="Other operations say `got ARGUMENT is on X, different from other tensors on Y`. "
    "Here too X and Y are the two devices.",
    next_step="Look for the words around the argument and around each device.",
)
OLD_MISSED = FindingKind(
    name="older-wording-missed",
    title="the older wording was not understood",
    explanation="Older versions of torch begin like the shortest wording and say in brackets which "
    "argument they were checking: `when checking argument for argument mat1 in method …`.",
    next_step="Let the part in brackets be there or not, whatever the beginning is.",
)
ORDER = FindingKind(
    name="devices-out-of-order",
    title="the two devices are in another order than in the message",
    explanation="In the newer wording the first device is the argument's own, and the second that "
    "of the others: sorting them loses this.",
    next_step="Keep the order in which the message names them.",
)
PUNCTUATION = FindingKind(
    name="punctuation-kept",
    title="a punctuation mark came along with a device",
    explanation="The message goes on right after the name: `cpu!` and `cpu,` are no devices.",
    next_step="Say exactly what a device looks like: `cpu`, or `cuda:` and digits.",
)
PREFIX_KEPT = FindingKind(
    name="wrapper-kept",
    title="the operation still carries its wrapper",
    explanation="`wrapper_CUDA_addmm` is the function that torch has generated around `addmm`. "
    "Some names have further underscores, and older ones lack `CUDA_`.",
    next_step="Take away `wrapper`, `CUDA` and the underscores in front of the operation.",
)
OTHER_ERROR_READ = FindingKind(
    name="other-error-read",
    title="this message is about something else",
    explanation="Many messages name a device. Only those that begin with `Expected all tensors to "
    "be on the same device` report tensors on two devices.",
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
    title="a part of the message was read wrongly",
    explanation="Each part stands between fixed words: the argument before `is on` or before "
    "`in method`, the operation before the closing bracket.",
    next_step="Print what you find for each part, for each of the wordings.",
)

BEGINNING = "Expected all tensors to be on the same device, but "
ELEMENTWISE = BEGINNING + "found at least two devices, {x} and {y}!"
NEW = BEGINNING + (
    "got {argument} is on {x}, different from other tensors on {y} "
    "(when checking argument in method {method})"
)
OLD = ELEMENTWISE + " (when checking argument for argument {argument} in method {method})"

DEVICES = ("cpu", *(f"cuda:{i}" for i in range(12)))
USES = (
    ("mat1", "wrapper_CUDA_addmm", "addmm"),
    ("mat2", "wrapper_CUDA_mm", "mm"),
    ("mat2", "wrapper_CUDA_bmm", "bmm"),
    ("target", "wrapper_CUDA_nll_loss_forward", "nll_loss_forward"),
    ("weight", "wrapper_CUDA_nll_loss_forward", "nll_loss_forward"),
    ("tensors", "wrapper_CUDA_cat", "cat"),
)
UNDERSCORED = (
    ("index", "wrapper_CUDA__index_select", "index_select"),
    ("weight", "wrapper_CUDA__native_layer_norm", "native_layer_norm"),
    ("weight", "wrapper_CUDA___slow_conv2d_forward", "slow_conv2d_forward"),
)
WITHOUT_CUDA = (
    ("index", "wrapper__index_select", "index_select"),
    ("tensors", "wrapper___cat", "cat"),
    ("mat1", "wrapper_addmm", "addmm"),
)
OTHER_MESSAGES = (
    "can't convert {x} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
    "memory first.",
    "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
    "you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU.",
    "module must have its parameters and buffers on device {x} (device_ids[0]) but found one of "
    "them on device: {y}",
    "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
)
ERROR_NAME = "RuntimeError: "


class ReadError(Judge):
    """Compares the parts that were read with what the message says."""

    name = "tensors.read_error"
    findings = (
        WRONG_FORM,
        ELEMENTWISE_MISSED,
        NEW_MISSED,
        OLD_MISSED,
        ORDER,
        PUNCTUATION,
        PREFIX_KEPT,
        OTHER_ERROR_READ,
        NO_MATCH,
        MISREAD,
    )
    hints = (
        "Put the three wordings under each other and mark what is the same in all of them, and "
        "what stands before and after each part that you need.",
        "A device is `cpu`, or `cuda:` followed by digits: `cpu|cuda:\\d+` as a pattern. "
        "`re.findall(pattern, text)` returns everything that fits, in order.",
        "Treat each part on its own: `re.search(pattern, text)` is `None` if the part is missing. "
        "Round brackets in a pattern mark what `match.group(1)` gives back; `(?:…)` marks "
        "nothing, and `?` after it makes it optional.",
        "A similar case: the person and the place in two wordings.\n"
        "```python\n"
        "import re\n\n"
        "def read(text):          # 'Ann is in Oslo (seen by police_Bob)' or 'Ann is in Oslo'\n"
        "    where = re.search(r\"is in (\\w+)\", text)\n"
        "    seen_by = re.search(r\"seen by (?:police_)?(\\w+)\", text)\n"
        "    return {\n"
        "        \"place\": where.group(1) if where else None,\n"
        "        \"witness\": seen_by.group(1) if seen_by else None,\n"
        "    }\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def write(wording: str, uses: Sequence[tuple[str, str, str]] = USES) -> str:
            argument, method, _ = rng.choice(uses)
            x, y = rng.sample(DEVICES, 2)
            return wording.format(x=x, y=y, argument=argument, method=method)

        gpu = rng.choice(DEVICES[1:])
        drawn = [
            ("the wording of `+`", "", ELEMENTWISE.format(x=gpu, y="cpu")),
            ("the newer wording", "", write(NEW)),
            ("the older wording", "", write(OLD)),
            ("another error", "", write(OTHER_MESSAGES[0])),
            ("two GPUs", "two GPUs in another order",
             ELEMENTWISE.format(x=rng.choice(DEVICES[2:10]), y="cuda:0")),
            ("two digits", "a device whose number has two digits",
             ELEMENTWISE.format(x=rng.choice(DEVICES[1:10]), y=rng.choice(DEVICES[11:]))),
            ("underscores, newer wording", "further underscores before the operation",
             write(NEW, UNDERSCORED)),
            ("underscores, older wording", "further underscores in the older wording",
             write(OLD, UNDERSCORED)),
            ("the oldest wrapper", "a wrapper of an older version", write(OLD, WITHOUT_CUDA)),
            ("with the name of the error", "a line copied with the name of the error",
             ERROR_NAME + write(NEW)),
            ("indexing", "another error that names devices", OTHER_MESSAGES[1]),
            ("a module on two GPUs", "another error that names two devices",
             write(OTHER_MESSAGES[3])),
            ("loading or a convolution", "another error about CPU and GPU",
             rng.choice((OTHER_MESSAGES[2], OTHER_MESSAGES[4]))),
        ]
        return [
            Case(title, separates or title, {"message": message}, bool(separates))
            for title, separates, message in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, message = facts["read"], case.data["message"].removeprefix(ERROR_NAME)
        wanted = _meanings().get(message)
        if wanted is None:
            if seen["type"] == "NoneType":
                return None
            return OTHER_ERROR_READ.found(f"{brief(seen)} for “{message[:60]}…”", "None")
        if seen["type"] == "NoneType":
            return _missed(message).found("None", str(wanted))
        parts = _parts(seen)
        if parts is None:
            return WRONG_FORM.found(brief(seen), str(wanted))
        if parts == wanted:
            return None
        return _name(parts, wanted, message).found(str(parts), str(wanted))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type in ("AttributeError", "TypeError") and "'NoneType' object" in raised.text:
            return NO_MATCH.found(f"{raised.type}: {raised.text}", "a dict, or None")
        return None


@functools.cache
def _meanings() -> Mapping[str, Mapping[str, Any]]:
    """Every device mismatch of the vocabulary, and what it says."""
    meanings: dict[str, Mapping[str, Any]] = {}
    for x, y in itertools.permutations(DEVICES, 2):
        said = {"devices": [x, y], "argument": None, "operation": None}
        meanings[ELEMENTWISE.format(x=x, y=y)] = said
        for argument, method, operation in (*USES, *UNDERSCORED, *WITHOUT_CUDA):
            more = said | {"argument": argument, "operation": operation}
            for wording in (NEW, OLD):
                meanings[wording.format(x=x, y=y, argument=argument, method=method)] = more
    return meanings


def _parts(described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described dict as a dict, or None if it has another form."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    parts = dict(zip(keys, described["items"], strict=True))
    if set(parts) != {"devices", "argument", "operation"} or parts["devices"]["type"] != "list":
        return None
    devices = parts["devices"]["items"]
    others = [parts["argument"], parts["operation"]]
    if len(devices) != 2 or any(item["type"] != "str" for item in devices):
        return None
    if any(item["type"] not in ("str", "NoneType") for item in others):
        return None
    return {
        "devices": [item["value"] for item in devices],
        "argument": others[0]["value"],
        "operation": others[1]["value"],
    }


def _missed(message: str) -> FindingKind:
    if "different from other tensors" in message:
        return NEW_MISSED
    return OLD_MISSED if "when checking" in message else ELEMENTWISE_MISSED


def _name(
    parts: Mapping[str, Any], wanted: Mapping[str, Any], message: str
) -> FindingKind:
    devices, right = parts["devices"], wanted["devices"]
    if devices != right:
        if sorted(devices) == sorted(right):
            return ORDER
        bare = [device.strip("!,. ()") for device in devices]
        return PUNCTUATION if bare == right else MISREAD
    operation = parts["operation"]
    if operation and operation != wanted["operation"]:
        wrapped = wanted["operation"] and operation.endswith(wanted["operation"])
        return PREFIX_KEPT if wrapped else MISREAD
    if parts["argument"] is None or operation is None:
        return _missed(message)
    return MISREAD
