"""Judge `mend_parallel`: weights as after training on one device, both GPUs used, few copies."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

RATE, GPUS = 0.1, ("cuda:0", "cuda:1")
KEYS = ("linear_module.weight", "linear_module.bias")
_FLOAT = 4  # bytes


class MendParallel(Judge):
    raises = (
        Raises("module-not-on-the-main-gpu", "RuntimeError", "module must have its parameters"),
        Raises("attribute-of-the-wrapper", "AttributeError", "'DataParallel' object has no"),
        Raises("targets-elsewhere", "RuntimeError", "found at least two devices"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        rows = [
            ("a model on the CPU", "cpu", [8, 8, 8]),
            ("a model on cuda:1", "cuda:1", [8, 10, 8]),
            ("a model that is on cuda:0 already", "cuda:0", [8, 8, 12]),
            ("batches with an odd number of samples", "cpu", [9, 11, 9]),
            ("a last batch with a single sample", "cpu", [10, 8, 1]),
            ("one batch", "cpu", [rng.randint(4, 9)]),
        ]
        return [Case(title, _draw(rng, place, sizes)) for title, place, sizes in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["result"]
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", f"a state dict with {', '.join(KEYS)}")
        if seen["type"] != "dict" or any(item["type"] != "Tensor" for item in seen["items"]):
            return Finding("other-form", clip(brief(seen), 200), "a state dict")
        keys = [key.get("value") for key in seen["keys"]]
        if sorted(map(str, keys)) != sorted(KEYS):
            prefixed = all(str(key).startswith("module.") for key in keys) and bool(keys)
            return Finding(
                "prefix-kept" if prefixed else "other-keys",
                clip(", ".join(map(str, keys)), 200),
                ", ".join(KEYS),
            )
        values = dict(zip(keys, (item.get("values") for item in seen["items"]), strict=True))
        return (
            _of_the_values([values[key] for key in KEYS], data)
            or _of_the_gpus(facts["ran_on"], facts["loss_on"])
            or _of_the_copies({(s, t): count for s, t, count in facts["bytes"]}, data)
        )


def _draw(rng: random.Random, place: str, sizes: Sequence[int]) -> dict[str, Any]:
    def numbers(*shape: int) -> Any:
        if not shape:
            return float(rng.randint(-2, 2))
        return [numbers(*shape[1:]) for _ in range(shape[0])]

    batches = []
    for size in sizes:
        # Targets that no weights explain: every step changes all weights by a good deal.
        x = [[1.0, *numbers(2)] for _ in range(size)]
        batches.append([x, [[9.0 + rng.randint(0, 3), -9.0 - rng.randint(0, 3)] for _ in x]])
    return {"weight": numbers(2, 3), "bias": numbers(2), "place": place, "batches": batches}


def trained(
    data: Mapping[str, Any], *, keep_gradients: bool = False, share: float = 0.5
) -> list[Any]:
    """Weight and bias after one pass over the batches, on one device.

    share: of the mean squared error; the model's own loss is half of it.
    """
    weights = [torch.tensor(data[name], requires_grad=True) for name in ("weight", "bias")]
    for batch, targets in data["batches"]:
        outputs = torch.nn.functional.linear(torch.tensor(batch), *weights)
        (torch.nn.functional.mse_loss(outputs, torch.tensor(targets)) * share).backward()
        with torch.no_grad():
            for weight in weights:
                weight -= RATE * weight.grad
                if not keep_gradients:
                    weight.grad = None
    return [weight.tolist() for weight in weights]


def _of_the_values(seen: list[Any], data: Mapping[str, Any]) -> Finding | None:
    right = trained(data)
    if _near(seen, right):
        return None
    if _near(seen, [data["weight"], data["bias"]]):
        name = "not-trained"
    elif _near(seen, trained(data, keep_gradients=True)):
        name = "gradients-kept"
    elif _near(seen, trained(data, share=1.0)):
        name = "another-loss"
    else:
        name = "other-weights"
    return Finding(name, f"bias {_short(seen[1])}", f"bias {_short(right[1])}")


def _near(seen: Any, right: Any) -> bool:
    if isinstance(right, list):
        return isinstance(seen, list) and len(seen) == len(right) and all(map(_near, seen, right))
    return not isinstance(seen, list) and math.isclose(seen, right, rel_tol=1e-4, abs_tol=1e-4)


def _short(values: Any) -> str:
    if not isinstance(values, list) or any(isinstance(value, list) for value in values):
        return clip(str(values), 100)
    return clip(", ".join(f"{value:.4g}" for value in values), 100)


def _of_the_gpus(ran_on: Sequence[str], loss_on: Sequence[str]) -> Finding | None:
    if not ran_on:
        return Finding("another-model", "no call of model", "calls of model")
    if set(ran_on) != set(GPUS):
        return Finding("other-gpus", f"computed on {', '.join(ran_on)}", " and ".join(GPUS))
    # What is on the CPU at this moment, the copies tell.
    if elsewhere := [place for place in loss_on if place not in (GPUS[0], "cpu")]:
        return Finding(
            "other-main-gpu",
            f"model or outputs on {elsewhere[0]} for the loss",
            f"both on {GPUS[0]}",
        )
    return None


def _of_the_copies(moved: Mapping[tuple[str, str], int], data: Mapping[str, Any]) -> Finding | None:
    batches = data["batches"]
    weights = 8 * _FLOAT
    # In the end the model may go back with its gradients, and each loss may be looked at.
    back = sum(count for (_, target), count in moved.items() if target == "cpu")
    if back > 2 * weights + 2 * _FLOAT * len(batches):
        return Finding(
            "brought-to-the-cpu",
            f"{back} bytes from the GPUs to the CPU",
            "none during the training",
        )
    parts = sum(3 * _FLOAT * -(-len(x) // 2) for x, _ in batches)
    targets = sum(2 * _FLOAT * len(y) for _, y in batches)
    needed = parts + targets + weights * (data["place"] == "cpu")
    there = moved.get(("cpu", "cuda:0"), 0)
    if there > needed:
        return Finding(
            "main-gpu-got-more", f"{there} bytes from the CPU to cuda:0", f"{needed} bytes at most"
        )
    return None


judge = MendParallel()
