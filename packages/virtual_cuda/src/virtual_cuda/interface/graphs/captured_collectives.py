"""Collectives of ``torch.distributed`` in a CUDA graph: promised while it is captured, then done.

As with NCCL no rank talks to others while it captures. Each replay lets them do so, and waits for
them before it goes on.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._pytree import tree_leaves

from ...errors import UnsupportedFeature
from ..distributed.works import done

# Each of two ranks waits for what the other one does next, which a replay cannot know.
_POINT_TO_POINT = {"send", "recv_", "recv_any_source_"}


def is_collective(op: OpOverload) -> bool:
    """Whether an operator lets ranks talk to each other."""
    return op.namespace == "c10d"


def is_made_of_others(op: OpOverload) -> bool:
    """Whether it is a functional collective, which allocates, calls one, and waits later."""
    return op.namespace == "_c10d_functional"


def promise(op: OpOverload, args: Any) -> Any:
    """What a collective returns at once: the tensors that it will write, and a work that is done.

    Raises UnsupportedFeature where ranks send and receive one by one.
    """
    if op._schema.name.removeprefix("c10d::") in _POINT_TO_POINT:
        raise UnsupportedFeature(
            "sends and receives in CUDA graphs", "capture collectives, or send between two graphs"
        )
    work = done([leaf for leaf in tree_leaves(args[0]) if isinstance(leaf, Tensor)])
    written = [args[0]] * (len(op._schema.returns) - 1)
    return (*written, work.boxed()) if written else work.boxed()


def wait_for_ranks(result: Any) -> None:
    """Wait until a collective has written what it returned."""
    *_, work = tree_leaves(result)
    torch.distributed.Work.unbox(work).wait()
