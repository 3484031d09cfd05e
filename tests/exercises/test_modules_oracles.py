"""The oracles of assignment 03 against reality: the same calls on the devices of the course.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import re
from itertools import chain
from typing import Any

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.authoring.corpus import load_answer
from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("modules")
_cases = TOPIC.cases


def _judging(name: str) -> Any:
    return exercise(f"modules.{name}").module("judge")


def _observing(name: str) -> Any:
    return exercise(f"modules.{name}").module("observe")


def _program(name: str) -> Any:
    """The broken program that a task shows."""
    found = exercise(f"modules.{name}")
    task = (found.path / "task.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", task, flags=re.M | re.S)
    program = next(block for block in blocks if f"def {name}(" in block)
    return load_answer(program, name, f"<{name}>")


def test_entries_are_named_as_torch_names_them() -> None:
    for case in _cases("assert_on"):
        module = _observing("assert_on").assemble(case.data["module"])
        tensors = chain(module.named_parameters(), module.named_buffers())
        seen = [(name, str(tensor.device)) for name, tensor in tensors]
        known = _judging("assert_on").registered(case.data["module"])
        assert seen == [(entry["name"], entry["device"]) for entry in known]


def test_the_first_tensor_elsewhere_is_the_first_that_torch_finds() -> None:
    for case in _cases("assert_on"):
        module = _observing("assert_on").assemble(case.data["module"])
        with torch.cuda.device(case.data["current"]):
            device = torch.empty(0, device=case.data["device"]).device
        tensors = chain(module.named_parameters(), module.named_buffers())
        names = [name for name, tensor in tensors if tensor.device != device]
        first = _judging("assert_on").first_elsewhere(case.data)
        assert names[:1] == ([first["name"]] if first else [])


def test_the_stuck_module_of_the_task_computes_what_the_oracle_does() -> None:
    make = _program("make_movable")
    for case in _cases("make_movable"):
        data = case.data
        stuck = make(data["size"], data["depth"])
        with torch.no_grad():
            for number, layer in enumerate(stuck.layers):
                layer.weight.copy_(torch.tensor(data["checkpoint"][f"layers.{number}.weight"]))
        stuck.cache["scale"] = torch.tensor(data["checkpoint"]["scale"])
        wanted = _judging("make_movable").outcome(data)
        assert stuck(torch.tensor(data["x"])).tolist() == wanted["values"]


def test_the_program_to_be_mended_computes_on_the_cpu_what_the_oracle_does() -> None:
    run = _program("mend_module")
    for case in _cases("mend_module"):
        data = case.data
        batches = [
            (torch.tensor(one["batch"]), torch.tensor(one["lengths"]))
            for one in [*data["batches"], data["later"]]
        ]
        results, _ = run(batches, data["width"], "cpu")
        wanted, later = _judging("mend_module").outcome(data)
        assert [r.tolist() for r in results] == [r["values"] for r in [*wanted, later]]


def test_training_without_a_move_leads_where_the_oracle_says() -> None:
    observing, judging = _observing("move_optimizer"), _judging("move_optimizer")
    for case in _cases("move_optimizer", seeds=3):
        data = case.data
        net, optimizer = observing.make(data, data["start"])
        for _ in range(data["steps_before"] + data["pending"] + data["steps_after"]):
            observing.step(net, optimizer, data["x"])
        wanted = [torch.tensor(values) for values in judging.trained(data)]
        for seen, right in zip(net.parameters(), wanted, strict=True):
            torch.testing.assert_close(seen.detach().cpu(), right, check_dtype=False)


def test_the_training_of_each_case_leaves_traces_of_its_states() -> None:
    """States that are dropped or begun anew have to show in the parameters."""
    observing, judging = _observing("move_optimizer"), _judging("move_optimizer")
    for case in _cases("move_optimizer", seeds=3):
        data = case.data
        if not data["steps_before"] or not set(data["options"]) - {"lr"}:
            continue
        net, optimizer = observing.make(data, "cpu")
        for _ in range(data["steps_before"]):
            observing.step(net, optimizer, data["x"])
        optimizer.state.clear()
        for _ in range(data["pending"] + data["steps_after"]):
            observing.step(net, optimizer, data["x"])
        wanted = [torch.tensor(values) for values in judging.trained(data)]
        gaps = [
            float((p.detach() - right).abs().max())
            for p, right in zip(net.parameters(), wanted, strict=True)
        ]
        assert max(gaps) > 3 * judging.TOLERANCE


@pytest.mark.parametrize(
    "make, x",
    [
        (lambda: nn.Linear(2, 1), torch.ones(3, 2)),
        (lambda: nn.Conv2d(1, 1, 2), torch.ones(1, 1, 4, 4)),
        (lambda: nn.BatchNorm1d(2), torch.ones(3, 2)),
    ],
    ids=["a product", "a convolution", "a norm"],
)
def test_errors_of_two_devices_are_known_by_their_words(make: Any, x: torch.Tensor) -> None:
    """What the judges take for a sign that two devices met."""
    with pytest.raises(RuntimeError) as caught:
        make().to("cuda:1")(x)
    assert _judging("make_movable").two_devices(str(caught.value))
