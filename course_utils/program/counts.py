"""Counters inside a training program: a file for `exercise_kit.programs.within.watched`.

It imports nothing of the course, so that the imports of the program work as without it.
"""

import contextlib
import linecache
import os
import sys
import tempfile
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from itertools import groupby
from pathlib import Path
from typing import Any

import torch
from torch.nn.modules.module import register_module_forward_pre_hook

import virtual_cuda

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_ALLOWED = ("/dev/", os.path.realpath(tempfile.gettempdir()))  # contains a program's own folder
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def begin() -> Callable[[], dict[str, Any]]:
    """Start to count, in modules and on virtual GPUs. Returns a function that stops: `_end`.

    The counts are in no module, where the program could find them.
    """
    _load_modules()
    found: dict[str, Any] = {"evaluating": False, "in_vain": 0, "outside": [], "ran": set()}
    kept = contextlib.ExitStack()

    def note_mode(module: torch.nn.Module, _inputs: Any) -> None:
        found["evaluating"] |= torch.is_grad_enabled() and not module.training
        found["ran"].update(str(each.device) for each in module.parameters(recurse=False))

    sys.addaudithook(partial(_note_outside, found["outside"]))
    register_module_forward_pre_hook(note_mode)
    trace = None
    if virtual_cuda.is_enabled():
        trace = kept.enter_context(virtual_cuda.trace())
        owners: list[Any] = [torch.cuda, torch.accelerator, torch.cuda.Stream, torch.cuda.Event]
        for owner in owners:
            owner.synchronize = _counted(owner.synchronize, trace, found)

    return partial(_end, found, trace, kept)


def _end(found: dict[str, Any], trace: Any, kept: contextlib.ExitStack) -> dict[str, Any]:
    """The facts of the program; GPUs by their numbers.

    outside: files that Python opened for writing outside the program's folder and the folder for
        temporary files, and ports on which it listened for other computers; absent if none.
    evaluating: whether a module in evaluation mode was called while gradients were recorded.
    used: GPUs that held tensors. ran: devices of the parameters of modules that were called.
    hazards: whether work used memory without waiting for earlier work on it.
    given_away: whether memory was freed while work still used it.
    waits: how often the host waited, plus calls of `synchronize` with nothing to wait for: in
        another run there may be something.
    copies: the number of each kind, except copies to the CPU, which are waits.
    collectives: the number of calls of each kind on GPUs, by this rank.
    elsewhere: kernels that did not run in a default stream.
    beside, alone, in_a_row: copies from pinned memory: those in a stream with kernels; those that
        overlapped no kernel; the most that were queued without a kernel in between.
    """
    gpus = range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0)
    facts: dict[str, Any] = {
        "evaluating": found["evaluating"],
        "ran": sorted(found["ran"]),
        "used": [n for n in gpus if torch.cuda.max_memory_allocated(n)],
        **({"outside": found["outside"]} if found["outside"] else {}),
    }
    if trace is None or not gpus:
        return facts
    in_vain = found["in_vain"]
    for gpu in gpus:
        torch.cuda.synchronize(gpu)
    kept.close()
    kernels = [work for work in trace.intervals if work.engine == "compute"]
    pinned = [work for work in trace.intervals if work.name == "H2D pinned"]
    computing = {(work.device, work.stream) for work in kernels}
    return facts | {
        "hazards": bool(trace.hazards),
        "given_away": bool(trace.early_frees),
        "waits": len(trace.host) + in_vain,
        "copies": Counter(work.name for work in trace.intervals if work.engine in ("H2D", "P2P")),
        "collectives": Counter(call.name for call in trace.collectives),
        "elsewhere": sum(work.stream != 0 for work in kernels),
        "beside": sum((work.device, work.stream) in computing for work in pinned),
        "alone": sum(not any(_overlap(copy, kernel) for kernel in kernels) for copy in pinned),
        "in_a_row": max(_runs(work.name == "H2D pinned" for work in trace.intervals), default=0),
    }


def _load_modules() -> None:
    """Run the program's other modules before it does, and put the lines of all into `linecache`.

    So the audit hook does not see these files being opened. A module that fails is left to the
    program.
    """
    program = Path(sys.argv[0]).absolute()
    for file in program.parent.glob("*.py"):
        name, path = file.stem, str(file)
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeError):  # an earlier run may have left such a file
            continue
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
        if file != program and name not in sys.modules:
            sys.modules[name] = module = types.ModuleType(name)
            module.__file__ = path
            try:
                exec(compile(text, path, "exec"), vars(module))
            except Exception:
                del sys.modules[name]


def _note_outside(outside: list[str], event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str | bytes) and args[2] & _WRITING:
        place = os.path.realpath(os.fsdecode(args[0]))
        if not place.startswith((*_ALLOWED, os.getcwd())):
            outside.append(f"the file {place}")
    elif event == "socket.bind" and isinstance(args[1], tuple) and args[1][0] not in _LOOPBACK:
        outside.append(f"port {args[1][1]} for other computers")


def _counted(
    synchronize: Callable[..., None], trace: Any, found: dict[str, Any]
) -> Callable[..., None]:
    """`synchronize`, which counts its calls that leave no wait in the trace."""

    @wraps(synchronize)
    def counted(*args: Any, **kwargs: Any) -> None:
        waits = len(trace.host)
        synchronize(*args, **kwargs)
        found["in_vain"] += len(trace.host) == waits

    return counted


def _runs(flags: Iterable[bool]) -> Iterator[int]:
    """The length of each run of flags that are set."""
    for is_set, group in groupby(flags):
        if is_set:
            yield len([*group])


def _overlap(one: Any, other: Any) -> bool:
    return bool(one.start < other.end and other.start < one.end)
