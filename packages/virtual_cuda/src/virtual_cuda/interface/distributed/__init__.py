"""``torch.distributed`` on cards: gloo does the work, NCCL's rules hold."""

from . import ddp, nccl, process_groups, reductions, works

PARTS = (ddp, nccl, process_groups, reductions, works)
