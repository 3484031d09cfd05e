import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            torch.cuda.set_device(RANK)
        elif device.index is not None:
            torch.cuda.set_device(device)
    if RANKS > 1:
        backend = {"cuda": "nccl", "cpu": "gloo"}[device.type]
        dist.init_process_group(backend, rank=RANK, world_size=RANKS)
    return device


def batches_of(count, size):
    if size > count:
        sys.exit(f"There are only {count} images")
    if size < RANKS:
        sys.exit("A batch needs an image for each process")
    batches, batch = [], []
    for image in torch.randperm(count).tolist():
        batch.append(image)
        if len(batch) == size:
            batches.append([batch[place] for place in range(RANK, size, RANKS)])
            batch = []
    return batches
