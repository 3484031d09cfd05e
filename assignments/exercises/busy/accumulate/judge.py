"""Judge `accumulate`: the model is where one step on the whole batch leads, part by part."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.facts import brief
from exercise_kit.text import clip

UNITS = 2


class Step:
    """What right and wrong answers make of one step, as tensors of all weights in a row."""

    def __init__(
        self,
        weights: torch.Tensor,
        velocity: torch.Tensor | None,
        data: Mapping[str, Any],
        number: int,
    ) -> None:
        batch, targets = (torch.tensor(values) for values in data["batches"][number])
        self.before, self.velocity = weights, velocity
        self.lr, self.momentum, self.size = data["lr"], data["momentum"], data["size"]
        self.tags = [part[:, 0].tolist() for part in batch.split(self.size)]
        self.parts = [
            _loss(weights, x, y)
            for x, y in zip(batch.split(self.size), targets.split(self.size), strict=True)
        ]
        self.shares = [len(tags) / len(batch) for tags in self.tags]
        self.loss, self.gradient = _loss(weights, batch, targets)

    def after(self, gradient: torch.Tensor) -> torch.Tensor:
        return self.before - self.lr * self.next_velocity(gradient)

    def next_velocity(self, gradient: torch.Tensor) -> torch.Tensor:
        if self.velocity is None:
            return gradient
        return self.momentum * self.velocity + gradient


def _loss(weights: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> tuple[float, torch.Tensor]:
    weights = weights.clone().requires_grad_()
    outputs = x @ weights[: 3 * UNITS].view(UNITS, 3).T + weights[3 * UNITS :]
    loss = torch.nn.functional.mse_loss(outputs, y)
    loss.backward()
    return loss.item(), weights.grad


def steps_of(data: Mapping[str, Any]) -> list[Step]:
    """Every step of a case, each from where the right one before it leads."""
    weights = torch.tensor([number for row in [*data["weight"], data["bias"]] for number in row])
    velocity: torch.Tensor | None = None
    steps: list[Step] = []
    for number in range(len(data["batches"])):
        step = Step(weights, velocity, data, number)
        steps.append(step)
        weights, velocity = step.after(step.gradient), step.next_velocity(step.gradient)
    return steps


def _mistakes(
    step: Step, earlier: Sequence[Step], stale: float
) -> Iterator[tuple[str, torch.Tensor]]:
    """Gradients with which the step may wrongly have been taken."""
    gradients = [gradient for _, gradient in step.parts]
    if len(gradients) > 1:
        yield "gradients-added-up", sum(gradients)
        yield "last-part-only", gradients[-1]
        yield "last-part-only", gradients[-1] * step.shares[-1]
        yield "last-part-only", gradients[-1] / len(gradients)
    yield "parts-weighted-equally", sum(gradients) / len(gradients)
    total = sum(step.shares)
    by_size = [
        g * share * total * sum(map(len, step.tags)) / step.size
        for g, share in zip(gradients, step.shares, strict=True)
    ]
    yield "gradients-added-up", sum(by_size)
    old = torch.full_like(step.before, stale)
    before = old + sum(one.gradient for one in earlier)
    yield "gradients-left-over", before + step.gradient
    yield "gradients-left-over", before + sum(gradients) / len(gradients)


class Accumulate(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        size = rng.randint(3, 5)
        rows: list[tuple[str, int, list[int], float, float]] = [
            ("parts of one size", size, [3 * size], 0.0, 0.0),
            ("a smaller last part", size, [2 * size + rng.randint(1, size - 1)], 0.0, 0.0),
            ("a last part of one sample", size, [2 * size + 1], 0.0, 0.0),
            ("ten samples in parts of four, as in the task", 4, [10], 0.0, 0.0),
            ("gradients from before", size, [2 * size], 0.0, 30.0),
            ("gradients from before, and a smaller last part", size, [2 * size + 1], 0.0, 30.0),
            ("two steps, one after the other", size, [2 * size, 3 * size], 0.0, 0.0),
            ("an optimizer with momentum", size, [size + 2, 2 * size, 2 * size], 0.5, 0.0),
            ("a batch that is one part", 6, [6], 0.0, 0.0),
            ("a part larger than the batch", 8, [5], 0.0, 0.0),
            ("parts of one sample", 1, [4], 0.0, 0.0),
        ]
        return [Case(title, _telling(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, steps = case.data, steps_of(case.data)
        if not facts["inputs_kept"]:
            return Finding("input-changed", "another batch or targets", "as before")
        if facts["devices"] != [data["device"]]:
            return Finding("model-moved", f"a model on {facts['devices']}", data["device"])
        for number, (step, seen) in enumerate(zip(steps, facts["steps"], strict=True)):
            found = (
                _of_the_parts(seen["log"], step, data["device"])
                or _of_the_weights(seen, step, steps[:number], data["stale"])
                or _of_the_loss(seen["result"], step)
                or _of_the_order(seen["log"], step)
            )
            if found:
                at = f"step {number + 1}: " if len(steps) > 1 else ""
                return Finding(found.name, at + found.seen, found.expected)
        return None


def _telling(
    rng: random.Random, size: int, batches: list[int], momentum: float, stale: float
) -> dict[str, Any]:
    """Data with which every mistake that changes something changes it visibly."""
    while True:
        data = _draw(rng, size, batches, momentum, stale)
        steps = steps_of(data)
        clear = all(not _near(step.before, step.after(step.gradient)) for step in steps)
        for number, step in enumerate(steps):
            uneven = len(set(step.shares)) > 1
            possible = {
                "gradients-left-over": bool(number or stale),
                "gradients-added-up": len(step.parts) > 1 and step.size > 1,
                "parts-weighted-equally": uneven,
            }
            for name, gradient in _mistakes(step, steps[:number], stale):
                if possible.get(name, True):
                    clear &= not _near(step.after(gradient), step.after(step.gradient))
        if clear:
            return data


def _draw(
    rng: random.Random, size: int, batches: list[int], momentum: float, stale: float
) -> dict[str, Any]:
    def numbers(count: int) -> list[float]:
        return [float(rng.randint(-3, 3)) for _ in range(count)]

    drawn = []
    for count in batches:
        x = [[float(row + 1), *numbers(2)] for row in range(count)]
        rng.shuffle(x)
        drawn.append([x, [[float(rng.randint(-20, 20)) for _ in range(UNITS)] for _ in x]])
    return {
        "weight": [numbers(3) for _ in range(UNITS)],
        "bias": numbers(UNITS),
        "size": size,
        "device": f"cuda:{rng.randint(1, 3)}",
        "lr": rng.choice((0.125, 0.25)),
        "momentum": momentum,
        "stale": stale,
        "batches": drawn,
    }


def _near(seen: torch.Tensor, right: torch.Tensor) -> bool:
    alike = seen.shape == right.shape
    return alike and torch.allclose(seen, right, rtol=1e-3, atol=1e-3, equal_nan=True)


def _of_the_parts(log: Sequence[Any], step: Step, device: str) -> Finding | None:
    runs = [entry[1] for entry in log if entry[0] == "forward"]
    if any(entry[2] != device for entry in log if entry[0] == "forward"):
        return Finding("model-moved", "the model ran on another device", device)
    if runs == step.tags:
        return None
    whole = [tag for tags in step.tags for tag in tags]
    if not runs:
        name = "model-not-run"
    elif any(len(run) > step.size for run in runs):
        name = "part-too-large"
    elif sorted(runs) == sorted(step.tags):
        name = "parts-in-another-order"
    elif sorted(tag for run in runs for tag in run) != sorted(whole):
        name = "samples-left-out" if sum(map(len, runs)) < len(whole) else "ran-more-than-once"
    else:
        name = "other-parts"
    shown, expected = (
        ", ".join(str(len(part)) for part in parts) or "no run of the model"
        for parts in (runs, step.tags)
    )
    if shown == expected:  # then the samples differ, which have numbers
        shown, expected = (
            " | ".join(", ".join(f"{tag:.0f}" for tag in part) for part in parts)
            for parts in (runs, step.tags)
        )
    return Finding(name, clip(shown, 120), clip(expected, 120))


def _of_the_weights(
    seen: Mapping[str, Any], step: Step, earlier: Sequence[Step], stale: float
) -> Finding | None:
    weights, right = torch.tensor(seen["weights"]), step.after(step.gradient)
    count = sum(entry[0] == "step" for entry in seen["log"])
    if count > 1:
        return Finding("several-steps", f"{count} steps of the optimizer", "1")
    if _near(weights, right):
        return None
    if _near(weights, step.before):
        name = "nothing-to-step-with" if count else "no-step"
    elif not count:
        name = "step-by-hand"
    else:
        named = (
            name
            for name, gradient in _mistakes(step, earlier, stale)
            if _near(weights, step.after(gradient))
        )
        name = next(named, "other-step")
    worst = (weights - right).abs().argmax()
    shown = f"one weight: {weights[worst].item():.4g}"
    return Finding(name, shown, f"{right[worst].item():.4g}")


def _of_the_loss(seen: Mapping[str, Any], step: Step) -> Finding | None:
    expected = f"{step.loss:.6g}"
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", "None", expected)
    if seen["type"] not in ("int", "float"):
        name = "loss-is-a-tensor" if seen["type"] == "Tensor" else "other-form"
        return Finding(name, clip(brief(seen), 200), "a Python number")
    value, losses = seen["value"], [loss for loss, _ in step.parts]
    if math.isclose(value, step.loss, rel_tol=1e-3, abs_tol=1e-3):
        return None
    wrong = {
        "losses-added-up": sum(losses),
        "parts-weighted-equally": sum(losses) / len(losses),
        "loss-of-one-part": losses[-1],
    }
    wrong |= {"loss-of-one-part ": losses[-1] * step.shares[-1]}
    name = next(
        (
            name.strip()
            for name, loss in wrong.items()
            if math.isclose(value, loss, rel_tol=1e-3, abs_tol=1e-3)
        ),
        "other-loss",
    )
    return Finding(name, f"{value:.6g}", expected)


def _of_the_order(log: Sequence[Any], step: Step) -> Finding | None:
    """Forward and backward take turns, so that one part is in memory at a time."""
    waiting = most = 0
    for kind, *_ in log:
        waiting += {"forward": 1, "backward": -1}.get(kind, 0)
        most = max(most, waiting)
    if most > 1:
        return Finding("parts-kept", f"{most} parts in memory at a time", "1")
    return None
