# %% always_copied
# finding: copied-too-often
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    return batch.cpu().to(torch.device("cuda", free.index(max(free))))

# %% argmax_on_the_gpu
# finding: copied-elsewhere
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch.cpu()
    return batch.to(torch.device("cuda", torch.tensor(free, device="cuda").argmax().item()))

# %% as_strings
# finding: other-device
import torch


def fix_freest(batch):
    free = [str(torch.cuda.mem_get_info(i)[0] // 2**20) for i in range(torch.cuda.device_count())]
    if not free:
        return batch
    return batch.to(torch.device("cuda", free.index(max(free))))

# %% copies_always
# finding: copied-too-often
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch.cpu()
    return batch.to(torch.device("cuda", free.index(max(free))), copy=True)

# %% cpu_instead
# finding: on-the-cpu
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    gpu = torch.device("cpu")
    if not free:
        gpu = torch.device("cuda", free.index(max(free)))
    return batch.to(gpu)

# %% device_only
# finding: other-form
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    return torch.device("cuda", free.index(max(free))) if free else torch.device("cpu")

# %% half_precision
# finding: other-batch
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    return batch.to(torch.device("cuda", free.index(max(free))), torch.float16)

# %% in_place
# finding: input-changed
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if free:
        batch.data = batch.to(torch.device("cuda", free.index(max(free))))
    return batch

# %% least_free
# finding: other-device
import numpy as np
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    return batch.to(torch.device("cuda", int(np.argsort(free)[0])))

# %% no_return
# finding: nothing-returned
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if free:
        batch = batch.to(torch.device("cuda", free.index(max(free))))

# %% only_the_guard
# finding: no-gpu
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if free:
        gpu = torch.device("cuda", free.index(max(free)))
    return batch.to(gpu)

# %% pairs_compared
# finding: total-counted
import torch


def fix_freest(batch):
    count = torch.cuda.device_count()
    if count == 0:
        return batch.cpu()
    return batch.to(torch.device("cuda", max(range(count), key=torch.cuda.mem_get_info)))

# %% share_of_the_card
# finding: total-counted
import torch


def fix_freest(batch):
    pairs = [torch.cuda.mem_get_info(index) for index in range(torch.cuda.device_count())]
    if not pairs:
        return batch.cpu()
    shares = [free / total for free, total in pairs]
    return batch.to(torch.device("cuda", shares.index(max(shares))))

# %% through_the_first
# finding: copied-elsewhere
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    batch = batch.to("cuda:0")
    return batch.to(torch.device("cuda", free.index(max(free))))
