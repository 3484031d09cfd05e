"""Switching virtual CUDA on and off: all checks first, then each change with its undo."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

import torch

from . import errors, interface, retag, runtime
from .errors import human_bytes
from .hardware.catalogue import choose_cards
from .hardware.profiles import DRIVER, DeviceProfile, Machine, check_driver, host_memory
from .interface.distributed import collectives
from .interface.streams import sync_debug
from .kernels import (
    attention,
    copies,
    copy_on_write,
    deterministic,
    four_bits,
    pinned,
    products,
    registration,
    sparse,
    special,
    sync_batch_norm,
    tf32,
)
from .kernels.boxed import Kernel
from .nvidia import nvml
from .patches import Patches
from .platform import helper, probe
from .platform.switches import HAS_CUDA_BUILD, find_layout, switch_on
from .preconditions import check_cuda_is_free, check_version

_PARTS = (
    *interface.PARTS,
    attention,
    copy_on_write,
    deterministic,
    nvml,
    pinned,
    retag,
    tf32,
)

_changes: ExitStack | None = None
_switching = threading.RLock()  # the state belongs to the process, for all threads
# Runtime -> the number of `enabled` blocks that keep it on.
_blocks: WeakKeyDictionary[runtime.Runtime, int] = WeakKeyDictionary()


@contextmanager
def _garbage_waits() -> Iterator[None]:
    """Disable garbage collection within the block: with torch loaded it is the slowest part."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_garbage_waits()
def enable(
    device_count: int | None = None,
    memory: int | str | None = None,
    *,
    profile: DeviceProfile | str | None = None,
    cards: Sequence[DeviceProfile | str] | None = None,
    name: str | None = None,
    driver: str = DRIVER,
    lost_contexts: bool = False,
    quiet: bool = False,
    allow_untested_torch: bool = False,
    hide_real_gpus: bool = False,
    skip_probe: bool = False,
) -> Machine:
    """Give this process ``device_count`` virtual GPUs, or the given cards. Returns the machine.

    A second call for the same machine changes nothing. CUDA_VISIBLE_DEVICES selects virtual GPUs,
    and is read once, when CUDA is first used, as on a real machine. Only tensors use memory of this
    computer, so the virtual GPUs can have more memory than it.
    The first request for more than 8 GPUs needs a C++ compiler (``platform/guard.py``).

    Args:
        device_count: number of GPUs, 1 to 64; 4 unless ``cards`` are given.
        memory: memory of each GPU, in bytes or as text such as ``"2 GiB"`` (the default).
        profile: the kind of all GPUs: a name of the catalogue such as ``"A100"``, or a profile.
        cards: the kind of each GPU, if they differ.
        name: the result of ``torch.cuda.get_device_name()``; by default it contains "virtual".
        driver: version of the driver; 470 and earlier have the older layout of nvidia-smi.
        lost_contexts: whether a failed assertion in a kernel (such as an index out of range) ends
            the use of CUDA, as on a real GPU: every later use raises the same error, until the
            process ends or ``disable()`` is called. Without it, such a mistake stops only one cell
            of a notebook, not its kernel. Programs that get virtual GPUs from outside
            (``virtual_cuda run``, VIRTUAL_CUDA, pytest) have it on.
        quiet: print no banner.
        allow_untested_torch: allow an untested version of torch; the environment variable
            VIRTUAL_CUDA_ALLOW_UNTESTED_TORCH=1 does the same.
        hide_real_gpus: if real GPUs are visible, hide them from this process and continue; the
            environment variable VIRTUAL_CUDA_HIDE_REAL_GPUS=1 does the same.
        skip_probe: skip the test in a child process for a new combination of torch, Python and
            platform (``probe``); the environment variable VIRTUAL_CUDA_PROBE=skip does the same.

    Raises:
        ValueError: an argument is not possible.
        VirtualCudaUnavailable: this computer, torch or process cannot have virtual GPUs.
        RuntimeError: virtual GPUs with other settings are on; call ``disable()`` first.
    """
    profiles = choose_cards(device_count, memory, profile, cards, name)
    check_driver(driver)
    with _switching:
        present = runtime.current()
        if present is not None:
            _check_same(present, profiles, driver)
            return present.machine
        find_layout()
        check_version(allow_untested_torch)
        check_cuda_is_free(hide_real_gpus)
        probe.require(skip_probe)
        state = runtime.Runtime(profiles, driver, lost_contexts)
        _switch_on(state)
    helper.build_in_background()
    if not quiet:
        _say(state.machine)
    return state.machine


def kernels() -> tuple[dict[str, Kernel], dict[str, Kernel], dict[str, Kernel]]:
    """The arguments of `registration.register`."""
    handmade = (
        special.SPECIAL_KERNELS
        | copies.COPY_KERNELS
        | sparse.CUDA_KERNELS
        | attention.ATTENTION_KERNELS
        | four_bits.FOUR_BIT_KERNELS
        | products.PRODUCT_KERNELS
        | sync_batch_norm.SYNC_BATCH_NORM_KERNELS
    )
    return sync_debug.watch(handmade), pinned.CPU_KERNELS, attention.WITH_GRADIENTS


def _switch_on(state: runtime.Runtime) -> None:
    global _changes
    with ExitStack() as changes:
        changes.callback(switch_on(len(state.profiles)))
        changes.callback(registration.register(*kernels()))
        changes.callback(sparse.register())
        changes.callback(collectives.register())
        patches = Patches()
        changes.callback(patches.restore)
        runtime.activate(state)
        changes.callback(runtime.activate, None)
        for part in _PARTS:
            part.patch(patches)
        _changes = changes.pop_all()


def prepare() -> None:
    """Do the slowest part of ``enable`` in advance, for a process whose forks will call it.

    It registers the kernels, which the CPU build of torch keeps, and switches nothing on. If
    virtual GPUs are not possible it does nothing, and ``enable`` raises the error.
    """
    with _switching, suppress(errors.VirtualCudaUnavailable):
        if not is_enabled() and not HAS_CUDA_BUILD:
            check_version(allow_untested=False)
            registration.register(*kernels())()


def disable() -> None:
    """Switch virtual CUDA off and restore torch. Does nothing if it is off.

    Tensors on a virtual GPU cannot be used after that.
    """
    global _changes
    with _switching:
        state = runtime.current()
        if state is None or _changes is None:
            return
        if state.started and not state.forked:
            runtime.set_device(0)  # the C++ guard outlives the runtime
        _changes.close()
        _changes = None


@contextmanager
def enabled(
    device_count: int | None = None, memory: int | str | None = None, **settings: Any
) -> Iterator[Machine]:
    """Virtual GPUs within a ``with`` block; after it the process is as before.

    Has the arguments and errors of ``enable``, but prints nothing. If the same machine is already
    on, by ``enable`` or by an outer block, it stays on.
    """
    with _switching:
        was_off = not is_enabled()
        machine = enable(device_count, memory, **{"quiet": True, **settings})
        state = runtime.switched_on()
        ours = was_off or state in _blocks
        if ours:
            _blocks[state] = _blocks.get(state, 0) + 1
    try:
        yield machine
    finally:
        with _switching:
            if ours:
                _blocks[state] -= 1
                if not _blocks[state] and runtime.current() is state:
                    disable()


@contextmanager
def replaced(
    device_count: int | None = None, memory: int | str | None = None, **settings: Any
) -> Iterator[Machine]:
    """``enabled`` with a new machine, also if another one is on, which returns after the block.

    Tensors of the other machine cannot be used within the block, but again after it.
    """
    with _switching:
        before = runtime.current()
        disable()
    try:
        with enabled(device_count, memory, **settings) as machine:
            yield machine
    finally:
        with _switching:
            disable()
            if before is not None:
                _switch_on(before)
                if before.started:
                    before.start()  # its allocators and generators still exist
                    torch.cuda._initialized = True  # torch.cuda.init() would seed them again


def is_enabled() -> bool:
    """Whether virtual GPUs are on in this process."""
    return runtime.current() is not None


def machine() -> Machine:
    """The machine that is on. Raises RuntimeError if there is none."""
    return runtime.switched_on().machine


def live_bytes() -> int:
    """Bytes of live tensors on all virtual GPUs. Raises RuntimeError if none is on."""
    return runtime.switched_on().live_bytes()


def _check_same(present: runtime.Runtime, profiles: tuple[DeviceProfile, ...], driver: str) -> None:
    if (present.profiles, present.driver) != (profiles, driver):
        raise RuntimeError(
            f"Virtual GPUs are already on ({_describe(present.machine)}). "
            "Call virtual_cuda.disable() before you enable others."
        )
    if present.forked:
        raise RuntimeError(f"{errors.FORKED}.")


def _say(machine: Machine) -> None:
    print(f"virtual_cuda: {_describe(machine)}, computed by this computer's CPU.")
    print("Results, errors and memory numbers are CUDA's; random numbers and the speed are not.")
    promised = sum(card.memory for card in machine.devices)
    if promised > host_memory():
        print(
            f"Together they have {human_bytes(promised)}. This computer has "
            f"{human_bytes(host_memory())}. Only existing tensors use memory."
        )


def _describe(machine: Machine) -> str:
    kinds = {(card.name, card.memory) for card in machine.devices}
    many = f"{machine.device_count} virtual GPU{'s' if machine.device_count > 1 else ''}"
    if len(kinds) == 1:
        return f"{many} of {human_bytes(machine.memory)}"
    each = ", ".join(f"{card.name} {human_bytes(card.memory)}" for card in machine.devices)
    return f"{many} ({each})"
