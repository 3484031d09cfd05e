"""The backend ``nccl`` between processes: gloo communicates, only for tensors of cards."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, NoReturn

import torch
from torch import Tensor

from ...errors import UnsupportedFeature
from ...patches import Patches
from .communicators import Communicators
from .nccl_rules import RULES, Call

_TIMEOUT = timedelta(minutes=10)  # NCCL's own default


class Options:
    """Replaces ``ProcessGroupNCCL.Options``: it stores settings that gloo does not have."""

    backend = "nccl"

    def __init__(self, is_high_priority_stream: bool = False) -> None:
        self.is_high_priority_stream = is_high_priority_stream
        self.config = SimpleNamespace()  # ncclConfig_t
        self.global_ranks_in_group: list[int] = []
        self.group_name = ""
        self._timeout = _TIMEOUT

    def __deepcopy__(self, memo: object) -> Options:
        """A copy as the C++ type makes it: with the same group to split from."""
        copied = copy.copy(self)
        copied.config = copy.copy(self.config)
        return copied


def _process_group() -> type:
    """The class of a gloo backend that looks like NCCL's."""
    from torch.distributed import ProcessGroupGloo  # missing in some builds

    class ProcessGroupNCCL(ProcessGroupGloo):
        uid = 0
        supports_coalescing = True  # a batch of sends and receives connects all ranks

        def __init__(
            self, store: Any, rank: int, size: int, options: Options | None = None
        ) -> None:
            self._options = Options() if options is None else options
            self._splits = 0
            self.communicators = Communicators(store, rank, size)
            super().__init__(store, rank, size, timeout=self._options._timeout)

        @property
        def options(self) -> Options:  # type: ignore[override]
            return self._options

        def name(self) -> str:
            return "nccl"

        def eager_connect_single_device(self, device: torch.device) -> None:  # type: ignore[override]
            self.communicators.connect_early(device)

        def comm_split_count(self) -> int:
            return self._splits

        def perform_nocolor_split(self, device: torch.device) -> None:
            """Take part in a split that makes no group for this rank."""
            self._splits += 1

        def _add_ephemeral_timeout(self, timeout: timedelta) -> None:
            """Do nothing: gloo has one timeout for all its collectives."""

        def _group_start(self) -> None:
            """Do nothing: gloo needs no groups of calls."""

        _group_end = _group_start

        @property
        def mem_allocator(self) -> NoReturn:
            raise UnsupportedFeature("memory registered with NCCL", "leave the pool out")

        def register_mem_pool(self, *args: Any) -> NoReturn:
            raise UnsupportedFeature("memory registered with NCCL", "leave the pool out")

        deregister_mem_pool = register_mem_pool

    ProcessGroupNCCL.Options = Options  # type: ignore[assignment,misc]
    return ProcessGroupNCCL


def check(
    backend: Any,
    name: str,
    args: Sequence[Any],
    bound: torch.device | None = None,
    batched: bool = False,
) -> bool:
    """Whether a backend is NCCL's. Raises torch's error if NCCL refuses this call.

    ``args`` are those of the operator ``c10d::name_``, or of the backend's method.
    """
    made: Communicators | None = getattr(backend, "communicators", None)
    name = name.removesuffix("_")
    if made is None:
        return False
    numbers = [value for value in args if type(value) is int]
    peer = numbers[0] if numbers and not batched else None
    if name in RULES:
        tensors = [value for value in args if isinstance(value, (Tensor, list))]
        RULES[name].apply(Call(made, peer, bound), tensors)
    return True


def patch(patches: Patches) -> None:
    """Make NCCL available in ``torch.distributed`` if gloo is."""
    if torch.distributed.is_available() and torch.distributed.is_gloo_available():
        kind = _process_group()
        for module in (
            torch.distributed,
            torch.distributed.distributed_c10d,
            torch._C._distributed_c10d,
        ):
            patches.set(module, ProcessGroupNCCL=kind)
        patches.set(
            torch.distributed.distributed_c10d,
            _NCCL_AVAILABLE=True,
            default_pg_nccl_timeout=_TIMEOUT,
        )
