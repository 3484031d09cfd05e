"""The oracles of assignment 07 against reality: real wrappers on the devices of the course.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

from typing import Any

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("parallel")
_judge, _cases = TOPIC.judge, TOPIC.cases


def test_the_wrapper_cuts_where_the_oracle_says() -> None:
    for case in _cases("split_sizes", seeds=3):
        data = case.data
        if data["gpus"] > 4:
            continue
        sizes: list[int] = []

        class Noting(nn.Module):
            def forward(self, x: torch.Tensor, sizes: Any = sizes, dim: int = data["dim"]) -> Any:
                sizes.append(x.shape[dim])
                return x

        net = nn.DataParallel(Noting(), list(range(data["gpus"])), dim=data["dim"])
        assert net(torch.zeros(data["shape"])).shape == torch.Size(data["shape"])
        assert sorted(sizes) == sorted(_judge("split_sizes").chunked(**data))


def test_the_wrapper_gives_the_result_the_gradients_and_the_parts_of_the_oracle() -> None:
    judge = _judge("parallel_forward")
    for case in _cases("parallel_forward", seeds=3):
        data, runs = case.data, []
        module = exercise("parallel.parallel_forward").module("observe").build(data, runs)
        result = nn.DataParallel(module, data["gpus"])(
            torch.tensor(data["x"], device=data["place"])
        )
        result.square().sum().backward()
        wanted, gradients = judge.outcome(data)
        assert (str(result.device), result.tolist()) == (wanted["device"], wanted["values"])
        assert sorted(runs) == sorted(judge.parts(data))
        assert [p.grad.tolist() for p in module.parameters()] == gradients


def test_no_part_of_a_batch_leaves_the_gradients_as_they_are() -> None:
    for case in _cases("parallel_forward"):
        _, whole = _judge("parallel_forward").outcome(case.data)
        assert whole not in list(_judge("parallel_forward")._partial(case.data))


def test_one_step_on_one_device_is_that_of_the_optimizer() -> None:
    for case in _cases("train_step", seeds=3):
        data = case.data
        model = nn.Linear(3, len(data["bias"]))
        with torch.no_grad():
            model.weight.copy_(torch.tensor(data["weight"]))
            model.bias.copy_(torch.tensor(data["bias"]))
        optimizer = torch.optim.SGD(model.parameters(), lr=data["lr"])
        for step, (batch, targets) in zip(
            _judge("train_step").steps_of(data), data["batches"], strict=True
        ):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(torch.tensor(batch)), torch.tensor(targets))
            loss.backward()
            optimizer.step()
            weights = torch.cat([p.detach().flatten() for p in model.parameters()])
            torch.testing.assert_close(step.after(step.gradient), weights, rtol=1e-4, atol=1e-4)
            assert step.loss == pytest.approx(loss.item(), rel=1e-4)


def test_the_wrapper_trains_to_the_weights_of_one_device() -> None:
    for case in _cases("mend_parallel", seeds=2):
        data = case.data
        model = exercise("parallel.mend_parallel").module("observe").Regression(data).to("cuda:0")
        parallel = nn.DataParallel(model, [0, 1])
        optimizer = torch.optim.SGD(model.parameters(), lr=_judge("mend_parallel").RATE)
        for batch, targets in data["batches"]:
            optimizer.zero_grad()
            loss = model.loss(parallel(torch.tensor(batch)), torch.tensor(targets).to("cuda:0"))
            loss.backward()
            optimizer.step()
        seen = [parameter.tolist() for parameter in model.parameters()]
        assert _judge("mend_parallel")._near(seen, _judge("mend_parallel").trained(data))
