"""Several cards of one process: copies among them for ``nn.DataParallel``, and ``cuda.nccl``."""

from . import comm, nccl

PARTS = (comm, nccl)
