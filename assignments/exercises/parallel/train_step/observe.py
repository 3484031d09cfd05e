"""Observe `train_step`: weights and losses step by step, who ran on what, and bytes by route."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.observers import weights
from exercise_kit import Facts, Observer

from ..observing import Called, Noting, called, number


class TrainStep(Observer):
    """Facts: of each step, by its number; `extra` and `back` are the largest of all steps.

    parts, times: on which samples each replica ran, and how often.
    apart: weights of the first replica minus those of the second. equal: to the last bit.
    extra, back: bytes from the CPU to a GPU beyond its part, and bytes to the CPU.
    """

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The replicas, pairs of batch and targets, both on the CPU, and the learning rate."""
        replicas = [Noting(data, f"cuda:{gpu}") for gpu in data["gpus"]]
        for parameter in (p for replica in replicas for p in replica.parameters()):
            parameter.grad = torch.full_like(parameter, data["stale"]) if data["stale"] else None
        batches = [(torch.tensor(x), torch.tensor(y)) for x, y in data["batches"]]
        return replicas, batches, data["lr"]

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call for each batch."""
        replicas, batches, lr = inputs
        given = list(replicas)
        steps = [_step(answer, replicas, given, pair, lr) for pair in batches]
        facts = {
            name: {f"step {n}": step[name] for n, step in enumerate(steps, start=1)}
            for name in steps[0]
        }
        return facts | {name: max(facts[name].values()) for name in ("extra", "back")}


def _step(
    answer: Any, now: list[Noting], given: list[Noting], pair: Sequence[torch.Tensor], lr: float
) -> dict[str, Any]:
    before, places = [weights(each) for each in given], [_places(each) for each in given]
    held = [[*map(id, each.parameters())] for each in given]
    sent = tuple(tensor.clone() for tensor in pair)
    seen = called(answer, given, now, *pair, lr)
    after = [weights(each) for each in given]
    return {
        "changed": [not torch.equal(*both) for both in zip(sent, pair, strict=True)],
        "models": [[i for i, each in enumerate(given) if each is model] for model in now],
        "places": _by_replica(_places(each) for each in given),
        "same": [[*map(id, each.parameters())] for each in given] == held,
        "parts": _by_replica(list(dict.fromkeys(map(_told, runs))) for runs in seen.runs),
        "times": _by_replica(len(runs) for runs in seen.runs),
        "stepped": _by_replica(old != new for old, new in zip(before, after, strict=True)),
        "apart": [one - other for one, other in zip(*after, strict=False)],
        "weights": after[0],
        "equal": after[0] == after[1],
        "loss": number(seen.result),
        "extra": _beyond_the_parts(seen, [place[0] for place in places], sent),
        "back": seen.to_the_cpu(),
    }


def _by_replica(values: Iterable[Any]) -> dict[str, Any]:
    return {f"replica {number}": value for number, value in enumerate(values)}


def _places(model: Noting) -> list[str]:
    return sorted({str(parameter.device) for parameter in model.parameters()})


def _told(run: Sequence[Any]) -> str:
    place, size, tag = run
    return f"{size} samples on {place}, the first with {tag}"


def _beyond_the_parts(seen: Called, gpus: list[str], pair: Sequence[torch.Tensor]) -> int:
    """Bytes that one GPU received from the CPU beyond its part: the larger number."""
    parts = zip(*(tensor.chunk(2) for tensor in pair), strict=True)
    sizes = [sum(tensor.nbytes for tensor in part) for part in parts]
    return max(seen.moved.get(("cpu", g), 0) - n for g, n in zip(gpus, sizes, strict=True))
