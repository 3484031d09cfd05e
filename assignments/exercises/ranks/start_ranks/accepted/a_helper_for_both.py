import os
import sys

import torch
import torch.distributed as dist


def rank_and_ranks():
    if dist.is_initialized():
        return dist.get_rank(), dist.get_world_size()
    return 0, 1


def start_ranks(device):
    if os.environ.get("WORLD_SIZE", "1") != "1":
        dist.init_process_group()
    rank, ranks = rank_and_ranks()
    if device.type != "cuda":
        return device
    chosen = torch.device("cuda", rank) if ranks > 1 else torch.device("cuda", device.index or 0)
    torch.cuda.set_device(chosen)
    return chosen


def batches_of(count, size):
    rank, ranks = rank_and_ranks()
    if size > count or size < ranks:
        sys.exit(f"A batch of {size} is not possible with {count} images and {ranks} processes")
    whole = zip(*[iter(torch.randperm(count).tolist())] * size)  # drops the rest
    shares = []
    for batch in whole:
        begin, end = len(batch) * rank // ranks, len(batch) * (rank + 1) // ranks
        shares.append(batch[begin:end])
    return shares
