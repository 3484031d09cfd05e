"""The oracles of assignment 08 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import statistics

import pytest
import torch
from topic import Topic
from torch import nn

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("busy", seeds=20)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference


def test_a_timing_has_the_launch_and_what_it_launched() -> None:
    for case in TOPIC.cases("time_on_gpu", seeds=2):
        later = zip(case.data["launches"][1:], case.data["kernels"][1:], strict=True)
        assert case.right is not None
        assert case.right["seconds"] == pytest.approx(statistics.median(map(sum, later)) / 1000)


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


def test_the_bytes_are_those_of_the_layers_counted_by_hand() -> None:
    """A model of three layers, without anything special, on one GPU."""
    for case in TOPIC.cases("training_bytes", seeds=2):
        data, width = case.data, case.data["width"]
        usual = {"devices", "device", "steps", "dtype", "optimizer", "momentum", "width"}
        if set(data) != usual or set(data["devices"]) != {data["device"]}:
            continue
        layers = 3 * (width * width + width) * (8 if data["dtype"] == "float64" else 4)
        kept = {"Adam": 2, "SGD": 1 if data["momentum"] else 0}[data["optimizer"]]
        assert case.right is not None
        assert case.right["parameters"] == layers
        assert case.right["gradients"] == (layers if data["steps"] else 0)
        assert case.right["states"] == (kept * layers if data["steps"] else 0)


def test_the_largest_batch_is_the_limit_or_all_there_is() -> None:
    for case in TOPIC.cases("largest_batch", seeds=2):
        assert case.right is not None
        if case.data["breaks_at"] is None:
            assert case.right["size"] == min(case.data["limit"], case.data["most"])
        else:
            assert case.right["escaped"] == case.data["error"]


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


@pytest.mark.slow
@pytest.mark.more
def test_wrong_answers_meet_their_findings_in_other_draws_too() -> None:
    for told, outcome, expected in TOPIC.outcomes_in_other_draws("accumulate"):
        assert outcome == expected, told
