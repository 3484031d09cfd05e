"""DistributedDataParallel: its own log, and its end.

The log takes times from CUDA events for models on cards. Before each of the first steps it asks the
reducer for its timer. For cards there is none: the CPU build never had one, and that of the CUDA
build would call the CUDA runtime (``distributed``). All else in
``ddp_model._get_ddp_logging_data()`` is there, for models of the CPU the times as well.

Most programs destroy their process group before their model, whose reducer then is the last to
hold it. NCCL has ended its threads by that time; gloo waits for its own, with the GIL held, which
those may need to let go of tensors: a deadlock, now and then.
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
    """Before the model's own hold on the group, which gives up the GIL when it goes."""
    vars(self).pop("logger", None)  # it holds the reducer
    vars(self).pop("reducer", None)


def patch(patches: Patches) -> None:
    """Let DDP's log do without times of cards, and a model end after its group."""
    if torch.distributed.is_available():
        logger = torch._C._distributed_c10d.Logger
        patches.set(
            logger, set_runtime_stats_and_log=_without_times(logger.set_runtime_stats_and_log)
        )
        patches.set(DistributedDataParallel, __del__=_free_reducer)
