import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        index = int(os.environ.get("LOCAL_RANK", device.index or 0))
        torch.accelerator.set_device_index(index)
        device = torch.device("cuda", index)
    if RANKS > 1 and device.type == "cuda":
        dist.init_process_group("nccl", device_id=device)
    elif RANKS > 1:
        dist.init_process_group("gloo")
    return device


def batches_of(count, size):
    if size < RANKS or size > count:
        print(f"--batch {size} is less than {RANKS} or more than {count}", file=sys.stderr)
        sys.exit(2)
    order = torch.randperm(count)
    return [
        order[first : first + size].tensor_split(RANKS)[RANK]
        for first in range(0, count - size + 1, size)
    ]
