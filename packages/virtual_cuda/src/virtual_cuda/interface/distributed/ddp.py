"""DistributedDataParallel: its log of times, and its destruction.

For models on cards, DDP's log takes times from CUDA events. Before each of the first steps it reads
the reducer's timer. There is none for cards: the CPU build has no such timer, and the CUDA build's
would call the CUDA runtime (``distributed``). All other values of
``ddp_model._get_ddp_logging_data()`` exist, and for models on the CPU also the times.

Most programs destroy their process group before their model, whose reducer then has the last
reference. NCCL has ended its threads by then. But gloo waits for its threads while it holds the
GIL, which these may need to free tensors. This can deadlock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn.parallel import DistributedDataParallel

from ...patches import Patches

_NO_TIMER = "reducer_->timer_"  # the assertion of c10d's logger.cpp, its last step


def _without_times(log: Callable[[Any], None]) -> Callable[[Any], None]:
    def set_runtime_stats_and_log(self: Any) -> None:
        try:
            log(self)
        except RuntimeError as error:
            if _NO_TIMER not in str(error):
                raise

    return set_runtime_stats_and_log


def _free_reducer(self: DistributedDataParallel) -> None:
    """Delete the reducer before the model's reference to the group, which releases the GIL."""
    vars(self).pop("logger", None)  # it holds the reducer
    vars(self).pop("reducer", None)


def patch(patches: Patches) -> None:
    """Make DDP's log work without times of cards, and let a model outlive its group."""
    if torch.distributed.is_available():
        logger = torch._C._distributed_c10d.Logger
        patches.set(
            logger, set_runtime_stats_and_log=_without_times(logger.set_runtime_stats_and_log)
        )
        patches.set(DistributedDataParallel, __del__=_free_reducer)
