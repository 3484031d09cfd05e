"""What observers read is there when they read it, and is what is there."""

import collections
import warnings

import pytest
import torch

from course_utils.experiments.waits import with_waits
from exercise_kit.facts import describe
from exercise_kit.observers import entries, settled

Pair = collections.namedtuple("Pair", "first second")


class Later(list):
    """Makes its items when they are asked for."""

    def __iter__(self):
        return iter([1, 2])


class Never(dict):
    def items(self):
        raise KeyError


def test_what_puts_work_off_is_read_at_once():
    assert type(settled(Later())) is list and settled(Later()) == [1, 2]
    assert settled((Later(), {"a": Later()})) == ([1, 2], {"a": [1, 2]})
    pair = settled(Pair(Later(), 3))
    assert type(pair) is Pair and type(pair.first) is list
    assert describe(settled(Never()))["type"] == "other"
    tensor = torch.ones(1)
    assert settled(tensor) is tensor


def test_a_tensor_does_not_say_itself_what_it_holds():
    tensor = torch.ones(1)
    tensor.detach = lambda: torch.zeros(1)
    assert describe(tensor)["values"] == [1.0]


def test_a_namedtuple_that_computes_its_items_is_none():
    class Lazy(tuple):
        _fields = ("a",)

        def __iter__(self):
            return iter([1])

    assert describe(Lazy((2,)))["type"] == "other"
    assert describe(Pair(1, 2))["type"] == "namedtuple"


def test_a_model_does_not_say_itself_what_it_holds():
    model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.BatchNorm1d(1))
    names = list(model.state_dict())
    model.state_dict = model.named_parameters = lambda: {}
    assert [name for name, _ in entries(model)] == names


@pytest.mark.usefixtures("four_gpus")
def test_a_wait_counts_though_warnings_are_ignored():
    def wait():
        torch.cuda.set_sync_debug_mode("default")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.ones(1, device="cuda:1").item()

    assert with_waits(wait) == (1.0, 1)
