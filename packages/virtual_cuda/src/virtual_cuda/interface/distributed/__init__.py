"""``torch.distributed`` on cards: gloo communicates, by NCCL's rules."""

from . import ddp, nccl, process_groups, reductions, works

PARTS = (ddp, nccl, process_groups, reductions, works)
