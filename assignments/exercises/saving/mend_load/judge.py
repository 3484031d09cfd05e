"""Judge `mend_load`: outputs that are computed by hand, places, and copies that are counted."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Raises
from course_utils.checking.facts import brief, placement
from course_utils.checking.oracle import OracleJudge, Rival

Row = Sequence[float]

_TENSORS = 6  # in the file: two weights, two biases, mean and std


def outputs(
    batches: Sequence[Sequence[Row]], weights: Row, mean: Row, std: Row
) -> list[list[list[float]]]:
    """What the model gives for each batch, in plain arithmetic."""
    a, b, c, d, e, f, u, v, w = weights

    def output(row: Row) -> float:
        x, y = ((value - m) / s for value, m, s in zip(row, mean, std, strict=True))
        return u * max(a * x + b * y + e, 0) + v * max(c * x + d * y + f, 0) + w

    return [[[output(row)] for row in batch] for batch in batches]


def _untrained(batches: Any, own: Row, mean: Row, std: Row, **_: Any) -> Any:
    return outputs(batches, own, mean, std)


def _raw(batches: Any, trained: Row, **_: Any) -> Any:
    return outputs(batches, trained, (0, 0), (1, 1))


class MendLoad(OracleJudge):
    form, types, otherwise = "a list with one tensor per batch", ("list", "tuple"), "other-outputs"
    rivals = (Rival("weights-not-loaded", _untrained), Rival("not-normalised", _raw))
    raises = (
        Raises("gpu-not-here", "RuntimeError", "Attempting to deserialize object"),
        Raises("keys-do-not-fit", "RuntimeError", "key(s) in state_dict"),
        Raises("two-devices", "RuntimeError", "Expected all tensors to be on the same device"),
        Raises("two-devices", "RuntimeError", "different from other tensors on"),
    )

    def oracle(self, **data: Any) -> Any:
        return outputs(data["batches"], data["trained"], data["mean"], data["std"])

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        device, result = case.data["device"], facts["result"]
        items = result.get("items", []) if result["type"] in self.types else []
        if any(item["type"] != "Tensor" for item in items):
            return Finding("other-form", clip(brief(result), 120), self.form)
        values = {**result, "items": [_nested(item.get("values")) for item in items]}
        finding = super().judge(case, {"result": values if items else result, "changed": []})
        if finding:
            return finding
        if any(item["device"] != device for item in items):
            return Finding("wrong-device", clip(placement(result), 120), f"{device} for each")
        if facts["model"] != [device]:
            return Finding("model-elsewhere", f"a model on {', '.join(facts['model'])}", device)
        strange = sorted(set(facts["gpus"]) - {device})
        if strange:
            return Finding("detour", f"copies to or from {', '.join(strange)}", "no other GPU")
        # One copy for each batch. What is in the file may cross three times: loaded to the device
        # directly, copied into the model on the CPU, and moved with it.
        most = len(case.data["batches"]) + 3 * _TENSORS
        if facts["copies"] > most:
            return Finding(
                "copied-in-every-step",
                f"{facts['copies']} copies for {len(items)} batches",
                f"one for each batch, and at most {3 * _TENSORS} more",
            )
        return None

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 100)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        rows: list[tuple[str, Mapping[str, Any]]] = [
            (
                "the program's own case, a file from cuda:7 on a machine with two GPUs",
                {"tag": "cuda:7", "device": "cuda:0"},
            ),
            ("the second of two GPUs", {"device": "cuda:1"}),
            ("a file from the GPU that is not asked for", {"tag": "cuda:0", "device": "cuda:1"}),
            ("a machine without a GPU", {"tag": "cuda:0", "device": "cpu", "gpus": 0}),
            ("a file from the CPU", {"tag": "cpu", "device": "cuda:1"}),
            ("a single batch", {"device": "cuda:0", "batches": 1}),
            ("many batches", {"device": "cuda:1", "batches": rng.randint(20, 24)}),
        ]
        usual = {"tag": f"cuda:{rng.randint(2, 6)}", "gpus": 2, "batches": 3}
        return [
            Case(
                title,
                self.telling(
                    lambda r=row: _draw(rng, **{**usual, **r}),
                    "weights-not-loaded",
                    "not-normalised",
                ),
            )
            for title, row in rows
        ]


def _nested(values: Any) -> dict[str, Any]:
    """The values of a tensor as a described list of numbers."""
    if isinstance(values, list):
        return {"type": "list", "items": [_nested(item) for item in values]}
    return {"type": "float", "value": values}


def _draw(rng: random.Random, *, batches: int, **situation: Any) -> dict[str, Any]:
    """Whole numbers, and a std that divides them without rest, so that sums are exact."""

    def numbers(count: int) -> list[float]:
        return [float(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(count)]

    return {
        **situation,
        "trained": numbers(9),
        "own": numbers(9),
        "mean": numbers(2),
        "std": [rng.choice((2.0, 4.0)), rng.choice((0.5, 2.0))],
        "batches": [[numbers(2) for _ in range(2)] for _ in range(batches)],
    }


judge = MendLoad()
