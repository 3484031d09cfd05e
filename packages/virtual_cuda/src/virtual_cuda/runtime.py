"""The state of one ``enable()``: the visible cards, with their allocators and generators.

There is at most one runtime. Kernels and patches get it on every call, so that they never use parts
of a disabled machine.
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

# The C++ device guard stores the current device (for each thread).
# References to the originals, because torch._C's are patched while virtual GPUs are on.
_get_device = torch._C._accelerator_getDeviceIndex
_set_device = torch._C._accelerator_setDeviceIndex


class Runtime:
    """The state from ``enable()`` to ``disable()``.

    ``profiles`` are all cards in PCI order. ``utilization`` is a hook for the clock: from a card's
    logical number, it returns the percentage of the last sample period in which this process used
    the card. ``loses_contexts``: whether a failed assertion in a kernel ends the use of CUDA, as on
    a real GPU. ``lost``: whether this has happened.
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
        self.counted = False  # whether CUDA itself counted devices, as in torch.cuda.is_available()
        self.started = False
        self.forked = False
        self.allocators: tuple[Allocator, ...] = ()
        self.generators: tuple[CudaGenerator, ...] = ()
        self.clock = Clock(())
        self.cards: tuple[Card, ...] = ()
        self._visible: tuple[int, ...] | None = None

    @property
    def machine(self) -> Machine:
        """The machine as this process sees it now."""
        visible = visible_cards(self.profiles) if self._visible is None else self._visible
        return Machine(self.profiles, visible, self.driver)

    @property
    def device_count(self) -> int:
        """The number of visible cards. The first call freezes it, as in CUDA."""
        return len(self.freeze())

    def freeze(self) -> tuple[int, ...]:
        """The visible cards. The first call reads CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER."""
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
                generator.seed()  # CUDA's own generators start from a random seed
        return self._visible

    def start(self) -> None:
        """Initialise CUDA, as its first use does. Raises RuntimeError if no card is visible."""
        if not self.freeze():
            raise RuntimeError(errors.NO_DEVICES)
        self.started = True
        torch.cuda.default_generators = self.generators  # type: ignore[assignment]

    def kernel_asserted(self) -> torch.AcceleratorError:
        """The error for a failed assertion in a kernel, which may end the use of CUDA."""
        if self.loses_contexts:
            self.lost = True
            close_to_all()
        return errors.device_side_assert()

    def profile(self, index: int) -> DeviceProfile:
        """The profile of the card with a logical number."""
        return self.profiles[self.freeze()[self.check(index)]]

    def logical_number(self, number: int) -> int | None:
        """The logical number of a card; None before the first use, and for hidden cards."""
        visible = self._visible or ()
        return visible.index(number) if number in visible else None

    def check(self, index: int) -> int:
        """The logical device number itself. Raises CUDA's invalid ordinal error."""
        if not 0 <= index < self.device_count:
            raise errors.invalid_ordinal()
        return index

    def allocator(self, index: int) -> Allocator:
        """The allocator of one visible card."""
        return self.allocators[self.check(index)]

    def card(self, index: int) -> Card:
        """One visible card. The number can be invalid, for a tensor of an earlier ``enable()``."""
        return self.cards[self.check(index)]

    def live_bytes(self) -> int:
        """Bytes of the live tensors on all cards together."""
        return sum(allocator.live_bytes for allocator in self.allocators)


_active: Runtime | None = None


def current() -> Runtime | None:
    """The runtime that is switched on, or None."""
    return _active


def switched_on() -> Runtime:
    """The runtime that is switched on, for functions of ``virtual_cuda`` itself.

    Raises RuntimeError if there is none.
    """
    if _active is None:
        raise RuntimeError("Virtual GPUs are off. Call virtual_cuda.enable() first.")
    return _active


def activate(runtime: Runtime | None) -> None:
    """Switch a runtime on; None switches the current one off."""
    global _active
    _active = runtime


def ready() -> Runtime:
    """The started runtime with a context, for every kernel.

    Raises:
        AssertionError: virtual CUDA is off (torch's own text).
        RuntimeError: this is a forked child, or no card is visible.
        torch.AcceleratorError: the context was lost by a failed assertion in a kernel.
    """
    runtime = started()
    if runtime.lost:
        raise errors.device_side_assert()
    return runtime


def started() -> Runtime:
    """The started runtime, for functions without a context, such as the allocator's statistics.

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
    """Make ``index`` current. Returns the previous device."""
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
    # CUDA cannot be used in a child if the parent has used it before the fork.
    if _active is not None and (_active.started or _active.counted):
        _active.forked = True


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_after_fork_in_child)
