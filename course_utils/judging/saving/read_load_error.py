"""Judge `saving.read_load_error`.

The oracle writes down every message that its small vocabulary allows and looks the given one up.
A test compares the wordings with torch's own.
"""

import functools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.saving.material import as_dict, text_of

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='For a known message it is a dict with the keys `"problem"`, `"cause"` and '
    '`"cure"`, with a text for each.',
    next_step="Compare your result with the example of the exercise, type by type.",
)
OTHER_READ = FindingKind(
    name="other-error-read",
    title="this message is about something else",
    explanation="Words such as `CUDA` or `state_dict` occur in many messages. The beginning tells "
    "which one it is.",
    next_step="Return `None` for every message that is not in the table.",
)
DEVICE_MISSED = FindingKind(
    name="device-message-missed",
    title="a message about a device was not understood",
    explanation="There are two: one names no device (`on a CUDA device`), for a machine without "
    "any; the other a number (`on CUDA device 3`), for a machine with too few.",
    next_step="Look for what both have in common, and read the number only where there is one.",
)
COUNT_TAKEN = FindingKind(
    name="count-taken-for-device",
    title="that is how many GPUs there are, not which one was wanted",
    explanation="`on CUDA device 3` is the tag in the file. `device_count() is 1` describes the "
    "machine.",
    next_step="Read the number that follows `CUDA device`.",
)
DIGIT_LOST = FindingKind(
    name="digit-lost",
    title="a part of the GPU's number is missing",
    explanation="A machine may have more than ten GPUs, so the number may have two digits.",
    next_step="Read all digits that follow `CUDA device`.",
)
KEYS_MISSED = FindingKind(
    name="keys-message-missed",
    title="a message about keys was not understood",
    explanation="It begins with `Error(s) in loading state_dict` and has a line of missing keys, a "
    "line of unexpected ones, or both.",
    next_step="Look for `key(s) in state_dict`.",
)
PREFIX_MISSED = FindingKind(
    name="prefix-missed",
    title="only a prefix is different",
    explanation="If each unexpected key is a missing one with the same prefix before it, the file "
    "is of a wrapped model; the other way round, the model is wrapped.",
    next_step="Collect the keys of both lines and compare the first of each, then all.",
)
PREFIX_INVENTED = FindingKind(
    name="prefix-invented",
    title="a prefix is not all that is different",
    explanation="`module.` occurs in the message, but without it the two lists are not equal: "
    "cleaning would not help.",
    next_step="Take the prefix away from every key of one list and compare with the other list.",
)
SIDES_SWAPPED = FindingKind(
    name="sides-swapped",
    title="the wrapper is on the other side",
    explanation="*Unexpected* keys are in the file, *missing* ones are the model's.",
    next_step="Look in which of the two lists the prefix stands.",
)
SIZE_MISSED = FindingKind(
    name="size-message-missed",
    title="a message about sizes was not understood",
    explanation="`size mismatch for KEY` means: both have the key, with different shapes.",
    next_step="Look for these words before you look for keys, and read what stands after `for`.",
)
PICKLE_MISSED = FindingKind(
    name="pickle-message-missed",
    title="a message about pickled objects was not understood",
    explanation="`Weights only load failed`: the file holds more than tensors. The class stands "
    "after `GLOBAL`.",
    next_step="Read the word after `GLOBAL`.",
)
TRUST_ADVISED = FindingKind(
    name="trust-advised",
    title="`weights_only=False` is no cure",
    explanation="It runs whatever the file says. The message offers it for files you trust; the "
    "cure is a file without objects.",
    next_step="Give the cure of the table.",
)
CURE_WRONG = FindingKind(
    name="cure-wrong",
    title="the problem is right, the cause or the cure is not",
    explanation="Each row of the table has a cause that is read from the message, and one cure.",
    next_step="Compare your row with that of the table, word by word.",
)
NO_MATCH = FindingKind(
    name="no-match-not-handled",
    title="a search that finds nothing gives `None`",
    explanation="Not every message has a number, a prefix or a class.",
    next_step="Ask whether something was found before you use it.",
)

NO_GPU = (
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
    "you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)
FEW_GPUS = (
    "Attempting to deserialize object on CUDA device {device} but torch.cuda.device_count() is "
    "{count}. Please use torch.load with map_location to map your storages to an existing device."
)
KEYS = "Error(s) in loading state_dict for {model}:"
MISSING = "\n\tMissing key(s) in state_dict: {keys}. "
UNEXPECTED = "\n\tUnexpected key(s) in state_dict: {keys}. "
SIZE = (
    "\n\tsize mismatch for {key}: copying a param with shape torch.Size([{found}, 4]) from "
    "checkpoint, the shape in current model is torch.Size([{wanted}, 4])."
)
PICKLE = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, "
    "\x1b[1mdo those steps only if you trust the source of the checkpoint\x1b[0m. \n\t(1) In "
    "PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from "
    "`False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely "
    "succeed, but it can result in arbitrary code execution. Do it only if you got the file from a "
    "trusted source.\n\t(2) Alternatively, to load with `weights_only=True` please check the "
    "recommended steps in the following error message.\n\tWeightsUnpickler error: Unsupported "
    "global: GLOBAL {name} was not an allowed global by default. Please use "
    "`torch.serialization.add_safe_globals([{name}])` or the "
    "`torch.serialization.safe_globals([{name}])` context manager to allowlist this global if you "
    "trust this class/function.\n\nCheck the documentation of torch.load to learn more about types "
    "accepted by default with weights_only https://pytorch.org/docs/stable/generated/"
    "torch.load.html."
)
OTHERS = (
    "[Errno 2] No such file or directory: './model_in_multi_gpu.pkl'",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and "
    "cpu!",
    "Expected state_dict to be dict-like, got <class 'str'>.",
    "CUDA error: invalid device ordinal",
    "'int' object is not callable",
)

MODELS = ("Net", "FooNet", "Classifier", "DataParallel", "OptimizedModule")
PREFIXES = ("module.", "_orig_mod.", "module.module.")
LAYERS = (
    ("linears.0.weight", "linears.1.weight", "linears.2.weight"),
    ("body.weight", "body.bias", "head.weight", "head.bias"),
    ("features.weight", "submodule.weight"),
    ("module.weight", "head.weight"),
)
OTHER_NAMES = (
    (("body.weight", "body.bias"), ("trunk.weight", "trunk.bias")),
    (("head.weight",), ()),
    ((), ("aux.weight", "aux.bias")),
    (("body.weight", "head.weight"), ("module.body.weight",)),
    (("body.weight", "head.weight"), ("module.body.weight", "module.tail.weight")),
)
CLASSES = ("__main__.Net", "models.resnet.ResNet", "torch.nn.modules.linear.Linear", "train.Config")

MAP = "map_location"
CLEAN = "clean the keys"
INNER = "load into model.module"
COMPARE = "use the model it was saved from"
STATE_DICT = "save a state_dict"


class ReadLoadError(Judge):
    """Compares what was read with what the message means."""

    name = "saving.read_load_error"
    findings = (
        WRONG_FORM,
        OTHER_READ,
        DEVICE_MISSED,
        COUNT_TAKEN,
        DIGIT_LOST,
        KEYS_MISSED,
        PREFIX_MISSED,
        PREFIX_INVENTED,
        SIDES_SWAPPED,
        SIZE_MISSED,
        PICKLE_MISSED,
        TRUST_ADVISED,
        CURE_WRONG,
        NO_MATCH,
    )
    hints = (
        "Four families: `Attempting to deserialize`, `Error(s) in loading state_dict`, `Weights "
        "only load failed`, and all others. Decide about the family first.",
        "Within the second family look for `size mismatch` first. Otherwise split the message "
        "into its lines: `re.findall('\"([^\"]+)\"', line)` gives the keys of one.",
        "Two lists differ by a prefix if `longer == [prefix + key for key in shorter]`. The "
        "prefix is what stands before the first short key in the first long one.",
        "A similar case: two lists of names, one of them with a title before each.\n"
        "```python\n"
        "def common_title(short, long):\n"
        "    if not short or len(short) != len(long):\n"
        "        return None\n"
        "    title = long[0].removesuffix(short[0])\n"
        "    return title if long == [title + name for name in short] else None\n\n"
        "common_title([\"Ada\", \"Alan\"], [\"Dr Ada\", \"Dr Alan\"])    # 'Dr '\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        meanings = _meanings()

        def some(problem: str, cause: str | None = None, cure: str | None = None) -> str:
            fitting = [
                message
                for message, said in meanings.items()
                if said["problem"] == problem
                and cause in (None, said["cause"])
                and cure in (None, said["cure"])
            ]
            return rng.choice(fitting)

        mixed = rng.choice([_keys(model, *OTHER_NAMES[3 + i]) for model in MODELS for i in (0, 1)])
        drawn = [
            ("no GPU", "", NO_GPU),
            ("too few GPUs", "", FEW_GPUS.format(
                device=rng.randint(4, 9), count=rng.choice((1, 2, 3)))),
            ("a wrapped model's file", "", _keys("Net", LAYERS[1], _with("module.", LAYERS[1]))),
            ("other sizes", "", some("sizes")),
            ("another error", "", OTHERS[0]),
            ("a pickled class", "a file with an object", some("pickled objects")),
            ("two digits", "a GPU whose number has two digits",
             FEW_GPUS.format(device=rng.randint(10, 15), count=rng.choice((2, 4, 8)))),
            ("a compiled model's file", "the other prefix", some("keys", "_orig_mod.", CLEAN)),
            ("wrapped twice", "a prefix of two parts", some("keys", "module.module.", CLEAN)),
            ("a wrapped model", "a prefix on the model's side", some("keys", None, INNER)),
            ("a real part called module", "a real part that is called like a prefix",
             _keys(rng.choice(MODELS), LAYERS[3], _with("module.", LAYERS[3]))),
            ("a prefix and more", "a prefix that is not all", mixed),
            ("a renamed layer", "other names", _keys(rng.choice(MODELS), *OTHER_NAMES[0])),
            ("only missing keys", "one list only", _keys(rng.choice(MODELS), *OTHER_NAMES[1])),
            ("only unexpected keys", "the other list only",
             _keys(rng.choice(MODELS), *OTHER_NAMES[2])),
            ("a mix of devices", "a message about devices while running", OTHERS[1]),
            ("another message", "a message with words of another one", rng.choice(OTHERS[2:])),
        ]
        return [
            Case(title, separates or title, {"message": message}, bool(separates))
            for title, separates, message in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        message, seen = case.data["message"], facts["read"]
        wanted = _meanings().get(message)
        if wanted is None:
            if seen["type"] == "NoneType":
                return None
            return OTHER_READ.found(f"{brief(seen)[:60]} for “{message[:40]}…”", "None")
        if seen["type"] == "NoneType":
            return _missed(wanted).found(f"None for “{message[:40]}…”", str(wanted))
        parts = as_dict(seen) or {}
        texts = {key: text_of(value) for key, value in parts.items()}
        if set(texts) != {"problem", "cause", "cure"} or None in texts.values():
            return WRONG_FORM.found(brief(seen)[:80], str(wanted))
        return None if texts == wanted else _name(texts, wanted).found(str(texts), str(wanted))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "NoneType" in raised.text or raised.type == "IndexError":
            return NO_MATCH.found(f"{raised.type}: {raised.text}", "a dict, or None")
        return None


@functools.cache
def _meanings() -> Mapping[str, Mapping[str, str]]:
    """Every message of the vocabulary, and what it says."""
    return {message: dict(zip(("problem", "cause", "cure"), said, strict=True))
            for message, *said in _vocabulary()}


def _vocabulary() -> Iterator[tuple[str, str, str, str]]:
    yield NO_GPU, "no GPU", "cuda", MAP
    for device in range(16):
        for count in (1, 2, 3, 4, 8):
            message = FEW_GPUS.format(device=device, count=count)
            if device >= count:
                yield message, "too few GPUs", f"cuda:{device}", MAP
    for model in MODELS:
        for keys in LAYERS:
            for prefix in PREFIXES:
                longer = _with(prefix, keys)
                yield _keys(model, keys, longer), "keys", prefix, CLEAN
                yield _keys(model, longer, keys), "keys", prefix, INNER
            for found in range(2, 6):
                for wanted in range(6, 9):
                    size = SIZE.format(key=keys[-1], found=found, wanted=wanted)
                    yield KEYS.format(model=model) + size, "sizes", keys[-1], COMPARE
        for missing, unexpected in OTHER_NAMES:
            yield _keys(model, missing, unexpected), "keys", "other names", COMPARE
    for name in CLASSES:
        yield PICKLE.format(name=name), "pickled objects", name, STATE_DICT


def _keys(model: str, missing: Sequence[str], unexpected: Sequence[str]) -> str:
    text = KEYS.format(model=model)
    # `load_state_dict` puts the unexpected keys first and then the missing ones before them.
    for lead, keys in ((MISSING, missing), (UNEXPECTED, unexpected)):
        if keys:
            text += lead.format(keys=", ".join(f'"{key}"' for key in keys))
    return text


def _with(prefix: str, keys: Sequence[str]) -> list[str]:
    return [prefix + key for key in keys]


def _missed(wanted: Mapping[str, str]) -> FindingKind:
    return {
        "no GPU": DEVICE_MISSED,
        "too few GPUs": DEVICE_MISSED,
        "keys": KEYS_MISSED,
        "sizes": SIZE_MISSED,
        "pickled objects": PICKLE_MISSED,
    }[wanted["problem"]]


def _name(seen: Mapping[str, Any], wanted: Mapping[str, str]) -> FindingKind:
    if "weights_only" in seen["cure"]:
        return TRUST_ADVISED
    if seen["problem"] != wanted["problem"]:
        return _missed(wanted)
    if wanted["problem"] == "too few GPUs" and seen["cause"] != wanted["cause"]:
        return DIGIT_LOST if wanted["cause"].startswith(seen["cause"]) else COUNT_TAKEN
    if wanted["problem"] == "keys":
        if wanted["cause"] == "other names":
            return PREFIX_INVENTED
        if seen["cause"] != wanted["cause"]:
            return PREFIX_MISSED
        if {seen["cure"], wanted["cure"]} == {CLEAN, INNER}:
            return SIDES_SWAPPED
    return CURE_WRONG
