"""Judge `visible.read_visible_error`.

The oracle is a table of authentic messages with what each one says. A test compares those that a
CPU build and the virtual machine raise with the table.

Sources of the texts: `torch/cuda/__init__.py`, `c10/cuda/CUDAException.cpp` (with the older form of
its tail in torch 1.10 to 1.13), `c10/cuda/CUDAFunctions.cpp`, and `THCCheck` of torch 1.0 to 1.9.
"""

import itertools
import random
from collections.abc import Mapping, Sequence

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is one of the words `"number"`, `"hidden"`, `"late"`, `"driver"` and '
    '`"build"`, or `None`.',
    next_step="Compare your result with the table of the exercise, letter by letter.",
)
ORDINAL_MISSED = FindingKind(
    name="ordinal-missed",
    title="a device number that does not exist was not recognised",
    explanation="`invalid device ordinal` means: there is no logical device with this number. "
    "Ordinal is another word for a number in a row. The message goes on over several lines.",
    next_step='Look for `invalid device ordinal`, and answer `"number"`.',
)
OLD_MISSED = FindingKind(
    name="older-wording-missed",
    title="an older wording was not recognised",
    explanation="Only the words `invalid device ordinal` have stayed the same over the years. What "
    "is around them has changed: number, colon, file and line, advice.",
    next_step="Look for the words that all versions have in common, anywhere in the message.",
)
DEVICE_ID_MISSED = FindingKind(
    name="device-id-missed",
    title="torch's own wording was not recognised",
    explanation="Some functions compare the number themselves, before CUDA is asked. They say "
    "`Invalid device id`, and mean the same.",
    next_step='Answer `"number"` for this one too.',
)
HIDDEN_MISSED = FindingKind(
    name="hidden-missed",
    title="a message that says that no GPU is visible was not recognised",
    explanation="`No CUDA GPUs are available` comes from a torch that can use CUDA, with a driver "
    "that works: it found no device. Most often the variable hides them all.",
    next_step='Answer `"hidden"` for it.',
)
LATE_MISSED = FindingKind(
    name="late-missed",
    title="a message that suspects a late change was not recognised",
    explanation="`changing env variable CUDA_VISIBLE_DEVICES after program start` stands in it as "
    "an example of what may have happened.",
    next_step='Answer `"late"` for it, and ask this before you look for other words.',
)
DRIVER_MISSED = FindingKind(
    name="driver-missed",
    title="a missing driver was not recognised",
    explanation="`Found no NVIDIA driver` is about the system. No value of the variable helps.",
    next_step='Answer `"driver"` for it.',
)
BUILD_MISSED = FindingKind(
    name="build-missed",
    title="a torch without CUDA was not recognised",
    explanation="`Torch not compiled with CUDA enabled` is about the installed torch. No value of "
    "the variable helps, and no driver either.",
    next_step='Answer `"build"` for it.',
)
OTHER_ERROR_READ = FindingKind(
    name="other-error-read",
    title="this message is about something else",
    explanation="Many messages begin with `CUDA error`, name a GPU, or end with the same advice "
    "for debugging. The cause stands in few words.",
    next_step="Return `None` for messages without the words of the table.",
)
LETTERS = FindingKind(
    name="wrapping",
    title="the message was recognised only where it stands alone",
    explanation="Copied messages begin with the name of the error, and may go on after the words "
    "that matter.",
    next_step="Use `in`, and not `==` or `startswith`.",
)
MIXED_UP = FindingKind(
    name="mixed-up",
    title="two causes were mixed up",
    explanation="A number too large, no visible card, a late change, no driver, no CUDA in torch: "
    "each has a cure of its own.",
    next_step="Read the table of the exercise once more, line by line.",
)

LOG_TAIL = (
    "For more detailed error information, run with CUDA_LOG_FILE=stderr\nCompile with "
    "`TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
)
TAIL = (
    "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
    "below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile "
    "with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
)
OLD_TAIL = (
    "CUDA kernel errors might be asynchronously reported at some other API call,so the stacktrace "
    "below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1."
)
_ENOUGH = (
    "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?\n"
)
ORDINAL = _ENOUGH + LOG_TAIL
OLD_ORDINALS = (
    "CUDA error: invalid device ordinal\n" + OLD_TAIL,
    "CUDA error: invalid device ordinal\n" + TAIL,
    _ENOUGH + TAIL,
    "CUDA error: invalid device ordinal",
)
OLDEST_ORDINAL = (
    "cuda runtime error ({status}) : invalid device ordinal at "
    "/pytorch/torch/csrc/cuda/Module.cpp:{line}"
)
STATUSES, LINES = (10, 101), range(20, 61)  # CUDA 10.1 renumbered its errors
DEVICE_ID = "Invalid device id"
NO_GPUS = "No CUDA GPUs are available"
LATE = (
    "CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env "
    "variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero."
)
NO_DRIVER = (
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed "
    "a driver from http://www.nvidia.com/Download/index.aspx"
)
NOT_COMPILED = "Torch not compiled with CUDA enabled"

OTHER_CUDA = (
    "CUDA error: device-side assert triggered\n" + TAIL,
    "CUDA error: invalid resource handle\n" + TAIL,
)
OTHER_MESSAGES = (
    "CUDA out of memory. Tried to allocate 24.00 MiB. GPU {x} has a total capacity of 7.60 GiB of "
    "which 15.38 MiB is free.",
    "Attempting to deserialize object on CUDA device {x} but torch.cuda.device_count() is 1. "
    "Please use torch.load with map_location to map your storages to an existing device.",
    "module must have its parameters and buffers on device cuda:{x} (device_ids[0]) but found one "
    "of them on device: cpu",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:{x} and "
    "cpu!",
)
STRINGS = (
    "Invalid device string: 'cuda:[{x},{y}]'",
    "Device index must not be negative",
)
CAUSES = ("number", "hidden", "late", "driver", "build")
_MISSED = {
    "hidden": HIDDEN_MISSED,
    "late": LATE_MISSED,
    "driver": DRIVER_MISSED,
    "build": BUILD_MISSED,
}


class ReadVisibleError(Judge):
    """Compares the cause with what the message says."""

    name = "visible.read_visible_error"
    findings = (
        WRONG_FORM,
        ORDINAL_MISSED,
        OLD_MISSED,
        DEVICE_ID_MISSED,
        HIDDEN_MISSED,
        LATE_MISSED,
        DRIVER_MISSED,
        BUILD_MISSED,
        OTHER_ERROR_READ,
        LETTERS,
        MIXED_UP,
    )
    hints = (
        "Each cause has a few words of its own. Which ones stay the same in the older wordings?",
        "`\"some words\" in message` is enough: it finds them at the beginning, in the middle and "
        "at the end, on every line.",
        "Seven messages of the table, six beginnings: a `dict` from words to causes, and a loop "
        "that returns the cause of the first words it finds. After the loop: `None`.",
        "A similar case: what is wrong with the kettle?\n"
        "```python\n"
        "def fault(report):\n"
        "    words = {\"no light\": \"plug\", \"light on\": \"heater\", \"a puddle\": \"seal\"}\n"
        "    for sign, cause in words.items():\n"
        "        if sign in report:\n"
        "            return cause\n"
        "    return None\n\n"
        "fault(\"Tuesday: no light, no sound\")   # 'plug'\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        x, y = rng.sample(range(2, 10), 2)
        oldest = OLDEST_ORDINAL.format(status=rng.choice(STATUSES), line=rng.choice(LINES))
        other = [message.format(x=x, y=y) for message in OTHER_MESSAGES]
        strings = [message.format(x=x, y=y) for message in STRINGS]
        drawn: list[tuple[str, str, str]] = [
            ("today's message of a missing number", "", ORDINAL),
            ("nothing visible", "", NO_GPUS),
            ("an older message of a missing number", "", OLD_ORDINALS[0]),
            ("a torch without CUDA", "", NOT_COMPILED),
            ("another CUDA error", "", OTHER_CUDA[0]),
            ("torch's own check", "torch's own check of a number", DEVICE_ID),
            ("another older message", "another older message of a missing number",
             rng.choice(OLD_ORDINALS[1:])),
            ("the oldest message", "the oldest message of a missing number", oldest),
            ("a late change", "a message that suspects a late change", LATE),
            ("no driver", "a system without a driver", NO_DRIVER),
            ("name and number", "a missing number, with the name of the error",
             f"torch.AcceleratorError: {ORDINAL}"),
            ("name and hidden", "no visible card, with the name of the error",
             f"RuntimeError: {NO_GPUS}"),
            ("name and build", "a torch without CUDA, with the name of the error",
             f"AssertionError: {NOT_COMPILED}"),
            ("name and id", "torch's own check, with the name of the error",
             f"AssertionError: {DEVICE_ID}"),
            ("name and driver", "no driver, with the name of the error",
             f"RuntimeError: {NO_DRIVER}"),
            ("name and late", "a late change, with the name of the error",
             f"RuntimeError: {LATE}"),
            ("another CUDA error again", "a CUDA error of another kind", OTHER_CUDA[1]),
            ("out of memory or a checkpoint", "a message that names a GPU",
             rng.choice(other[:2])),
            ("two devices", "a message about two devices", rng.choice(other[2:])),
            ("a device string", "a message about the name of a device", rng.choice(strings)),
        ]
        return [
            Case(title, separates or title, {"message": message}, bool(separates))
            for title, separates, message in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = facts["read"], _cause(case)
        beginning, more, _ = case.data["message"].partition("\n")
        expected = f"{wanted!r} for “{beginning}{' …' if more else ''}”"
        if seen["type"] not in ("str", "NoneType") or seen["value"] not in (*CAUSES, None):
            return WRONG_FORM.found(brief(seen), expected)
        if seen["value"] == wanted:
            return None
        return _name(seen["value"], case).found(repr(seen["value"]), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type in ("AttributeError", "TypeError") and "NoneType" in raised.text:
            return OTHER_ERROR_READ.found(f"{raised.type}: {raised.text}", repr(None))
        return None


def _name(seen: str | None, case: Case) -> FindingKind:
    message, wanted = case.data["message"], _cause(case)
    if wanted is None:
        return OTHER_ERROR_READ
    if seen is not None:
        return MIXED_UP
    if "Error: " in message:
        return LETTERS
    if wanted != "number":
        return _MISSED[wanted]
    if message == ORDINAL:
        return ORDINAL_MISSED
    return DEVICE_ID_MISSED if message == DEVICE_ID else OLD_MISSED


def _cause(case: Case) -> str | None:
    _, named, bare = case.data["message"].rpartition("Error: ")
    return meanings().get(bare if named else case.data["message"])


def meanings() -> Mapping[str, str]:
    """Every message of the vocabulary that has a cause, with this cause."""
    oldest = (
        OLDEST_ORDINAL.format(status=status, line=line)
        for status, line in itertools.product(STATUSES, LINES)
    )
    numbers = (ORDINAL, *OLD_ORDINALS, *oldest, DEVICE_ID)
    others = {NO_GPUS: "hidden", LATE: "late", NO_DRIVER: "driver", NOT_COMPILED: "build"}
    return {**dict.fromkeys(numbers, "number"), **others}
