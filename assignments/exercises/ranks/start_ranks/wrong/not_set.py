# finding: not-set
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]
