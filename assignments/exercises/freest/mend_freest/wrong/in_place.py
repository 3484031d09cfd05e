# finding: input-changed
import torch


def mend_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if free:
        batch.data = batch.to(torch.device("cuda", free.index(max(free))))
    return batch
