"""What is right in assignment 02 against reality.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import math
from typing import Any

import pytest
import torch
from topic import Topic

from course_utils.checking.exercises import exercise
from exercise_kit.corpus import load_answer
from exercise_kit.facts import describe
from exercise_kit.given import given

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("tensors", seeds=20)
_cases = TOPIC.cases


def test_the_program_to_be_mended_was_right_on_the_cpu() -> None:
    parts = exercise("tensors.mend_mismatch")
    (source,) = given(parts)
    program = load_answer(source, "mend_mismatch", "<given>")
    for case in _cases("mend_mismatch", seeds=5):
        on_cpu = [_on_cpu(value) for value in parts.observer.prepare(case.data)]
        assert case.right is not None
        error = case.right["result"]["values"]
        assert program(*on_cpu).item() == pytest.approx(error, rel=1e-5), case.title


def _on_cpu(value: Any) -> Any:
    return value.cpu() if isinstance(value, torch.Tensor) else [item.cpu() for item in value]


def test_mending_takes_the_copies_that_are_said_to_be_needed() -> None:
    for case in _cases("mend_mismatch", seeds=5):
        data, right = case.data, case.right
        place = data["weight"]["device"]
        given = [*data["batches"]["items"], *data["targets"]["items"], data["mean"]]
        moved = [tensor for tensor in given if tensor["device"] != place]
        assert right is not None
        assert (right["away"], right["copies"]) == (0, len(moved)), case.title
        assert right["bytes"] == sum(4 * math.prod(t["shape"]) for t in moved), case.title


def test_the_moved_batch_is_described_as_torch_builds_it() -> None:
    parts = exercise("tensors.move_batch")
    for case in _cases("move_batch", seeds=5):
        batch, _ = parts.observer.prepare(case.data)
        assert describe(batch) == case.data["batch"], case.title
