"""Exchanging the memory of two storages, which torch can do only for CPU storages.

A ``StorageImpl`` begins with a pointer to its virtual functions and its reference counts. Then come
the pointer to its memory, the owner of that memory, its device, and its size in bytes (c10/core/
StorageImpl.h, the same in torch 2.11, 2.12 and 2.13). Each field is checked before the change, so
that another order of fields is detected and refused.
"""

from __future__ import annotations

import ctypes

from torch import UntypedStorage

from ..errors import UnsupportedFeature

_MEMORY, _DEVICE, _SIZE, _END = 16, 40, 48, 56  # bytes from the beginning of a StorageImpl
_CUDA = 1


def _fields(storage: UntypedStorage) -> ctypes.Array[ctypes.c_char]:
    start = storage._cdata
    memory = ctypes.c_uint64.from_address(start + _MEMORY).value
    size = ctypes.c_uint64.from_address(start + _SIZE).value
    device = tuple((ctypes.c_int8 * 2).from_address(start + _DEVICE))
    expected = (_CUDA, storage.get_device())
    if (memory, size, device) != (storage.data_ptr(), storage.nbytes(), expected):
        raise UnsupportedFeature(
            "storages that change their size in this build of torch",
            "make a new tensor of the size you need",
        )
    return (ctypes.c_char * (_END - _MEMORY)).from_address(start + _MEMORY)


def exchange(first: UntypedStorage, second: UntypedStorage) -> None:
    """Exchange the memory of two storages of virtual GPUs.

    Raises UnsupportedFeature, without a change, if their fields are not as expected.
    """
    a, b = _fields(first), _fields(second)
    a.raw, b.raw = b.raw, a.raw
