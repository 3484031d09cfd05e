"""Indexing with tensors of the same and of other devices."""

from __future__ import annotations

import torch

from ..registry import OWN, Devices, Facts, caught, places, program, refused
from .same_device_rule import two

INDEXING = "aten/src/ATen/native/TensorAdvancedIndexing.cpp, TensorAdvancedIndexingUtils.h"
SETITEM = "torch/csrc/autograd/python_variable_indexing.cpp"


@program(
    {"numbers": [0.0, 2.0], "mask": [0.0, 3.0], "list": [1.0, 1.0], "place": "cuda:0"},
    source="ERRATA E24; " + INDEXING,
)
def cpu_index_on_a_card(devices: Devices) -> Facts:
    """CPU indices may index a card's tensor."""
    x = torch.arange(4.0, device=devices[0])
    picked = x[torch.tensor([0, 2])]
    return {
        "numbers": picked.tolist(),
        "mask": x[torch.tensor([True, False, False, True])].tolist(),
        "list": x[[1, 1]].tolist(),
        "place": picked.device,
    }


@refused(
    "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    source="ERRATA J; " + INDEXING,
)
def card_index_on_the_cpu(devices: Devices) -> None:
    """A card's index may not index a CPU tensor."""
    _ = torch.ones(3)[torch.tensor([0], device=devices[0])]


@refused(
    "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    source=INDEXING,
)
def card_mask_on_the_cpu(devices: Devices) -> None:
    """Nor a card's mask."""
    _ = torch.ones(3)[torch.ones(3, device=devices[0]) > 0]


@refused(
    "indices should be either on cpu or on the same device as the indexed tensor (cuda:1)",
    source=INDEXING,
    devices=2,
)
def index_of_another_card(devices: Devices) -> None:
    """Another card's index does not do."""
    _ = torch.ones(3, device=devices[1])[torch.tensor([0], device=devices[0])]


@program({"values": [0.0, 9.0, 2.0, 9.0]}, source=SETITEM)
def assigning_a_number(devices: Devices) -> Facts:
    """Numbers are assigned through CPU indices, too."""
    x = torch.arange(4.0, device=devices[0])
    x[torch.tensor([1, 3])] = 9.0
    return {"values": x.tolist()}


@program(
    {"slice": [5.0, 6.0, 2.0], "element": [5.0, 6.0, 7.0], "place": "cuda:0"},
    source=SETITEM + ": copy_to",
)
def slices_take_other_devices(devices: Devices) -> Facts:
    """Assigning to a slice or an element copies across devices."""
    x = torch.arange(3.0, device=devices[0])
    x[:2] = torch.tensor([5.0, 6.0])
    facts = {"slice": x.tolist()}
    x[2] = torch.tensor(7.0)
    return {**facts, "element": x.tolist(), "place": x.device}


@program({"values": [1.0, 0.0, 0.0]}, source=SETITEM + ": copy_to")
def an_element_into_the_cpu(devices: Devices) -> Facts:
    """A card's element can be assigned into a CPU tensor."""
    x, y = torch.zeros(3), torch.ones(3, device=devices[0])
    x[0] = y[0]
    return {"values": x.tolist()}


@refused(two("cuda:0", "cpu"), source=INDEXING + ": the iterator of index_put_")
def index_put_values_on_the_cpu(devices: Devices) -> None:
    """Through an index tensor values must be on the card."""
    x = torch.zeros(3, device=devices[0])
    x[torch.tensor([0, 1], device=devices[0])] = torch.tensor([5.0, 6.0])


@refused(
    "expected device cuda:0 but got device cpu for value tensor",
    source=INDEXING + ": _index_put_impl_, accumulate",
)
def accumulating_values_on_the_cpu(devices: Devices) -> None:
    """Accumulating says it in other words."""
    x = torch.zeros(3, device=devices[0])
    x.index_put_((torch.tensor([0, 0], device=devices[0]),), torch.ones(2), accumulate=True)


@program({"values": [5.0, 5.0, 0.0]}, source=INDEXING + ": 0-dim values are moved")
def index_put_a_cpu_scalar(devices: Devices) -> Facts:
    """A 0-dimensional CPU value is moved by itself."""
    x = torch.zeros(3, device=devices[0])
    x[torch.tensor([0, 1], device=devices[0])] = torch.tensor(5.0)
    return {"values": x.tolist()}


@refused(
    "index 5 is out of bounds for dimension 0 with size 2",
    kind="IndexError",
    source="aten/src/ATen/native/TensorShape.cpp select",
)
def number_out_of_range(devices: Devices) -> None:
    """A Python number is checked before any kernel."""
    _ = torch.zeros(2, device=devices[0])[5]


@program(
    {"places": ["cuda:0"] * 5, "nonzero": [[1], [2]], "argmax": 2},
    source="docs: results live with their operands",
)
def results_that_are_indices(devices: Devices) -> Facts:
    """Indices computed on the card stay there."""
    x = torch.arange(3.0, device=devices[0])
    made = (x.nonzero(), x.argmax(), x.topk(2).indices, x.sort().indices, x.unique())
    return {"places": places(*made), "nonzero": x.nonzero().tolist(), "argmax": x.argmax().item()}


@program(
    {
        "masked_select": [2.0, 3.0],
        "take": [0.0, 3.0],
        "index_add": [1.0, 2.0, 2.0, 4.0],
        "scatter_add": [2.0, 0.0],
    },
    source="docs",
)
def index_operators(devices: Devices) -> Facts:
    """Operators that take indices compute the CPU's values."""
    x = torch.arange(4.0, device=devices[0])
    index = torch.tensor([0, 0, 1], device=devices[0])
    zeros, ones = torch.zeros(2, device=devices[0]), torch.ones(2, device=devices[0])
    return {
        "masked_select": x.masked_select(x > 1).tolist(),
        "take": x.take(torch.tensor([0, 3], device=devices[0])).tolist(),
        "index_add": x.index_add(
            0, torch.tensor([0, 1, 3], device=devices[0]), torch.ones(3, device=devices[0])
        ).tolist(),
        "scatter_add": zeros.scatter_add(0, index[:2], ones).tolist(),
    }


@program(
    {"iteration": ["cuda:0", "cuda:0"], "unpacked": [0.0, 1.0], "contains": True, "len": 2},
    source="torch/_tensor.py __iter__, __contains__",
)
def iterating(devices: Devices) -> Facts:
    """Iterating gives 0-dimensional tensors of the card."""
    x = torch.arange(2.0, device=devices[0])
    a, b = x
    return {
        "iteration": places(*x),
        "unpacked": [a.item(), b.item()],
        "contains": 1.0 in x,
        "len": len(x),
    }


@program({"none": {"type": None, "text": None}, "value": 2}, source="torch/_tensor.py __index__")
def a_card_s_number_as_index(devices: Devices) -> Facts:
    """A 0-dimensional integer tensor indexes Python lists."""
    number = torch.tensor(1, device=devices[0])
    return {"none": caught(lambda: [1, 2][number]), "value": [1, 2][number]}


@program(
    {"type": "AcceleratorError", "code": 710},
    process=OWN,
    source="cudaErrorAssert in driver_types.h; test_cuda.py",
)
def the_number_of_an_assertion(devices: Devices) -> Facts:
    """CUDA's number comes with the error."""
    x = torch.arange(3, device=devices[0])
    try:
        x.gather(0, torch.tensor([7], device=devices[0])).cpu()
    except torch.AcceleratorError as error:
        return {"type": type(error).__name__, "code": error.error_code}
    return {"type": None, "code": None}
