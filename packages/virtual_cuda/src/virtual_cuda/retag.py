"""Retagging of tensors through DLPack: two tensors with different devices over the same memory.

A DLPack capsule contains a tensor, with its device in a plain C struct. Changing that field between
export and import makes a tensor that shares (and keeps alive) the same bytes, but has another C++
device: ``cpu`` or ``cuda:i``.

Making an alias takes longer than a small CPU kernel. So a virtual tensor stores the CPU tensor from
which it was made, in its attribute ``_on_cpu`` = (CPU tensor, card number, bytes). Code that
changes the shape or memory of a tensor in place must call ``forget``, and copies must not contain
the attribute (``patch``).
"""

from __future__ import annotations

import ctypes
import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from types import GetSetDescriptorType
from typing import Any

import torch
from torch import Tensor, UntypedStorage
from torch.nn import Parameter

from .errors import no_quantized_tensors
from .hardware.profiles import MAX_DEVICES
from .patches import Patches

OnCpu = tuple[Tensor, int, int]

_CPU, _CUDA = 1, 2  # DLDeviceType in dlpack.h
_CARDS = tuple(_CUDA | index << 32 for index in range(MAX_DEVICES))  # DLDevice: int32 type, number
_POINTER = object.__basicsize__ // 8  # words: a PyCapsule's pointer follows the object head
_DEVICE = 1  # word: in DLTensor the device follows the data pointer

_export, _import = torch._C._to_dlpack, torch._C._from_dlpack
# The memory of this process as one array of words, which is faster than one ctypes object for each.
_words = (ctypes.c_uint64 * (1 << 44)).from_address(0)

_remembering = True
_patches: Patches  # of the machine that is on


def _on_cpu(tensor: Tensor) -> Tensor:
    capsule = _export(tensor)
    _words[(_words[(id(capsule) >> 3) + _POINTER] >> 3) + _DEVICE] = _CPU
    return _import(capsule)


def new_on_card(content: Tensor, index: int, nbytes: int) -> Tensor:
    """A fresh CPU tensor (no lazy conjugate, negative or zero) as a tensor on a card."""
    try:
        capsule = _export(content)
    except BufferError:
        if content.is_quantized:
            raise no_quantized_tensors() from None
        raise
    _words[(_words[(id(capsule) >> 3) + _POINTER] >> 3) + _DEVICE] = _CARDS[index]
    tensor = _import(capsule)
    if _remembering:
        tensor._on_cpu = (content, index, nbytes)  # type: ignore[attr-defined]
    return tensor


def is_lazy(tensor: Tensor) -> bool:
    """Whether the bytes of a tensor differ from its values, which DLPack does not support."""
    return tensor.is_conj() or tensor.is_neg() or tensor._is_zerotensor()


def new_alias(tensor: Tensor) -> Tensor:
    """A new CPU alias of a virtual tensor that is not lazy and has no stored alias."""
    if tensor.__class__ is not Parameter or not _remembering or tensor.is_cpu:
        return _on_cpu(tensor)
    # Store it. An alias owns the tensor from which it was made. So this must be a detached copy of
    # the parameter, or the two would own each other and never be freed.
    alias = _on_cpu(tensor.detach())
    tensor._on_cpu = (alias, tensor.get_device(), alias.nbytes)  # type: ignore[attr-defined]
    return alias


def cpu_alias(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of any virtual CUDA tensor."""
    known: OnCpu | None = getattr(tensor, "_on_cpu", None)
    if known is not None:
        return known[0]
    alias = new_alias(tensor)
    # DLPack has no lazy conjugation or negation: set the flags again.
    if tensor.is_conj():
        alias = torch._conj(alias)
    if tensor.is_neg():
        alias = torch._neg_view(alias)
    return alias


def lend(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of a virtual one, for C++ code that keeps it and passes it on.

    A returned tensor, or a part of it, is recognised by its storage (``lender``).
    """
    if is_lazy(tensor):
        return cpu_alias(tensor)
    alias = _on_cpu(tensor.detach())  # not the stored alias: the two would own each other
    alias.untyped_storage()._lender = tensor.untyped_storage()  # type: ignore[attr-defined]
    return alias


def lender(tensor: Tensor) -> UntypedStorage | None:
    """The card's storage whose bytes were lent to a CPU tensor; None if there is none."""
    if tensor.is_cuda or tensor.layout is not torch.strided:
        return None
    return getattr(tensor.untyped_storage(), "_lender", None)


def back_on_card(tensor: Tensor) -> Tensor:
    """The virtual tensor for a lent CPU tensor or a part of it; other tensors unchanged."""
    storage = lender(tensor)
    if storage is None:
        return tensor
    offset = (tensor.data_ptr() - storage.data_ptr()) // tensor.element_size()
    whole = torch.empty(0, dtype=tensor.dtype, device=storage.device)
    return whole.set_(storage, offset, tensor.size(), tensor.stride())


def device_behind(tensor: Tensor) -> torch.device:
    """The device of a tensor's bytes: the card also for a tensor lent to the CPU."""
    storage = lender(tensor)
    return tensor.device if storage is None else storage.device


def tensors_in(value: Any) -> Iterator[Tensor]:
    """A tensor, or the tensors in nested lists and tuples."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def bytes_of(storage: UntypedStorage) -> Tensor:
    """All bytes of a storage, as a tensor on its device."""
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def same_part_of(storage: UntypedStorage, tensor: Tensor) -> Tensor:
    """The same view as ``tensor``, over another storage."""
    return torch.empty(0, dtype=tensor.dtype, device=storage.device).set_(
        storage, tensor.storage_offset(), tensor.size(), tensor.stride()
    )


class OverlappingAliases:
    """CPU aliases for one call that writes.

    Tensors that share memory get aliases that share a storage, so that torch detects overlaps of
    written and read memory.
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        addresses = Counter(tensor.untyped_storage().data_ptr() for tensor in tensors)
        self._shared = {address for address, count in addresses.items() if count > 1} - {0}
        self._storages: dict[int, UntypedStorage] = {}

    def __call__(self, tensor: Tensor) -> Tensor:
        """The CPU alias of a tensor of the call."""
        address = tensor.untyped_storage().data_ptr()
        if address not in self._shared or is_lazy(tensor):
            return cpu_alias(tensor)
        if address not in self._storages:
            whole = bytes_of(tensor.untyped_storage())
            self._storages[address] = cpu_alias(whole).untyped_storage()
        return same_part_of(self._storages[address], tensor)


def share_memory(first: Tensor, second: Tensor) -> bool:
    """Whether two tensors are different parts, views or aliases of the same memory."""
    return (
        first is not second
        and first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr()
    )


def forget(tensor: Tensor) -> None:
    """Delete the stored alias of a tensor whose shape or memory changes."""
    tensor.__dict__.pop("_on_cpu", None)


def remember_no_more() -> None:
    """Delete all stored aliases, and store none from now on, because a storage changes its memory.

    The tensors of a storage are not known. A search through all tensors is slow, so it happens only
    once. Programs that change storages (FSDP does for each layer) then run without stored aliases.
    """
    global _remembering
    if not _remembering:
        return
    _remembering = False
    _patches.set(Tensor, _on_cpu=_Nothing())  # effective at once in all threads
    # The rest only frees memory. Instances refer to their class, so the referrers are enough.
    # ``gc.get_objects()`` would also hold tuples that other threads are filling, and C refuses to
    # write into a tuple with other references.
    for thing in gc.get_referrers(Tensor, Parameter):
        # By its type, because reading an attribute of any object may run unknown code.
        if issubclass(type(thing), Tensor):
            forget(thing)


def _without_alias(state: Any) -> Any:
    if isinstance(state, dict) and "_on_cpu" in state:
        return {name: value for name, value in state.items() if name != "_on_cpu"}
    return state


class _Nothing:
    """A descriptor for ``_on_cpu`` that is always None, for any content of ``__dict__``."""

    def __get__(self, instance: Tensor | None, owner: type[Tensor]) -> None:
        return None

    def __set__(self, instance: Tensor, value: OnCpu) -> None:
        pass


def _remember_none(cls: type[Tensor], patches: Patches) -> None:
    """Store no aliases in other subclasses, which often copy the ``__dict__`` of another tensor."""
    if cls is not Parameter:
        patches.set(cls, _on_cpu=_Nothing())
    for derived in cls.__subclasses__():
        _remember_none(derived, patches)


def patch(patches: Patches) -> None:
    """Remove stored aliases from saved and copied tensors, and after ``x.data = y``."""
    global _remembering, _patches
    _remembering, _patches = True, patches
    for derived in Tensor.__subclasses__():
        _remember_none(derived, patches)

    def of_a_new_class(cls: type[Tensor], **options: Any) -> None:
        super(Tensor, cls).__init_subclass__(**options)
        _remember_none(cls, patches)

    get_state = torch._utils._get_obj_state
    deepcopy = Tensor.__deepcopy__
    as_subclass = Tensor.as_subclass
    data: GetSetDescriptorType = vars(torch._C.TensorBase)["data"]

    def state_without_alias(obj: Any) -> Any:
        state = get_state(obj)
        if isinstance(obj, Tensor):
            if isinstance(state, tuple):  # a class with slots: (dictionary, slots)
                return (_without_alias(state[0]), *state[1:])
            return _without_alias(state)
        return state

    def deepcopy_without_alias(self: Tensor, memo: dict[int, Any]) -> Tensor:
        known = self.__dict__.pop("_on_cpu", None)
        try:
            return deepcopy(self, memo)
        finally:
            if known is not None:
                self.__dict__["_on_cpu"] = known

    def as_subclass_without_alias(self: Tensor, cls: type[Tensor]) -> Tensor:
        forget(self)  # the result often gets the same __dict__
        return as_subclass(self, cls)

    def set_data(self: Tensor, value: Tensor) -> None:
        forget(self)
        data.__set__(self, value)

    patches.set(torch._utils, _get_obj_state=state_without_alias)
    patches.set(Tensor, __init_subclass__=classmethod(of_a_new_class))
    patches.set(Tensor, __deepcopy__=deepcopy_without_alias, as_subclass=as_subclass_without_alias)
    patches.set(Tensor, data=property(data.__get__, set_data, doc=data.__doc__))
