"""Judge `feeding.spawnable`: what stopped the dataset on its way to a worker, or what came out."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

NO_DATASET = FindingKind(
    name="no-dataset",
    title="what was returned is no dataset",
    explanation="A dataset answers `len(dataset)` and `dataset[number]`.",
    next_step="Return `Records(path, width, scale)`, with both methods in the class.",
)
LAMBDA = FindingKind(
    name="lambda-kept",
    title="a function without a name cannot be sent to a worker",
    explanation="Pickle sends a function as its module and its name. A lambda has none, and "
    "neither has a function that is defined inside another one.",
    next_step="Keep the number that it works with, and do the work in a method.",
)
LOCAL_CLASS = FindingKind(
    name="class-inside-a-function",
    title="the class itself cannot be found by a worker",
    explanation="A worker imports the class by its name. A class that is defined inside a function "
    "only exists while that function runs.",
    next_step="Define the class at the top of the cell, and only *use* it in the function.",
)
FILE_KEPT = FindingKind(
    name="open-file-kept",
    title="an open file cannot be sent to a worker",
    explanation="It is a thing of one process: a number that the operating system gave out, and a "
    "position. Nothing of that can be pickled.",
    next_step="Keep the path, and open the file where an item is read.",
)
USED_AND_STUCK = FindingKind(
    name="stuck-after-first-use",
    title="once used, the dataset can no longer be sent",
    explanation="A file that is opened at the first item stays open in the dataset. A look at "
    "`dataset[0]` before the training is enough, and the next loader fails.",
    next_step="Open the file for each item with `with`, or leave it out of the pickle in "
    "`__getstate__`.",
)
NOT_PICKLABLE = FindingKind(
    name="not-picklable",
    title="something in the dataset cannot be sent to a worker",
    explanation="Everything that the dataset keeps in `self` is pickled: plain values, tensors of "
    "the CPU and lists of them are fine; files, locks and generators are not.",
    next_step="Find the attribute that the error names, and keep what it was made of instead.",
)
COPY_BROKEN = FindingKind(
    name="copy-does-not-work",
    title="the copy in the worker does not work",
    explanation="What `__getstate__` leaves out is missing in the worker, where `__init__` is not "
    "called again.",
    next_step="Let the method that reads an item make what it finds missing.",
)
BROKEN = FindingKind(
    name="dataset-does-not-work",
    title="the dataset raises an error, in the main process as well",
    explanation="It was asked for its length or for an item, and that has nothing to do with "
    "workers.",
    next_step="Run the lines of the example in a cell of your own to see the whole error.",
)
USES_CUDA = FindingKind(
    name="cuda-in-the-dataset",
    title="a dataset leaves the GPU alone",
    explanation="A worker that uses the GPU starts CUDA in a process of its own, with memory of "
    "its own, and under `fork` it cannot even do that. Items come from the CPU; the training "
    "moves whole batches.",
    next_step="Leave out what moves something to a GPU.",
)
WHOLE_FILE = FindingKind(
    name="whole-file-sent",
    title="the whole file travels to every worker",
    explanation="What is in `self` is pickled once for each worker. A data set that fits into "
    "memory once may not fit ten times.",
    next_step="Keep the path, and read only the record that is asked for.",
)
WRONG_LENGTH = FindingKind(
    name="wrong-length",
    title="the dataset has another length",
    explanation="There are as many items as records: the bytes of the file, divided by `width`.",
    next_step="`os.path.getsize(path)` is the number of bytes.",
)
ITEM_FORM = FindingKind(
    name="item-of-another-kind",
    title="an item is no float32 tensor of one record",
    explanation="Item n is a tensor of `width` float32 numbers, as before the repair.",
    next_step="Print `dataset[0]` with its `dtype` and `shape`.",
)
OTHER_ITEMS = FindingKind(
    name="other-items",
    title="an item is not what it was before the repair",
    explanation="Item n is a float32 tensor: the bytes of record n, each multiplied by `scale`. "
    "It is the same in every worker, in whatever order items are asked for.",
    next_step="Seek to the record before you read it, and compare with the example.",
)

MOST_BYTES = 2000


class Spawnable(Judge):
    """Names what stopped the dataset, then compares its items."""

    name = "feeding.spawnable"
    findings = (
        NO_DATASET,
        LAMBDA,
        LOCAL_CLASS,
        FILE_KEPT,
        USED_AND_STUCK,
        NOT_PICKLABLE,
        COPY_BROKEN,
        BROKEN,
        USES_CUDA,
        WHOLE_FILE,
        WRONG_LENGTH,
        ITEM_FORM,
        OTHER_ITEMS,
    )
    hints = (
        "`pickle.dumps(dataset)` in a cell of your own raises the same error as a worker that is "
        "started. Which attributes of `self` are no plain values?",
        "Keep `path`, `width` and `scale` in `self`, and nothing else. All three can be sent.",
        "In `__getitem__`: open the file in binary mode with `with`, seek to the record's first "
        "byte, read `width` bytes, and make a float32 tensor of the list of them. It stays on the "
        "CPU.",
        "A similar case: a phone book that was kept open, with a function to look names up.\n"
        "```python\n"
        "class PhoneBook:\n"
        "    def __init__(self, path, prefix):\n"
        "        self.path, self.prefix = path, prefix      # plain values travel well\n\n"
        "    def number_of(self, name):\n"
        "        with open(self.path) as file:              # opened where it is needed\n"
        "            for line in file:\n"
        "                who, number = line.split()\n"
        "                if who == name:\n"
        "                    return self.prefix + number    # a line of code, no lambda\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few = rng.randint(4, 8)
        drawn = [
            ("a small file", "", _records(rng, few, 3), False),
            ("a longer file", "", _records(rng, 150, 40), False),
            ("a dataset that was looked at before", "", _records(rng, few, 2), True),
            ("records of one byte", "records of one byte", _records(rng, few, 1), False),
            ("used, longer", "a longer file, looked at before", _records(rng, 180, 30), True),
            ("one record", "a single record", _records(rng, 1, 4), True),
            ("wide", "wide records", _records(rng, 40, 120), False),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "records": records,
                    "scale": rng.choice((0.25, 0.5, 2.0, 4.0)),
                    "used_first": used,
                    "reads": _reads(rng, len(records)),
                },
                bool(separates),
            )
            for title, separates, records, used in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        records, scale = data["records"], data["scale"]
        if "stopped" in facts:
            kind = _name_stop(facts, data["used_first"])
            if kind is NO_DATASET:
                return kind.found(brief(facts["returned"]), "a dataset")
            return kind.found(facts["error"], "a dataset that works in every worker")
        if facts["cuda"]:
            return USES_CUDA.found("a copy to or from a GPU", "items of the CPU")
        length = facts["length"]["value"]
        if length != len(records):
            return WRONG_LENGTH.found(f"length {length}", f"length {len(records)}")
        # The copies come first; what the main process saw before is compared like one of them.
        asked = [number for _, number in data["reads"]] + [0] * data["used_first"]
        seen = [*facts["items"], *([facts["first"]] if data["used_first"] else [])]
        for number, item in zip(asked, seen, strict=True):
            wanted = expected_item(records[number], scale)
            if item != wanted:
                kind = _name_item(item, wanted)
                return kind.found(f"item {number}: {brief(item)}", brief(wanted))
        if facts["sent_bytes"] > MOST_BYTES:
            return WHOLE_FILE.found(
                f"{facts['sent_bytes']} bytes for each worker", f"less than {MOST_BYTES} bytes"
            )
        return None


def _records(rng: random.Random, count: int, width: int) -> list[list[int]]:
    """Bytes, of which no two neighbours are the same."""
    return [[rng.randrange(1, 250) for _ in range(width)] for _ in range(count)]


def _reads(rng: random.Random, count: int) -> list[tuple[int, int]]:
    """Which of two workers, or the main process (2), reads which record; in turn."""
    return [(turn % 3, rng.randrange(count)) for turn in range(9)]


def expected_item(record: Sequence[int], scale: float) -> dict[str, Any]:
    return {
        "type": "Tensor",
        "dtype": "float32",
        "shape": [len(record)],
        "device": "cpu",
        "values": [byte * scale for byte in record],
    }


def _name_item(item: Mapping[str, Any], wanted: Mapping[str, Any]) -> FindingKind:
    if "cuda" in item.get("device", ""):
        return USES_CUDA
    same_form = all(item.get(name) == wanted[name] for name in ("type", "dtype", "shape"))
    return OTHER_ITEMS if same_form else ITEM_FORM


def _name_stop(facts: Facts, used_first: bool) -> FindingKind:
    step, error = facts["stopped"], facts["error"]
    if facts["returned"]["type"] != "other" or "has no len()" in error:
        return NO_DATASET
    if step == "_use_first" or (step == "_use_copies" and not facts["original_works"]):
        return BROKEN
    if step == "_use_copies":
        return COPY_BROKEN
    if "_io." in error:
        return USED_AND_STUCK if used_first else FILE_KEPT
    if "lambda" in error or "local" in error:
        return LOCAL_CLASS if facts["local_class"] else LAMBDA
    return NOT_PICKLABLE
