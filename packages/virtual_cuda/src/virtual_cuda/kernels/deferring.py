"""Kernels above the others while ``races`` are on: they run eagerly, and again by a schedule.

Some operators cannot be deferred and run at once. Those that return a value to the host read the
second memory (not counted). Those that change storages, or have no kernel here, first copy the
second memory to eager execution (counted).
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from .. import capturing, runtime
from ..memory.shadows import Block, storage_of
from ..random import CudaGenerator, State, is_virtual, virtual
from ..retag import cpu_alias, device_behind, tensors_in
from ..schedule import Schedule, same_bytes
from ..timing import costs
from ..timing.clock import Lane
from . import pinned, sparse
from .boxed import BoxedKernel, Kernel
from .copies import copy_values, unwrite
from .registration import add_kernel, names_of_kernels
from .specialise import operator

Undo = Callable[[], None]

_AS_THEY_ARE = {"set_", "is_set_to", "_nested_view_from_buffer"}  # no bytes are read or written
_MAKES = {"empty", "empty_strided"}
_AT_ONCE = {"resize_", "_lazy_clone", "_nested_from_padded", "_nested_tensor_from_mask"}
# Operators that update running statistics, which their schemas do not show.
_ALSO_WRITTEN = {"native_batch_norm": ("running_mean", "running_var")}


def _cards_tensors(value: Any) -> Iterator[Tensor]:
    return (tensor for tensor in tensors_in(value) if tensor.is_cuda)


class _DeferringKernel:
    """A kernel of one operator above its eager kernel. The schema is read at the first call."""

    def __init__(self, schedule: Schedule, name: str, eager: Kernel) -> None:
        self._schedule = schedule
        self._name = name
        self._eager = eager
        self._call: Kernel = self._first_call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._schedule.is_inside or capturing.ongoing is not None:
            return self._eager(*args, **kwargs)
        return self._call(*args, **kwargs)

    def _first_call(self, *args: Any, **kwargs: Any) -> Any:
        self._call = self._choose()
        return self._call(*args, **kwargs)

    def _choose(self) -> Kernel:
        schema = operator(self._name)._schema
        self._base = schema.name.removeprefix("aten::")
        self._arguments = [argument.name for argument in schema.arguments]
        self._written = {a.name for a in schema.arguments if a.is_write}
        self._written |= set(_ALSO_WRITTEN.get(self._base, ()))
        infos = [r.alias_info for r in schema.returns]
        own: dict[str, Kernel] = {
            "copy_": self._copy_,
            "_to_copy": self._to_copy,
            "record_stream": self._record_stream,
        }
        if self._base in own:
            return own[self._base]
        if self._base in _AS_THEY_ARE or any(i is not None and not i.is_write for i in infos):
            return self._eager
        if self._base in _MAKES:
            return self._make
        if self._base in _AT_ONCE or self._name in sparse.CUDA_KERNELS:
            return self._at_once
        answers = {str(r.type) for r in schema.returns} - {"Tensor", "List[Tensor]"}
        if answers or self._base in costs.SYNCHRONISING:
            return self._at_once if self._written else self._look
        return self._defer

    def _lane(self, *given: Any) -> Lane:
        """The current stream of the card of a call."""
        tensor = next(_cards_tensors(given), None)
        device = next((v for v in given if isinstance(v, torch.device) and v.type == "cuda"), None)
        index = runtime.resolve(device).index if tensor is None else tensor.get_device()
        return runtime.ready().card(index).clock.lane

    def _at_once(self, *args: Any, **kwargs: Any) -> Any:
        tensors = _cards_tensors([*args, *kwargs.values()])
        with self._schedule.at_once(self._name, tensors):
            return self._eager(*args, **kwargs)

    def _look(self, *args: Any, **kwargs: Any) -> Any:
        """The result of a call that the host reads, from the work that its stream has done."""
        schedule = self._schedule
        with schedule.lock:
            schedule.reached(self._lane(*args, *kwargs.values()).snapshot())
            for tensor in _cards_tensors([*args, *kwargs.values()]):
                schedule.compare(tensor, self._base)
            args, kwargs = self._doubles(args, kwargs, keeps_host=True)
            with schedule.inside():
                return self._eager(*args, **kwargs)

    def _doubles(self, args: Any, kwargs: Any, keeps_host: bool = False) -> tuple[Any, Any]:
        """The arguments of a call in the second memory. Host tensors are copied as they are now."""

        def change(value: Any) -> Any:
            if isinstance(value, Tensor):
                if value.is_cuda and not value._is_zerotensor():
                    return self._schedule.shadows.double(value)
                return value if keeps_host or value.is_cuda else value.clone()
            if isinstance(value, (list, tuple)):
                return [change(item) for item in value]
            return value

        return tuple(map(change, args)), {name: change(value) for name, value in kwargs.items()}

    def _make(self, *args: Any, **kwargs: Any) -> Tensor:
        result = self._eager(*args, **kwargs)
        if result.is_cuda:
            with self._schedule.lock:
                self._schedule.shadows.born(result, self._lane(result), is_written=False)
        return result

    def _record_stream(self, tensor: Tensor, stream: torch.Stream) -> None:
        self._eager(tensor, stream)
        lane = runtime.ready().clock.cards[stream.device_index].lanes[stream.stream_id]
        self._schedule.shadows.recorded(tensor, lane)

    def _defer(self, *args: Any, **kwargs: Any) -> Any:
        tensors = list(_cards_tensors([*args, *kwargs.values()]))
        if len({tensor.get_device() for tensor in tensors}) > 1:  # tensors of several cards
            return self._at_once(*args, **kwargs)
        schedule, shadows = self._schedule, self._schedule.shadows
        with schedule.lock:
            lane = self._lane(*args, *kwargs.values())
            given = dict(zip(self._arguments, args, strict=False)) | kwargs
            blocks: dict[Block, bool] = {}
            addresses = set()
            for name, value in given.items():
                for tensor in _cards_tensors(value):
                    storage = tensor.untyped_storage()
                    addresses.add(storage.data_ptr())
                    block = shadows.block_of(storage)
                    blocks[block] = blocks.get(block, False) or name in self._written
            doubles = self._doubles(args, kwargs)
            generators = _generators(lane, given.values())
            before = [State(g.state.seed, g.state.offset) for g in generators]
            number = _next_number(lane)
            with schedule.inside():
                result = self._eager(*args, **kwargs)
            results = list(_cards_tensors(result))
            for tensor in results:
                storage = tensor.untyped_storage()
                if storage.data_ptr() not in addresses:
                    shadows.born(tensor, self._lane(tensor), is_written=True)
                blocks[shadows.block_of(storage)] = True
            states = {
                g: state
                for g, state in zip(generators, before, strict=True)
                if state.offset != g.state.offset
            }
            views = [shadows.view(tensor) for tensor in results]
            run = functools.partial(_repeat, self._eager, *doubles, views)
            schedule.add(lane, number, self._base, run, blocks, states)
        return result

    def _copy_(self, target: Tensor, source: Any, non_blocking: bool = False) -> Tensor:
        if not isinstance(source, Tensor):  # a number: ``fill_``
            return self._eager(target, source, non_blocking)
        copy = functools.partial(self._eager, target, source, non_blocking)
        if _is_behind(target):
            return self._copy_to_card(target, source, non_blocking, copy)
        if not (non_blocking and pinned.is_pinned(target)):
            return self._look(target, source, non_blocking)
        before = target.clone()
        return self._copy_to_host(source, copy, lambda arrived: copy_values(arrived, before))

    def _to_copy(self, tensor: Tensor, **options: Any) -> Tensor:
        non_blocking = bool(options.get("non_blocking"))
        device = options.get("device")
        to = tensor.device if device is None else runtime.resolve(device)
        copy = functools.partial(self._eager, tensor, **options)
        if to.type == "cuda":
            return self._copy_to_card(to, tensor, non_blocking, copy)
        if to.type == "cpu" and non_blocking:
            return self._copy_to_host(tensor, copy, unwrite)
        return self._look(tensor, **options)

    def _copy_to_card(
        self,
        to: Tensor | torch.device,
        source: Tensor,
        non_blocking: bool,
        copy: Callable[[], Tensor],
    ) -> Tensor:
        """A copy to an existing tensor, or to a new one on a device."""
        schedule, shadows = self._schedule, self._schedule.shadows
        with schedule.lock:
            lane = self._lane_behind(source if _is_behind(source) else to)
            blocks: dict[Block, bool] = {}
            if _is_behind(source):
                content, seen = shadows.view(source), None
                blocks[shadows.block_of(storage_of(source))] = False
            else:
                schedule.reached(schedule.arriving.get(source.untyped_storage()._cdata, {}))
                seen = source.clone()
                content = source if non_blocking and pinned.is_pinned(source) else seen
            number = _next_number(lane)
            with schedule.inside():
                result = copy()
            if not isinstance(to, Tensor):
                shadows.born(result, self._lane(result), is_written=True)
            blocks[shadows.block_of(storage_of(result))] = True
            run = functools.partial(_copy, shadows.view(result), content, seen)
            schedule.add(lane, number, self._base, run, blocks)
        return result

    def _copy_to_host(
        self, source: Tensor, copy: Callable[[], Tensor], take_back: Callable[[Tensor], object]
    ) -> Tensor:
        """A copy to pinned memory, which keeps its old content until the copy is done."""
        schedule, shadows = self._schedule, self._schedule.shadows
        with schedule.lock:
            lane = self._lane_behind(source)
            content, block = shadows.view(source), shadows.block_of(storage_of(source))
            number = _next_number(lane)
            with schedule.inside():
                result = copy()
            take_back(result)
            schedule.arriving[result.untyped_storage()._cdata] = {lane: number}
            run = functools.partial(_copy, result, content, None)
            schedule.add(lane, number, self._base, run, {block: False})
        return result

    def _lane_behind(self, place: Tensor | torch.device) -> Lane:
        device = device_behind(place) if isinstance(place, Tensor) else place
        return runtime.ready().card(device.index).clock.lane


def _is_behind(tensor: Tensor) -> bool:
    return device_behind(tensor).type == "cuda"


def _next_number(lane: Lane) -> int:
    """The number of a stream's next operation, which later waits for the stream include."""
    lane.count += 1
    return lane.count


def _generators(lane: Lane, given: Iterable[Any]) -> list[CudaGenerator]:
    """The generators that an operator may use."""
    named = [virtual(v) for v in given if isinstance(v, torch._C.Generator) and is_virtual(v)]
    return [*named, runtime.ready().generators[lane.card.index]]


def _repeat(eager: Kernel, args: Any, kwargs: Any, views: Sequence[Tensor]) -> None:
    for tensor, view in zip(_cards_tensors(eager(*args, **kwargs)), views, strict=True):
        if tensor.numel() and tensor.data_ptr() != view.data_ptr():  # it is a new tensor
            copy_values(view, cpu_alias(tensor))


def _copy(target: Tensor, source: Tensor, seen: Tensor | None) -> str | None:
    """Copy, and name a changed source. ``seen``: the host's memory when the copy was launched."""
    copy_values(target, source)
    if seen is None or same_bytes(source, seen):
        return None
    return "what the host wrote into its pinned memory"


def register(schedule: Schedule, special: dict[str, Kernel], above: Iterable[str]) -> Undo:
    """Put a deferring kernel above each kernel. Returns the function that removes them.

    ``special`` are manually written kernels. Those in ``above`` call other kernels, and stay.
    """
    library = torch.library.Library("aten", "IMPL", "CUDA")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns about every kernel that replaces another
        for name in sorted(names_of_kernels().difference(above)):
            eager = special.get(name) or BoxedKernel(name)
            add_kernel(library, name, _DeferringKernel(schedule, name, eager))
    return library._destroy
