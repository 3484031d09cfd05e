"""``torch.cuda.FloatTensor``, ``torch.cuda.sparse.FloatTensor``: old types that name a device.

On the CPU build these are C types that cannot make tensors. Their replacements have the same names,
and ``tensor.type(...)`` reads only the name.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor

from ...patches import Patches

_DTYPES = {
    "Double": torch.float64,
    "Float": torch.float32,
    "Half": torch.float16,
    "BFloat16": torch.bfloat16,
    "Long": torch.int64,
    "Int": torch.int32,
    "Short": torch.int16,
    "Char": torch.int8,
    "Byte": torch.uint8,
    "Bool": torch.bool,
}


_NO_CONSTRUCTORS = (
    "The torch.cuda.*DtypeTensor constructors are no longer recommended. It's best to use methods "
    "such as torch.tensor(data, dtype=*, device='cuda') to create tensors."
)
_NO_SPARSE_CONSTRUCTORS = (
    "torch.sparse.SparseTensor(indices, values, shape, *, device=) is deprecated.  Please use "
    "torch.sparse_coo_tensor(indices, values, shape, dtype=, device=)."
)
_NO_DEFAULT_TYPE = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives."
)


class _TensorType(type):
    """The metaclass of the replacements: a name and a dtype, without instances."""

    dtype: torch.dtype
    is_cuda = True
    is_sparse = False
    layout = torch.strided

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.type() == cls.__name__

    def __call__(cls, *args: Any, device: Any = None) -> Tensor:
        """A tensor from sizes, a sequence or another tensor, as with torch's own types."""
        _advise(_NO_CONSTRUCTORS)
        place = _on_cuda(device)
        if all(isinstance(arg, int) for arg in args):
            return torch.empty(args, dtype=cls.dtype, device=place)
        (content,) = args
        if isinstance(content, torch.Size):
            return torch.empty(content, dtype=cls.dtype, device=place)
        if isinstance(content, Tensor):
            if not isinstance(content, cls):
                raise TypeError(f"expected {content.type()} (got {cls.__name__})")
            return content.detach()
        return torch.tensor(content, dtype=cls.dtype, device=place)

    def __repr__(cls) -> str:
        return f"<class '{cls.__name__}'>"


class _SparseType(_TensorType):
    """The metaclass of the replacements for sparse tensors."""

    is_sparse = True
    layout = torch.sparse_coo

    def __call__(cls, *args: Any, device: Any = None) -> Tensor:
        """A tensor from indices and values, or an empty one from sizes."""
        _advise(_NO_SPARSE_CONSTRUCTORS)
        place = _on_cuda(device)
        if args and isinstance(args[0], Tensor):
            return torch.sparse_coo_tensor(*args)  # dtype and card of the values
        size = args[0] if args and isinstance(args[0], torch.Size) else args or (0,)
        return torch.sparse_coo_tensor(size, dtype=cls.dtype, device=place)  # type: ignore[call-arg,arg-type]


def _on_cuda(device: Any) -> torch.device:
    place = torch.device("cuda") if device is None else torch.device(device)
    if place.type != "cuda":
        raise RuntimeError(
            f"legacy constructor expects device type: cuda but device type: {place.type} was passed"
        )
    return place


_advised: set[str] = set()


def _advise(text: str) -> None:
    """Warn once, or always with ``torch.set_warn_always``."""
    if text not in _advised or torch.is_warn_always_enabled():
        _advised.add(text)
        warnings.warn(text, stacklevel=3)


def _stand_in(kind: type[_TensorType], module: str, name: str, dtype: torch.dtype) -> _TensorType:
    # ``tensor.type(...)`` reads the name with which the class was made.
    made = kind(f"{module}.{name}", (), {"dtype": dtype, "__module__": module})
    made.__qualname__ = name
    return made


TYPES = {
    f"{name}Tensor": _stand_in(_TensorType, "torch.cuda", f"{name}Tensor", dtype)
    for name, dtype in _DTYPES.items()
}
SPARSE_TYPES = {
    f"{name}Tensor": _stand_in(_SparseType, "torch.cuda.sparse", f"{name}Tensor", dtype)
    for name, dtype in _DTYPES.items()
    if name != "Bool"
}


def patch(patches: Patches) -> None:
    """Install the replacements in ``torch.cuda``, also as possible default types."""
    set_default_type = torch._C._set_default_tensor_type

    def set_default(kind: Any) -> None:
        """Set the default type. With a CUDA type, new tensors are on the current card."""
        on_cuda = isinstance(kind, _TensorType)
        if on_cuda:
            _advise(_NO_DEFAULT_TYPE)
            torch._C._set_default_dtype(kind.dtype)
        else:
            set_default_type(kind)
        torch.set_default_device("cuda" if on_cuda else None)

    patches.set(torch.cuda, **TYPES)
    patches.set(torch.cuda.sparse, **SPARSE_TYPES)
    patches.set(torch._C, _set_default_tensor_type=set_default)
