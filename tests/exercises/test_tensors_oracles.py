"""The oracles of assignment 02 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import re
from typing import Any

import pytest
import torch
from topic import Topic

from course_utils.authoring.corpus import load_answer
from course_utils.checking.exercises import exercise
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("tensors", seeds=20)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference


def test_predict_to_knows_what_the_devices_do() -> None:
    judge = exercise("tensors.predict_to").judge
    for case in _cases("predict_to"):
        data = case.data
        arguments = dict(data["arguments"])
        x = _one(data["device"], data["dtype"])
        other = [_one(*arguments.pop("other"))] if "other" in arguments else []
        if "dtype" in arguments:
            arguments["dtype"] = getattr(torch, arguments["dtype"])
        y = getattr(x, data["method"])(*other, **arguments)
        seen = str(y.device), str(y.dtype).removeprefix("torch."), y is x
        assert seen == judge.oracle(**data), case.title


def _one(device: str, dtype: str) -> torch.Tensor:
    return torch.ones(1, device=device, dtype=getattr(torch, dtype))


def test_the_program_to_be_mended_was_right_on_the_cpu() -> None:
    parts = exercise("tensors.mend_mismatch")
    task = (parts.path / "task.md").read_text(encoding="utf-8")
    given = re.search(r"```python\n(.*?)```", task, re.DOTALL)
    assert given is not None
    program = load_answer(given[1], "mend_mismatch", "<given>")
    mean_squared_error = parts.module("judge").mean_squared_error
    for case in _cases("mend_mismatch", seeds=5):
        on_cpu = [_on_cpu(value) for value in parts.observer.prepare(case.data)]
        assert program(*on_cpu).item() == pytest.approx(mean_squared_error(case.data), rel=1e-5)


def _on_cpu(value: Any) -> Any:
    return value.cpu() if isinstance(value, torch.Tensor) else [item.cpu() for item in value]


def test_mending_takes_the_copies_that_are_said_to_be_needed() -> None:
    parts, mended = exercise("tensors.mend_mismatch"), _reference("mend_mismatch")
    for case in _cases("mend_mismatch", seeds=5):
        inputs = parts.observer.prepare(case.data)
        with count_copies() as copies:
            mended(*inputs)
        assert copies.by_route == parts.module("judge").needed_copies(case.data), case.title


def test_the_moved_batch_is_described_as_torch_builds_it() -> None:
    parts = exercise("tensors.move_batch")
    for case in _cases("move_batch", seeds=5):
        batch, _ = parts.observer.prepare(case.data)
        assert describe(batch) == case.data["batch"], case.title


@pytest.mark.parametrize(
    "name",
    [
        "predict_to",
        "mend_mismatch",
        "move_batch",
    ],
)
def test_wrong_answers_meet_their_findings_in_other_draws_too(name: str) -> None:
    for told, outcome, expected in TOPIC.outcomes_in_other_draws(name):
        assert outcome == expected, told
