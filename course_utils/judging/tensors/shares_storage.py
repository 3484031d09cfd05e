"""Judge `tensors.shares_storage`.

The oracle never looks at a tensor: it knows of each step whether it keeps the storage of the
tensor it is applied to. A test compares that knowledge with real storages.
"""

import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.tensors.material import one_gpu, plain, two_gpus

Steps = Sequence[Sequence[Any]]

KEEPS_STORAGE = {
    "flat": True,
    "row": True,
    "rows": True,
    "transposed": True,
    "detached": True,
    "moved nowhere": True,
    "read as int32": True,
    "cloned": False,
    "copied by to": False,
    "moved": False,
    "transposed and reshaped": False,
}

NOT_A_BOOL = FindingKind(
    name="not-true-or-false",
    title="the answer is neither `True` nor `False`",
    explanation="The function answers a question, with one of these two values.",
    next_step="Return the comparison itself.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the tensors are not what they were before",
    explanation="Writing into one tensor to see whether the other changes does answer the "
    "question, but it destroys the values of whoever called.",
    next_step="Compare where the memory begins instead of writing into it.",
)
OBJECTS_COMPARED = FindingKind(
    name="objects-compared",
    title="two tensors may share their memory and yet be two objects",
    explanation="`is`, `==` of objects and `id` compare the Python objects. A view is a new object "
    "on the same memory.",
    next_step="Compare the storages of the two tensors, not the tensors.",
)
COPY_TAKEN = FindingKind(
    name="copy-taken-for-sharing",
    title="a copy has memory of its own",
    explanation="Equal values, the same shape or the same device do not make two tensors share "
    "memory, and the `id` of an object that is gone already says nothing at all.",
    next_step="Compare the addresses at which their storages begin.",
)
START_COMPARED = FindingKind(
    name="first-elements-compared",
    title="a slice may begin elsewhere in the same memory",
    explanation="`data_ptr()` is the address of a tensor's first element. A slice that leaves out "
    "the first row starts later, in the same storage.",
    next_step="Ask for the storage first, then for its address.",
)
RANGES_COMPARED = FindingKind(
    name="overlap-compared",
    title="two tensors may share a storage without a common element",
    explanation="The question is about the block of memory as a whole: it stays alive as long as "
    "one of the two does.",
    next_step="Compare the storages, not the elements that the tensors look at.",
)
DEVICE_IGNORED = FindingKind(
    name="device-ignored",
    title="an address counts only together with its device",
    explanation="Each device has memory of its own. Equal addresses on two devices are two "
    "places; empty tensors all have address 0.",
    next_step="Compare the devices as well.",
)
NUMPY_ON_GPU = FindingKind(
    name="numpy-on-gpu",
    title="NumPy sees CPU memory only",
    explanation="A tensor on a GPU cannot become an array without a copy, and a copy shares "
    "nothing.",
    next_step="Ask the tensors themselves: a storage knows its address on every device.",
)
VIEW_MISSED = FindingKind(
    name="view-missed",
    title="these two look at the same memory",
    explanation="`detach`, `t`, `view` and a `to` that has nothing to do make no copy, whatever "
    "the shape or dtype of the result.",
    next_step="Leave shape, dtype and strides out of the comparison.",
)


class SharesStorage(Judge):
    """Tells misconceptions apart by the pair on which the answer was wrong."""

    name = "tensors.shares_storage"
    findings = (
        NOT_A_BOOL,
        INPUT_CHANGED,
        OBJECTS_COMPARED,
        COPY_TAKEN,
        START_COMPARED,
        RANGES_COMPARED,
        DEVICE_IGNORED,
        NUMPY_ON_GPU,
        VIEW_MISSED,
    )
    hints = (
        "A tensor is a small Python object; its numbers are in a block of memory, the storage. "
        "Which of the two does `is` compare?",
        "`x.untyped_storage()` is the block that `x` looks into, and its `data_ptr()` the address "
        "at which the block begins. `x.data_ptr()` is the address of the first element of `x`. "
        "Print both for `x` and for `x[1:]`.",
        "Two memories may use the same address. So a place is an address *and* a device.",
        "A similar case: do two `memoryview`s look into the same bytes?\n"
        "```python\n"
        "def same_bytes(a, b):\n"
        "    return a.obj is b.obj            # the object that owns the memory\n\n"
        "data = bytearray(b\"on the right device\")\n"
        "same_bytes(memoryview(data)[:6], memoryview(data)[7:])        # True: two parts of it\n"
        "same_bytes(memoryview(data), memoryview(bytearray(data)))     # False: equal, not same\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        rows, place = rng.randint(3, 5), one_gpu(rng)
        cut = rng.randint(1, rows - 1)
        drawn: list[tuple[str, str, str, Steps, Steps]] = [
            ("a tensor and a view of it", "", place, [], [["flat"]]),
            ("a tensor and its clone", "", place, [], [["cloned"]]),
            ("a tensor and its copy on another GPU", "", gpu, [], [["moved", other]]),
            ("a tensor and itself, on the CPU", "", "cpu", [], []),
            ("a tensor without its first rows", "a part that begins later",
             place, [], [["rows", cut, rows]]),
            ("two rows", "two parts without a common element",
             place, [["row", 0]], [["row", rng.randint(1, rows - 1)]]),
            ("empty tensors on two GPUs", "equal addresses on two devices",
             gpu, [["rows", 0, 0], ["cloned"]], [["rows", 0, 0], ["moved", other]]),
            ("detached", "a tensor cut from its gradients", place, [], [["detached"]]),
            ("`to` with nothing to do", "a `to` that moves nothing",
             gpu, [["transposed"]], [["moved nowhere"]]),
            ("`to(copy=True)`", "a copy on the same device",
             gpu, [], [["copied by to"]]),
            ("read as another dtype", "the same bytes under another dtype",
             place, [["rows", cut, rows]], [["read as int32"]]),
            ("there and back", "a way to another device and back",
             gpu, [], [["moved", rng.choice(("cpu", other))], ["moved", gpu]]),
            ("a reshape that has to copy", "a reshape that cannot be a view",
             place, [], [["transposed and reshaped"]]),
            ("two views of one tensor", "two views made in different ways",
             "cpu", [["rows", 0, cut], ["transposed"]], [["flat"], ["detached"]]),
            ("views of two clones", "views of two copies",
             gpu, [["cloned"], ["flat"]], [["cloned"], ["rows", 0, rows]]),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "values": [[float(rng.randint(1, 99)) for _ in range(3)] for _ in range(rows)],
                    "device": device,
                    "a": a,
                    "b": b,
                },
                bool(separates),
            )
            for title, separates, device, a, b in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        wanted, seen = truth(case.data["a"], case.data["b"]), facts["said"]
        if seen["type"] != "bool":
            return NOT_A_BOOL.found(brief(seen), "True or False")
        if facts["after"] != facts["before"]:
            changed = "b" if facts["after"][0] == facts["before"][0] else "a"
            return INPUT_CHANGED.found(f"{changed} has changed", "a and b as they were")
        if seen == plain(wanted):
            return None
        kind = _name(case.data["a"], case.data["b"], wanted)
        return kind.found(str(seen["value"]), str(wanted))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "TypeError" and "device type tensor to numpy" in raised.text:
            return NUMPY_ON_GPU.found(raised.text, "True or False")
        return None


def truth(a: Steps, b: Steps) -> bool:
    """Whether tensors made by these steps from one tensor share its storage."""
    return all(KEEPS_STORAGE[name] for name, *_ in [*a, *b])


def _name(a: Steps, b: Steps, shared: bool) -> FindingKind:
    """What a wrong answer about this pair shows."""
    if not shared:
        return DEVICE_IGNORED if ["rows", 0, 0] in a else COPY_TAKEN
    if a and a[0][0] == b[0][0] == "row":
        return RANGES_COMPARED
    if not a and b and b[0][0] == "rows":
        return START_COMPARED
    if not a and b in ([], [["flat"]]):
        return OBJECTS_COMPARED
    return VIEW_MISSED
