"""Leaving the card: numpy, Python numbers, printing."""

from __future__ import annotations

import torch
from torch import nn

from ..registry import Devices, Facts, program, refused

TO_NUMPY = "torch/csrc/utils/tensor_numpy.cpp; ERRATA J"
PRINTING = "torch/_tensor_str.py"


def numpy_text(device: str) -> str:
    return (
        f"can't convert {device} device type tensor to numpy. Use Tensor.cpu() to copy the "
        "tensor to host memory first."
    )


@refused(numpy_text("cuda:0"), kind="TypeError", source=TO_NUMPY)
def numpy(devices: Devices) -> None:
    """``numpy()`` refuses and says what to do."""
    torch.ones(2, device=devices[0]).numpy()


@refused(numpy_text("cuda:1"), kind="TypeError", source=TO_NUMPY, devices=2)
def numpy_of_the_second_card(devices: Devices) -> None:
    """The text names the card."""
    torch.ones(2, device=devices[1]).numpy()


@refused(numpy_text("cuda:0"), kind="TypeError", source=TO_NUMPY)
def numpy_with_gradient(devices: Devices) -> None:
    """The device is looked at before the gradient."""
    torch.ones(2, device=devices[0], requires_grad=True).numpy()


@program(
    {"asarray": numpy_text("cuda:0"), "forced": [1.0, 1.0], "cpu": [1.0, 1.0]},
    module="numpy",
    source=TO_NUMPY,
)
def numpy_s_own_functions(devices: Devices) -> Facts:
    """numpy's functions get the same refusal; ``force=True`` and ``cpu()`` do it."""
    import numpy as np

    x = torch.ones(2, device=devices[0], requires_grad=True)
    try:
        np.asarray(x.detach())
        text = None
    except TypeError as error:
        text = str(error)
    return {
        "asarray": text,
        "forced": x.numpy(force=True).tolist(),
        "cpu": x.detach().cpu().numpy().tolist(),
    }


@program({"default": "cpu", "shares": True}, module="numpy", source="ERRATA I: from_numpy")
def from_numpy_stays(devices: Devices) -> Facts:
    """``from_numpy`` is memory of the host, whatever the default device."""
    import numpy as np

    array = np.zeros(2, dtype=np.float32)
    with devices[0]:
        x = torch.from_numpy(array)
    array[0] = 1
    return {"default": x.device, "shares": x.to(devices[0]).tolist() == [1.0, 0.0]}


@program(
    {"item": 2.5, "float": 2.5, "int": 2, "bool": True, "tolist": [[1, 2]], "format": "2.50"},
    source="torch/_tensor.py",
)
def python_numbers(devices: Devices) -> Facts:
    """Numbers come back to Python."""
    x = torch.tensor(2.5, device=devices[0])
    return {
        "item": x.item(),
        "float": float(x),
        "int": int(x),
        "bool": bool(x),
        "tolist": torch.tensor([[1, 2]], device=devices[0]).tolist(),
        "format": f"{x:.2f}",
    }


@refused(
    "a Tensor with 2 elements cannot be converted to Scalar",
    source="aten/src/ATen/native/Scalar.cpp",
)
def item_of_two(devices: Devices) -> None:
    """``item()`` wants one element."""
    torch.ones(2, device=devices[0]).item()


@refused(
    "Boolean value of Tensor with more than one value is ambiguous",
    source="aten/src/ATen/native/TensorCompare.cpp is_nonzero",
)
def truth_of_two(devices: Devices) -> None:
    """So does ``bool()``."""
    bool(torch.ones(2, device=devices[0]))


@program(
    {
        "float": "tensor([1., 1.], device='cuda:0')",
        "int": "tensor([1, 2], device='cuda:0')",
        "bool": "tensor([ True, False], device='cuda:0')",
        "scalar": "tensor(2.5000, device='cuda:0')",
        "matrix": "tensor([[0., 1.],\n        [2., 3.]], device='cuda:0')",
        "half": "tensor([1.], device='cuda:0', dtype=torch.float16)",
        "complex": "tensor([1.+2.j], device='cuda:0')",
        "special": "tensor([nan, inf], device='cuda:0')",
    },
    source=PRINTING,
)
def printed(devices: Devices) -> Facts:
    """The device is printed where it is not the default."""
    d = devices[0]
    shown = {
        "float": torch.ones(2, device=d),
        "int": torch.tensor([1, 2], device=d),
        "bool": torch.tensor([True, False], device=d),
        "scalar": torch.tensor(2.5, device=d),
        "matrix": torch.arange(4.0, device=d).view(2, 2),
        "half": torch.ones(1, device=d).half(),
        "complex": torch.tensor([1 + 2j], device=d),
        "special": torch.tensor([float("nan"), float("inf")], device=d),
    }
    return {name: repr(x) for name, x in shown.items()}


@program(
    {
        "empty": "tensor([], device='cuda:0')",
        "empty_matrix": "tensor([], device='cuda:0', size=(0, 3))",
        "long": "tensor([   0,    1,    2,  ..., 1997, 1998, 1999], device='cuda:0')",
    },
    source=PRINTING,
)
def printed_sizes(devices: Devices) -> Facts:
    """Empty and long tensors."""
    d = devices[0]
    return {
        "empty": repr(torch.empty(0, device=d)),
        "empty_matrix": repr(torch.empty(0, 3, device=d)),
        "long": repr(torch.arange(2000, device=d)),
    }


@program(
    {
        "leaf": "tensor([1.], device='cuda:0', requires_grad=True)",
        "result": "tensor([2.], device='cuda:0', grad_fn=<MulBackward0>)",
        "moved": "tensor([1.], device='cuda:0', grad_fn=<ToCopyBackward0>)",
        "parameter": "Parameter containing:\ntensor([1.], device='cuda:0', requires_grad=True)",
    },
    source=PRINTING,
)
def printed_gradients(devices: Devices) -> Facts:
    """Device and history together."""
    leaf = torch.ones(1, device=devices[0], requires_grad=True)
    return {
        "leaf": repr(leaf),
        "result": repr(leaf * 2),
        "moved": repr(torch.ones(1, requires_grad=True).to(devices[0])),
        "parameter": repr(nn.Parameter(torch.ones(1, device=devices[0]))),
    }


@program({"second": "tensor([1.], device='cuda:1')"}, devices=2, source=PRINTING)
def printed_second_card(devices: Devices) -> Facts:
    """The number of the card is printed."""
    return {"second": repr(torch.ones(1, device=devices[1]))}


@program(
    {"default": "tensor([1.], device='cuda:0')", "cpu": "tensor([1.])"},
    source=PRINTING + ": note [Print tensor device]: the default tensor type counts",
)
def printed_default(devices: Devices) -> Facts:
    """The default device does not change what is printed."""
    with devices[0]:
        return {"default": repr(torch.ones(1)), "cpu": repr(torch.ones(1, device="cpu"))}


@program({"linear": "Linear(in_features=2, out_features=1, bias=True)"}, source="torch/nn")
def printed_module(devices: Devices) -> Facts:
    """A module's text does not show its device."""
    return {"linear": repr(nn.Linear(2, 1).to(devices[0]))}
