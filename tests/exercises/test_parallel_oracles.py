"""The answers of assignment 07 against reality: real wrappers on the devices of the course.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

from typing import Any

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case

pytestmark = pytest.mark.usefixtures("four_gpus")
_cases = Topic("parallel").cases


def _facts(case: Case) -> Any:
    assert case.right is not None
    return case.right


def test_the_wrapper_cuts_where_the_answer_says() -> None:
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
        assert sorted(sizes) == sorted(item["value"] for item in _facts(case)["result"]["items"])


def test_the_wrapper_gives_the_loss_the_gradients_and_the_parts_of_the_answer() -> None:
    observer = exercise("parallel.by_hand").module("observe").observer
    for case in _cases("by_hand", seeds=3):
        facts = _facts(case)
        model, batch, targets, devices = observer.prepare(case.data)
        outputs = nn.DataParallel(model, devices)(batch)
        loss = nn.functional.mse_loss(outputs, targets.to(devices[0]))
        loss.backward()
        assert str(loss.device) == facts["device"]
        assert loss.item() == pytest.approx(facts["result"]["value"], rel=1e-5)
        assert sorted(model._note.__self__) == sorted(facts["ran"])
        for name, parameter in model.named_parameters():
            seen = torch.tensor(facts["gradients"][name])
            torch.testing.assert_close(seen, parameter.grad.cpu(), rtol=1e-4, atol=1e-4)


def test_one_step_on_one_device_is_that_of_the_optimizer() -> None:
    for case in _cases("train_step", seeds=3):
        data, facts = case.data, _facts(case)
        model = nn.Linear(3, len(data["bias"]))
        with torch.no_grad():
            model.weight.copy_(torch.tensor(data["weight"]))
            model.bias.copy_(torch.tensor(data["bias"]))
        optimizer = torch.optim.SGD(model.parameters(), lr=data["lr"])
        for number, (batch, targets) in enumerate(data["batches"], start=1):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(torch.tensor(batch)), torch.tensor(targets))
            loss.backward()
            optimizer.step()
            weights = torch.cat([p.detach().flatten() for p in model.parameters()])
            seen = torch.tensor(facts["weights"][f"step {number}"])
            torch.testing.assert_close(seen, weights, rtol=1e-4, atol=1e-4)
            assert facts["loss"][f"step {number}"]["value"] == pytest.approx(loss.item(), rel=1e-4)
        assert all(facts["equal"].values())


def test_one_device_trains_to_the_weights_of_the_answer() -> None:
    observe = exercise("parallel.fix_parallel").module("observe")
    for case in _cases("fix_parallel", seeds=2):
        model = observe.Regression(case.data).to("cpu")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for batch, targets in case.data["batches"]:
            optimizer.zero_grad()
            model.loss(model(torch.tensor(batch)), torch.tensor(targets)).backward()
            optimizer.step()
        for name, parameter in model.named_parameters():
            seen = torch.tensor(_facts(case)["weights"][name])
            torch.testing.assert_close(seen, parameter.detach(), rtol=1e-4, atol=1e-4)
