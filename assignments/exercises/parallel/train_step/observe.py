"""Observe `train_step`: weights and losses step by step, who ran on what, and bytes by route."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies


class Replica(nn.Module):
    """A linear model that notes in `runs` on which samples it runs; the first value is a tag."""

    def __init__(self, number: int, data: Mapping[str, Any], runs: list[Any]) -> None:
        super().__init__()
        self.number, self.runs = number, runs
        self.linear = nn.Linear(3, len(data["bias"]))
        with torch.no_grad():
            self.linear.weight.copy_(torch.tensor(data["weight"]))
            self.linear.bias.copy_(torch.tensor(data["bias"]))
        self.to(f"cuda:{data['gpus'][number]}")
        if data["stale"]:
            for parameter in self.parameters():
                parameter.grad = torch.full_like(parameter, data["stale"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.runs.append([self.number, str(x.device), len(x), x[0, 0].item() if len(x) else None])
        return self.linear(x)


class TrainStep(Observer):
    """Facts: for each step what came back, the weights, the runs; and what must not change."""

    parameters = ("replicas", "batch", "targets", "lr")

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        runs: list[Any] = []
        replicas = [Replica(number, inputs, runs) for number in (0, 1)]
        given, held = list(replicas), _parameters(replicas)
        steps, kept, list_kept = [], True, True
        with count_copies() as copies:
            for batch, targets in inputs["batches"]:
                runs.clear()
                x, y = torch.tensor(batch), torch.tensor(targets)
                result = answer(replicas, x, y, inputs["lr"])
                kept &= x.tolist() == batch and y.tolist() == targets
                list_kept &= [*map(id, replicas)] == [*map(id, given)]
                # Looked at without counting: reading a value is a copy, too.
                seen = dict(copies.bytes_by_route)
                steps.append(
                    {
                        "result": describe(result),
                        "runs": list(runs),
                        "replicas": [_state(replica) for replica in given],
                    }
                )
                copies.bytes_by_route.clear()
                copies.bytes_by_route.update(seen)
        return {
            "steps": steps,
            "inputs_kept": kept,
            "list_kept": list_kept,
            "same_parameters": [*map(id, _parameters(given))] == [*map(id, held)],
            "bytes": [[source, target, n] for (source, target), n in copies.bytes_by_route.items()],
        }


def _parameters(replicas: list[Replica]) -> list[nn.Parameter]:
    return [parameter for replica in replicas for parameter in replica.parameters()]


def _state(replica: Replica) -> dict[str, Any]:
    parameters = list(replica.parameters())
    return {
        "values": [value for p in parameters for value in p.detach().flatten().tolist()],
        "devices": sorted({str(p.device) for p in parameters}),
    }


observer = TrainStep()
