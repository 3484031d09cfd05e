"""Judge `move_optimizer`: places and values of the states, then further training.

The oracle trains the same net on the CPU, with torch's own optimizer and without any move.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

from ..judging import short, two_gpus

TOLERANCE = 1e-4
OPTIMIZERS = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam, "Adagrad": torch.optim.Adagrad}

States = Mapping[tuple[str, str], Mapping[str, Any]]


class MoveOptimizer(Judge):
    raises = tuple(
        Raises("no-such-to", "AttributeError", f"'{kind}' object has no attribute '{method}'")
        for kind in ("SGD", "Adam", "Adagrad", "dict", "defaultdict")
        for method in ("to", "cuda", "cpu")
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        momentum: dict[str, Any] = {"momentum": 0.5}
        double = "a net with weights in float64"
        rows = [
            ("SGD with momentum", "SGD", momentum, "cpu", gpu, 2, False),
            ("SGD without momentum", "SGD", {}, "cpu", gpu, 2, False),
            ("Adam", "Adam", {}, "cpu", gpu, 3, False),
            ("Adam with one more average", "Adam", {"amsgrad": True}, "cpu", other, 2, False),
            ("Adam, from one GPU to another", "Adam", {}, gpu, other, 2, False),
            ("back to the CPU", "SGD", momentum, other, "cpu", 2, False),
            (double, "Adam", {}, "cpu", gpu, 2, False),
            ("an optimizer that has made no step", "Adam", {}, "cpu", other, 0, False),
            ("between `backward` and `step`", "SGD", momentum, "cpu", gpu, 1, True),
            ("Adagrad, between `backward` and `step`", "Adagrad", {}, gpu, other, 2, True),
            ("everything is there already", "Adam", {}, gpu, gpu, 2, False),
        ]
        example = {
            "weights": [[[0.5, 0.25], [-0.25, 1.0]], [0.5, -0.5], [[1.0, -0.75]], [0.25]],
            "x": [[1.0, 1.0]],
            "device": "cuda:1",
            "steps_before": 1,
        }
        drawn = [
            Case(
                title,
                {
                    "optimizer": kind,
                    "dtype": "float64" if title == double else "float32",
                    "options": {"lr": 0.125, **options},
                    "start": start,
                    "device": device,
                    "steps_before": before,
                    "pending": pending,
                    "steps_after": 2,
                    "weights": [_some(rng, 2, 2), _some(rng, 2), _some(rng, 1, 2), _some(rng, 1)],
                    "x": _some(rng, 3, 2),
                },
            )
            for title, kind, options, start, device, before, pending in rows
        ]
        return [Case("the task's example", {**drawn[0].data, **example}), *drawn]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        # A buffer stands beside the parameters.
        if not facts["same_parameters"] or len(facts["net"]) != len(data["weights"]) + 1:
            return Finding(
                "parameters-replaced", "two different lists of parameters", "the net's parameters"
            )
        before, after = _by_name(facts["before"]), _by_name(facts["after"])
        finding = _judge_net(data, facts["net"]) or _judge_states(data, before, after)
        if finding is not None:
            return finding
        if data["pending"] and facts["no_gradient"]:
            return Finding(
                "gradient-lost",
                f"no gradient of {facts['no_gradient'][0]}",
                "the gradients that wait for their step",
            )
        if "raised" in facts:
            return Finding(
                "training-differs", short(facts["raised"]), f"further steps on {data['device']}"
            )
        wanted = trained(data)
        for seen, right in zip(facts["trained"], wanted, strict=True):
            if not _close(seen, right):
                return Finding(
                    "training-differs", f"weights {_rounded(seen)}", f"weights {_rounded(right)}"
                )
        return None


def _judge_net(data: Mapping[str, Any], places: Sequence[Sequence[str]]) -> Finding | None:
    away = [(name, place) for name, place in places if place != data["device"]]
    if not away:
        return None
    name, place = away[0]
    what = "the net" if len(away) == len(places) else name
    left = any(place == data["start"] for _, place in away)
    return Finding(
        "net-left-behind" if left else "other-device",
        f"{what} on {place}",
        f"{what} on {data['device']}",
    )


def _judge_states(data: Mapping[str, Any], before: States, after: States) -> Finding | None:
    """Compare each state with what it was, in the place where it should be."""
    left = [key for key, old in before.items() if _stayed(data, old, after.get(key))]
    for key, old in before.items():
        new, label = after.get(key), f"{key[1]} of {key[0]}"
        wanted = data["device"] if old["shape"] else old["device"]
        if new is None:
            return Finding("state-lost", f"no {label}", f"{label} on {wanted}")
        if new["type"] != "Tensor":
            return Finding("state-changed", f"{label}: {brief(new)}", f"a tensor on {wanted}")
        if key in left:
            return Finding(
                _how_left(left, before), f"{label} on {new['device']}", f"{label} on {wanted}"
            )
        if new["device"] != wanted:
            return Finding(
                "other-device" if old["shape"] else "step-counter-moved",
                f"{label} on {new['device']}",
                f"{label} on {wanted}",
            )
        if {**new, "device": ""} != {**old, "device": ""}:
            return Finding(
                "state-changed", f"{label}: {brief(new)}", brief({**old, "device": wanted})
            )
    return None


def _stayed(data: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any] | None) -> bool:
    """Whether a state with dimensions is where it was, although it should be elsewhere."""
    moved = bool(old["shape"]) and old["device"] != data["device"]
    return moved and new is not None and new.get("device") == old["device"]


def _how_left(left: Sequence[tuple[str, str]], before: States) -> str:
    """All states, those of some parameters, or some of each parameter's."""
    states = [key for key, old in before.items() if old["shape"]]
    if set(left) >= set(states):
        return "state-left-behind"
    if all(math.prod(before[key]["shape"]) == 1 for key in left):
        return "one-element-left"
    owners = {name for name, _ in left}
    whole = all(key in left for key in states if key[0] in owners)
    return "parameters-forgotten" if whole else "names-forgotten"


def _by_name(held: Sequence[Sequence[Any]]) -> States:
    return {(name, entry): value for name, entry, value in held}


def trained(data: Mapping[str, Any]) -> list[Any]:
    """The parameters after all steps, of a net that never left the CPU."""
    dtype = getattr(torch, data["dtype"])
    parameters = [nn.Parameter(torch.tensor(values, dtype=dtype)) for values in data["weights"]]
    w1, b1, w2, b2 = parameters
    half = data["options"]["lr"] / 2
    groups = [{"params": [w1, b1]}, {"params": [w2, b2], "lr": half}]
    optimizer = OPTIMIZERS[data["optimizer"]](groups, **data["options"], foreach=False)
    x = torch.tensor(data["x"], dtype=dtype)
    for _ in range(data["steps_before"] + data["pending"] + data["steps_after"]):
        optimizer.zero_grad()
        output = (x @ w1.t() + b1) @ w2.t() + b2
        (output**2).mean().backward()
        optimizer.step()
    return [parameter.tolist() for parameter in parameters]


def _close(seen: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        same = isinstance(seen, list) and len(seen) == len(wanted)
        return same and all(_close(a, b) for a, b in zip(seen, wanted, strict=True))
    return math.isclose(seen, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _rounded(values: Any) -> Any:
    return [_rounded(v) for v in values] if isinstance(values, list) else round(values, 4)


def _some(rng: random.Random, *shape: int) -> Any:
    """Nested lists of quarters between -1 and 1, without zero."""
    if not shape:
        return rng.choice((-1, 1)) * rng.randint(1, 4) / 4
    return [_some(rng, *shape[1:]) for _ in range(shape[0])]


judge = MoveOptimizer()
