"""What a program is, and the helpers with which programs turn what they see into facts.

A program is a function of devices that returns facts: a dictionary that JSON can hold and that is
the same at every run on every machine with enough GPUs. Numbers that come from a GPU's generator
or from its rounding are no facts; that they are close to the CPU's is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

Devices = Sequence[torch.device]
Facts = dict[str, Any]
Action = Callable[[], Any]

SHARED = "shared"
OWN = "own"  # a process of its own: the program looks at CUDA's start, or breaks it


@dataclass(frozen=True)
class Program:
    """One program and what a real GPU is expected to show.

    ``needs_devices`` is the number of GPUs it needs, ``needs_module`` a package beside torch.
    Programs of one ``process`` share a process. ``source`` says where ``expected`` comes from.
    ``says_cuda``: it asks for cards itself, so that only worlds with CUDA can run it.
    """

    name: str
    shows: str
    run: Callable[[Devices], Facts]
    expected: Facts
    source: str
    needs_devices: int
    needs_module: str | None
    process: str
    says_cuda: bool = False


PROGRAMS: dict[str, Program] = {}


def program(
    expected: Facts,
    *,
    source: str,
    devices: int = 1,
    module: str | None = None,
    process: str = SHARED,
) -> Callable[[Callable[[Devices], Facts]], Callable[[Devices], Facts]]:
    """Register a function as a program; its name and docstring become the program's."""

    def register(run: Callable[[Devices], Facts]) -> Callable[[Devices], Facts]:
        name = f"{run.__module__.rsplit('.', 1)[-1]}.{run.__name__}"
        assert name not in PROGRAMS and run.__doc__, f"{name}: taken, or without docstring"
        shows = run.__doc__.strip().splitlines()[0]
        own = name if process == OWN else process
        PROGRAMS[name] = Program(name, shows, run, expected, source, devices, module, own)
        return run

    return register


def refused(
    text: str, *, source: str, kind: str = "RuntimeError", devices: int = 1, process: str = SHARED
) -> Callable[[Callable[[Devices], Any]], Callable[[Devices], Any]]:
    """Register a function that must raise ``kind`` with exactly ``text``."""

    def register(act: Callable[[Devices], Any]) -> Callable[[Devices], Any]:
        def run(devices: Devices) -> Facts:
            return caught(lambda: act(devices))

        run.__module__, run.__name__, run.__doc__ = act.__module__, act.__name__, act.__doc__
        expected = {"type": kind, "text": text}
        program(expected, source=source, devices=devices, process=process)(run)
        return act

    return register


def caught(action: Action) -> Facts:
    """Type and text of what ``action`` raises; both None if it raises nothing."""
    try:
        action()
    except Exception as error:
        return {"type": type(error).__name__, "text": stable_text(str(error))}
    return {"type": None, "text": None}


def stable_text(text: str) -> str:
    """An error text without what differs from run to run: C++ frames, tracebacks, pids, addresses.

    Of a traceback inside the text only the line with the error is kept.
    """
    text = text.split("\nException raised from ")[0]
    text = re.sub(r"Original Traceback \(most recent call last\):\n(?:[ \t].*\n)*", "", text)
    text = re.sub(r"\b(pid|Process) \d+", r"\1 N", text)
    return re.sub(r"0x[0-9a-fA-F]+", "0xN", text)


def plain(value: Any) -> Any:
    """The JSON form of a fact: devices, dtypes and sizes as text and lists."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | torch.Size):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def observe(run: Callable[[Devices], Facts], devices: Devices) -> Facts:
    """The facts of one run. A program that fails has a fact too: how."""
    try:
        facts = plain(run(devices))
        json.dumps(facts, allow_nan=False)
    except BaseException as error:
        return {"failed": {"type": type(error).__name__, "text": stable_text(str(error))}}
    return facts


def close(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors hold the same numbers, up to the rounding of TF32 kernels."""
    return torch.allclose(one.detach().cpu(), other.detach().cpu(), rtol=1e-2, atol=1e-2)


def places(*tensors: torch.Tensor) -> list[str]:
    """Devices of tensors."""
    return [str(tensor.device) for tensor in tensors]
