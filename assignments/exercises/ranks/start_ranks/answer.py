import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    """Join the processes that torchrun has started, if it has; returns this one's device."""
    ### BEGIN SOLUTION
    if device.type == "cuda":
        if RANKS > 1:
            device = pick_device(f"{device}:{os.environ['LOCAL_RANK']}")  # refuses a given index
        torch.cuda.set_device(device.index or 0)  # else cuda:0 would be started, too
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device
    ### END SOLUTION


def batches_of(count, size):
    """An epoch's batches of `size` images each, less the rest of `count`; this rank's part."""
    ### BEGIN SOLUTION
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size}: choose from {RANKS}, an image for each process, to {count}")
    order = torch.randperm(count)  # drawn on the CPU, where all ranks draw alike
    return [batch[RANK::RANKS].tolist() for batch in order[: count // size * size].split(size)]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# RANKS = 2
# for RANK in range(RANKS):  # no image should be there twice
#     torch.manual_seed(0)
#     print(f"rank {RANK}:", batches_of(17, 5))
