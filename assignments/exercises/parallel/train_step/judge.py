"""Judge `train_step`: both replicas are where one step on the whole batch, on one device, leads."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

UNITS = 8
_SMALL = 32  # bytes that may go anywhere in a step: a loss, a weight of a part


class Step:
    """What right and wrong answers make of one step, as tensors of all weights in a row."""

    def __init__(self, weights: torch.Tensor, data: Mapping[str, Any], number: int) -> None:
        batch, targets = data["batches"][number]
        self.before, self.lr = weights, data["lr"]
        self.parts = list(
            zip(torch.tensor(batch).chunk(2), torch.tensor(targets).chunk(2), strict=True)
        )
        computed = [_loss(weights, *part) for part in self.parts]
        self.losses = [loss for loss, _ in computed]
        self.gradients = [gradient for _, gradient in computed]
        self.shares = [len(x) / len(batch) for x, _ in self.parts]

    @property
    def gradient(self) -> torch.Tensor:
        return sum(share * g for share, g in zip(self.shares, self.gradients, strict=True))

    @property
    def loss(self) -> float:
        return sum(share * loss for share, loss in zip(self.shares, self.losses, strict=True))

    def after(self, gradient: torch.Tensor) -> torch.Tensor:
        return self.before - self.lr * gradient


def _loss(weights: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> tuple[float, torch.Tensor]:
    weights = weights.clone().requires_grad_()
    outputs = x @ weights[: 3 * UNITS].view(UNITS, 3).T + weights[3 * UNITS :]
    loss = torch.nn.functional.mse_loss(outputs, y)
    loss.backward()
    return loss.item(), weights.grad


def steps_of(data: Mapping[str, Any]) -> list[Step]:
    """Every step of a case, each from where the right one before it leads."""
    weights = torch.tensor([number for row in [*data["weight"], data["bias"]] for number in row])
    steps: list[Step] = []
    for number in range(len(data["batches"])):
        steps.append(Step(weights, data, number))
        weights = steps[-1].after(steps[-1].gradient)
    return steps


def _mistakes(
    step: Step, earlier: Sequence[Step], stale: float
) -> Iterator[tuple[str, torch.Tensor]]:
    """Gradients with which both replicas may wrongly have taken the step."""
    first, second = step.gradients
    yield "gradients-added-up", first + second
    yield "parts-weighted-equally", (first + second) / 2
    yield "mean-over-samples-only", UNITS * step.gradient
    yield "one-part-only", first
    yield "one-part-only", second
    old = torch.full_like(step.before, stale)
    averaged = old + sum(before.gradient for before in earlier)
    yield "gradients-left-over", averaged + step.gradient
    kept = [old + sum(before.gradients[i] for before in earlier) for i in (0, 1)]
    shares = step.shares
    yield "gradients-left-over", step.gradient + shares[0] * kept[0] + shares[1] * kept[1]
    if stale:
        for times in (0.5, 2):  # in one of the replicas, or in both while losses are weighted
            yield "gradients-left-over", step.gradient + times * old


class TrainStep(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b = rng.sample(range(1, 4), 2)
        rows: list[tuple[str, list[int], list[int], float]] = [
            ("two parts of one length", [0, 1], [2 * rng.randint(2, 4)], 0.0),
            ("five samples on cuda:0 and cuda:1, as in the task", [0, 1], [5], 0.0),
            ("two steps, one after the other", [0, 1], [6, 8], 0.0),
            ("three steps with parts that differ", [0, 1], [7, 5, 3], 0.0),
            ("replicas that have gradients from before", [0, 1], [rng.choice((4, 6))], 30.0),
            ("GPUs other than the first two", [a, b], [rng.choice((5, 7, 9))], 0.0),
            ("the second replica on cuda:0", [b, 0], [6, 7], 0.0),
            ("two samples", [0, a], [2], 0.0),
            ("three samples", [1, 0], [3], 0.0),
        ]
        return [Case(title, _telling(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        gpus = [f"cuda:{gpu}" for gpu in data["gpus"]]
        if not facts["inputs_kept"]:
            return Finding("input-changed", "another batch or targets", "as before")
        if not facts["list_kept"]:
            return Finding("list-changed", "another list", "the same two models")
        steps = steps_of(data)
        for number, (step, seen) in enumerate(zip(steps, facts["steps"], strict=True)):
            devices = [state["devices"] for state in seen["replicas"]]
            if devices != [[gpu] for gpu in gpus]:
                return Finding("replica-moved", f"replicas on {devices}", f"on {gpus}")
            if not facts["same_parameters"]:
                return Finding("parameters-replaced", "new parameter objects", "the same objects")
            found = (
                _of_the_runs(seen["runs"], step, gpus)
                or _of_the_weights(seen["replicas"], step, steps[:number], data["stale"])
                or _of_the_loss(seen["result"], step)
            )
            if found:
                at = f"step {number + 1}: " if len(steps) > 1 else ""
                return Finding(found.name, at + found.seen, found.expected)
        return _of_the_copies(facts["bytes"], steps, gpus)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "on the same device" in raised.text:
            seen = clip(f"{raised.type}: {raised.text.strip()}", 300)
            return Finding("devices-mixed", seen, "each operation on one device")
        return None


def _telling(rng: random.Random, gpus: list[int], sizes: list[int], stale: float) -> dict[str, Any]:
    """Data with which every mistake that changes something changes it visibly."""
    while True:
        data = _draw(rng, gpus, sizes, stale)
        clear = True
        steps = steps_of(data)
        for number, step in enumerate(steps):
            right = step.after(step.gradient)
            clear &= not _near(step.before, right) and not _near(*map(step.after, step.gradients))
            for name, gradient in _mistakes(step, steps[:number], stale):
                possible = {
                    "gradients-left-over": bool(number or stale),
                    "parts-weighted-equally": step.shares[0] != step.shares[1],
                }
                if possible.get(name, True):
                    clear &= not _near(step.after(gradient), right)
        if clear:
            return data


def _draw(rng: random.Random, gpus: list[int], sizes: list[int], stale: float) -> dict[str, Any]:
    def numbers(count: int) -> list[float]:
        return [float(rng.randint(-3, 3)) for _ in range(count)]

    batches = []
    for size in sizes:
        x = [[float(row + 1), *numbers(2)] for row in range(size)]
        rng.shuffle(x)
        batches.append([x, [[float(rng.randint(-20, 20)) for _ in range(UNITS)] for _ in x]])
    return {
        "weight": [numbers(3) for _ in range(UNITS)],
        "bias": numbers(UNITS),
        "gpus": gpus,
        "lr": rng.choice((0.125, 0.25)),
        "stale": stale,
        "batches": batches,
    }


def _near(seen: torch.Tensor, right: torch.Tensor) -> bool:
    alike = seen.shape == right.shape
    return alike and torch.allclose(seen, right, rtol=1e-3, atol=1e-3, equal_nan=True)


def _of_the_runs(seen: Sequence[Sequence[Any]], step: Step, gpus: Sequence[str]) -> Finding | None:
    wanted = [
        [i, gpu, len(x), x[0, 0].item()]
        for i, (gpu, (x, _)) in enumerate(zip(gpus, step.parts, strict=True))
    ]
    if sorted(seen, key=str) == wanted:
        return None
    whole = sum(len(x) for x, _ in step.parts)
    if len({run[0] for run in seen}) < 2:
        name = "one-replica-only"
    elif all(run[2] == whole for run in seen):
        name = "whole-batch-on-both"
    elif len(seen) > 2 and all(run in wanted for run in seen):
        name = "ran-more-than-once"
    else:
        name = "other-parts"
    return Finding(name, _told(seen), _told(wanted))


def _told(runs: Sequence[Sequence[Any]]) -> str:
    each = [f"{size} sample{'s' * (size != 1)} on replica {i}" for i, _, size, _ in runs]
    return clip(", ".join(each), 200) or "no call of a replica"


def _of_the_weights(
    replicas: Sequence[Mapping[str, Any]], step: Step, earlier: Sequence[Step], stale: float
) -> Finding | None:
    seen = [torch.tensor(replica["values"]) for replica in replicas]
    right = step.after(step.gradient)
    if all(_near(weights, right) for weights in seen):
        return _of_the_pair(*seen)
    unchanged = [_near(weights, step.before) for weights in seen]
    if any(unchanged):
        name = "no-step" if all(unchanged) else "one-replica-without-step"
    elif not _near(*seen):
        alone = map(step.after, step.gradients)
        own = all(_near(*pair) for pair in zip(seen, alone, strict=True))
        name = "gradients-not-exchanged" if own else "replicas-differ"
    else:
        mistakes = _mistakes(step, earlier, stale)
        named = (name for name, gradient in mistakes if _near(seen[0], step.after(gradient)))
        name = next(named, "other-step")
    worst = (seen[0] - right).abs().argmax() if not _near(seen[0], right) else None
    worst = (seen[1] - right).abs().argmax() if worst is None else worst
    shown = " and ".join(f"{weights[worst].item():.4g}" for weights in seen)
    return Finding(name, f"one weight on both GPUs: {shown}", f"{right[worst].item():.4g} on both")


def _of_the_pair(first: torch.Tensor, second: torch.Tensor) -> Finding | None:
    """Near the right weights, the replicas may still differ by more than float32 rounds."""
    if torch.allclose(first, second, rtol=1e-5, atol=1e-5):
        return None
    worst = (first - second).abs().argmax()
    shown = " and ".join(f"{weights[worst].item():.7g}" for weights in (first, second))
    return Finding("replicas-differ", f"one weight on both GPUs: {shown}", "the same on both")


def _of_the_loss(seen: Mapping[str, Any], step: Step) -> Finding | None:
    expected = f"{step.loss:.6g}"
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", "None", expected)
    value = seen.get("value")
    if seen["type"] == "Tensor" and seen["shape"] in ([], [1]):
        value = torch.tensor(seen.get("values", math.nan)).flatten()[0].item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Finding("other-form", clip(brief(seen), 200), "a number")
    losses = {
        "mean-over-samples-only": UNITS * step.loss,
        "loss-weighted-equally": sum(step.losses) / 2,
        "losses-added-up": sum(step.losses),
    }
    if _close(value, step.loss):
        return None
    name = next((name for name, loss in losses.items() if _close(value, loss)), "other-loss")
    return Finding(name, f"{value:.6g}", expected)


def _close(seen: float, right: float) -> bool:
    return math.isclose(seen, right, rel_tol=1e-3, abs_tol=1e-3)


def _of_the_copies(
    copied: Sequence[Sequence[Any]], steps: Sequence[Step], gpus: Sequence[str]
) -> Finding | None:
    moved = {(source, target): count for source, target, count in copied}
    spare = _SMALL * len(steps)
    back = sum(count for (_, target), count in moved.items() if target == "cpu")
    if back > spare:
        return Finding(
            "through-the-cpu", f"{back} bytes from the GPUs to the CPU", "a loss at most"
        )
    for i, gpu in enumerate(gpus):
        part = sum(4 * (step.parts[i][0].numel() + step.parts[i][1].numel()) for step in steps)
        if moved.get(("cpu", gpu), 0) > part + spare:
            return Finding(
                "more-than-its-part",
                f"{moved['cpu', gpu]} bytes from the CPU to {gpu}",
                f"{part}: its part",
            )
    return None


judge = TrainStep()
