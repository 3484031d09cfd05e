"""Ranks of a test that do not each have to import torch: forks of a process that has."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

import torch.multiprocessing as mp

_IMPORTED = ["torch._dynamo", "torch.distributed.fsdp", "torch.distributed.tensor.parallel"]


def start(program: Callable[..., None], arguments: tuple[Any, ...], count: int) -> None:
    """Call ``program(rank, *arguments)`` in each of ``count`` ranks; raise what leaves one."""
    method = "spawn"
    if "forkserver" in multiprocessing.get_all_start_methods():
        method = "forkserver"
        multiprocessing.set_forkserver_preload(_IMPORTED)
    mp.start_processes(program, arguments, nprocs=count, start_method=method)
