"""Creating tensors on a device."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

FACTORIES = {
    "ones": lambda d: torch.ones(2, 3, device=d),
    "empty": lambda d: torch.empty(3, device=d),
    "empty_strided": lambda d: torch.empty_strided((2, 3), (1, 2), device=d),
    "full": lambda d: torch.full((2,), 7.0, device=d),
    "tensor": lambda d: torch.tensor([1, 2], device=d),
    "as_tensor": lambda d: torch.as_tensor([1.0, 2], device=d),
    "scalar_tensor": lambda d: torch.scalar_tensor(2.0, device=d),
    "arange": lambda d: torch.arange(5, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 5, device=d),
    "eye": lambda d: torch.eye(3, device=d),
    "rand": lambda d: torch.rand(3, device=d),
    "randn": lambda d: torch.randn(2, 3, device=d),
    "randint": lambda d: torch.randint(0, 9, (4,), device=d),
    "randperm": lambda d: torch.randperm(6, device=d),
    "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
    "hann_window": lambda d: torch.hann_window(4, device=d),
    "zeros_like": lambda d: torch.zeros_like(torch.ones(2), device=d),
    "new_zeros": lambda d: torch.ones(2).new_zeros(3, device=d),
    "new_tensor": lambda d: torch.ones(2).new_tensor([1.0], device=d),
}

ZERO = torch.tensor([0])


@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES.keys())
@pytest.mark.parametrize(("device", "index"), [("cuda:1", 1), ("cuda", 0), (2, 2)])
def test_factory_places_its_tensor(make, device, index):
    assert make(device).device == torch.device("cuda", index)


@pytest.mark.parametrize("name", ["ones", "full", "tensor", "arange", "linspace", "eye"])
def test_values_are_the_cpus(name):
    assert torch.equal(FACTORIES[name]("cuda:1").cpu(), FACTORIES[name]("cpu"))


def test_like_and_new_follow_their_tensor():
    x = torch.ones(2, 2, device="cuda:3")
    for y in (torch.zeros_like(x), torch.rand_like(x), x.new_ones(3), x.new_tensor([1.0])):
        assert y.device == x.device


def test_device_as_context():
    with torch.device("cuda:1"):
        assert torch.ones(2).get_device() == torch.tensor([1]).get_device() == 1
        assert torch.empty(2).get_device() == 1
        assert nn.Linear(2, 2).weight.get_device() == 1
    assert torch.ones(2).device.type == "cpu"


def test_default_device():
    torch.set_default_device("cuda:2")
    assert torch.ones(2).get_device() == torch.zeros(1).get_device() == 2
    torch.set_default_device(None)
    assert torch.ones(2).device.type == "cpu"


def test_number_alone_is_a_cuda_device():
    assert torch.device(1) == torch.device("cuda:1")


class _Overriding(torch.Tensor):
    """As torch's own notes on overrides have it: a table of functions."""

    handlers: ClassVar[dict[Callable[..., Any], Callable[..., Any]]] = {}

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in cls.handlers:
            return NotImplemented
        return cls.handlers[func](*args, **(kwargs or {}))


@pytest.mark.parametrize("name", ["zeros_like", "rand_like", "full_like", "empty_like"])
def test_overrides_of_factories(name):
    """Also those of a table that was filled before the cards came."""
    mine = torch.ones(2).as_subclass(_Overriding)
    seen = getattr(torch, name)
    for key in (seen, getattr(torch._C._VariableFunctions, name)):
        _Overriding.handlers = {key: lambda *args, **kwargs: "mine"}
        assert seen(mine, *([1.0] if name == "full_like" else [])) == "mine"


def test_modes_see_factories():
    seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode(), torch.device("cuda:1"):
        made = torch.zeros(2)
    assert any(func is torch.zeros for func in seen) and made.device == torch.device("cuda:1")
    assert pickle.loads(pickle.dumps(torch.zeros)) is torch.zeros
    assert torch.zeros in _device_constructors() and copy.deepcopy(torch.zeros) is torch.zeros


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.tensor(torch.ones(2)),
        lambda: torch.tensor(torch.ones(2, device="cuda"), dtype=torch.float64),
        lambda: torch.tensor([np.ones(2)] * 2),
        lambda: torch.ones(2, device="cuda").new_tensor(torch.ones(2)),
        lambda: torch.range(0, 3, device="cuda"),
        lambda: torch.ones(2, 3, 4, device="cuda").T,
        lambda: torch.ones(1, device="cuda").std(),
        lambda: (
            torch.ones(1, device="cuda").expand(3).index_put_((ZERO.cuda(),), ZERO.cuda() + 0.5)
        ),
        lambda: torch.ones(3, device="cuda")[torch.ones(3, dtype=torch.uint8, device="cuda")],
    ],
)
def test_a_warning_is_of_the_line_of_the_program(make):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        make()
    assert [warning.filename for warning in said] == [__file__]


@pytest.mark.slow
def test_warnings_that_come_once(run_python):
    """Of layouts and of types."""
    out = run_python("""
        import warnings, torch, virtual_cuda
        virtual_cuda.enable(1, quiet=True)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            torch.zeros(2, 2, layout=torch.sparse_csr)
            torch.ones(2).new_ones(2, dtype=torch.complex32)
        print(*((warning.filename, warning.lineno) for warning in said))
    """)
    assert out == "('<string>', 6) ('<string>', 7)\n"
