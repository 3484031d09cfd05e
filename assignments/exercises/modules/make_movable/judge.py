"""Judge `make_movable`: the checkpoint by names, the forward pass by plain numbers."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.drawing import tensor, two_gpus
from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.facts import brief

from ..drawing import short, two_devices


class MakeMovable(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        number = int(other[-1])
        rows: list[tuple[str, int, int, list[list[Any]], str, str]] = [
            ("a new module on the CPU", 2, 2, [], "cpu", "float32"),
            ("the task's example", 3, 2, [["to", "cuda:1"]], "cuda:1", "float32"),
            ("as part of a larger module", 2, 1, [["to", gpu]], gpu, "float32"),
            ("cast to float64", 2, 1, [["to", "float64"]], "cpu", "float64"),
            ("to a GPU and back", 2, 2, [["to", gpu], ["cpu"]], "cpu", "float32"),
            ("from one GPU to another", 3, 3, [["to", gpu], ["to", other]], other, "float32"),
            ("`cuda` with an index", 3, 1, [["cuda", number]], other, "float32"),
            ("`double` on a GPU", 2, 2, [["to", other], ["double"]], other, "float64"),
            ("a deep copy that is moved", 2, 3, [["to", gpu]], gpu, "float32"),
            ("a module without layers", 2, 0, [["to", gpu]], gpu, "float32"),
        ]
        return [
            Case(
                title,
                {
                    "size": size,
                    "depth": depth,
                    "moves": moves,
                    "device": device,
                    "dtype": dtype,
                    "copied": "copy" in title,
                    "inside": "larger" in title,
                    "x": whole_numbers(rng, 2, size),
                    "checkpoint": {
                        **{
                            f"layers.{i}.weight": whole_numbers(rng, size, size)
                            for i in range(depth)
                        },
                        "scale": [float(rng.randint(2, 5)) for _ in range(size)],
                    },
                },
            )
            for title, size, depth, moves, device, dtype in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if not facts["module"]:
            nothing = facts["returned"]["type"] == "NoneType"
            return Finding(
                "nothing-returned" if nothing else "no-module",
                brief(facts["returned"]),
                "an nn.Module",
            )
        scale = tensor([0.5] * data["size"], "cpu")
        finding = _judge_contents(data, facts)
        if finding is not None:
            return finding
        if facts["born"] != ["cpu"]:
            return Finding("born-on-a-gpu", f"a new module on {facts['born']}", "one on the CPU")
        if facts["scale"] != scale:
            return Finding("other-scale", f"a new scale {brief(facts['scale'])}", brief(scale))
        if "raised" in facts:
            return Finding(_why_raised(facts), short(facts["raised"]), "a result")
        if facts["copies"]:
            return Finding(
                "moved-in-forward", f"copies in one forward pass: {facts['copies']}", "none"
            )
        wanted = outcome(data)
        if facts["result"] != wanted:
            return Finding("other-result", brief(facts["result"]), brief(wanted))
        return None


def _judge_contents(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    """Judge names: of the parameters, and of what is saved."""
    layers = sorted(name for name in data["checkpoint"] if name != "scale")
    keys, saved, parameters = sorted(data["checkpoint"]), facts["checkpoint"], facts["parameters"]
    trained = f"the parameters {parameters}", f"the parameters {layers}"
    checkpoint = f"the keys {saved}", f"the keys {keys}"
    numbered = [name for name in parameters if name.startswith("layers.")]
    if any("mask" in name or "scale" in name for name in parameters):
        return Finding("fixed-tensor-trained", *trained)
    if layers and not parameters:
        return Finding("layers-in-a-list", *trained)
    if any("mask" in name for name in saved):
        return Finding("mask-in-checkpoint", *checkpoint)
    if not any("scale" in name for name in saved):
        return Finding("scale-not-in-checkpoint", *checkpoint)
    if any(name.endswith(".bias") for name in numbered):
        return Finding("bias-added", *trained)
    if numbered == parameters and len(numbered) != len(layers):
        return Finding("depth-ignored", *trained)
    return Finding("other-keys", *checkpoint) if saved != keys else None


def _why_raised(facts: Facts) -> str:
    text = facts["raised"]
    if not two_devices(text) and "dtype" not in text:
        return "forward-raised"
    return "left-behind" if facts["loose"] else "forward-fixed"


def outcome(data: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the forward pass, as it should be described."""
    size, checkpoint = data["size"], data["checkpoint"]
    rows = data["x"]
    for number in range(data["depth"]):
        weight = checkpoint[f"layers.{number}.weight"]
        rows = [[max(0.0, _dot(row, column)) for column in weight] for row in rows]
    masked = [[sum(row[i:]) for i in range(size)] for row in rows]
    return {
        "type": "Tensor",
        "dtype": data["dtype"],
        "shape": [len(rows), size],
        "device": data["device"],
        "values": [
            [value * s for value, s in zip(row, checkpoint["scale"], strict=True)] for row in masked
        ],
    }


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def whole_numbers(rng: random.Random, rows: int, columns: int) -> list[list[float]]:
    """A matrix of small whole numbers other than zero: they multiply and add up exactly."""
    choices = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
    return [[rng.choice(choices) for _ in range(columns)] for _ in range(rows)]
