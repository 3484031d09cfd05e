"""One block of memory under two device names: retagging tensors through DLPack.

A DLPack capsule carries a tensor with its device written in a plain C struct. Changing that field
between export and import gives a tensor that shares (and keeps alive) the same bytes and whose C++
device is another one: ``cpu`` or ``cuda:i``.

Making an alias takes longer than a small CPU kernel, so a virtual tensor remembers the CPU tensor
it was made from: in its attribute ``_on_cpu`` = (CPU tensor, card number, bytes). Whatever changes
the shape or memory of a tensor in place must ``forget`` it, and nothing may carry it into a copy
(``patch``).
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
# The memory of this process as one array, in words: to make a ctypes object for each takes longer.
_words = (ctypes.c_uint64 * (1 << 44)).from_address(0)

_remembering = True
_patches: Patches  # of the machine that is on


def _on_cpu(tensor: Tensor) -> Tensor:
    capsule = _export(tensor)
    _words[(_words[(id(capsule) >> 3) + _POINTER] >> 3) + _DEVICE] = _CPU
    return _import(capsule)


def new_on_card(content: Tensor, index: int, nbytes: int) -> Tensor:
    """Retag a fresh CPU tensor (no lazy conjugate, negative or zero) and remember it."""
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
    """Whether the bytes of a tensor are not its values: DLPack knows no such tensors."""
    return tensor.is_conj() or tensor.is_neg() or tensor._is_zerotensor()


def new_alias(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of a virtual tensor that remembers none and is not lazy."""
    if tensor.__class__ is not Parameter or not _remembering or tensor.is_cpu:
        return _on_cpu(tensor)
    # Worth remembering. The alias owns what it was made from, so that must be a twin of the
    # parameter: an alias that owns the tensor which owns the alias would never be freed.
    alias = _on_cpu(tensor.detach())
    tensor._on_cpu = (alias, tensor.get_device(), alias.nbytes)  # type: ignore[attr-defined]
    return alias


def cpu_alias(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of any virtual CUDA tensor."""
    known: OnCpu | None = getattr(tensor, "_on_cpu", None)
    if known is not None:
        return known[0]
    alias = new_alias(tensor)
    # DLPack knows no lazy conjugation or negation: put the flags back.
    if tensor.is_conj():
        alias = torch._conj(alias)
    if tensor.is_neg():
        alias = torch._neg_view(alias)
    return alias


def lend(tensor: Tensor) -> Tensor:
    """A CPU tensor over the bytes of a virtual one, for C++ that keeps it and hands it on.

    What comes back, or a part of it, is known by its storage (``lender``).
    """
    if is_lazy(tensor):
        return cpu_alias(tensor)
    alias = _on_cpu(tensor.detach())  # not the one remembered: the two would own each other
    alias.untyped_storage()._lender = tensor.untyped_storage()  # type: ignore[attr-defined]
    return alias


def lender(tensor: Tensor) -> UntypedStorage | None:
    """The storage of a card whose bytes a CPU tensor was lent, if it was."""
    if tensor.is_cuda or tensor.layout is not torch.strided:
        return None
    return getattr(tensor.untyped_storage(), "_lender", None)


def back_on_card(tensor: Tensor) -> Tensor:
    """The virtual tensor of which a lent one, or a part of it, is the CPU's; others unchanged."""
    storage = lender(tensor)
    if storage is None:
        return tensor
    offset = (tensor.data_ptr() - storage.data_ptr()) // tensor.element_size()
    whole = torch.empty(0, dtype=tensor.dtype, device=storage.device)
    return whole.set_(storage, offset, tensor.size(), tensor.stride())


def device_behind(tensor: Tensor) -> torch.device:
    """Where the bytes of a tensor are: on a card also where they are only lent to the CPU."""
    storage = lender(tensor)
    return tensor.device if storage is None else storage.device


def tensors_in(value: Any) -> Iterator[Tensor]:
    """A tensor, or those in lists and tuples, however deep."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def bytes_of(storage: UntypedStorage) -> Tensor:
    """All bytes of a storage, as a tensor on its device."""
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def same_part_of(storage: UntypedStorage, tensor: Tensor) -> Tensor:
    """What a tensor would be, were it over another storage."""
    return torch.empty(0, dtype=tensor.dtype, device=storage.device).set_(
        storage, tensor.storage_offset(), tensor.size(), tensor.stride()
    )


class OverlappingAliases:
    """CPU aliases for one call that writes.

    Tensors that share memory get aliases that share a storage, so that torch sees where what is
    written overlaps with what is read.
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
    """Drop the remembered alias of a tensor whose shape or memory changes."""
    tensor.__dict__.pop("_on_cpu", None)


def remember_no_more() -> None:
    """Drop all remembered aliases, and remember none from now on: a storage changes its memory.

    Nobody knows which tensors share a storage. To look at every tensor takes long, so that is done
    once, and programs that change storages (FSDP does with every layer) go on without aliases.
    """
    global _remembering
    if not _remembering:
        return
    _remembering = False
    _patches.set(Tensor, _on_cpu=_Nothing())  # at once, whatever other threads have in hand
    # What is left is memory that nobody uses. Only instances (and a few others) refer to their
    # class: ``gc.get_objects()`` would also hold tuples that other threads are about to fill, and
    # C refuses to write into a tuple that it does not own alone.
    for thing in gc.get_referrers(Tensor, Parameter):
        # By its type: to ask any object for an attribute may run the code of strangers.
        if issubclass(type(thing), Tensor):
            forget(thing)


def _without_alias(state: Any) -> Any:
    if isinstance(state, dict) and "_on_cpu" in state:
        return {name: value for name, value in state.items() if name != "_on_cpu"}
    return state


class _Nothing:
    """``_on_cpu`` of tensors that remember none, whatever stands in their ``__dict__``."""

    def __get__(self, instance: Tensor | None, owner: type[Tensor]) -> None:
        return None

    def __set__(self, instance: Tensor, value: OnCpu) -> None:
        pass


def _remember_none(cls: type[Tensor], patches: Patches) -> None:
    """For classes of others: theirs often take over the ``__dict__`` of another tensor."""
    if cls is not Parameter:
        patches.set(cls, _on_cpu=_Nothing())
    for derived in cls.__subclasses__():
        _remember_none(derived, patches)


def patch(patches: Patches) -> None:
    """Keep remembered aliases out of saved and copied tensors, and follow ``x.data = y``."""
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
        forget(self)  # what comes back is often given the same __dict__
        return as_subclass(self, cls)

    def set_data(self: Tensor, value: Tensor) -> None:
        forget(self)
        data.__set__(self, value)

    patches.set(torch._utils, _get_obj_state=state_without_alias)
    patches.set(Tensor, __init_subclass__=classmethod(of_a_new_class))
    patches.set(Tensor, __deepcopy__=deepcopy_without_alias, as_subclass=as_subclass_without_alias)
    patches.set(Tensor, data=property(data.__get__, set_data, doc=data.__doc__))
