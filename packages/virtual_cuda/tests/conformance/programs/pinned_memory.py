"""Page-locked host memory."""

from __future__ import annotations

import torch
from torch.utils.data import DataLoader, TensorDataset

from ..registry import Devices, Facts, caught, program, refused

PINNING = "docs: notes/cuda pinned memory; aten/src/ATen/native/Memory.cpp"


@program(
    {"pinned": [False, True], "device": "cpu", "same_object": [False, True], "equal": True},
    source=PINNING,
)
def pinning(devices: Devices) -> Facts:
    """Pinning copies into page-locked host memory; a pinned tensor is left alone."""
    x = torch.arange(3.0)
    y = x.pin_memory()
    return {
        "pinned": [x.is_pinned(), y.is_pinned()],
        "device": y.device,
        "same_object": [y is x, y.pin_memory() is y],
        "equal": torch.equal(x, y),
    }


@program({"empty": True, "zeros": True, "tensor": True, "dtype": "torch.float16"}, source=PINNING)
def made_pinned(devices: Devices) -> Facts:
    """Factories can make pinned tensors."""
    return {
        "empty": torch.empty(2, pin_memory=True).is_pinned(),
        "zeros": torch.zeros(2, pin_memory=True).is_pinned(),
        "tensor": torch.tensor([1.0], pin_memory=True).is_pinned(),
        "dtype": torch.ones(1, dtype=torch.float16).pin_memory().dtype,
    }


@program({"view": True, "clone": False, "sum": False, "card": False}, source=PINNING)
def what_is_pinned(devices: Devices) -> Facts:
    """Views share the pinned memory, results do not, a card's tensor is never pinned."""
    x = torch.ones(4).pin_memory()
    return {
        "view": x[1:].is_pinned(),
        "clone": x.clone().is_pinned(),
        "sum": (x + 1).is_pinned(),
        "card": x.to(devices[0]).is_pinned(),
    }


@refused(
    "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned", source="ERRATA J"
)
def pinning_a_card_s_tensor(devices: Devices) -> None:
    """Only host memory can be pinned."""
    torch.ones(1, device=devices[0]).pin_memory()


@refused(
    "Only dense CPU tensors can be pinned",
    source="aten/src/ATen/native/TensorFactories / c10 TensorOptions check (2.13 binary)",
)
def a_pinned_tensor_on_a_card(devices: Devices) -> None:
    """A factory cannot pin on a card."""
    torch.empty(1, device=devices[0], pin_memory=True)


@program({"equal": True, "device": "cuda:0"}, source=PINNING)
def asynchronous_copy(devices: Devices) -> Facts:
    """From pinned memory the copy may be asynchronous; the values are right."""
    x = torch.arange(1000.0).pin_memory()
    y = x.to(devices[0], non_blocking=True)
    torch.cuda.synchronize()
    return {"equal": torch.equal(y.cpu(), x), "device": y.device}


@program({"pinned": [True, True], "device": "cpu", "plain": False}, source="ERRATA E87")
def data_loader(devices: Devices) -> Facts:
    """``pin_memory=True`` gives pinned CPU batches."""
    data = TensorDataset(torch.arange(4.0), torch.arange(4))
    x, y = next(iter(DataLoader(data, batch_size=2, pin_memory=True)))
    plain, _ = next(iter(DataLoader(data, batch_size=2)))
    return {
        "pinned": [x.is_pinned(), y.is_pinned()],
        "device": x.device,
        "plain": plain.is_pinned(),
    }


@program(
    {"custom": True, "structure": [True, True, "text"]},
    source="torch/utils/data/_utils/pin_memory.py",
)
def what_a_loader_pins(devices: Devices) -> Facts:
    """Structures are pinned inside, own types by their own method."""

    class Batch:
        def __init__(self, items: list[float]) -> None:
            self.x = torch.tensor(items)

        def pin_memory(self) -> Batch:
            self.x = self.x.pin_memory()
            return self

    data = [1.0, 2.0]
    custom = next(iter(DataLoader(data, batch_size=2, collate_fn=Batch, pin_memory=True)))
    nested = next(
        iter(
            DataLoader(
                data,
                batch_size=2,
                pin_memory=True,
                collate_fn=lambda items: {
                    "x": torch.tensor(items),
                    "pair": (torch.tensor(items), "text"),
                },
            )
        )
    )
    return {
        "custom": custom.x.is_pinned(),
        "structure": [nested["x"].is_pinned(), nested["pair"][0].is_pinned(), nested["pair"][1]],
    }


@program({"pinned": True, "storage": True, "allocated": 0}, source=PINNING)
def storages(devices: Devices) -> Facts:
    """Storages can be pinned; pinned memory is not the card's."""
    before = torch.cuda.memory_allocated(devices[0])
    storage = torch.ones(4).untyped_storage().pin_memory()
    x = torch.ones(1024).pin_memory()
    return {
        "pinned": x.is_pinned(),
        "storage": storage.is_pinned(),
        "allocated": torch.cuda.memory_allocated(devices[0]) - before,
    }


@program({"result": {"type": None, "text": None}, "pinned": True}, source="docs: is_pinned")
def pinned_and_trained(devices: Devices) -> Facts:
    """A pinned leaf takes part in autograd."""
    x = torch.ones(2, pin_memory=True, requires_grad=True)
    result = caught(lambda: (x.to(devices[0], non_blocking=True) * 2).sum().backward())
    return {"result": result, "pinned": x.is_pinned() and x.grad.tolist() == [2.0, 2.0]}
