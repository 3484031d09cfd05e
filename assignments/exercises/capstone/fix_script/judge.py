"""Judge `fix_script`: the weights that training on one device gives, and what crossed for them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import torch
from torch import Tensor

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.facts import brief
from exercise_kit.text import clip

from ..judging import near, of_the_runs, some_rows

PARAMETERS = ("linear_module.weight", "linear_module.bias")
KEYS = (*PARAMETERS, "unit")
_LR = 0.1
_WEIGHTS = 4 * 9  # bytes of the net


def trained(data: Mapping[str, Any], *, keep: bool = False, epochs: int | None = None) -> Tensor:
    """All weights in a row after the epochs. keep: gradients are never cleared."""
    x, y = torch.tensor(data["x"]), torch.tensor(data["y"])
    weights = torch.tensor([*(n for row in data["weight"] for n in row), *data["bias"]])
    total = torch.zeros_like(weights)
    for _ in range(data["epochs"] if epochs is None else epochs):
        weights = weights.detach().requires_grad_()
        loss = torch.nn.functional.mse_loss(x @ weights[:6].view(2, 3).T + weights[6:], y)
        loss.backward()
        total = total + cast(Tensor, weights.grad) if keep else cast(Tensor, weights.grad)
        weights = weights.detach() - _LR * total
    return weights


class MendScript(Judge):
    """Inputs and result first; then `net`, the runs on each device, and the copies."""

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """Cases with no GPU and with one to four, drawn so that wrong training shows."""
        rows = [
            ("the program's own case: four GPUs, two epochs", 4, 16, 2),
            ("five samples on four GPUs", 4, 5, 2),
            ("no GPU", 0, rng.randint(4, 9), 3),
            ("one GPU", 1, rng.randint(4, 9), 3),
            ("two GPUs, a single epoch", 2, rng.choice((5, 7)), 1),
            ("three GPUs, many epochs", 3, rng.randint(8, 12), 6),
            ("a single sample", 4, 1, 2),
        ]
        return [Case(title, _telling(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The first finding, or None."""
        data, seen = case.data, facts["result"]
        if not facts["kept"]:
            return Finding("input-changed", "other inputs or labels", "as before")
        if seen["type"] != "dict":
            name = "nothing-returned" if seen["type"] == "NoneType" else "other-form"
            return Finding(name, clip(brief(seen), 120), "a state dict")
        return (
            _of_the_result(data, seen)
            or _of_the_net(data, facts)
            or _of_the_runs(data, facts["runs"])
            or _of_the_copies(data, facts)
        )

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding for devices that meet, or for a net that is not on the first GPU."""
        shown = clip(f"{raised.type}: {raised.text.strip()}", 300)
        if "on the same device" in raised.text:
            return Finding("devices-mixed", shown, "each operation on one device")
        if "module must have its parameters" in raised.text:
            return Finding("net-not-moved", shown, "net on cuda:0")
        return None


def _telling(rng: random.Random, gpus: int, samples: int, epochs: int) -> dict[str, Any]:
    """Data with which kept gradients, and an epoch too few, show."""
    while True:
        data: dict[str, Any] = {
            "gpus": gpus,
            "epochs": epochs,
            "x": some_rows(samples, 3, rng, 2),
            "y": [[float(rng.randint(-9, 9)) for _ in range(2)] for _ in range(samples)],
            "weight": [[rng.randint(-9, 9) / 10 for _ in range(3)] for _ in range(2)],
            "bias": [rng.randint(-9, 9) / 10 for _ in range(2)],
        }
        for row in data["x"]:
            row[0] /= 10  # small enough for a step of 0.1
        right = trained(data)
        others = [trained(data, epochs=epochs - 1)]
        others += [trained(data, keep=True)] if epochs > 1 else []
        if not any(near(other, right) for other in others):
            return data


def _of_the_result(data: Mapping[str, Any], seen: Mapping[str, Any]) -> Finding | None:
    keys = [str(key.get("value")) for key in seen["keys"]]
    if sorted(keys) != sorted(KEYS):
        prefixed = all(key.startswith("module.") for key in keys) and keys
        return Finding(
            "prefixed-keys" if prefixed else "other-keys", clip(str(keys), 160), ", ".join(KEYS)
        )
    by_key = dict(zip(keys, seen["items"], strict=True))
    places = sorted({by_key[key].get("device", by_key[key]["type"]) for key in KEYS})
    if places != ["cpu"]:
        return Finding("weights-on-a-gpu", f"tensors on {', '.join(places)}", "all on the CPU")
    weights = torch.tensor([value for key in PARAMETERS for value in _flat(by_key[key]["values"])])
    return _name_weights(data, weights)


def _flat(values: Any) -> Iterator[float]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _name_weights(data: Mapping[str, Any], weights: Tensor) -> Finding | None:
    right = trained(data)
    if near(weights, right):
        return None
    if near(weights, trained(data, epochs=0)):
        name = "not-trained"
    elif near(weights, trained(data, keep=True)):
        name = "gradients-left-over"
    else:
        name = "other-weights"
    worst = (weights - right).abs().argmax()
    return Finding(name, f"one weight: {weights[worst].item():.4g}", f"{right[worst].item():.4g}")


def _of_the_net(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    if near(torch.tensor([*_flat(facts["trained"])]), trained(data)):
        return None
    return Finding("copy-trained", "net itself has other weights", "net itself trained")


def _of_the_runs(data: Mapping[str, Any], runs: Sequence[Any]) -> Finding | None:
    batch = torch.tensor(data["x"])[:, 0].tolist()
    found = of_the_runs(runs, [batch] * data["epochs"], data["gpus"])
    named = ("gpus-idle", "gpu-not-visible")
    return found and replace(found, name=found.name if found.name in named else "other-parts")


def _of_the_copies(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    """What crosses once: inputs, labels and weights there, and the weights back."""
    once = 4 * 5 * len(data["x"]) + _WEIGHTS
    there = sum(n for source, _, n in facts["bytes"] if source == "cpu")
    back = sum(n for _, target, n in facts["bytes"] if target == "cpu")
    if back > 2 * _WEIGHTS or facts["read"]:  # a module that moves takes its gradients along
        seen = f"{back} bytes to the CPU, {facts['read']} numbers read"
        return Finding("brought-back", seen, f"{_WEIGHTS}: the weights, at the end")
    if there > once:
        return Finding("copied-again", f"{there} bytes from the CPU", f"{once}, before the loop")
    return None
