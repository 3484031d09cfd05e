"""Collectives of ``torch.distributed`` in a CUDA graph: recorded in a capture, run in a replay.

As with NCCL, ranks do not communicate during a capture. Each replay runs the collectives, and waits
for them before it continues.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._pytree import tree_leaves

from ...errors import UnsupportedFeature
from ..distributed.works import done

# Each of two ranks waits for the next call of the other one, which a replay cannot order.
_POINT_TO_POINT = {"send", "recv_", "recv_any_source_"}


def is_collective(op: OpOverload) -> bool:
    """Whether an operator makes ranks communicate."""
    return op.namespace == "c10d"


def is_made_of_others(op: OpOverload) -> bool:
    """Whether it is a functional collective, which allocates, calls a collective, waits later."""
    return op.namespace == "_c10d_functional"


def promise(op: OpOverload, args: Any) -> Any:
    """The immediate result of a collective: the tensors that it will write, and a completed work.

    Raises UnsupportedFeature for point-to-point calls.
    """
    if op._schema.name.removeprefix("c10d::") in _POINT_TO_POINT:
        raise UnsupportedFeature(
            "sends and receives in CUDA graphs", "capture collectives, or send between two graphs"
        )
    work = done([leaf for leaf in tree_leaves(args[0]) if isinstance(leaf, Tensor)])
    written = [args[0]] * (len(op._schema.returns) - 1)
    return (*written, work.boxed()) if written else work.boxed()


def wait_for_ranks(result: Any) -> None:
    """Wait until a collective has written its results."""
    *_, work = tree_leaves(result)
    torch.distributed.Work.unbox(work).wait()
