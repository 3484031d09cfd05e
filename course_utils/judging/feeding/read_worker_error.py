"""Judge `feeding.read_worker_error`.

The oracle writes down every message that its vocabulary allows and looks the given one up.
"""

import functools
import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is a dict with the keys `"cause"`, a text, and `"worker"`, a number or '
    "`None`. For a message of no row of the table it is `None`.",
    next_step="Compare your result with the examples of the exercise, type by type.",
)
UNKNOWN_CAUSE = FindingKind(
    name="unknown-cause",
    title="the cause is no word of the table",
    explanation="The causes are names, and have to be those of the table's first column.",
    next_step="Compare your text with the first column, letter by letter.",
)
WRAPPER_READ = FindingKind(
    name="only-the-wrapper-read",
    title="the first line is only the wrapper",
    explanation="`Caught … in DataLoader worker process` says *where* an error occurred. What "
    "occurred is in the last line, and may be any of the other causes.",
    next_step="Look for the other rows of the table first, and for the wrapper last.",
)
WORKER_MISSED = FindingKind(
    name="worker-missed",
    title="the message does say which worker it was",
    explanation="`in DataLoader worker process 2` counts the workers of the loader, from 0.",
    next_step="Look for the number behind `worker process`, in every message, and turn it into an "
    "`int`.",
)
PID_TAKEN = FindingKind(
    name="pid-taken-for-worker",
    title="a pid is not the number of a worker",
    explanation="The operating system numbers all processes of the machine. Which worker of the "
    "loader it was, this message does not say.",
    next_step="Take only a number that stands behind `worker process`.",
)
BUS_ERROR_READ = FindingKind(
    name="memory-taken-for-death",
    title="this worker died of something that the message names",
    explanation="`Bus error` and `shared memory` point to `/dev/shm`, through which workers hand "
    "their batches over. That can be cured.",
    next_step="Look for the shared memory before you look for dead workers.",
)
OTHER_ERROR_READ = FindingKind(
    name="other-error-read",
    title="this message is none of the table",
    explanation="Many errors name workers, pinning or CUDA. Only the marked words of the table "
    "tell the causes apart.",
    next_step="Look for the marked words as a whole and return `None` where none of them is found.",
)
MISSED = FindingKind(
    name="message-missed",
    title="this message is one of the table",
    explanation="The same cause comes in several wordings, with the name of the error before it "
    "or without.",
    next_step="Search for the marked words with `in`, anywhere in the message.",
)
CAUSE_WRONG = FindingKind(
    name="another-cause",
    title="the message has another cause",
    explanation="Each row of the table has words of its own that stand in no other row.",
    next_step="Print the message, find the marked words in it, and follow your tests one by one.",
)
NO_MATCH = FindingKind(
    name="no-match-not-handled",
    title="a search that finds nothing has to be expected",
    explanation="`re.search` returns `None` if nothing matches, and `None` has no `group`.",
    next_step="Test the result of the search before you use it.",
)

ALONE = {
    "cuda": (
        "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you "
        "must use the 'spawn' start method",
    ),
    "killed": (
        "DataLoader worker (pid(s) {pid}) exited unexpectedly",
        "DataLoader worker (pid {pid}) is killed by signal: Killed. ",
        "DataLoader worker (pid {pid}) exited unexpectedly with exit code {code}. Details are lost "
        "due to multiprocessing. Rerunning with num_workers=0 may give better error trace.",
    ),
    "memory": (
        "DataLoader worker (pid {pid}) is killed by signal: Bus error. It is possible that "
        "dataloader's workers are out of shared memory. Please try to raise your shared memory "
        "limit.",
        "unable to allocate shared memory(shm) for file </torch_{pid}_{code}>: No space left on "
        "device (28)",
    ),
    "pickle": (
        "Can't pickle local object 'Scaled.__init__.<locals>.<lambda>'",
        "cannot pickle '_io.BufferedReader' object",
        "Can't pickle <function <lambda> at 0x7f{pid}>: attribute lookup <lambda> on __main__ "
        "failed",
    ),
    "settings": (
        "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
        "enable multiprocessing, otherwise set prefetch_factor to None.",
        "persistent_workers option needs num_workers > 0",
        "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
        "but got num_workers=0",
    ),
    "pin": ("cannot pin 'torch.cuda.{kind}Tensor' only dense CPU tensors can be pinned",),
}
"""Messages that come from the main process, by their cause."""

TRACEBACK = (
    "Original Traceback (most recent call last):\n"
    '  File "torch/utils/data/_utils/worker.py", line {code}, in _worker_loop\n'
    "    data = fetcher.fetch(index)\n"
    '  File "train.py", line {code}, in __getitem__\n'
    "    return self.items[index]\n"
)
WRAPPED = "Caught {error} in DataLoader worker process {worker}.\n" + TRACEBACK + "{error}: {text}"
OWN_ERRORS = (
    ("ValueError", "row {code} of the file is empty"),
    ("IndexError", "list index out of range"),
    ("FileNotFoundError", "[Errno 2] No such file or directory: 'cat{pid}.jpg'"),
    ("ZeroDivisionError", "division by zero"),
)
OTHERS = (
    "CUDA out of memory. Tried to allocate {code}.00 MiB.",
    "Cannot access accelerator device when none is available.",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:{worker} "
    "and cpu!",
    "This DataLoader will create {code} worker processes in total. Our suggested max number of "
    "worker in current system is {worker}, which is smaller than what this DataLoader is going to "
    "create.",
    "sampler option is mutually exclusive with shuffle",
)


class ReadWorkerError(Judge):
    """Compares what was read with the table's own words."""

    name = "feeding.read_worker_error"
    findings = (
        WRONG_FORM,
        UNKNOWN_CAUSE,
        WRAPPER_READ,
        WORKER_MISSED,
        PID_TAKEN,
        BUS_ERROR_READ,
        OTHER_ERROR_READ,
        MISSED,
        CAUSE_WRONG,
        NO_MATCH,
    )
    hints = (
        "Two questions, and they are independent: which words of the table are in the message, "
        "and does it say `worker process` with a number?",
        "The order of your tests matters. A message in a wrapper holds the words of its wrapper "
        "and those of its cause; a bus error comes with the words of a worker that was killed.",
        "`re.search(r\"worker process (\\d+)\", message)` gives a match or `None`, and `group(1)` "
        "is a text: `int` makes a number of it. Test `\"own code\"` last.",
        "A similar case: what is wrong with a parcel, and on which floor?\n"
        "```python\n"
        "import re\n\n"
        "SIGNS = {\"water\": [\"wet\", \"soaked\"], \"wrong house\": [\"unknown here\"]}\n\n"
        "def read_note(note):\n"
        "    floor = re.search(r\"floor (\\d+)\", note)\n"
        "    for cause, words in SIGNS.items():\n"
        "        if any(word in note for word in words):\n"
        "            return {\"cause\": cause, \"floor\": int(floor.group(1)) if floor else None}\n"
        "    return None\n\n"
        "read_note(\"parcel is soaked, left on floor 3\")   # {'cause': 'water', 'floor': 3}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def pick(cause: str, number: int | None = None) -> str:
            texts = ALONE[cause]
            return texts[rng.randrange(len(texts)) if number is None else number]

        def wrap(error: str, text: str) -> str:
            return WRAPPED.format_map(_Rest(error=error, text=text))

        named = "RuntimeError: "
        drawn = [
            ("CUDA in a forked process", "", pick("cuda")),
            ("a worker that exited", "", pick("killed", 0)),
            ("a bus error", "", pick("memory", 0)),
            ("an error of the dataset's own code", "", wrap(*OWN_ERRORS[0])),
            ("a setting", "", pick("settings", 0)),
            ("another error", "", OTHERS[0]),
            ("CUDA, in a wrapper", "a wrapper around another cause",
             wrap("RuntimeError", pick("cuda"))),
            ("a lambda", "an object that cannot be pickled", pick("pickle", 0)),
            ("a file", "another object that cannot be pickled", pick("pickle", 1)),
            ("a lambda at the top", "an older wording of the same", pick("pickle", 2)),
            ("killed by a signal", "a worker that was killed", named + pick("killed", 1)),
            ("an exit code", "a worker that left with a code", pick("killed", 2)),
            ("shared memory", "a newer wording of full shared memory", named + pick("memory", 1)),
            ("pinning", "a tensor that cannot be pinned", pick("pin")),
            ("pinning in a worker", "pinning inside of a worker",
             wrap("RuntimeError", pick("pin"))),
            ("another setting", "another setting", "ValueError: " + pick("settings", 1)),
            ("a start method", "a start method without workers", pick("settings", 2)),
            ("own code", "another error of the dataset's own code",
             wrap(*rng.choice(OWN_ERRORS[1:]))),
            ("memory in a wrapper", "full shared memory, in a wrapper",
             wrap("RuntimeError", pick("memory", 1))),
            ("a device or a warning", "another message that names devices", OTHERS[2]),
            ("the warning", "a warning that names workers", OTHERS[3]),
            ("another conflict", "a setting that has nothing to do with workers",
             rng.choice((OTHERS[1], OTHERS[4]))),
        ]
        return [
            Case(title, separates or title, {"message": _fill(rng, text)}, bool(separates))
            for title, separates, text in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, message = facts["read"], case.data["message"]
        wanted = truth(case.data)
        expected = f"{wanted} for “{message}”"
        if seen["type"] == "NoneType":
            return MISSED.found("None", expected) if wanted else None
        parts = _parts(seen)
        if parts is None:
            return WRONG_FORM.found(brief(seen), expected)
        if parts["cause"] not in (*ALONE, "own code"):
            return UNKNOWN_CAUSE.found(str(parts), expected)
        if parts == wanted:
            return None
        return _name(parts, wanted, message).found(str(parts), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type in ("AttributeError", "TypeError") and "NoneType" in raised.text:
            return NO_MATCH.found(f"{raised.type}: {raised.text}", "a dict, or None")
        return None


class _Rest(dict[str, str]):
    """Leaves the fields that are not given for later."""

    def __missing__(self, key: str) -> str:
        return f"{{{key}}}"


NUMBERS = {"pid": range(1000, 1040), "code": range(40, 60), "worker": range(5)}
KINDS = ("Float", "Half", "Double", "Long")


def _fill(rng: random.Random, text: str) -> str:
    numbers = {name: str(rng.choice(choices)) for name, choices in NUMBERS.items()}
    return text.format_map({**numbers, "kind": rng.choice(KINDS)})


def truth(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the message of a case says, if it is one of the vocabulary; else None."""
    message = data["message"]
    for name in ("RuntimeError: ", "ValueError: "):
        message = message.removeprefix(name)
    return meanings().get(message)


@functools.cache
def meanings() -> Mapping[str, dict[str, Any]]:
    """Every message of the vocabulary, and what it says."""
    found: dict[str, dict[str, Any]] = {}
    inner = [("RuntimeError", text, cause) for cause, texts in ALONE.items() for text in texts]
    for _, text, cause in inner:
        for whole, _ in _spelled(text):
            found[whole] = {"cause": cause, "worker": None}
    inner += [(error, text, "own code") for error, text in OWN_ERRORS]
    for error, text, cause in inner:
        wrapped = WRAPPED.format_map(_Rest(error=error, text=text))
        for whole, worker in _spelled(wrapped):
            found[whole] = {"cause": cause, "worker": worker}
    return found


def _spelled(text: str) -> list[tuple[str, int | None]]:
    """The text with all numbers that it may hold, and the worker that it names."""
    whole: list[tuple[str, int | None]] = [(text, None)]
    for name, choices in {**NUMBERS, "kind": KINDS}.items():
        if f"{{{name}}}" in text:
            whole = [
                (t.replace(f"{{{name}}}", str(c)), c if name == "worker" else w)
                for t, w in whole
                for c in choices
            ]
    return whole


def _parts(described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described dict as a dict, or None if it has another form."""
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    if sorted(map(str, keys)) != ["cause", "worker"]:
        return None
    items = dict(zip(keys, described["items"], strict=True))
    if items["cause"]["type"] != "str" or items["worker"]["type"] not in ("int", "NoneType"):
        return None
    return {key: item["value"] for key, item in items.items()}


def _name(
    seen: Mapping[str, Any], wanted: Mapping[str, Any] | None, message: str
) -> FindingKind:
    if wanted is None:
        return OTHER_ERROR_READ
    if seen["cause"] == wanted["cause"]:
        if wanted["worker"] is not None:
            return WORKER_MISSED
        return PID_TAKEN if str(seen["worker"]) in message else WRONG_FORM
    if seen["cause"] == "own code" and "worker process" in message:
        return WRAPPER_READ
    if seen["cause"] == "killed" and wanted["cause"] == "memory":
        return BUS_ERROR_READ
    return CAUSE_WRONG
