# finding: no-gpu
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    return batch.to(torch.device("cuda", free.index(max(free))))
