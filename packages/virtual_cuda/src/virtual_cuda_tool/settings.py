"""Which virtual GPUs a program is given: read from the environment, and written there."""

from __future__ import annotations

import atexit
import functools
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from virtual_cuda import Machine

GPUS = "VIRTUAL_CUDA"
MEMORY = "VIRTUAL_CUDA_MEMORY"
NVIDIA_SMI = "VIRTUAL_CUDA_NVIDIA_SMI"
STALE_COPIES = "VIRTUAL_CUDA_STALE_COPIES"
RACES = "VIRTUAL_CUDA_RACES"
BANNER = "VIRTUAL_CUDA_BANNER"  # 1 until a process of `virtual_cuda run` has said what it has

_NONE = ("", "0")


@dataclass(frozen=True)
class Settings:
    """A machine, and three things that only those want who ask for them.

    ``nvidia_smi``: the children of its processes find a command of that name. ``stale_copies`` and
    ``races`` (as ``order_of_races`` reads it): what ``virtual_cuda`` does so in a block holds for
    the whole program.
    """

    gpus: int = 4
    memory: int | str = "2 GiB"
    nvidia_smi: bool = False
    stale_copies: bool = False
    races: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError where ``races`` cannot be read."""
        order_of_races(self.races)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Settings | None:
        """What the variables ask for: nothing where VIRTUAL_CUDA is not set, empty or 0.

        Raises ValueError where VIRTUAL_CUDA is not a number, or VIRTUAL_CUDA_RACES no order.
        """
        gpus = environment.get(GPUS, "").strip()
        if gpus in _NONE:
            return None
        if not gpus.isdecimal():
            raise ValueError(
                f"{GPUS}={gpus} is not possible; write how many GPUs, as in {GPUS}=4, "
                "or 0 for none."
            )
        memory = environment.get(MEMORY, "").strip() or cls.memory
        smi, stale = (environment.get(name, "") not in _NONE for name in (NVIDIA_SMI, STALE_COPIES))
        return cls(int(gpus), memory, smi, stale, environment.get(RACES, "").strip())

    def variables(self) -> dict[str, str]:
        """The same, for the environment of another process."""
        return {
            GPUS: str(self.gpus),
            MEMORY: str(self.memory),
            NVIDIA_SMI: str(int(self.nvidia_smi)),
            STALE_COPIES: str(int(self.stale_copies)),
            RACES: self.races,
        }

    @contextmanager
    def for_children(self) -> Iterator[None]:
        """Within the block, processes that this one starts are given the same."""
        before = {name: os.environ.get(name) for name in self.variables()}
        os.environ.update(self.variables())
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    def enable(self, quiet: bool = True) -> Machine:
        """Give them to this process. Raises what ``virtual_cuda.enable`` raises."""
        # From the module: where a program imports virtual_cuda first, this runs amid that import.
        import torch

        from virtual_cuda.switchboard import enable

        machine = enable(self.gpus, self.memory, lost_contexts=True, quiet=quiet)
        if self.nvidia_smi:
            from virtual_cuda.nvidia.command import install_nvidia_smi

            install_nvidia_smi()
        # When CUDA starts, so that the program can still choose its GPUs, and fork.
        if self.stale_copies:
            torch.cuda._lazy_call(_begin_stale_copies)
        if self.races:
            torch.cuda._lazy_call(functools.partial(_begin_races, order_of_races(self.races)))
        return machine


def order_of_races(text: str) -> dict[str, int]:
    """What ``virtual_cuda.races`` is given for ``3``, a seed, or ``late=26``, one piece of work.

    Nothing for an empty text. Raises ValueError for another one.
    """
    if not text:
        return {}
    name, _, number = text.rpartition("=")
    if name not in ("", "late") or not number.isdecimal():
        raise ValueError(f"races: {text} is not possible; write a seed, as in 0, or late=1.")
    return {name or "seed": int(number)}


def _begin_stale_copies() -> None:
    from virtual_cuda.tracing import stale_copies

    block = stale_copies()
    block.__enter__()
    atexit.register(block.__exit__, None, None, None)


def _begin_races(order: dict[str, int]) -> None:
    from virtual_cuda.racing import races

    block = races(**order)
    report = block.__enter__()

    def end() -> None:
        block.__exit__(None, None, None)
        print(f"virtual_cuda: {report}", file=sys.stderr)

    atexit.register(end)
