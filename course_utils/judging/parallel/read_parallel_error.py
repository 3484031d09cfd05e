"""Judge `parallel.read_parallel_error`.

The oracle writes down every message that its small vocabulary allows and looks the given one up.
The messages are those of torch 2.13 (torch/nn/parallel/data_parallel.py, parallel_apply.py and
torch/_utils.py), with tracebacks as Python 3.11 and older ones write them.
"""

import functools
import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.parallel.check_wrap import MISMATCH

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is a dict of texts with the keys `"wanted"` and `"found"`, or with the keys '
    '`"gpu"`, `"error"` and `"cause"`; or `None` for a message of another kind.',
    next_step="Compare your result with the examples of the exercise, key by key and type by type.",
)
SWAPPED = FindingKind(
    name="devices-swapped",
    title="the two devices are the wrong way round",
    explanation="The message names first where everything must be, then where one tensor is.",
    next_step="Read the message once more, with your finger on each device.",
)
MAIN_MISSED = FindingKind(
    name="main-gpu-missed",
    title="the message about the main GPU was not understood",
    explanation="It begins with `module must have its parameters and buffers on device`, and names "
    "two devices.",
    next_step="Look for the words before each of the two devices.",
)
REPLICA_MISSED = FindingKind(
    name="replica-missed",
    title="the message of a replica was not understood",
    explanation="It begins with `Caught`, then an error, the number of a replica and that of its "
    "GPU. Behind it stands a whole traceback.",
    next_step="Read the first line for the place, and the last for the cause.",
)
REPLICA_NUMBER = FindingKind(
    name="replica-number-taken",
    title="the number of a replica is not that of its GPU",
    explanation="Replicas are counted from 0. Which GPU number `i` is on depends on `device_ids`; "
    "the message names it behind `on device`.",
    next_step="Take the number that follows `on device`.",
)
BARE_NUMBER = FindingKind(
    name="bare-number",
    title="a number alone is no device",
    explanation="The message of a replica names the number of its GPU. The device is called "
    "`cuda:` and that number.",
    next_step="Put `cuda:` before the number.",
)
OUTER_ERROR = FindingKind(
    name="cause-not-found",
    title="the cause is in the last line",
    explanation="The first line only says who noticed. A traceback ends with the error itself: its "
    "name, a colon, and what it says.",
    next_step="Take the last line that is not empty, and cut it at the first `: `.",
)
CUT = FindingKind(
    name="cause-cut-short",
    title="a part of the cause is missing",
    explanation="What the error says may contain colons itself.",
    next_step="Cut at the first `: ` only: `text.partition(\": \")` does that.",
)
ERROR_WRONG = FindingKind(
    name="other-error-named",
    title="the error has another name",
    explanation="It is the word behind `Caught`, and again the first word of the last line. In the "
    "lines between, other errors may be named.",
    next_step="Read the name from the first line or from the last.",
)
OTHER_ERROR_READ = FindingKind(
    name="other-error-read",
    title="this message is about something else",
    explanation="Only messages of the wrapper itself and of its replicas are meant. Others name "
    "devices, or begin with `Caught`, as well.",
    next_step="Return `None` unless the words of one of the two messages are there.",
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
    explanation="Each part stands behind fixed words, and ends where the message goes on.",
    next_step="Print what you find for each part, for both kinds of messages.",
)

CAUGHT = (
    "Caught {error} in replica {replica} on device {gpu}.\n"
    "Original Traceback (most recent call last):\n"
)
FRAMES = (
    '  File "/usr/lib/python3/torch/nn/parallel/parallel_apply.py", line 114, in _worker\n'
    "    output = module(*input, **kwargs)\n"
    "             ^^^^^^^^^^^^^^^^^^^^^^^^\n",
    '  File "/opt/torch/nn/parallel/parallel_apply.py", line 64, in _worker\n'
    "    output = module(*input, **kwargs)\n"
    '  File "train.py", line 12, in forward\n'
    '    raise_if(x, error="ValueError: in replica 9 on device 9")\n',
)
CAUSES = (
    ("RuntimeError", "Expected all tensors to be on the same device, but found at least two "
     "devices, cuda:1 and cuda:0!"),
    ("TypeError", "Net.forward() missing 1 required positional argument: 'x'"),
    ("ValueError", "Expected more than 1 value per channel when training, got input size "
     "torch.Size([1, 3])"),
    ("AttributeError", "'Net' object has no attribute 'scale'"),
    ("RuntimeError", "shapes do not fit: 3 and 4: see above"),
    ("IndexError", "list index out of range"),
)  # fmt: skip
OTHER_MESSAGES = (
    "Expected all tensors to be on the same device, but found at least two devices, {x} and {y}!",
    "Caught RuntimeError in DataLoader worker process {n}.\nOriginal Traceback (most recent call "
    "last):\n  File \"data.py\", line 3, in __getitem__\n    return self.x[i]\nRuntimeError: no "
    "sample on device {n}",
    "Invalid device id",
    "There is an imbalance between your GPUs. You may want to exclude GPU {n} which has less than "
    "75% of the memory or cores of GPU 0. You can do so by setting the device_ids argument to "
    "DataParallel, or by setting the CUDA_VISIBLE_DEVICES environment variable.",
    "'DataParallel' object has no attribute 'weight'",
)
DEVICES = ("cpu", *(f"cuda:{index}" for index in range(12)))
REPLICAS, GPUS = range(8), range(12)
ERROR_NAME = "RuntimeError: "


class ReadParallelError(Judge):
    """Compares what was read with the vocabulary."""

    name = "parallel.read_parallel_error"
    findings = (
        WRONG_FORM,
        SWAPPED,
        MAIN_MISSED,
        REPLICA_MISSED,
        REPLICA_NUMBER,
        BARE_NUMBER,
        OUTER_ERROR,
        CUT,
        ERROR_WRONG,
        OTHER_ERROR_READ,
        NO_MATCH,
        MISREAD,
    )
    hints = (
        "Decide first which of the two messages it is, by words that only this one has. All others "
        "are `None`.",
        "The message about the main GPU has two devices behind the same kind of words. Of the "
        "other one only two lines matter, the first and the last.",
        "In a pattern, `(\\w+)` reads a word and `(\\d+)` digits; write the fixed words around "
        "them. `message.strip().splitlines()[-1]` is the last line, and `partition(\": \")` cuts "
        "it once.",
        "A similar case: a note of a shop with several tills.\n"
        "```python\n"
        "import re\n\n"
        "def read_note(note):\n"
        "    first = re.search(r\"Trouble at till \\d+ of hall (\\d+)\", note)\n"
        "    if first is None:\n"
        "        return None\n"
        "    kind, _, cause = note.strip().splitlines()[-1].partition(\": \")\n"
        "    return {\"hall\": f\"H{first.group(1)}\", \"kind\": kind, \"cause\": cause}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        low, high = rng.sample(range(10), 2)
        replica, gpu = rng.sample(range(1, 8), 2)

        def main(wanted: str, found: str) -> str:
            return MISMATCH.format(wanted=wanted, found=found)

        def caught(cause: int, replica: int, gpu: int, frame: int) -> str:
            return write(CAUSES[cause], replica, gpu, FRAMES[frame])

        inner = ("RuntimeError", main(f"cuda:{gpu}", "cpu"))
        drawn = [
            ("the main GPU", "", main("cuda:1", "cuda:2")),
            ("a replica", "", caught(0, 1, 1, 0)),
            ("another error", "", OTHER_MESSAGES[0].format(x="cuda:1", y="cuda:0")),
            ("GPUs that do not begin at 0", "", caught(1, 1, 3, 1)),
            ("never moved", "a module on the CPU", main(f"cuda:{low}", "cpu")),
            ("a number of two digits", "a number of two digits",
             main(f"cuda:{rng.randint(10, 11)}", f"cuda:{low}")),
            ("the main GPU, with the error's name", "a line copied with the name of the error",
             ERROR_NAME + main(f"cuda:{low}", f"cuda:{high}")),
            ("a longer traceback", "a longer traceback", caught(2, replica, gpu, 1)),
            ("a two-digit GPU", "a GPU whose number has two digits",
             caught(rng.choice((1, 3)), replica, rng.randint(10, 11), 0)),
            ("colons in the cause", "colons in the cause", caught(4, replica, gpu, 0)),
            ("named, with a traceback", "a traceback copied with the name of the error",
             "IndexError: " + caught(5, 0, gpu, 1)),
            ("a replica about the main GPU", "a wrapper inside a replica",
             write(inner, replica, gpu, FRAMES[0])),
            ("a DataLoader's worker", "an error caught somewhere else",
             OTHER_MESSAGES[1].format(n=low)),
            ("another", "another message about GPUs",
             rng.choice(OTHER_MESSAGES[2:]).format(n=low)),
        ]
        return [
            Case(title, separates or title, {"message": message}, bool(separates))
            for title, separates, message in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, message = facts["read"], case.data["message"]
        wanted = meanings().get(_bare(message))
        expected = f"{wanted} for “{message}”"[:400]
        if wanted is None:
            return None if seen["type"] == "NoneType" else OTHER_ERROR_READ.found(
                brief(seen)[:200], expected
            )
        if seen["type"] == "NoneType":
            return (MAIN_MISSED if "wanted" in wanted else REPLICA_MISSED).found("None", expected)
        parts = _parts(seen)
        if parts is None or parts.keys() != wanted.keys():
            return WRONG_FORM.found(brief(seen)[:200], expected)
        if parts == wanted:
            return None
        return _name(parts, wanted).found(str(parts)[:200], expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type in ("AttributeError", "TypeError") and "NoneType" in raised.text:
            return NO_MATCH.found(f"{raised.type}: {raised.text}", "a dict, or None")
        return None


def write(cause: tuple[str, str], replica: int, gpu: int, frames: str) -> str:
    """The message of a replica, as torch puts it together."""
    error, text = cause
    return f"{CAUGHT.format(error=error, replica=replica, gpu=gpu)}{frames}{error}: {text}\n"


def _bare(message: str) -> str:
    """A message without the name of the error that may stand before it."""
    name, _, rest = message.partition(": ")
    return rest if name.isidentifier() else message


@functools.cache
def meanings() -> Mapping[str, Mapping[str, str]]:
    """Every message of the vocabulary, and what it says."""
    main = {
        MISMATCH.format(wanted=wanted, found=found): {"wanted": wanted, "found": found}
        for wanted, found in itertools.permutations(DEVICES, 2)
    }
    replicas = {
        write((error, text), replica, gpu, frames):
            {"gpu": f"cuda:{gpu}", "error": error, "cause": text}
        for replica, gpu, frames in itertools.product(REPLICAS, GPUS, FRAMES)
        for error, text in (
            *CAUSES, ("RuntimeError", MISMATCH.format(wanted=f"cuda:{gpu}", found="cpu"))
        )
    }  # fmt: skip
    return main | replicas


def _parts(described: Mapping[str, Any]) -> dict[str, str] | None:
    """The described dict as a dict of texts, or None if it has another form."""
    if described["type"] != "dict":
        return None
    if any(item["type"] != "str" for item in (*described["keys"], *described["items"])):
        # A number where a device should be is a mistake with a name of its own.
        return _with_numbers(described)
    keys = [key["value"] for key in described["keys"]]
    # A line break at the end of the last line is nothing that the error says.
    texts = (item["value"].rstrip("\n") for item in described["items"])
    return dict(zip(keys, texts, strict=True))


def _with_numbers(described: Mapping[str, Any]) -> dict[str, str] | None:
    if any(item["type"] not in ("str", "int") for item in described["items"]):
        return None
    keys = [str(key.get("value")) for key in described["keys"]]
    return dict(zip(keys, (str(item["value"]) for item in described["items"]), strict=True))


def _name(parts: Mapping[str, str], wanted: Mapping[str, str]) -> FindingKind:
    if "wanted" in wanted:
        swapped = (parts["wanted"], parts["found"]) == (wanted["found"], wanted["wanted"])
        return SWAPPED if swapped else MISREAD
    if parts["gpu"] != wanted["gpu"]:
        number = parts["gpu"].removeprefix("cuda:")
        if not number.isdigit():
            return MISREAD
        if number == wanted["gpu"].removeprefix("cuda:"):
            return BARE_NUMBER
        return REPLICA_NUMBER
    if parts["error"] != wanted["error"]:
        return ERROR_WRONG
    if parts["cause"] and parts["cause"] in wanted["cause"]:
        return CUT
    return OUTER_ERROR
