# %% a_gpu_taken_for_granted
# finding: needs-a-gpu
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", device.index or 0)))
    if RANKS > 1 and device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% each_trains_alone
# finding: ranks-differ
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    global RANKS
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    RANKS = 1  # so the model gets no DistributedDataParallel
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    if dist.is_initialized():
        dist.barrier()  # no rank begins, or saves, before the others have begun
    order = torch.randperm(count)
    return [batch[RANK::RANKS].tolist() for batch in order[: count // size * size].split(size)]

# %% a_name_misspelt
# finding: raised-in-the-program
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANK_COUNT].tolist() for batch in order.split(size)]

# %% all_on_the_first_card
# finding: same-card
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", 0)
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% all_rank_0
# finding: ranks-wait
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo", rank=0, world_size=RANKS)
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% as_a_sampler
# finding: one-too-many
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch.tolist() for batch in order[RANK::RANKS].split(size // RANKS)]

# %% chunks
# finding: shares-uneven
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch.chunk(RANKS)[RANK].tolist() for batch in order.split(size)]

# %% equal_shares_only
# finding: images-missing
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[: size // RANKS * RANKS][RANK::RANKS].tolist() for batch in order.split(size)]

# %% from_the_last_card
# finding: other-card
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", RANKS - 1 - RANK)
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% gloo_always
# finding: gloo-on-gpus
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% images_of_one_rank
# finding: other-steps
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch.tolist() for batch in order[RANK::RANKS].split(size)]

# %% in_silence
# finding: no-sentence
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(1)
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% joined_alone_too
# finding: started-alone
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% local_rank_always
# finding: started-alone
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% nccl_always
# finding: nccl-on-the-cpu
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% never_joined
# finding: not-joined
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% not_refused
# finding: not-refused
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% nothing_returned
# finding: nothing-returned
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% one_more_than_ranks
# finding: refused
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS < size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% only_large_batches_refused
# finding: not-refused
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if size > count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% padded
# finding: images-twice
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    more = -size % RANKS
    return [torch.cat([b, b[:more]])[RANK::RANKS].tolist() for b in order.split(size)]

# %% raised
# finding: a-traceback
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        raise ValueError(f"--batch {size}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% rest_kept
# finding: one-too-many
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% same_order_each_epoch
# finding: other-batches
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    torch.manual_seed(0)
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% seeded_again
# finding: other-training
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    torch.manual_seed(0)
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% set_without_an_index
# finding: no-index
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]

# %% two_ranks_only
# finding: images-missing
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK :: 2 if RANKS > 1 else 1].tolist() for batch in order.split(size)]

# %% a_group_of_one
# finding: joined-alone
import os
import sys

import torch
import torch.distributed as dist


def start_ranks(device):
    if RANKS == 1:
        os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="0")
    if device.type == "cuda":
        if RANKS > 1:
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device.index or 0)
    backend = "nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend, rank=RANK, world_size=RANKS)
    return device


def batches_of(count, size):
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size} is not from {RANKS} to {count}")
    order = torch.randperm(count)[: count // size * size]
    return [batch[RANK::RANKS].tolist() for batch in order.split(size)]
