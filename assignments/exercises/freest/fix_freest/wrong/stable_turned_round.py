# finding: ties-reversed
import numpy as np
import torch


def fix_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    order = np.argsort(free, kind="stable")[::-1]
    return batch.to(torch.device("cuda", int(order[0])))
