"""Judge `parallel_forward`: result and gradients are those of the whole batch on the CPU.

Small whole numbers make both exact. `torch.chunk` says which samples belong on which GPU.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

_LENGTHS = ("is not equal to the number of inputs", "shorter than argument", "longer than")


class ParallelForward(Judge):
    """Looks at module and inputs first, then at parts, result and gradients."""

    def cases(self, rng: random.Random) -> Sequence[Case]:
        low, high = rng.sample(range(1, 4), 2)
        every, others = [0, 1, 2, 3], [0, *sorted({1, 2, 3} - {low, high})]
        rows = [
            ("parts of one length, on two GPUs", "linear", 4, [0, 1], "cuda:0"),
            ("the task's example: ten samples on four GPUs", "linear", 10, every, "cpu"),
            ("a batch on the main GPU", "linear", 16, every, "cuda:0"),
            ("a part for fewer GPUs than there are", "linear", rng.choice((5, 9)), every, "cpu"),
            ("a main GPU that is not cuda:0", "linear", rng.randint(6, 9), [low, 0, high], "cpu"),
            ("GPUs in descending order", "deep", rng.randint(10, 15), [3, 2, 1, 0], "cuda:0"),
            ("a module with a buffer", "shifted", rng.randint(6, 11), [high, low], "cpu"),
            ("fewer samples than GPUs", "shifted", rng.randint(2, 3), every, "cuda:0"),
            ("a single sample", "linear", 1, [high, 0], "cpu"),
            ("a single GPU", "deep", rng.randint(3, 8), [low], "cpu"),
            ("a batch on the last of the GPUs", "deep", 10, [low, *others, high], f"cuda:{high}"),
        ]
        return [Case(title, _draw(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["result"]
        right, gradients = outcome(data)
        if facts["wrapped"]:
            return Finding("wrapper-used", "a call of DataParallel", "the four phases")
        if not facts["module_kept"]:
            return Finding("module-changed", "a changed module", f"all of it on {right['device']}")
        for name in ("x", "devices"):
            if not facts[f"{name}_kept"]:
                return Finding("input-changed", f"{name} changed by the call", "as before")
        if facts["had_gradients"]:
            return Finding("backward-called", "parameters with gradients", "no gradients yet")
        if seen["type"] == "NoneType":
            return Finding("nothing-returned", "None", clip(brief(right), 200))
        if seen["type"] != "Tensor":
            apart = seen["type"] in ("list", "tuple")
            return Finding(
                "not-gathered" if apart else "other-form", clip(brief(seen), 200), "one tensor"
            )
        return (
            _of_the_parts(facts["runs"], data)
            or _of_the_result(seen, right)
            or _of_the_gradients(facts["gradients"], gradients, data)
        )

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = clip(f"{raised.type}: {raised.text.strip()}", 300)
        idle = len(parts(case.data)) < len(case.data["gpus"])
        if idle and (raised.type == "IndexError" or any(w in raised.text for w in _LENGTHS)):
            return Finding("more-replicas-than-parts", seen, f"{len(parts(case.data))} parts")
        if "on the same device" in raised.text:
            joined = "_cat)" in raised.text
            return Finding(
                "joined-while-apart" if joined else "part-met-other-device", seen, "no exception"
            )
        return None


def _draw(rng: random.Random, kind: str, rows: int, gpus: list[int], place: str) -> dict[str, Any]:
    """A module of small whole numbers, with a batch whose rows all differ."""

    def numbers(*shape: int) -> Any:
        if not shape:
            return float(rng.choice((-2, -1, 1, 2)))
        return [numbers(*shape[1:]) for _ in range(shape[0])]

    x = [[float(row + 1), *numbers(2)] for row in range(rows)]
    rng.shuffle(x)
    weight, shift = numbers(2, 3), numbers(3)
    # Every row gives an output of its own, and with units of opposite sign each row reaches one of
    # them even after relu: no part of the batch is without a gradient.
    weight[0][0] = rng.choice((-20.0, 20.0))
    weight[1] = [-number for number in weight[0]]
    bias = [2.0, 3.0]
    return {
        "kind": kind,
        "weight": weight,
        "bias": bias,
        "shift": shift,
        "x": x,
        "gpus": gpus,
        "place": place,
    }


def parts(data: Mapping[str, Any]) -> list[list[Any]]:
    """For each part: its GPU, how many samples it has, and the tag of the first of them."""
    cut = torch.tensor([row[0] for row in data["x"]]).chunk(len(data["gpus"]))
    gpus = (f"cuda:{gpu}" for gpu in data["gpus"])
    return [[gpu, len(part), part[0].item()] for gpu, part in zip(gpus, cut, strict=False)]


def outcome(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The result as it should be described, and the gradients of the sum of its squares."""
    y, gradients = _computed(data, torch.tensor(data["x"]))
    described = {
        "type": "Tensor",
        "dtype": "float32",
        "shape": list(y.shape),
        "device": f"cuda:{data['gpus'][0]}",
        "values": y.tolist(),
    }
    return described, gradients


def _computed(data: Mapping[str, Any], x: torch.Tensor) -> tuple[torch.Tensor, list[Any]]:
    weight = torch.tensor(data["weight"], requires_grad=True)
    bias = torch.tensor(data["bias"], requires_grad=True)
    if data["kind"] == "shifted":
        x = x + torch.tensor(data["shift"])
    y = x @ weight.T + bias
    if data["kind"] == "deep":
        y = y.relu()
    y.square().sum().backward()
    return y, [weight.grad.tolist(), bias.grad.tolist()]


def _of_the_parts(seen: Sequence[Sequence[Any]], data: Mapping[str, Any]) -> Finding | None:
    """The module notes where it runs, on how many samples, and the tag of the first."""
    wanted = parts(data)
    if sorted(seen, key=str) == sorted(wanted, key=str):  # replicas may run in any order
        return None
    if any(size == 0 for _, size, _ in seen):
        name = "more-replicas-than-parts"
    elif len(seen) == 1 and seen[0][1] == len(data["x"]):
        name = "not-split" if len(wanted) > 1 else "other-gpu"
    elif sorted(run[1:] for run in seen) != sorted(run[1:] for run in wanted):
        name = "other-parts"
    else:
        name = "other-gpu"
    return Finding(name, _told(seen), _told(wanted))


def _of_the_result(seen: Mapping[str, Any], right: Mapping[str, Any]) -> Finding | None:
    values, wanted = seen.get("values"), right["values"]
    if seen["shape"][:1] != right["shape"][:1]:
        return Finding(
            "samples-lost", f"shape {tuple(seen['shape'])}", f"shape {tuple(right['shape'])}"
        )
    if values != wanted and sorted(map(str, values or [])) == sorted(map(str, wanted)):
        return Finding("order-changed", clip(str(values), 200), clip(str(wanted), 200))
    if seen["device"] != right["device"]:
        return Finding("result-elsewhere", f"on {seen['device']}", f"on {right['device']}")
    if seen == right:
        return None
    return Finding("other-result", clip(str(values), 200), clip(str(wanted), 200))


def _of_the_gradients(
    seen: Sequence[Any], right: Sequence[Any], data: Mapping[str, Any]
) -> Finding | None:
    if seen == right:
        return None
    if all(gradient is None for gradient in seen):
        name = "gradients-lost"
    else:
        name = "gradients-of-some-parts" if seen in _partial(data) else "other-gradients"
    return Finding(name, clip(f"gradients {seen}", 200), clip(str(right), 200))


def _partial(data: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The gradients if only some of the parts send theirs."""
    cut = torch.tensor(data["x"]).chunk(len(data["gpus"]))
    for count in range(1, len(cut)):
        for some in combinations(cut, count):
            yield _computed(data, torch.cat(some))[1]


def _told(runs: Sequence[Sequence[Any]]) -> str:
    each = [f"{size} sample{'s' * (size != 1)} on {place}" for place, size, _ in runs]
    return clip(", ".join(each), 200) or "no call of the module"


judge = ParallelForward()
