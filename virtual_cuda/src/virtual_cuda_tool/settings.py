"""Which virtual GPUs a program is given: read from the environment, and written there."""

from __future__ import annotations

import atexit
import os
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

_NONE = ("", "0")


@dataclass(frozen=True)
class Settings:
    """A machine, and two things that only those want who ask for them.

    ``nvidia_smi``: the children of its processes find a command of that name. ``stale_copies``:
    what ``virtual_cuda.stale_copies`` does in a block holds for the whole program.
    """

    gpus: int = 4
    memory: int | str = "2 GiB"
    nvidia_smi: bool = False
    stale_copies: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Settings | None:
        """What the variables ask for: nothing where VIRTUAL_CUDA is not set, empty or 0.

        Raises ValueError where VIRTUAL_CUDA is not a number.
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
        asked = (environment.get(name, "") not in _NONE for name in (NVIDIA_SMI, STALE_COPIES))
        return cls(int(gpus), memory, *asked)

    def variables(self) -> dict[str, str]:
        """The same, for the environment of another process."""
        return {
            GPUS: str(self.gpus),
            MEMORY: str(self.memory),
            NVIDIA_SMI: str(int(self.nvidia_smi)),
            STALE_COPIES: str(int(self.stale_copies)),
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

    def enable(self) -> Machine:
        """Give them to this process. Raises what ``virtual_cuda.enable`` raises."""
        # From the module: where a program imports virtual_cuda first, this runs amid that import.
        import torch

        from virtual_cuda.switchboard import enable

        machine = enable(self.gpus, self.memory, lost_contexts=True, quiet=True)
        if self.nvidia_smi:
            from virtual_cuda.nvidia.command import install_nvidia_smi

            install_nvidia_smi()
        if self.stale_copies:
            # When CUDA starts, so that the program can still choose its GPUs, and fork.
            torch.cuda._lazy_call(_begin_stale_copies)
        return machine


def _begin_stale_copies() -> None:
    from virtual_cuda.tracing import stale_copies

    block = stale_copies()
    block.__enter__()
    atexit.register(block.__exit__, None, None, None)
