"""Judge `cheapest`: what each operand weighs decides where the addition belongs."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case

from ..judging import AdditionJudge, Described, Route, free_to_join, some_tensor, tensor, two_gpus

BYTES = {"float64": 8, "float32": 4, "int64": 8, "int32": 4, "float16": 2, "uint8": 1}


class Cheapest(AdditionJudge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        n, m = rng.randint(3, 5), rng.randint(2, 4)
        f32, f64, u8 = "float32", "float64", "uint8"
        row, grid, number = [n], [m, n], list[int]()
        rows = [
            ("a large CPU tensor and a small one on a GPU", ("cpu", grid, f32), (gpu, row, f32)),
            ("a small CPU tensor and a large one on a GPU", ("cpu", row, f32), (gpu, grid, f32)),
            ("a small tensor and a large one, on two GPUs", (gpu, row, f32), (other, grid, f32)),
            ("a large tensor and a small one, on two GPUs", (gpu, grid, f32), (other, row, f32)),
            ("two of the same size", (other, row, f32), (gpu, row, f32)),
            ("both on one GPU", (gpu, row, f32), (gpu, grid, f32)),
            ("fewer elements, more bytes", (gpu, row, f64), (other, [2, n], u8)),
            ("more elements, fewer bytes", (gpu, [3, n], u8), ("cpu", row, f64)),
            ("as many elements, other bytes", (gpu, row, f32), (other, row, f64)),
            ("the same size in other elements", ("cpu", [2, n], f32), (other, row, f64)),
            ("a number on the CPU", ("cpu", number, f64), (gpu, [1], u8)),
            ("a number on the CPU as `b`", (other, number, f32), ("cpu", number, f32)),
            ("one element in one dimension", ("cpu", [1], f32), (gpu, grid, f32)),
            ("a number on a GPU", (gpu, number, f32), ("cpu", row, f32)),
            ("numbers on two GPUs", (gpu, number, f64), (other, number, f32)),
        ]
        part = {**some_tensor(rng, gpu, row), "part_of": 2 * m + 1}
        return [
            Case(
                "the task's example, with fewer rows",
                {
                    "a": tensor([1.0] * 30, [10, 3], "cpu"),
                    "b": tensor([1.0] * 3, [3], "cuda:1"),
                },
            ),
            *(
                Case(title, {"a": some_tensor(rng, *a), "b": some_tensor(rng, *b)})
                for title, a, b in rows
            ),
            Case("a part of a large storage", {"a": part, "b": some_tensor(rng, other, grid)}),
        ]

    def place(self, data: Mapping[str, Any]) -> str:
        heavier = data["a"] if weight(data["a"]) >= weight(data["b"]) else data["b"]
        return heavier["device"]

    def wrong_place(self, data: Mapping[str, Any], device: str, copies: Counter[Route]) -> str:
        a, b, place = data["a"], data["b"], self.place(data)
        if device not in (a["device"], b["device"]):
            return "third-device"
        if free_to_join(a) or free_to_join(b):
            return "number-can-stay"
        if any("cpu" in route and "cpu" not in (a["device"], b["device"]) for route in copies):
            return "through-the-cpu"
        if copies != Counter([(place, device)]):
            return "result-moved" if copies[(device, place)] else "wrong-place"
        if weight(a) == weight(b):
            return "tie-elsewhere"
        if _heavier_by(_elements, a, b) == device:
            return "elements-counted"
        return "storage-counted" if _heavier_by(_storage, a, b) == device else "larger-moved"


def weight(operand: Described) -> int:
    """What moving `operand` to a GPU would cost, in bytes."""
    return 0 if free_to_join(operand) else _elements(operand) * BYTES[operand["dtype"]]


def _elements(operand: Described) -> int:
    return math.prod(operand["shape"])


def _storage(operand: Described) -> int:
    return weight(operand) * operand.get("part_of", 1)


def _heavier_by(measure: Any, a: Described, b: Described) -> str:
    return a["device"] if measure(a) >= measure(b) else b["device"]


judge = Cheapest()
