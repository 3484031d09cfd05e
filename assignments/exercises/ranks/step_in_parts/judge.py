"""Judge `step_in_parts`: one exchange, at the end, and weights as after one step on the batch."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.text import clip

UNITS = 5  # neither a number of parts nor of ranks: a mistake with one is none with another


class Step:
    """What right and wrong answers make of one step, as tensors of all weights in a row."""

    def __init__(self, weights: Tensor, data: Mapping[str, Any], number: int) -> None:
        batch, targets = (torch.tensor(values) for values in data["batches"][number])
        self.before, self.lr, self.other = weights, data["lr"], data["other"]
        pairs = list(zip(batch.chunk(data["parts"]), targets.chunk(data["parts"]), strict=True))
        self.tags = [x[:, 0].tolist() for x, _ in pairs]
        self.shares = [len(x) / len(batch) for x, _ in pairs]
        self.gradients = [_gradient(weights, x, y) for x, y in pairs]
        self.own = _gradient(weights, batch, targets)

    def after(self, own: Tensor, *, exchanged: bool = True) -> Tensor:
        return self.before - self.lr * ((own + self.other) / 2 if exchanged else own)

    @property
    def right(self) -> Tensor:
        return self.after(self.own)

    def mistakes(self, stale: Tensor) -> Iterator[tuple[str, Tensor]]:
        """Weights after a wrong step, and what each of them means."""
        several = len(self.gradients) > 1
        mean = sum(self.gradients) / len(self.gradients)
        if several:
            yield "gradients-added-up", self.after(sum(self.gradients))
            yield "last-part-only", self.after(self.gradients[-1])
            yield "last-part-only", self.after(self.gradients[-1] * self.shares[-1])
            yield "parts-weighted-equally", self.after(mean)
        yield "gradients-left-over", self.after(self.own + stale)
        yield "samples-for-elements", self.after(self.own * UNITS)
        yield "ranks-counted", self.after(self.own / 2)
        yield "ranks-counted", self.after(self.own * 2)


def _gradient(weights: Tensor, x: Tensor, y: Tensor) -> Tensor:
    weights = weights.clone().requires_grad_()
    outputs = x @ weights[: 3 * UNITS].view(UNITS, 3).T + weights[3 * UNITS :]
    torch.nn.functional.mse_loss(outputs, y).backward()
    return weights.grad


def steps_of(data: Mapping[str, Any]) -> list[Step]:
    """Every step of a case, each from where the right one before it leads."""
    weights = torch.tensor([number for row in [*data["weight"], data["bias"]] for number in row])
    steps: list[Step] = []
    for number in range(len(data["batches"])):
        steps.append(Step(weights, data, number))
        weights = steps[-1].right
    return steps


def _stale(steps: Sequence[Step], data: Mapping[str, Any]) -> Tensor:
    """What is in the gradients before the last of these steps, if nobody has cleared them."""
    old = torch.full_like(steps[-1].before, data["stale"])
    return old if len(steps) == 1 else (steps[-2].own + steps[-2].other) / 2


class StepInParts(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        parts = rng.randint(3, 4)
        rows: list[tuple[str, int, list[int], float]] = [
            ("parts of one size", parts, [3 * parts], 0.0),
            ("a smaller last part", parts, [2 * parts + parts - 1], 0.0),
            ("fewer parts than asked for", 4, [5], 0.0),
            ("more parts than samples", 6, [3], 0.0),
            ("a single part", 1, [4], 0.0),
            ("gradients from before", parts, [3 * parts], 30.0),
            ("two steps, one after the other", parts, [3 * parts, 3 * parts - 1], 0.0),
            ("the task's example: four parts", 4, [10], 0.0),
        ]
        return [Case(title, _telling(rng, *row)) for title, *row in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, steps = case.data, steps_of(case.data)
        if not facts["inputs_kept"]:
            return Finding("input-changed", "another batch or targets", "as before")
        for number, (step, seen) in enumerate(zip(steps, facts["steps"], strict=True)):
            log = seen["log"]
            found = (
                _of_the_parts(log, step)
                or _of_the_exchanges(log)
                or _of_the_weights(seen, step, _stale(steps[: number + 1], data))
            )
            if found:
                at = f"step {number + 1}: " if len(steps) > 1 else ""
                return Finding(found.name, at + found.seen, found.expected)
        return None


def _telling(rng: random.Random, parts: int, sizes: Sequence[int], stale: float) -> dict[str, Any]:
    """Data with which every mistake that changes something changes it visibly."""
    while True:
        data = _draw(rng, parts, sizes, stale)
        steps = steps_of(data)
        if all(_tells(step, _stale(steps[: i + 1], data)) for i, step in enumerate(steps)):
            return data


def _tells(step: Step, stale: Tensor) -> bool:
    wrong = [step.before, step.after(step.own, exchanged=False)]
    uneven = len(set(step.shares)) > 1
    for name, weights in step.mistakes(stale):
        if (name != "parts-weighted-equally" or uneven) and (
            name != "gradients-left-over" or bool(stale.any())
        ):
            wrong.append(weights)
    return not any(_near(weights, step.right) for weights in wrong)


def _draw(rng: random.Random, parts: int, sizes: Sequence[int], stale: float) -> dict[str, Any]:
    def numbers(count: int) -> list[float]:
        return [float(rng.randint(-3, 3)) for _ in range(count)]

    batches = []
    for count in sizes:
        x = [[float(row + 1), *numbers(2)] for row in range(count)]
        rng.shuffle(x)
        batches.append([x, [[float(rng.randint(-20, 20)) for _ in range(UNITS)] for _ in x]])
    return {
        "weight": [numbers(3) for _ in range(UNITS)],
        "bias": numbers(UNITS),
        "parts": parts,
        "lr": rng.choice((0.125, 0.25)),
        "other": float(rng.randint(5, 9)),
        "stale": stale,
        "batches": batches,
    }


def _near(seen: Tensor, right: Tensor) -> bool:
    alike = seen.shape == right.shape
    return alike and torch.allclose(seen, right, rtol=1e-3, atol=1e-3, equal_nan=True)


def _of_the_parts(log: Sequence[Any], step: Step) -> Finding | None:
    runs = [entry[1] for entry in log if entry[0] == "forward"]
    shown = ", ".join(str(len(run)) for run in runs) or "no run of the model"
    expected = ", ".join(str(len(tags)) for tags in step.tags)
    if shown == expected and runs != step.tags:  # then the samples differ, which have numbers
        shown, expected = (
            " | ".join(", ".join(f"{tag:.0f}" for tag in part) for part in parts)
            for parts in (runs, step.tags)
        )
    if runs != step.tags:
        name = "other-parts" if runs else "model-not-run"
        return Finding(name, clip(shown, 120), clip(expected, 120))
    waiting = most = 0
    for kind, *_ in log:
        waiting += {"forward": 1, "backward": -1}.get(kind, 0)
        most = max(most, waiting)
    if most > 1:
        return Finding("parts-kept", f"{most} parts in memory at a time", "1")
    return None


def _of_the_exchanges(log: Sequence[Any]) -> Finding | None:
    events = [entry[0] for entry in log]
    count, shown = events.count("exchange"), clip(", ".join(events), 200)
    if count > 1:
        return Finding("several-exchanges", f"{count} exchanges: {shown}", "1 exchange")
    through_ddp = [entry[2] for entry in log if entry[0] == "forward"]
    if not all(through_ddp):
        past = f"{through_ddp.count(False)} of {len(through_ddp)} runs"
        return Finding("wrapper-passed-by", f"{past} past the wrapper", "every run through it")
    if not count:
        return Finding("no-exchange", f"no exchange: {shown}", "1 exchange")
    if "forward" in events[events.index("exchange") :]:
        return Finding("exchange-too-early", shown, "the exchange after the last forward")
    return None


def _of_the_weights(seen: Mapping[str, Any], step: Step, stale: Tensor) -> Finding | None:
    weights = torch.tensor(seen["weights"])
    count = sum(entry[0] == "step" for entry in seen["log"])
    if count > 1:
        return Finding("several-steps", f"{count} steps of the optimizer", "1")
    if _near(weights, step.right):
        return None
    if _near(weights, step.before):
        name = "nothing-to-step-with" if count else "no-step"
    else:
        named = (name for name, wrong in step.mistakes(stale) if _near(weights, wrong))
        name = next(named, "other-step")
    worst = (weights - step.right).abs().argmax()
    return Finding(
        name, f"one weight: {weights[worst].item():.4g}", f"{step.right[worst].item():.4g}"
    )
