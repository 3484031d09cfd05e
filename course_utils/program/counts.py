"""What is counted inside of a training program: a file for `exercise_kit.programs.within.watched`.

It imports nothing of the course, so that the program finds what it imports as ever.
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
_ALLOWED = ("/dev/", os.path.realpath(tempfile.gettempdir()))  # where a program's own folder is
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def begin() -> Callable[[], dict[str, Any]]:
    """Look on from here, at the modules, and if there are virtual GPUs, at these: returns `end`.

    What is counted stands in no module, where the program could find it.
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
    """Facts, of the GPUs by their numbers.

    outside: if anything, what Python opened for writing outside of the program's folder and of
    those for temporary files, and where it listened for other computers. evaluating: whether a
    module in evaluation mode was called while gradients were recorded. used: those that held
    tensors. ran: the devices that parameters were on when their module was called. hazards,
    given_away: whether work used memory without waiting for what was done to it, and whether memory
    was free for others while it was used. waits: how often the host waited, and how often it called
    `synchronize` when there was nothing to wait for: on another day there is. copies: how many of
    each kind, but for those to the CPU, which are waits. elsewhere: kernels that did not run in a
    default stream. Of copies from pinned memory: beside, those in a stream that computes; alone,
    those that ran while nothing was computed; in_a_row, the most queued before something was.
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
        "elsewhere": sum(work.stream != 0 for work in kernels),
        "beside": sum((work.device, work.stream) in computing for work in pinned),
        "alone": sum(not any(_overlap(copy, kernel) for kernel in kernels) for copy in pinned),
        "in_a_row": max(_runs(work.name == "H2D pinned" for work in trace.intervals), default=0),
    }


def _load_modules() -> None:
    """Run the texts of the program's other modules, and know the lines of all.

    An audit of what the program does by itself need not tell of that. One that fails is left to it.
    """
    program = Path(sys.argv[0]).absolute()
    for file in program.parent.glob("*.py"):
        name, path = file.stem, str(file)
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeError):  # what a run before this one may have left
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
    """The same function, which counts the calls that leave no wait in the trace."""

    @wraps(synchronize)
    def counted(*args: Any, **kwargs: Any) -> None:
        waits = len(trace.host)
        synchronize(*args, **kwargs)
        found["in_vain"] += len(trace.host) == waits

    return counted


def _runs(flags: Iterable[bool]) -> Iterator[int]:
    """How many of the flags that are set follow each other, again and again."""
    for is_set, group in groupby(flags):
        if is_set:
            yield len([*group])


def _overlap(one: Any, other: Any) -> bool:
    return bool(one.start < other.end and other.start < one.end)
