"""The state behind one ``enable()``: which cards are visible, with their allocators and generators.

There is at most one runtime. Kernels and patches ask for it on every call, so that nothing of a
disabled machine is used by mistake.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import torch

from . import errors
from .cards import Card, close_to_all
from .hardware.profiles import DRIVER, DeviceProfile, Machine
from .hardware.visibility import visible_cards
from .memory.allocator import Allocator
from .random import CudaGenerator
from .timing.clock import Clock

# The C++ device guard is the one source of truth for the current device (it is per thread).
# Kept here because the same names in torch._C are patched while virtual GPUs are on.
_get_device = torch._C._accelerator_getDeviceIndex
_set_device = torch._C._accelerator_setDeviceIndex


class Runtime:
    """Everything that lives from ``enable()`` to ``disable()``.

    ``profiles`` are all cards in PCI order. ``utilization`` answers how many percent of the last
    sample period this process kept a card (by its logical number) busy; it is a hook for whoever
    keeps the time. ``loses_contexts``: whether an assertion that fails in a kernel ends the use of
    CUDA, as on a real card; ``lost`` then says that it has.
    """

    def __init__(
        self,
        profiles: tuple[DeviceProfile, ...],
        driver: str = DRIVER,
        loses_contexts: bool = False,
    ) -> None:
        self.profiles = profiles
        self.driver = driver
        self.loses_contexts = loses_contexts
        self.lost = False
        self.utilization: Callable[[int], int] = lambda index: 0
        self.counted = False  # by CUDA itself, as torch.cuda.is_available() has it do
        self.started = False
        self.forked = False
        self.allocators: tuple[Allocator, ...] = ()
        self.generators: tuple[CudaGenerator, ...] = ()
        self.clock = Clock(())
        self.cards: tuple[Card, ...] = ()
        self._visible: tuple[int, ...] | None = None

    @property
    def machine(self) -> Machine:
        """A description of the machine as this process sees it now."""
        visible = visible_cards(self.profiles) if self._visible is None else self._visible
        return Machine(self.profiles, visible, self.driver)

    @property
    def device_count(self) -> int:
        """Number of visible cards; asking freezes the answer, as CUDA's own first call does."""
        return len(self.freeze())

    def freeze(self) -> tuple[int, ...]:
        """Read CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER for good."""
        if self._visible is None:
            self._visible = visible_cards(self.profiles)
            self.allocators = tuple(
                Allocator(logical, self.profiles[physical].memory, self.profiles[physical].others)
                for logical, physical in enumerate(self._visible)
            )
            self.clock = Clock([self.profiles[physical] for physical in self._visible])
            self.utilization = self.clock.utilization
            self.cards = tuple(
                map(Card, range(len(self._visible)), self.allocators, self.clock.cards)
            )
            self.generators = tuple(CudaGenerator(i) for i in range(len(self._visible)))
            for generator in self.generators:
                generator.seed()  # CUDA's own generators start from a seed nobody chose
        return self._visible

    def start(self) -> None:
        """CUDA's lazy initialisation. Raises RuntimeError where no card is visible."""
        if not self.freeze():
            raise RuntimeError(errors.NO_DEVICES)
        self.started = True
        torch.cuda.default_generators = self.generators  # type: ignore[assignment]

    def kernel_asserted(self) -> torch.AcceleratorError:
        """Take note that an assertion failed in a kernel; return the error to raise."""
        if self.loses_contexts:
            self.lost = True
            close_to_all()
        return errors.device_side_assert()

    def profile(self, index: int) -> DeviceProfile:
        """The card behind a logical number."""
        return self.profiles[self.freeze()[self.check(index)]]

    def logical_number(self, number: int) -> int | None:
        """The logical number of a card, or None before the first use and for hidden cards."""
        visible = self._visible or ()
        return visible.index(number) if number in visible else None

    def check(self, index: int) -> int:
        """Return a logical device number, or raise CUDA's invalid ordinal error."""
        if not 0 <= index < self.device_count:
            raise errors.invalid_ordinal()
        return index

    def allocator(self, index: int) -> Allocator:
        """The allocator of one visible card."""
        return self.allocators[self.check(index)]

    def card(self, index: int) -> Card:
        """One visible card. A tensor may be on one that an earlier ``enable()`` had, alone."""
        return self.cards[self.check(index)]

    def live_bytes(self) -> int:
        """Bytes that living tensors hold on all cards together."""
        return sum(allocator.live_bytes for allocator in self.allocators)


_active: Runtime | None = None


def current() -> Runtime | None:
    """The runtime that is switched on, or None."""
    return _active


def switched_on() -> Runtime:
    """The runtime that is switched on, for functions of ``virtual_cuda`` itself.

    Raises RuntimeError where none is.
    """
    if _active is None:
        raise RuntimeError("Virtual GPUs are off; call virtual_cuda.enable() first.")
    return _active


def activate(runtime: Runtime | None) -> None:
    """Switch a runtime on, or the present one off."""
    global _active
    _active = runtime


def ready() -> Runtime:
    """The runtime, started, with a context: what every kernel asks for first.

    Raises:
        AssertionError: virtual CUDA is off (torch's own text).
        RuntimeError: this is a forked child, or no card is visible.
        torch.AcceleratorError: the context was lost to an assertion in a kernel.
    """
    runtime = started()
    if runtime.lost:
        raise errors.device_side_assert()
    return runtime


def started() -> Runtime:
    """The runtime, started: for what needs no context, such as the allocator's own counts.

    Raises:
        AssertionError: virtual CUDA is off (torch's own text).
        RuntimeError: this is a forked child, or no card is visible.
    """
    runtime = _active
    if runtime is None:
        raise AssertionError(errors.NOT_COMPILED)
    if runtime.forked:
        raise RuntimeError(errors.FORKED)
    if not runtime.started:
        torch.cuda._lazy_init()
    return runtime


def current_device() -> int:
    """The number of the calling thread's current device."""
    return _get_device()


def set_device(index: int) -> None:
    """Make ``index`` the calling thread's current device; a negative number changes nothing."""
    if index >= 0:
        _set_device(started().check(index))


def exchange_device(index: int) -> int:
    """Make ``index`` current and return the previous device."""
    previous = current_device()
    if index != previous:
        set_device(index)
    return previous


def resolve(device: torch.device | str | int | None) -> torch.device:
    """A device with an index; ``cuda`` without one means the current device."""
    if device is None:
        return torch.device("cuda", current_device())
    if isinstance(device, int):
        return torch.device("cuda", device)
    device = torch.device(device)
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", current_device())
    return device


def _after_fork_in_child() -> None:
    # CUDA cannot be used in a child once the parent has asked it for anything; before that it can.
    if _active is not None and (_active.started or _active.counted):
        _active.forked = True


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_after_fork_in_child)
