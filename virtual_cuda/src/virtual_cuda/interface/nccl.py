"""NCCL among processes: gloo does its work, under its name, for tensors of cards alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NoReturn

import torch

from ..errors import UnsupportedFeature
from ..patches import Patches

_TIMEOUT = timedelta(minutes=10)  # NCCL's own default


class Options:
    """Stands in for ``ProcessGroupNCCL.Options``: a place for settings that gloo has not."""

    def __init__(self, is_high_priority_stream: bool = False) -> None:
        self.is_high_priority_stream = is_high_priority_stream
        self._timeout = _TIMEOUT


def _process_group() -> type:
    """A gloo backend that programs take for NCCL's."""
    from torch.distributed import ProcessGroupGloo  # some builds have none

    class ProcessGroupNCCL(ProcessGroupGloo):
        def __init__(
            self, store: Any, rank: int, size: int, options: Options | None = None
        ) -> None:
            timeout = _TIMEOUT if options is None else options._timeout
            super().__init__(store, rank, size, timeout=timeout)

        @property
        def mem_allocator(self) -> NoReturn:
            raise UnsupportedFeature("memory registered with NCCL", "leave the pool out")

        def register_mem_pool(self, *args: Any) -> NoReturn:
            raise UnsupportedFeature("memory registered with NCCL", "leave the pool out")

        deregister_mem_pool = register_mem_pool

    ProcessGroupNCCL.Options = Options  # type: ignore[assignment,misc]
    return ProcessGroupNCCL


def patch(patches: Patches) -> None:
    """Let ``torch.distributed`` find NCCL where gloo is."""
    if torch.distributed.is_available() and torch.distributed.is_gloo_available():
        patches.set(
            torch.distributed.distributed_c10d,
            _NCCL_AVAILABLE=True,
            ProcessGroupNCCL=_process_group(),
            default_pg_nccl_timeout=_TIMEOUT,
        )
