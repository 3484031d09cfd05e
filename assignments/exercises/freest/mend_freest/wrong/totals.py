# finding: total-counted
import torch


def mend_freest(batch):
    total = [torch.cuda.mem_get_info(index)[1] for index in range(torch.cuda.device_count())]
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    key = [(size, mib) for size, mib in zip(total, free)]
    return batch.to(torch.device("cuda", key.index(max(key))))
