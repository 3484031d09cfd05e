"""standing_in(): functions of ours, under every name that a caller has for those they replace."""

import functools
from typing import Any

import pytest
import torch

from exercise_kit.contract import Case, Facts, Observer
from exercise_kit.runner import Runner
from exercise_kit.stand_ins import standing_in, visible
from exercise_kit.world import World

CELL = """
import torch
from torch.cuda import device_count, is_available as there

def answer():
    return device_count(), torch.cuda.device_count(), there()
"""


def _answer() -> Any:
    cell: dict[str, Any] = {}
    exec(CELL, cell)
    return cell["answer"]


@pytest.mark.parametrize("wrapped", [lambda f: f, lambda f: functools.wraps(f)(lambda: f())])
def test_names_that_were_imported_before_are_reached_and_put_back(wrapped: Any) -> None:
    answer = wrapped(_answer())
    before = answer()
    with visible(7, answer):
        assert answer() == (7, 7, True)
    with pytest.raises(KeyError), visible(0, answer):
        assert answer() == (0, 0, False)
        raise KeyError
    assert answer() == before


def test_another_name_and_a_caller_without_globals_are_left_alone() -> None:
    answer = _answer()
    answer.__globals__["there"] = own = lambda: "own"
    with visible(3, answer):
        assert answer() == (3, 3, "own")
    assert answer.__globals__["there"] is own
    with standing_in({"torch.cuda.device_count": lambda: 5}, len):
        assert torch.cuda.device_count() == 5


class _Visible(Observer):
    parameters = ()

    def observe(self, answer: Any, inputs: Any) -> Facts:
        with visible(3, answer):
            return {"counts": answer()}


def test_what_stands_beside_an_answer_reaches_its_names() -> None:
    assert Runner(_Visible(), _answer(), World())(Case("", {})) == {"counts": [3, 3, True]}
