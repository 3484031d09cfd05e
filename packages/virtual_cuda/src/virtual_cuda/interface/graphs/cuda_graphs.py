"""CUDA graphs: a capture records calls, and a replay repeats them.

As on CUDA, a capture computes nothing: written tensors get their old values back, and results are
valid only after the first replay. Each replay fills the same tensors. A replay costs the host one
launch for any number of kernels; a capture takes the time of one run. The captured stream of a
kernel is not stored: all calls of a graph run on the current stream, in order. Texts are those of
``CUDAGraph.cpp``.
Tensors made in a capture count in the graph's memory pool until the program frees them, and the
pool lives as long as the graph. Memory of a pool is reused only in the allocator's numbers. On the
host each tensor of a graph has its own memory, so graphs that share a pool do not overwrite each
other.
Each replay draws new random numbers, from the generator states of the capture. A capture draws none
(``CUDAGeneratorImpl.cpp``).
"""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import torch
from torch import Tensor, UntypedStorage
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload
from torch.utils._python_dispatch import (
    TorchDispatchMode,
    is_traceable_wrapper_subclass_type,
)
from torch.utils._pytree import tree_leaves, tree_map

from ... import capturing, errors, runtime
from ...cards import held_closed
from ...errors import UnsupportedName
from ...memory.allocator import Allocator
from ...memory.arenas import OWN, UNCOUNTED, PoolId, Route, this_thread
from ...patches import Patches
from ...random import CudaGenerator, State, drawing_from, is_virtual, virtual
from ...retag import cpu_alias, is_lazy, new_on_card, same_part_of
from ...timing import costs
from ..memory.pools import new_id
from .captured_collectives import is_collective, is_made_of_others, promise, wait_for_ranks

# Operators that update running statistics, which their schemas do not show.
_ALSO_WRITTEN = {"aten::native_batch_norm": ("running_mean", "running_var")}

_CUDA = DispatchKeySet(DispatchKey.CUDA)


def _tensors(value: Any) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, Tensor) and leaf.is_cuda]


def _place(tensor: Tensor) -> int:
    """A key that is equal for tensors over the same memory, and unique for one without memory."""
    is_dense = tensor.layout is torch.strided
    return (tensor.untyped_storage().data_ptr() if is_dense else 0) or id(tensor)


class _Seat:
    """The device memory of a generator state's seed and offset, while graphs use it."""

    def __init__(self, state: State, index: int) -> None:
        self._state = state  # a reference, so that no other state gets its id
        self._memory = [torch.empty(1, dtype=torch.int64, device=f"cuda:{index}") for _ in range(2)]


_seats: WeakValueDictionary[int, _Seat] = WeakValueDictionary()  # by the ids of the states


@contextmanager
def _uncounted(allocators: Iterable[Allocator]) -> Iterator[None]:
    """Do not count tensors that this thread makes on the cards within the block."""
    begun: list[Allocator] = []
    try:
        for allocator in allocators:
            allocator.begin_route(Route(UNCOUNTED, this_thread()))
            begun.append(allocator)
        yield
    finally:
        for allocator in begun:
            allocator.end_route(UNCOUNTED)


class _Doubles:
    """Copies of tensors over the same memory, which the allocator does not count as references."""

    def __init__(self) -> None:
        self._storages: dict[int, UntypedStorage] = {}  # by the addresses of their memory

    def add(self, tensor: Tensor) -> None:
        """Add the storage of a tensor that was made in the capture."""
        if tensor.layout is torch.strided and not is_lazy(tensor) and tensor.data_ptr():
            content = cpu_alias(tensor).detach()
            double = new_on_card(content, tensor.get_device(), content.nbytes)
            self._storages[tensor.untyped_storage().data_ptr()] = double.untyped_storage()

    def of(self, tensor: Any) -> Any:
        """The double of a tensor; other values unchanged."""
        if not isinstance(tensor, Tensor) or not tensor.is_cuda:
            return tensor
        if tensor.layout is not torch.strided or is_lazy(tensor):
            return tensor
        storage = self._storages.get(tensor.untyped_storage().data_ptr())
        return tensor if storage is None else same_part_of(storage, tensor)


class _Call:
    """One operator of a graph, with the tensors that every replay fills.

    ``states``: generator → the state from which it draws numbers.
    """

    def __init__(
        self,
        op: OpOverload,
        args: Any,
        kwargs: Any,
        result: Any,
        states: dict[CudaGenerator, State],
        doubles: _Doubles,
    ) -> None:
        self.name = str(op)
        self._op, self._states = op, states
        self._args, self._kwargs = tree_map(doubles.of, (args, kwargs))
        # FSDP's operators return parts of their arguments: a replay finds them in that memory.
        given = {_place(tensor) for tensor in _tensors((args, kwargs))}
        self._fresh = []
        for k, tensor in enumerate(_tensors(result)):
            if _place(tensor) not in given:
                doubles.add(tensor)
                self._fresh.append((k, doubles.of(tensor)))

    def repeat(self) -> None:
        with drawing_from(self._states):
            result = self._op(*self._args, **self._kwargs)
        if is_collective(self._op):
            wait_for_ranks(result)
        results = _tensors(result)
        for k, tensor in self._fresh:
            cpu_alias(tensor).copy_(cpu_alias(results[k]))


class _Capture(TorchDispatchMode):
    """Records the calls on cards. The results of a capture have only valid shapes."""

    def __init__(self, states: set[int]) -> None:
        super().__init__()
        self.calls: list[_Call] = []
        self._doubles = _Doubles()
        self._states = states  # ids of the states that may be used

    def __torch_dispatch__(
        self, op: OpOverload, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if any(map(is_traceable_wrapper_subclass_type, types)):
            # Wrapper tensors make the calls on their inner tensors themselves.
            return NotImplemented
        kwargs = kwargs or {}
        if is_collective(op) and _tensors((args, kwargs)):
            result = promise(op, args)
            self.calls.append(_Call(op, args, kwargs, result, {}, self._doubles))
            return result
        if is_made_of_others(op):
            with self:  # its kernel calls other operators below this mode
                return op.redispatch(_CUDA, *args, **kwargs)
        written = map(cpu_alias, _written(op, args, kwargs))
        before = [(content, content.clone()) for content in written]
        waits = op._schema.name.removeprefix("aten::") in costs.SYNCHRONISING
        if waits and kwargs.get("output_size") is None and _tensors((args, kwargs)):
            capturing.forbid_waiting()
        given = (leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Generator))
        generators = [*runtime.ready().generators, *map(virtual, filter(is_virtual, given))]
        offsets = [generator.state.offset for generator in generators]
        result = op(*args, **kwargs)
        states = {}
        for generator, offset in zip(generators, offsets, strict=True):
            if generator.state.offset != offset:
                states[generator] = generator.state
                generator.state.offset = offset
        if not self._states.issuperset(map(id, states.values())):
            raise RuntimeError(
                "Attempt to increase offset for a CUDA generator not in capture mode."
            )
        cards = _tensors((args, kwargs, result))
        to_host = any(isinstance(leaf, Tensor) and leaf.is_cpu for leaf in tree_leaves(result))
        if cards and to_host:  # such a copy waits for the card
            capturing.forbid_waiting()
        if cards and not op.is_view:
            self.calls.append(_Call(op, args, kwargs, result, states, self._doubles))
        for content, value in before:
            content.copy_(value)
        return result


def _written(op: OpOverload, args: Any, kwargs: Any) -> Iterator[Tensor]:
    also = _ALSO_WRITTEN.get(op._schema.name, ())
    for argument, value in itertools.zip_longest(op._schema.arguments, args):
        value = kwargs.get(argument.name, value)
        if argument.is_write or argument.name in also:
            yield from _tensors(value)


class CUDAGraph:
    """Replaces ``torch.cuda.CUDAGraph``."""

    def __init__(self, keep_graph: bool = False) -> None:
        self._calls: list[_Call] | None = None
        self._capture: _Capture | None = None
        self._until_its_end = ExitStack()
        self._seats: dict[int, _Seat] = {}
        self._can_be_drawn = False
        self._pool = OWN
        self._allocator: Allocator | None = None
        self._leave: Callable[[], object] = lambda: None  # the pool

    def capture_begin(
        self, pool: PoolId | None = None, capture_error_mode: str = "global", **options: Any
    ) -> None:
        """Record the calls of this thread from now on."""
        if self._calls is not None:
            raise RuntimeError(
                "This CUDAGraph instance already owns a captured graph. To capture a new graph, "
                "create a new instance."
            )
        if torch.cuda.current_stream() == torch.cuda.default_stream():
            raise RuntimeError(
                "CUDA graphs must be captured on a non-default stream. (However, after capture, "
                "it's ok to replay them on the default stream.)"
            )
        card = runtime.current_device()
        self.register_generator_state(runtime.ready().generators[card])
        self._use_pool(runtime.ready().allocator(card), pool)
        capturing.ongoing = capturing.Capture(runtime.ready().card(card).clock.lane)
        self._capture = _Capture(set(self._seats))
        self._until_its_end.enter_context(held_closed())
        self._until_its_end.enter_context(self._capture)

    def _use_pool(self, allocator: Allocator, pool: PoolId | None) -> None:
        """Allocate new tensors of this thread from a pool, which lives until ``reset``.

        Without a number the graph gets a new pool.
        """
        pool = new_id(by_user=False) if pool is None or pool == OWN else pool
        allocator.join(pool)
        finalizer = weakref.finalize(self, allocator.leave, pool)
        finalizer.atexit = False
        self._allocator, self._pool, self._leave = allocator, pool, finalizer
        allocator.begin_route(Route(pool, this_thread()))

    def capture_end(self) -> None:
        """End the capture: the graph consists of the calls since ``capture_begin``."""
        stream = capturing.ongoing
        if self._capture is None or stream is None:
            raise RuntimeError("capture_end() called before capture_begin().")
        if capturing.here() is None or stream.lane.stream != torch.cuda.current_stream().stream_id:
            raise RuntimeError("Capture must end on the same stream it began on.")
        assert self._allocator is not None
        self._until_its_end.close()
        self._calls, self._capture = self._capture.calls, None
        self._allocator.end_route(self._pool)
        capturing.ongoing = None
        if stream.is_lost:
            self._calls = None
            raise errors.capture_was_lost()
        if not self._calls:
            warnings.warn(
                "The CUDA Graph is empty. This usually means that the graph was attempted to be "
                "captured on wrong device or stream.",
                stacklevel=2,
            )

    def replay(self) -> None:
        """Repeat all calls with the current values of their tensors."""
        if self._calls is None:
            raise RuntimeError("Called CUDAGraph::replay without a preceding successful capture.")
        state = runtime.ready()
        with (
            torch.no_grad(),
            torch.autocast("cuda", enabled=False),
            state.clock.at_once("replay of a graph"),
            state.clock.one_launch(),
            _uncounted(state.allocators),
        ):
            for call in self._calls:
                call.repeat()

    def reset(self) -> None:
        """Delete the graph and free its memory."""
        self._calls = None
        self._seats.clear()
        self._leave()

    def pool(self) -> PoolId:
        """The number of its memory pool, for sharing with other graphs."""
        if self._calls is None:
            raise RuntimeError("Called CUDAGraph::pool() without a preceding successful capture.")
        return self._pool

    def instantiate(self) -> None:
        """Do nothing: a captured graph is ready for replay."""

    def enable_debug_mode(self) -> None:
        """Allow ``debug_dump``."""
        self._can_be_drawn = True

    def register_generator_state(self, generator: CudaGenerator) -> None:
        """Allow the graph to draw numbers from the current state of a generator."""
        generator = virtual(generator)
        number = id(generator.state)
        seat = _seats.get(number) or _Seat(generator.state, generator.device.index)
        self._seats[number] = _seats[number] = seat

    def debug_dump(self, debug_path: str) -> None:
        """Write the graph as a Graphviz file: its calls in the order of a replay."""
        if not self._can_be_drawn:
            warnings.warn(
                "CUDA Graphs debug not enabled, set with [graph].enable_debug_mode()", stacklevel=2
            )
            return
        calls = self._calls or []
        nodes = [f'{number} [label="{call.name}"];' for number, call in enumerate(calls)]
        arrows = [f"{number} -> {number + 1};" for number in range(len(calls) - 1)]
        drawing = "\n".join(["digraph {", *nodes, *arrows, "}"])
        Path(debug_path).write_text(drawing + "\n", encoding="utf-8")

    def __getattr__(self, name: str) -> Any:
        if name in _OF_THE_DRIVER:
            raise UnsupportedName(f"{name} of graphs", "capture, replay and reset work")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


# Methods that return the driver's own graph, or add conditions to it.
_OF_THE_DRIVER = {
    "begin_capture_to_if_node",
    "end_capture_to_conditional_node",
    "get_currently_capturing_graph",
    "get_graph_data",
    "raw_cuda_graph",
    "raw_cuda_graph_exec",
}


def _is_capturing() -> bool:
    return capturing.here() is not None


def patch(patches: Patches) -> None:
    """Let ``torch.cuda.graph`` capture, and ``make_graphed_callables`` with it."""
    for module in (torch.cuda, torch.cuda.graphs):
        patches.set(module, CUDAGraph=CUDAGraph)
    patches.set(
        torch.cuda.graphs,
        _cuda_isCurrentStreamCapturing=_is_capturing,
        _graph_pool_handle=new_id,
    )
    patches.set(torch._C, _cuda_isCurrentStreamCapturing=_is_capturing)
    # Old streams cannot be used now.
    patches.set(torch.cuda.graphs.graph, default_capture_stream=None)
