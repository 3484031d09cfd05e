# finding: guard-inverted
import numpy as np
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index) for index in range(torch.cuda.device_count())]
    if not free:
        order = np.argsort(free)[::-1]
        gpu = torch.device("cuda", order[0])
    return batch.to(gpu)
