"""The oracles of assignment 07 against reality: real wrappers on the devices of the course.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from course_utils.exercises.parallel import OBSERVERS
from course_utils.exercises.parallel.parallel_forward import _build
from course_utils.judging.parallel import (
    JUDGES,
    check_wrap,
    finish_time,
    parallel_forward,
    predict_wrap,
    read_parallel_error,
    split_sizes,
    step_order,
)
from torch import nn

from course_utils.checking.contract import Case
from course_utils.devices import current_lab, lab

TEXT = Path(__file__).parents[2] / "assignments" / "text" / "07_parallel.py"


@pytest.fixture(scope="module", autouse=True)
def _four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def _cases(name: str, seeds: int = 10) -> list[Case]:
    judge = JUDGES[f"parallel.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def _forward_message(net: nn.Module, x: torch.Tensor) -> str | None:
    try:
        net(x)
    except (RuntimeError, AssertionError) as error:
        return str(error)
    return None


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


@pytest.mark.parametrize(
    "arguments, wanted",
    [((4, 4, 3, 60, 3, 1), 66), ((4, 1, 3, 60, 3, 1), 240), ((5, 4, 3, 60, 3, 1), 126)],
)
def test_the_homework_takes_as_long_as_it_always_did(arguments: Any, wanted: int) -> None:
    assert finish_time.minutes(finish_time.Homework(*arguments)) == wanted


def test_finishing_follows_the_formula() -> None:
    for case in _cases("finish_time"):
        work = finish_time.Homework(**case.data)
        assert finish_time.minutes(work) == work.days * (work.overhead + work.most * work.work)


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
        assert sorted(sizes) == sorted(split_sizes.chunked(data))


PLACES = [
    (["cuda:0", "cuda:0"], [0, 1]),
    (["cuda:2", "cuda:2"], [1, 2]),
    (["cuda:2", "cuda:2"], [2, 0, 1]),
    (["cuda:1", "cuda:0"], [1, 0]),
    (["cuda:1", "cpu", "cuda:3"], [1, 0]),
    (["cpu", "cpu"], None),
    (["cuda:0"], None),
    (["cpu", "cuda:2"], [3]),
    (["cuda:0"], [0, 98]),
    (["cpu"], [0, 99]),
    ([], [1, 2]),
]


@pytest.mark.parametrize("places, ids", PLACES)
def test_the_wrapper_refuses_what_the_oracle_refuses(places: list[str], ids: Any) -> None:
    net = nn.Module()
    net.forward = lambda x: x
    for number, place in enumerate(places):
        net.register_parameter(f"p{number}", nn.Parameter(torch.ones(1, device=place)))
    try:
        seen = _forward_message(nn.DataParallel(net, device_ids=ids), torch.ones(4, 1))
    except AssertionError as error:
        seen = str(error)
    data = {"param_devices": places, "device_ids": ids, "n_visible": torch.cuda.device_count()}
    assert seen == check_wrap.verdict(data)


def test_without_a_gpu_the_wrapper_demands_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    home = sys.modules["torch.nn.parallel.data_parallel"]
    monkeypatch.setattr(home, "_get_available_device_type", lambda: None)
    net = nn.DataParallel(nn.Linear(2, 1), device_ids=[0, 1])
    assert _forward_message(net, torch.ones(3, 2)) is None
    assert list(net.state_dict()) == ["module.weight", "module.bias"]


def test_the_wrapper_gives_the_result_and_the_gradients_of_the_oracle() -> None:
    for case in _cases("parallel_forward", seeds=3):
        data, runs = case.data, []
        module = _build(data, runs)
        x = torch.tensor(data["x"], device=data["place"])
        result = nn.DataParallel(module, data["gpus"])(x)
        result.square().sum().backward()
        wanted, gradients = parallel_forward.outcome(data)
        assert (str(result.device), result.tolist()) == (wanted["device"], wanted["values"])
        assert sorted(runs) == sorted(parallel_forward.parts(data))
        assert [p.grad.tolist() for p in module.parameters()] == gradients


def _task_module() -> type[nn.Module]:
    """The class that the task shows."""
    lines = TEXT.read_text("utf-8").splitlines()
    task = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines)
    namespace: dict[str, Any] = {"torch": torch, "nn": nn}
    exec(re.search(r"^class Counting.*?(?=^counting = )", task, re.M | re.S)[0], namespace)
    return namespace["Counting"]


def test_wrapped_modules_keep_what_the_oracle_says() -> None:
    counting = _task_module()
    home = sys.modules["torch.nn.parallel.data_parallel"]
    for case in _cases("predict_wrap"):
        data = case.data
        if data["gpus"] > 4:
            continue
        inner = counting(data["calls"])
        net: nn.Module = inner
        with pytest.MonkeyPatch.context() as patch:
            if data["gpus"]:
                inner.to("cuda:0")
                patch.setattr(home, "_get_all_device_indices", lambda n=data["gpus"]: [*range(n)])
            else:
                patch.setattr(home, "_get_available_device_type", lambda: None)
            for _ in range(data["wraps"]):
                net = nn.DataParallel(net)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch says that it gathers numbers as a vector
                result = net(torch.ones(data["batch"], 2, device=inner.scale.device))
        wanted = predict_wrap.truth(data)
        assert eval(wanted["reach"], {"net": net}) is inner.scale
        seen = {
            "keys": list(net.state_dict()),
            "reach": wanted["reach"],
            "calls": inner.calls,
            "seen": inner.seen.item(),
            "shape": list(result.shape),
        }
        assert seen == wanted, data


def test_ordered_phases_are_possible_and_swapped_ones_are_not() -> None:
    right = step_order._right(["cuda:2", "cuda:0"], 2)
    assert step_order.first_impossible(right) == (len(right), None)
    free = {(2, 3), (6, 7), (12, 13), (16, 17)}  # replicas at the same time, in either order
    for line in range(len(right) - 1):
        swapped = [*right]
        swapped[line], swapped[line + 1] = right[line + 1], right[line]
        possible = step_order.first_impossible(swapped)[1] is None
        assert possible == ((line, line + 1) in free), swapped


def test_messages_of_the_wrapper_are_in_the_vocabulary() -> None:
    message = _forward_message(
        nn.DataParallel(nn.Linear(2, 1).to("cuda:2"), device_ids=[1, 2]), torch.ones(4, 2)
    )
    assert read_parallel_error.meanings()[message] == {"wanted": "cuda:1", "found": "cuda:2"}


def test_messages_of_replicas_begin_and_end_like_those_of_the_vocabulary() -> None:
    class Fails(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.get_device() == 3:
                raise ValueError("a: b")
            return x

    message = _forward_message_of_any(nn.DataParallel(Fails(), device_ids=[1, 3]))
    written = read_parallel_error.write(("ValueError", "a: b"), 1, 3, "")
    head, tail = written.splitlines()[:2], written.splitlines()[-1]
    assert message.splitlines()[:2] == head
    assert message.splitlines()[-1] == tail
    assert message.endswith("\n") and written.endswith("\n")


def _forward_message_of_any(net: nn.Module) -> str:
    with pytest.raises(ValueError) as caught:
        net(torch.ones(4, 2))
    return str(caught.value)
