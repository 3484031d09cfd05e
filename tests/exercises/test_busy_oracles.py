"""The oracles of assignment 08 against reality: the clock, the allocator, torch's own steps.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import pytest
import torch
from topic import Topic
from torch import nn

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("busy", seeds=20)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference


def test_time_on_gpu_works_with_the_clock_and_the_gpu_of_this_machine() -> None:
    square = torch.rand(50, 50, device="cuda:0")
    calls = []
    seconds = _reference("time_on_gpu")(lambda: calls.append(square @ square), 3)
    assert len(calls) == 4
    assert 0 < seconds < 10


def test_the_bytes_counted_by_hand_are_those_that_the_gpu_gives_out() -> None:
    """Blocks are multiples of 512 bytes, so that one more would show."""
    before = torch.cuda.memory_allocated("cuda:1")
    model = nn.Linear(128, 128, device="cuda:1")
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 128, device="cuda:1")).sum().backward()
    optimizer.step()
    counted = _reference("training_bytes")(model, optimizer, torch.device("cuda:1"))
    assert sum(counted.values()) == torch.cuda.memory_allocated("cuda:1") - before


def test_accumulating_leads_where_one_step_on_the_whole_batch_does() -> None:
    steps_of = _judge("accumulate").steps_of
    for case in _cases("accumulate", seeds=3):
        data = case.data
        weight, bias = torch.tensor(data["weight"]), torch.tensor(data["bias"])
        parameters = [nn.Parameter(weight), nn.Parameter(bias)]
        optimizer = torch.optim.SGD(parameters, lr=data["lr"], momentum=data["momentum"])
        for (batch, targets), step in zip(data["batches"], steps_of(data), strict=True):
            optimizer.zero_grad()
            outputs = nn.functional.linear(torch.tensor(batch), *parameters)
            loss = nn.functional.mse_loss(outputs, torch.tensor(targets))
            loss.backward()
            optimizer.step()
            reached = torch.cat([p.detach().flatten() for p in parameters])
            assert torch.allclose(reached, step.after(step.gradient), rtol=1e-4), case.title
            assert loss.item() == pytest.approx(step.loss)
