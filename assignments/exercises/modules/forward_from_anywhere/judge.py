"""Judge `forward_from_anywhere`: the result by plain numbers, the copies by who is where."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise, Raises
from course_utils.checking.facts import brief

from ..judging import NO_DEVICE, short, show_copies, two_devices, two_gpus, whole_numbers


class ForwardFromAnywhere(Judge):
    raises = (
        *NO_DEVICE,
        Raises("no-parameter-to-ask", "StopIteration"),
        Raises("no-parameter-to-ask", "IndexError", "list index out of range"),
        Raises("no-parameter-to-ask", "AttributeError", "'NoneType' object has no attribute 'dev"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)

        def linear(device: str) -> dict[str, Any]:
            rows = rng.randint(1, 3)
            return {
                "kind": "linear",
                "device": device,
                "weight": whole_numbers(rng, rows, 3),
                "bias": whole_numbers(rng, 1, rows)[0],
            }

        def shift(device: str, kind: str = "shift") -> dict[str, Any]:
            return {"kind": kind, "device": device, "shift": whole_numbers(rng, 1, 3)[0]}

        nothing = {"kind": "relu", "device": None}
        rows = [
            ("the task's example", linear("cuda:1"), "cpu", False, False),
            ("the task's example, wanted back", linear("cuda:1"), "cpu", True, False),
            ("from one GPU to another", linear(gpu), other, False, False),
            ("from one GPU to another and back", linear(other), gpu, True, False),
            ("a module on the CPU, an input on a GPU", linear("cpu"), gpu, False, False),
            ("a module on the CPU, wanted back on a GPU", linear("cpu"), other, True, False),
            ("input and module in one place", linear(gpu), gpu, False, False),
            ("input and module in one place, wanted back", linear(gpu), gpu, True, False),
            ("a module that holds no tensor", nothing, other, False, False),
            ("a module that holds no tensor, wanted back", nothing, gpu, True, False),
            ("a module with a buffer only", shift(gpu), "cpu", False, False),
            ("a module with a buffer only, wanted back", shift(other), gpu, True, False),
            (
                "a module whose only tensor is a buffer outside the checkpoint",
                shift(gpu, "temporary"),
                other,
                False,
                False,
            ),
            ("an input that wants a gradient", linear(gpu), "cpu", False, True),
            ("an input that wants a gradient, wanted back", linear(gpu), other, True, True),
        ]
        return [
            Case(
                title,
                {
                    "module": module,
                    "x": whole_numbers(rng, 2, 3),
                    "device": device,
                    "back": back,
                    "grad": grad,
                },
            )
            for title, module, device, back, grad in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen, wanted = case.data, facts["result"], outcome(case.data)
        where = data["module"]["device"]
        if not facts["input_kept"]:
            return Finding("input-changed", "another x after the call", "x as it was")
        if not facts["kept"] or any(places != [where] for places in facts["ran_on"] if places):
            return Finding(
                "module-moved", "the module's tensors on another device", f"the module on {where}"
            )
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", brief(wanted))
        if seen["type"] != "Tensor":
            return Finding("other-form", brief(seen), brief(wanted))
        if seen["device"] != wanted["device"]:
            return Finding(
                "result-elsewhere" if data["back"] else "back-unasked",
                f"a result on {seen['device']}",
                f"a result on {wanted['device']}",
            )
        if seen != wanted:
            return Finding("other-result", brief(seen), brief(wanted))
        if _counted(facts["copies"]) - _counted(needed_copies(data)):
            return Finding(
                "needless-copy", show_copies(facts["copies"]), show_copies(needed_copies(data))
            )
        if facts["no_gradient"]:
            return Finding(
                "gradient-cut",
                f"no gradient for {', '.join(facts['no_gradient'])}",
                "a gradient for each of them",
            )
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "RuntimeError" and two_devices(raised.text):
            name = {"shift": "buffers-missed", "temporary": "checkpoint-asked"}
            return Finding(
                name.get(case.data["module"]["kind"], "input-elsewhere"),
                short(raised.text),
                f"a result on {outcome(case.data)['device']}",
            )
        return super().on_raise(case, raised)


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
            [
                _dot(row, weights) + bias
                for weights, bias in zip(module["weight"], module["bias"], strict=True)
            ]
            for row in rows
        ]
    elif module["kind"] == "relu":
        values = [[max(0.0, a) for a in row] for row in rows]
    else:
        values = [[a + b for a, b in zip(row, module["shift"], strict=True)] for row in rows]
    return {
        "type": "Tensor",
        "dtype": "float32",
        "shape": [len(values), len(values[0])],
        "device": data["device"] if data["back"] else _place(data),
        "values": values,
    }


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _counted(copies: Sequence[Sequence[Any]]) -> Counter[tuple[str, str]]:
    return Counter({(source, target): number for source, target, number in copies})


judge = ForwardFromAnywhere()
