"""Judge `add_on`: the place of the addition is given."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case

from ..judging import AdditionJudge, Route, some_tensor, tensor, two_gpus


class AddOn(AdditionJudge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        n, m = rng.randint(2, 4), rng.randint(2, 4)
        row, grid, number = [n], [m, n], list[int]()
        f32, f64, i64, i32 = "float32", "float64", "int64", "int32"
        rows = [
            ("from one GPU to another", (gpu, row, f32), (other, row, f32), "b"),
            ("from the second GPU to the first", (gpu, grid, f32), (other, row, f32), "a"),
            ("a CPU and a GPU tensor, on the GPU", ("cpu", row, f32), (gpu, row, f32), "b"),
            ("a CPU and a GPU tensor, on the CPU", (other, row, f32), ("cpu", row, f32), "cpu"),
            ("a CPU and a GPU tensor, on the CPU of `b`", (gpu, row, f32), ("cpu", grid, f32), "b"),
            ("two GPUs, on the CPU", (gpu, row, f32), (other, row, f32), "cpu"),
            ("both on one GPU", (gpu, row, f32), (gpu, row, f32), "a"),
            ("both on the CPU", ("cpu", row, i64), ("cpu", grid, i32), "cpu"),
            ("a number on the CPU joins a GPU", ("cpu", number, f32), (gpu, grid, f32), "b"),
            ("a number on the CPU as `b`", (other, row, f32), ("cpu", number, f32), "a"),
            ("one element in one dimension", (other, row, f32), ("cpu", [1], f32), "a"),
            ("a number on a GPU, on another GPU", (gpu, number, f32), (other, row, f32), "b"),
            ("a number on a GPU, on the CPU", (gpu, number, f32), ("cpu", row, f32), "b"),
            (
                "a GPU tensor and a CPU number, on the CPU",
                (gpu, row, f32),
                ("cpu", number, f32),
                "b",
            ),
            ("floats and integers on two devices", ("cpu", row, f64), (gpu, row, i64), "b"),
            ("integers and floats on two devices", (gpu, row, i64), (other, row, f32), "a"),
            ("a float64 number beside integers", ("cpu", number, f64), (gpu, row, i64), "b"),
        ]
        ones = {"a": tensor([1.0] * 2, [2], "cpu"), "b": tensor([1.0] * 2, [2], "cuda:1")}
        return [
            *(
                Case(title, {"a": some_tensor(rng, *a), "b": some_tensor(rng, *b), "where": where})
                for title, a, b, where in rows
            ),
            Case("the task's example", {**ones, "where": "b"}),
        ]

    def place(self, data: Mapping[str, Any]) -> str:
        return "cpu" if data["where"] == "cpu" else data[data["where"]]["device"]

    def wrong_place(self, data: Mapping[str, Any], device: str, copies: Counter[Route]) -> str:
        return "wrong-place"


judge = AddOn()
