"""What the observers of this assignment share: batches made from data, errors as facts."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor


def build(described: Mapping[str, Any], pinned: bool) -> Any:
    """A batch from its description; its CPU tensors are pinned if asked for."""
    kind = described["type"]
    if kind == "Tensor":
        tensor = torch.tensor(described["values"], device=described["device"])
        return tensor.pin_memory() if pinned and not tensor.is_cuda else tensor
    if kind == "dict":
        keys = [key["value"] for key in described["keys"]]
        return dict(zip(keys, (build(i, pinned) for i in described["items"]), strict=True))
    if "items" not in described:
        return described["value"]
    items = [build(item, pinned) for item in described["items"]]
    return items if kind == "list" else tuple(items)


def tensors_in(batch: Any) -> Iterator[Tensor]:
    """Every tensor in a batch of tuples, lists and dicts."""
    if isinstance(batch, Tensor):
        yield batch
    elif isinstance(batch, dict):
        for item in batch.values():
            yield from tensors_in(item)
    elif isinstance(batch, list | tuple):
        for item in batch:
            yield from tensors_in(item)


def raised_text(error: BaseException) -> str:
    """An exception as a fact, such as `RuntimeError: Expected all tensors …`."""
    return f"{type(error).__name__}: {str(error)[:600]}"
