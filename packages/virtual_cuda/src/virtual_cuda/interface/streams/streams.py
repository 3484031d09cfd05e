"""Streams and events of virtual GPUs, in modelled time.

Kernels run at once on any stream, so values are right even if a program forgets a wait. A trace
reports the missing wait. The clock (``timing``) computes when work starts and ends; this module is
its interface for programs.
"""

from __future__ import annotations

import ctypes
import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NoReturn, Self

import torch
from torch.cuda._utils import _get_device_index

from ... import capturing, errors, runtime
from ...errors import UnsupportedFeature
from ...patches import Patches
from ...timing.clock import Clock, Knowledge, Lane, current_streams

# torch's own classes, which are replaced while virtual GPUs are on.
TorchStream = torch.Stream
TorchEvent = torch.Event

_CUDA_DEVICE_TYPE = 1
_LOWEST, _HIGHEST = 0, -3  # c10/cuda/CUDAStream.h: four levels at most
_FIRST_HANDLE = 1 << 12  # the driver's 1 and 2 name default streams, also in the rules of DLPack
_POOL = 32  # streams of one level; the 33rd is the first one again (CUDAStream.h)


class _Pools:
    """Numbers for new streams, by card and level. 0 is every card's default stream."""

    def __init__(self) -> None:
        self._pools: dict[tuple[int, int], Iterator[int]] = defaultdict(
            lambda: itertools.cycle(range(_POOL))
        )

    def next_id(self, card: int, level: int) -> int:
        return 1 + next(self._pools[card, level]) + _POOL * -level


_pools = _Pools()


def _handle(stream_id: int) -> int:
    """The handle of a stream for other libraries; 0 is the default stream."""
    return _FIRST_HANDLE + stream_id if stream_id else 0


def _id_of(handle: int) -> int:
    return max(handle - _FIRST_HANDLE, 0)


def _clock() -> Clock:
    return runtime.ready().clock


def _lane(stream: torch.Stream | None) -> Lane:
    """The clock's lane of a stream, or of the current one."""
    if stream is None:
        return _clock().cards[runtime.current_device()].lane
    return _clock().cards[stream.device_index].lanes[stream.stream_id]


def _card(device: Any) -> int:
    """The number of a card. Raises torch's own ValueError for other devices."""
    index = _get_device_index(device, optional=True)
    return index if index >= 0 else runtime.current_device()


class _GenericType(type):
    """Makes ``isinstance`` of a replacement class, but not of its subclasses, test the C type."""

    genuine: type

    def __instancecheck__(cls, instance: object) -> bool:
        if "genuine" in vars(cls):
            return isinstance(instance, cls.genuine)
        return super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        if "genuine" in vars(cls):
            return issubclass(subclass, cls.genuine)
        return super().__subclasscheck__(subclass)


def _is_cuda(device: Any) -> bool:
    return device is None or isinstance(device, int) or torch.device(device).type == "cuda"


class GenericStream(TorchStream, metaclass=_GenericType):
    """Replaces ``torch.Stream``: a virtual stream unless another device type is named."""

    genuine = TorchStream

    def __new__(cls, device: Any = None, **kwargs: Any) -> Any:
        """A stream of the named device type, else a virtual one."""
        if cls is not GenericStream:
            return super().__new__(cls, **kwargs)
        return Stream(device, **kwargs) if _is_cuda(device) else TorchStream(device, **kwargs)


class GenericEvent(TorchEvent, metaclass=_GenericType):
    """Replaces ``torch.Event``: a virtual event unless another device type is named."""

    genuine = TorchEvent

    def __new__(cls, device: Any = None, **kwargs: Any) -> Any:
        """An event of the named device type, else a virtual one."""
        if cls is not GenericEvent:
            return super().__new__(cls, device)
        return Event(**kwargs) if _is_cuda(device) else TorchEvent(device, **kwargs)


class Stream(GenericStream):
    """Replaces ``torch.cuda.Stream``."""

    priority: int

    def __new__(
        cls,
        device: Any = None,
        priority: int = 0,
        *,
        stream_id: int | None = None,
        device_index: int | None = None,
        device_type: int = _CUDA_DEVICE_TYPE,
    ) -> Self:
        """A new stream of a card, or the existing stream with this number."""
        state = runtime.ready()
        index = _card(device) if device_index is None else device_index
        state.check(index)
        if priority > _LOWEST:
            raise RuntimeError(
                f"Expected cuda stream priority to be less than or equal to 0, got {priority}"
            )
        priority = max(_HIGHEST, priority)
        stream = super().__new__(
            cls,
            stream_id=_pools.next_id(index, priority) if stream_id is None else stream_id,
            device_index=index,
            device_type=_CUDA_DEVICE_TYPE,
        )
        stream.priority = priority if stream_id is None else -(max(stream_id - 1, 0) // _POOL)
        return stream

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Everything is done in ``__new__``: the C type takes no further arguments."""

    @property
    def cuda_stream(self) -> int:
        """The stream's handle, for other libraries."""
        return _handle(self.stream_id)

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.cuda_stream)

    def __cuda_stream__(self) -> tuple[int, int]:
        """Version and handle: NVIDIA's protocol for streams of other libraries."""
        return 0, self.cuda_stream

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The lowest and the highest priority."""
        return _LOWEST, _HIGHEST

    def query(self) -> bool:
        """Whether all work is done. The call takes the host 1 µs."""
        lane = _lane(self)
        capturing.forbid_waiting(lane)
        return _clock().look(lane.ready, lane.snapshot())

    def is_capturing(self) -> bool:
        """Whether a graph is being captured, on any stream."""
        return torch.cuda.is_current_stream_capturing()

    def synchronize(self) -> None:
        """Make the host wait for the stream."""
        _clock().wait_for(_lane(self))

    def wait_event(self, event: torch.Event) -> None:
        """Make the stream's later work wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: torch.Stream) -> None:
        """Make the stream's later work wait for the current work of another stream."""
        self.wait_event(stream.record_event())

    def record_event(self, event: torch.Event | None = None) -> torch.Event:
        """Record an event, or a new one. Returns it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        self._context = torch.cuda.stream(self)  # type: ignore[arg-type]
        self._context.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._context.__exit__(*exception)
        del self._context  # it refers to this stream: a reference cycle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TorchStream) and (self.stream_id, self.device_index) == (
            other.stream_id,
            other.device_index,
        )

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device_index))

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class ExternalStream(Stream):
    """Replaces ``torch.cuda.ExternalStream``: a stream by its handle."""

    def __new__(cls, stream_ptr: int, device: Any = None) -> Self:
        """The stream with this handle."""
        index = _card(device)
        return super().__new__(cls, stream_id=_id_of(stream_ptr), device_index=index)


class Event(GenericEvent):
    """Replaces ``torch.cuda.Event``."""

    cuda_event = 0  # until it is recorded
    _timed: bool
    _moment: int | None  # ns, once recorded
    _device_index: int
    _known: Knowledge

    def __new__(
        cls,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> Event:
        """An event that is not recorded yet."""
        runtime.started()
        event = super().__new__(cls, "cuda")
        event._timed = enable_timing
        event._moment = None
        return event

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Everything is done in ``__new__``: the C type takes no further arguments."""

    @property
    def device(self) -> torch.device | None:  # type: ignore[override]
        """The card on which it was recorded; None before that."""
        return None if self._moment is None else torch.device("cuda", self._device_index)

    def record(self, stream: torch.Stream | None = None) -> None:
        """Record the current work of a stream, or of the current stream."""
        lane = _lane(stream)
        index = lane.card.index
        if self._moment is not None and index != self._device_index:
            raise RuntimeError(
                f"Event device {self._device_index} does not match recording stream's device "
                f"{index}."
            )
        self._device_index = index
        self.cuda_event = id(self)
        self._moment = max(_clock().host, lane.ready)
        self._known = lane.snapshot()

    def wait(self, stream: torch.Stream | None = None) -> None:
        """Make a stream wait for this event; the host continues."""
        lane = _lane(stream)
        if self._moment is not None:
            lane.wait(self._moment, self._known)

    def query(self) -> bool:
        """Whether the recorded work is done. The call takes the host 1 µs."""
        return self._moment is None or _clock().look(self._moment, self._known)

    def synchronize(self) -> None:
        """Make the host wait for the recorded work."""
        if self._moment is not None:
            _clock().wait(self._moment, self._known)

    @property
    def event_id(self) -> int:  # type: ignore[override]
        """The event's handle, 0 until it is recorded."""
        return self.cuda_event

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.cuda_event)

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: bytes) -> NoReturn:
        """Refuse: events do not travel between processes."""
        raise UnsupportedFeature("events of other processes", "wait with a barrier or a queue")

    def ipc_handle(self) -> NoReturn:
        """Refuse: events do not travel between processes."""
        raise UnsupportedFeature("events for other processes", "wait with a barrier or a queue")

    def elapsed_time(self, end_event: Event) -> float:  # type: ignore[override]
        """Modelled milliseconds between two events. Errors as in ``ATen/cuda/CUDAEvent.h``."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._moment is None or end_event._moment is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if max(self._moment, end_event._moment) > _clock().host:
            raise RuntimeError("Both events must be completed before calculating elapsed time.")
        if self._device_index != end_event._device_index:
            raise errors.invalid_resource_handle()
        return (end_event._moment - self._moment) / 1e6

    def __repr__(self) -> str:
        state = "uninitialized" if self._moment is None else f"{id(self):#x}"
        return f"<torch.cuda.Event {state}>"


def _current(index: int) -> tuple[int, int, int]:
    return current_streams.ids.get(index, 0), index, _CUDA_DEVICE_TYPE


def _default(index: int) -> tuple[int, int, int]:
    return 0, index, _CUDA_DEVICE_TYPE


def _from_external(handle: int, index: int) -> tuple[int, int, int]:
    return _id_of(handle), index, _CUDA_DEVICE_TYPE


def _select(stream_id: int, device_index: int, device_type: int) -> None:
    current_streams.select(device_index, stream_id)
    runtime.set_device(device_index)


def _synchronize(index: int | None = None) -> None:
    """``torch.cuda.synchronize`` (which selects the card first) and the accelerator's."""
    state = runtime.ready()
    card = runtime.current_device() if index is None else state.check(index)
    state.clock.cards[card].synchronize()


def _sleep(cycles: int) -> None:
    _clock().cards[runtime.current_device()].sleep(cycles)


def _accelerator_stream(index: int | None = None) -> torch.Stream:
    return torch.cuda.current_stream(index)


def _select_accelerator_stream(stream: torch.Stream) -> None:
    _select(stream.stream_id, stream.device_index, _CUDA_DEVICE_TYPE)


def patch(patches: Patches) -> None:
    """Install the virtual streams and events."""
    for module in (torch.cuda, torch.cuda.streams):
        patches.set(module, Stream=Stream, ExternalStream=ExternalStream, Event=Event)
    for module in (torch, torch._C):  # compiled functions look in the second
        patches.set(module, Stream=GenericStream, Event=GenericEvent)
    patches.set(
        torch._C,
        _cuda_getCurrentStream=_current,
        _cuda_getDefaultStream=_default,
        _cuda_getStreamFromExternal=_from_external,
        _cuda_setStream=_select,
        _cuda_getCurrentRawStream=lambda index: _handle(_current(index)[0]),
        _cuda_synchronize=_synchronize,
        _cuda_sleep=_sleep,
        _accelerator_synchronizeDevice=_synchronize,
        _accelerator_getStream=_accelerator_stream,
        _accelerator_setStream=_select_accelerator_stream,
    )
    # DataParallel keeps its copy streams in a module variable; old streams cannot be used now.
    patches.set(torch.nn.parallel._functions, _streams=None)
