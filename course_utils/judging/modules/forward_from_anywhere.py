"""Judge `modules.forward_from_anywhere`.

The oracle computes the result with plain Python numbers, and knows from the places of module and
input which copies are needed.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.modules.material import (
    NO_DEVICE,
    asked_for_device,
    two_gpus,
    whole_numbers,
)

INPUT_ELSEWHERE = FindingKind(
    name="input-elsewhere",
    title="the input met the module on another device",
    explanation="A module works with its own parameters and buffers, where they are, and moves "
    "nothing by itself.",
    next_step="Bring the input to the module's device before you call the module.",
)
MODULE_MOVED = FindingKind(
    name="module-moved",
    title="the module was moved",
    explanation="`module.to(…)` works in place: the caller's module is now elsewhere, and all its "
    "parameters had to travel for one batch.",
    next_step="Move the input to the module, not the module to the input.",
)
FIRST_PARAMETER = FindingKind(
    name="no-parameter-to-ask",
    title="not every module has a parameter",
    explanation="A module may hold buffers only, or nothing at all. Then "
    "`next(module.parameters())` raises `StopIteration`.",
    next_step="Look among parameters and buffers; a module without either runs where the input is.",
)
RESULT_ELSEWHERE = FindingKind(
    name="result-elsewhere",
    title="the result is not where it was asked for",
    explanation="A result is born where the module is. With `back=True` it is brought to the "
    "device from which the input came, and otherwise it stays.",
    next_step="Remember the input's own device before you move it, and use it for the way back.",
)
NEEDLESS_COPY = FindingKind(
    name="needless-copy",
    title="more was copied than had to be",
    explanation="The input travels once if it is elsewhere, and the result once if it is asked "
    "back. `to` costs nothing where a tensor is there already.",
    next_step="Move directly, from where the tensor is to where it is needed.",
)
GRADIENT_CUT = FindingKind(
    name="gradient-cut",
    title="the result no longer knows its input",
    explanation="Training needs the way back through the move: `to` is recorded, while `detach()`, "
    "`.data` and `torch.no_grad()` cut the recording.",
    next_step="Use `to` on the tensor itself.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the input is not what it was before",
    explanation="Assigning to `x.data`, or a method whose name ends in an underscore, changes the "
    "tensor of whoever called.",
    next_step="Keep what `to` returns under a name of its own.",
)
NO_TENSOR = FindingKind(
    name="no-tensor",
    title="the function returned no tensor",
    explanation="The module's output is the result.",
    next_step="Return what the module returned.",
)
OTHER_RESULT = FindingKind(
    name="other-result",
    title="the result is not what the module computes",
    explanation="Where it runs changes nothing in the values, the shape or the dtype.",
    next_step="Compare with `module(x)` for module and input on one device.",
)


class ForwardFromAnywhere(Judge):
    """Compares places first, then copies, then values."""

    name = "modules.forward_from_anywhere"
    findings = (
        NO_DEVICE,
        INPUT_ELSEWHERE,
        MODULE_MOVED,
        FIRST_PARAMETER,
        RESULT_ELSEWHERE,
        NEEDLESS_COPY,
        GRADIENT_CUT,
        INPUT_CHANGED,
        NO_TENSOR,
        OTHER_RESULT,
    )
    hints = (
        "Four words: choose the device (the module's), move the input, run the module, bring "
        "back the result if that is wanted.",
        "The module's device is that of any of its parameters or buffers. `itertools.chain` joins "
        "the two collections.",
        "`next(iterator, None)` gives `None` instead of raising where there is nothing. What is "
        "the right device for a module that holds no tensor?",
        "A similar case: the price of the first thing that has one.\n"
        "```python\n"
        "from itertools import chain\n\n"
        "def first_price(offers, leftovers, default):\n"
        "    offer = next(chain(offers, leftovers), None)\n"
        "    return default if offer is None else offer[\"price\"]\n\n"
        "first_price([], [{\"price\": 3}], 7)   # 3\n"
        "first_price([], [], 7)                # 7\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)

        def linear(device: str) -> dict[str, Any]:
            weight = whole_numbers(rng, rng.randint(1, 3), 3)
            return {"kind": "linear", "device": device, "weight": weight}

        def shift(device: str) -> dict[str, Any]:
            return {"kind": "shift", "device": device, "shift": whole_numbers(rng, 1, 3)[0]}

        nothing = {"kind": "relu", "device": None}
        drawn = [
            ("input on the CPU, module on a GPU", "", linear(gpu), "cpu", False, False),
            ("the result is wanted back", "", linear(gpu), "cpu", True, False),
            ("input and module together", "", linear(gpu), gpu, False, False),
            ("a module without parameters", "", shift(gpu), "cpu", False, False),
            ("input on a GPU, module on the CPU", "a module that is on the CPU",
             linear("cpu"), gpu, False, False),
            ("input on a GPU, result back there", "back to a GPU",
             linear("cpu"), other, True, False),
            ("two GPUs", "two GPUs", linear(gpu), other, False, False),
            ("two GPUs and back", "two GPUs, there and back", linear(other), gpu, True, False),
            ("together, wanted back", "nothing to move at all", linear(gpu), gpu, True, False),
            ("a module that holds nothing", "a module that holds no tensor",
             nothing, other, False, False),
            ("holds nothing, wanted back", "a module that holds no tensor, and the way back",
             nothing, gpu, True, False),
            ("buffers on another GPU", "buffers on another GPU", shift(other), gpu, True, False),
            ("an input that wants a gradient", "an input that wants a gradient",
             linear(gpu), "cpu", True, True),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "module": module,
                    "x": whole_numbers(rng, 2, 3),
                    "device": device,
                    "back": back,
                    "grad": grad,
                },
                bool(separates),
            )
            for title, separates, module, device, back, grad in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        seen, wanted = facts["result"], outcome(data)
        if not facts["module_kept"]:
            return MODULE_MOVED.found("the module on another device", f"it on {_place(data)}")
        if not facts["input_kept"]:
            return INPUT_CHANGED.found("x has changed", "x as it was")
        if seen["type"] != "Tensor":
            return NO_TENSOR.found(brief(seen), brief(wanted))
        if seen["device"] != wanted["device"]:
            return RESULT_ELSEWHERE.found(
                f"a result on {seen['device']}", f"a result on {wanted['device']}"
            )
        needed = needed_copies(data)
        if _counted(facts["copies"]) - _counted(needed):
            return NEEDLESS_COPY.found(_show(facts["copies"]), _show(needed))
        if seen != wanted:
            return OTHER_RESULT.found(brief(seen), brief(wanted))
        if not facts["tracked"] and (data["grad"] or data["module"]["kind"] == "linear"):
            return GRADIENT_CUT.found("requires_grad=False", "requires_grad=True")
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = f"{raised.type}: {raised.text}"
        if asked_for_device(raised) and "NoneType" not in raised.text:
            return NO_DEVICE.found(seen, f"a result on {outcome(case.data)['device']}")
        if "Expected all tensors to be on the same device" in raised.text:
            return INPUT_ELSEWHERE.found(seen, f"a result on {outcome(case.data)['device']}")
        absent = raised.type == "AttributeError" and "'NoneType'" in raised.text
        if raised.type in ("StopIteration", "IndexError") or absent:
            return FIRST_PARAMETER.found(seen, f"a result on {outcome(case.data)['device']}")
        return None


def _place(data: Mapping[str, Any]) -> str:
    """Where the module runs: on its own device, or where the input is if it has none."""
    return data["module"]["device"] or data["device"]


def needed_copies(data: Mapping[str, Any]) -> list[list[Any]]:
    """The fewest copies between devices, as facts."""
    place, start = _place(data), data["device"]
    if place == start:
        return []
    return [[start, place, 1], *([[place, start, 1]] if data["back"] else [])]


def outcome(data: Mapping[str, Any]) -> dict[str, Any]:
    """The result, as it should be described."""
    module, rows = data["module"], data["x"]
    if module["kind"] == "linear":
        values = [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in module["weight"]]
            for row in rows
        ]
    elif module["kind"] == "shift":
        values = [[a + b for a, b in zip(row, module["shift"], strict=True)] for row in rows]
    else:
        values = [[max(0.0, a) for a in row] for row in rows]
    return {
        "type": "Tensor",
        "dtype": "float32",
        "shape": [len(values), len(values[0])],
        "device": data["device"] if data["back"] else _place(data),
        "values": values,
    }


def _counted(copies: Sequence[Sequence[Any]]) -> Counter[tuple[str, str]]:
    return Counter({(source, target): number for source, target, number in copies})


def _show(copies: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"{n} × {source} → {target}" for source, target, n in copies) or "no copy"
