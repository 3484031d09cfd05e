"""Describing objects as JSON, and writing descriptions on one line."""

import json
from collections import namedtuple

import pytest
import torch

from exercise_kit.facts import brief, describe

Batch = namedtuple("Batch", "inputs labels")


class LoudInt(int):
    def __eq__(self, other):
        raise AssertionError("code of the answer was run")

    __hash__ = int.__hash__


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (3, "3"),
        (True, "True"),
        (None, "None"),
        (2.5, "2.5"),
        ("cuda", "'cuda'"),
        (torch.device("cuda:1"), "device('cuda:1')"),
        (torch.float64, "torch.float64"),
        ((1,), "(1,)"),
        ([1, "a"], "[1, 'a']"),
        ({"a": (1, 2)}, "{'a': (1, 2)}"),
        (Batch(1, [2]), "Batch(inputs=1, labels=[2])"),
        (torch.ones(2), "tensor([1.0, 1.0], device='cpu')"),
        (torch.ones(2, dtype=torch.float64), "tensor([1.0, 1.0], device='cpu', dtype=float64)"),
        (torch.ones(50), "tensor(shape (50,), device='cpu')"),
        (LoudInt(3), "<LoudInt>"),
        ((n for n in range(3)), "<generator>"),
    ],
)
def test_descriptions_survive_json_and_read_well(value, line):
    assert brief(json.loads(json.dumps(describe(value)))) == line


def test_unusual_tensors_have_values_as_well():
    assert describe(torch.tensor([1 + 2j]))["values"] == [[1.0, 2.0]]
    assert describe(torch.eye(2).to_sparse())["values"] == [[1.0, 0.0], [0.0, 1.0]]
    assert describe(torch.tensor([1 + 2j]).conj())["values"] == [[1.0, -2.0]]
    assert "values" not in describe(torch.empty(3, device="meta"))


class Mine(tuple):
    _fields = ("a",)

    def __iter__(self):
        raise RuntimeError("a trap")


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_what_cannot_be_looked_into_gives_its_name():
    nested = torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])
    for value in (10**5000, Mine((1,)), nested):
        assert json.loads(json.dumps(describe(value)))["type"] == "other"


def test_types_are_told_apart():
    assert describe(True) != describe(1)
    assert describe((1,)) != describe([1])
    assert describe(Batch(1, 2)) != describe((1, 2))
    assert describe(torch.ones(1)) != describe(torch.ones(1, dtype=torch.int64))


def test_endless_and_deep_objects_end():
    loop: list = []
    loop.append(loop)
    assert "too deep" in json.dumps(describe(loop))
    assert "too large" in json.dumps(describe(list(range(1000))))
