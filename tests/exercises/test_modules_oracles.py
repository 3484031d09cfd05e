"""The oracles of assignment 03 against reality: the same calls on the devices of the course.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import torch
from course_utils.exercises.modules import OBSERVERS
from course_utils.exercises.modules.forward_from_anywhere import _build
from course_utils.exercises.modules.material import assemble
from course_utils.exercises.modules.training import make, step
from course_utils.judging.modules import (
    JUDGES,
    after_to,
    forward_from_anywhere,
    make_movable,
    move_optimizer,
    read_module_error,
)
from course_utils.judging.modules.assert_on import first_elsewhere
from course_utils.judging.modules.material import registered
from torch import nn

from course_utils.checking.contract import Case
from course_utils.devices import current_lab, lab
from course_utils.experiments.copies import count_copies

TEXT = Path(__file__).parents[2] / "assignments" / "text" / "03_modules.py"


@pytest.fixture(scope="module", autouse=True)
def _four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def _cases(name: str, seeds: int = 10) -> list[Case]:
    judge = JUDGES[f"modules.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def _raised(module: nn.Module, x: torch.Tensor) -> str:
    with pytest.raises(RuntimeError) as caught:
        module(x)
    return str(caught.value)


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


@pytest.mark.parametrize("name", ["module_devices", "assert_on"])
def test_entries_are_named_as_torch_names_them(name: str) -> None:
    for case in _cases(name):
        module = assemble(case.data["entries"])
        tensors = chain(module.named_parameters(), module.named_buffers())
        seen = [(name, str(tensor.device)) for name, tensor in tensors]
        assert seen == [(e["name"], e["device"]) for e in registered(case.data["entries"])]


def test_the_first_tensor_elsewhere_is_the_first_that_torch_finds() -> None:
    for case in _cases("assert_on"):
        module = assemble(case.data["entries"])
        with torch.cuda.device(case.data["current"]):
            device = torch.empty(0, device=case.data["device"]).device
        tensors = chain(module.named_parameters(), module.named_buffers())
        names = [name for name, tensor in tensors if tensor.device != device]
        first = first_elsewhere(case.data)
        assert names[:1] == ([first["name"]] if first else [])


def test_after_to_knows_what_the_devices_do() -> None:
    for case in _cases("after_to"):
        assert after_to.truth(case.data) == _really_moved(case.data), case.data


def _really_moved(data: Any) -> dict[str, bool] | str:
    net = nn.BatchNorm1d(2).to(data["device"], getattr(torch, data["dtype"]))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
    memory = weight.untyped_storage()
    arguments = dict(data["arguments"])
    if "dtype" in arguments:
        arguments["dtype"] = getattr(torch, arguments["dtype"])
    flags = torch.__future__
    flags.set_overwrite_module_params_on_conversion(data["flag"] == "overwrite")
    flags.set_swap_module_params_on_conversion(data["flag"] == "swap")
    try:
        returned = net.to(**arguments)
    except TypeError:
        return "TypeError"
    finally:
        flags.set_overwrite_module_params_on_conversion(False)
        flags.set_swap_module_params_on_conversion(False)
    now = net.weight.untyped_storage()
    return {
        "net": returned is net,
        "weight": net.weight is weight,
        "memory": (now.device, now.data_ptr()) == (memory.device, memory.data_ptr()),
        "mean": net.running_mean is mean,
        "counter": net.num_batches_tracked is counter,
        "optimizer": optimizer.param_groups[0]["params"][0] is net.weight,
    }


def test_flags_are_put_back() -> None:
    for flag in ("overwrite", "swap"):
        data = {"device": "cpu", "dtype": "float32", "arguments": {}, "flag": flag}
        after_to.truth(data)
        after_to.truth(data | {"arguments": {"dtype": "int8"}})
    assert not torch.__future__.get_overwrite_module_params_on_conversion()
    assert not torch.__future__.get_swap_module_params_on_conversion()


def test_the_broken_module_of_the_task_computes_what_the_oracle_does() -> None:
    lines = TEXT.read_text("utf-8").splitlines()
    task = "\n".join(line.removeprefix("# ") for line in lines)
    namespace: dict[str, Any] = {"torch": torch, "nn": nn}
    exec(re.search(r"^class Stuck.*?^```", task, flags=re.M | re.S)[0].removesuffix("```"),
         namespace)
    for case in _cases("make_movable"):
        data = case.data
        stuck = namespace["Stuck"](data["size"], data["depth"])
        with torch.no_grad():
            for number, layer in enumerate(stuck.layers):
                layer.weight.copy_(torch.tensor(data["checkpoint"][f"layers.{number}.weight"]))
        stuck.cache["scale"] = torch.tensor(data["checkpoint"]["scale"])
        assert stuck(torch.tensor(data["x"])).tolist() == make_movable.outcome(data)["values"]


def test_forward_needs_the_copies_and_gives_the_values_that_torch_does() -> None:
    for case in _cases("forward_from_anywhere"):
        data = case.data
        module, x = _build(data["module"]), torch.tensor(data["x"], device=data["device"])
        with count_copies() as copies:
            result = module(x.to(data["module"]["device"] or x.device))
            result = result.to(x.device) if data["back"] else result
        wanted = forward_from_anywhere.outcome(data)
        assert (result.tolist(), str(result.device)) == (wanted["values"], wanted["device"])
        seen = sorted([*route, number] for route, number in copies.by_route.items())
        assert seen == sorted(forward_from_anywhere.needed_copies(data))


def test_training_without_a_move_leads_where_the_oracle_says() -> None:
    for case in _cases("move_optimizer", seeds=3):
        data = case.data
        net, optimizer = make(data)
        for _ in range(data["steps_before"] + data["pending"] + data["steps_after"]):
            step(net, optimizer, data["x"])
        wanted = [torch.tensor(values) for values in move_optimizer.trained(data)]
        for seen, right in zip(net.parameters(), wanted, strict=True):
            torch.testing.assert_close(seen.detach(), right)


def test_the_training_of_each_case_leaves_traces_of_its_states() -> None:
    """States that are dropped or begun anew have to show in the parameters."""
    for case in _cases("move_optimizer", seeds=3):
        data = dict(case.data)
        if not data["steps_before"] or not set(data["options"]) - {"lr"}:
            continue
        net, optimizer = make(data)
        for _ in range(data["steps_before"]):
            step(net, optimizer, data["x"])
        optimizer.state.clear()
        for _ in range(data["pending"] + data["steps_after"]):
            step(net, optimizer, data["x"])
        wanted = [torch.tensor(values) for values in move_optimizer.trained(data)]
        gaps = [
            float((p.detach() - right).abs().max())
            for p, right in zip(net.parameters(), wanted, strict=True)
        ]
        assert max(gaps) > 3 * move_optimizer.TOLERANCE


@pytest.mark.parametrize(
    "make_module, x",
    [
        (lambda: nn.Linear(2, 1), torch.ones(3, 2)),
        (lambda: nn.Linear(2, 1, bias=False), torch.ones(3, 2)),
        (lambda: nn.Embedding(3, 2), torch.tensor([1])),
        (lambda: nn.LayerNorm(2), torch.ones(3, 2)),
    ],
    ids=["Linear", "Linear without bias", "Embedding", "LayerNorm"],
)
def test_messages_of_modules_are_in_the_vocabulary_and_mean_what_it_says(
    make_module: Any, x: torch.Tensor
) -> None:
    message = _raised(make_module().to("cuda:1"), x)
    wanted = {"input": "cpu", "module": "cuda:1", "move": "input"}
    assert read_module_error.meanings()[message] == wanted


def test_messages_of_convolutions_are_in_the_vocabulary() -> None:
    x, meanings = torch.ones(1, 1, 4, 4), read_module_error.meanings()
    there = _raised(nn.Conv2d(1, 1, 2).to("cuda:1"), x)
    assert meanings[there] == {"input": "cpu", "module": "cuda", "move": "input"}
    here = _raised(nn.Conv2d(1, 1, 2), x.to("cuda:1"))
    assert meanings[here] == {"input": "cuda", "module": "cpu", "move": "module"}
