"""The ``torch.distributed.Work`` of a collective, with results on the right cards.

Gloo works on CPU aliases of the cards' tensors (``distributed``), so its results are CPU tensors.
DDP's own C++ can use these; programs, and hooks of DDP, get tensors of the cards.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ...patches import Patches
from ...retag import back_on_card


def work_of(future: torch.futures.Future[list[Tensor]]) -> Any:
    """A work that completes with a future."""
    return torch._C._distributed_c10d._create_work_from_future(future)  # type: ignore[attr-defined]


def done(written: Sequence[Tensor]) -> Any:
    """A completed work that wrote these tensors."""
    future: torch.futures.Future[list[Tensor]] = torch.futures.Future()
    future.set_result(list(written))
    return work_of(future)


def with_future(work: Any, written: Sequence[Tensor]) -> Any:
    """A work with a future, for one of gloo's without it (which writes again in every ``wait``).

    A new thread waits for it, because works of other groups can complete in another order.
    """
    future: torch.futures.Future[Any] = torch.futures.Future()

    def wait() -> None:
        try:
            work.wait()
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(list(written))

    threading.Thread(target=wait, daemon=True).start()
    return work_of(future)


def _back(value: Any) -> Any:
    if isinstance(value, Tensor):
        return back_on_card(value)
    if isinstance(value, (list, tuple)):
        return [_back(item) for item in value]
    return value


def patch(patches: Patches) -> None:
    """Make the results of collectives tensors of the right cards."""
    if torch.distributed.is_available():
        work = torch._C._distributed_c10d.Work
        get_future, result = work.get_future, work.result
        patches.set(
            work,
            get_future=lambda self: get_future(self).then(lambda done: _back(done.value())),
            result=lambda self: _back(result(self)),
        )
