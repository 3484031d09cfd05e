"""Switching virtual CUDA on and off: all checks first, then every change with its undo."""

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
_switching = threading.RLock()  # all of it is the process's, whichever thread asks
# Runtime -> how many blocks of `enabled` keep it on.
_blocks: WeakKeyDictionary[runtime.Runtime, int] = WeakKeyDictionary()


@contextmanager
def _garbage_waits() -> Iterator[None]:
    """Collect no garbage meanwhile: after importing torch it takes longer than the rest."""
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
    """Make this process see ``device_count`` virtual GPUs, or the given cards.

    Calling it again for the same machine changes nothing. CUDA_VISIBLE_DEVICES chooses among the
    virtual GPUs, and is read for good when CUDA is first used, as on a real machine. Memory of this
    computer is only taken when tensors use it, so that the cards may promise more than it has.
    More than 8 cards take a C++ compiler when they are first asked for (``platform/guard.py``).

    Args:
        device_count: number of GPUs, 1 to 64; 4 unless ``cards`` are given.
        memory: memory of each GPU, in bytes or as text such as ``"2 GiB"`` (which is the default).
        profile: what each GPU is: a name of the catalogue such as ``"A100"``, or a profile.
        cards: what the GPUs are, one by one, where they are not all the same.
        name: what ``torch.cuda.get_device_name()`` answers; by default it says "virtual".
        driver: version of the driver; 470 and earlier have the older layout of nvidia-smi.
        lost_contexts: let an assertion that fails in a kernel (an index out of range, say) end
            the use of CUDA, as on a real card: whatever asks for it afterwards raises the same
            error, until the process ends or ``disable()`` is called. Otherwise such a mistake
            costs a notebook one cell, and not its kernel. Programs that are given virtual GPUs
            from outside (``virtual_cuda run``, VIRTUAL_CUDA, pytest) have it on.
        quiet: print no banner.
        allow_untested_torch: try a version of torch for which this was never tested; the
            environment variable VIRTUAL_CUDA_ALLOW_UNTESTED_TORCH=1 does the same.
        hide_real_gpus: go on where real GPUs are visible, and hide them from this process; the
            environment variable VIRTUAL_CUDA_HIDE_REAL_GPUS=1 does the same.
        skip_probe: do without the trial in a child process where this combination of torch, Python
            and platform is new (``probe``); the environment variable VIRTUAL_CUDA_PROBE=skip does
            the same.

    Raises:
        ValueError: the GPUs asked for are not possible.
        VirtualCudaUnavailable: this computer, this torch or this process cannot have virtual GPUs.
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
    """What `registration.register` takes."""
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
    """Do what takes longest in ``enable``, for a process whose forks will call it.

    The kernels are registered, which the CPU build of torch keeps; nothing is on afterwards. Where
    there can be no virtual GPUs it does nothing: ``enable`` says why.
    """
    with _switching, suppress(errors.VirtualCudaUnavailable):
        if not is_enabled() and not HAS_CUDA_BUILD:
            check_version(allow_untested=False)
            registration.register(*kernels())()


def disable() -> None:
    """Switch virtual CUDA off and restore torch; does nothing where it is off.

    Tensors that are still on a virtual GPU cannot be used any more.
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
    """Virtual GPUs for the length of a ``with`` block; then the process is as it was before.

    Takes what ``enable`` takes and raises what it raises, but prints nothing. Where the same
    machine is on already, by ``enable`` or by a block around this one, it stays on.
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
    """``enabled`` with a fresh machine, whatever is on; that returns after the block.

    Its tensors cannot be used within the block, and can be used again afterwards.
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
                    before.start()  # its allocators and generators are still there
                    torch.cuda._initialized = True  # torch.cuda.init() would seed them anew


def is_enabled() -> bool:
    """Whether virtual GPUs are on in this process."""
    return runtime.current() is not None


def machine() -> Machine:
    """The machine that is on. Raises RuntimeError where none is."""
    return runtime.switched_on().machine


def live_bytes() -> int:
    """Bytes held by living tensors on all virtual GPUs. Raises RuntimeError where none is on."""
    return runtime.switched_on().live_bytes()


def _check_same(present: runtime.Runtime, profiles: tuple[DeviceProfile, ...], driver: str) -> None:
    if (present.profiles, present.driver) != (profiles, driver):
        raise RuntimeError(
            f"Virtual GPUs are already on ({_describe(present.machine)}); "
            "call virtual_cuda.disable() before enabling others."
        )
    if present.forked:
        raise RuntimeError(f"{errors.FORKED}.")


def _say(machine: Machine) -> None:
    print(f"virtual_cuda: {_describe(machine)}, computed by this computer's CPU.")
    print("Results, errors and memory numbers are CUDA's; random numbers and the speed are not.")
    promised = sum(card.memory for card in machine.devices)
    if promised > host_memory():
        print(
            f"They promise {human_bytes(promised)}; this computer has "
            f"{human_bytes(host_memory())}, which is only taken when tensors use it."
        )


def _describe(machine: Machine) -> str:
    kinds = {(card.name, card.memory) for card in machine.devices}
    many = f"{machine.device_count} virtual GPU{'s' if machine.device_count > 1 else ''}"
    if len(kinds) == 1:
        return f"{many} of {human_bytes(machine.memory)}"
    each = ", ".join(f"{card.name} {human_bytes(card.memory)}" for card in machine.devices)
    return f"{many} ({each})"
