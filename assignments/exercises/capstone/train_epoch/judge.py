"""Judge `train_epoch`: weights and loss of a plain loop on one device, and no more copies."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.facts import brief
from exercise_kit.text import clip

from ..judging import near, of_the_runs, of_the_steps, some_rows


class Epoch:
    """What a plain loop makes of one epoch.

    left_over: a gradient that was there before and was not cleared. keep: nor is any other.
    """

    def __init__(
        self,
        weights: Tensor,
        rows: Sequence[Any],
        data: Mapping[str, Any],
        left_over: float = 0.0,
        keep: bool = False,
    ) -> None:
        x, y = (torch.tensor(part) for part in rows)
        self.losses, self.sizes, self.tags = [], [], []
        total = torch.full_like(weights, left_over)
        pairs = zip(x.split(data["size"]), y.split(data["size"]), strict=True)
        for batch, targets in pairs:
            weights = weights.detach().requires_grad_()
            outputs = batch @ weights[:6].view(2, 3).T + weights[6:]
            loss = mse_loss(outputs, targets)
            loss.backward()
            total = total + cast(Tensor, weights.grad)
            weights = weights.detach() - data["lr"] * total
            total = total if keep else torch.zeros_like(total)
            self.losses.append(loss.item())
            self.sizes.append(len(batch))
            self.tags.append(batch[:, 0].tolist())
        self.weights = weights.detach()

    @property
    def loss(self) -> float:
        """The mean loss over all samples."""
        pairs = zip(self.losses, self.sizes, strict=True)
        return sum(loss * size for loss, size in pairs) / sum(self.sizes)


def epochs_of(data: Mapping[str, Any]) -> list[tuple[Tensor, Epoch]]:
    """The weights before each epoch, and what becomes of it."""
    weights = torch.tensor([*(n for row in data["weight"] for n in row), *data["bias"]])
    epochs = []
    for rows in data["epochs"]:
        epoch = Epoch(weights, rows, data)
        epochs.append((weights, epoch))
        weights = epoch.weights
    return epochs


class TrainEpoch(Judge):
    """Epoch by epoch: the runs on each device, the weights, the loss, and the copies."""

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """Cases on the CPU, on a GPU, and with a wrapper, drawn so that each mistake shows."""
        gpu = f"cuda:{rng.randint(1, 3)}"
        rows: list[tuple[str, int, str, bool, int, list[int], dict[str, Any]]] = [
            ("a model on the CPU, batches of one size", 0, "cpu", False, 4, [12], {}),
            ("a model on a GPU", 4, gpu, False, 4, [12], {}),
            (
                "13 samples in batches of 8 on four GPUs, as in the task",
                4,
                "cuda:0",
                True,
                8,
                [13],
                {},
            ),
            ("a last batch of one sample", 4, "cuda:0", True, 8, [17], {}),
            ("batches of five on four GPUs", 4, "cuda:0", True, 5, [15], {}),
            ("a wrapper around two GPUs", 2, "cuda:0", True, 6, [16], {}),
            ("a wrapper on a machine without a GPU", 0, "cpu", True, 4, [9], {}),
            ("a model in evaluation mode", 1, "cuda:0", False, 4, [10], {"training": False}),
            ("gradients from before", 4, "cuda:0", True, 4, [8], {"stale": 2.0}),
            ("two epochs, one after the other", 4, "cuda:0", True, 6, [14, 9], {}),
            ("a single batch", 1, "cuda:0", False, 6, [5], {}),
        ]
        usual = {"training": True, "stale": 0.0}
        return [
            Case(
                title,
                _telling(
                    rng,
                    sizes,
                    {
                        **usual,
                        **more,
                        "gpus": gpus,
                        "device": device,
                        "wrapped": wrapped,
                        "size": size,
                    },
                ),
            )
            for title, gpus, device, wrapped, size, sizes, more in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The first finding, or None."""
        data = case.data
        gpus = data["gpus"] if data["wrapped"] else int(data["device"] != "cpu")
        pairs = zip(epochs_of(data), facts["epochs"], strict=True)
        for number, ((before, epoch), seen) in enumerate(pairs):
            stale = data["stale"] if not number else 0.0
            found = (
                of_the_runs(seen["runs"], epoch.tags, gpus, data["device"])
                or _of_the_weights(data, seen, before, epoch, data["epochs"][number], stale)
                or _of_the_loss(seen["result"], epoch)
                or of_the_steps(seen["steps"], epoch.tags, gpus, data["device"], 3, 2)
            )
            if found:
                at = f"epoch {number + 1}: " if len(data["epochs"]) > 1 else ""
                return Finding(found.name, at + found.seen, found.expected)
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding for devices that meet, or None."""
        if "on the same device" in raised.text:
            seen = clip(f"{raised.type}: {raised.text.strip()}", 300)
            return Finding("devices-mixed", seen, "each operation on one device")
        return None


def _telling(rng: random.Random, sizes: Sequence[int], data: dict[str, Any]) -> dict[str, Any]:
    """Data with which every mistake that changes something changes it visibly."""
    while True:
        data |= {
            "weight": [[rng.randint(-9, 9) / 10 for _ in range(3)] for _ in range(2)],
            "bias": [rng.randint(-9, 9) / 10 for _ in range(2)],
            "lr": rng.choice((0.05, 0.1)),
            "epochs": [
                [
                    [[row[0] / 10, *row[1:]] for row in some_rows(size, 3, rng, 2)],
                    [[float(rng.randint(-9, 9)) for _ in range(2)] for _ in range(size)],
                ]
                for size in sizes
            ],
        }
        clear = True
        for number, (before, epoch) in enumerate(epochs_of(data)):
            losses, rows = epoch.losses, data["epochs"][number]
            stale = data["stale"] if not number else 0.0
            clear &= not near(before, epoch.weights)
            if len(losses) > 1 or stale:
                clear &= not near(Epoch(before, rows, data, stale, True).weights, epoch.weights)
            if len(losses) > 1:
                clear &= abs(losses[-1] - epoch.loss) > 0.01
            if len(set(epoch.sizes)) > 1:
                clear &= abs(sum(losses) / len(losses) - epoch.loss) > 0.01
        if clear:
            return data


def _of_the_weights(
    data: Mapping[str, Any],
    seen: Mapping[str, Any],
    before: Tensor,
    epoch: Epoch,
    rows: Sequence[Any],
    stale: float,
) -> Finding | None:
    weights, right = torch.tensor(seen["weights"]), epoch.weights
    if seen["count"] > len(epoch.tags):
        return Finding("several-steps", f"{seen['count']} steps", f"{len(epoch.tags)}")
    if near(weights, right):
        return None
    if near(weights, before):
        name = "nothing-to-step-with" if seen["count"] else "no-step"
    elif any(near(weights, Epoch(before, rows, data, stale, k).weights) for k in (True, False)):
        name = "gradients-left-over"
    elif seen["count"] < len(epoch.tags):
        name = "too-few-steps"
    else:
        name = "other-step"
    worst = (weights - right).abs().argmax()
    return Finding(name, f"one weight: {weights[worst].item():.4g}", f"{right[worst].item():.4g}")


def _of_the_loss(seen: Mapping[str, Any], epoch: Epoch) -> Finding | None:
    expected = f"{epoch.loss:.6g}"
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", "None", expected)
    if seen["type"] not in ("int", "float"):
        name = "loss-is-a-tensor" if seen["type"] == "Tensor" else "other-form"
        return Finding(name, clip(brief(seen), 160), "a Python number")
    losses, sizes = epoch.losses, epoch.sizes
    sums = [loss * size for loss, size in zip(losses, sizes, strict=True)]
    models = {
        "batches-weighted-equally": [sum(losses) / len(losses)],
        "sum-of-losses": [sum(losses), sum(sums), sum(losses) / sum(sizes)],
        "loss-of-one-batch": [losses[-1]],
    }
    if math.isclose(seen["value"], epoch.loss, rel_tol=1e-3, abs_tol=1e-4):
        return None
    name = next(
        (
            name
            for name, values in models.items()
            if any(
                math.isclose(seen["value"], value, rel_tol=1e-3, abs_tol=1e-4) for value in values
            )
        ),
        "other-loss",
    )
    return Finding(name, f"{seen['value']:.6g}", expected)
