"""Judge `train_or_resume` by playing every run again, on one device, in the orders really taken."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.facts import brief
from exercise_kit.text import clip

from ..judging import near, of_the_runs, of_the_steps, some_rows

KEYS = ("linear_module.weight", "linear_module.bias")
_LR, _MOMENTUM, _SPLIT = 0.1, 0.9, 6  # the first six weights are the matrix


@dataclass(frozen=True)
class State:
    """What a checkpoint has to hold, besides the state of the generator."""

    weights: Tensor
    momentum: Tensor
    epoch: int = 0


class Loss(NamedTuple):
    """The mean over all samples of an epoch, and the mean of its batches' means."""

    of_samples: float
    of_batches: float


class Samples:
    """The data of a case, found by tag."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        x, y = torch.tensor(data["x"]), torch.tensor(data["y"])
        self._rows = {row[0].item(): (row, wanted) for row, wanted in zip(x, y, strict=True)}
        self.tags = sorted(self._rows)
        self.size = data["size"]

    def epoch(self, state: State, order: Sequence[Sequence[float]]) -> tuple[State, "Loss"]:
        """The state after an epoch in this order, and its mean loss."""
        weights, momentum, total = state.weights, state.momentum, 0.0
        means = []
        for tags in order:
            x, y = (torch.stack(part) for part in zip(*map(self._rows.get, tags), strict=True))
            weights = weights.detach().requires_grad_()
            loss = mse_loss(x @ weights[:_SPLIT].view(2, 3).T + weights[_SPLIT:], y)
            loss.backward()
            momentum = _MOMENTUM * momentum + cast(Tensor, weights.grad)
            weights = weights.detach() - _LR * momentum
            total += loss.item() * len(tags)
            means.append(loss.item())
        loss_of_epoch = Loss(total / len(self.tags), sum(means) / len(means))
        return State(weights, momentum, state.epoch + 1), loss_of_epoch


class Train(Judge):
    """Run by run: epochs, parts, samples, file, losses and copies; last the orders."""

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """Cases of one to three runs, some of which are killed."""
        batch = rng.randint(2, 3)  # in the middle of an epoch of three batches

        def run(gpus: int, epochs: int, **more: Any) -> dict[str, Any]:
            return {"gpus": gpus, "epochs": epochs, **more}

        rows: list[tuple[str, int, int, list[dict[str, Any]]]] = [
            ("without a GPU", 8, 20, [run(0, 2)]),
            ("one GPU", 8, 20, [run(1, 2)]),
            ("four GPUs", 8, 20, [run(4, 2)]),
            ("two GPUs, with batches of five", 5, 13, [run(2, 2)]),
            ("four GPUs, with batches of five", 5, 15, [run(4, 2)]),
            ("a model that is made in evaluation mode", 8, 20, [run(1, 2, training=False)]),
            (
                "one seed twice, then another one",
                8,
                20,
                [
                    run(0, 2),
                    run(0, 2, afresh=True),
                    run(0, 2, afresh=True, seed=rng.randint(50, 99)),
                ],
            ),
            ("two epochs, then one more, as in the task", 8, 20, [run(0, 2), run(0, 3)]),
            ("nothing left to do", 8, 20, [run(0, 2), run(0, 2)]),
            (
                "killed between two batches, and resumed",
                8,
                20,
                [run(0, 4, kill=[3, batch]), run(0, 4)],
            ),
            (
                "killed in the first epoch, and started again",
                8,
                20,
                [run(0, 2, kill=[1, batch]), run(0, 2)],
            ),
            ("killed while it saves, and resumed", 8, 20, [run(0, 4, save=2), run(0, 4)]),
            ("killed and resumed on one GPU", 8, 20, [run(1, 3, kill=[2, batch]), run(1, 3)]),
            ("killed and resumed on four GPUs", 8, 20, [run(4, 3, kill=[2, batch]), run(4, 3)]),
            (
                "killed on four GPUs, resumed on none",
                8,
                20,
                [run(4, 3, kill=[2, batch]), run(0, 3)],
            ),
            (
                "killed on none, resumed on four GPUs",
                8,
                20,
                [run(0, 3, kill=[2, batch]), run(4, 3)],
            ),
            (
                "killed twice, the second time while it saves",
                8,
                20,
                [run(4, 5, kill=[2, batch]), run(1, 5, save=2), run(2, 5)],
            ),
            ("killed when the old checkpoint has lost its name", 8, 20, [run(0, 3, removal=True)]),
        ]
        return [
            Case(
                title,
                {
                    "x": [[row[0] / 10, *row[1:]] for row in some_rows(count, 3, rng, 1)],
                    "y": [[float(rng.randint(-9, 9)) for _ in range(2)] for _ in range(count)],
                    "size": size,
                    "seed": rng.randint(1, 40),
                    "runs": runs,
                },
            )
            for title, size, count, runs in rows
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The first finding, or None."""
        data, samples = case.data, Samples(case.data)
        states: dict[int, State] = {}
        repeated: list[list[float]] = []
        for number, seen in enumerate(facts["runs"]):
            run = data["runs"][number]
            if run.get("afresh"):
                states = {}
            if not seen["first"]:
                return Finding("no-model", "make_model was not called", "called once")
            state = states.get(max(states, default=0)) or _drawn(seen["first"][0])
            found = self._of_the_run(run, seen, samples, state, states)
            if found:
                at = f"run {number + 1}: " if len(facts["runs"]) > 1 else ""
                return Finding(found.name, at + found.seen, found.expected)
            repeated.append([*seen["first"][0], *_flat(seen["orders"])])
            others = repeated[:-1] if run.get("afresh") else []
            if others and "seed" not in run and repeated[-1] != others[0]:
                return Finding("not-repeatable", "other weights or another order", "the same")
            if others and "seed" in run and repeated[-1] == others[0]:
                return Finding("seed-not-used", "the same weights and order", "others")
        return self._of_the_orders(data, facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        """The finding for devices that meet, or for a checkpoint that cannot be loaded."""
        shown = clip(f"{raised.type}: {raised.text.strip()}", 300)
        if "on the same device" in raised.text:
            return Finding("devices-mixed", shown, "each operation on one device")
        if "loading state_dict for" in raised.text:
            return Finding("keys-do-not-fit", shown, "a checkpoint that any run can load")
        if "Attempting to deserialize" in raised.text:
            return Finding("tags-followed", shown, "a file that is loaded onto the CPU")
        return None

    def _of_the_run(
        self,
        run: Mapping[str, Any],
        seen: Mapping[str, Any],
        samples: Samples,
        state: State,
        states: dict[int, State],
    ) -> Finding | None:
        """Play the run from `state`; each epoch that it finished is noted in `states`."""
        orders, begun = seen["orders"], state.epoch
        finished = orders[:-1] if seen["killed"] and run.get("kill") else orders
        wanted = max(0, run["epochs"] - begun)
        if not seen["killed"] and len(orders) != wanted:
            return _name_count(len(orders), wanted, run["epochs"], begun)
        found = _of_the_parts(run, seen)
        if found:
            return found
        losses = []
        for order in finished:
            if sorted(tag for tags in order for tag in tags) != samples.tags:
                return Finding(
                    "samples-left-out",
                    f"{sum(map(len, order))} samples in an epoch",
                    f"{len(samples.tags)}",
                )
            state, loss = samples.epoch(state, order)
            losses.append(loss)
            states[state.epoch] = state
        if seen["killed"] and run.get("save") and _saved(seen) != state.epoch:
            states.pop(state.epoch, None)  # finished, and rightly not saved
        return (
            _of_the_file(run, seen, states, begun)
            or (None if seen["killed"] else _of_the_losses(seen["result"], losses))
            or of_the_steps(
                seen["steps"],
                [tags for order in orders for tags in order],
                run["gpus"],
                "cuda:0" if run["gpus"] else "cpu",
                3,
                2,
            )
        )

    def _of_the_orders(self, data: Mapping[str, Any], facts: Facts) -> Finding | None:
        """Whether resumed runs took the orders that a run takes that never stopped."""
        alone, done = facts["alone"] or [], 0
        for run, seen in zip(data["runs"], facts["runs"], strict=True):
            if run.get("afresh") or len(alone) < done + len(seen["orders"]):
                return None
            for number, order in enumerate(seen["orders"]):
                right = alone[done + number]
                if order != right[: len(order)]:
                    again = order == alone[number][: len(order)]
                    return Finding(
                        "order-begins-again" if again else "other-order",
                        f"epoch {done + number + 1} begins with samples {_first(order)}",
                        _first(right),
                    )
            done = int(_saved(seen) or 0)
        return None


def _drawn(weights: Sequence[float]) -> State:
    return State(torch.tensor(weights), torch.zeros(len(weights)))


def _saved(seen: Mapping[str, Any]) -> Any:
    """The epoch that the file names after a run."""
    return (seen["file"].get("epoch") or {}).get("value")


def _flat(orders: Sequence[Sequence[Sequence[float]]]) -> list[float]:
    return [tag for order in orders for tags in order for tag in tags]


def _first(order: Sequence[Sequence[float]]) -> str:
    return ", ".join(f"{10 * tag:.0f}" for tag in order[0][:4])


def _name_count(seen: int, wanted: int, epochs: int, begun: int) -> Finding:
    name = "other-number-of-epochs"
    if begun and seen == epochs:
        name = "not-resumed"
    elif begun and seen == wanted + 1:
        name = "epoch-trained-again"
    return Finding(name, f"{seen} epochs trained", f"{wanted}: {begun} were finished before")


def _of_the_parts(run: Mapping[str, Any], seen: Mapping[str, Any]) -> Finding | None:
    batches = [tags for order in seen["orders"] for tags in order]
    found = of_the_runs(seen["parts"], batches, run["gpus"])
    named = ("evaluation-mode", "gpus-idle", "gpu-not-visible")
    return found and replace(found, name=found.name if found.name in named else "other-parts")


def _of_the_file(
    run: Mapping[str, Any], seen: Mapping[str, Any], states: Mapping[int, State], begun: int
) -> Finding | None:
    file, latest = seen["file"], max(states, default=0)
    if file.get("missing"):
        if not latest:
            return None
        killed = run.get("save") or run.get("removal")
        name = "deleted-first" if begun or killed else "no-checkpoint"
        return Finding(name, "no file", f"the checkpoint of epoch {latest}")
    if "unreadable" in file:
        name = "torn" if run.get("save") else "not-loadable"
        return Finding(name, clip(file["unreadable"], 200), f"the checkpoint of epoch {latest}")
    if seen["in_place"]:
        return Finding("written-in-place", "the old file was written into", "a new file instead")
    if "other" in file:
        return Finding("other-content", file["other"], "a dict with the keys model and epoch")
    if sorted(file["model"]) != sorted(KEYS):
        prefixed = file["model"] and all(key.startswith("module.") for key in file["model"])
        return Finding(
            "prefixed-keys" if prefixed else "other-content",
            clip(str([*file["model"]]), 120),
            ", ".join(KEYS),
        )
    if file["epoch"].get("value") != latest:
        name = "not-saved-each-epoch" if seen["killed"] else "other-epoch"
        return Finding(name, f"epoch {brief(file['epoch'])}", str(latest))
    if file["tags"] != ["cpu"]:
        return Finding("tagged-with-a-gpu", f"tags {', '.join(file['tags'])}", "cpu")
    weights = torch.tensor([value for key in KEYS for value in file["model"][key]])
    right = states[latest].weights if latest in states else weights
    if near(weights, right):
        return None
    name = "resumed-otherwise" if begun else "other-steps"
    worst = (weights - right).abs().argmax()
    return Finding(name, f"one weight: {weights[worst].item():.4g}", f"{right[worst].item():.4g}")


def _of_the_losses(seen: Mapping[str, Any], losses: Sequence[Loss]) -> Finding | None:
    rounded = [round(loss.of_samples, 4) for loss in losses]
    shown = clip(brief(seen), 120), clip(str(rounded), 120)
    if seen["type"] == "NoneType":
        return Finding("nothing-returned", *shown)
    items = seen.get("items", ())
    if seen["type"] not in ("list", "tuple") or any(
        item["type"] not in ("int", "float") for item in items
    ):
        return Finding("other-form", shown[0], "a list of numbers")
    values = [item["value"] for item in items]
    if len(values) != len(losses):
        return Finding("other-losses", *shown)
    if _close(values, [loss.of_samples for loss in losses]):
        return None
    weighted = _close(values, [loss.of_batches for loss in losses])
    return Finding("batches-weighted-equally" if weighted else "other-losses", *shown)


def _close(values: Sequence[float], losses: Sequence[float]) -> bool:
    pairs = zip(values, losses, strict=True)
    return all(math.isclose(value, loss, rel_tol=1e-3, abs_tol=1e-4) for value, loss in pairs)
