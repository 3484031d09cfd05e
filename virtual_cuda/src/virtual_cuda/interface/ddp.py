"""DistributedDataParallel's own log, which takes times from CUDA events for models on cards.

Before each of the first steps the log asks the reducer for its timer. For cards there is none: the
CPU build never had one, and that of the CUDA build would call the CUDA runtime (``distributed``).
All else in ``ddp_model._get_ddp_logging_data()`` is there, for models of the CPU the times as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..patches import Patches

_NO_TIMER = "reducer_->timer_"  # the assertion of c10d's logger.cpp, its last step


def _without_times(log: Callable[[Any], None]) -> Callable[[Any], None]:
    def set_runtime_stats_and_log(self: Any) -> None:
        try:
            log(self)
        except RuntimeError as error:
            if _NO_TIMER not in str(error):
                raise

    return set_runtime_stats_and_log


def patch(patches: Patches) -> None:
    """Let DDP's log do without times of cards."""
    if torch.distributed.is_available():
        logger = torch._C._distributed_c10d.Logger
        patches.set(
            logger, set_runtime_stats_and_log=_without_times(logger.set_runtime_stats_and_log)
        )
