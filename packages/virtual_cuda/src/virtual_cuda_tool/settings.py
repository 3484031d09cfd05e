"""The settings of a program's virtual GPUs, read from and written to environment variables."""

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
BANNER = "VIRTUAL_CUDA_BANNER"  # 1 until a process of `virtual_cuda run` has printed the banner

_NONE = ("", "0")


@dataclass(frozen=True)
class Settings:
    """The machine of a program, and three optional features.

    ``nvidia_smi``: whether the program's child processes find a command ``nvidia-smi``.
    ``stale_copies``, ``races``: whether the whole program runs in the block of that name of
    ``virtual_cuda``; ``order_of_races`` reads the text of ``races``.
    """

    gpus: int = 4
    memory: int | str = "2 GiB"
    nvidia_smi: bool = False
    stale_copies: bool = False
    races: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if ``races`` cannot be read."""
        order_of_races(self.races)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Settings | None:
        """The settings in the variables; None if VIRTUAL_CUDA is not set, empty or 0.

        Raises ValueError if VIRTUAL_CUDA is not a number, or VIRTUAL_CUDA_RACES cannot be read.
        """
        gpus = environment.get(GPUS, "").strip()
        if gpus in _NONE:
            return None
        if not gpus.isdecimal():
            raise ValueError(
                f"{GPUS}={gpus} is not possible. Write the number of GPUs, as in {GPUS}=4, "
                "or 0 for none."
            )
        memory = environment.get(MEMORY, "").strip() or cls.memory
        smi, stale = (environment.get(name, "") not in _NONE for name in (NVIDIA_SMI, STALE_COPIES))
        return cls(int(gpus), memory, smi, stale, environment.get(RACES, "").strip())

    def variables(self) -> dict[str, str]:
        """The settings as environment variables, for another process."""
        return {
            GPUS: str(self.gpus),
            MEMORY: str(self.memory),
            NVIDIA_SMI: str(int(self.nvidia_smi)),
            STALE_COPIES: str(int(self.stale_copies)),
            RACES: self.races,
        }

    @contextmanager
    def for_children(self) -> Iterator[None]:
        """Give these settings to processes that this one starts within the block."""
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
        """Enable them in this process. Raises the errors of ``virtual_cuda.enable``."""
        # From the module: if a program imports virtual_cuda first, this runs during that import.
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
    """The arguments of ``virtual_cuda.races``: ``3`` is a seed, ``late=26`` delays one operation.

    Empty for an empty text. Raises ValueError for any other text.
    """
    if not text:
        return {}
    name, _, number = text.rpartition("=")
    if name not in ("", "late") or not number.isdecimal():
        raise ValueError(f"races: {text} is not possible. Write a seed, as in 0, or late=1.")
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
